"""The texts: instructions and answers."""

from aq_higher_lower.logic import HIGHEST, Game

GOAL = "Find the number."
FORM = f"Say a number from 1 to {HIGHEST}, in digits."
INSTRUCTIONS = (
    f"I have a number from 1 to {HIGHEST}. After each guess I say whether it is higher "
    f"or lower. {FORM}"
)
OPENING = "Your guess?"


def answer(game: Game) -> str:
    """Return the answer to the last guess."""
    if game.distance == 0:
        return "You found it!"
    return "Higher." if game.guesses[-1] < game.number else "Lower."
