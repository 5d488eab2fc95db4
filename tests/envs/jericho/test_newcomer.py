"""A newcomer's attempts in four of our adventures, and their answers."""

import pytest

from aq_gym.envs.jericho.expert import Guide


def rooms(session, layout=1):
    """Yield, for each room on the way, the moment of coming there."""
    steps = Guide(session).solution(layout)
    session.start(layout)
    seen = set()
    for step in steps:
        if step.room not in seen:
            seen.add(step.room)
            yield session.now
        session.do(step.command)


# What each room's description names, by the way there.
NAMED = {
    ("lighthouse", "look"): "jetty sea sky swell piles path cottage shed rocks pot "
    "bollard boat telegram",
    ("lighthouse", "east"): "tar rope paint dinghy bench shed box can door jetty",
    ("lighthouse", "n"): "yard cottage door tower lighthouse jetty wall path",
    ("lighthouse", "n; w"): "stove table chair dresser drawer teapot arch note yard",
    ("lighthouse", "n; w; n"): "bed chest coat nail kitchen pocket",
    ("clockwork", "look"): "clock fountain dolphins tower door market workshop town",
    ("clockwork", "e"): "awnings stallholders barrow stalls square leaves cheese",
    ("clockwork", "w"): "clocks drawing bench drawer nail can clockmaker square",
    ("clockwork", "n"): "ropes hassocks coat hook stair wall square verger",
    ("clockwork", "n; u"): "ropes ceiling floor wall boards stair",
    ("clockwork", "n; u; u"): "clock frame pegs lever stair belfry bearings",
    ("clockwork", "n; u; u; u"): "wind louvres bells nest corner stair",
    ("mine", "look"): "wheel rain sign butt gutter cabin shed adit hill",
    ("mine", "w"): "hooks lamp locker walls pithead",
    ("mine", "e"): "window ledger board tallies note crate seat pithead",
    ("mine", "s"): "walls roof powder keg pithead",
    ("mine", "n"): "props water day level",
    ("maze", "look"): "lawn house blinds maze yew gap shed invitation",
    ("maze", "w"): "pots twine meal door hook card trowel earth",
    ("maze", "s"): "corridor birds lawn pineapples maze",
    ("maze", "s; s"): "urn moss hedge gap yew ground leaves",
}


@pytest.mark.parametrize(("game", "way"), NAMED)
def test_what_a_room_names_can_be_examined(play, game, way):
    for noun in NAMED[game, way].split():
        assert "nothing special" not in play(game, f"{way}; examine {noun}")


def test_each_clearing_has_a_hedge_and_ground(sessions):
    session = sessions["maze"]
    for moment in rooms(session):
        session.jump(moment)
        if session.do("look").text.startswith("By the"):
            for noun in ("hedge", "gap", "yew", "ground"):
                session.jump(moment)
                assert session.do(f"examine {noun}").understood


@pytest.mark.parametrize(
    ("game", "way", "nouns"),
    [
        ("clockwork", "n", "ropes hassocks"),
        ("mine", "look", "sign rain wheel"),
        ("mine", "e", "note ledger tallies board window"),
        ("mine", "n", "props water"),
        ("maze", "w", "pots twine meal earth"),
    ],
)
def test_each_thing_has_a_description_of_its_own(play, game, way, nouns):
    told = [play(game, f"{way}; examine {noun}") for noun in nouns.split()]
    assert len(set(told)) == len(told)


LAMP = "w; take lamp; e; s; open keg; take carbide; n"
ABOVE = (
    "search pot; take key; east; take oil; west; north; west; north; open chest; "
    "take matches; south; east; unlock door; north; up; up; up"
)


@pytest.mark.parametrize(
    ("game", "line", "answer"),
    [
        ("lighthouse", "swim", "on the rocks"),
        ("lighthouse", "enter cottage", "Cottage Yard"),
        ("lighthouse", "n; knock on cottage door", "Nobody is at home"),
        ("lighthouse", "n; enter cottage", "Kitchen"),
        ("lighthouse", "n; open cottage door", "It is open"),
        ("lighthouse", "search pot; take key; n; unlock door", "You unlock"),
        ("lighthouse", "search pot; take key; n; use key on door", "You unlock"),
        ("lighthouse", "search pot; take key; n; open door", "unlock it with the key"),
        ("clockwork", "n; ring bells", "Nobody would know"),
        ("clockwork", "e; talk to stallholder", "Mend it"),
        ("clockwork", "e; wave at stallholder", "leek"),
        ("clockwork", "e; ask stallholder about gears", "nests"),
        ("clockwork", "hello", "still noon"),
        ("clockwork", "w; take oil; e; n; u; u; use oil can on clock", "A drop here"),
        ("clockwork", "w; take oil; e; n; u; u; pour oil on bearings", "A drop here"),
        ("mine", f"{LAMP}; pour carbide into lamp", "You tip a handful"),
        ("mine", f"{LAMP}; put water in lamp", "You fill the upper chamber"),
        ("mine", "w; take lamp; e; ignite lamp", "no carbide"),
        ("mine", "n; n; call cat", "a meow"),
        ("mine", "w; knock on locker", "It booms"),
        ("maze", "w; out; dig lawn", "Dobbs would know"),
        ("maze", "s; s; climb hedge", "gaps for walking"),
    ],
)
def test_what_a_newcomer_would_say(play, game, line, answer):
    assert answer in play(game, line)


@pytest.mark.parametrize(
    "line",
    [
        "light lamp", "light wick", "strike match", "ignite lamp", "use match on lamp",
        "put match to wick", "switch on lamp", "light match",
    ],
)  # fmt: skip
def test_the_great_lamp_is_lit_by_any_words(play, line):
    end = play("lighthouse", f"{ABOVE}; take cover; fill lamp; {line}")
    assert "You have won" in end


@pytest.mark.parametrize(
    "line",
    ["drop lamp", "drop all", "throw lamp", "put lamp on ground", "put down lamp"],
)
def test_nothing_is_put_down_where_it_could_not_be_found(play, line):
    assert "never find again" in play("mine", f"w; take lamp; e; n; n; {line}")
    assert "carbide lamp" in play("mine", f"w; take lamp; e; n; n; {line}; inventory")


def test_a_dropped_lamp_is_not_called_empty(play):
    way = f"{LAMP}; put carbide in lamp; drop lamp"
    assert "a carbide lamp here" in play("mine", f"{way}; look")


def test_a_direction_is_no_answer_to_a_question(play):
    assert play("lighthouse", "put telegram; north").startswith("Cottage Yard")


def test_a_list_of_gaps_is_a_sentence(sessions):
    session = sessions["maze"]
    for layout in range(1, 6):
        for moment in rooms(session, layout):
            session.jump(moment)
            gaps = session.do("look").text.rpartition("hedge lead")[2].split(".")[0]
            if gaps.startswith(" "):
                assert " and " in gaps
            assert gaps.count(",") <= max(0, len(gaps.split()) - 3)


def test_what_is_hidden_shows_when_it_is_looked_for(play):
    layout = 3
    way = "n; w; n"
    assert "brass key" not in play("lighthouse", f"{way}; look", layout)
    assert "weighs the pocket down" in play(
        "lighthouse", f"{way}; examine coat", layout
    )
    assert "brass key" in play("lighthouse", f"{way}; search coat", layout)
