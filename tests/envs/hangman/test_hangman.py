"""Hangman: its words, rules, texts and expert."""

import gymnasium as gym
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.envs.hangman import expert
from aq_gym.envs.hangman.game import (
    LENGTHS,
    HangmanGame,
    difficulty_of,
    words_of_length,
    words_to_draw,
)

LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORDS = st.sampled_from(words_to_draw(3, 12, "all", "all"))


def begun(word="letter", **arguments):
    env = gym.make("aq/Hangman-v0", length=(3, 12), **arguments)
    env.reset(options={"task_id": word})
    return env


def test_an_episode_to_the_end():
    env = begun("letter")
    steps = [env.step(action) for action in ("e", "a", "Guess: better", "letter")]
    progress = [info["progress"] for *_, info in steps]
    assert progress == [2 / 6, 2 / 6, 2 / 6, 1.0]
    assert [reward for _, reward, *_ in steps] == [2 / 6, 0.0, 0.0, 1.0 - 2 / 6]
    assert [info["lives"] for *_, info in steps] == [6, 5, 4, 4]
    assert [terminated for _, _, terminated, _, _ in steps] == [False] * 3 + [True]
    assert steps[0][4]["subgoals"] == {
        f"position {i}": i in (2, 5) for i in range(1, 7)
    }
    assert steps[3][4]["success"]


FIRST = """\
Let us play Hangman. I have chosen an English word, and you find it by guessing \
letters. Each letter that you guess is shown at all the positions where it stands. You \
have 3 lives: a letter that is not in the word costs one, and so does a whole word \
that is not the hidden one. You win when every letter is shown, or when you guess the \
word; you lose with your last life.
Guess a letter, in the form: Guess: e
Or guess the whole word, in the same form.
The word has 6 letters.
Word: _ _ _ _ _ _
Wrong guesses: none. Lives left: 3."""
HOW = FIRST[FIRST.index("Guess a letter") : FIRST.index("\nThe word has")]
# Actions of one episode, with the answer to each.
TRANSCRIPT = {
    "e": "Yes, the word has e at positions 2 and 5.\nWord: _ e _ _ e _\n"
    "Wrong guesses: none. Lives left: 3.",
    "a": "No, the word has no a.\nWord: _ e _ _ e _\nWrong guesses: a. Lives left: 2.",
    "better": "No, the word is not better.\nWord: _ e _ _ e _\n"
    "Wrong guesses: a, better. Lives left: 1.",
    "E.": "You have already guessed the letter e. Guess another one.\n"
    "Word: _ e _ _ e _\nWrong guesses: a, better. Lives left: 1.",
    "better ": "You have already guessed the word better. Guess another one.\n"
    "Word: _ e _ _ e _\nWrong guesses: a, better. Lives left: 1.",
    "bet": f"bet has 3 letters, but the word has 6. {HOW}\n"
    "Word: _ e _ _ e _\nWrong guesses: a, better. Lives left: 1.",
    "ab": f"'ab' is not a guess. {HOW}\n"
    "Word: _ e _ _ e _\nWrong guesses: a, better. Lives left: 1.",
    "l": "Yes, the word has l at position 1.\nWord: l e _ _ e _\n"
    "Wrong guesses: a, better. Lives left: 1.",
    "help": f"{HOW}\nLetters that you have not guessed: b, c, d, f, g, h, i, j, k, m, "
    "n, o, p, q, r, s, t, u, v, w, x, y, z\nWord: l e _ _ e _\n"
    "Wrong guesses: a, better. Lives left: 1.",
    "z": "No, the word has no z. You lost: that was your last life.\n"
    "Word: l e _ _ e _\nWrong guesses: a, better, z. Lives left: 0.",
}


def test_texts_are_pinned():
    env = gym.make("aq/Hangman-v0", word="letter", lives=3)
    observation, info = env.reset(seed=0)
    assert observation == FIRST
    assert info["goal"] == (
        "Find the hidden word of 6 letters before you have lost 3 lives."
    )
    for action, answer in TRANSCRIPT.items():
        observation, _, terminated, truncated, info = env.step(action)
        assert observation == answer, action
        invalid = "already" in answer or "bet has" in answer or "not a guess" in answer
        assert info["action_valid"] is not invalid
    assert (terminated, truncated, info["success"]) == (True, False, False)
    env = gym.make("aq/Hangman-v0", word="letter", lives=1, instructions=False)
    observation, info = env.reset(seed=0)
    assert observation.startswith("The word has 6 letters.\n")
    assert info["goal"].endswith("before you have lost 1 life.")
    assert env.step("letter")[0] == (
        "You won!\nWord: l e t t e r\nWrong guesses: none. Lives left: 1."
    )


@pytest.mark.parametrize("word", ["let", "letters", "lettering", "letterboxes"])
def test_a_word_of_another_length_costs_no_life(word):
    env = begun("letter")
    before = env.unwrapped.get_state()
    info = env.step(word)[4]
    assert not info["action_valid"] and info["lives"] == 6
    assert f"{word} has {len(word)} letters, but the word has 6" in info["feedback"]
    assert env.unwrapped.get_state() == before
    assert env.step(f"Guess: {word}")[4]["lives"] == 6


def test_the_word_help_can_be_guessed():
    env = begun("help")
    assert "Letters that you have not guessed" in env.step("help")[0]
    assert env.step("Guess: help")[4]["success"]


READ = {
    "e": [
        "e", "E", " e\n", "e.", "'e'", '"e"', "`e`", "**e**", "[e]", "letter e",
        "the letter e", "Letter: e", "guess e", "Guess: e", "GUESS: E", "guess = e",
        "guess letter e", "guess the letter 'e'.", "Guess: the letter is e", "e!",
    ],
    "crane": [
        "crane", "crane.", "CRANE", "'crane'", "Guess: crane", "guess crane",
        "word crane", "the word is crane", "The word is: Crane.",
        "guess the word crane", "Word: c r a n e", "word: c-r-a-n-e",
    ],
    "": [
        "", " ", "I guess the letter e", "maybe e", "e or a", "e, a", "a e i", "ea",
        "e?", "1", "é", "\u017f", "letter e and word crane", "guesse e",
        "the e", "c r a n e", "my word is crane", "abcdefghijklm", "it's", "e\x00",
        "action: e e",
    ],
    # Words of the grammar can be guessed, too.
    "guess": ["guess", "Guess: guess", "guess the word guess"],
    "letter": ["letter", "Guess: letter", "guess the word letter"],
    "word": ["word", "Guess: word", "guess the word word"],
    "letterbox": ["letterbox"],
}  # fmt: skip


@pytest.mark.parametrize("guess", READ)
def test_guesses_are_read_tolerantly(guess):
    env = gym.make("aq/Hangman-v0", length=(3, 12)).unwrapped
    for text in READ[guess]:
        assert env.understands(text) is bool(guess), text
        assert env.canonical_action(text) == (f"Guess: {guess}" if guess else text)


@pytest.mark.parametrize(
    ("words", "understood"),
    [("e", True), ("Guess: apple", True), ("letters", True), ("help", True),
     ("word", False), ("bachelor", False)],
)  # fmt: skip
def test_words_of_other_lengths_are_no_actions(words, understood):
    env = gym.make("aq/Hangman-v0", length=(5, 7)).unwrapped
    assert env.understands(words) is understood


@pytest.mark.parametrize("length", [3, (3, 4), [5, 5]])
def test_words_have_the_length_that_is_asked_for(length):
    env = gym.make("aq/Hangman-v0", length=length)
    shortest, longest = (length, length) if isinstance(length, int) else length
    drawn = {len(env.reset(seed=seed)[1]["task_id"]) for seed in range(15)}
    assert drawn == {shortest, longest}


@pytest.mark.parametrize(("difficulty", "other"), [("easy", "hard"), ("hard", "easy")])
def test_words_are_of_the_difficulty_that_is_asked_for(difficulty, other):
    env = gym.make("aq/Hangman-v0", difficulty=difficulty)
    for seed in range(10):
        info = env.reset(seed=seed)[1]
        assert info["difficulty"] == difficulty == difficulty_of(info["task_id"])
    task_id = words_to_draw(6, 6, other, "all")[0]
    with pytest.raises(ValueError, match="task_id="):
        env.reset(options={"task_id": task_id})


def test_a_word_of_other_arguments_is_refused():
    test = gym.make("aq/Hangman-v0", length=6, difficulty="easy", split="test")
    for task_id in ("light", "zzzzzz", "", None, 5):
        with pytest.raises(ValueError, match="task_id="):
            test.reset(options={"task_id": task_id})


@pytest.mark.parametrize(
    ("error", "arguments", "message"),
    [
        (ValueError, {"length": 2}, "length=2: give 3 to 12"),
        (ValueError, {"length": 13}, "length=13"),
        (ValueError, {"length": (6, 5)}, r"length=\(6, 5\)"),
        (ValueError, {"lives": 0}, "lives=0: give 1 to 26"),
        (ValueError, {"lives": 27}, "lives=27"),
        (ValueError, {"length": 12, "difficulty": "hard"}, "there is no word"),
        (ValueError, {"word": "apple", "length": 5}, "omit length"),
        (ValueError, {"word": "app1e"}, "must be letters from a to z"),
        (TypeError, {"length": "5"}, "length="),
        (TypeError, {"length": (3, 4, 5)}, "length="),
    ],
)
def test_a_developers_mistake_is_named(error, arguments, message):
    with pytest.raises(error, match=message):
        gym.make("aq/Hangman-v0", **arguments)


def test_the_packaged_words_are_in_one_difficulty_and_one_split():
    for length in LENGTHS:
        words = words_of_length(length)
        assert list(words) == sorted(set(words))
        assert all(len(word) == length for word in words)
        assert set("".join(words)) <= set(LETTERS)
    everything = words_to_draw(4, 10, "all", "all")
    parts = [
        set(words_to_draw(4, 10, difficulty, split))
        for difficulty in ("easy", "hard")
        for split in ("train", "test")
    ]
    assert sum(map(len, parts)) == len(everything) == 33_221
    assert set().union(*parts) == set(everything)


@pytest.mark.parametrize(
    ("word", "difficulty"),
    # "after" has two rivals and "beast" three.
    [("after", "easy"), ("beast", "hard"), ("jazz", "easy"), ("cat", "hard")],
)
def test_three_rivals_make_a_word_hard(word, difficulty):
    assert difficulty_of(word) == difficulty


@given(WORDS, st.permutations(LETTERS), st.integers(1, 26))
def test_letters_are_revealed_at_all_their_positions(word, letters, lives):
    game = HangmanGame(word, lives)
    for count, letter in enumerate(letters, 1):
        found = game.play(letter)
        assert found == [i + 1 for i, other in enumerate(word) if other == letter]
        seen = letters[:count]
        assert game.shown == [other if other in seen else "" for other in word]
        assert game.wrong == [other for other in seen if other not in word]
        assert game.lives == lives - len(game.wrong)
        if game.solved or game.lost:
            break


def test_the_expert_knows_only_what_is_shown():
    guesses = set()
    for word in ("fight", "night", "might"):
        env = begun(word)
        for letter in "ight":
            env.step(letter)
        guesses.add(env.unwrapped.expert_action())
    assert len(guesses) == 1
    assert expert.best_guess(["", "i", "g", "i", "t"], [], 1) == "digit"
