"""The six types of goal, and their PDDL formulas."""

from __future__ import annotations

import re
from typing import NamedTuple

PLACE = "pick_and_place_simple"
LOOK = "look_at_obj_in_light"
CLEAN = "pick_clean_then_place_in_recep"
HEAT = "pick_heat_then_place_in_recep"
COOL = "pick_cool_then_place_in_recep"
TWO = "pick_two_obj_and_place"

TASK_TYPES = (PLACE, LOOK, CLEAN, HEAT, COOL, TWO)
# How the object is processed before it is placed, in the types that ask for it.
PROCESSES = {CLEAN: "clean", HEAT: "heat", COOL: "cool"}

_PROCESSED = (
    "(and (exists (?r - receptacle) (exists (?o - object) (and ({able} ?o) "
    "(objecttype ?o {obj}type) (receptacletype ?r {recep}type) ({is_done} ?o) "
    "(inreceptacle ?o ?r)))))"
)
FORMULAS = {
    PLACE: (
        "(and (exists (?r - receptacle) (exists (?o - object) (and "
        "(inreceptacle ?o ?r) (objecttype ?o {obj}type) "
        "(receptacletype ?r {recep}type)))))"
    ),
    LOOK: (
        "(and (exists (?ot - object ?r - receptacle ?a - agent ?l - location) (and "
        "(objecttype ?ot {toggle}type) (toggleable ?ot) (istoggled ?ot) "
        "(receptacleatlocation ?r ?l) (atlocation ?a ?l) (inreceptacle ?ot ?r))) "
        "(exists (?o - object ?a - agent) (and (objecttype ?o {obj}type) "
        "(holds ?a ?o))))"
    ),
    CLEAN: _PROCESSED.replace("{able}", "cleanable").replace("{is_done}", "isclean"),
    HEAT: _PROCESSED.replace("{able}", "heatable").replace("{is_done}", "ishot"),
    COOL: _PROCESSED.replace("{able}", "coolable").replace("{is_done}", "iscool"),
    TWO: (
        "(and (exists (?r - receptacle) (exists (?o1 - object) (and "
        "(objecttype ?o1 {obj}type) (receptacletype ?r {recep}type) "
        "(inreceptacle ?o1 ?r) (exists (?o2 - object) (and (not (= ?o1 ?o2)) "
        "(objecttype ?o2 {obj}type) (receptacletype ?r {recep}type) "
        "(inreceptacle ?o2 ?r)))))))"
    ),
}


class Goal(NamedTuple):
    """A goal, in terms of types of objects and receptacles.

    Attributes:
        task_type: One of the six official types.
        target: The type of the object or objects to handle.
        receptacle: The type of receptacle to put it in, "" when examining in light.
        toggle: The type of lamp to examine it under, otherwise "".
    """

    task_type: str
    target: str
    receptacle: str = ""
    toggle: str = ""

    @property
    def process(self) -> str:
        """How the object is processed: "clean", "heat", "cool" or ""."""
        return PROCESSES.get(self.task_type, "")

    @property
    def formula(self) -> str:
        """The goal as PDDL."""
        return FORMULAS[self.task_type].format(
            obj=self.target, recep=self.receptacle, toggle=self.toggle
        )


def read_goal(formula: str) -> Goal | None:
    """Parse a goal formula of one of the six types.

    Args:
        formula: A goal formula in lower case, in any layout.

    Returns:
        The goal, or None for any other formula.
    """
    text = _compact(formula)
    for task_type, pattern in _PATTERNS.items():
        found = pattern.fullmatch(text)
        if found:
            part = found.groupdict("")
            return Goal(
                task_type, part["obj"], part.get("recep", ""), part.get("toggle", "")
            )
    return None


def _compact(formula: str) -> str:
    return re.sub(r"\s*([()])\s*", r"\1", " ".join(formula.split()))


def _pattern(formula: str) -> re.Pattern[str]:
    pattern = re.escape(_compact(formula))
    for part in ("obj", "recep", "toggle"):
        hole = re.escape(f"{{{part}}}")
        pattern = pattern.replace(hole, rf"(?P<{part}>\w+?)", 1)
        pattern = pattern.replace(hole, rf"(?P={part})")
    return re.compile(pattern)


_PATTERNS = {task_type: _pattern(formula) for task_type, formula in FORMULAS.items()}
