"""Different texts of one action have one canonical form."""

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
