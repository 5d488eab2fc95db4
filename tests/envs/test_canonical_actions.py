"""Canonical forms of actions, and the calls that feedback shows."""

import re

import gymnasium as gym
import pytest

import aq_gym  # noqa: F401  registers the ids

FORMS = [
    ("aq/Mastermind-v0", {}, "Guess: 1234", ["guess: 1234", "1 2 3 4", "`1234`"]),
    (
        "aq/Sudoku-v0",
        {},
        "Row: 1, Column: 3, Value: 4",
        ["1 3 4", "r1c3=4", "put 4 in row 1 column 3", "(1, 3, 04)"],
    ),
    ("aq/Sudoku-v0", {}, "clear r1c3", ["Clear row 1 column 3."]),
    ("aq/Wordle-v0", {}, "Guess: crane", ["c r a n e", "the word is CRANE"]),
    ("aq/Wordle-v0", {}, "show board", ["Check the board"]),
    ("aq/Hangman-v0", {}, "Guess: e", ["E", "letter e", "the letter is 'e'"]),
    ("aq/2048-v0", {}, "up", ["w", "Move: up", "slide the tiles upwards"]),
    ("aq/Cipher-v0", {}, "column 2 of 5", ["column 2 5", "Column 2, 5."]),
    ("aq/Cipher-v0", {}, "shift 3", ["caesar shift +3", "rot by 3"]),
    (
        "aq/Cipher-v0",
        {},
        "Plain text: theoldman",
        ["Guess: The old man.", "My final answer is:\nthe old\nMAN\n\nI hope so."],
    ),
    (
        "aq/Mystery-v0",
        {},
        "Was the person a sailor or a teacher?",
        [
            "question: was it a teacher or a sailor?",
            "Is the person a sailor or teacher",
        ],
    ),
    ("aq/Mystery-v0", {}, "did somebody die?", ["Did somebody die"]),
    ("aq/BabyAI-text-v0", {}, "turn left", ["Left.", "rotate left"]),
    ("aq/BabyAI-text-v0", {}, "pickup red ball 1", ["take the red ball 01"]),
    ("aq/BabyAI-text-v0", {}, "go to red open door", ["walk to the open red door"]),
    (
        "aq/BabyAI-text-v0",
        {"protocol": "agentboard"},
        "go to red ball 1",
        [" GO TO red ball 1 "],
    ),
    ("aq/PDDL-v0", {"domain": "blocksworld"}, "stack b1 b2", ["Stack b1 on top of b2"]),
    ("aq/PDDL-v0", {}, "look around", ["LOOK.", "look"]),
    ("aq/ALFWorld-v0", {}, "go to drawer 1", ["Walk to the drawer 1."]),
    ("aq/ALFWorld-v0", {}, "move mug 1 to shelf 1", ["put the mug 1 onto the shelf 1"]),
    ("aq/ALFWorld-v0", {}, "look", ["look around"]),
    ("aq/Jericho-v0", {}, "look", ["LOOK!", "`look`.", "  look  "]),
]


@pytest.mark.parametrize(("env_id", "kwargs", "canonical", "texts"), FORMS)
def test_texts_of_one_action(env_id, kwargs, canonical, texts):
    env = gym.make(env_id, **kwargs)
    env.reset(seed=0)
    canonical_action = env.get_wrapper_attr("canonical_action")
    assert [canonical_action(text) for text in (canonical, *texts)] == [canonical] * (
        len(texts) + 1
    )
    env.close()


@pytest.mark.parametrize(
    ("env_id", "kwargs", "text"),
    [
        ("aq/Mastermind-v0", {}, "I guess  1234 or 5678"),
        ("aq/Mastermind-v0", {}, f"{' ' * 200_000}1234"),
        ("aq/BabyAI-text-v0", {}, "Turn  around"),
        ("aq/PDDL-v0", {"domain": "blocksworld"}, "Stack  b1"),
        ("aq/Jericho-v0", {}, "SAVE"),
    ],
)
def test_other_text_is_unchanged(env_id, kwargs, text):
    env = gym.make(env_id, **kwargs)
    env.reset(seed=0)
    assert env.get_wrapper_attr("canonical_action")(text) == text
    env.close()


@pytest.mark.parametrize(
    ("env_id", "kwargs", "action", "said"),
    [
        ("aq/Mastermind-v0", {}, "1 2 3 4", "1234"),
        ("aq/Mastermind-v0", {}, "help", "check valid actions"),
        ("aq/Mastermind-v0", {}, "12", "12"),
        ("aq/Mastermind-v0", {"protocol": "agentquest"}, "guess: 0123", "123"),
        ("aq/Hangman-v0", {}, "letter e", "e"),
        ("aq/Hangman-v0", {"protocol": "agentquest"}, "Letter: E", "e"),
        ("aq/Wordle-v0", {}, "Guess: crane", "crane"),
        ("aq/Wordle-v0", {}, "check the board", "show board"),
        ("aq/Wordle-v0", {"protocol": "agentquest"}, "Word: CRANE", "crane"),
        ("aq/Sudoku-v0", {}, "r1c3=4", "134"),
        ("aq/Sudoku-v0", {}, "clear r1c3", "13."),
        ("aq/Sudoku-v0", {}, "1 11 2", "1;2"),
        ("aq/Sudoku-v0", {}, "11 1 2", ";12"),
        (
            "aq/Sudoku-v0",
            {"protocol": "agentquest"},
            "Row: 0, Column: 8, Value: 07",
            "087",
        ),
        ("aq/2048-v0", {"protocol": "agentquest"}, "move: W", "w"),
        ("aq/Cipher-v0", {}, "Answer: The cat.", "thecat"),
        ("aq/Cipher-v0", {}, "shift 3", "shift 3"),
        ("aq/Cipher-v0", {"protocol": "agentquest"}, "Plain Text: The Cat", "the cat"),
        ("aq/Mystery-v0", {}, "Was the person a sailor?", "person a sailor?"),
        ("aq/ALFWorld-v0", {"protocol": "agentquest"}, "Action: look", "look"),
        ("aq/MMLU-v0", {}, "The answer is B", "B"),
        ("aq/GSM8K-v0", {}, "answer[18.0]", "18"),
        ("aq/GSM8K-v0", {"rename": True}, "The answer is 18.", "18"),
        ("aq/GSM8K-v0", {}, "calculate(18 * 7)", "calculate 18 * 7"),
        ("aq/GAIA-v0", {}, "answer[a b]", "a b"),
        ("aq/ToolQuery-v0", {}, "none(a)", "none(a)"),
    ],
)
def test_what_is_said_has_no_constant_words(env_id, kwargs, action, said):
    env = gym.make(env_id, **kwargs)
    env.reset(seed=0)
    state = env.get_wrapper_attr("get_state")()
    assert env.get_wrapper_attr("said")(action) == said
    assert env.get_wrapper_attr("get_state")() == state
    env.close()


TOOLS = [
    *(
        ("aq/ToolQuery-v0", world)
        for world in ("movies", "weather", "academia", "library")
    ),
    *(("aq/ToolOperation-v0", world) for world in ("todo", "sheet")),
    *(("aq/GSM8K-v0", ""), ("aq/GAIA-v0", "")),
]


@pytest.mark.parametrize("rename", [False, True])
@pytest.mark.parametrize(("env_id", "world"), TOOLS)
def test_the_call_that_feedback_shows_is_valid(env_id, world, rename):
    env = gym.make(env_id, rename=rename, **({"world": world} if world else {}))
    env.reset(seed=1)
    observation, *_ = env.step("what now?")
    example = re.search(r"Write a call such as (.+\))\.", observation)[1]
    *_, over, _, info = env.step(example)
    assert info["action_valid"], info["feedback"]
    assert not over


# Texts that feedback shows as they can be written, one or several in a sentence;
# tests/core/test_shown_examples.py finds others.
SHOWN = {
    "aq/Sudoku-v0": ["Row: 1, Column: 3, Value: 4", "1 3 4", "r1c3=4", "clear r1c3"],
    "aq/2048-v0": ["up", "down", "left", "right", "w", "s", "a", "d"],
    "aq/BabyAI-text-v0": ["turn left", "move forward", "pick up", "drop", "toggle"],
}


@pytest.mark.parametrize("env_id", SHOWN)
def test_the_examples_that_feedback_shows_are_understood(env_id):
    env = gym.make(env_id).unwrapped
    env.reset(seed=1)
    feedback = env.step("what now??")[-1]["feedback"]
    for example in SHOWN[env_id]:
        assert example in feedback
        assert env.understands(example), example
