"""Random damages of the files of a run, for ``fuzz_runs.py``."""

from __future__ import annotations

import gzip
import json
import os
import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from aq_gym.trajectory import jsonl

VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, -0.0, 10**400, 2**63, 1e308, "", "x", "\ud800",
    "\x1b[2J\x1b]0;x\x07", "../../etc/passwd", "x" * 100_000, [], [[]], {}, {"": None},
    [None] * 3, {"$type": "array"}, {"$type": "opaque", "kind": "os:system"},
    {"$type": "int", "hex": "0x" + "f" * 5_000}, {"$type": "float", "value": "nan"},
    {"$type": "array", "dtype": "<i8", "shape": [10**12], "items": []},
    {"$type": "text", "data": "////"}, "aq/Mastermind-v0?code=" + "[" * 100_000,
)  # fmt: skip
RAW = (b"NaN", b"1e999", b"9" * 5_000, b"[" * 100_000, b'{"a":1,"a":2}', b"\xff", b"")


def mutate(rng: random.Random, run_folder: Path) -> str:
    """Damage one file of a run, and say what was done."""
    files = (path for path in run_folder.rglob("*") if path.is_file())
    path = rng.choice([p for p in sorted(files) if p.suffix in _SUFFIXES])
    name = path.relative_to(run_folder)
    if rng.random() < 0.03:
        kind = rng.choice(tuple(KINDS))
        path.unlink()
        KINDS[kind](path)
        return f"{name}: {kind}"
    if path.suffix == ".gz" and rng.random() < 0.7:
        return f"{name}: {_damage_packed(rng, path)}"
    data = path.read_bytes()
    if path.suffix == ".gz" or not data.strip() or rng.random() < 0.3:
        changed, how = _damage_bytes(rng, data)
    else:
        changed, how = _damage_json(rng, path.suffix, data)
    path.write_bytes(changed)
    return f"{name}: {how}"


_SUFFIXES = (".json", ".jsonl", ".gz")
KINDS: dict[str, Callable[[Path], None]] = {
    "a folder": Path.mkdir,
    "a pipe": lambda path: os.mkfifo(path),
    "a link to nothing": lambda path: path.symlink_to("nothing"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a link to zeros": lambda path: path.symlink_to("/dev/zero"),
    "a link out": lambda path: path.symlink_to("../other/summary.json"),
}


def _damage_packed(rng: random.Random, path: Path) -> str:
    """Damage a packed file, which is whole again afterwards."""
    content, how = _damage_json(rng, ".jsonl", gzip.decompress(path.read_bytes()))
    path.write_bytes(gzip.compress(content))
    return how


def _damage_bytes(rng: random.Random, data: bytes) -> tuple[bytes, str]:
    place = rng.randrange(len(data) + 1)
    kind = rng.choice(("flip", "cut", "insert", "repeat"))
    if kind == "flip" and place < len(data):
        byte = bytes([data[place] ^ 1 << rng.randrange(8)])
        return data[:place] + byte + data[place + 1 :], f"flipped byte {place}"
    if kind == "cut":
        return data[:place], f"cut at {place}"
    if kind == "insert":
        raw = rng.choice(RAW)
        return data[:place] + raw + data[place:], f"{raw[:20]!r} at {place}"
    return data[:place] + data, f"repeated from {place}"


def _damage_json(rng: random.Random, suffix: str, data: bytes) -> tuple[bytes, str]:
    if suffix == ".json":
        value = json.loads(data)
        how = _change(rng, value)
        return json.dumps(value).encode(), how
    lines = data.splitlines()
    number = rng.randrange(len(lines))
    record = json.loads(lines[number])
    record.pop("crc", None)
    how = _change(rng, record)
    line = json.dumps(record, separators=(",", ":")).encode()
    lines[number] = jsonl.with_checksum(line) if record else line
    return b"\n".join(lines) + b"\n", f"line {number + 1}: {how}"


def _change(rng: random.Random, value: Any) -> str:
    changes = []
    for _ in range(rng.randint(1, 3)):
        places = list(_places(value))
        if not places:
            break
        owner, key = rng.choice(places)
        kind = rng.choice(("set", "set", "remove", "rename", "repeat"))
        if kind == "set":
            owner[key] = deepcopy(rng.choice(VALUES))
        elif kind == "remove":
            del owner[key]
        elif isinstance(owner, dict):
            item = owner.pop(key) if kind == "rename" else deepcopy(owner[key])
            owner[f"{key}x"] = item
        else:
            owner.append(deepcopy(owner[key]))
        changes.append(f"{kind} {key!r:.40}")
    return ", ".join(changes)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    for key, item in items:
        yield value, key
        yield from _places(item)
