"""Cipher: its texts, actions, progress and arguments."""

import gymnasium as gym
import pytest

from aq_gym.envs.cipher.ciphers import CIPHERS, SQUARE_SYMBOLS

TASK = "caesar-3-0.1.2"
TEXT = (
    "The old fisherman bought a brass key near the railway station. "
    "The old fisherman bought a brass key before breakfast. "
    "The old fisherman bought a brass key on the last day of June."
)


def made(task_id=TASK, **arguments):
    env = gym.make("aq/Cipher-v0", **arguments)
    observation, info = env.reset(options={"task_id": task_id})
    return env, observation, info


def test_the_first_observation_is_pinned():
    _, observation, info = made()
    assert observation == FIRST
    assert info["goal"] == (
        "Find the English text behind a ciphertext made with the Caesar cipher."
    )
    _, bare, _ = made(instructions=False)
    assert bare == FIRST[FIRST.index("The ciphertext (") :]


FIRST = """\
A text of 3 plain English sentences was enciphered with the Caesar cipher. Find the text.
Each letter was replaced by the letter that stands a fixed number of places further \
down the alphabet, from 1 to 25, and after z comes a. The key is that number.
Your solution counts as right if at least 90% of its letters agree with the text; \
capitals, spaces and punctuation do not count. You can try as often as you have turns.
To give your solution, write: Plain text: <the whole text>
Or use a tool on the ciphertext, one a turn (at most 30 rails, columns or letters of a \
keyword):
  frequencies - count the letters of the ciphertext
  column 2 of 5 - count the letters of every 5th character, from the 2nd on
  coincidence 5 - the index of coincidence of 5 such columns
  shift 3 - move each letter back by 3 places
  atbash - mirror the alphabet
  affine 5 8 - undo A = 5, B = 8
  vigenere lemon - undo the keyword lemon
  rails 4 - undo 4 rails
  adfgvx SQUARE KEYWORD - undo a square, its 36 symbols row by row, and a keyword
  ciphertext - show the ciphertext again
The ciphertext (Caesar cipher):
Wkh rog ilvkhupdq erxjkw d eudvv nhb qhdu wkh udlozdb vwdwlrq. Wkh rog ilvkhupdq \
erxjkw d eudvv nhb ehiruh euhdnidvw. Wkh rog ilvkhupdq erxjkw d eudvv nhb rq wkh odvw \
gdb ri Mxqh."""  # noqa: E501


@pytest.mark.parametrize(
    ("action", "answer"),
    [
        ("shift 3", f"shift 3 gives:\n{TEXT}"),
        (
            "frequencies",
            "The ciphertext has 144 letters: d 17, h 16, v 12, w 12, k 11, r 10, u 10, "
            "e 8, q 7, i 6, b 5, l 5, o 5, g 4, n 4, x 4, j 3, p 3, m 1, z 1.",
        ),
        ("column 3 of 30", "Column 3 of 30 has h 2, d 1, r 1."),
        ("ciphertext", FIRST[FIRST.index("The ciphertext (") :]),
        ("help", FIRST[FIRST.index("To give") : FIRST.index("\nThe ciphertext (")]),
        (
            "coincidence 1",
            "The index of coincidence of 1 column is 0.063. (English has 0.066, "
            "letters drawn evenly have 0.038.)",
        ),
        (
            "Plain text: The cat.",
            "That is not the text: too few letters agree. Try again.",
        ),
        (f"Plain text: {TEXT.upper()}", f"Solved! The text is: {TEXT}"),
        (
            "open the door",
            "'open the door' is neither a solution nor a tool. Write Plain text: <the "
            "whole text>, or use a tool (help lists them). "
            "What works now: frequencies.",
        ),
        (
            "adfgvx abcdefghijklmnopqrstuvwxyz0123456789 zebra",
            "adfgvx needs a ciphertext of the letters A, D, F, G, V and X alone, and "
            "this one has others.",
        ),
    ],
)  # fmt: skip
def test_answers_are_pinned(action, answer):
    env, _, _ = made()
    assert env.step(action)[0] == answer


def test_every_cipher_is_named_and_explained():
    seen = set()
    for cipher in CIPHERS:
        env = gym.make("aq/Cipher-v0", cipher=cipher)
        observation, info = env.reset(seed=1)
        assert "{" not in observation
        assert info["task_id"].startswith(cipher)
        seen.add(observation.split("\n")[1])
    assert len(seen) == len(CIPHERS)


def test_ranges_of_keys_are_told():
    for cipher, difficulty, told in [
        ("vigenere", "easy", "The keyword has 3 to 8 letters."),
        ("vigenere", "hard", "The keyword has 10 to 20 letters."),
        ("railfence", "hard", "from 2 to 15."),
        ("adfgvx", "easy", "a keyword of 3 to 5 different letters"),
        ("adfgvx", "hard", "a keyword of 6 different letters"),
    ]:
        env = gym.make("aq/Cipher-v0", cipher=cipher, difficulty=difficulty)
        assert told in env.reset(seed=0)[0]


def test_progress_is_that_of_the_last_solution():
    env, _, _ = made()
    half = TEXT[: len(TEXT) * 2 // 3]
    infos = [env.step(f"Plain text: {said}")[4] for said in (half, "zzz", TEXT)]
    assert 0.4 < infos[0]["progress"] < 0.7
    assert infos[0]["subgoals"] == {
        "a quarter recovered": True,
        "half recovered": True,
        "three quarters recovered": False,
        "text recovered": False,
    }
    assert infos[1]["progress"] == 0.0
    assert infos[1]["best_progress"] == infos[0]["progress"]
    assert infos[2]["success"]
    assert all(infos[2]["subgoals"].values())


def test_nine_letters_of_ten_are_enough_by_default():
    nearly = TEXT[:-12]
    assert made()[0].step(f"Plain text: {nearly}")[4]["success"]
    strict, _, _ = made(threshold=1.0)
    info = strict.step(f"Plain text: {nearly}")[4]
    assert not info["success"]
    assert 0.8 < info["progress"] < 1.0
    assert strict.step(f"Plain text: {TEXT}")[4]["success"]


def test_an_unrelated_text_earns_nothing():
    env, _, _ = made()
    other = (
        "This page explains how to install the package on a new machine, which of its "
        "parts are optional, and where to look when the first command does not work."
    )
    assert env.step(f"Plain text: {other}")[4]["progress"] == 0.0


def test_a_tool_that_shows_the_text_solves_nothing():
    env, _, _ = made()
    assert TEXT in env.step("shift 3")[0]
    assert env.unwrapped.progress() == 0.0
    assert TEXT.split(".")[0] not in env.unwrapped.secrets()


def test_the_text_is_secret_until_then():
    env, _, _ = made()
    assert TEXT.split(". ")[0] in env.unwrapped.secrets()


@pytest.mark.parametrize("cipher", CIPHERS)
@pytest.mark.parametrize("difficulty", ["easy", "hard"])
def test_the_expert_solves_at_once(cipher, difficulty):
    env = gym.make("aq/Cipher-v0", cipher=cipher, difficulty=difficulty)
    env.reset(seed=5)
    assert env.step(env.unwrapped.expert_action())[4]["success"]


def test_the_expert_tries_another_solution_after_a_wrong_one():
    """It cannot break a short text under a long keyword; its last guess is the text."""
    arguments = {"cipher": "vigenere", "difficulty": "hard", "sentences": 1}
    env = gym.make("aq/Cipher-v0", threshold=1.0, **arguments)
    env.reset(seed=0)
    said = []
    over = False
    while not over:
        said.append(env.unwrapped.expert_action())
        _, _, over, truncated, _ = env.step(said[-1])
        assert not truncated
    assert len(set(said)) == len(said) > 1


def test_texts_keep_their_split_under_every_cipher():
    train = gym.make("aq/Cipher-v0", split="train")
    test = gym.make("aq/Cipher-v0", split="test")
    numbers = train.reset(seed=0)[1]["task_id"].rpartition("-")[2]
    for key in ("caesar-7", "affine-5.8", "railfence-4"):
        train.reset(options={"task_id": f"{key}-{numbers}"})
        with pytest.raises(ValueError, match="is not in split='test'"):
            test.reset(options={"task_id": f"{key}-{numbers}"})


@pytest.mark.parametrize(
    ("arguments", "task_id"),
    [
        ({"cipher": "atbash"}, TASK),
        ({"sentences": 2}, TASK),
        ({}, "vigenere-abcdefghij-0.1.2"),
        ({"difficulty": "hard"}, "vigenere-abc-0.1.2"),
        (
            {"difficulty": "hard"},
            "adfgvx-abcdefghijklmnopqrstuvwxyz0123456789.abc-0.1.2",
        ),
        ({"key_size": 4}, "railfence-3-0.1.2"),
        ({}, "caesar-3"),
        ({}, 5),
    ],
)
def test_a_task_of_another_env_is_refused(arguments, task_id):
    env = gym.make("aq/Cipher-v0", **arguments)
    with pytest.raises(ValueError, match="CIPHER-KEY-NUMBERS"):
        env.reset(options={"task_id": task_id})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"cipher": "caesar", "key_size": 3}, "key_size=3, cipher='caesar'"),
        ({"cipher": "adfgvx", "key_size": 9}, "key_size=9, cipher='adfgvx'"),
        ({"plaintext": "The cat.", "sentences": 2}, "omit sentences"),
        ({"plaintext": "a 1"}, "must be printable ASCII with letters"),
        ({"plaintext": "na\u00efve"}, "must be printable ASCII"),
        ({"sentences": 0}, "sentences=0 must be 1 to 10"),
        ({"sentences": 11}, "sentences=11 must be 1 to 10"),
        ({"threshold": 0.38}, "threshold=0.38 must be above 0.38"),
        ({"threshold": 1.5}, "threshold=1.5"),
        ({"threshold": float("nan")}, "threshold=nan"),
        ({"list_actions": True}, "any text can be one"),
    ],
)
def test_a_developers_mistake_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        gym.make("aq/Cipher-v0", **arguments)


def test_the_documented_limits_are_allowed():
    limits = {"vigenere": (1, 20), "railfence": (2, 20), "adfgvx": (2, 8)}
    for cipher, sizes in limits.items():
        for size in sizes:
            gym.make("aq/Cipher-v0", cipher=cipher, key_size=size).reset(seed=0)


SOLUTIONS = (
    "Plain text: The cat sat.", "plain text: The cat sat.", "Plaintext: The cat sat.",
    "Plain-Text: The cat sat.", "PLAIN TEXT = The cat sat.", "Guess: The cat sat.",
    "My answer is: The cat sat.", "Decrypted text: The cat sat.",
    "The plain text is: The cat sat.", "The deciphered message is: The cat sat.",
    "  Solution:\nThe cat sat.  ", "# Plain text: The cat sat.",
    "Final answer: The cat sat.", '**Plain text:** "The cat sat."',
    # The solution is the paragraph after the last marker.
    "The shift is 3.\n\nPlain text:\nThe cat sat.",
    "Plain text:\n\nThe cat sat.\n\nIt reads well, so the shift is 3.",
    "Plain text: Uif dbu tbu.\nNo.\nPlain text: The cat sat.",
    "I am sure.\n> The plain text is: The cat sat.",
    "Plain text: The cat\nsat.\n\nDone.",
)  # fmt: skip


def test_solutions_are_read_tolerantly():
    env = gym.make("aq/Cipher-v0").unwrapped
    for text in SOLUTIONS:
        assert env.understands(text)
        assert env.canonical_action(text) == "Plain text: thecatsat", text


TOOLS = {
    "shift 3": ["Shift by 3.", "caesar shift 3", "use shift 3", "Tool: shift 3"],
    "shift 29": ["try caesar 29"],
    "shift 13": ["rot 13"],
    "shift -3": ["shift -3"],
    "atbash": ["'ATBASH'"],
    "affine 5 8": ["affine 5, 8", "affine a=5 b=8"],
    "affine 31 -18": ["affine 31 -18"],
    "vigenere lemon": [
        "Vigen\u00e8re LEMON", "vigenere key lemon", 'vigenere "lemon"',
    ],
    "rails 4": ["rail fence with 4", "railfence 4"],
    f"adfgvx {SQUARE_SYMBOLS} zebra": [f"adfgvx {SQUARE_SYMBOLS.upper()} Zebra"],
    "frequencies": ["letter frequencies", "frequency analysis"],
    "ciphertext": ["Show ciphertext."],
    "column 2 of 5": ["column 2 5"],
    "column 30 of 30": [],
    "coincidence 30": [],
    "rails 30": [],
    "rails 2": [],
    "vigenere " + 30 * "b": [],
    f"adfgvx {SQUARE_SYMBOLS} " + 30 * "b": [],
    "coincidence 5": ["index of coincidence 5"],
    "check valid actions": ["help"],
}  # fmt: skip


def test_tools_are_read_tolerantly():
    env = gym.make("aq/Cipher-v0").unwrapped
    for action, texts in TOOLS.items():
        for text in [action, *texts]:
            assert env.understands(text), text
            assert env.canonical_action(text) == action
    env.reset(seed=0)
    same = "shift 3", "shift 29", "affine 1 3", "affine 27 -23"
    assert len({env.step(action)[0].partition("\n")[2] for action in same}) == 1


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("", "'' is neither a solution nor a tool"),
        ("The cat sat.", "neither a solution nor a tool"),
        ("I will write Plain text: The cat sat.", "neither a solution nor a tool"),
        ("I will shift 3 letters", "neither a solution nor a tool"),
        ("Let me try rails 4 now", "neither a solution nor a tool"),
        ("Plain text:", "It has no letters"),
        ("Plain text: 12!", "It has no letters"),
        ("shift", "shift needs one whole number"),
        ("shift three", "shift needs one whole number"),
        ("shift 3 4", "shift needs one whole number"),
        ("shift \u0663", "shift needs one whole number"),
        ("shift 99999999999", "shift needs one whole number"),
        ("affine 5", "affine needs two whole numbers"),
        ("affine 4 5", "coprime to 26: 1, 3, 5, 7, 9, 11, 15, 17, 19, 21, 23 or 25"),
        ("atbash 3", "atbash takes no number"),
        ("vigenere", "vigenere needs one keyword"),
        ("vigenere two words", "vigenere needs one keyword"),
        ("vigenere l3mon", "vigenere needs one keyword"),
        ("vigenere " + "a" * 31, "1 to 30 letters"),
        ("rails 1", "from 2 to 30"),
        ("rails 31", "from 2 to 30"),
        ("adfgvx abc lemon", "each of the 26 letters and 10 digits once"),
        ("frequencies 5", "frequencies takes no number"),
        ("ciphertext please", "ciphertext takes no number"),
        ("column 6 of 5", "at most 30"),
        ("column 0 of 5", "at most 30"),
        ("column 1 of 31", "at most 30"),
        ("coincidence 0", "from 1 to 30"),
    ],
)
def test_other_texts_are_explained(words, why):
    env, *_ = made()
    assert not env.unwrapped.understands(words)
    info = env.step(words)[4]
    assert not info["action_valid"] and why in info["feedback"]
