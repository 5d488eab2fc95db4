"""A newcomer's words to four of our adventures, and their answers."""

import pytest

from aq_gym.envs.jericho.expert import Guide

TO_BALLAST = ("north", "close hatch", "north", "north", "east", "east")


def say(session, *lines):
    """Type lines, all of which must be understood; return the last reply."""
    for line in lines:
        answer = session.do(line)
        assert answer.understood, f"{line}: {answer.text}"
    return answer.text


@pytest.mark.parametrize(
    ("name", "way", "things"),
    [
        ("bathyscaphe", (), "bunks blanket light deck passage"),
        ("bathyscaphe", ("north",), "pipes grating water hatch well galley"),
        ("bathyscaphe", TO_BALLAST[:3], "ladder hatch sea"),
        ("bathyscaphe", TO_BALLAST[:4], "dials window bulkhead table crawlway"),
        ("bathyscaphe", TO_BALLAST[:5], "cables rivets"),
        ("bathyscaphe", TO_BALLAST, "valves wheels plate lever shot pin"),
        ("bathyscaphe", ("north", "east"), "shelf plate tin"),
        ("museum", (), "telephone ring kettle teacup sill porter keys chair door"),
        ("museum", ("north",), "whale ribs footsteps dark grille stairs"),
        ("museum", ("north", "west"), "pegs stand"),
        ("museum", ("north", "east"), "leather port desk door safe"),
        ("museum", ("north", "east", "east"), "concrete bulb safe dial corner"),
        ("keepsakes", (), "sheets tiles clock stairs door key letter parlour"),
        ("keepsakes", ("east",), "chairs piano hearth basket"),
        ("keepsakes", ("west",), "range shelf tin coronation"),
        ("keepsakes", ("north",), "ledgers wall globe names bureau"),
        ("keepsakes", ("up",), "stairs skylight pigeons ladder attic"),
        ("keepsakes", ("up", "east"), "bed wardrobe box"),
        ("keepsakes", ("up", "up"), "rafters tank boards space trunk initials label"),
        ("ferry", (), "river lantern island sister ferry pole bollard village"),
        ("ferry", ("north",), "hawthorn sparrows lane footbridge"),
        ("ferry", ("north", "north"), "planks rail stream trout village"),
        ("ferry", ("north",) * 3, "grass bench pump inn smithy church"),
        ("ferry", (*("north",) * 3, "west"), "beams counter jar ledge landlady door"),
        ("ferry", (*("north",) * 3, "east"), "forge bucket anvil"),
        ("ferry", ("north",) * 4, "stones grass yews church tomb gate orchard"),
        ("ferry", (*("north",) * 4, "east"), "windfalls wasps ladder tree apple"),
    ],
)
def test_what_is_named_can_be_looked_at(sessions, name, way, things):
    session = sessions[name]
    session.start(1)
    for line in way:
        say(session, line)
    for thing in things.split():
        assert "Which do you mean" not in say(session, f"examine {thing}")


@pytest.mark.parametrize(
    ("name", "way", "one", "other"),
    [
        ("museum", (), "kettle", "ring"),
        ("museum", ("north", "east"), "leather", "port"),
        ("keepsakes", (), "tiles", "sheets"),
        ("keepsakes", ("up", "east"), "bed", "wardrobe"),
        ("keepsakes", ("north",), "ledgers", "globe"),
        ("ferry", (), "lantern", "river"),
        ("ferry", ("north", "north"), "rail", "stream"),
        ("bathyscaphe", TO_BALLAST[:4], "window", "dials"),
        ("bathyscaphe", ("north", "east"), "shelf", "plate"),
    ],
)
def test_each_thing_has_its_own_description(sessions, name, way, one, other):
    session = sessions[name]
    session.start(1)
    for line in way:
        say(session, line)
    assert say(session, f"examine {one}") != say(session, f"examine {other}")


@pytest.mark.parametrize(
    "line",
    ["take pin", "draw pin", "remove pin", "release pin", "pull pin", "pull pin out"],
)
def test_the_pin_comes_out_by_any_word(sessions, line):
    session = sessions["bathyscaphe"]
    session.start(1)
    assert "comes out with a click" in say(session, *TO_BALLAST, line)


@pytest.mark.parametrize("line", ["flip switch", "start pump", "switch on pump"])
def test_the_switch_is_tried_by_any_word(sessions, line):
    session = sessions["bathyscaphe"]
    session.start(1)
    assert "no power" in say(session, *TO_BALLAST[:4], line)


def test_a_shut_hatch_refuses_once(sessions):
    session = sessions["bathyscaphe"]
    session.start(1)
    answer = say(session, "north", "close hatch", "west")
    assert answer == "With all that water behind it? No."


@pytest.mark.parametrize(
    "line", ["wake porter", "talk to porter", "ask porter about owl", "hello", "shout"]
)
def test_the_porter_sleeps_on(sessions, line):
    session = sessions["museum"]
    session.start(1)
    assert "Tuesday" in say(session, line)


@pytest.mark.parametrize(
    "line",
    ["talk to ferryman", "ask ferryman", "ferryman, hello", "hello", "board ferry"],
)
def test_the_ferryman_says_what_he_wants(sessions, line):
    session = sessions["ferry"]
    session.start(1)
    assert "longing for" in say(session, line)
    assert session.now.reached[0]


@pytest.mark.parametrize(
    ("name", "way", "line", "answer"),
    [
        ("ferry", (), "swim", "There is a ferry."),
        ("ferry", ("north",) * 4, "sit on tomb", "wait with him"),
        ("ferry", ("north",) * 4, "knock on church", "Nobody comes"),
        ("museum", (), "knock on door", "Nobody answers"),
        ("keepsakes", (), "knock on door", "You had half hoped"),
        ("bathyscaphe", ("north",), "knock on hatch", "bell"),
        ("keepsakes", (), "south", "Not before the trunk is packed."),
        ("museum", (), "south", "From here you can go north."),
        ("keepsakes", (), "go to kitchen", "The range is out"),
    ],
)
def test_what_a_newcomer_tries_is_answered(sessions, name, way, line, answer):
    session = sessions[name]
    session.start(1)
    for step in way:
        say(session, step)
    assert answer in say(session, line)


def test_no_reply_tells_the_combination(sessions):
    session = sessions["museum"]
    for seed in (1, 2, 3):
        steps = Guide(session).solution(seed)
        code = next(s.command for s in steps if s.command.startswith("set dial"))
        session.start(seed)
        say(session, "north", "east")
        texts = [say(session, f"examine {thing}") for thing in ("desk", "lock")]
        say(session, "east")
        for thing in ("safe", "dial", "door"):
            texts += [say(session, f"{v} {thing}") for v in ("x", "open", "listen to")]
        assert not any(code.split()[-1] in text for text in texts)


def test_keepsakes_can_be_packed_together(sessions):
    session = sessions["keepsakes"]
    steps = [step.command for step in Guide(session).solution(1)]
    session.start(1)
    say(session, *steps[:-4])
    say(session, "put keepsakes in trunk", "shut the lid on them")
    assert session.now.won
