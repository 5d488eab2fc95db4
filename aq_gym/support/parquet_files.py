"""Rows of a user's Parquet file, read one at a time by a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Collection, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from aq_gym.support import parquet_reader
from aq_gym.support.imports import search_path
from aq_gym.support.user_files import UserFileError

# Of its JSON, whose lists and objects can take 25 times as much.
_LARGEST_ROW = 4 * 2**20


def parquet_rows(
    path: Path, most: int, columns: Collection[str] | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file.

    Args:
        path: The file.
        most: The largest number of bytes that its rows may have, as JSON.
        columns: The columns to read, where the file has them; None for all.

    Raises:
        ImportError: If pyarrow is not installed.
        UserFileError: If it is damaged, its rows have more bytes, or one has more than
            4 MiB, or it takes more than 20 seconds or 1 GiB.
    """
    if find_spec("pyarrow") is None:
        raise ImportError(f"{path} needs pyarrow")
    chosen = json.dumps(None if columns is None else [*columns])
    process = subprocess.Popen(
        [sys.executable, "-P", parquet_reader.__file__, str(path), chosen],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": search_path()},
    )
    assert process.stdout is not None
    left = most
    try:
        while line := process.stdout.readline(_LARGEST_ROW + 1):
            left -= len(line)
            if len(line) > _LARGEST_ROW:
                raise UserFileError(f"{path} has a row of over {_LARGEST_ROW:,} bytes")
            if left < 0:
                raise UserFileError(f"{path} unpacks to over {most:,} bytes")
            if not line.endswith(b"\n"):
                # The process was ended as it wrote the row.
                break
            if isinstance(row := json.loads(line), str):
                raise UserFileError(f"{path} is not a Parquet file: {row}")
            yield row
        if process.wait() or line:
            raise UserFileError(
                f"{path} is damaged, or takes more than "
                f"{parquet_reader.MOST_SECONDS} seconds or 1 GiB to read"
            )
    finally:
        process.kill()
        process.communicate()
