"""Export of households in the official format, which TextWorld can play."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

from gymnasium.error import DependencyNotInstalled

from aq_gym.envs.alfworld import text
from aq_gym.envs.alfworld.expert import plan
from aq_gym.envs.alfworld.floor_plans import facts
from aq_gym.envs.alfworld.households import Draft
from aq_gym.envs.alfworld.logic.build import build_house
from aq_gym.support.extras import pip_command

_UNKNOWN = "UNKNOWN GOAL."
# The types that the domain's rules name; they are declared even if the house lacks
# them.
_NAMED = ("sink", "sinkbasin", "microwave", "fridge")
_NAMED_OBJECTS = ("knife", "butterknife")


def write_game(draft: Draft, path: Path) -> None:
    """Write a household as a ``game.tw-pddl``.

    Args:
        draft: The household.
        path: The file to write.

    Raises:
        gymnasium.error.DependencyNotInstalled: Without the ``alfworld`` package, which
            contains the domain and the grammar.
    """
    path.write_text(json.dumps(official_texts(draft)), encoding="utf-8")


def official_texts(draft: Draft) -> dict[str, Any]:
    """Return the contents of an official game file.

    Raises:
        gymnasium.error.DependencyNotInstalled: Without the ``alfworld`` package.
    """
    grammar = _published("alfred.twl2")
    return {
        "pddl_domain": _published("alfred.pddl"),
        "grammar": grammar.replace(_UNKNOWN, draft.sentence),
        "pddl_problem": problem_text(draft),
        "solvable": True,
        "walkthrough": _walkthrough(draft),
    }


def problem_text(draft: Draft) -> str:
    """Return a household as a PDDL problem."""
    objects = "\n        ".join(_declarations(draft))
    init = "\n        ".join(f"({' '.join(atom)})" for atom in draft.atoms)
    return (
        f"(define (problem household_{draft.plan})\n"
        "    (:domain alfred)\n"
        f"    (:objects\n        {objects}\n    )\n"
        f"    (:init\n        {init}\n    )\n"
        f"    (:goal {draft.goal.formula})\n"
        ")\n"
    )


def _declarations(draft: Draft) -> list[str]:
    table = facts()
    things = {thing for kinds in table["contains"].values() for thing in kinds}
    kinds = {
        "agent1": "agent",
        **{f"{thing}type": "otype" for thing in (*things, *_NAMED_OBJECTS)},
        f"{table['lamp']}type": "otype",
        **{f"{kind}type": "rtype" for kind in (*table["contains"], *_NAMED)},
    }
    for predicate, *names in draft.atoms:
        if predicate == "objecttype":
            kinds[names[0]] = "object"
            kinds[names[1]] = "otype"
        elif predicate == "receptacletype":
            kinds[names[0]] = "receptacle"
        elif predicate in ("receptacleatlocation", "atlocation"):
            kinds[names[1]] = "location"
    return [f"{name} - {kind}" for name, kind in sorted(kinds.items())]


def _walkthrough(draft: Draft) -> list[str]:
    house = build_house(draft.atoms, draft.goal)
    words = text.Words(draft.sentence)
    steps = plan(house, house.start) or ()
    return [text.command(house, words, step) for step in steps]


def _published(name: str) -> str:
    # Found without importing alfworld, which would make folders and set environment
    # variables.
    spec = importlib.util.find_spec("alfworld")
    if spec is None or not spec.submodule_search_locations:
        raise DependencyNotInstalled(
            "the official domain and grammar are in the alfworld package: "
            + pip_command("alfworld")
        )
    folder = Path(spec.submodule_search_locations[0])
    return (folder / "data" / name).read_text(encoding="utf-8")
