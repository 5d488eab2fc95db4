"""The file of one episode while it is written."""

from __future__ import annotations

import gzip
import itertools
import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

from aq_gym.wrappers import jsonl
from aq_gym.wrappers.jsonl import JsonLines

SUFFIX = ".jsonl"
COMPRESSED_SUFFIX = ".jsonl.gz"


class EpisodeFile:
    """Writes the header, a record per step and the end of one episode.

    A copy (made by ``copy.deepcopy`` or by pickling) never writes to the file of its
    original: on its first step it begins one of its own, whose header names the
    original's and the step up to which the two are one episode.
    """

    def __init__(
        self, directory: str, names: Iterable[str], header: Mapping[str, Any]
    ) -> None:
        """Create the file under the first name that is free.

        Args:
            directory: Where to create it.
            names: Names without their suffix, in order of preference.
            header: The header, as JSON.

        Raises:
            FileExistsError: If every name is taken.
        """
        self.steps = 0
        self._directory = directory
        # As text, so that a copy of it costs nothing.
        self._header = jsonl.dumps(header)
        self._create(names, header)

    def add_step(self, **fields: object) -> None:
        """Write the record of a step.

        Args:
            **fields: What it says besides its number, as JSON.
        """
        lines = self._lines or self._begin_copy()
        self.steps += 1
        lines.append({"kind": "step", "t": self.steps, **fields})

    def end(self, compress: bool, **fields: object) -> None:
        """Write the end record and close the file.

        Args:
            compress: Whether to replace the file by a compressed one.
            **fields: What the record says besides the number of steps, as JSON.
        """
        if self._lines is None:
            return
        self._lines.append({"kind": "end", "steps": self.steps, **fields})
        self._lines.close()
        if compress:
            _compress(self._lines.path)

    def __getstate__(self) -> dict[str, Any]:
        """Leave the open file to the original."""
        return {**self.__dict__, "_lines": None}

    def _begin_copy(self) -> JsonLines:
        parent = {"file": self.name, "step": self.steps}
        names = (f"{self.name}-copy-{number}" for number in itertools.count(1))
        return self._create(names, {**json.loads(self._header), "parent": parent})

    def _create(self, names: Iterable[str], header: Mapping[str, Any]) -> JsonLines:
        for name in names:
            path = os.path.join(self._directory, name + SUFFIX)
            try:
                lines = JsonLines(path, new=True)
            except FileExistsError:
                continue
            # Looked up afterwards, because a compressed file appears just before
            # its original goes.
            if os.path.exists(os.path.join(self._directory, name + COMPRESSED_SUFFIX)):
                lines.close()
                os.unlink(path)
                continue
            lines.append(header)
            self.name = name
            self._lines: JsonLines | None = lines
            return lines
        raise FileExistsError(
            f"{self._directory} has a trajectory of this name already: {names}"
        )


def _compress(path: str) -> None:
    target = path.removesuffix(SUFFIX) + COMPRESSED_SUFFIX
    with open(path, "rb") as file:
        data = gzip.compress(file.read(), mtime=0)
    with open(target + ".part", "wb") as file:
        file.write(data)
    os.replace(target + ".part", target)
    os.unlink(path)
