"""Check whether a mission can be accomplished."""

from __future__ import annotations

from collections.abc import Collection

from aq_gym.envs.babyai.logic.layout import (
    EMPTY,
    LOCKED,
    WALL,
    Clause,
    Layout,
    clauses,
    steps,
)


def is_solvable(layout: Layout) -> bool:
    """Return whether every clause can be reached with the keys in reach.

    minigrid accepts some worlds in which the only key is behind its own door, and some
    in which things that must not be touched surround the target.
    """
    return all(_is_doable(layout, clause) for clause in clauses(layout.root))


def forbidden(layout: Layout, clause: Clause) -> set[int]:
    """Return the things that a strict clause forbids to open or to pick up."""
    if not clause.strict:
        return set()
    # A box in the way can still be opened instead.
    kinds = ("door",) if clause.kind == "open" else ("key", "ball")
    return {
        code
        for code, thing in enumerate(layout.things)
        if thing.kind in kinds and code not in clause.targets
    }


def _is_doable(layout: Layout, clause: Clause) -> bool:
    solid = forbidden(layout, clause)
    locked = {c for c, state in enumerate(layout.doors) if state == LOCKED}
    while True:
        met = _meet(layout, solid | locked)
        opened = {door for door in locked & met if _has_key(layout, door, met)}
        if not opened:
            break
        locked -= opened
    targets = met.difference(locked) if clause.kind == "open" else met
    fixed = not clause.fixed or not met.isdisjoint(clause.fixed)
    return fixed and not targets.isdisjoint(clause.targets)


def _has_key(layout: Layout, door: int, met: Collection[int]) -> bool:
    things = layout.things
    held = (layout.carrying, *met, *(things[code].contains for code in met))
    return any(things[code][:2] == ("key", things[door].color) for code in held)


def _meet(layout: Layout, solid: Collection[int]) -> set[int]:
    """Return the things in reach if only ``solid`` things block the way."""
    met = {layout.carrying}
    seen = {layout.agent}
    stack = [layout.agent]
    while stack:
        cell = stack.pop()
        for step in steps(layout.width):
            beyond = cell + step
            code = layout.cells[beyond]
            if code == WALL or beyond in seen:
                continue
            met.add(code)
            if code == EMPTY or code not in solid:
                seen.add(beyond)
                stack.append(beyond)
    return met
