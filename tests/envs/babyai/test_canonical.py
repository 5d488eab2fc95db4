"""Splits do not tell worlds apart that an agent cannot."""

import re

import numpy as np
import pytest

from aq_gym.envs.babyai.generation import generate
from aq_gym.envs.babyai.logic.canonical import canonical_form
from aq_gym.envs.babyai.logic.layout import EMPTY, Clause, margin

LEVELS = ("GoToRedBall-v0", "PutNextLocal-v0", "Unlock-v0", "BossLevel-v0")
COLORS = {"red": "grey", "grey": "blue", "blue": "red", "green": "purple",
          "purple": "green"}  # fmt: skip


def turned(layout):
    """Return the world after a quarter turn, as minigrid would have written it."""
    around, width = margin(layout.width), layout.width
    cells = np.arange(around, len(layout.cells) - around).reshape(-1, width)
    cells = np.rot90(cells)
    height = len(cells)
    around = margin(cells.shape[1])
    places = {old: around + new for new, old in enumerate(cells.ravel().tolist())}
    inner = bytes(layout.cells[old] for old in places)
    assert height == width

    def move(node):
        if isinstance(node, Clause):
            return node._replace(cells=tuple(places[cell] for cell in node.cells))
        return node._replace(first=move(node.first), second=move(node.second))

    return layout._replace(
        width=cells.shape[1],
        cells=bytes([1]) * around + inner + bytes([1]) * around,
        agent=places[layout.agent],
        heading=(layout.heading - 1) % 4,
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
def test_turned_and_recolored_worlds_are_one(level):
    layouts = [generate(level, seed) for seed in range(8)]
    forms = [canonical_form(layout) for layout in layouts]
    assert len(set(forms)) == 8
    for layout, form in zip(layouts, forms, strict=True):
        assert canonical_form(recolored(layout)) == form
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
