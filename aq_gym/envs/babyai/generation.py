"""Generate instances with minigrid, converted to plain values."""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from itertools import product
from operator import add
from typing import Any

import gymnasium as gym

from aq_gym.envs.babyai.logic.layout import (
    CLOSED,
    EMPTY,
    LOCKED,
    OPEN,
    WALL,
    Clause,
    Kind,
    Layout,
    Node,
    Sequence,
    Thing,
    is_solvable,
    margin,
)

_PREFIX = "BabyAI-"
_SIZED = re.compile(r"(?:[SRN]\d+)*-v\d+$")
# The levels of BabyAI's paper, in the order of its table.
_PAPER = [
    "GoToObj",
    "GoToRedBallGrey",
    "GoToRedBall",
    "GoToLocal",
    "PutNextLocal",
    "PickupLoc",
    "GoToObjMaze",
    "GoTo",
    "Pickup",
    "UnblockPickup",
    "Open",
    "Unlock",
    "PutNextS7N4",
    "Synth",
    "SynthLoc",
    "GoToSeq",
    "SynthSeq",
    "GoToImpUnlock",
    "BossLevel",
]
# Levels that minigrid 3 no longer has, with the levels that have the same worlds.
RENAMED = {
    # Registered by mistake with the arguments of S4; the present level is GoToObjS6-v1.
    "GoToObjS6-v0": "GoToObjS4-v0",
}
# Levels that can't be solved, and the corrected levels.
UNSOLVABLE = {
    # The verifier is strict about both doors at once, so every ordered mission fails
    # when its first door is opened.
    "OpenDoorsOrderN2Debug-v0": "OpenDoorsOrderN2-v0",
    "OpenDoorsOrderN4Debug-v0": "OpenDoorsOrderN4-v0",
}
_KINDS: dict[str, Kind] = {
    "GoToInstr": "goto",
    "PickupInstr": "pickup",
    "OpenInstr": "open",
    "PutNextInstr": "putnext",
}


def generate(level: str, seed: int, *, solvable: bool = True) -> Layout:
    """Generate the world of minigrid's ``reset(seed=seed)``.

    With about one seed in 800 of the level SynthS5R2, minigrid's reset never ends;
    here, the world in which it gets stuck is rejected.

    Args:
        level: minigrid's name of the level, without prefix.
        seed: Any integer from 0.
        solvable: Whether a world without a solution is replaced by minigrid's next
            world that has one.
    """
    env = _new_env(level)
    env.reset(seed=seed)
    layout = _Reader(env).layout(level, seed)
    while solvable and not is_solvable(layout):
        env.reset()
        layout = _Reader(env).layout(level, seed)
    return layout


def _new_env(level: str) -> Any:
    import minigrid  # noqa: F401  # registers the levels

    spec = gym.spec(f"BabyAI-{level}")
    module, _, name = str(spec.entry_point).partition(":")
    env = getattr(import_module(module), name)(**spec.kwargs)
    # Skips the image, and the report that is printed for each rejected world.
    vars(env)["gen_obs"] = _no_observation
    vars(env)["_gen_grid"] = partial(_generate_quietly, env)
    vars(env)["place_agent"] = partial(_place_agent, env)
    return env


def _no_observation() -> None:
    pass


def _generate_quietly(env: Any, width: int, height: int) -> None:
    """Generate like ``RoomGridLevel._gen_grid``, without printing rejected worlds."""
    from minigrid.core.roomgrid import RoomGrid
    from minigrid.envs.babyai.core.roomgrid_level import RejectSampling

    generate_rooms: Callable[[Any, int, int], None] = RoomGrid._gen_grid
    while True:
        try:
            generate_rooms(env, width, height)
            env.gen_mission()
            env.validate_instrs(env.instrs)
        except (RecursionError, RejectSampling):
            continue
        env.mission = env.instrs.surface(env)
        return


def _place_agent(
    env: Any, i: int | None = None, j: int | None = None, rand_dir: bool = True
) -> Any:
    """Place the agent like ``RoomGrid.place_agent``, which can loop forever.

    Raises:
        RecursionError: If the room has no empty cell, as in minigrid, or if all its
            empty cells have things on all four sides.
    """
    from minigrid.core.roomgrid import RoomGrid

    # Draws as ``RoomGrid`` does, so that each seed keeps its world.
    i = env._rand_int(0, env.num_cols) if i is None else i
    j = env._rand_int(0, env.num_rows) if j is None else j
    room = env.room_grid[j][i]
    cells = product(*map(range, room.top, map(add, room.top, room.size)))
    empty = [cell for cell in cells if env.grid.get(*cell) is None]
    if empty and not any(_is_place(env.grid, *cell) for cell in empty):
        raise RecursionError("each empty cell of the room has things on all sides")
    return RoomGrid.place_agent(env, i, j, rand_dir)


def _is_place(grid: Any, x: int, y: int) -> bool:
    """Return whether there is nothing, or a wall, on one side of a cell."""
    sides = ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1))
    found = [grid.get(*side) for side in sides]
    return any(thing is None or thing.type == "wall" for thing in found)


class _Reader:
    """Reads a minigrid world and numbers its things."""

    def __init__(self, env: Any) -> None:
        self._env = env
        self._width: int = env.grid.width
        self._things = [Thing("", ""), Thing("wall", "")]
        self._doors = bytearray((OPEN, OPEN))
        self._codes: dict[int, int] = {}
        self._nodes = 0

    def layout(self, level: str, seed: int) -> Layout:
        env = self._env
        wall = bytes((WALL,)) * margin(self._width)
        cells = bytes(map(self._code, env.grid.grid))
        carrying = self._code(env.carrying)
        return Layout(
            level=level,
            seed=seed,
            mission=env.mission,
            root=self._node(env.instrs),
            width=self._width,
            cells=wall + cells + wall,
            doors=bytes(self._doors),
            agent=self._cell(env.agent_pos),
            heading=int(env.agent_dir),
            carrying=carrying,
            things=tuple(self._things),
            limit=int(env.max_steps),
        )

    def _cell(self, position: Any) -> int:
        x, y = map(int, position)
        return margin(self._width) + y * self._width + x

    def _code(self, thing: Any) -> int:
        if thing is None:
            return EMPTY
        if thing.type == "wall":
            return WALL
        code = self._codes.get(id(thing))
        if code is None:
            contains = self._code(thing.contains)
            code = self._codes[id(thing)] = len(self._things)
            self._things.append(Thing(thing.type, thing.color, contains))
            self._doors.append(_door_state(thing))
        return code

    def _codes_of(self, description: Any) -> tuple[int, ...]:
        # "A grey object" includes the walls, which are not things here.
        codes = (self._codes.get(id(thing)) for thing in description.obj_set)
        return tuple(code for code in codes if code)

    def _node(self, instr: Any) -> Node:
        index = self._nodes
        self._nodes += 1
        name = type(instr).__name__
        if name in _KINDS:
            return self._clause(index, _KINDS[name], instr)
        parts = self._node(instr.instr_a), self._node(instr.instr_b)
        if name == "AfterInstr":
            return Sequence(index, True, parts[1], parts[0])
        return Sequence(index, name == "BeforeInstr", *parts)

    def _clause(self, index: int, kind: Kind, instr: Any) -> Clause:
        targets = instr.desc_move if kind == "putnext" else instr.desc
        fixed = self._codes_of(instr.desc_fixed) if kind == "putnext" else ()
        places = tuple(sorted(map(self._cell, targets.obj_poss)))
        return Clause(
            index,
            kind,
            self._codes_of(targets),
            fixed,
            places,
            getattr(instr, "strict", False),
        )


def _door_state(thing: Any) -> int:
    if thing.type != "door" or thing.is_open:
        return OPEN
    return LOCKED if thing.is_locked else CLOSED


def find_level(name: str, *, solvable: bool = True) -> str:
    """Return minigrid's name of a level, without prefix, with version.

    Args:
        name: The name with or without prefix and version; without a version it is
            the latest.
        solvable: Whether a level that can't be solved becomes one that can.

    Raises:
        ValueError: If minigrid has no such level.
    """
    known = known_levels()
    aliases = {**RENAMED, **UNSOLVABLE} if solvable else RENAMED
    bare = name.removeprefix(_PREFIX)
    for candidate in (bare, *(f"{bare}-v{version}" for version in (2, 1, 0))):
        if candidate in aliases or candidate in known:
            return aliases.get(candidate, candidate)
    close = get_close_matches(bare, [level.rpartition("-v")[0] for level in known])
    hint = (
        f"did you mean {', '.join(close)}?"
        if close
        else "`aq-gym list aq/BabyAI-text-v0` names them all"
    )
    raise ValueError(f"level={name!r} is not a BabyAI level of minigrid: {hint}")


def level_of_size(level: str, size: int) -> str:
    """Return a level of a family, ordered by size.

    The family of GoToLocalS5N2 is GoToLocalS5N2 to GoToLocalS8N7 and GoToLocal. The
    family of a level without sizes is the levels of BabyAI's paper, in its order.

    Args:
        level: minigrid's name of a level.
        size: The position in the family, from 1.

    Raises:
        ValueError: If the family has fewer levels.
    """
    stem = _SIZED.sub("", level)
    family = [one for one in known_levels() if _SIZED.sub("", one) == stem]
    # A level without a number is the largest.
    family.sort(key=lambda one: [*map(int, re.findall(r"[SRN](\d+)", one)), 99])
    if len(family) == 1:
        family = [find_level(one) for one in _PAPER]
    if not 1 <= size <= len(family):
        raise ValueError(
            f"size={size}: the family of level={level!r} has the sizes 1 to "
            f"{len(family)}: {', '.join(family)}"
        )
    return family[size - 1]


def known_levels() -> tuple[str, ...]:
    """Return minigrid's names of all its BabyAI levels, in its order."""
    # Importing minigrid registers its levels, and takes a tenth of a second.
    import minigrid  # noqa: F401

    return tuple(
        env_id.removeprefix(_PREFIX)
        for env_id in gym.registry
        if env_id.startswith(_PREFIX)
    )
