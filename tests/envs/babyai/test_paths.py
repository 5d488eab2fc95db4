"""Paths through the visible cells, compared with a plain breadth-first search."""

from collections import deque

import gymnasium as gym
import numpy as np
import pytest

from aq_gym.envs.babyai.logic.layout import FORWARD, LEFT, RIGHT
from aq_gym.envs.babyai.logic.paths import Paths
from aq_gym.envs.babyai.logic.view import OWN_SLOT, SIZE
from aq_gym.envs.babyai.scene import Scene

AHEAD = ((-1, 0), (0, 1), (1, 0), (0, -1))


def ahead(slot: int, heading: int) -> int:
    row, column = slot // SIZE + AHEAD[heading][0], slot % SIZE + AHEAD[heading][1]
    return (
        row * SIZE + column if 0 <= min(row, column) <= max(row, column) < SIZE else -1
    )


def every_path(scene: Scene) -> dict[tuple[int, int], list[int]]:
    """Return the actions to each pose that can be reached, in the order found."""
    cells = scene.view.slots.items()
    free = {OWN_SLOT} | {slot for slot, code in cells if scene.world.passable(code)}
    found: dict[tuple[int, int], list[int]] = {(OWN_SLOT, 0): []}
    queue = deque(found)
    while queue:
        slot, heading = pose = queue.popleft()
        front = ahead(slot, heading)
        moves = [(front, heading, FORWARD)] if front in free else []
        moves += [(slot, (heading - 1) % 4, LEFT), (slot, (heading + 1) % 4, RIGHT)]
        for new_slot, new_heading, action in moves:
            if (new_slot, new_heading) not in found:
                found[new_slot, new_heading] = [*found[pose], action]
                queue.append((new_slot, new_heading))
    return found


def scenes(level: str) -> list[Scene]:
    env = gym.make(f"aq/BabyAI-text-{level}-v0").unwrapped
    rng = np.random.default_rng(0)
    found = []
    for seed in range(3):
        env.reset(seed=seed)
        for _ in range(12):
            terminated = env.step(env.sample_action(rng))[2]
            world = env._mission.world
            # Its own, because the next step changes the environment's.
            found.append(Scene(type(world)(world.layout, world.state())))
            if terminated:
                break
    return found


@pytest.mark.parametrize("level", ["BossLevel", "GoToImpUnlock", "KeyInBox"])
def test_the_first_of_the_shortest_paths_is_found_in_any_order(level):
    rng = np.random.default_rng(1)
    for scene in scenes(level):
        reached = every_path(scene)
        paths = Paths(scene.world, scene.view)
        for slot in rng.permutation([slot for slot, _ in scene.view.things]):
            facing = [p for p in reached if ahead(*p) == slot]
            inside = [p for p in reached if p[0] == slot]
            for poses, answer in (
                (facing, paths.facing(int(slot))),
                (inside, paths.inside(int(slot))),
            ):
                expected = reached[poses[0]] if poses else None
                assert (None if answer is None else paths.to(answer)) == expected
