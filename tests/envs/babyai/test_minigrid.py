"""Our world beside minigrid's: the same beginning, the same at every step."""

import contextlib
import io

import gymnasium as gym
import minigrid  # noqa: F401
import numpy as np
import pytest
from minigrid.core.constants import COLOR_TO_IDX, OBJECT_TO_IDX

from aq_gym.envs.babyai.generation import generate
from aq_gym.envs.babyai.levels import known_levels
from aq_gym.envs.babyai.logic.layout import (
    DONE,
    DROP,
    EMPTY,
    FORWARD,
    LEFT,
    PICKUP,
    RIGHT,
    TOGGLE,
    WALL,
    margin,
)
from aq_gym.envs.babyai.logic.solvable import is_solvable
from aq_gym.envs.babyai.logic.verifier import Outcome
from aq_gym.envs.babyai.logic.view import OWN_SLOT, SIZE, View
from aq_gym.envs.babyai.logic.world import World

SEEDS = 1
STEPS = 60


def reset(level, seed):
    env = gym.make(f"BabyAI-{level}", disable_env_checker=True, max_steps=10**6)
    with contextlib.redirect_stdout(io.StringIO()):
        env.unwrapped.reset(seed=seed)
    # What reset returns shows the levels that start carrying before they do.
    return env.unwrapped, env.unwrapped.gen_obs()


def cell(world, code):
    if code <= WALL:
        kind = "empty" if code == EMPTY else "wall"
        return OBJECT_TO_IDX[kind], COLOR_TO_IDX["grey"] * (code == WALL), 0
    thing = world.things[code]
    return OBJECT_TO_IDX[thing.kind], COLOR_TO_IDX[thing.color], world.doors[code]


def picture(world):
    """Draw what minigrid's ``gen_obs`` draws, from our view."""
    image = np.zeros((SIZE, SIZE, 3), dtype=np.uint8)
    slots = {**View(world).slots, OWN_SLOT: world.carrying}
    for slot, code in slots.items():
        image[slot % SIZE, slot // SIZE] = cell(world, code)
    return image


def grid(world):
    width = world.layout.width
    inside = world.cells[margin(width) : -margin(width)]
    return [cell(world, code) for code in inside]


def their_grid(env):
    encoded = env.grid.encode()
    return [
        tuple(encoded[i % env.width, i // env.width])
        for i in range(env.width * env.height)
    ]


def likely(world, rng):
    """Choose a primitive that has an effect, more often than chance would."""
    code = world.cells[world.front]
    dice = rng.random()
    if dice < 0.35:
        if world.portable(code):
            return int(rng.choice([PICKUP, PICKUP, TOGGLE, LEFT, DONE]))
        if world.things[code].kind == "door":
            return int(rng.choice([TOGGLE, TOGGLE, FORWARD, PICKUP]))
        if world.carrying and code == EMPTY:
            return int(rng.choice([DROP, FORWARD]))
    if dice < 0.8 and world.passable(code):
        return FORWARD
    return int(rng.choice([LEFT, RIGHT, LEFT, RIGHT, PICKUP, DROP, TOGGLE, DONE]))


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", [1741, 2678, 3586])
def test_a_world_that_minigrid_never_finishes_is_replaced(seed):
    """It puts the agent where every empty cell is between four things, in vain."""
    layout = generate("SynthS5R2-v0", seed)
    assert layout == generate("SynthS5R2-v0", seed)
    assert is_solvable(layout)


def test_a_room_without_an_empty_cell_is_left_as_minigrid_does():
    env, _ = reset("SynthS5R2-v0", 264)
    world = World(generate("SynthS5R2-v0", 264))
    assert world.layout.mission == env.mission
    assert grid(world) == their_grid(env)


@pytest.mark.slow
@pytest.mark.parametrize("level", known_levels())
def test_same_as_minigrid(level):
    for seed in range(SEEDS):
        env, observation = reset(level, seed)
        world = World(generate(level, seed))
        assert world.layout.mission == env.mission
        rng = np.random.default_rng(seed)
        for _ in range(STEPS):
            assert np.array_equal(picture(world), observation["image"])
            assert world.heading == env.agent_dir
            assert grid(world) == their_grid(env)
            action = likely(world, rng)
            observation, reward, terminated, _, _ = env.step(action)
            outcome = world.act(action)
            assert (outcome is not Outcome.CONTINUE) == terminated
            assert (outcome is Outcome.SUCCESS) == (reward > 0)
            if terminated:
                break


@pytest.mark.parametrize("level", ["GoToRedBall-v0", "BossLevel-v0", "UnlockPickup-v0"])
def test_images_are_those_of_minigrid(level):
    name = level.removesuffix("-v0")
    ours = gym.make(
        "aq/BabyAI-text-v0", level=name, images="minigrid", render_mode="rgb_array"
    ).unwrapped
    for seed in range(2):
        ours.reset(seed=seed)
        theirs, _ = reset(level, ours._mission.world.layout.seed)
        for primitive in (LEFT, FORWARD, PICKUP, TOGGLE, LEFT, FORWARD, RIGHT, DROP):
            assert np.array_equal(ours.render(), theirs.get_pov_render(32))
            ours._mission.act(primitive)
            theirs.step(primitive)
