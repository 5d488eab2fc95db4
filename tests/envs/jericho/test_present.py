"""Commands that could only print at this moment are not tried."""

import pytest

from aq_gym.envs.jericho.expert import Guide
from aq_gym.envs.jericho.games import ADVENTURES, find_game
from aq_gym.envs.jericho.logic import Memory, Nouns, Present
from aq_gym.envs.jericho.logic.instructions import Instruction, Operand
from aq_gym.envs.jericho.logic.present import OWNER, Decisions
from aq_gym.envs.jericho.search.admissible import Explorer
from aq_gym.envs.jericho.search.grounding import Grounding
from aq_gym.envs.jericho.search.relevance import Relevance
from aq_gym.envs.jericho.search.worlds import Worlds
from aq_gym.envs.jericho.session import Session

JE, JL, JG, JIN, TEST, TEST_ATTR, JZ, INC_CHK = 1, 2, 3, 6, 7, 10, 0x80, 5
SELF, NOUN, LOCAL, AIR = 251, 20, 1, 16 + 162
NUMBERED = Nouns(numbers=(30, 0))
PLACES = {NOUN: 0, NOUN + 1: 1, SELF: OWNER}


@pytest.fixture(scope="module")
def memory():
    return Memory(find_game("bathyscaphe").story)


def step(number, *operands):
    given = tuple(
        Operand(value[0], True) if isinstance(value, tuple) else Operand(value, False)
        for value in operands
    )
    return Instruction(number, given, None, None, 0)


@pytest.mark.parametrize(
    ("number", "operands", "outcome"),
    [
        (JZ, [(AIR,)], False),
        (JE, [(AIR,), 90, 91], True),
        (JE, [(AIR,), 90], False),
        (JL, [(AIR,), 92], True),
        (JL, [(AIR,), 0xFFFF], False),
        (JG, [(AIR,), 0xFFFF], True),
        (TEST, [(AIR,), 0b1011], True),
        (TEST, [(AIR,), 0b1111], False),
        (JE, [(SELF,), 25], True),
        (JE, [(NOUN,), 25, 30], True),
        (JZ, [(NOUN + 1,)], True),
        # What may change before the test is reached, or is no test.
        (JZ, [(LOCAL,)], None),
        (JZ, [(0,)], None),
        (JE, [(16,), 3], None),
        (INC_CHK, [(AIR,), 3], None),
        (JE, [(AIR,)], None),
        (JZ, [], None),
    ],
)
def test_a_test_of_constants_and_own_variables_is_decided(
    memory, number, operands, outcome
):
    decisions = Decisions(Present(memory, frozenset({AIR})), 25)
    assert decisions.holds(step(number, *operands), NUMBERED, PLACES) is outcome
    assert len(decisions.noted) == (outcome is not None)


def test_objects_are_tested_where_they_are(memory):
    symbols = find_game("bathyscaphe").symbols
    burnt, box = symbols["objects"]["burnt"], symbols["objects"]["fuse_box"]
    decisions = Decisions(Present(memory, frozenset()), burnt)
    opened = symbols["attributes"]["open"]
    assert decisions.holds(step(JIN, (SELF,), box), NUMBERED, PLACES) is True
    assert decisions.holds(step(JIN, box, burnt), NUMBERED, PLACES) is False
    assert decisions.holds(step(TEST_ATTR, box, opened), NUMBERED, PLACES) is True
    assert decisions.holds(step(TEST_ATTR, burnt, opened), NUMBERED, PLACES) is False


def test_a_noun_of_unknown_number_decides_nothing(memory):
    decisions = Decisions(Present(memory, frozenset()), 25)
    assert decisions.holds(step(JE, (NOUN,), 30), Nouns(), PLACES) is None
    assert decisions.holds(step(JE, (SELF,), 25), Nouns(), PLACES) is True


def test_an_answer_is_kept_with_the_tests_that_it_takes():
    memory = Memory(find_game("bathyscaphe").story)
    present, asked = Present(memory, frozenset({AIR})), []

    def follow(decisions):
        asked.append(1)
        low = decisions.holds(step(JL, (AIR,), 50), NUMBERED, PLACES)
        return low and decisions.holds(step(JL, (AIR,), 10), NUMBERED, PLACES)

    answers = []
    start = memory.header.globals + 2 * (AIR - 16)
    for air in (91, 40, 5, 60, 30, 0):
        ram = bytearray(memory.ram)
        ram[start : start + 2] = air.to_bytes(2, "big")
        memory.ram = bytes(ram)
        present.forget()
        answers.append(present.decide("question", 25, follow))
    assert answers == [False, False, True, False, False, True]
    assert len(asked) == 3


@pytest.mark.parametrize("name", ADVENTURES)
def test_the_same_commands_are_found_along_the_solution(name, monkeypatch):
    session = Session(find_game(name))
    commands = [step.command for step in Guide(session).solution(4)]
    session.start(4)
    explorer, fewer = Explorer(session), 0
    grounding, idle = explorer._grounding, Worlds.idle
    for number, command in enumerate(commands):
        if number % 5 == 2:
            found = explorer.find()
            fewer += len(grounding.commands()) - len(grounding.commands(settled=True))
            with monkeypatch.context() as patch:
                patch.setattr(Worlds, "idle", lambda *given: (idle(*given)[0], False))
                assert explorer.find() == found
        session.do(command)
    # The others have few rules with conditions.
    assert fewer >= (10 if name == "bathyscaphe" else 0)
    session.close()


def test_where_waiting_ends_the_story_no_further_command_is_ruled_out(monkeypatch):
    session = Session(find_game("bathyscaphe"))
    session.start(4)
    explorer, moments, asked = Explorer(session), [], []
    while not session.now.over:
        moments.append(session.now)
        session.do("wait")
    listed = Grounding.commands

    def commands(self, relevant=True, settled=False):
        asked.append(settled)
        return listed(self, relevant, settled)

    monkeypatch.setattr(Grounding, "commands", commands)
    for moment in moments:
        session.jump(moment)
        explorer.find()
    assert asked == [True] * (len(moments) - 1) + [False]
    session.close()


def test_an_action_s_own_routine_is_followed_at_this_moment():
    session = Session(find_game("bathyscaphe"))
    session.start(4)
    game, memory, symbols = session.game, session.memory, session.game.symbols
    relevance = Relevance(game, memory)
    replace, burnt = symbols["actions"]["Replace"], symbols["objects"]["burnt"]
    assert relevance.can_matter(replace, [burnt])
    relevance.settled = True
    assert not relevance.can_matter(replace, [burnt])
    memory.ram = _moved(memory, symbols["objects"]["fuse"], game.player)
    relevance.forget()
    assert relevance.can_matter(replace, [burnt])
    session.close()


def _moved(memory, number, parent):
    """Return the memory with an object's parent changed."""
    place = memory.entry_address(number) + 6
    ram = bytearray(memory.ram)
    ram[place : place + 2] = parent.to_bytes(2, "big")
    return bytes(ram)


def test_an_object_s_values_follow_each_byte_of_its_table():
    story = find_game("maze").story
    memory = Memory(story)
    number = next(n for n in range(1, memory.count + 1) if len(memory.values(n)) > 2)
    (_, first, _), *_, (_, start, length) = memory.properties(number)
    for place in range(first - 2, start + length + 1):
        ram = bytearray(memory.ram)
        ram[place] ^= 1
        memory.ram, before = bytes(ram), memory.ram
        assert memory.values(number) == Memory(story, memory.ram).values(number)
        memory.ram = before
        assert memory.values(number) == Memory(story, before).values(number)
