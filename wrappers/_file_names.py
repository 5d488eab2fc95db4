"""The names of the files in which episodes are logged."""

from __future__ import annotations

import itertools
from collections.abc import Iterable


class FileNames:
    """Chooses the name of each episode's file, without its suffix."""

    def __init__(self, template: str) -> None:
        """Begin with the first episode.

        Args:
            template: A name with the field ``{n}``, or one for a single episode.

        Raises:
            ValueError: If it has other fields, or gives no file name.
        """
        try:
            first, second = (template.format(n=number) for number in range(2))
        except (KeyError, IndexError, ValueError) as error:
            raise ValueError(
                f"name={template!r} may have the field {{n}} and no other"
            ) from error
        _check(first)
        self._template = template
        self._counts = first != second
        self._number = 0
        self._next: str | None = None

    def name_next(self, name: str) -> None:
        """Give the next episode exactly this name.

        Args:
            name: The name.

        Raises:
            ValueError: If it is no file name.
        """
        _check(name)
        self._next = name

    def choose(self) -> Iterable[str]:
        """Return the names to try for an episode, in order."""
        if self._next is not None:
            names, self._next = [self._next], None
            return names
        if not self._counts:
            return [self._template]
        return self._count()

    def _count(self) -> Iterable[str]:
        for number in itertools.count(self._number):
            self._number = number + 1
            yield self._template.format(n=number)


def _check(name: str) -> None:
    if not name or name.startswith(".") or set(name) & set("/\\\0"):
        raise ValueError(f"name={name!r} is not the name of a file")
