"""End a process although an agent has left threads in it."""

from __future__ import annotations

import os
import sys
import threading

# Threads that are about to end may do so.
_SECONDS = 1.0


def exit_despite_threads(code: int) -> None:
    """Exit if threads are left that Python would wait for; otherwise do nothing.

    Args:
        code: The exit code.
    """
    own = (threading.main_thread(), threading.current_thread())
    left = [one for one in threading.enumerate() if not one.daemon and one not in own]
    for thread in left:
        thread.join(_SECONDS / len(left))
    if any(thread.is_alive() for thread in left):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
