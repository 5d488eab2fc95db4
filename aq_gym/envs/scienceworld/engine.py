"""An engine, which holds one moment of an episode, and the pool of engines."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from aq_gym.envs.scienceworld.process import EngineError, Worker
from aq_gym.envs.scienceworld.tasks import Instance
from aq_gym.envs.scienceworld.world import (
    Goals,
    Status,
    World,
    beginning,
    followed,
    parse,
)

# The time limits of requests; the longest gold path took 30 seconds.
_SECONDS = 300.0
_GOLD_SECONDS = 1_200.0
_MATCH_SECONDS = 10.0
# Also defined in worker.py, which imports nothing of this package.
LIST = "\0"
NO_MATCH = "No known action matches that input."
_NO_CHOICE = ""


class Engine:
    """A worker, and the moment of an episode that its ScienceWorld holds.

    Attributes:
        world: The moment, or None.
        description: The description of the instance's task.
    """

    def __init__(self) -> None:
        self._worker = Worker()
        self.world: World | None = None
        self.description = ""

    @property
    def alive(self) -> bool:
        """Whether the worker's process runs."""
        return self._worker.alive

    @property
    def pid(self) -> int:
        """The id of the worker's process."""
        return self._worker.pid

    def close(self) -> None:
        """End the process."""
        self._worker.close()

    def can_continue(self, world: World) -> bool:
        """Return whether further actions reach a moment, without a restart."""
        here = self.world
        if here is None or here.instance != world.instance:
            return False
        return world.actions[: len(here.actions)] == here.actions

    def load(self, instance: Instance) -> World:
        """Begin an episode.

        Raises:
            EngineError: If ScienceWorld fails.
        """
        self.world = None
        answer = self._request(do="load", **instance._asdict())
        self.description = answer.pop("description")
        self.world = beginning(instance, _status(answer))
        return self.world

    def step(self, action: str) -> World:
        """Carry out an action at the engine's moment.

        Raises:
            EngineError: If ScienceWorld fails.
        """
        here, self.world = self.world, None
        assert here is not None
        status = _status(self._request(do="step", text=action))
        self.world = followed(here, action, status)
        return self.world

    def go_to(self, world: World) -> None:
        """Bring ScienceWorld to a moment, by replaying the actions up to it.

        Raises:
            EngineError: If ScienceWorld fails, or the replay gives other answers.
        """
        if not self.can_continue(world):
            self.load(world.instance)
        assert self.world is not None
        for action in world.actions[len(self.world.actions) :]:
            self.step(action)
        if self.world.trace != world.trace:
            self.world = None
            raise EngineError(
                f"{world.instance.task} {world.instance.variation}: the replay of "
                f"{len(world.actions)} actions gave other answers than before"
            )

    def act(self, action: str) -> World | None:
        """Carry out an action of the agent at the engine's moment.

        If ScienceWorld asks which of several meanings an action has, it treats any text
        but a number as a failed answer. Here, another action withdraws the question and
        is carried out.

        Args:
            action: The action; a number if it answers a question.

        Returns:
            The world after the action, or None if ScienceWorld knows no such action.

        Raises:
            EngineError: If ScienceWorld fails.
        """
        here = self.world
        assert here is not None
        asked = bool(here.status.choices)
        if asked and not action.isdecimal():
            self.step(_NO_CHOICE)
        after = self.step(action)
        if after.status.observation != NO_MATCH:
            return after
        # The question has been withdrawn; a replay asks it again.
        self.world = None if asked else here
        return None

    def gold(self, instance: Instance) -> tuple[str, ...]:
        """Return ScienceWorld's own solution.

        Raises:
            EngineError: If ScienceWorld fails.
        """
        self.world = None
        request = {"do": "gold", **instance._asdict()}
        return tuple(self._worker.request(_GOLD_SECONDS, **request)["actions"])

    def list_actions(self) -> tuple[World, tuple[str, ...]]:
        """Return the valid actions, and the world after they were listed.

        ScienceWorld draws random numbers to list them, which decide what animals do.

        Raises:
            EngineError: If ScienceWorld fails.
        """
        after = self.step(LIST)
        return after, tuple(after.status.observation.split("\n"))

    def actions(self) -> tuple[str, ...]:
        """Return the valid actions, sorted."""
        return tuple(self._request(do="actions")["actions"])

    def inventory(self) -> str:
        """Return what the agent carries, which takes no time."""
        return str(self._request(do="inventory")["text"])

    def objects(self) -> tuple[str, ...]:
        """Return the names of the objects in sight, sorted."""
        return tuple(sorted(set(self._request(do="objects")["objects"])))

    def match(self, patterns: Sequence[str], text: str) -> list[bool]:
        """Return which regular expressions match somewhere in a text.

        The expressions come from a user and may take forever. The worker evaluates
        them, because a process can be killed.

        Raises:
            EngineError: If the search takes more than 10 seconds.
        """
        request = {"do": "match", "patterns": patterns, "text": text}
        try:
            return list(self._worker.request(_MATCH_SECONDS, **request)["found"])
        except EngineError as error:
            raise EngineError(f"matching the patterns of subgoals: {error}") from error

    def _request(self, **request: Any) -> dict[str, Any]:
        return self._worker.request(_SECONDS, **request)


def _status(answer: dict[str, Any]) -> Status:
    return Status(**{**answer, "goals": _goals(answer["goals"])})


# A fast path: most actions reach no goal.
@lru_cache(maxsize=64)
def _goals(report: str) -> Goals:
    return parse(report)


class Pool:
    """A pool of engines, at most one per processor core.

    An environment borrows an engine for each step: an engine that already holds the
    episode's moment, or a new engine, or the least recently used one, which replays the
    episode. A forked process begins with an empty pool.

    Args:
        limit: The maximum number of engines; by default the number of cores.
    """

    def __init__(self, limit: int | None = None) -> None:
        self._limit = limit or _cores()
        self._changed = threading.Condition()
        # The least recently used engine comes first.
        self._free: list[Engine] = []
        self._busy = 0
        self._abandoned: list[Engine] = []
        os.register_at_fork(after_in_child=self._forget)

    @contextmanager
    def at(self, world: World) -> Iterator[Engine]:
        """Borrow an engine at a moment of an episode.

        Raises:
            EngineError: If no engine starts, or the replay fails.
        """
        with self._borrowed(world) as engine:
            engine.go_to(world)
            yield engine

    @contextmanager
    def anywhere(self) -> Iterator[Engine]:
        """Borrow an engine at any moment of any episode.

        Raises:
            EngineError: If no engine starts.
        """
        with self._borrowed(None) as engine:
            yield engine

    def begin(self, instance: Instance) -> tuple[World, str]:
        """Return the beginning of an episode, and the description of its task.

        An engine that died while nobody used it is replaced.

        Raises:
            EngineError: If ScienceWorld fails.
        """
        with self.anywhere() as engine:
            try:
                return engine.load(instance), engine.description
            except EngineError:
                if engine.alive:
                    raise
        with self.anywhere() as engine:
            return engine.load(instance), engine.description

    def close(self) -> None:
        """End the processes of all engines that are not in use."""
        with self._changed:
            engines, self._free = self._free, []
        for engine in engines:
            engine.close()

    @property
    def pids(self) -> tuple[int, ...]:
        """The ids of the processes of the engines that are not in use."""
        with self._changed:
            return tuple(engine.pid for engine in self._free)

    @contextmanager
    def _borrowed(self, world: World | None) -> Iterator[Engine]:
        engine = self._take(world)
        try:
            engine = engine or Engine()
            yield engine
        finally:
            self._return(engine)

    def _take(self, world: World | None) -> Engine | None:
        """Return a free engine, or None if a new one may be started."""
        with self._changed:
            while True:
                self._drop_dead()
                engine = self._best(world)
                may_start = len(self._free) + self._busy < self._limit
                if engine is not None or may_start:
                    self._busy += 1
                    if engine is not None:
                        self._free.remove(engine)
                    return engine
                self._changed.wait()

    def _best(self, world: World | None) -> Engine | None:
        if world is not None:
            for engine in reversed(self._free):
                if engine.can_continue(world):
                    return engine
        idle = [engine for engine in self._free if engine.world is None]
        if idle or len(self._free) + self._busy >= self._limit:
            return next(iter(idle or self._free), None)
        return None

    def _return(self, engine: Engine | None) -> None:
        with self._changed:
            self._busy -= 1
            if engine is not None:
                self._free.append(engine)
            self._changed.notify()

    def _drop_dead(self) -> None:
        dead = [engine for engine in self._free if not engine.alive]
        for engine in dead:
            self._free.remove(engine)
            engine.close()

    def _forget(self) -> None:
        # The processes belong to the parent; collecting them would warn that they still
        # run.
        self._abandoned += self._free
        self._free = []
        self._busy = 0
        self._changed = threading.Condition()


def _cores() -> int:
    # Only Linux says which cores this process may use.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


POOL = Pool()
atexit.register(POOL.close)
