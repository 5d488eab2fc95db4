"""Worlds: compared with minigrid's, and their canonical forms."""

import contextlib
import io
import re

import gymnasium as gym
import numpy as np
import pytest
from minigrid.core.constants import COLOR_TO_IDX, OBJECT_TO_IDX

from aq_gym.envs.babyai.generation import generate, known_levels
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
    Clause,
    canonical_form,
    is_solvable,
    margin,
)
from aq_gym.envs.babyai.logic.view import OWN_SLOT, SIZE, View
from aq_gym.envs.babyai.logic.world import Outcome, World

SEEDS = 1
STEPS = 60


def reset(level, seed):
    env = gym.make(f"BabyAI-{level}", disable_env_checker=True, max_steps=10**6)
    with contextlib.redirect_stdout(io.StringIO()):
        env.unwrapped.reset(seed=seed)
    # In levels that start with an object in the hand, the observation that reset
    # returns does not show it.
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
    """Choose a primitive action, preferably one that has an effect."""
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
    """Minigrid searches forever for a cell for the agent in these worlds."""
    layout = generate("SynthS5R2-v0", seed)
    assert layout == generate("SynthS5R2-v0", seed)
    assert is_solvable(layout)


def test_a_locked_door_without_its_key_can_be_reached_but_not_opened():
    layout = generate("UnlockLocal-v0", 0)
    things = [
        t._replace(kind="ball" if t.kind == "key" else t.kind) for t in layout.things
    ]
    keyless = layout._replace(things=tuple(things))
    assert is_solvable(layout) and not is_solvable(keyless)
    assert is_solvable(keyless._replace(root=keyless.root._replace(kind="goto")))
    # The key is on one side of the door or on the other.
    code = {thing.kind: code for code, thing in enumerate(layout.things)}
    cells = layout.cells.replace(bytes([code["key"]]), bytes([EMPTY]))
    door = cells.index(code["door"])
    sides = [door + step for step in (1, -1, layout.width, -layout.width)]
    worlds = [
        layout._replace(cells=cells[:side] + bytes([code["key"]]) + cells[side + 1 :])
        for side in sides
        if cells[side] == EMPTY
    ]
    assert sorted(map(is_solvable, worlds)) == [False, True]


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


LEVELS = (
    *("GoToRedBall-v0", "PutNextLocal-v0", "Unlock-v0", "BossLevel-v0", "PickupLoc-v0"),
)
COLORS = {"red": "grey", "grey": "blue", "blue": "red", "green": "purple",
          "purple": "green"}  # fmt: skip


def turned(layout):
    """Return the world after a quarter turn, as minigrid would have written it."""
    return moved(layout, np.rot90, (layout.heading - 1) % 4)


def mirrored(layout):
    """Return the mirror image of the world, with the sides in the mission exchanged."""
    sides = {"left": "right", "right": "left"}
    mission = re.sub(r"\b(left|right)\b", lambda m: sides[m[0]], layout.mission)
    image = moved(layout, np.fliplr, (2 - layout.heading) % 4)
    return image._replace(mission=mission)


def moved(layout, move_cells, heading):
    around, width = margin(layout.width), layout.width
    cells = np.arange(around, len(layout.cells) - around).reshape(-1, width)
    cells = move_cells(cells)
    around = margin(cells.shape[1])
    places = {old: around + new for new, old in enumerate(cells.ravel().tolist())}
    inner = bytes(layout.cells[old] for old in places)

    def move(node):
        if isinstance(node, Clause):
            return node._replace(cells=tuple(places[cell] for cell in node.cells))
        return node._replace(first=move(node.first), second=move(node.second))

    return layout._replace(
        width=cells.shape[1],
        cells=bytes([1]) * around + inner + bytes([1]) * around,
        agent=places[layout.agent],
        heading=heading,
        root=move(layout.root),
    )


def recolored(layout):
    things = tuple(
        thing._replace(color=COLORS.get(thing.color, thing.color))
        for thing in layout.things
    )
    words = "|".join(COLORS)
    mission = re.sub(rf"\b({words})\b", lambda m: COLORS[m[0]], layout.mission)
    return layout._replace(things=things, mission=mission)


@pytest.mark.parametrize("level", LEVELS)
def test_turned_mirrored_and_recolored_worlds_are_one(level):
    layouts = [generate(level, seed) for seed in range(8)]
    forms = [canonical_form(layout) for layout in layouts]
    assert len(set(forms)) == 8
    for layout, form in zip(layouts, forms, strict=True):
        assert canonical_form(recolored(layout)) == form
        image = mirrored(layout)
        assert canonical_form(image) == form
        one_sided = layout.mission != image.mission
        kept = canonical_form(image._replace(mission=layout.mission))
        assert (kept != form) == one_sided
        rows = (len(layout.cells) - 2 * margin(layout.width)) / layout.width
        if rows == layout.width:
            for _ in range(3):
                layout = turned(layout)
                assert canonical_form(layout) == form


def test_another_world_has_another_form():
    layout = generate("GoToRedBall-v0", 0)
    form = canonical_form(layout)
    empty = next(
        cell
        for cell, thing in enumerate(layout.cells)
        if thing == EMPTY and cell != layout.agent
    )
    for other in (
        layout._replace(agent=empty),
        layout._replace(heading=(layout.heading + 1) % 4),
        layout._replace(mission="pick up the red ball"),
    ):
        assert canonical_form(other) != form
    assert canonical_form(layout._replace(seed=7, level="GoTo-v0", limit=9)) == form
    layout = generate("OpenDoorsOrderN2-v0", 1)
    anyhow = layout._replace(root=layout.root._replace(ordered=False))
    assert canonical_form(anyhow) != canonical_form(layout)
