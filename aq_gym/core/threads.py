"""Detect the use of one object by several threads at once."""

from __future__ import annotations

from threading import get_ident


class OneThread:
    """A guard that only one thread can hold, with a ``with`` statement.

    It is not a lock: a second thread does not wait but gets an error, because waiting
    would hide that two threads share one object by mistake. The thread that holds it
    can take it again, so that an interrupt (Ctrl-C) at any moment leaves it usable. A
    copy starts free.
    """

    def __init__(self, owner: str) -> None:
        """Create a free guard."""
        self._owner = owner
        self._holder: dict[str, int] = {}

    def __enter__(self) -> None:
        """Take the guard.

        Raises:
            RuntimeError: If another thread holds it.
        """
        own = get_ident()
        # A single call of a method of dict is atomic.
        if self._holder.setdefault("thread", own) != own:
            raise RuntimeError(
                f"{self._owner} is used by two threads at once: make one for each"
            )

    def __exit__(self, *error: object) -> None:
        self._holder.clear()

    def __reduce__(self) -> tuple[type[OneThread], tuple[str]]:
        """Copy and pickle as a new guard."""
        return OneThread, (self._owner,)
