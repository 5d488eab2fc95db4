"""An engine that plays through pddlgym's own ``PDDLEnv``.

pddlgym decides which actions are valid, what an action changes and whether the goal
holds; the native task only maps bits to pddlgym's literals.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from aq_gym.envs.pddl.instance import Instance
from aq_gym.envs.pddl.logic import Task
from aq_gym.envs.pddl.logic.language import Atom, Schema
from aq_gym.envs.pddl.pddlgym_files import pddlgym_folder, pseudo_actions

__all__ = ["PddlgymTask", "import_pddlgym", "scratch"]


def import_pddlgym() -> ModuleType:
    """Import pddlgym's core without its dependencies' deprecation warnings.

    Raises:
        gymnasium.error.DependencyNotInstalled: If pddlgym is not installed.
    """
    pddlgym_folder()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return import_module("pddlgym.core")


class PddlgymTask(Task):
    """A task whose valid actions, successor states and goal test are pddlgym's.

    It has pddlgym's limits: no equality, action costs, conditional or quantified
    effects, and no action that names an object twice.

    Args:
        instance: The instance to play.

    Raises:
        gymnasium.error.DependencyNotInstalled: If pddlgym is not installed.
    """

    def __init__(self, instance: Instance) -> None:
        self.__dict__.update(instance.task.__dict__)
        self._core: Any = import_pddlgym()
        pseudo = pseudo_actions(instance.domain_pddl)
        with tempfile.TemporaryDirectory() as folder, scratch(folder):
            domain, problems = Path(folder, "domain.pddl"), Path(folder, "problems")
            problems.mkdir()
            domain.write_text(instance.domain_pddl, "utf-8")
            Path(problems, "problem.pddl").write_text(instance.problem_pddl, "utf-8")
            self._env = self._core.PDDLEnv(
                str(domain),
                str(problems),
                operators_as_actions=not pseudo,
                dynamic_action_space=not pseudo,
            )
            self._first, _ = self._env.reset()
            if not pseudo:
                # pddlgym grounds once, into the temporary folder.
                self._env.action_space.all_ground_literals(self._first)
        self._objects = {one.name: one for one in self._first.objects}
        self._bits = {_key(atom): 1 << i for i, atom in enumerate(self.atoms)}
        self._literals = [self._literal(atom) for atom in self.atoms]
        self._static_literals = [
            one for one in self._first.literals if _key(one) not in self._bits
        ]
        schemas = self.domain.schemas
        self._moves = [
            self._move(schemas[one.schema], one.args, pseudo) for one in self.actions
        ]
        self._pseudo = pseudo

    def valid(self, state: int) -> list[int]:
        """Return the positions of the actions that pddlgym allows."""
        now = self._state(state)
        if not self._pseudo:
            allowed = self._env.action_space.all_ground_literals(now)
            return [i for i, move in enumerate(self._moves) if move in allowed]
        return [i for i in range(len(self.actions)) if self._chooses(now, i)]

    def applicable(self, state: int, action: int) -> bool:
        """Return whether pddlgym allows an action."""
        if self._pseudo:
            return self._chooses(self._state(state), action)
        return action in self.valid(state)

    def step(self, state: int, action: int) -> int:
        """Return pddlgym's successor state."""
        self._env.set_state(self._state(state))
        after = self._env.step(self._moves[action])[0]
        return sum(self._bits.get(_key(one), 0) for one in after.literals)

    def solved(self, state: int) -> bool:
        """Return whether pddlgym's goal test holds."""
        reached = self._core.check_goal(self._state(state), self._first.goal)
        return bool(reached)

    def _state(self, state: int) -> Any:
        literals = [self._literals[position] for position in self.facts(state)]
        return self._first.with_literals(frozenset(literals + self._static_literals))

    def _literal(self, atom: Atom) -> Any:
        predicate = self._env.domain.predicates[atom.predicate]
        return predicate(*(self._objects[term] for term in atom.terms))

    def _move(
        self, schema: Schema, args: tuple[str, ...], pseudo: dict[str, Atom]
    ) -> Any:
        """Return pddlgym's literal for an action."""
        atom = Atom(schema.name, args)
        if pseudo:
            names = [one.name for one in schema.parameters]
            atom = pseudo[schema.name].bind(dict(zip(names, args, strict=True)))
        return self._literal(atom)

    def _chooses(self, now: Any, action: int) -> bool:
        """Return whether pddlgym resolves a pseudo action to this action."""
        operator, assignment = self._core._select_operator(
            now, self._moves[action], self._env.domain, self._env._inference_mode
        )
        if assignment is None or operator.name != self.actions[action].schema:
            return False
        chosen = [assignment[parameter].name for parameter in operator.params]
        return tuple(chosen) == self.actions[action].args


def _key(literal: Any) -> tuple[str, ...]:
    """Return the predicate and terms of an atom or of a pddlgym literal."""
    if isinstance(literal, Atom):
        return literal.key
    return (literal.predicate.name, *(one.name for one in literal.variables))


@contextmanager
def scratch(folder: str) -> Iterator[None]:
    """Make pddlgym write its files to a folder; it does not remove or close them."""
    spaces: Any = import_module("pddlgym.spaces")
    before = spaces.TMP_PDDL_DIR
    spaces.TMP_PDDL_DIR = folder
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            yield
    finally:
        spaces.TMP_PDDL_DIR = before
