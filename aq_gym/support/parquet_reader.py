"""A program that writes the rows of a Parquet file as lines of JSON.

It is run in a process of its own, because a damaged file can end it, and a value that
is repeated is stored once, so that one of some kilobytes can take any time and memory.
It imports nothing of this package.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from importlib.metadata import version
from typing import Any

MOST_SECONDS = 20
_MOST_MEMORY = 2**30
_ROWS_AT_ONCE = 16


def main() -> None:
    """Write each row, or a text that says what is wrong with the file.

    The arguments are its path and the names of the columns to read in JSON, ``null``
    for all.
    """
    # Windows has no such limits, and macOS not all of them.
    with contextlib.suppress(ImportError):
        import resource

        limits = {"RLIMIT_CPU": MOST_SECONDS, "RLIMIT_AS": _MOST_MEMORY}
        for name, most in limits.items():
            # The user's own limit stays if it is lower.
            with contextlib.suppress(AttributeError, ValueError):
                resource.setrlimit(getattr(resource, name), (most, most))
    try:
        if int(version("pyarrow").partition(".")[0]) >= 18:
            # It is not required, and its import takes longer than all else.
            sys.modules["numpy"] = None  # type: ignore[assignment]
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        from pyarrow import parquet

        with open(sys.argv[1], "rb") as content:
            # Threads would reserve memory, and end the process where there is none.
            file = parquet.ParquetFile(content, pre_buffer=False)
            names = file.schema_arrow.names
            if (chosen := json.loads(sys.argv[2])) is not None:
                names = [name for name in names if name in chosen]
            for batch in file.iter_batches(_ROWS_AT_ONCE, None, names, False):
                for row in batch.to_pylist():
                    _write(row)
    except (BrokenPipeError, MemoryError):
        os._exit(1)
    except Exception as error:  # noqa: BLE001 (a damaged file may raise any)
        _write(str(error)[:200])
    sys.stdout.flush()
    # Without what libraries do at the end, which can fail for lack of memory.
    os._exit(0)


def _write(row: Any) -> None:
    line = json.dumps(row, ensure_ascii=False, default=str)
    sys.stdout.buffer.write(f"{line}\n".encode())


if __name__ == "__main__":
    main()
