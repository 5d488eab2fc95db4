"""Show the user's errors in one line; other errors keep their traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


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
