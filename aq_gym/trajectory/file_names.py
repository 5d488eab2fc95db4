"""Choose the file names of logged episodes."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable

from aq_gym.trajectory.checks import check_type

# File systems allow 255 bytes, including the suffixes and the numbers of copies.
_LONGEST = 200


class FileNames:
    """Chooses the name of each episode's file, without suffix."""

    def __init__(self, template: str) -> None:
        """Start with the first episode.

        Args:
            template: A name with the field ``{n}``, or a name for a single episode.

        Raises:
            TypeError: If ``template`` is not a str.
            ValueError: If it has other fields, or does not give a valid file name.
        """
        check_type("name", template, str, "a str")
        try:
            first, second = (template.format(n=number) for number in range(2))
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise ValueError(
                f"name={template!r} may contain only the field {{n}}"
            ) from error
        _check(first)
        self._template = template
        self._counts = first != second
        self._number = 0
        self._next: str | None = None

    def name_next(self, name: str) -> None:
        """Use exactly this name for the next episode.

        Raises:
            TypeError: If ``name`` is not a str.
            ValueError: If it is not a valid file name.
        """
        check_type("name", name, str, "a str")
        _check(name)
        self._next = name

    def choose(self) -> Iterable[str]:
        """Return the names to try for the next episode, in order."""
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
        raise ValueError(f"name={name!r} is not a valid file name")
    try:
        size = len(os.fsencode(name))
    except UnicodeEncodeError as error:
        raise ValueError(f"name={name!r} is not a valid file name") from error
    if size > _LONGEST:
        raise ValueError(
            f"name={name!r:.50}... has {size} bytes; at most {_LONGEST} are allowed"
        )
