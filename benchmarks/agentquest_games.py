r"""Are progress, answers, ends and repetitions those of AgentQuest's own code?

Plays Mastermind, Hangman, Wordle (``protocol="agentquest"``) and 2048 in both, with the
same goals and actions, drawn in several ways, and counts the steps at which something
differs. Needs a checkout of AgentQuest and its requirements. Only words of our
dictionary are guessed, and a board of 2048 is set to ours before each move.

    git clone https://github.com/nec-research/agentquest
    pip install pydantic termcolor Levenshtein
    python benchmarks/agentquest_games.py agentquest
"""

from __future__ import annotations

import argparse
import importlib
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeAlias

import gymnasium as gym
import numpy as np

from aq_gym.envs.game2048 import Game2048Env
from aq_gym.wrappers import RepetitionRate

# Draws an action for a goal, given those so far and the expert's.
Mix: TypeAlias = Callable[
    [np.random.Generator, Any, Sequence[str], Callable[[], str]], str
]
MOVES = {"up": "w", "down": "s", "left": "a", "right": "d"}


class Played(NamedTuple):
    """A game that both have.

    Attributes:
        arguments: Of our env.
        module: Where AgentQuest has it.
        names: The classes of its driver, its actions.
        key: Where our info has its progress.
        valid: What an action is that both take.
    """

    arguments: dict[str, Any]
    module: str
    names: tuple[str, str]
    key: str
    valid: str


GAMES = {
    "Mastermind": Played(
        {"code_length": 4}, "mastermind", ("MasterMindDriver", "MasterMindAction"),
        "progress", r"\d{4}",
    ),
    "Hangman": Played(
        {}, "hangman", ("HangmanDriver", "HangmanAction"), "progress", "[a-z]",
    ),
    "Wordle": Played(
        {"protocol": "agentquest"}, "wordle", ("WordleDriver", "WordleAction"),
        "agentquest_progress", "[a-z]{5}",
    ),
    "2048": Played(
        {"goal": 64}, "twothousandfortyeight", ("TTFEDriver", "TTFEAction"),
        "agentquest_progress", "up|down|left|right",
    ),
}  # fmt: skip


def drawn(rng: np.random.Generator, env: Any, *_: Any) -> str:
    """Draw an action."""
    return str(env.sample_action(rng))


def expert(rng: np.random.Generator, env: Any, said: Any, act: Any) -> str:
    """Return the expert's action."""
    return str(act())


def repeated(
    rng: np.random.Generator, env: Any, said: Sequence[str], act: Callable[[], str]
) -> str:
    """Take an earlier action in one of two steps, else the expert's or a drawn one."""
    if said and rng.random() < 0.5:
        return said[int(rng.integers(len(said)))]
    return act() if rng.random() < 0.5 else drawn(rng, env)


MIXES: dict[str, Mix] = {"random": drawn, "expert": expert, "repeated": repeated}


def load(checkout: Path, game: Played) -> tuple[Any, Any]:
    """Import the classes of AgentQuest's driver and actions."""
    sys.path.insert(0, str(checkout))
    # Wordle's dictionary is a library in C; words are checked here.
    sys.modules.setdefault("enchant", SimpleNamespace())  # type: ignore[arg-type]
    module = importlib.import_module(f"agentquest.benchmarks.{game.module}.driver")
    if game.module == "wordle":
        module.WordleUtils.is_valid_english_word = lambda word: True
    driver, action = (getattr(module, name) for name in game.names)
    return driver, action


def walk(name: str, checkout: Path, mix: Mix, seed: int) -> Counter[str]:
    """Play one game in both, and count the differences."""
    game = GAMES[name]
    make_driver, make_action = load(checkout, game)
    env = RepetitionRate(gym.make(f"aq/{name}-v0", **game.arguments), compare_to="all")
    observation, info = env.reset(seed=seed)
    ours: Any = env.unwrapped
    driver = make_driver(64 if name == "2048" else info["task_id"])
    driver.reset()
    rng = np.random.default_rng(seed)
    shown = board(observation)
    counts, actions = Counter(games=1), []
    said: list[str] = []
    for _ in range(60):
        text = mix(rng, ours, said, ours.expert_action)
        words = re.findall(game.valid, text.lower().removeprefix("guess"))
        if len(words) != 1:
            continue
        said.append(text)
        known = list(getattr(driver.current_state, "words_guessed", ()))
        observation, _, over, _, info = env.step(text)
        action = make_action(value=MOVES.get(words[0], words[0]))
        actions.append(action)
        counts["steps"] += 1
        if name == "2048":
            driver.current_state.value = shown
            moved = driver.movement(action.value)
            shown = board(observation) or shown
            # The new tile, which AgentQuest leaves out after the last move.
            new = np.array(shown) != np.array(driver.current_state.value)
            counts["answer"] += int(new.sum()) != moved
            driver.current_state.value = shown
            won = driver.win_check()
            theirs = SimpleNamespace(
                success=won, can_proceed=not (won or driver.lose_check())
            )
        else:
            theirs = driver.step(action)
        progress = driver.metrics.progress_function(driver.current_state)
        counts["progress"] += abs(info[game.key] - progress) > 1e-9
        counts["end"] += over == theirs.can_proceed
        counts["success"] += info["success"] != theirs.success
        if not over and words[0] not in known and name in ("Mastermind", "Wordle"):
            counts["answer"] += digest(observation) != digest(theirs.output)
        if over or not theirs.can_proceed:
            break
    counts["repetitions"] += info["repetitions"] != driver.metrics.repetition_function(
        theta_a=1.0, actions=actions
    )
    env.close()
    return counts


def board(observation: str) -> list[list[int]]:
    """Return the cells of a board of 2048, none for other games."""
    rows = Game2048Env.grid(observation) or []
    return [[int(cell) if cell.isdigit() else 0 for cell in row] for row in rows]


def digest(text: str) -> list[str]:
    """Return the counts or marks of an answer."""
    if marks := re.findall(r"\w: (green|yellow|grey)", text):
        return marks
    if marks := re.findall(r"is a (correct|wrong) letter(.*)\.", text):
        kinds = {("correct", " in right position"): "green", ("wrong", ""): "grey"}
        return [kinds.get(mark, "yellow") for mark in marks]
    return re.findall(r"(\d+) correct", text)


def main() -> None:
    """Play all games and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path, help="a checkout of AgentQuest")
    parser.add_argument("--games", type=int, default=100, help="of each mix")
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    options = parser.parse_args()
    for name in GAMES:
        for mix, act in MIXES.items():
            total: Counter[str] = Counter()
            for seed in range(options.seed, options.seed + options.games):
                total += walk(name, options.checkout, act, seed)
            print(name, mix, dict(total), flush=True)


if __name__ == "__main__":
    main()
