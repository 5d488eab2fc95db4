"""Ensure that processes do not outlive their parent."""

from __future__ import annotations

import os
import signal
import sys

__all__ = ["die_with"]

_PR_SET_PDEATHSIG = 1


def die_with(parent: int) -> None:
    """Have this process killed when its parent ends, if the system supports it.

    Linux can. A thread that waits for the parent's end cannot replace this: it does not
    run while other code holds Python's lock.

    Args:
        parent: The number of the parent process.
    """
    if sys.platform != "linux":
        return
    import ctypes

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
