"""Measure the time that the evaluation adds, and the speed of two processes.

A random agent plays the same episodes of five benchmarks (``--envs``) again and again.
"loop" is the loop of the README: make, reset, step, without wrappers or files.
"episode" is the work of a worker: the same with ExtractAction, RepetitionRate,
TrajectoryLogger and the figures of the episode. "run" is ``aq_gym.evaluation.run`` in
this process, with the journal and the summary. A step is the processor time of an
episode by its steps, so that making environments and headers is in it too. The files
are removed at the end, because ext4 creates the files after a removal up to ten times
slower; "file" is the time of creating an empty one for each episode, which depends on
the file system (``TMPDIR``) and not on the harness.

The second table is about episodes of a single step, beside a loop that makes each
environment once; it is what an episode costs however short it is.

Then about a minute of episodes is run in one and in two worker processes, in wall
clock time. The rows "loop" are the best that the machine can do at the same load: one
and two processes that play without the harness. The last table corrects for the load:
Linux reports how long a process waited for a processor; the longest life of a worker
minus that time is what it would take on an idle machine with enough processors.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from shutil import rmtree
from statistics import median
from tempfile import mkdtemp
from typing import Any

from timing import Sample, Target, Times, interleave, judge, rounds_argument, show

from aq_gym.agents import load
from aq_gym.evaluation import Suite, Task, run
from aq_gym.evaluation.execution.env_pool import POOL
from aq_gym.evaluation.execution.jobs import Job, play_episode, play_in

ENVS = ("Mastermind", "Sudoku", "BabyAI-text", "PDDL", "ALFWorld")
MOST_MICROSECONDS = 40.0
MOST_MILLISECONDS = 0.5
LEAST_SPEEDUP = 1.7


@cache
def results() -> str:
    """Return the directory of all results, which is removed at the end."""
    directory = mkdtemp()
    atexit.register(rmtree, directory)
    return directory


def new_directory() -> Path:
    """Return a new directory."""
    return Path(mkdtemp(dir=results()))


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


def create_files(todo: Sequence[Task]) -> None:
    """Create an empty file for each task."""
    directory = new_directory()
    for task in todo:
        os.close(os.open(f"{directory}/{task.name}", os.O_CREAT | os.O_EXCL))


def play_as_worker(todo: Sequence[Task]) -> None:
    """Play tasks as a worker does."""
    directory = new_directory()
    with POOL.kept():
        for task in todo:
            play_episode(Job(task, "random", {}, directory))


def play_run(todo: Sequence[Task], executor: str = "inline", workers: int = 1) -> int:
    """Run tasks as a suite, and return their number of steps."""
    suite = Suite("speed", tuple(todo))
    episodes = run(suite, new_directory(), executor=executor, workers=workers)
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


def play_in_one(todo: Sequence[Task]) -> None:
    """Play tasks without any harness, in one environment for each setting."""
    envs: dict[str, Any] = {}
    for task in todo:
        if task.setting not in envs:
            envs[task.setting] = task.make()
        play_in(envs[task.setting], load("random"), task.seed)


def cost_of_an_episode(rounds: int, envs: Sequence[str]) -> None:
    """Print the cost of an episode of one step with and without the harness."""
    todo = tasks(100, envs, cap=1)

    def sample(play: partial[Any]) -> Sample:
        def played() -> float:
            start = time.process_time()
            play()
            return (time.process_time() - start) / len(todo)

        return played

    times = interleave(
        {
            "file": sample(partial(create_files, todo)),
            "loop": sample(partial(play_in_one, todo)),
            "episode": sample(partial(play_as_worker, todo)),
            "run": sample(partial(play_run, todo)),
        },
        rounds,
    )
    show("An episode of one step", times, "loop", "ms")
    added = {
        "added by episode": [
            a - b for a, b in zip(times["episode"], times["loop"], strict=True)
        ]
    }
    print(judge(Target("added by episode", MOST_MILLISECONDS), added, "ms"))


def cost_of_a_step(rounds: int, envs: Sequence[str]) -> None:
    """Print the cost of a step with and without the harness."""
    todo = tasks(15, envs)
    steps = play_run(todo)

    def sample(play: partial[Any]) -> Sample:
        def played() -> float:
            start = time.process_time()
            play()
            return (time.process_time() - start) / steps

        return played

    times = interleave(
        {
            "loop": sample(partial(play_bare, todo)),
            "episode": sample(partial(play_as_worker, todo)),
            "run": sample(partial(play_run, todo)),
        },
        rounds,
    )
    show("A step", times, "loop")
    added = {
        f"added by {name}": [a - b for a, b in zip(own, times["loop"], strict=True)]
        for name, own in times.items()
    }
    for name in ("added by episode", "added by run"):
        print(judge(Target(name, MOST_MICROSECONDS), added, "us"))


def speed_of_two(rounds: int, episodes: int, envs: Sequence[str]) -> None:
    """Print the time of the same episodes in one process and in two."""
    todo = tasks(episodes, envs)
    undisturbed: Times = {}

    def sample(name: str, play: partial[Any]) -> Sample:
        def played() -> float:
            start, watch = time.perf_counter(), Watch()
            play()
            undisturbed.setdefault(name, []).append(watch.end())
            return time.perf_counter() - start

        return played

    plays: dict[str, partial[Any]] = {
        "run, 1 process": partial(play_run, todo, "processes", 1),
        "run, 2 processes": partial(play_run, todo, "processes", 2),
        "loop, 1 process": partial(play_bare_in, 1, todo),
        "loop, 2 processes": partial(play_bare_in, 2, todo),
    }
    samples = {name: sample(name, play) for name, play in plays.items()}
    times = interleave(samples, rounds, warm_up=False)
    for title, own in (("on the clock", times), ("undisturbed", undisturbed)):
        show(f"{len(todo)} episodes, {title}", own, "run, 1 process", "s")
        reached, possible = speedup(own, "run"), speedup(own, "loop")
        verdict = "met" if reached >= LEAST_SPEEDUP else "MISSED"
        print(
            f"target: run at least {LEAST_SPEEDUP} x as fast in two processes: "
            f"{verdict} ({reached:.3g}; loop: {possible:.3g})"
        )


class Watch(threading.Thread):
    """Measures how long the children of this process live, compute and wait."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._before = time.process_time()
        self._over = threading.Event()
        self._seen: dict[int, tuple[float, float]] = {}
        self.start()

    def run(self) -> None:
        """Look at the children four times a second."""
        while not self._over.wait(0.25):
            for child in multiprocessing.active_children():
                with suppress(OSError):
                    self._look(child.pid or 0)

    def end(self) -> float:
        """Return the seconds that the work would take on an idle machine."""
        self._over.set()
        self.join()
        lives = [life for life, _ in self._seen.values()]
        computed = sum(cpu for _, cpu in self._seen.values())
        every = computed + time.process_time() - self._before
        return max([every / (os.cpu_count() or 1), *lives])

    def _look(self, pid: int) -> None:
        computed, queued = map(
            int, Path(f"/proc/{pid}/schedstat").read_text().split()[:2]
        )
        began = int(
            Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
        )
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - began / os.sysconf("SC_CLK_TCK")
        self._seen[pid] = age - queued / 1e9, computed / 1e9


def speedup(times: Times, name: str) -> float:
    """Return how much faster two processes are than one, as a median over rounds."""
    pairs = zip(times[f"{name}, 1 process"], times[f"{name}, 2 processes"], strict=True)
    return median(one / two for one, two in pairs)


def main() -> None:
    """Print both tables."""
    parser = rounds_argument(__doc__, default=20)
    parser.add_argument(
        "--minutes",
        type=int,
        default=3,
        help="rounds of the second table (%(default)s)",
    )
    parser.add_argument(
        "--episodes", type=int, default=1200, help="of each benchmark (%(default)s)"
    )
    parser.add_argument("--envs", nargs="+", default=ENVS, help="benchmarks")
    options = parser.parse_args()
    if options.rounds:
        cost_of_a_step(options.rounds, options.envs)
        cost_of_an_episode(options.rounds, options.envs)
    if options.minutes:
        speed_of_two(options.minutes, options.episodes, options.envs)


if __name__ == "__main__":
    main()
