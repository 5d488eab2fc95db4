"""A puzzle of the user's, and the env that plays it."""

import gymnasium as gym

import aq_gym  # noqa: F401

PUZZLE = {
    "story": "A man pushes his car to a hotel and loses his fortune.",
    "answer": "He is playing a board game about property.",
    "keys": ["He is playing a game.", "The car is a token."],
}
SECRET = "sk-very-secret-key"


def made(puzzles, **arguments):
    return gym.make("aq/Mystery-v0", puzzles=str(puzzles), judge_model="m", **arguments)
