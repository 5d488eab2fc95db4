"""This process: its imports, its open files, and its end."""

from __future__ import annotations

import os
import sys
import sysconfig
import threading

# The seconds that threads have to end.
_SECONDS_TO_END = 1.0


def exit_despite_threads(code: int) -> None:
    """Exit if threads are left that Python would wait for; otherwise do nothing.

    Args:
        code: The exit code.
    """
    own = (threading.main_thread(), threading.current_thread())
    left = [one for one in threading.enumerate() if not one.daemon and one not in own]
    for thread in left:
        thread.join(_SECONDS_TO_END / len(left))
    if any(thread.is_alive() for thread in left):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def allow_open_files(number: int) -> None:
    """Raise the soft limit of open files, if the system has one.

    Args:
        number: The number of files that may be needed; the hard limit stays.
    """
    try:
        import resource
    except ModuleNotFoundError:
        return  # Windows has no such limit.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY:
        number = min(number, hard)
    if soft != resource.RLIM_INFINITY and soft < number:
        resource.setrlimit(resource.RLIMIT_NOFILE, (number, hard))


def search_path() -> str:
    """Return a ``PYTHONPATH`` with which another process can import the same modules.

    The standard library comes first, so that no file beside a user's program hides one
    of its modules.
    """
    return os.pathsep.join([sysconfig.get_path("stdlib"), *filter(None, sys.path)])
