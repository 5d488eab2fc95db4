"""Show a user's error in one line, and an interruption too."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise KeyboardInterrupt at the first Ctrl-C, and exit at the second.

    The answer of a model can take minutes. A process that exits without waiting for it
    leaves the same files as a killed one, so that the run can be continued.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, _stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _stop(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, _leave)
    sys.stderr.write(
        "\naq-gym: stopping after the current steps; Ctrl-C again exits at once\n"
    )
    raise KeyboardInterrupt


def _leave(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)


class UserError(Exception):
    """Raised if a command cannot be carried out; the message explains why."""


@contextmanager
def user_errors() -> Iterator[None]:
    """Raise errors of the block as :class:`UserError`."""
    from gymnasium.error import Error as GymnasiumError
    from gymnasium.error import UnregisteredEnv

    from aq_gym.trajectory.trust import UntrustedError

    try:
        yield
    except UntrustedError as error:
        register = "" if error.registered else "name its module with --env-module or, "
        raise UserError(
            f"{error.problem} and is not trusted to: {register}if you know who wrote "
            "it, give --trust"
        ) from error
    except UnregisteredEnv as error:
        raise UserError(f"{error} `aq-gym list` shows all ids.") from error
    except OSError as error:
        raise UserError(_of_system(error)) from error
    except (ValueError, TypeError, ImportError, GymnasiumError) as error:
        raise UserError(str(error) or type(error).__name__) from error


def _of_system(error: OSError) -> str:
    """Return the message of a failed system call without the error number."""
    if error.strerror is None:
        return str(error) or type(error).__name__
    if error.filename is None:
        return error.strerror
    return f"{error.filename}: {error.strerror}"
