"""What do the guards and subgoals cost, beside jericho's bare interpreter?

One operation is a step of one of our adventures: the recorded solution is played from
the beginning, over and over. A second table has what is only done on request: finding
the admissible actions in every state of the solution, and whether they hold one that
leads to the same world as the solution's next step.
"""

from __future__ import annotations

import argparse
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import process_time

from timing import Sample, Target, Times, interleave, judge, rounds_argument, show

from aq_gym.envs.jericho.admissible import Explorer
from aq_gym.envs.jericho.env import JerichoEnv
from aq_gym.envs.jericho.expert import Guide
from aq_gym.envs.jericho.games import ADVENTURES, find_game
from aq_gym.envs.jericho.session import Session

SEED = 7
MOST_US, MOST_RATIO, MOST_MS, LEAST_SHARE = 500.0, 1.6, 150.0, 0.95


def solution(name: str) -> list[str]:
    """Return the recorded solution of a layout."""
    session = Session(find_game(name), isolate=False, time_limit=5)
    commands = [step.command for step in Guide(session).solution(SEED)]
    session.close()
    return commands


def candidates(name: str, folder: str) -> dict[str, Sample]:
    """Return a step of our environment and one of the bare interpreter."""
    import jericho

    commands = solution(name)
    path = Path(folder, f"{name}.z5")
    path.write_bytes(find_game(name).story)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        bare = jericho.FrotzEnv(str(path), seed=SEED)
    bare.step("")
    begun = bare.get_state()
    env = JerichoEnv(game=name)

    def ours() -> float:
        env.reset(options={"task_id": f"{name}-{SEED}"})
        return per_step(env.step)

    def theirs() -> float:
        bare.set_state(begun)
        return per_step(bare.step)

    def per_step(step: object) -> float:
        times = []
        for command in commands[:-1]:
            start = process_time()
            step(command)  # type: ignore[operator]
            times.append(process_time() - start)
        return median(times)

    return {"aq_gym": ours, "jericho": theirs}


def explore(name: str) -> Iterator[tuple[float, bool]]:
    """Yield, for each state of the solution that it changes, the time and the find."""
    session = Session(find_game(name), isolate=False, time_limit=5)
    steps = Guide(session).solution(SEED)
    explorer = Explorer(session)
    session.start(SEED)
    for step in steps:
        here = session.now
        start = process_time()
        found = explorer.commands()
        took = process_time() - start
        mask = explorer.mask()
        session.do(step.command)
        after = session.now
        wanted = explorer.world(after, mask)
        if wanted != explorer.world(here, mask):
            yield (
                took,
                any(_leads(session, c, explorer, mask, here, wanted) for c in found),
            )
        session.jump(after)


def _leads(session, command, explorer, mask, here, wanted):  # noqa: ANN001, ANN202
    session.jump(here)
    session.do(command)
    return explorer.world(session.now, mask) == wanted


def main() -> None:
    """Print a table for each adventure asked for, and one for exploring."""
    parser: argparse.ArgumentParser = rounds_argument(__doc__, default=20)
    parser.add_argument("games", nargs="*", help="adventures; all if none is named")
    arguments = parser.parse_args()
    exploring: Times = {}
    finds: list[bool] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.games or ADVENTURES:
            times = interleave(candidates(name, folder), arguments.rounds)
            targets = [
                Target("aq_gym", MOST_US),
                Target("aq_gym", MOST_RATIO, "jericho"),
            ]
            show(f"{name}: a step", times, "jericho", "us", targets)
            found = list(explore(name))
            exploring[name] = [took for took, _ in found]
            finds += [find for _, find in found]
    for name in exploring:
        print(judge(Target(name, MOST_MS), exploring, "ms"))
    share = sum(finds) / len(finds)
    verdict = "met" if share >= LEAST_SHARE else "MISSED"
    print(f"target: next step found in {LEAST_SHARE:.0%}: {verdict} ({share:.1%})")


if __name__ == "__main__":
    main()
