"""Detect the use of one object by several threads at once."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["OneThread"]


class OneThread:
    """A guard that only one thread can hold; a copy starts free.

    It is not a lock: a second thread does not wait but gets an error, because waiting
    would hide that two threads share what each believes to be its own.

    A ``with`` statement holds it. Where its time counts, call ``take`` and, in a
    ``finally``, ``release(True)``: these are methods of a list, which are atomic.
    Release it also if ``take`` raises something else than :class:`IndexError`: an
    interrupt, such as Ctrl-C, that arrives just after it is taken.

    Attributes:
        take: Take the guard; it raises :class:`IndexError` if it is held.
        release: Release the guard; its argument is True.
    """

    def __init__(self, owner: str) -> None:
        """Start free.

        Args:
            owner: The name of the object, for the message.
        """
        self._owner = owner
        free = [True]
        self.take: Callable[[], bool] = free.pop
        self.release: Callable[[bool], None] = free.append

    def error(self) -> RuntimeError:
        """Return the error of a thread that could not take the guard."""
        return RuntimeError(
            f"{self._owner} is used by two threads at once: make one for each"
        )

    def __enter__(self) -> None:
        """Take the guard.

        Raises:
            RuntimeError: If another thread, or a caller of this one, holds it.
        """
        try:
            self.take()
        except IndexError:
            raise self.error() from None
        except BaseException:
            # An interrupt can arrive just after it is taken.
            self.release(True)
            raise

    def __exit__(self, *error: object) -> None:
        self.release(True)

    def __reduce__(self) -> tuple[type[OneThread], tuple[str]]:
        """Copy and pickle as a new one."""
        return OneThread, (self._owner,)
