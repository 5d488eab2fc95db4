"""Write the table of facts from which ALFWorld's households are generated.

Reads an installed copy of the MIT-licensed ``alfworld`` package, without importing
it, and writes ``aq_gym/envs/alfworld/data/facts.json``::

    pip install --no-deps alfworld==0.4.2
    python tools/alfworld_facts.py --games FOLDER

The facts are the receptacles of each room with their positions, the types of objects of
each room, which objects fit into which receptacles, which can be cleaned, heated,
cooled, sliced and switched on, and the task sentences. The receptacles are those of the
``initial_state.pddl`` of official games below FOLDER; all games of a floor plan have
the same ones. Floor plans without a game have those that the package lists, where some
cabinets and drawers are missing; those without a position get an invented one.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

# A type, a position and a viewpoint.
Place: TypeAlias = tuple[str, str, tuple[int, ...]]

TARGET = Path(__file__).parents[1] / "aq_gym/envs/alfworld/data/facts.json"
# The percentage of a type's tasks in each room, among ALFRED's training tasks, from
# which the official games are made.
SHARES = {
    "pick_and_place_simple": {
        "Kitchen": 11,
        "LivingRoom": 25,
        "Bedroom": 29,
        "Bathroom": 35,
    },
    "look_at_obj_in_light": {"LivingRoom": 52, "Bedroom": 48},
    "pick_clean_then_place_in_recep": {"Kitchen": 67, "Bathroom": 33},
    "pick_heat_then_place_in_recep": {"Kitchen": 100},
    "pick_cool_then_place_in_recep": {"Kitchen": 100},
    "pick_two_obj_and_place": {
        "Kitchen": 15,
        "LivingRoom": 24,
        "Bedroom": 26,
        "Bathroom": 35,
    },
}
# The number of receptacles for which the package has no position, as in the official
# games.
UNPLACED = {
    "StoveBurner": 4,
    "HandTowelHolder": 2,
    "CoffeeMachine": 1,
    "GarbageCan": 1,
    "LaundryHamper": 1,
    "SinkBasin": 1,
    "Toaster": 1,
    "Toilet": 1,
    "ToiletPaperHanger": 1,
    "TowelHolder": 1,
}
# Lamps stand on receptacles, but the package's table of what fits where lacks them.
LAMP = "DeskLamp"
LAMP_STANDS = ("Desk", "Dresser", "Shelf", "SideTable", "CoffeeTable")
GRID = 0.25
IN_NAMES = {"_bar_": "|", "_minus_": "-", "_plus_": "+", "_dot_": "."}


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=Path, required=True, help="official games")
    games = official_places(parser.parse_args().games)
    TARGET.parent.mkdir(exist_ok=True)
    text = json.dumps(facts(games), indent=None, separators=(",", ":"), sort_keys=True)
    # One line for each floor plan or receptacle, so that a diff shows what changed.
    text = text.replace('},"', '},\n"').replace('],"', '],\n"')
    TARGET.write_text(f"{text}\n", encoding="utf-8")


def official_places(folder: Path) -> dict[int, list[Place]]:
    """Return the receptacles that most official games of each floor plan have."""
    found: dict[int, Counter[tuple[Place, ...]]] = {}
    for path in folder.glob("**/initial_state.pddl"):
        text = path.read_text(encoding="utf-8")
        for name, written in IN_NAMES.items():
            text = text.replace(name, written)
        kinds = re.findall(r"\(receptacleType ([^\s?]+) (\w+)Type\)", text)
        views = dict(re.findall(r"\(receptacleAtLocation (\S+) loc\|(\S+)\)", text))
        places = tuple(
            (
                kind,
                "|".join(name.split("|")[1:4]),
                tuple(map(int, views[name].split("|"))),
            )
            for name, kind in sorted(kinds)
        )
        plan = int(path.parts[-3].rpartition("-")[2])
        found.setdefault(plan, Counter())[places] += 1
    return {plan: list(some.most_common(1)[0][0]) for plan, some in found.items()}


def facts(games: dict[int, list[Place]]) -> dict[str, Any]:
    """Collect the table."""
    constants, goals = _module("gen/constants.py"), _module("gen/goal_library.py")
    contents = {
        receptacle: {thing for thing in things if not thing.endswith("Sliced")}
        for receptacle, things in constants.VAL_RECEPTACLE_OBJECTS.items()
        if receptacle not in constants.MOVABLE_RECEPTACLES_SET
    }
    able = constants.VAL_ACTION_OBJECTS
    return {
        "source": f"alfworld {importlib.metadata.version('alfworld')} (MIT)",
        "contains": {_low(key): _lows(contents[key]) for key in sorted(contents)},
        "openable": _lows(constants.OPENABLE_CLASS_SET & set(contents)),
        "vessels": _lows(constants.MOVABLE_RECEPTACLES_SET),
        "lamp": _low(LAMP),
        "lamp_stands": _lows(LAMP_STANDS),
        "able": {
            key.lower(): _lows(
                thing for thing in able[key] if not thing.endswith("Sliced")
            )
            for key in ("Cleanable", "Coolable", "Heatable", "Sliceable")
        },
        "rooms": {
            room.lower(): {
                "tasks": {
                    task: shares[room]
                    for task, shares in SHARES.items()
                    if room in constants.GOALS_VALID[task]
                },
                "plans": {
                    str(plan): _plan(
                        plan, contents, set(constants.OBJECTS), games.get(plan)
                    )
                    for plan in plans
                },
            }
            for room, plans in constants.SCENE_TYPE.items()
        },
        "test_plans": sorted(constants.TEST_SCENE_NUMBERS),
        "sentences": {task: goals.gdict[task]["templates"] for task in SHARES},
    }


def _plan(
    number: int,
    contents: dict[str, set[str]],
    known: set[str],
    places: list[Place] | None,
) -> dict[str, Any]:
    listed = set(_layout(number, "objects"))
    receptacles: dict[str, list[list[Any]]] = {}
    viewpoints: set[tuple[int, ...]] = set()
    for kind, position, view in places or _receptacles(number, listed):
        if kind in contents:
            row = [position, *_free(view, viewpoints)]
            receptacles.setdefault(_low(kind), []).append(row)
    things = {
        thing
        for thing in listed
        if thing == LAMP
        or any(
            thing in contents[kind] for kind in contents if _low(kind) in receptacles
        )
    }
    return {
        "objects": _lows(things - set(contents)),
        # Scenery that stands or hangs in the room, such as chairs, windows and mirrors.
        "scenery": _lows((listed & known) - things - set(contents)),
        "receptacles": {kind: receptacles[kind] for kind in sorted(receptacles)},
    }


def _receptacles(number: int, listed: set[str]) -> Iterator[Place]:
    placed = set()
    for entity, (x, z, rotation, horizon) in sorted(
        _layout(number, "openable").items()
    ):
        kind, position = entity.split("|", 1)
        position = "|".join(position.split("|")[:3])
        kind = {"Sink": "SinkBasin", "Bathtub": "BathtubBasin"}.get(kind, kind)
        placed.add(kind)
        view = (int(x / GRID), int(z / GRID), int(rotation) // 90 % 4, int(horizon))
        yield kind, position, view
    for kind in sorted(listed & UNPLACED.keys() - placed):
        for count in range(UNPLACED[kind]):
            position = f"+0{count}.{len(kind):02}|+00.90|+0{count}.50"
            yield kind, position, (len(kind) - 9, 4 * count - 6, count, 30)


def _free(view: tuple[int, ...], taken: set[tuple[int, ...]]) -> tuple[int, ...]:
    """Move a viewpoint until no other receptacle is reached from it.

    In a few official games two receptacles share a viewpoint, and going from one to
    the other is answered "Nothing happens.", which generated households avoid.
    """
    while view in taken:
        view = (view[0] + 1, *view[1:])
    taken.add(view)
    return view


def _root() -> Path:
    spec = importlib.util.find_spec("alfworld")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("alfworld is not installed: pip install --no-deps alfworld")
    return Path(spec.submodule_search_locations[0])


def _module(path: str) -> ModuleType:
    # Importing the package itself would make folders and set variables.
    spec = importlib.util.spec_from_file_location(Path(path).stem, _root() / path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _layout(number: int, part: str) -> Any:
    path = _root() / f"gen/layouts/FloorPlan{number}-{part}.json"
    return json.loads(path.read_text(encoding="utf-8"))


def _low(name: str) -> str:
    return name.lower()


def _lows(names: Iterable[str]) -> list[str]:
    return sorted(map(_low, names))


if __name__ == "__main__":
    main()
