r"""Run AgentBoard's published code in a separate interpreter, for comparison.

git clone https://github.com/hkust-nlp/AgentBoard
python -m venv ab
ab/bin/pip install minigrid==2.3.0 gymnasium==0.28.1 gym==0.26.2 matplotlib
ab/bin/pip install "numpy<2" nltk imageio scikit-image
python benchmarks/babyai_agentboard.py --agentboard AgentBoard \\
        --python ab/bin/python
python benchmarks/pddl_agentboard.py --agentboard AgentBoard --python ab/bin/python
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self, TypeAlias

import numpy as np

__all__ = ["AgentBoard", "compare", "draw", "parser"]

_StepResult: TypeAlias = tuple[str, Any, bool, bool, dict[str, Any]]


class AgentBoard:
    """AgentBoard's environments.

    Args:
        python: The interpreter that has its requirements.
        checkout: A checkout of its repository.
    """

    def __init__(self, python: str, checkout: Path) -> None:
        server = Path(__file__).with_name("agentboard_server.py")
        self._process = subprocess.Popen(
            [python, "-W", "ignore", str(server), str(checkout / "agentboard")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, **request: Any) -> dict[str, Any]:
        """Make an environment, or step it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        reply: dict[str, Any] = json.loads(self._process.stdout.readline())
        return reply

    def __enter__(self) -> Self:
        """Return the environments, which end with the ``with`` statement."""
        return self

    def __exit__(self, *exception: object) -> None:
        """End the interpreter."""
        self._process.terminate()
        self._process.wait()


def compare(
    counts: Counter[str],
    ours: _StepResult,
    theirs: dict[str, Any],
    same: Callable[[str, str], bool] = str.__eq__,
) -> bool:
    """Count a step and its differences; return whether either episode has ended.

    Args:
        counts: The counts, which are changed.
        ours: What our step returned.
        theirs: What AgentBoard answered to the same action.
        same: Compares our observation with AgentBoard's.
    """
    observation, _, done, _, info = ours
    counts["steps"] += 1
    counts["observation"] += not same(observation, theirs["observation"])
    counts["reward"] += info["agentboard_reward"] != theirs["reward"]
    counts["done"] += done != theirs["done"]
    return done or bool(theirs["done"])


def draw(rng: np.random.Generator, actions: Sequence[str], odd: Sequence[str]) -> str:
    """Draw an action; one in ten is unusual."""
    choices = odd if rng.random() < 0.1 else actions
    return choices[int(rng.integers(len(choices)))]


def parser(description: str) -> argparse.ArgumentParser:
    """Return a parser with the options that every comparison has."""
    made = argparse.ArgumentParser(description=description)
    made.add_argument(
        "--agentboard", type=Path, required=True, help="a checkout of AgentBoard"
    )
    made.add_argument("--python", default=sys.executable, help="its interpreter")
    return made
