"""Ctrl-C while episodes are played: once to stop, twice not to wait."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["INTERRUPTED", "interruptible"]

INTERRUPTED = 130


@contextmanager
def interruptible() -> Iterator[None]:
    """Stop at the first Ctrl-C with what is played, and at the second at once.

    What a model was asked can take minutes to come back. A process that ends without
    waiting leaves what one that is killed leaves, and the run goes on from there.
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
        "\naq-gym: stopping when the steps in play are done; Ctrl-C again: at once\n"
    )
    raise KeyboardInterrupt


def _leave(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)
