"""Our reader of the Z-machine's memory, judged by the interpreter's own."""

import pytest

from aq_gym.envs.jericho.games import ADVENTURES, find_game
from aq_gym.envs.jericho.logic import (
    Dictionary,
    Memory,
    StoryError,
    check_story,
    inform_patterns,
)
from aq_gym.envs.jericho.logic.predicates import View, compile_predicate
from aq_gym.envs.jericho.logic.story_file import score_variable
from aq_gym.envs.jericho.session import Session

TITLES = ("905", "detective", "loose", "zork1")


@pytest.fixture(scope="module")
def lighthouse():
    return find_game("lighthouse").story


def changed(story, place, *values):
    data = bytearray(story)
    data[place : place + len(values)] = bytes(values)
    return bytes(data)


def test_the_symbols_of_an_adventure_number_its_objects():
    for name in ADVENTURES:
        game = find_game(name)
        memory, symbols = Memory(game.story), game.symbols["objects"]
        assert memory.count == max(symbols.values())
        assert memory.name(symbols["selfobj"]) == "(self object)"


@pytest.mark.needs("module:jericho")
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", ADVENTURES + TITLES)
def test_stories_read_as_jericho_reads_them(name, request, tmp_path):
    import jericho

    if name in ADVENTURES:
        path = tmp_path / "story.z5"
        path.write_bytes(find_game(name).story)
    else:
        path = request.getfixturevalue("games") / f"{name}.z5"
    engine = jericho.FrotzEnv(str(path), seed=1)
    engine.reset()
    for command in ("look", "north", "take all"):
        engine.step(command)
    memory = Memory(path.read_bytes(), engine._get_ram().tobytes())
    for number in range(1, memory.count + 1):
        theirs = engine.get_object(number)
        if theirs is None:
            continue
        links = memory.parent(number), memory.sibling(number), memory.child(number)
        assert links == (theirs.parent, theirs.sibling, theirs.child)
        # jericho swallows some abbreviations: "pair hands".
        assert set(theirs.name[:60].split()[:-1]) <= set(memory.name(number).split())
        assert [memory.attribute(number, a) for a in range(32)] == list(theirs.attr)
        numbers = [n for n, _, _ in memory.properties(number)]
        assert numbers[:16] == [n for n in theirs.properties if n][:16]
    # It also adds random characters to some words of full length.
    words = {word.word[:9] for word in engine.get_dictionary() if word.word.isascii()}
    assert words <= set(Dictionary(path.read_bytes()).words)


def test_a_loop_in_a_damaged_tree_ends(lighthouse):
    memory = Memory(lighthouse)
    ram = bytearray(memory.ram)
    sibling = memory.entry_address(30) + 8
    ram[sibling : sibling + 2] = (30).to_bytes(2, "big")
    parent = memory.entry_address(31) + 6
    ram[parent : parent + 2] = (31).to_bytes(2, "big")
    memory.ram = bytes(ram)
    assert not memory.is_in(31, 5)
    assert len(list(memory.children(memory.parent(30)))) <= 1_000


def test_a_word_is_cut_as_the_story_cuts_it():
    clockwork = Dictionary(find_game("clockwork").story)
    assert clockwork.cut("jackdaw's") == "jackdaw'"
    assert clockwork.cut("handwriting") == "handwriti"
    assert "jackdaw's" in clockwork
    assert "jackboot" not in clockwork


def test_the_grammar_is_inform_s(lighthouse):
    forms = {(p.verb, *p.tokens) for p in inform_patterns(lighthouse)}
    assert ("unlock", "<noun>", "with", "<held>") in forms
    assert ("pour", "<held>", "in", "<noun>") in forms
    assert not any("save" in form or "quit" in form for form in forms)


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda s: s[:40], "too few"),
        (lambda s: changed(s, 0, 6), "version 6"),
        (lambda s: changed(s, 0, 1), "version 1"),
        (lambda s: s[:5_000], "truncated"),
        (lambda s: changed(s, 0x1A, 0, 1), "truncated"),
        (lambda s: changed(s, 30_000, s[30_000] ^ 1), "checksum"),
        (lambda s: changed(s, 0x0A, 0, 0), "objects"),
        (lambda s: changed(s, 0x0C, 255, 255), "globals"),
        (lambda s: changed(s, 0x0E, 0, 1), "static"),
        (lambda s: changed(s, 0x08, 0, 1), "dictionary"),
        (lambda s: changed(s, 0x06, 0, 1), "start"),
        (lambda s: b"not a story at all" * 10, "version 110"),
    ],
)
def test_a_bad_story_is_refused_before_the_engine_sees_it(lighthouse, damage, why):
    with pytest.raises(StoryError, match=why):
        check_story(damage(lighthouse))


@pytest.mark.parametrize(
    ("version", "flags", "variable"),
    [
        (5, 0, None),
        (3, 0, 1),
        (3, 2, None),
    ],
)
def test_the_variable_of_the_score(version, flags, variable):
    assert score_variable(changed(bytes(64), 0, version, flags)) == variable


@pytest.fixture(scope="module")
def session():
    session = Session(find_game("lighthouse"))
    session.start(7)
    for command in ("east", "take oil"):
        session.do(command)
    yield session
    session.close()


@pytest.mark.parametrize(
    ("when", "holds"),
    [
        (["at", "Shed"], True),
        (["at", "Jetty"], False),
        (["held", "oil_can"], True),
        (["held", "brass_key"], False),
        (["worn", "oil_can", "container"], False),
        (["worn", "oil_can", "moved"], True),
        (["in", "tackle_box", "Shed"], True),
        (["in", "oil_can", "Shed"], False),
        (["not in", "oil_can", "Shed"], True),
        (["here", "oil_can"], True),
        (["gone", "oil_can"], False),
        (["gone", "Shed"], True),
        (["has", "tower_door", "locked"], True),
        (["lacks", "tower_door", "locked"], False),
        (["score", 5], True),
        (["score", 6], False),
        (["global", "deadflag", 0], True),
        (["global", "deadflag", 2], False),
        (["won"], False),
        (["not", ["won"]], True),
        (["and", ["at", "Shed"], ["held", "oil_can"]], True),
        (["and", ["at", "Shed"], ["won"]], False),
        (["or", ["won"], ["at", "Shed"]], True),
        (["or", ["won"], ["at", "Jetty"]], False),
    ],
)
def test_each_form(session, when, holds):
    game = session.game
    predicate = compile_predicate(when, game.player, game.symbols)
    assert predicate(View(session.memory, score=5, won=False)) is holds


@pytest.mark.parametrize(
    ("when", "why"),
    [
        (["near", 3], "the form is one of and, at"),
        (["at"], "takes 1 arguments"),
        (["in", 3], "takes 2 arguments"),
        (["at", "Atlantis"], "'Atlantis' is not one of the story's objects"),
        (["score", "much"], "'much' is not one of the story's numbers"),
    ],
)
def test_a_mistake_is_named(session, when, why):
    with pytest.raises(ValueError, match=why):
        compile_predicate(when, session.game.player, session.game.symbols)
