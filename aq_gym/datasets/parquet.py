"""Parquet files of episodes and steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from aq_gym.datasets.played import Played, chat_record, step_rows
from aq_gym.support.extras import load

# Rows in memory at once, and in a row group of the file.
_BATCH = 5_000
_ORIGIN = {
    "episode": "string",
    "env": "string",
    "setting": "string",
    "seed": "int64",
    "split": "string",
    "agent": "string",
    "task_id": "string",
    "goal": "string",
}
STEP_COLUMNS = {
    **_ORIGIN,
    "t": "int32",
    "observation": "string",
    "completion": "string",
    "action": "string",
    "reward": "float64",
    "next_observation": "string",
    "terminated": "bool",
    "truncated": "bool",
    "progress": "float64",
    "best_progress": "float64",
    "valid": "bool",
    "repeated": "bool",
    "success": "bool",
}
_CHAT = {
    "prompt_length": "int32",
    "actions": ["string"],
    "rewards": ["float64"],
    "progress": ["float64"],
    "valid": ["bool"],
    "repeated": ["bool"],
    "final_observation": "string",
    **_ORIGIN,
    "difficulty": "string",
    "success": "bool",
    "progress_rate": "float64",
    "steps": "int32",
}


def write_steps(episodes: Iterable[Played], path: Path) -> None:
    """Write a row for each step.

    Raises:
        gymnasium.error.DependencyNotInstalled: If pyarrow is missing.
    """
    rows = (row for played in episodes for row in step_rows(played))
    _write(rows, _schema(STEP_COLUMNS), path)


def write_chats(episodes: Iterable[Played], path: Path) -> None:
    """Write a row for each episode.

    Raises:
        gymnasium.error.DependencyNotInstalled: If pyarrow is missing.
    """
    arrow = _pyarrow()
    chats = [chat_record(played) for played in episodes]
    # Some chat templates check whether a message has a field, not its value.
    fields = {field for chat in chats for one in chat["messages"] for field in one}
    kinds = {name: kind for name, kind in _message_kinds().items() if name in fields}
    messages = arrow.list_(arrow.struct(list(kinds.items())))
    schema = _schema(_CHAT).insert(0, arrow.field("messages", messages))
    if any("tools" in chat for chat in chats):
        schema = schema.append(arrow.field("tools", arrow.string()))
    _write(iter(chats), schema, path)


def _message_kinds() -> dict[str, Any]:
    arrow = _pyarrow()
    text = arrow.string()
    function = arrow.struct([("name", text), ("arguments", text)])
    call = arrow.struct([("id", text), ("type", text), ("function", function)])
    return {
        "role": text,
        "content": text,
        "reasoning_content": text,
        "tool_calls": arrow.list_(call),
        "tool_call_id": text,
    }


def _write(rows: Iterator[dict[str, Any]], schema: Any, path: Path) -> None:
    arrow = _pyarrow()
    from pyarrow import parquet

    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        while batch := list(islice(rows, _BATCH)):
            writer.write_table(arrow.Table.from_pylist(batch, schema=schema))


def _schema(columns: dict[str, Any]) -> Any:
    arrow = _pyarrow()
    kinds = {
        name: arrow.list_(arrow.type_for_alias(kind[0]))
        if isinstance(kind, list)
        else arrow.type_for_alias(kind)
        for name, kind in columns.items()
    }
    return arrow.schema(list(kinds.items()))


def _pyarrow() -> Any:
    return load("pyarrow", "Parquet", "export")
