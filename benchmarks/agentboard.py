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

# Draws an action from those that are offered, or asks the expert.
Mix: TypeAlias = Callable[[np.random.Generator, Sequence[str], Callable[[], str]], str]
SPELLING = (str.upper, str.title, "  {}\t".format, "the {}".format, "{}.".format)
FRAMES = (
    "I will {}", "Action: {}", "{} please", "{},", "\"{}\"", "`{}`", "{0}\n{0}",
    "{0} {0}", "{}!", "First: {}. Then: look.",
)  # fmt: skip
# With digits of other scripts, too.
WRAPPED = (
    "\u201c{}\u201d", "<{}>", "[{}]", "*{}*", "{}?", "\u00a0{}\u200b",
    '{{"action": "{}", "why": 1}}', "act({{'action': '{}'}})",
)  # fmt: skip
_DIGITS = str.maketrans(
    "0123456789", "\u0660\u0661\u0662\u0663\u0664\uff15\uff16\uff17\uff18\uff19"
)
_StepResult: TypeAlias = tuple[str, Any, bool, bool, dict[str, Any]]


class AgentBoard:
    """AgentBoard's environments."""

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


def mixes(
    only: Sequence[str] | None,
    invalid: Sequence[str],
    unknown: Sequence[str],
    check: Sequence[str],
) -> dict[str, Mix]:
    """Return mixes of actions by name.

    Args:
        only: The names of those that are returned; None for all.
        invalid: Texts that are no actions.
        unknown: Actions that name no object of the world.
        check: Actions that ask for the valid actions.
    """
    made: dict[str, Mix] = {
        "random": _random,
        "expert": _expert,
        "noisy expert": _mixed(0.3, _random, _expert),
        "invalid": _mixed(0.4, lambda rng, *_: _one_of(rng, invalid), _random),
        "check": _mixed(0.3, lambda rng, *_: _one_of(rng, check), _random),
        "unknown objects": _mixed(0.4, lambda rng, *_: _one_of(rng, unknown), _random),
        "odd spelling": _mixed(0.5, _spelt, _random),
        "swapped words": _mixed(0.5, _swapped, _expert),
        "doubled words": _mixed(0.5, _doubled, _expert),
        "cut off": _mixed(0.4, _cut_off, _expert),
        "in other words": _mixed(0.5, _framed, _random),
        "wrapped": _mixed(0.5, _wrapped, _expert),
    }
    return {name: made[name] for name in only or made}


def _one_of(rng: np.random.Generator, choices: Sequence[str]) -> str:
    return choices[int(rng.integers(len(choices)))]


def _mixed(share: float, other: Mix, usual: Mix) -> Mix:
    """Return a mix that takes another's action with this probability."""
    return lambda rng, *known: (other if rng.random() < share else usual)(rng, *known)


def _random(
    rng: np.random.Generator, actions: Sequence[str], expert: Callable[[], str]
) -> str:
    return _one_of(rng, actions)


def _expert(
    rng: np.random.Generator, actions: Sequence[str], expert: Callable[[], str]
) -> str:
    return expert()


def _spelt(
    rng: np.random.Generator, actions: Sequence[str], expert: Callable[[], str]
) -> str:
    """Draw an action that is offered, and write it in another way."""
    return SPELLING[int(rng.integers(len(SPELLING)))](_one_of(rng, actions))


def _swapped(
    rng: np.random.Generator, actions: Sequence[str], expert: Callable[[], str]
) -> str:
    """Draw an action, with a word of another one in place of one of its own."""
    words, others = _one_of(rng, actions).split(), _one_of(rng, actions).split()
    words[int(rng.integers(len(words)))] = _one_of(rng, others)
    return " ".join(words)


def _doubled(
    rng: np.random.Generator, actions: Sequence[str], expert: Callable[[], str]
) -> str:
    """Draw an action, with one of its words in two places."""
    words = _one_of(rng, actions).split()
    words[int(rng.integers(len(words)))] = _one_of(rng, words)
    return " ".join(words)


def _cut_off(
    rng: np.random.Generator, actions: Sequence[str], expert: Callable[[], str]
) -> str:
    action = _one_of(rng, actions)
    return action[: int(rng.integers(len(action) + 1))]


def _framed(
    rng: np.random.Generator, actions: Sequence[str], expert: Callable[[], str]
) -> str:
    """Draw an action, as models write it among other words."""
    return _one_of(rng, FRAMES).format(_one_of(rng, actions))


def _wrapped(
    rng: np.random.Generator, actions: Sequence[str], expert: Callable[[], str]
) -> str:
    """Draw an action in quotes, brackets or JSON, or with digits of other scripts."""
    action = _one_of(rng, actions)
    if rng.random() < 0.2:
        return action.translate(_DIGITS)
    return _one_of(rng, WRAPPED).format(action)


def parser(description: str) -> argparse.ArgumentParser:
    """Return a parser with the options that every comparison has."""
    made = argparse.ArgumentParser(description=description)
    made.add_argument(
        "--agentboard", type=Path, required=True, help="a checkout of AgentBoard"
    )
    made.add_argument("--python", default=sys.executable, help="its interpreter")
    made.add_argument("--seed", type=int, default=0, help="of the drawn actions")
    made.add_argument("--mixes", nargs="*", help="the only mixes to play")
    return made
