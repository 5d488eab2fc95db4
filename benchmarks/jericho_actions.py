"""How long does the list of admissible actions take, and is it complete?

For every state of a solution: the processor time of finding the admissible actions,
and whether they hold one that leads to the same world as the solution's next step. The
solution is the recorded one for our adventures and, where jericho is installed and
``--games FOLDER`` has the story files, the published walkthrough for known titles. Then
a greedy best-first search over states, guided by progress, in nodes per second.
"""

from __future__ import annotations

import argparse
import heapq
import warnings
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from time import process_time

from timing import Target, Times, judge, percentile_95

from aq_gym.envs.jericho.admissible import Explorer, Mask, World, Worlds
from aq_gym.envs.jericho.env import JerichoEnv
from aq_gym.envs.jericho.expert import Guide
from aq_gym.envs.jericho.games import ADVENTURES
from aq_gym.envs.jericho.moment import Moment
from aq_gym.envs.jericho.session import Session

SEED = 7
# All but one of some 160 steps.
MOST_MS, MOST_MS_TITLE, LEAST_SHARE, LEAST_NODES = 100.0, 300.0, 0.9936, 70.0
NODES, MOST_STATES = 1_000, 60
FIGURES: dict[str, Callable[[Sequence[float]], float]]
FIGURES = {"median": median, "p95": percentile_95, "longest": max}


def adventure(name: str) -> tuple[JerichoEnv, list[str]]:
    """Return an environment at a layout's beginning and the recorded solution."""
    env = JerichoEnv(game=name)
    session = Session(env._manager.game)
    commands = [step.command for step in Guide(session).solution(SEED)]
    env.reset(options={"task_id": f"{name}-{SEED}"})
    return env, commands


def title(name: str, folder: str) -> tuple[JerichoEnv, list[str]]:
    """Return an environment at a title's beginning and the published walkthrough."""
    import jericho

    env = JerichoEnv(game=name, games=folder, protocol="jericho")
    env.reset(seed=SEED)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        judge = jericho.FrotzEnv(f"{folder}/{name}.z5")
    return env, [command.lower() for command in judge.get_walkthrough()]


def world(worlds: Worlds, command: str, here: Moment, mask: Mask) -> World | None:
    """Return the world after a command, None if it is not understood."""
    trial = worlds.attempt(command, here)
    return None if trial is None else worlds.world(trial, mask)


def explore(env: JerichoEnv, commands: Sequence[str]) -> Iterator[tuple[float, bool]]:
    """Yield the time of each list, and whether it has the solution's next step."""
    session = env._manager.session
    explorer = Explorer(session)
    for command in commands:
        here = session.now
        if here.over:
            return
        start = process_time()
        found = explorer.find().commands
        took = process_time() - start
        if here.wants_key:
            session.do(command)
            continue
        worlds = explorer.worlds
        mask = worlds.mask(here)
        wanted = world(worlds, command, here, mask)
        if wanted not in (None, worlds.world(here, mask)):
            yield took, any(world(worlds, c, here, mask) == wanted for c in found)
        session.jump(here)
        session.do(command)


def nodes_per_second(env: JerichoEnv, nodes: int) -> float:
    """Return the nodes (steps tried) per second of a greedy best-first search."""
    env.reset(options={"task_id": f"{env._manager.game.name}-{SEED}"})
    heap = [(0.0, 0, env.get_state())]
    seen = {env.get_state().world}
    count, start = 0, process_time()
    while heap and count < nodes:
        _, _, state = heapq.heappop(heap)
        env.set_state(state)
        for action in env.admissible_actions():
            env.set_state(state)
            _, _, terminated, truncated, info = env.step(action)
            count += 1
            after = env.get_state()
            if terminated or truncated or after.world in seen:
                continue
            seen.add(after.world)
            heapq.heappush(heap, (-info["progress"], count, after))
    return count / (process_time() - start)


def main() -> None:
    """Print the times, the share of steps found and the search's speed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="adventures; all if none is named")
    parser.add_argument("--games", help="a folder with story files of known titles")
    parser.add_argument("--titles", nargs="*", default=("905", "loose", "zork1"))
    parser.add_argument("--nodes", type=int, default=NODES)
    options = parser.parse_args()
    times: Times = {}
    finds: list[bool] = []
    names = options.names or ADVENTURES
    titles = options.titles if options.games else ()
    headings = (*(f"{label} ms" for label in FIGURES), "next step found")
    print(f"| adventure | {' | '.join(headings)} |")
    print("|---" * (len(headings) + 1) + "|")
    for name in (*names, *titles):
        ours = name in ADVENTURES
        env, commands = adventure(name) if ours else title(name, options.games)
        found = list(explore(env, commands[:MOST_STATES]))
        times[name] = [took for took, _ in found]
        if ours:
            finds += [find for _, find in found]
        share = sum(find for _, find in found) / len(found)
        shown = (f"{figure(times[name]) * 1e3:.1f}" for figure in FIGURES.values())
        print(f"| {name} | {' | '.join(shown)} | {share:.1%} |", flush=True)
        env.close()
    for name in times:
        limit = MOST_MS if name in ADVENTURES else MOST_MS_TITLE
        print(judge(Target(name, limit), times, "ms"))
    share = sum(finds) / len(finds)
    print(verdict(share))
    print(f"\n| adventure | nodes/s | at least {LEAST_NODES:g} |\n|---|---|---|")
    for name in names:
        env = JerichoEnv(game=name)
        rate = nodes_per_second(env, options.nodes)
        env.close()
        met = rate >= LEAST_NODES
        print(f"| {name} | {rate:.0f} | {'met' if met else 'MISSED'} |")


def verdict(share: float) -> str:
    """Return whether the next step of the solutions is found often enough."""
    met = "met" if share >= LEAST_SHARE else "MISSED"
    return f"target: next step found at least {LEAST_SHARE:.1%}: {met} ({share:.1%})"


if __name__ == "__main__":
    main()
