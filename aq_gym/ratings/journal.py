"""The journal of a rating: every request and its answer, on disk at once."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from aq_gym.trajectory import jsonl


class Request(NamedTuple):
    """A request to a judge.

    Attributes:
        system: The system prompt.
        parts: The user's message, in parts; a part that many requests share is stored
            once.
        number: The number of the repetition. Equal requests with different numbers are
            asked separately.
    """

    system: str
    parts: tuple[str, ...]
    number: int = 0


def request_key(judge: str, request: Request) -> str:
    """Return the key of a request: its judge, its texts and its number."""
    texts = "\0".join(map(_digest, (judge, request.system, *request.parts)))
    return _digest(f"{texts} {request.number}")


class Journal:
    """A file with every answer, and one copy of each text that was sent.

    With it, a rating that was killed can continue: the program asks everything
    again, but sends only requests that the journal lacks.

    Args:
        folder: The folder of ``journal.jsonl``.
        write: Whether it may be written; it is made if it does not exist.

    Attributes:
        salt: A secret of the journal, which no author of an episode can know.
        used: Sums of what the answers have used: calls, tokens, cost.
        refusals: The errors of the requests that the endpoint refused.
    """

    def __init__(self, folder: Path, write: bool = True) -> None:
        self.used: dict[str, float] = {}
        self.refusals: list[str] = []
        self.salt = os.urandom(16).hex()
        self._lock = Lock()
        self._texts: set[str] = set()
        self._answers: dict[str, dict[str, Any]] = {}
        self._salted = False
        path = folder / "journal.jsonl"
        if path.exists():
            self._read(path)
        self._lines: jsonl.JsonLines | None = None
        if write:
            folder.mkdir(exist_ok=True)
            self._lines = jsonl.JsonLines(path, checksums=True)
        if not self._salted:
            self._write({"kind": "salt", "salt": self.salt})

    def _read(self, path: Path) -> None:
        """Load the records of the file; what damaged lines had is asked again."""
        for number, line in enumerate(jsonl.read_lines(path), 1):
            wrong = "has a wrong checksum" if line.damaged else ""
            try:
                self._take(line.record or {})
            except (AttributeError, KeyError, TypeError):
                wrong = "lacks a field, or one has the wrong type"
            if wrong:
                warnings.warn(
                    f"{path}: line {number} {wrong}; it is left out, and what is "
                    "missing is asked again",
                    stacklevel=1,
                )

    def close(self) -> None:
        """Close the file."""
        if self._lines is not None:
            self._lines.close()

    def find(self, judge: str, request: Request) -> dict[str, Any] | None:
        """Return the record of an answer, None if there is none."""
        return self._answers.get(request_key(judge, request))

    def add(
        self,
        judge: str,
        request: Request,
        answer: str,
        usage: Mapping[str, Any],
        **fields: Any,
    ) -> dict[str, Any]:
        """Write an answer and return its record.

        Raises:
            NotWrittenError: If it cannot be written.
        """
        record = {
            "kind": "answer",
            "key": request_key(judge, request),
            "judge": judge,
            "system": _digest(request.system),
            "parts": list(map(_digest, request.parts)),
            "number": request.number,
            "answer": answer,
            "usage": dict(usage),
            **fields,
        }
        with self._lock:
            # Texts are written first, because an answer without its texts would be of
            # little use.
            for text in (request.system, *request.parts):
                if _digest(text) not in self._texts:
                    self._write({"kind": "text", "id": _digest(text), "text": text})
                    self._texts.add(_digest(text))
            self._write(record)
            self._take(record)
        return record

    def _write(self, record: Mapping[str, Any]) -> None:
        if self._lines is not None:
            self._lines.append(record)

    def _take(self, record: Mapping[str, Any]) -> None:
        kind = record.get("kind")
        if kind == "salt":
            self.salt, self._salted = str(record["salt"]), True
        elif kind == "text":
            self._texts.add(str(record["id"]))
        elif kind == "answer":
            usage = record["usage"].items()
            self._answers[record["key"]] = {**record, "answer": str(record["answer"])}
            if record.get("problem") == "refused":
                self.refusals.append(str(record.get("error", "")))
            for name, value in usage:
                if isinstance(value, int | float):
                    self.used[name] = self.used.get(name, 0) + value


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:24]


def texts_of(parts: Sequence[str]) -> str:
    """Return the user's message of a request."""
    return "\n\n".join(parts)
