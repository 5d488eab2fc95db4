"""Hangman's words, rules and expert, apart from Gymnasium."""

from collections import Counter
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.envs.hangman import expert
from aq_gym.envs.hangman.logic.game import HangmanGame
from aq_gym.envs.hangman.logic.words import (
    LENGTHS,
    difficulty_of,
    words_in_bands,
    words_of_length,
)

LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORDS = st.sampled_from(words_in_bands(3, 12, "all", "all"))


@pytest.mark.parametrize("length", LENGTHS)
def test_the_words_of_a_length(length):
    words = words_of_length(length)
    assert list(words) == sorted(set(words))
    assert all(len(word) == length for word in words)
    assert set("".join(words)) <= set(LETTERS)


def test_every_word_is_in_one_band_and_one_split():
    everything = words_in_bands(4, 10, "all", "all")
    parts = [
        set(words_in_bands(4, 10, band, split))
        for band in ("easy", "hard")
        for split in ("train", "test")
    ]
    assert sum(map(len, parts)) == len(everything) == 33_221
    assert set().union(*parts) == set(everything)


@pytest.mark.parametrize(
    ("word", "difficulty"),
    [("light", "hard"), ("apple", "easy"), ("jazz", "easy"), ("cat", "hard")],
)
def test_a_word_with_three_rivals_is_hard(word, difficulty):
    assert difficulty_of(word) == difficulty


def rivals(word):
    """Count, word by word, those that share the pattern with one letter hidden."""
    most = 0
    for hidden in set(word):
        pattern = word.replace(hidden, "_")
        same = [
            other
            for other in words_of_length(len(word))
            if other != word
            and any(other.replace(letter, "_") == pattern for letter in set(other))
        ]
        most = max(most, len(same))
    return most


@pytest.mark.parametrize("word", words_of_length(6)[::500])
def test_difficulty_is_the_number_of_rivals(word):
    assert (difficulty_of(word) == "hard") == (rivals(word) >= 3)


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


@given(WORDS, st.data())
def test_a_whole_word_wins_or_costs_a_life(word, data):
    guess = data.draw(st.sampled_from(words_of_length(len(word))))
    game = HangmanGame(word, 6)
    game.play(word[0])
    game.play(guess)
    right = guess == word
    assert game.solved == right
    assert game.lives == 6 - (not right)
    assert game.wrong == ([] if right else [guess])


def test_a_game_is_lost_with_its_last_life():
    game = HangmanGame("apple", 2)
    game.play("z")
    assert not game.lost
    game.play("angle")
    assert game.lost
    assert not game.solved


def fits(word, shown, wrong):
    """Check a word against all that is known, position by position."""
    for letter, here in zip(word, shown, strict=True):
        if here and letter != here:
            return False
        if not here and (letter in shown or letter in wrong):
            return False
    return word not in wrong


@given(WORDS, st.lists(st.sampled_from(LETTERS), unique=True, max_size=12), WORDS)
def test_the_expert_considers_what_agrees_with_everything_known(word, letters, other):
    game = HangmanGame(word, 26)
    for guess in (*letters, *([other] if len(other) == len(word) else [])):
        if not game.solved:
            game.play(guess)
    index = expert._index(len(word))
    bits = index.agreeing(tuple(game.shown), frozenset(game.wrong))
    agreeing = {w for i, w in enumerate(index.words) if bits >> i & 1}
    known = game.shown, game.wrong
    assert agreeing == {w for w in words_of_length(len(word)) if fits(w, *known)}
    assert word in agreeing


def answers_of(words, letter):
    """Part words by where a letter stands."""
    parts = {}
    for word in words:
        where = tuple(i for i, other in enumerate(word) if other == letter)
        parts.setdefault(where, []).append(word)
    return parts


@pytest.mark.parametrize("letter", LETTERS[::3])
def test_a_letter_is_worth_its_information_less_its_risk(letter):
    words = words_of_length(4)
    parts = answers_of(words, letter)
    sizes = [len(part) for part in parts.values()]
    entropy = -sum(n / len(words) * log(n / len(words)) for n in sizes)
    risk = len(parts.get((), ())) / len(words)
    index = expert._index(4)
    worth = index.worth(index.everything, letter, [0, 1, 2, 3], 2.0)
    assert worth == pytest.approx(entropy - 2.0 * risk)


def test_the_expert_says_the_word_where_two_are_left_or_fewer():
    words = [w for w in words_of_length(5) if w[1:] == "igit"]
    assert words == ["digit"]
    assert expert.best_guess(["", "i", "g", "i", "t"], [], 1) == "digit"


def test_the_expert_knows_only_what_is_shown():
    guesses = set()
    for word in ("fight", "night", "might"):
        game = HangmanGame(word, 6)
        for letter in "ight":
            game.play(letter)
        guesses.add(expert.best_guess(game.shown, game.wrong, game.lives))
    assert len(guesses) == 1


def share_found(words):
    found = 0
    for word in words:
        game = HangmanGame(word, 6)
        while not (game.solved or game.lost):
            game.play(expert.best_guess(game.shown, game.wrong, game.lives))
        found += game.solved
    return found / len(words)


def test_hard_words_are_harder_for_the_expert():
    easy, hard = (words_in_bands(4, 10, band, "all") for band in ("easy", "hard"))
    assert share_found(easy[::150]) > 0.9
    assert 0.5 < share_found(hard[::20]) < 0.8


@pytest.mark.parametrize(("rivals", "difficulty"), [(2, "easy"), (3, "hard")])
def test_three_rivals_make_a_word_hard(rivals, difficulty):
    words = words_of_length(5)
    patterns = {w: {w.replace(letter, "_") for letter in w} for w in words}
    sharing = Counter(pattern for found in patterns.values() for pattern in found)
    most = {w: max(sharing[pattern] - 1 for pattern in patterns[w]) for w in words}
    chosen = [word for word in words if most[word] == rivals]
    assert chosen
    assert {difficulty_of(word) for word in chosen} == {difficulty}
