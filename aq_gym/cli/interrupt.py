"""Handling of Ctrl-C: the first stops the run, the second exits at once."""

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
