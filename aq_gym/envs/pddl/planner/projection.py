"""Plan lifted tasks with smaller ones, without the arguments that change nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from aq_gym.envs.pddl.logic.language import (
    And,
    Atom,
    Exists,
    Formula,
    Schema,
    conjuncts_of,
    terms_of,
)
from aq_gym.envs.pddl.logic.reader import PDDLError
from aq_gym.envs.pddl.logic.task import Task


def projected(task: Task) -> Task | None:
    """Return a task in which actions lack the parameters that no effect mentions.

    Their preconditions ask whether there are objects for these parameters. So the
    actions for the pairs of shoes that can be worn become one action. None if the task
    is still too large.
    """
    schemas = {name: _projected(one) for name, one in task.domain.schemas.items()}
    try:
        small = Task(replace(task.domain, schemas=schemas), task.problem)
    except PDDLError:
        return None
    return None if small.lifted else small


def translated(task: Task, small: Task, state: int) -> int:
    """Return a state of a task as a state of its projection."""
    bits = 0
    for position in task.facts(state):
        bits |= small.table.bit(task.atoms[position].key)
    return bits


def completed(
    task: Task, small: Task, state: int, plan: Iterable[int]
) -> list[int] | None:
    """Return a plan of the projection as a plan of the task; None if there is none."""
    found = []
    for step in plan:
        wanted = small.actions[step]
        kept = [one.name for one in small.domain.schemas[wanted.schema].parameters]
        names = [one.name for one in task.domain.schemas[wanted.schema].parameters]
        places = [names.index(name) for name in kept]
        for action in task.valid(state):
            one = task.actions[action]
            same = one.schema == wanted.schema
            if same and tuple(one.args[place] for place in places) == wanted.args:
                break
        else:
            return None
        found.append(action)
        state = task.step(state, action)
    return found


def _projected(schema: Schema) -> Schema:
    used: set[str] = set()
    for effect in schema.effects:
        used |= {*effect.atom.terms} | terms_of(effect.condition)
    for cost in schema.costs:
        used |= {*cost.terms} if isinstance(cost, Atom) else set()
    kept = tuple(one for one in schema.parameters if one.name in used)
    dropped = {one.name: one for one in schema.parameters if one.name not in used}
    plain: list[Formula] = []
    # Dropped parameters, with the conjuncts that connect them.
    groups: list[tuple[set[str], list[Formula]]] = [({one}, []) for one in dropped]
    for part in conjuncts_of(schema.precondition):
        names = terms_of(part) & dropped.keys()
        if not names:
            plain.append(part)
            continue
        connected = [one for one in groups if not names.isdisjoint(one[0])]
        groups = [one for one in groups if names.isdisjoint(one[0])]
        parts = [condition for one in connected for condition in one[1]]
        groups.append((set().union(*(one[0] for one in connected)), [*parts, part]))
    for names, parts in groups:
        variables = tuple(one for one in schema.parameters if one.name in names)
        plain.append(Exists(variables, And(tuple(parts))))
    return replace(schema, parameters=kept, precondition=And(tuple(plain)))
