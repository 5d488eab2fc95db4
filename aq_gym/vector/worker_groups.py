"""Environments in worker processes."""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain, pairwise
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple, NoReturn, TypeAlias

import gymnasium as gym
import numpy as np
from gymnasium.error import ClosedEnvironmentError
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import (
    CloudpickleWrapper,
    batch_space,
    concatenate,
    create_empty_array,
    iterate,
)

from aq_gym.vector.worker import Failure, serve

_STOP_SECONDS = 5.0
# The arguments and keyword arguments of a call, by the index of the worker.
_Calls: TypeAlias = Mapping[int, tuple[tuple[Any, ...], dict[str, Any]]]


class _Worker(NamedTuple):
    process: BaseProcess
    connection: Connection
    part: slice


class WorkerGroups:
    """Steps environments in several worker processes.

    It has the methods and results of :class:`aq_gym.vector.env_group.EnvGroup`. An
    exception that an environment raises is raised here, with the traceback of the
    worker as its cause. If a worker dies, all are stopped.

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
        self._workers: list[_Worker] = []
        self._waiting = False
        self._stop = weakref.finalize(self, _stop, self._workers)
        try:
            for part in (slice(*pair) for pair in pairwise(bounds)):
                self._workers.append(_start(env_fns[part], part, autoreset_mode))
            kinds = self._answers(range(num_workers))
            if any(kind[:2] != kinds[0][:2] for kind in kinds.values()):
                raise RuntimeError("the environments must have equal spaces")
        except BaseException:
            self._stop()
            raise
        (
            self.single_observation_space,
            self.single_action_space,
            self.metadata,
            self.render_mode,
        ) = kinds[0]
        self._observation_space = batch_space(self.single_observation_space, count)
        self._action_space = batch_space(self.single_action_space, count)
        self._observations: list[Any] = [None] * count

    def reset(
        self, *, seed: Sequence[int | None], options: dict[str, Any] | None
    ) -> tuple[Any, dict[int, dict[str, Any]]]:
        """Reset environments; see ``SyncVectorEnv.reset``."""
        mask = (options or {}).get("reset_mask")
        calls: dict[int, Any] = {}
        for index, (_, _, part) in enumerate(self._workers):
            given = options
            if mask is not None:
                given = {**(options or {}), "reset_mask": mask[part]}
            if mask is None or mask[part].any():
                calls[index] = (), {"seed": seed[part], "options": given}
        answers = self._ask("reset", calls)
        return self._batched(answers), self._infos(answers)

    def step(self, actions: Any) -> tuple[Any, ...]:
        """Step the environments; see ``SyncVectorEnv.step``."""
        listed = list(iterate(self._action_space, actions))
        space = self.single_action_space
        parts = (_concatenated(space, listed[worker.part]) for worker in self._workers)
        answers = self._ask("step", {i: ((part,), {}) for i, part in enumerate(parts)})
        columns = list(zip(*answers.values(), strict=True))[1:4]
        arrays = map(np.concatenate, columns)
        return self._batched(answers), *arrays, self._infos(answers)

    def render(self) -> tuple[Any, ...]:
        """Return what each environment renders."""
        return self._joined("render", (), {})

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Return attributes or results of calls; see ``SyncVectorEnv.call``."""
        return self._joined("call", (name, *args), kwargs)

    def set_attr(self, name: str, values: Sequence[Any]) -> None:
        """Set an attribute of each environment to its value."""
        parts = enumerate(values[worker.part] for worker in self._workers)
        self._ask("set_attr", {index: ((name, part), {}) for index, part in parts})

    def close(self) -> None:
        """Close the environments and stop the workers."""
        if not self._stop.alive:
            return
        try:
            if not self._waiting:
                self._ask("close", {i: ((), {}) for i in range(len(self._workers))})
        finally:
            self._stop()

    def _joined(
        self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[Any, ...]:
        answers = self._ask(
            name, {i: (args, kwargs) for i in range(len(self._workers))}
        )
        return tuple(chain.from_iterable(answers.values()))

    def _batched(self, answers: Mapping[int, Any]) -> Any:
        """Return all observations, including those of workers that were not called."""
        for index, answer in answers.items():
            given = iterate(self._observation_space, answer[0])
            self._observations[self._workers[index].part] = given
        return _concatenated(self.single_observation_space, self._observations)

    def _infos(self, answers: Mapping[int, Any]) -> dict[int, dict[str, Any]]:
        return {
            place + self._workers[index].part.start: info
            for index, answer in answers.items()
            for place, info in answer[-1].items()
        }

    def _ask(self, name: str, calls: _Calls) -> dict[int, Any]:
        """Call a method of workers' groups, and return the answer of each."""
        if not self._stop.alive:
            raise ClosedEnvironmentError(
                f"{name}() after the workers were stopped: create a new environment"
            )
        if self._waiting:
            raise ClosedEnvironmentError(
                f"{name}() after a call was interrupted: create a new environment"
            )
        # All are pickled before any is sent, so that a failure changes nothing. As
        # bytes: send and recv have memoryviews of BytesIO, and CPython 3.12.1 crashes
        # if it frees them in a cycle with the traceback of an error.
        requests = [pickle.dumps((name, *call)) for call in calls.values()]
        self._waiting = True
        for index, request in zip(calls, requests, strict=True):
            try:
                self._workers[index].connection.send_bytes(request)
            except OSError:
                self._died(index)
        return self._answers(calls)

    def _answers(self, indices: Iterable[int]) -> dict[int, Any]:
        self._waiting = True
        answers = {}
        for index in indices:
            try:
                received = self._workers[index].connection.recv_bytes()
            except (EOFError, OSError):
                self._died(index)
            answers[index] = pickle.loads(received)
        self._waiting = False
        for answer in answers.values():
            if isinstance(answer, Failure):
                answer.raise_it()
        return answers

    def _died(self, index: int) -> NoReturn:
        process, _, part = self._workers[index]
        process.join(_STOP_SECONDS)
        code, pid = process.exitcode, process.pid
        self._stop()
        raise RuntimeError(
            f"the worker of environments {part.start} to {part.stop - 1} (process "
            f"{pid}) died: {_reason(code)}; the other workers were stopped"
        ) from None


def _start(
    env_fns: Sequence[Callable[[], gym.Env[Any, Any]]],
    part: slice,
    autoreset_mode: AutoresetMode,
) -> _Worker:
    # Spawned, because forking a process that has threads can deadlock.
    context = multiprocessing.get_context("spawn")
    own, other = context.Pipe()
    process = context.Process(
        target=serve,
        # Gymnasium declares it for one function; it pickles anything.
        args=(other, CloudpickleWrapper(env_fns), autoreset_mode),  # type: ignore[arg-type]
        name=f"TextVectorEnv-{part.start}",
        daemon=True,
    )
    process.start()
    # The only other copy of this end is the worker's, whose death closes it.
    other.close()
    return _Worker(process, own, part)


def _stop(workers: Sequence[_Worker]) -> None:
    """Stop the workers by closing their connections, or kill them."""
    for worker in workers:
        worker.connection.close()
    for process, _, _ in workers:
        process.join(_STOP_SECONDS)
        if process.is_alive():
            process.kill()
            process.join()
        process.close()


def _concatenated(space: gym.Space[Any], items: Sequence[Any]) -> Any:
    empty: Any = create_empty_array(space, len(items))
    return concatenate(space, items, empty)


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
