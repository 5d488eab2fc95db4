"""How long does a step of interactive fiction take, compared with jericho?

One operation is a step: a walk of up to 100 commands is played from the beginning, over
and over, by jericho's environment (without its template actions), by our interpreter
and, on our adventures, by our environment, which also judges what was reached. Our
adventures are played along their recorded solution; other stories along jericho's
walkthrough, or drawn commands where it has none. The last table sums up all walks.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from timing import Sample, Target, Times, interleave, rounds_argument, show
from zmachine_judge import ADVENTURES, drawn, walkthrough

from aq_gym.envs.jericho.env import JerichoEnv
from aq_gym.envs.jericho.expert import Guide
from aq_gym.envs.jericho.games import find_game
from aq_gym.envs.jericho.session import Session
from aq_gym.zmachine import Interpreter, Status, Stream

SEED = 7
COMMANDS = 100
MOST_US, MOST_RATIO, MOST_MEDIAN, MOST_TOTAL = 500.0, 1.6, 1.5, 1.0


class Walk:
    """A story's commands, timed one by one.

    Args:
        path: The story file.

    Attributes:
        sums: The time of a whole walk, by candidate, a sample for each round.
    """

    def __init__(self, path: Path) -> None:
        self.name = path.stem
        self._ours = path.parent == ADVENTURES
        self._story = path.read_bytes()
        self._machine = Interpreter(self._story, undo=False)
        self._bare = _jericho(path)
        self._env = JerichoEnv(game=self.name) if self._ours else None
        self._commands = self._playable(_commands(path, self._ours))
        self.sums: Times = {"interpreter": [], "jericho": []}

    def _playable(self, commands: list[str]) -> list[str]:
        """Return the commands up to the first after which the story wants no line."""
        self._begin()
        for count, command in enumerate(commands):
            if self._machine.step(command).status != Status.LINE:
                return commands[:count]
        return commands

    def _begin(self) -> None:
        answer = self._machine.start(SEED, Stream.JERICHO)
        while answer.status == Status.KEY:
            answer = self._machine.step("")

    def interpreter(self) -> float:
        """Play the walk with our interpreter."""
        self._begin()
        return self._time("interpreter", self._machine.step)

    def jericho(self) -> float:
        """Play the walk with jericho."""
        self._bare.reset()
        if self._ours:
            self._bare.step("")
        return self._time("jericho", self._bare.step)

    def environment(self) -> float:
        """Play the walk with our environment."""
        assert self._env is not None
        self._env.reset(options={"task_id": f"{self.name}-{SEED}"})
        return self._time("", self._env.step)

    def _time(self, name: str, step: Callable[[str], Any]) -> float:
        """Return the median of a step's times, and remember their sum."""
        times = []
        for command in self._commands:
            start = process_time()
            step(command)
            times.append(process_time() - start)
        if name:
            self.sums[name].append(sum(times))
        return median(times)

    def candidates(self) -> dict[str, Sample]:
        """Return the candidates by name."""
        found: dict[str, Sample] = {
            "interpreter": self.interpreter,
            "jericho": self.jericho,
        }
        if self._env is not None:
            found["aq_gym"] = self.environment
        return found


def _jericho(path: Path) -> Any:
    import jericho  # type: ignore[import-untyped, unused-ignore]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return jericho.FrotzEnv(str(path), seed=SEED)


def _commands(path: Path, ours: bool) -> list[str]:
    if ours:
        session = Session(find_game(path.stem))
        commands = [step.command for step in Guide(session).solution(SEED)]
        session.close()
        return commands[:-1]
    return (walkthrough(path) or drawn(1, COMMANDS))[:COMMANDS]


def measure(path: Path, rounds: int) -> Times:
    """Print a story's table, and return the times of its whole walks."""
    walk = Walk(path)
    times = interleave(walk.candidates(), rounds)
    targets = [Target("interpreter", MOST_MEDIAN, "jericho")]
    if "aq_gym" in times:
        targets += [Target("aq_gym", MOST_US), Target("aq_gym", MOST_RATIO, "jericho")]
    show(f"{walk.name}: a step", times, "jericho", "us", targets)
    return {name: sums[-rounds:] for name, sums in walk.sums.items()}


def main() -> None:
    """Print a table for each story asked for, and one for all."""
    parser: argparse.ArgumentParser = rounds_argument(__doc__, default=20)
    parser.add_argument("games", nargs="*", help="adventures; all if none is named")
    parser.add_argument("--stories", type=Path, help="a folder with more story files")
    arguments = parser.parse_args()
    names = arguments.games or sorted(path.stem for path in ADVENTURES.glob("*.z5"))
    paths = [ADVENTURES / f"{name}.z5" for name in names]
    if arguments.stories:
        paths += sorted(arguments.stories.glob("*.z[3458]"))
    walks = [measure(path, arguments.rounds) for path in paths]
    total: Times = {
        name: [sum(sums) for sums in zip(*(walk[name] for walk in walks), strict=True)]
        for name in ("interpreter", "jericho")
    }
    targets = [Target("interpreter", MOST_TOTAL, "jericho")]
    show(f"all {len(walks)} walks", total, "jericho", "ms", targets)


if __name__ == "__main__":
    main()
