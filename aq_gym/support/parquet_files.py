"""Rows of a user's Parquet file, read a few at a time.

A value that is repeated is stored once, so that a file of some kilobytes can have
gigabytes of text: its rows are never all in memory, and the caller checks each.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from aq_gym.support.user_files import UserFileError

_MOST_AT_ONCE = 16
# What a batch may take if each of its rows has the largest column's whole content.
_BATCH_BYTES = 128 * 2**20


def parquet_rows(
    path: Path, most: int, columns: Collection[str] | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file.

    Args:
        path: The file.
        most: The largest number of bytes that it may unpack to.
        columns: The columns to read, where the file has them; None for all.

    Raises:
        ImportError: If pyarrow is not installed.
        UserFileError: If it is damaged, or unpacks to more.
    """
    from pyarrow import ArrowException, parquet

    try:
        with parquet.ParquetFile(path) as file:
            groups = map(file.metadata.row_group, range(file.metadata.num_row_groups))
            chunks = [
                group.column(number).total_uncompressed_size
                for group in groups
                for number in range(group.num_columns)
            ]
            if sum(chunks) > most:
                raise UserFileError(
                    f"{path} unpacks to {sum(chunks):,} bytes; at most {most:,} are "
                    "read"
                )
            names = file.schema_arrow.names
            if columns is not None:
                names = [name for name in names if name in columns]
            fitting = _BATCH_BYTES // max([1, *chunks])
            size = max(1, min(_MOST_AT_ONCE, fitting))
            for batch in file.iter_batches(size, columns=names):
                yield from batch.to_pylist()
    except (ArrowException, OSError) as error:
        raise UserFileError(f"{path} is not a Parquet file: {error!s:.200}") from error
