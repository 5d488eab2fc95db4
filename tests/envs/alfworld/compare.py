"""Play ALFWorld games with the native engine and TextWorld, side by side.

After every command of a partly random walk, compare the answer, the valid commands, the
whole state and whether the task is solved. Needs the extra ``alfworld``; a game takes
about 2 seconds, and a step 0.05. TextWorld's planner searches breadth first, without a
heuristic: most games take seconds, large kitchens a minute or more.
"""

from __future__ import annotations

import importlib
import os
import random
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from aq_gym.envs.alfworld.engine import Engine
from aq_gym.envs.alfworld.expert import plan
from aq_gym.envs.alfworld.logic.house import NOTHING, House, State
from aq_gym.envs.alfworld.logic.rules import solved
from aq_gym.envs.alfworld.official import parse_game

SIGHTSEEING = {"examine", "go", "help", "inventory", "look"}


class TextworldEngine:
    """Plays a game with TextWorld.

    TextWorld evaluates expressions in a game's grammar as Python: only for games that
    are trusted.

    Args:
        texts: The game in the official format.
    """

    def __init__(self, texts: Mapping[str, Any]) -> None:
        self.house, self.words = parse_game(texts)
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


def remember_translations() -> None:
    """Cache TextWorld's translation, which it computes four times for each problem."""
    fast_downward: Any = importlib.import_module("fast_downward")
    translate = fast_downward.pddl2sas
    if not hasattr(translate, "cache_info"):
        fast_downward.pddl2sas = lru_cache(maxsize=4)(translate)


def differences(texts: Mapping[str, Any], steps: int, rng: random.Random) -> list[str]:
    """Return the first difference of a walk, or an empty list.

    Args:
        texts: The game in the official format.
        steps: The length of the walk.
        rng: The source of randomness.
    """
    native = Engine(parse_game(texts))
    reference = TextworldEngine(texts)
    found = _compare("opening", native.opening(), reference.opening())
    found += _compare_states(native, reference)
    solution = list(texts.get("walkthrough") or ())
    follow = rng.choice((0, len(solution) // 2, len(solution)))
    for number in range(steps):
        if found:
            break
        if number < follow:
            command = solution[number]
        else:
            command = _command(native.commands(), rng)
        answers = native.step(command), reference.step(command)
        found = _compare(f"answer to {command!r}", *answers)
        found += _compare_states(native, reference)
    return found


def _command(commands: tuple[str, ...], rng: random.Random) -> str:
    """Draw a command: mostly one that changes the state, sometimes invalid ones."""
    doing = [text for text in commands if text.split()[0] not in SIGHTSEEING]
    chance = rng.random()
    if chance < 0.03:
        return "dance on countertop 1"
    if doing and chance < 0.6:
        return rng.choice(doing)
    return rng.choice(commands)


def _compare(name: str, native: object, reference: object) -> list[str]:
    if native == reference:
        return []
    return [f"{name}: native {native!r}, TextWorld {reference!r}"]


def _compare_states(native: Engine, reference: TextworldEngine) -> list[str]:
    found = _compare("commands", native.commands(), reference.commands())
    found += _compare("state", native.state, reference.state)
    won = solved(native.house, native.state)
    return found + _compare("solved", won, reference.won)


def planned(texts: Mapping[str, Any]) -> list[str]:
    """Solve a game with TextWorld's planner, and play its plan with both engines.

    Args:
        texts: The game in the official format.

    Returns:
        The errors of the plan, empty if it solves the game in as few steps as our own.
    """
    native = Engine(parse_game(texts))
    reference = TextworldEngine(texts)
    ours = plan(native.house, native.state) or ()
    theirs = reference.plan()
    found = _compare("length of the plan", len(ours), len(theirs))
    for command in theirs:
        answers = native.step(command), reference.step(command)
        found += _compare(f"answer to {command!r}", *answers)
    won = solved(native.house, native.state), reference.won
    return found + _compare("solved by the planner", won, (True, True))


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
