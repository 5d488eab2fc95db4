"""The canonical form of a world: the same for turned and recoloured worlds."""

from __future__ import annotations

import re

import numpy as np

from aq_gym.envs.babyai.logic.layout import EMPTY, WALL, Clause, Layout, Node, margin

_COLOR = re.compile(r"\b(red|green|blue|purple|yellow|grey)\b")


def canonical_form(layout: Layout) -> str:
    """Return a text that a world shares with those that an agent cannot tell apart.

    What an agent sees is relative to where it looks, so that turning the world by
    quarters changes nothing; and no rule knows a colour, so that colours can be
    exchanged. The seed, the level and the step limit do not count.
    """
    return min(_Turned(layout, turns).form() for turns in range(4))


class _Turned:
    """A world turned by quarters, with things and colours numbered as they are met."""

    def __init__(self, layout: Layout, turns: int) -> None:
        self._layout = layout
        self._turns = turns
        around = margin(layout.width)
        cells = np.arange(around, len(layout.cells) - around)
        self._cells = np.rot90(cells.reshape(-1, layout.width), turns)
        order = self._cells.ravel().tolist()
        self._places = {cell: place for place, cell in enumerate(order)}
        self._things: dict[int, int] = {EMPTY: 0}
        self._colors: dict[str, int] = {}

    def form(self) -> str:
        layout = self._layout
        cells = [
            WALL if thing == WALL else thing and self._thing(thing)
            for thing in map(layout.cells.__getitem__, self._places)
        ]
        mission = _COLOR.sub(lambda m: f"color {self._color(m[0])}", layout.mission)
        agent = self._places[layout.agent], (layout.heading - self._turns) % 4
        carrying = self._thing(layout.carrying)
        parts = self._cells.shape, cells, agent, carrying, mission
        return f"{parts} {self._node(layout.root)}"

    def _thing(self, number: int) -> tuple[object, ...]:
        thing = self._layout.things[number]
        known = self._things.setdefault(number, len(self._things))
        inside = self._thing(thing.contains) if thing.contains else ()
        color = self._color(thing.color)
        return known, thing.kind, color, self._layout.doors[number], inside

    def _color(self, name: str) -> int:
        return self._colors.setdefault(name, len(self._colors))

    def _node(self, node: Node) -> tuple[object, ...]:
        if not isinstance(node, Clause):
            parts = self._node(node.first), self._node(node.second)
            return node.number, node.ordered, *parts
        meant = (
            sorted(self._things.get(thing, -1) for thing in things)
            for things in (node.targets, node.fixed)
        )
        cells = sorted(self._places[cell] for cell in node.cells)
        return node.number, node.kind, *meant, cells, node.strict
