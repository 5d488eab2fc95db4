"""The engines of this process, which its environments share."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from aq_gym.envs.scienceworld.engine.engine import Engine
from aq_gym.envs.scienceworld.engine.process import EngineError
from aq_gym.envs.scienceworld.logic.instances import Instance
from aq_gym.envs.scienceworld.logic.world import World


class Pool:
    """A pool of engines, at most one per processor core.

    An environment borrows one for each step: the one that is where its episode is, a
    new one, or the one that was not used for longest, which is brought there by replay.
    A forked process begins with none.

    Args:
        limit: The most engines; by default, the number of cores.
    """

    def __init__(self, limit: int | None = None) -> None:
        self._limit = limit or _cores()
        self._changed = threading.Condition()
        # The one that was not used for longest comes first.
        self._free: list[Engine] = []
        self._busy = 0
        self._abandoned: list[Engine] = []
        os.register_at_fork(after_in_child=self._forget)

    @contextmanager
    def at(self, world: World) -> Iterator[Engine]:
        """Borrow an engine at a moment of an episode.

        Raises:
            EngineError: If there is none, or it cannot be brought there.
        """
        with self._borrowed(world) as engine:
            engine.go_to(world)
            yield engine

    @contextmanager
    def anywhere(self) -> Iterator[Engine]:
        """Borrow an engine, at whatever moment it is.

        Raises:
            EngineError: If there is none.
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
        """Return a free engine, or None for a new one."""
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
        # They belong to the parent; collecting them would warn that they still run.
        self._abandoned += self._free
        self._free = []
        self._busy = 0
        self._changed = threading.Condition()


def _cores() -> int:
    # Only Linux tells which cores this process may use.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


POOL = Pool()
atexit.register(POOL.close)
