"""Measure the time that the evaluation adds, and the speed of two processes.

A random agent plays the same episodes of five benchmarks (``--envs``) again and again.
"loop" is the loop of the README: make, reset, step, without wrappers or files.
"episode" is the work of a worker: the same with ExtractAction, RepetitionRate,
TrajectoryLogger and the metrics of the episode. "run" is ``aq_gym.evaluation.run`` in
this process, with the journal and the summary. A step is the processor time of an
episode divided by its steps, so that making environments and headers is in it too; the
second table has episodes of a single step. The files are removed at the end, because
ext4 creates files more slowly after a removal.

Then about a minute of episodes is run in one and in two worker processes, in wall
clock time. The rows "loop" are one and two processes that play without the harness.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from timing import Sample, Target, interleave, judge, rounds_argument, show

from aq_gym.agents import load
from aq_gym.evaluation import Suite, Task, run
from aq_gym.evaluation.play import POOL, Job, play_episode, play_in

ENVS = ("Mastermind", "Sudoku", "BabyAI-text", "PDDL", "ALFWorld")
MOST_MICROSECONDS = 40.0
MOST_MILLISECONDS = 0.5

Play: TypeAlias = Callable[[], Any]
_NUMBERS = count()


def tasks(
    episodes: int, envs: Sequence[str] = ENVS, cap: int | None = None
) -> tuple[Task, ...]:
    """Return tasks of each benchmark."""
    return tuple(
        Task(f"aq/{name}-v0", seed, max_steps=cap)
        for seed in range(episodes)
        for name in envs
    )


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


def play_run(
    todo: Sequence[Task], folder: Path, executor: str = "inline", workers: int = 1
) -> int:
    """Run tasks as a suite, and return their number of steps."""
    suite, directory = Suite("speed", tuple(todo)), folder / str(next(_NUMBERS))
    episodes = run(suite, directory, executor=executor, workers=workers)
    return sum(episode.steps for episode in episodes)


def play_bare_in(processes: int, todo: Sequence[Task]) -> None:
    """Play tasks in independent processes."""
    context = multiprocessing.get_context("spawn")
    players = [
        context.Process(target=play_bare, args=(todo[part::processes],))
        for part in range(processes)
    ]
    for player in players:
        player.start()
    for player in players:
        player.join()


def sample(play: Play, clock: Callable[[], float], parts: int = 1) -> Sample:
    """Return a sample of one of so many parts of what is played."""

    def played() -> float:
        start = clock()
        play()
        return (clock() - start) / parts

    return played


def added(title: str, todo: Sequence[Task], folder: Path, rounds: int) -> None:
    """Print what the harness adds to a step, or to an episode of one step."""
    steps = play_run(todo, folder)
    plays: dict[str, Play] = {
        "loop": partial(play_bare, todo),
        "episode": partial(play_as_worker, todo, folder),
        "run": partial(play_run, todo, folder),
    }
    clock = time.process_time
    samples = {name: sample(play, clock, steps) for name, play in plays.items()}
    times = interleave(samples, rounds)
    short = steps == len(todo)
    unit, most = ("ms", MOST_MILLISECONDS) if short else ("us", MOST_MICROSECONDS)
    show(title, times, "loop", unit)
    for name in ("episode", "run"):
        pairs = zip(times[name], times["loop"], strict=True)
        more = {f"added by {name}": [own - bare for own, bare in pairs]}
        print(judge(Target(f"added by {name}", most), more, unit))
    print(flush=True)


def speed_of_two(todo: Sequence[Task], folder: Path, rounds: int) -> None:
    """Print the time of the same episodes in one process and in two."""
    plays: dict[str, Play] = {
        "run, 1 process": partial(play_run, todo, folder, "processes", 1),
        "run, 2 processes": partial(play_run, todo, folder, "processes", 2),
        "loop, 1 process": partial(play_bare_in, 1, todo),
        "loop, 2 processes": partial(play_bare_in, 2, todo),
    }
    samples = {name: sample(play, time.perf_counter) for name, play in plays.items()}
    times = interleave(samples, rounds, warm_up=False)
    target = Target("run, 2 processes", 1 / 1.7, "run, 1 process")
    show(f"{len(todo)} episodes", times, "run, 1 process", "s", [target])


def main() -> None:
    """Print the tables."""
    parser = rounds_argument(__doc__, default=8)
    parser.add_argument("--processes", type=int, default=3, help="rounds of the last")
    parser.add_argument("--episodes", type=int, default=400, help="of the last, each")
    parser.add_argument("--envs", nargs="+", default=ENVS, help="benchmarks")
    given = parser.parse_args()
    with TemporaryDirectory() as name:
        folder, envs = Path(name), given.envs
        added("A step", tasks(15, envs), folder, given.rounds)
        short = tasks(100, envs, cap=1)
        added("An episode of one step", short, folder, given.rounds)
        if given.processes:
            speed_of_two(tasks(given.episodes, envs), folder, given.processes)


if __name__ == "__main__":
    main()
