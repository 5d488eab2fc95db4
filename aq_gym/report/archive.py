"""Trajectories as compressed chunks, in the page or in a folder beside it."""

from __future__ import annotations

import base64
import json
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, TextIO

_CHUNK = 500_000
_GZIP = 16 + zlib.MAX_WBITS


def dumps(value: object) -> str:
    """Return JSON that is safe in a ``script`` element: ASCII, without "<".

    Args:
        value: A JSON value; a number that is not finite becomes null.
    """
    text = json.dumps(_finite(value), separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def dump_record(record: Mapping[str, Any]) -> bytes:
    """Return an episode's record as compact JSON."""
    return json.dumps(record, separators=(",", ":"), allow_nan=False).encode("ascii")


class Archive:
    """Collects records in separately gzipped chunks of about half a megabyte.

    A chunk is a JSON array of records. The chunks are kept in a temporary file, so that
    only one of them is in memory. Use it as a context manager.
    """

    def __init__(self) -> None:
        self.size = 0
        self._file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        self._lengths: list[int] = []
        self._open: list[bytes] = []
        self._pending = 0

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *exception: object) -> None:
        self._file.close()

    def add(self, record: bytes) -> tuple[int, int]:
        """Add a record, and return the number of its chunk and its index in the chunk.

        Args:
            record: The return value of :func:`dump_record`.
        """
        if self._pending + len(record) > _CHUNK and self._open:
            self._close_chunk()
        self._open.append(record)
        self._pending += len(record)
        return len(self._lengths), len(self._open) - 1

    def chunks(self) -> Iterator[str]:
        """Yield every chunk, gzipped and in base64."""
        self.finish()
        self._file.seek(0)
        for length in self._lengths:
            yield base64.b64encode(self._file.read(length)).decode("ascii")

    def write_elements(self, file: TextIO) -> None:
        """Write each chunk as an element of the page that the browser ignores."""
        for number, chunk in enumerate(self.chunks()):
            kind = f'type="application/octet-stream" id="aq-chunk-{number}"'
            file.write(f"<script {kind}>{chunk}</script>\n")

    def write_folder(self, folder: Path) -> None:
        """Write each chunk as a script that passes it to the page.

        A page that was opened from disk may load scripts, but no other files.

        Args:
            folder: The folder; it is created if necessary.
        """
        folder.mkdir(parents=True, exist_ok=True)
        for number, chunk in enumerate(self.chunks()):
            text = f'aqChunk({number}, "{chunk}");\n'
            (folder / f"chunk-{number:05d}.js").write_text(text)

    def finish(self) -> None:
        """Compress the last chunk, so that ``size`` counts all chunks."""
        if self._open:
            self._close_chunk()

    def _close_chunk(self) -> None:
        # No time stamp in the header: equal runs give equal reports.
        compressor = zlib.compressobj(6, zlib.DEFLATED, _GZIP)
        raw = b"[" + b",".join(self._open) + b"]"
        data = compressor.compress(raw) + compressor.flush()
        self._file.write(data)
        self._lengths.append(len(data))
        self.size += (len(data) + 2) // 3 * 4
        self._open, self._pending = [], 0
