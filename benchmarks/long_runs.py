"""The processor time to summarize, compare, read and continue a run of many episodes.

A random agent plays Mastermind and Sudoku, a few steps each; the times depend on the
number of episodes and on their steps, which the summary's curves have.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from timing import Sample, Target, interleave, rounds_argument, seconds, show

from aq_gym.evaluation import Suite, Task, compare, load_run, run
from aq_gym.evaluation.summary import summary_record

IDS = ("aq/Mastermind-v0", "aq/Sudoku-v0")
TARGETS = (
    Target("compare", 1.0),
    Target("summary", 2.0),
    Target("continue", 2.0),
)


def make_suite(episodes: int, steps: int) -> Suite:
    """Return a suite of so many episodes of at most so many steps."""
    seeds = range(episodes // len(IDS))
    return Suite("long", tuple(Task(i, s, max_steps=steps) for s in seeds for i in IDS))


def measure(suite: Suite, folder: Path, rounds: int) -> None:
    """Print the times of a suite that was played twice, by agents of two seeds."""
    first, second = (
        run(suite, folder / str(seed), agent_params={"seed": seed}) for seed in range(2)
    )

    def sample(function: Callable[..., object], *arguments: Any) -> Sample:
        return lambda: seconds(function, [arguments])

    times = interleave(
        {
            "read": sample(load_run, folder / "0"),
            "summary": sample(summary_record, suite, first, ()),
            "compare": sample(compare, first, second),
            "continue": sample(
                lambda: run(suite, folder / "0", agent_params={"seed": 0})
            ),
        },
        rounds,
        warm_up=False,
    )
    show(f"{len(first)} episodes", times, "read", "s", TARGETS)


def main() -> None:
    """Play the suite and print the table."""
    parser = rounds_argument(__doc__, default=3)
    parser.add_argument(
        "--episodes", type=int, default=20_000, help="of each run (%(default)s)"
    )
    parser.add_argument(
        "--steps", type=int, default=5, help="of an episode, at most (%(default)s)"
    )
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        suite = make_suite(options.episodes, options.steps)
        measure(suite, Path(folder), options.rounds)


if __name__ == "__main__":
    main()
