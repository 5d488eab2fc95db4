"""Restrict an interpreter to one thread at a time."""

from __future__ import annotations

import threading

from aq_gym.zmachine.sandbox import Sandbox


class ExclusiveSandbox:
    """A sandbox that is entered by one thread at a time, as a context manager."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._lock = threading.Lock()

    def __enter__(self) -> Sandbox:
        """Return the sandbox.

        Raises:
            RuntimeError: If another thread is in it, or it is closed.
        """
        if not self._lock.acquire(blocking=False):
            raise RuntimeError(
                "this interpreter is in use by another thread: use one for each"
            )
        if self._sandbox.closed:
            self._lock.release()
            raise RuntimeError("this interpreter is closed")
        return self._sandbox

    def __exit__(self, *error: object) -> None:
        """Release the sandbox for the next thread."""
        self._lock.release()
