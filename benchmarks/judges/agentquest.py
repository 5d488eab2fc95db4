"""Games of AgentQuest's drivers.

Each instance is drawn here and given to both sides. The same texts of an agent are read
by AgentQuest's driver with ``step_raw`` and here with ``ExtractAction``. Repetitions
are compared with its ``metrics.export`` at several thresholds. Explained differences
have names of their own: "pydantic's words" (an answer out of range is explained in the
words of a library), "full wrong board" (Sudoku's driver calls it a success).
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from harness import Child, Facts, Judge, Task, Walk, make

from aq_gym.envs.cipher import ciphers

THRESHOLDS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)


class Game(Judge):
    """A game whose driver takes the secret."""

    paper, child = "agentquest", "agentquest_child.py"
    steps = 60
    progress = "agentquest_progress"
    texts = False
    invalid = ("", "help", "I give up", "Guess 12", "Row: 1", "Letter: 7", "MOVE: x")
    settings: ClassVar[tuple[dict[str, Any], ...]] = ({},)

    def __init__(self, options: argparse.Namespace) -> None:
        super().__init__(options)
        if Path(self.checkout).exists():
            os.environ["AGENTQUEST_DATA"] = self.checkout

    def tasks(self) -> Iterator[Task]:
        """Yield ten instances of each setting."""
        for kwargs in self.settings:
            for seed in range(10):
                yield Task({"protocol": "agentquest", **kwargs}, seed)

    def arguments(self, env: Any) -> list[Any]:
        """Return the arguments of the driver."""
        return [env.get_wrapper_attr("secrets")()[0]]

    def start(self, env: Any, task: Task, info: Mapping[str, Any]) -> Facts:
        """Begin with our instance."""
        self._acted: list[str] = []
        name = self.id.removeprefix("aq/").removesuffix("-v0")
        return {
            "make": name,
            "arguments": self.arguments(env),
            "given": self.given(env),
        }

    def given(self, env: Any) -> dict[str, Any]:
        """Return what the driver would draw or look up."""
        return {}

    def act(self, env: Any, action: str, info: Mapping[str, Any]) -> Facts:
        """Send the agent's whole text, because the driver reads it itself."""
        return {"act": action}

    def heard(self, env: Any, action: str, reply: Facts) -> None:
        """Note a text that its parser reads; its metrics ignore other texts."""
        self._acted += [action] if reply["acted"] else []

    def explain(self, fact: str, ours: Facts, paper: Facts, action: str) -> str:
        """Name a known difference."""
        if fact == "text" and "errors.pydantic" in paper["text"]:
            return "pydantic's words"
        return fact

    def ended(self, child: Child, task: Task, walk: Walk) -> Counter[str]:
        """Compare repetitions with the export, at each threshold."""
        counts: Counter[str] = Counter()
        for threshold in THRESHOLDS:
            rate = child.ask(theta=threshold, steps=self.steps)["repetition_rate"]
            env = make(self, task, threshold)
            _, info = env.reset(seed=task.seed, options=task.options)
            for action in self._acted:
                info = env.step(action)[4]
            env.close()
            differs = info["repetitions"] != round(rate * (self.steps - 1))
            counts["repetitions"] += differs
        return counts


class Mastermind(Game):
    """Codes of four to six digits."""

    id = "aq/Mastermind-v0"
    settings = ({}, {"code_length": 6})


class Hangman(Game):
    """Words of any length."""

    id = "aq/Hangman-v0"
    progress = "progress"


class Wordle(Game):
    """Words of five letters, with our dictionary."""

    id = "aq/Wordle-v0"

    def given(self, env: Any) -> dict[str, Any]:
        """Return the words that are accepted."""
        return {"words": sorted(env.unwrapped.protocol.lexicon.known)}


class Sudoku(Game):
    """Puzzles of nine rows."""

    id = "aq/Sudoku-v0"

    def arguments(self, env: Any) -> list[Any]:
        """Return the rows of the solution and of the puzzle."""
        (solution,) = env.get_wrapper_attr("secrets")()
        puzzle = env.unwrapped.get_state().world[0].replace(".", "*")
        texts = (solution, puzzle)
        return [[list(text[k : k + 9]) for k in range(0, 81, 9)] for text in texts]

    def draw(self, walk: Walk) -> str:
        """Draw a digit for a cell, both at random; many such moves are refused."""
        row, column, value = (int(n) for n in walk.rng.integers(0, 10, size=3))
        return f"Row: {row}, Column: {column}, Value: {value}"

    def explain(self, fact: str, ours: Facts, paper: Facts, action: str) -> str:
        """Name the success of a full board that is wrong."""
        wrong = fact == "success" and ours["end"] and not ours["success"]
        return (
            "full wrong board" if wrong else super().explain(fact, ours, paper, action)
        )


class Cipher(Game):
    """Sentences under six ciphers, with our keys."""

    id = "aq/Cipher-v0"
    settings = tuple(
        {"cipher": name, "threshold": 0.95}
        for name in ("caesar", "affine", "vigenere", "railfence", "adfgvx", "atbash")
    )

    def arguments(self, env: Any) -> list[Any]:
        """Return the text, the cipher and the threshold."""
        plain = env.unwrapped._game.plaintext
        return [plain, env.spec.kwargs["cipher"], 0.95]

    def given(self, env: Any) -> dict[str, Any]:
        """Return the key as AgentQuest has it."""
        match env.unwrapped._game.instance.key:
            case ciphers.Caesar(shift):
                return {"key": {"shift": shift, "shift_direction": "right"}}
            case ciphers.Affine(a, b):
                return {"key": {"a": a, "b": b}}
            case ciphers.Vigenere(keyword):
                return {"key": {"key": keyword}}
            case ciphers.RailFence(rails):
                return {"key": {"num_rails": rails}}
            case ciphers.Adfgvx(square, word):
                return {"key": {"key": square.upper(), "grid_key": word.upper()}}
        return {}

    def draw(self, walk: Walk) -> str:
        """Draw the text with some letters wrong."""
        text = list(walk.env.unwrapped._game.plaintext)
        for place in walk.rng.integers(len(text), size=len(text) // 3):
            text[place] = "x"
        return f"Plain Text: {''.join(text)}"


class Game2048(Game):
    """A board that gets our new tiles."""

    id = "aq/2048-v0"
    settings = ({"goal": 64},)

    def arguments(self, env: Any) -> list[Any]:
        """Return the tile of the goal."""
        return [64]

    def start(self, env: Any, task: Task, info: Mapping[str, Any]) -> Facts:
        """Begin with our board."""
        return {**super().start(env, task, info), "board": tiles(env)}

    def act(self, env: Any, action: str, info: Mapping[str, Any]) -> Facts:
        """Let the new tile make our board."""
        return {"act": action, "board": tiles(env)}


def tiles(env: Any) -> list[list[int]]:
    """Return the board of 2048 in AgentQuest's form."""
    board = env.unwrapped._game.board
    return [[1 << n if n else 0 for n in row] for row in board]
