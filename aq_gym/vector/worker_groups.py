"""Environments in worker processes, each of which holds many."""

from __future__ import annotations

import multiprocessing
import signal
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain, pairwise
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from typing import Any, NoReturn

import gymnasium as gym
from gymnasium.error import ClosedEnvironmentError
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import CloudpickleWrapper

from aq_gym.vector.group_results import Begun, Kind, Stepped, check_alike
from aq_gym.vector.parts import InfoParts
from aq_gym.vector.worker import Failure, serve

__all__ = ["WorkerGroups"]

_STOP_SECONDS = 5.0


class WorkerGroups:
    """Steps environments in processes, each of which steps its own one after another.

    It does what :class:`aq_gym.vector.env_group.EnvGroup` does. An exception that an
    environment raises is raised here, with the traceback of the worker as its cause. If
    a worker dies, all are stopped.

    Args:
        env_fns: The functions that make the environments.
        autoreset_mode: When an environment is reset after the end of its episode.
        num_workers: The number of processes.

    Raises:
        RuntimeError: If a worker dies, or two environments have different spaces.
    """

    def __init__(
        self,
        env_fns: Sequence[Callable[[], gym.Env[Any, Any]]],
        autoreset_mode: AutoresetMode,
        num_workers: int,
    ) -> None:
        count = len(env_fns)
        bounds = [count * index // num_workers for index in range(num_workers + 1)]
        self._parts = [slice(*pair) for pair in pairwise(bounds)]
        self._connections: list[Connection] = []
        self._processes: list[BaseProcess] = []
        self._waiting = False
        self._stop = weakref.finalize(self, _stop, self._connections, self._processes)
        try:
            for part in self._parts:
                self._start(list(env_fns[part]), autoreset_mode)
            self.kind = self._common_kind()
        except BaseException:
            self._stop()
            raise

    def reset(
        self,
        seeds: Sequence[int | None],
        options: dict[str, Any] | None,
        chosen: Sequence[bool] | None,
    ) -> Begun:
        """Reset environments; see ``EnvGroup.reset``."""
        begun: list[Begun] = self._ask(
            "reset",
            [
                (seeds[part], options, None if chosen is None else chosen[part])
                for part in self._parts
            ],
        )
        return Begun(
            _joined(one.observations for one in begun),
            _infos([one.infos for one in begun]),
            self._places(one.places for one in begun),
        )

    def step(self, actions: Sequence[Any]) -> Stepped:
        """Step the environments; see ``EnvGroup.step``."""
        stepped: list[Stepped] = self._ask(
            "step", [(actions[part],) for part in self._parts]
        )
        return Stepped(
            _joined(one.observations for one in stepped),
            _joined(one.rewards for one in stepped),
            _joined(one.terminations for one in stepped),
            _joined(one.truncations for one in stepped),
            _infos([one.infos for one in stepped]),
            self._places(one.begun for one in stepped),
            self._places(one.ended for one in stepped),
            _joined(one.finals for one in stepped),
            _infos([one.final_infos for one in stepped]),
        )

    def render(self) -> list[Any]:
        """Return what each environment renders."""
        return _joined(self._ask("render", [()] * len(self._parts)))

    def call(
        self, name: str, args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None
    ) -> list[Any]:
        """Return attributes or results of calls; see ``EnvGroup.call``."""
        return _joined(self._ask("call", [(name, args, kwargs)] * len(self._parts)))

    def set_attr(self, name: str, values: Sequence[Any]) -> None:
        """Set an attribute of each environment; see ``EnvGroup.set_attr``."""
        self._ask("set_attr", [(name, values[part]) for part in self._parts])

    def close(self) -> None:
        """Close the environments and stop the workers."""
        if not self._stop.alive:
            return
        try:
            if not self._waiting:
                self._ask("close", [()] * len(self._parts))
        finally:
            self._stop()

    def _start(
        self,
        env_fns: list[Callable[[], gym.Env[Any, Any]]],
        autoreset_mode: AutoresetMode,
    ) -> None:
        # Spawned, because forking a process that has threads can deadlock.
        context = multiprocessing.get_context("spawn")
        own, other = context.Pipe()
        process = context.Process(
            target=serve,
            # Gymnasium declares it for one function; it pickles anything.
            args=(other, CloudpickleWrapper(env_fns), autoreset_mode),  # type: ignore[arg-type]
            name=f"TextVectorEnv-{len(self._processes)}",
            daemon=True,
        )
        self._connections.append(own)
        self._processes.append(process)
        process.start()
        # The only other copy of this end is the worker's, whose death closes it.
        other.close()

    def _common_kind(self) -> Kind:
        kinds: list[Kind] = self._answers()
        for part, kind in zip(self._parts, kinds, strict=True):
            check_alike(kinds[0], kind, f"environment {part.start}")
        return kinds[0]

    def _ask(self, name: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Call a method of every worker's group and return their answers."""
        if not self._stop.alive:
            raise ClosedEnvironmentError(
                f"{name}() after the workers were stopped: make the environment again"
            )
        if self._waiting:
            raise ClosedEnvironmentError(
                f"{name}() after a call was interrupted: make the environment again"
            )
        # All before any is sent: what cannot be pickled changes nothing.
        requests = [ForkingPickler.dumps((name, given)) for given in arguments]
        self._waiting = True
        for index, request in enumerate(requests):
            try:
                self._connections[index].send_bytes(request)
            except OSError:
                self._died(index)
        return self._answers()

    def _answers(self) -> list[Any]:
        self._waiting = True
        answers = []
        for index, connection in enumerate(self._connections):
            try:
                answers.append(connection.recv())
            except (EOFError, OSError):
                self._died(index)
        self._waiting = False
        for answer in answers:
            if isinstance(answer, Failure):
                answer.raise_it()
        return answers

    def _died(self, index: int) -> NoReturn:
        process, part = self._processes[index], self._parts[index]
        process.join(_STOP_SECONDS)
        code, pid = process.exitcode, process.pid
        self._stop()
        raise RuntimeError(
            f"the worker of environments {part.start} to {part.stop - 1} (process "
            f"{pid}) died: {_reason(code)}; the other workers were stopped"
        ) from None

    def _places(self, parts: Any) -> list[int]:
        return [
            place + part.start
            for places, part in zip(parts, self._parts, strict=True)
            for place in places
        ]


def _joined(parts: Any) -> list[Any]:
    return list(chain.from_iterable(parts))


def _infos(
    given: Sequence[Sequence[dict[str, Any]] | InfoParts],
) -> Sequence[dict[str, Any]] | InfoParts:
    # A group in which no episode ended has no final infos.
    given = [one for one in given if one]
    parts = [one for one in given if isinstance(one, InfoParts)]
    if parts and len(parts) == len(given):
        return InfoParts.joined(parts)
    return _joined(one.infos() if isinstance(one, InfoParts) else one for one in given)


def _reason(code: int | None) -> str:
    if code is None:
        return "it closed its connection"
    if code < 0:
        with suppress(ValueError):
            return f"killed by signal {-code} ({signal.Signals(-code).name})"
    return (
        f"exit code {code} (a script that starts workers needs `if __name__ == "
        '"__main__":`)'
    )


def _stop(connections: Sequence[Connection], processes: Sequence[BaseProcess]) -> None:
    """Stop the workers: they end when their connection closes, or are killed."""
    for connection in connections:
        connection.close()
    for process in processes:
        if process.pid is None:
            continue
        process.join(_STOP_SECONDS)
        if process.is_alive():
            process.kill()
            process.join()
        process.close()
