"""A file of verdicts, so that the model judges nothing twice."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

VERDICTS = ("yes", "no", "irrelevant")
_LARGEST_FILE = 100_000_000
_LONGEST_LINE = 20_000
_LONGEST_NOTE = 500
_KEY_DIGITS = 64


class VerdictFile:
    """Verdicts by a hash of what was judged: JSON Lines, which several processes share.

    Each verdict is one ``os.write`` in append mode. A line that is not a verdict, as a
    torn one, is left out.

    Args:
        path: The file, which need not exist. Its name ends in ".jsonl".

    Raises:
        ValueError: If the file can't be one of verdicts.
    """

    def __init__(self, path: Path) -> None:
        if path.suffix != ".jsonl":
            raise ValueError(f"verdicts={str(path)!r} must end in '.jsonl'")
        self.path = path
        self._known: dict[str, str] = {}
        self._offset = 0
        self._load()
        if self._offset and not self._known:
            raise ValueError(f"verdicts={str(path)!r} is not a file of verdicts")

    def __deepcopy__(self, memo: dict[int, Any]) -> VerdictFile:
        # A verdict depends on what is judged alone, so copies can share them.
        return self

    def get(self, key: str) -> str:
        """Return the verdict stored under a hash, or ""."""
        if key not in self._known:
            self._load()
        return self._known.get(key, "")

    def put(self, key: str, verdict: str, about: Mapping[str, str]) -> str:
        """Add a verdict, unless another process did so before.

        Args:
            key: The hash of what was judged.
            verdict: One of ``VERDICTS``.
            about: What to write beside it for people who read the file.

        Returns:
            The first verdict in the file.
        """
        noted = {name: text[:_LONGEST_NOTE] for name, text in about.items()}
        line = json.dumps({"key": key, "verdict": verdict, **noted})
        self.path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        descriptor = os.open(self.path, flags, 0o644)
        try:
            os.write(descriptor, f"{self._seal(descriptor)}{line}\n".encode("ascii"))
        finally:
            os.close(descriptor)
        self._load()
        return self._known.setdefault(key, verdict)

    def _seal(self, descriptor: int) -> str:
        """Return a line break if the last line is torn."""
        size = os.fstat(descriptor).st_size
        if not size:
            return ""
        with self.path.open("rb") as file:
            file.seek(size - 1)
            return "" if file.read(1) == b"\n" else "\n"

    def _load(self) -> None:
        """Read what was added to the file, by this or another process."""
        try:
            size = self.path.stat().st_size
        except FileNotFoundError:
            return
        if size > _LARGEST_FILE:
            raise ValueError(
                f"verdicts={str(self.path)!r} has {size} bytes: at most {_LARGEST_FILE}"
            )
        if size <= self._offset:
            return
        with self.path.open("rb") as file:
            file.seek(self._offset)
            added = file.read(size - self._offset)
        whole, _, _ = added.rpartition(b"\n")
        self._offset += len(whole) + bool(whole)
        for line in whole.splitlines():
            if len(line) <= _LONGEST_LINE and (found := verdict_of(line)):
                self._known.setdefault(*found)


def verdict_of(line: bytes | str) -> tuple[str, str] | None:
    """Return the hash and verdict in a line of JSON, None if it has none."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict):
        return None
    key, verdict = record.get("key"), record.get("verdict")
    if not isinstance(key, str) or len(key) != _KEY_DIGITS or verdict not in VERDICTS:
        return None
    return key, verdict
