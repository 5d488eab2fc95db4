"""TextWorld, as the published ALFWorld uses it: the judge of the engine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from aq_gym.envs.alfworld import official
from aq_gym.envs.alfworld.logic.house import NOTHING, House, State

__all__ = ["TextworldEngine"]


class TextworldEngine:
    """Plays a game with TextWorld.

    TextWorld evaluates expressions in a game's grammar as Python: only for games that
    are trusted.

    Args:
        texts: The game in the official format.
    """

    def __init__(self, texts: Mapping[str, Any]) -> None:
        self.house, self.words = official.parse_game(texts)
        self._env = _load(texts)
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
        self.state = _state(self.house, self._answer["_facts"])
        said: str = self._answer["feedback"]
        return said

    def plan(self) -> list[str]:
        """Return the commands of the planner's plan, which can take seconds."""
        steps: list[str] = self._env._pddl_state.replan(self._env._entity_infos)
        return steps

    def _start(self) -> None:
        self._answer = self._env.reset()
        self._opening = self._answer["feedback"]
        self.state = _state(self.house, self._answer["_facts"])


def _load(texts: Mapping[str, Any]) -> Any:
    data = os.environ.get("ALFWORLD_DATA")
    try:
        import textworld
        from alfworld.agents.environment.alfred_tw_env import AlfredDemangler
        from textworld.envs.pddl import PddlEnv
    finally:
        # Importing alfworld sets the variable, which would change the data folder.
        if data is None:
            os.environ.pop("ALFWORLD_DATA", None)
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
