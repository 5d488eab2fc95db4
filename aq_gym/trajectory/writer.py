"""Write the file of an episode."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, SupportsFloat

from aq_gym.trajectory import jsonl, packed
from aq_gym.trajectory.codec import encode
from aq_gym.trajectory.jsonl import JsonLines

SUFFIX = ".jsonl"


class EpisodeFile:
    """Writes the header, the steps and the end record of one episode.

    A copy (made by ``copy.deepcopy``, by pickling or by ``os.fork``) never writes to
    the file of its original. On its first step it creates its own file, whose header
    names the original's file and the last step that the two episodes share.
    """

    def __init__(self, directory: str, names: Iterable[str]) -> None:
        """Create an empty file under the first name that is not in use.

        Raises:
            FileExistsError: If every name is in use.
        """
        self.steps = 0
        self._directory = directory
        self._header = b""
        self._lines: JsonLines | None = None
        self._create(names)

    def begin(self, header: Mapping[str, Any]) -> None:
        """Write the header."""
        # Kept as bytes, which need not be copied.
        self._header = jsonl.dumps(header)
        assert self._lines is not None
        self._lines.append_line(self._header)

    def discard(self) -> None:
        """Remove the file of an episode that did not begin."""
        lines = self._own_lines()
        if lines is not None:
            lines.close()
            os.unlink(lines.path)

    def add_step(self, line: bytes) -> None:
        """Write the record of a step."""
        lines = self._own_lines() or self._begin_copy()
        self.steps += 1
        lines.append_line(line)

    def end(self, **fields: object) -> None:
        """Write the end record and close the file.

        A copy without a file creates one only to record an error.
        """
        lines = self._own_lines()
        if lines is None:
            if fields["reason"] != "error":
                return
            lines = self._begin_copy()
        try:
            lines.append({"kind": "end", "steps": self.steps, **fields})
        finally:
            lines.close()

    def __getstate__(self) -> dict[str, Any]:
        """Exclude the open file, which only the original may write."""
        return {**self.__dict__, "_lines": None}

    def _own_lines(self) -> JsonLines | None:
        """Return the open file, None if another process has opened it."""
        if self._process != os.getpid():
            self._lines = None
        return self._lines

    def _begin_copy(self) -> JsonLines:
        parent = {"file": self.name, "step": self.steps}
        names = (f"{self.name}-copy-{number}" for number in itertools.count(1))
        lines = self._create(names)
        lines.append({**json.loads(self._header), "parent": parent})
        return lines

    def _create(self, names: Iterable[str]) -> JsonLines:
        for name in names:
            path = os.path.join(self._directory, name + SUFFIX)
            try:
                lines = JsonLines(path, new=True, checksums=True)
            except FileExistsError:
                continue
            # Checked afterwards: a file is packed just before it is removed.
            if name + SUFFIX in packed.packed_names(self._directory):
                lines.close()
                os.unlink(path)
                continue
            self.name = name
            self._lines = lines
            self._process = os.getpid()
            return lines
        raise FileExistsError(
            f"{self._directory} already has a trajectory named {names}"
        )


class EpisodeTotals:
    """The return and outcome of an episode, for its end record."""

    def __init__(self, keys: Sequence[str]) -> None:
        """Start with a return of 0."""
        self._keys = tuple(zip(("best_progress", "success"), keys, strict=True))
        self._return = 0.0
        self._outcome: dict[str, Any] = {}

    def add(self, reward: SupportsFloat, info: Mapping[str, Any]) -> None:
        """Add a step, or the reset with a reward of 0."""
        self._return += float(reward)
        self._outcome = {}
        for name, key in self._keys:
            if key in info:
                self._outcome[name] = info[key]

    def fields(self) -> dict[str, Any]:
        """Return the totals as JSON."""
        return {"return": encode(self._return), **encode(self._outcome)}


def step_line(
    number: int, action: object, result: tuple[Any, ...], notes: Mapping[str, object]
) -> bytes:
    """Return the record of a step as a line of JSON, without known secrets.

    Args:
        number: The number of the step, from 1.
        action: The action, as JSON.
        result: The five values that ``step`` returned.
        notes: The notes on the action; empty if there are none.
    """
    observation, reward, terminated, truncated, info = result
    record = {
        "kind": "step",
        "t": number,
        "action": action,
        "observation": encode(observation),
        "reward": encode(reward),
        "terminated": bool(terminated),
        "truncated": bool(truncated),
        "info": encode(info),
    }
    return jsonl.dumps({**record, "notes": encode(notes)} if notes else record)
