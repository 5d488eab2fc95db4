"""Measure the time that the evaluation adds to a step and to an episode.

A random agent plays the same episodes of five benchmarks (``--envs``) again and again.
"loop" is the loop of the README: make, reset, step, without wrappers or files.
"episode" is the work of a worker: the same with ExtractAction, RepetitionRate,
TrajectoryLogger and the metrics of the episode. "run" is ``aq_gym.evaluation.run`` in
this process, with the journal and the summary. A step is the processor time of an
episode divided by its steps, so that making environments and headers is in it too; the
second table has episodes of a single step. The files are removed at the end, because
ext4 creates files more slowly after a removal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from timing import Sample, Target, interleave, judge, rounds_argument, seconds, show

from aq_gym.agents import load
from aq_gym.evaluation import Suite, Task, run
from aq_gym.evaluation.play import POOL, Job, play_episode, play_in

ENVS = ("Mastermind", "Sudoku", "BabyAI-text", "PDDL", "ALFWorld")
_NUMBERS = count()


def play_bare(todo: Sequence[Task]) -> None:
    """Play tasks without any harness."""
    for task in todo:
        env = task.make()
        play_in(env, load("random"), task.seed)
        env.close()


def play_as_worker(todo: Sequence[Task], folder: Path) -> None:
    """Play tasks as a worker does."""
    directory = folder / str(next(_NUMBERS))
    directory.mkdir()
    with POOL.kept():
        for task in todo:
            play_episode(Job(task, "random", {}, directory))


def play_run(todo: Sequence[Task], folder: Path) -> int:
    """Run tasks as a suite, and return their number of steps."""
    episodes = run(Suite("speed", tuple(todo)), folder / str(next(_NUMBERS)))
    return sum(episode.steps for episode in episodes)


def added(
    title: str, todo: Sequence[Task], rounds: int, unit: str, most: float
) -> None:
    """Print what the harness adds to a step, or to an episode of one step."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        steps = play_run(todo, folder)

        def sample(play: Callable[[], object]) -> Sample:
            return lambda: seconds(play) / steps

        samples = {
            "loop": sample(partial(play_bare, todo)),
            "episode": sample(partial(play_as_worker, todo, folder)),
            "run": sample(partial(play_run, todo, folder)),
        }
        times = interleave(samples, rounds)
    show(title, times, "loop", unit)
    for name in ("episode", "run"):
        pairs = zip(times[name], times["loop"], strict=True)
        more = {f"added by {name}": [own - bare for own, bare in pairs]}
        print(judge(Target(f"added by {name}", most), more, unit), flush=True)
    print()


def main() -> None:
    """Print the tables."""
    parser = rounds_argument(__doc__, default=8)
    parser.add_argument("--envs", nargs="+", default=ENVS, help="benchmarks")
    given = parser.parse_args()
    for title, seeds, cap, unit, most in (
        ("A step", 15, None, "us", 40.0),
        ("An episode of one step", 100, 1, "ms", 0.5),
    ):
        todo = [
            Task(f"aq/{name}-v0", seed, max_steps=cap)
            for seed in range(seeds)
            for name in given.envs
        ]
        added(title, todo, given.rounds, unit, most)


if __name__ == "__main__":
    main()
