"""The reference engine: TextWorld, as used by the published ALFWorld."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from gymnasium.error import DependencyNotInstalled

from aq_gym.envs.alfworld import official
from aq_gym.envs.alfworld.logic.house import NOTHING, House, State
from aq_gym.envs.alfworld.logic.plan import plan
from aq_gym.envs.alfworld.logic.rules import solved
from aq_gym.envs.alfworld.textworld_guard import check_expressions
from aq_gym.support.extras import pip_command

__all__ = ["TextworldEngine"]


class TextworldEngine:
    """Plays a game with TextWorld, against which the native engine is tested.

    TextWorld evaluates expressions in a game's grammar as Python. Those other than
    names, articles and text are refused, but the file has to be trusted all the same.

    TextWorld can't be copied, so copies and restored games replay all commands.

    Args:
        texts: The game in the official format.

    Raises:
        GameFileError: If the grammar evaluates other expressions, or is malformed.
        gymnasium.error.DependencyNotInstalled: Without TextWorld and ALFWorld.
    """

    def __init__(self, texts: Mapping[str, Any]) -> None:
        self.house, self.words = official.parse_game(texts, known=False)
        self._texts = dict(texts)
        self._env = _load(texts)
        self._played: list[str] = []
        self._answer: Any = {}
        self._start()

    @property
    def won(self) -> bool:
        """Whether the task is solved according to TextWorld."""
        return bool(self._answer["won"])

    def opening(self) -> str:
        """Return the engine's first output."""
        said: str = self._opening
        return said

    def commands(self) -> tuple[str, ...]:
        """Return the valid commands, sorted."""
        return tuple(self._answer["admissible_commands"])

    def step(self, command: str) -> str | None:
        """Carry out a command and return the answer; None for an invalid one."""
        if command not in self._answer["admissible_commands"]:
            return None
        self._answer, _, _ = self._env.step(command)
        self._played.append(command)
        self.state = _state(self.house, self._answer["_facts"])
        said: str = self._answer["feedback"]
        return said

    def solved(self) -> bool:
        """Return whether the goal holds."""
        return solved(self.house, self.state)

    def expert(self) -> str | None:
        """Return the first command of the planner's plan, or None without a plan."""
        steps = self.plan()
        return steps[0] if steps else None

    def plan(self) -> list[str]:
        """Return the commands of the planner's plan, which can take seconds."""
        steps: list[str] = self._env._pddl_state.replan(self._env._entity_infos)
        return steps

    def remaining(self) -> int | None:
        """Return the length of a shortest plan, or None without a plan."""
        steps = plan(self.house, self.state)
        return None if steps is None else len(steps)

    def save(self) -> tuple[str, ...]:
        """Return the commands carried out so far."""
        return tuple(self._played)

    def restore(self, saved: tuple[str, ...]) -> None:
        """Replay commands from the start of the game."""
        self._start()
        for command in saved:
            self.step(command)

    def __getstate__(self) -> dict[str, Any]:
        """Return the game and its commands: TextWorld itself can't be pickled."""
        return {"texts": self._texts, "played": self.save()}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        """Replay the game."""
        # mypy refuses it, because a subclass may take other arguments.
        self.__init__(saved["texts"])  # type: ignore[misc]
        self.restore(saved["played"])

    def _start(self) -> None:
        self._played = []
        self._answer = self._env.reset()
        self._opening = self._answer["feedback"]
        self.state = _state(self.house, self._answer["_facts"])


def _load(texts: Mapping[str, Any]) -> Any:
    data = os.environ.get("ALFWORLD_DATA")
    try:
        import textworld
        from alfworld.agents.environment.alfred_tw_env import AlfredDemangler
        from textworld.envs.pddl import PddlEnv
    except ImportError as error:
        raise DependencyNotInstalled(
            f"engine='textworld' needs {error.name}: {pip_command('alfworld')}"
        ) from error
    finally:
        # Importing alfworld sets the variable, which would change the data folder.
        if data is None:
            os.environ.pop("ALFWORLD_DATA", None)
    check_expressions(str(texts["grammar"]))
    wanted = textworld.EnvInfos(admissible_commands=True)
    env = AlfredDemangler(PddlEnv(wanted))
    env.load(dict(texts))
    return env


def _state(house: House, facts: list[Any]) -> State:
    things = {entity: number for number, entity in enumerate(house.objects)}
    spots = {entity: number for number, entity in enumerate(house.receptacles)}
    places = {entity: number for number, entity in enumerate(house.locations)}
    found: dict[str, list[tuple[str, ...]]] = {}
    for fact in facts:
        names = tuple(argument.name for argument in fact.arguments)
        found.setdefault(fact.name, []).append(names)

    def rows(predicate: str) -> list[tuple[str, ...]]:
        return found.get(predicate, [])

    def marked(predicate: str) -> frozenset[int]:
        return frozenset(things[row[0]] for row in rows(predicate) if row[0] in things)

    contents: list[set[int]] = [set() for _ in spots]
    for thing, receptacle in rows("inreceptacle"):
        if receptacle in spots:
            contents[spots[receptacle]].add(things[thing])
    holds = rows("holds")
    return State(
        location=places[rows("atlocation")[0][1]],
        held=things[holds[0][1]] if holds else NOTHING,
        opened=frozenset(spots[row[0]] for row in rows("opened")),
        contents=tuple(map(frozenset, contents)),
        spots=frozenset(
            (things[thing], places[place])
            for thing, place in rows("objectatlocation")
            if thing in things
        ),
        vacated=frozenset(
            (things[thing], spots[spot]) for thing, spot in rows("not_inreceptacle")
        ),
        clean=marked("isclean"),
        hot=marked("ishot"),
        cool=marked("iscool"),
        toggled=marked("istoggled"),
        sliced=marked("issliced"),
    )
