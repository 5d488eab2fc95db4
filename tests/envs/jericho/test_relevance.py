"""Commands that could only print something are not tried."""

import pytest

from aq_gym.envs.jericho.games import ADVENTURES, find_game
from aq_gym.envs.jericho.logic import (
    Memory,
    Nouns,
    Routines,
    inform_actions,
    inform_patterns,
)
from aq_gym.envs.jericho.logic.instructions import Instruction, Operand
from aq_gym.envs.jericho.search import relevance
from aq_gym.envs.jericho.search.admissible import Explorer
from aq_gym.envs.jericho.search.affordances import WAYS
from aq_gym.envs.jericho.search.relevance import Relevance
from aq_gym.envs.jericho.session import Session

BEFORE = 4


@pytest.fixture(scope="module")
def game():
    return find_game("lighthouse")


@pytest.fixture(scope="module")
def routines(game):
    return Routines(game.story, inform_actions(game.story))


def attributes(game, *names):
    data = bytearray(6)
    for name in names:
        number = game.symbols["attributes"][name]
        data[number // 8] |= 0x80 >> number % 8
    return bytes(data)


def test_each_action_s_routine_is_found(game):
    actions = inform_actions(game.story)
    assert set(actions) == {pattern.action for pattern in inform_patterns(game.story)}
    # A routine begins with the number of its local variables.
    assert all(game.story[4 * routine] <= 15 for routine in actions.values())


@pytest.mark.parametrize(
    ("action", "needs", "matters"),
    [
        ("Burn", (), False),
        ("Sing", (), False),
        ("Open", (), False),
        ("Open", ("openable",), True),
        ("Open", ("openable", "open"), False),
        ("SwitchOn", (), False),
        ("SwitchOn", ("switchable",), True),
        ("Take", (), True),
        ("Drop", (), True),
    ],
)
def test_an_action_matters_by_its_noun_s_attributes(
    game, routines, action, needs, matters
):
    number = game.symbols["actions"][action]
    assert routines.changes(number, Nouns(attributes(game, *needs))) is matters


def test_a_rule_reacts_to_the_actions_that_it_names(game, routines):
    memory, symbols = Memory(game.story), game.symbols
    rule = memory.words(symbols["objects"]["lobster_pot"], BEFORE)[0]
    reacting = {
        name for name, n in symbols["actions"].items() if routines.reacts(rule, n)
    }
    assert "Search" in reacting
    assert len(reacting) < 12
    assert not routines.reacts(0, 1)
    assert not routines.reacts(0xFFFF, 1)


@pytest.fixture(scope="module")
def informed(game):
    """The routines of a story whose variables are known by name."""
    return relevance._routines(game.story, *relevance._variables(game))


@pytest.mark.parametrize(
    ("action", "facts", "matters"),
    [
        ("Wave", {"held": True}, False),
        ("Wave", {"held": False}, True),
        ("ThrowAt", {"held": True}, False),
        ("ThrowAt", {"held": True, "ruled": True}, True),
    ],
)
def test_an_action_matters_by_what_is_known_of_its_nouns(
    game, informed, action, facts, matters
):
    number = game.symbols["actions"][action]
    nouns = Nouns(attributes(game), attributes(game), numbers=(20, 21), **facts)
    assert informed.changes(number, nouns) is matters


def test_a_direction_matters_where_it_leads_or_a_rule_asks(game):
    session = Session(game)
    session.start(5)
    grounding = Explorer(session)._grounding
    properties, room = game.symbols["properties"], grounding.surroundings.room()
    ways = {w for w, name in WAYS.items() if properties[name] in _of(session, room)}
    tried = set(grounding.commands()) & set(WAYS)
    assert tried == ways
    assert ways < set(WAYS)
    assert set(WAYS) <= set(grounding.commands(relevant=False))
    session.close()


def test_random_actions_are_drawn_from_all_commands(sessions):
    session = sessions["lighthouse"]
    session.start(5)
    grounding = Explorer(session)._grounding
    assert "inv tall" in grounding.commands(relevant=False)
    assert "inv tall" not in grounding.commands()


def _of(session, number):
    return {prop for prop, _, _ in session.memory.properties(number)}


def test_a_variable_counts_by_its_name(game, routines, informed):
    number = 16 + game.symbols["globals"]["lookmode"]
    own = {16 + number for number in game.own_globals.values()}
    assert routines._counts(number)
    assert not informed._counts(number)
    assert own and all(map(informed._counts, own))


@pytest.mark.parametrize("name", ADVENTURES)
def test_the_adventures_can_be_relied_on(name):
    game = find_game(name)
    assert relevance._routines(game.story, *relevance._variables(game)) is not None


def test_a_library_whose_actions_change_nothing_is_not(game, monkeypatch):
    monkeypatch.setattr(Routines, "_changes", lambda self, action, nouns: False)
    assert relevance._routines.__wrapped__(game.story) is None


def test_a_library_that_numbers_its_properties_otherwise_is_not(game, monkeypatch):
    monkeypatch.setattr(relevance, "_BEFORE", 3)
    monkeypatch.setattr(relevance, "_NEIGHBOURS", (2, 4))
    assert relevance._routines.__wrapped__(game.story) is None


@pytest.mark.parametrize("name", ADVENTURES)
def test_nothing_that_changes_something_is_ruled_out(name, monkeypatch):
    session = Session(find_game(name))
    session.start(5)
    explorer = Explorer(session)
    for _ in range(3):
        fast = set(explorer.find().commands)
        with monkeypatch.context() as patch:
            patch.setattr(Relevance, "can_matter", lambda *arguments, **options: True)
            thorough = dict(explorer.trials())
        mask = explorer.worlds.mask(session.now)
        reached = {
            explorer.worlds.world(explorer.worlds.attempt(c, session.now), mask)
            for c in fast
        }
        missed = {c for c, world in thorough.items() if world not in reached}
        assert not missed
        session.jump(session.now)
        session.do(sorted(fast)[0])
    session.close()


def test_one_action_that_no_command_has_is_enough(game, routines):
    known = next(iter(inform_actions(game.story)))
    values = [Operand(value, variable=False) for value in (known, 0x7FFF)]
    compared = (Operand(16, variable=True), *values)
    assert routines._names_others(Instruction(1, compared, None, None, 0))
    assert not routines._names_others(Instruction(1, compared[:2], None, None, 0))


@pytest.mark.parametrize(
    ("name", "thing", "told"),
    [
        ("bathyscaphe", "burnt fuse", False),
        # A routine that the parser runs.
        ("lighthouse", "tower door", False),
        # A piece of scenery, whose words a property of our stories has.
        ("bathyscaphe", "(35)", False),
        # A description that changes something.
        ("keepsakes", "leather trunk", True),
    ],
)
def test_words_are_not_taken_for_routines(name, thing, told):
    game = find_game(name)
    memory = Memory(game.story)
    numbers = [n for n in range(1, memory.count + 1) if memory.name(n) == thing]
    relevance = Relevance(game, memory)
    assert [relevance._tells(number) for number in numbers] == [told]
