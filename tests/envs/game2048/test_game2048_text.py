"""2048's texts, pinned, and how moves are read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.envs.game2048 import actions, text
from aq_gym.envs.game2048.logic.game import Game2048, Tile

BOARD = ((1, 2, 0), (0, 0, 10), (0, 0, 0))


@pytest.mark.parametrize(
    ("words", "direction"),
    [
        ("up", "up"), ("UP", "up"), (" up. ", "up"), ("w", "up"), ("W", "up"),
        ("Move: w", "up"), ("move up", "up"), ("slide up", "up"), ("upwards", "up"),
        ("a", "left"), ("left", "left"), ("move left", "left"), ("'left'", "left"),
        ("swipe to the left", "left"), ("Direction: left", "left"), ("[left]", "left"),
        ("slide all tiles left", "left"), ("move the tiles to the left.", "left"),
        ("s", "down"), ("go down", "down"), ("downward", "down"),
        ("d", "right"), ("right!", "right"), ("[right]", "right"), ("press d", "right"),
    ],
)  # fmt: skip
def test_a_move_is_read_tolerantly(words, direction):
    assert actions.read(words) == direction


@pytest.mark.parametrize(
    "words",
    [
        "", "u", "north", "left or right", "left, left", "I move left", "wasd", "move",
        "not left", "left because it merges", "upleft", "lefty", "right?", "up\x00",
    ],
)  # fmt: skip
def test_what_is_ambiguous_or_no_move_is_not_read(words):
    assert actions.read(words) is None
    assert text.not_a_move(words).endswith(text.how_to_act())


@given(st.text(st.characters(codec=None), max_size=30))
def test_whatever_is_read_is_a_direction(words):
    assert actions.read(words) in ("up", "down", "left", "right", None)


INSTRUCTIONS = """\
Let us play 2048, on a board of 4x4 cells. A move slides all tiles as far as they can \
go in one direction. Two equal tiles that meet merge into one of twice the value; a \
tile merges once a move at most. After each move that changes the board a 2, \
sometimes a 4, appears in a random empty cell. A move that changes nothing cannot be \
made.
You win when you make a tile of 128; you lose when the board is full and no move is \
left.
Move with up, down, left or right (or w, s, a, d)."""

DRAWN = """\
     2     4     .
     .     .  1024
     .     .     ."""


def test_texts_are_pinned():
    assert text.instructions(4, 128) == INSTRUCTIONS
    assert text.goal(128) == "Make a tile of 128."
    game = Game2048(BOARD, 11)
    assert text.board(BOARD) == DRAWN
    assert text.opening(game) == (
        f"The board has two tiles; a dot is an empty cell.\n{DRAWN}"
    )
    assert text.answer(game, "up", Tile(2, 1, 1)) == (
        f"You moved up. A 2 appeared in row 1, column 1. Your score is 0.\n{DRAWN}"
    )
    stuck = Game2048(((1, 2, 0), (3, 0, 0), (0, 0, 0)), 11)
    assert text.no_change(stuck, "left") == (
        "You cannot move left: no tile would slide or merge. "
        "You can move down or right."
    )
    assert text.moves(game) == (
        f"{text.how_to_act()} Moves that change the board now: "
        f"{', '.join(game.moves)}.\n{DRAWN}"
    )


def test_the_ends_are_pinned():
    won = Game2048(BOARD, 10)
    assert "Your score is 0. You won! You made a tile of 1024.\n" in text.answer(
        won, "up", Tile(2, 1, 1)
    )
    lost = Game2048(((1, 2, 1), (2, 1, 2), (1, 2, 1)), 10)
    assert lost.over
    assert (
        "Your score is 0. You lost: the board is full and no move is left.\n"
        in text.answer(lost, "up", Tile(2, 1, 1))
    )
