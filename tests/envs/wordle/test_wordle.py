"""Wordle: its words, marks, texts and expert."""

import codecs
import subprocess
import sys
from collections import Counter
from pathlib import Path

import gymnasium as gym
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_agentquest import write_checkout

from aq_gym.envs.hangman.game import words_to_draw as hangman_words
from aq_gym.envs.wordle import expert
from aq_gym.envs.wordle.game import (
    LENGTHS,
    Clue,
    Hint,
    Hints,
    WordleGame,
    lexicon,
    marks,
    words_to_draw,
)

FEW_LETTERS = st.text("abc", min_size=5, max_size=5)
ANSWERS = st.sampled_from(lexicon(5).answers)
GUESSES = st.sampled_from(lexicon(5).guesses)


def begun(word="erase", **arguments):
    env = gym.make("aq/Wordle-v0", length=len(word), **arguments)
    env.reset(options={"task_id": word})
    return env


def test_an_episode_to_the_end():
    env = begun("erase")
    steps = [env.step(action) for action in ("speed", "crane", "Guess: tares", "erase")]
    assert [info["progress"] for *_, info in steps] == [0.0, 0.6, 0.0, 1.0]
    assert [info["best_progress"] for *_, info in steps] == [0.0, 0.6, 0.6, 1.0]
    assert [info["guesses_left"] for *_, info in steps] == [5, 4, 3, 2]
    assert [terminated for _, _, terminated, _, _ in steps] == [False] * 3 + [True]
    green = [info["subgoals"] for *_, info in steps][1]
    assert green == {f"position {i}": i in (2, 3, 5) for i in range(1, 6)}


FIRST = """\
Let us play Wordle. I have chosen a common English word of 5 letters, and you find it \
with 4 guesses at most. Each guess has to be a word, too. After it I mark each of its \
letters:
green: the letter is in the word, in this position.
yellow: the letter is in the word, in another position.
grey: the word does not have the letter, or not more often than it is marked green or \
yellow.
Guess an English word of 5 letters, in the form: Guess: house
To see all your guesses and what they tell, without guessing: show board
Make your first guess of 5 letters. You have 4 guesses."""
HOW = "Guess an English word of 5 letters, in the form: Guess: house"
TRANSCRIPT = {
    "speed": "Guess 1 of 4: s: yellow, p: grey, e: yellow, e: yellow, d: grey.\n"
    "You have 3 guesses left.",
    "crane": "Guess 2 of 4: c: grey, r: green, a: green, n: grey, e: green.\n"
    "You have 2 guesses left.",
    "zzzzz": "zzzzz is not in the list of words that can be guessed, so it costs no "
    "guess. Guess another word.",
    "cat": f"'cat' has 3 letters, not 5. {HOW}",
    "no no": f"'no no' is not a guess. {HOW}",
    "aisle": "Guess 3 of 4: a: yellow, i: grey, s: yellow, l: grey, e: green.\n"
    "You have 1 guess left.",
    "show board": """\
1. speed: s: yellow, p: grey, e: yellow, e: yellow, d: grey
2. crane: c: grey, r: green, a: green, n: grey, e: green
3. aisle: a: yellow, i: grey, s: yellow, l: grey, e: green
Known: _ r a _ e
The word has s, but not as the first or third letter.
The word has e twice, but not as the third or fourth letter.
The word does not have p, d, c, n, i or l.
You have 1 guess left.""",
    "grape": "Guess 4 of 4: g: grey, r: green, a: green, p: grey, e: green.\n"
    "You lost: that was your last guess.",
}


def test_texts_are_pinned():
    env = gym.make("aq/Wordle-v0", word="erase", guesses=4)
    observation, info = env.reset(seed=0)
    assert observation == FIRST
    assert info["goal"] == "Find the hidden word of 5 letters with 4 guesses at most."
    left = [3, 2, 2, 2, 2, 1, 1, 0]
    for (action, answer), guesses in zip(TRANSCRIPT.items(), left, strict=True):
        observation, _, terminated, truncated, info = env.step(action)
        assert observation == answer
        assert info["guesses_left"] == guesses
        assert info["action_valid"] is (action not in ("zzzzz", "cat", "no no"))
        assert info["feedback"] == ("" if info["action_valid"] else observation)
    assert (terminated, truncated, info["success"]) == (True, False, False)
    env = gym.make("aq/Wordle-v0", word="erase", guesses=1, instructions=False)
    assert env.reset()[0] == "Make your first guess of 5 letters. You have 1 guess."
    board = "Known: _ _ _ _ _\nYou have 1 guess left."
    assert env.step("show board")[0] == board
    assert env.step("help")[0].startswith(HOW) and env.step("help")[0].endswith(board)
    observation, _, terminated, _, info = env.step("erase")
    assert observation == "You won! The word is erase." and terminated


def test_hard_mode_wants_every_hint():
    env = begun("erase", hard_mode=True)
    assert (
        "\nHard mode: a guess has to use what is known. Green letters stay where they "
        "are, and yellow ones have to be in the guess.\nGuess an English"
    ) in gym.make("aq/Wordle-v0", hard_mode=True).reset()[0]
    env.step("speed")
    info = env.step("erupt")[4]
    assert not info["action_valid"] and info["guesses_left"] == 6 - 1
    assert info["feedback"] == (
        "erupt cannot be guessed in hard mode: it has to contain s. It costs no guess."
    )
    assert "it has to contain e twice" in env.step("stare")[0]
    assert env.step("these")[4]["action_valid"]
    assert "its fourth letter has to be s, which was green." in env.step("sleep")[0]
    listed = env.unwrapped.admissible_actions()
    assert "Guess: erase" in listed
    assert "Guess: speed" not in listed
    assert env.step("erase")[4]["success"]


def test_words_help_and_board_can_be_guessed():
    env = begun("help")
    assert env.step("help")[4]["guesses_left"] == 6
    assert env.step("Guess: help")[4]["success"]
    env = begun("board")
    assert env.step("board")[4]["success"]


def test_a_guess_can_be_repeated_at_its_cost():
    env = begun("erase")
    env.step("speed")
    assert "Guess: crane" in env.unwrapped.admissible_actions()
    info = env.step("speed")[4]
    assert info["action_valid"]
    assert info["guesses_left"] == 4


READ = {
    "Guess: crane": [
        "crane", "crane.", "CRANE", " crane\n", "'crane'", "`crane`", "**crane**",
        "[crane]", "Guess: crane", "guess crane", "GUESS = CRANE", "word: crane",
        "the word is crane", "Guess: the word is 'Crane'.", "c r a n e", "c-r-a-n-e",
        "C, R, A, N, E", "guess: c r a n e", "crane!",
    ],
    "show board": [
        "show board", "Show the board.", "check board", "show me the board",
    ],
    # Words of the grammar can be guessed, too.
    "Guess: guess": ["guess", "guess guess"],
    "Guess: board": ["board", "guess board"],
    "Guess: words": ["words", "guess words"],
    "": [
        "", " ", "I think it is crane", "crane or crate", "crane slate", "5",
        "maybe crane", "cr4ne", "cr\u00e4ne", "crane?", "the crane", "cran e",
        "crane\x00", "Sure", "Thanks", "board game", "show",
    ],
}  # fmt: skip


@pytest.mark.parametrize("action", READ)
def test_guesses_are_read_tolerantly(action):
    env = gym.make("aq/Wordle-v0").unwrapped
    for text in READ[action]:
        assert env.understands(text) is bool(action), text
        assert env.canonical_action(text) == (action or text)


@pytest.mark.parametrize("length", LENGTHS)
def test_the_example_is_a_word(length):
    env = gym.make("aq/Wordle-v0", length=length)
    env.reset(seed=0)
    how = env.step("")[0]
    assert how.rpartition(" ")[2] in lexicon(length).known


def test_a_word_that_is_no_answer_is_refused():
    env = gym.make("aq/Wordle-v0")
    for task_id in ("aahed", "zzzzz", "cat", "", None):
        with pytest.raises(ValueError, match="task_id="):
            env.reset(options={"task_id": task_id})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"length": 3}, "length=3: give 4 to 8"),
        ({"length": 9}, "length=9"),
        ({"guesses": 0}, "guesses=0: give 1 to 20"),
        ({"guesses": 21}, "guesses=21"),
        ({"word": "crane", "split": "test"}, "omit split"),
        ({"word": "crane", "length": 6}, "must be 6 letters"),
        ({"word": "cr4ne"}, "must be 5 letters from a to z"),
        ({"protocol": "agentquest", "length": 6}, "'agentquest' needs length=5"),
        ({"protocol": "agentquest", "guesses": 7}, "'agentquest' needs length=5"),
        ({"protocol": "agentquest", "hard_mode": True}, "'agentquest' needs length=5"),
    ],
)
def test_a_developers_mistake_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        gym.make("aq/Wordle-v0", **arguments)


def test_agentquest_counts_positions_that_were_green_before():
    env = gym.make("aq/Wordle-v0")
    env.reset(options={"task_id": "shout"})
    progress = []
    for guess in ("short", "crane", "about", "shout"):
        info = env.step(guess)[4]
        progress.append((info["progress"], info["agentquest_progress"]))
    assert progress == [(0.8, 0.8), (0.0, 0.8), (0.6, 1.0), (1.0, 1.0)]


def test_agentquests_protocol_has_its_marks_and_no_repeated_words():
    env = begun("abide", protocol="agentquest")
    answer, _, _, _, info = env.step("Word: speed")
    assert "\u2502 S \u2502" in answer and "e: yellow\ne: yellow\nd: yellow\n" in answer
    for text in ("Word: SPEED", "speed", "Word: spe", "Word: qzxjv", "Word: sp33d"):
        again = env.step(text)[4]
        assert not again["action_valid"]
        assert again["guesses_left"] == info["guesses_left"] == 5
    assert "before" in env.step("I say word: speed")[4]["feedback"]


def test_agentquests_protocol_is_solved_by_the_expert():
    env = gym.make("aq/Wordle-v0", protocol="agentquest")
    for seed in range(5):
        env.reset(seed=seed)
        while not env.step(env.unwrapped.expert_action())[2]:
            pass
        assert env.unwrapped.success()


def test_agentquests_own_words_can_be_guessed_and_are_found(tmp_path, monkeypatch):
    write_checkout(tmp_path, ["abyes", "qzxjv", "12345", "ab"])
    monkeypatch.setenv("AGENTQUEST_DATA", str(tmp_path))
    env = gym.make("aq/Wordle-v0", protocol="agentquest", word="qzxjv")
    env.reset(seed=0)
    assert env.step("Word: abyes")[4]["action_valid"]
    assert "Word: abyes" not in env.unwrapped.admissible_actions()
    while not env.step(env.unwrapped.expert_action())[2]:
        pass
    assert env.unwrapped.success()
    assert {*lexicon(5, ("qzxjv",)).answers} == {*lexicon(5).answers, "qzxjv"}


def test_every_answer_has_one_split():
    for length in LENGTHS:
        words = lexicon(length)
        for listed in (words.answers, words.guesses):
            assert list(listed) == sorted(set(listed))
            assert all(len(word) == length and word.islower() for word in listed)
        assert set(words.answers) < set(words.guesses) == words.known
    assert (len(lexicon(5).answers), len(lexicon(5).guesses)) == (1364, 6361)
    parts = [set(words_to_draw(5, split)) for split in ("train", "test")]
    assert sum(map(len, parts)) == 1364
    assert set().union(*parts) == set(lexicon(5).answers)


@pytest.mark.parametrize(
    ("guess", "answer", "expected"),
    [
        ("crane", "crane", "ggggg"),
        ("speed", "abide", "--y-y"),
        ("speed", "erase", "y-yy-"),
        ("speed", "steal", "g-g--"),
        ("speed", "crepe", "-ygy-"),
        ("allee", "apple", "gy--g"),
        ("eerie", "eaten", "gy---"),
        ("llama", "label", "gyy--"),
        ("aabbb", "baaab", "ygy-g"),
        ("mamma", "maxim", "ggy--"),
    ],
)
def test_marks_of_repeated_letters(guess, answer, expected):
    assert marks(guess, answer) == expected


def uses(clue, guess):
    """Check a guess against one clue, as hard mode does."""
    kept = all(
        g == before for g, before, mark in zip(guess, *clue, strict=True) if mark == "g"
    )
    found = Counter(letter for letter, mark in zip(*clue, strict=True) if mark != "-")
    return kept and not found - Counter(guess)


@given(st.lists(FEW_LETTERS, max_size=3), FEW_LETTERS, FEW_LETTERS)
def test_hard_mode_asks_for_every_hint(guesses, answer, guess):
    clues = [Clue(word, marks(word, answer)) for word in guesses]
    unused = Hints(clues).unused(guess)
    assert (unused is None) == all(uses(clue, guess) for clue in clues)
    assert Hints(clues).unused(answer) is None


def test_the_hint_that_is_not_used_is_named():
    clues = [Clue("speed", marks("speed", "crepe"))]
    assert Hints(clues).unused("crane") == Hint("e", 3, 1)
    assert Hints(clues).unused("treat") == Hint("p", 0, 1)
    assert Hints(clues).unused("prefs") == Hint("e", 0, 2)


@given(st.lists(GUESSES, max_size=4), ANSWERS)
def test_hints_are_true_of_the_answer(guesses, answer):
    hints = Hints(Clue(word, marks(word, answer)) for word in guesses)
    assert all(answer[index] == letter for index, letter in hints.green.items())
    assert all(answer.count(letter) >= n for letter, n in hints.needed.items())
    assert not set(hints.absent) & set(answer)
    for letter, places in hints.elsewhere.items():
        assert (letter in answer) == (letter not in hints.absent)
        assert all(answer[place - 1] != letter for place in places)


def test_the_opening_is_the_best_one():
    words = lexicon(4)
    assert expert.best_of(words.guesses, words.answers) == expert.OPENINGS[4]


def guesses_needed(length, answer, hard_mode=False):
    game = WordleGame(answer, 20)
    while not game.solved:
        guess = expert.best_guess(length, game.clues, hard_mode)
        assert guess in lexicon(length).known
        assert not hard_mode or Hints(game.clues).unused(guess) is None
        game.play(guess)
    return len(game.guesses)


@pytest.mark.parametrize("length", LENGTHS)
def test_the_expert_plays_every_length_and_hard_mode(length):
    for answer in lexicon(length).answers[::250]:
        assert guesses_needed(length, answer, hard_mode=True) <= 8


def test_the_expert_knows_only_the_marks():
    clues = [Clue("tares", marks("tares", "light"))]
    same = [w for w in lexicon(5).answers if marks("tares", w) == clues[0].marks]
    assert len(same) > 10
    assert expert.best_guess(5, clues, False) == expert.best_guess(
        5, [Clue("tares", marks("tares", same[0]))], False
    )


ROOT = Path(__file__).parents[3]
SCOWL = Path("/usr/share/dict/scowl")


def test_no_list_has_a_word_that_is_left_out():
    text = (ROOT / "tools" / "words_left_out.txt").read_text("ascii")
    left_out = set(codecs.decode(text, "rot13").split())
    assert len(left_out) == len(text.split()) > 300
    assert not left_out & set(hangman_words(3, 12, "all", "all"))
    for length in LENGTHS:
        assert not left_out & lexicon(length).known


@pytest.mark.skipif(not SCOWL.exists(), reason="needs Debian's package scowl")
def test_the_lists_are_what_the_tool_makes():
    tool = ROOT / "tools" / "make_word_lists.py"
    done = subprocess.run(
        [sys.executable, tool, "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_missing_scowl_is_named(tmp_path):
    tool = ROOT / "tools" / "make_word_lists.py"
    done = subprocess.run(
        [sys.executable, tool, "--scowl", tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "apt-get install scowl" in done.stderr
