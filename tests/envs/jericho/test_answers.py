"""The answers of our adventures where a newcomer was once misled."""

import pytest

from aq_gym.envs.jericho.expert import Guide

OIL = "w; take oil can; e; n; u; u"
LAMP = (
    "w; take lamp; e; s; open keg; take carbide; n; w; open locker; take carbide; "
    "e; e; open crate; take carbide; w; put carbide in lamp; fill lamp"
)
HEADING = f"{LAMP}; light lamp; n; n; d; take pick; u; n; take pick; s; take pick"
SWINGS = ("dig east; e", "dig west; w")


@pytest.mark.parametrize(
    ("game", "line", "answer"),
    [
        ("museum", "x chair", "fills it"),
        ("museum", "call police", "The line is dead"),
        ("museum", "call", "Tuesday"),
        ("museum", "call out", "Tuesday"),
        ("museum", "call porter", "Tuesday"),
        ("museum", "n; phone police", "in the lodge"),
        ("museum", "n; look north", "Gallery Stairs lie that way"),
        ("museum", "n; open gallery stairs", "locked"),
        ("clockwork", f"{OIL}; put oil can on left peg", "A peg is for a gear"),
        ("clockwork", f"{OIL}; put oil can on left peg; x clock", "dry as a sermon"),
        ("clockwork", f"{OIL}; pour oil on left peg", "The bearings drink it"),
        ("ferry", "buy passage", "Ask me what I want"),
        ("ferry", "buy ferry", "Ask me what I want"),
        ("ferry", "ask ferryman; pay for passage", "You know my price"),
        ("ferry", "n; buy milk", "Nobody is here to sell it"),
        ("ferry", "x coach", "set you down"),
        ("ferry", "pump", "no pump here"),
        ("ferry", "n; n; n; pump", "A cough"),
        ("ferry", "n; n; n; pump water", "A cough"),
        ("mine", "n; n; e", "rock, and more rock"),
        ("mine", "n; n; x fall", "too dark"),
        ("mine", f"{LAMP}; light lamp; n; n; e", "from floor to roof"),
        ("mine", f"{LAMP}; turn lamp", "spin the striker"),
        ("mine", f"{LAMP}; unscrew lamp", "open and close at a twist"),
        ("mine", f"{LAMP}; turn striker", "a white flame"),
        ("mine", f"{LAMP}; turn on lamp", "a white flame"),
        ("mine", f"{LAMP}; light lamp; n; n; n; x stables", "swept clean"),
        ("mine", "wash", "wet enough"),
        ("bathyscaphe", "get the power back", "a fuse box"),
        ("bathyscaphe", "n; close motor room", "The water stops"),
        ("bathyscaphe", "n; close galley", "go there first"),
        ("lighthouse", "x mail boat", "no sign of it"),
        ("lighthouse", "x boat", "making for the harbour"),
        ("lighthouse", "x reef", "line of white"),
        ("keepsakes", "n; x grandfather", "gone for years"),
        ("keepsakes", "n; x grandfather's room", "kept as he left it"),
    ],
)
def test_the_answer_fits(play, game, line, answer):
    assert answer in play(game, line)


@pytest.mark.parametrize("line", ["n; x floor", "u; x ceiling", "x ground"])
def test_a_floor_is_not_the_room_below(play, line):
    assert "lies that way" not in play("keepsakes", line)


def test_the_gallery_has_its_floor(sessions):
    session = sessions["museum"]
    steps = Guide(session).solution(1)
    session.start(1)
    for step in steps:
        session.do(step.command)
        if step.command == "up":
            break
    assert "in squares on it" in session.do("x floor").text


def test_dust_is_not_the_cat(play):
    for layout in range(1, 4):
        ways = [f"{HEADING}; {swing}" for swing in SWINGS]
        looks = [play("mine", f"{way}; look", layout) for way in ways]
        way = ways["black cat sits" in looks[1]]
        assert "ends at the cat" in play("mine", f"{way}; x dust", layout)
        assert "Most of them" in play("mine", f"{way}; take cat; x dust", layout)
