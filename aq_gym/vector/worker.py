"""The worker process with some of the environments of a vector."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import pickle
import signal
import threading
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, NoReturn

from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import CloudpickleWrapper

from aq_gym.support.redaction import redact
from aq_gym.support.safe_output import protect_output
from aq_gym.vector.env_group import EnvGroup


class WorkerTraceback(Exception):  # noqa: N818 (named as that of multiprocessing is)
    """The traceback of an exception in a worker, as the cause of that exception."""

    def __str__(self) -> str:
        """Return the text of the traceback."""
        return f'\n"""\n{self.args[0]}"""'


class Failure(NamedTuple):
    """An exception that a worker sends."""

    error: Exception
    text: str

    @classmethod
    def of(cls, error: Exception) -> Failure:
        """Return the failure of an exception, replacing one that cannot be sent."""
        text = redact("".join(traceback.format_exception(error)))
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:  # noqa: BLE001 (pickling raises anything)
            error = RuntimeError(redact(f"{type(error).__name__}: {error}"))
        return cls(error, text)

    def raise_it(self) -> NoReturn:
        """Raise the exception, with the traceback of the worker as its cause."""
        raise self.error from WorkerTraceback(self.text)


def serve(
    connection: Connection,
    env_fns: CloudpickleWrapper[Any],
    autoreset_mode: AutoresetMode,
) -> None:
    """Make environments, and serve calls of their group's methods."""
    # The parent handles Ctrl-C for all workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    protect_output()
    try:
        # Not one function, as its type says, but a list of them.
        functions: Any = env_fns.fn
        group = EnvGroup(functions, autoreset_mode)
    except Exception as error:  # noqa: BLE001 (sent to the parent)
        connection.send(Failure.of(error))
        return
    spaces = group.single_observation_space, group.single_action_space
    connection.send((*spaces, group.metadata, group.render_mode))
    with suppress(EOFError, OSError):
        while True:
            name, args, kwargs = connection.recv()
            connection.send_bytes(_answer(group, name, args, kwargs))
    group.close()


def _answer(
    group: EnvGroup, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> bytes:
    try:
        return pickle.dumps(getattr(group, name)(*args, **kwargs))
    except Exception as error:  # noqa: BLE001 (sent to the parent)
        return pickle.dumps(Failure.of(error))


def _end_with_parent() -> None:
    """End this process when its parent dies, even in the middle of a step."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    multiprocessing.connection.wait([parent.sentinel])
    os._exit(1)
