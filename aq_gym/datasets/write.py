"""Write episodes as a dataset."""

from __future__ import annotations

import csv
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

from aq_gym.datasets.minari import write_minari
from aq_gym.datasets.played import Played, chat_record, sft_rows, step_rows
from aq_gym.support.extras import load

# The number of rows in memory at once, and in a row group of the file.
_BATCH = 5_000


_ORIGIN = {
    "episode": "string",
    "env": "string",
    "setting": "string",
    "seed": "int64",
    "split": "string",
    "source": "string",
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
    "steps_to_go": "int32",
    "regret": "int32",
    "determined": "bool",
    "success": "bool",
}


_CHAT = {
    "prompt_length": "int32",
    "actions": ["string"],
    "rewards": ["float64"],
    "progress": ["float64"],
    "valid": ["bool"],
    "repeated": ["bool"],
    "steps_to_go": ["int32"],
    "regret": ["int32"],
    "determined": ["bool"],
    "final_observation": "string",
    **_ORIGIN,
    "difficulty": "string",
    "success": "bool",
    "progress_rate": "float64",
    "steps": "int32",
}


_EPISODE_COLUMNS = (
    *_ORIGIN,
    "difficulty",
    "success",
    "progress_rate",
    "steps",
    "final_observation",
)


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


_CARD = """---
configs:
- config_name: chat
  default: true
  data_files:
{chat}
- config_name: steps
  data_files:
{steps}
---

# Episodes of aq_gym

{episodes} episodes: {counts}. `chat` has a row for each episode, `steps` one for each
step.
"""


def write(
    episodes: Iterable[Played], to: str, path: str | os.PathLike[str]
) -> dict[str, int]:
    """Write episodes to a new file, or a new folder for "hf" and "minari".

    Nothing is left at the path if writing fails.

    Args:
        episodes: The episodes. In a file each row names its split; a folder has a file
            or a dataset for each split.
        to: "chat" (JSON Lines, an episode a line), "sft" (JSON Lines, a completion and
            its prompt a line), "parquet" or "csv-steps" (a row for each step), "csv"
            (a row for each episode, without its messages), "hf" (a folder that
            ``datasets.load_dataset`` reads) or "minari" (a folder of Minari datasets).
        path: The file or folder.

    Returns:
        The number of episodes of each split.

    Raises:
        ValueError: If ``to`` is unknown, or there are no episodes.
        FileExistsError: If the path exists.
        gymnasium.error.DependencyNotInstalled: If pyarrow or Minari is needed but
            missing.
    """
    if to not in FORMATS:
        raise ValueError(f"to={to!r}: choose one of {', '.join(FORMATS)}")
    target = Path(path)
    if target.exists():
        raise FileExistsError(f"{target} exists: name a new file or folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.part")
    _remove(part)
    counts: dict[str, int] = {}
    try:
        FORMATS[to](_counted(episodes, counts), part)
        if not counts:
            raise ValueError(
                "there are no episodes to write: none has ended, or the filters leave "
                "none"
            )
        part.replace(target)
    finally:
        _remove(part)
    return counts


def _counted(episodes: Iterable[Played], counts: dict[str, int]) -> Iterator[Played]:
    for played in episodes:
        counts[played.split] = counts.get(played.split, 0) + 1
        yield played


def _chat(episodes: Iterable[Played], path: Path) -> None:
    _lines(map(chat_record, episodes), path)


def _sft(episodes: Iterable[Played], path: Path) -> None:
    _lines(chain.from_iterable(map(sft_rows, episodes)), path)


def _lines(records: Iterable[dict[str, Any]], path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        for record in records:
            file.write(f"{json.dumps(record, ensure_ascii=False)}\n")


def _csv(episodes: Iterable[Played], path: Path) -> None:
    _table(map(chat_record, episodes), _EPISODE_COLUMNS, path)


def _csv_steps(episodes: Iterable[Played], path: Path) -> None:
    _table(chain.from_iterable(map(step_rows, episodes)), STEP_COLUMNS, path)


def _table(
    records: Iterable[dict[str, Any]], columns: Iterable[str], path: Path
) -> None:
    names = list(columns)
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(names)
        table.writerows([_cell(one.get(name)) for name in names] for one in records)


def _cell(value: object) -> object:
    """Return the value of a cell, which no spreadsheet takes for a formula."""
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return value


_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def _folder(episodes: Iterable[Played], path: Path) -> None:
    by_split: dict[str, list[Played]] = {}
    for played in episodes:
        # The name "all" is reserved for the union of the splits.
        name = "other" if played.split == "all" else played.split
        by_split.setdefault(name, []).append(played)
    for config, writer in (("chat", write_chats), ("steps", write_steps)):
        (path / config).mkdir(parents=True)
        for name, members in by_split.items():
            writer(members, path / config / f"{name}.parquet")
    counts = {name: len(members) for name, members in by_split.items()}
    (path / "README.md").write_text(_card(counts), encoding="utf-8")


def _card(counts: dict[str, int]) -> str:
    lists = {
        config: "\n".join(
            f"  - split: {name}\n    path: {config}/{name}.parquet" for name in counts
        )
        for config in ("chat", "steps")
    }
    shown = ", ".join(f"{number} {name}" for name, number in counts.items())
    return _CARD.format(**lists, episodes=sum(counts.values()), counts=shown)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


FORMATS: dict[str, Callable[[Iterable[Played], Path], None]] = {
    "chat": _chat,
    "sft": _sft,
    "parquet": write_steps,
    "csv": _csv,
    "csv-steps": _csv_steps,
    "hf": _folder,
    "minari": write_minari,
}
