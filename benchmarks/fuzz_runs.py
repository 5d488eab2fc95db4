"""Run every command that reads a run on damaged runs, and check how it ends.

One to three random changes are made in a file of a run: a value, a key or an item of
its JSON (with a right checksum, so that it is read), or its bytes. A command may answer
anything in words; it may not end in a traceback, take more than 5 seconds or 1 GiB, or
write anything but its output.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from aq_gym.cli import main as aq_gym_command
from aq_gym.evaluation import Suite, Task, compact, run
from aq_gym.report.watch import LiveReport
from aq_gym.trajectory import jsonl

MOST_SECONDS = 5.0
MOST_BYTES = 1 << 30
IDS = ("aq/Mastermind-v0", "aq/Wordle-v0")
SUITE = Suite(
    "fuzzed",
    tuple(Task(i, n, {"split": "train"}, max_steps=3) for i in IDS for n in range(2)),
)
METRIC = "def length(recorded):\n    return len(recorded.steps[0]['info'])\n"
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, -0.0, 10**400, 2**63, 1e308, "", "x", "\ud800",
    "\x1b[2J\x1b]0;x\x07", "../../etc/passwd", "x" * 100_000, [], [[]], {}, {"": None},
    [None] * 3, {"$type": "array"}, {"$type": "opaque", "kind": "os:system"},
    {"$type": "int", "hex": "0x" + "f" * 5_000}, {"$type": "float", "value": "nan"},
    {"$type": "array", "dtype": "<i8", "shape": [10**12], "items": []},
    {"$type": "text", "data": "////"},
)  # fmt: skip
RAW = (b"NaN", b"1e999", b"9" * 5_000, b"[" * 100_000, b'{"a":1,"a":2}', b"\xff", b"")


def make_runs(folder: Path) -> None:
    """Make the runs to damage: a plain one, a compacted one, and one to compare with.

    Args:
        folder: Where they are made.
    """
    run(SUITE, folder / "plain")
    run(SUITE, folder / "other", "expert")
    shutil.copytree(folder / "plain", folder / "packed")
    compact(folder / "packed")


def commands(folder: Path) -> dict[str, list[str]]:
    """Return every command that reads a run, by a name.

    Args:
        folder: The folder with the runs "damaged" and "other", and for output.
    """
    damaged, out = str(folder / "damaged"), folder / "out"
    task = SUITE.tasks[0].name
    run = ["run", "--suite", str(folder / "suite.json")]
    continuing = ["--from", damaged, "--continue-to", "40"]
    return {
        "report": ["report", damaged, "-o", str(out / "r.html")],
        "report --latex": ["report", damaged, "--latex"],
        "leaderboard": ["leaderboard", damaged, "-o", str(out / "l.html")],
        "compare": ["compare", damaged, str(folder / "other")],
        "export": ["export", damaged, "--out", str(out / "chat.jsonl")],
        "replay": ["replay", f"{damaged}/trajectories/{task}.jsonl"],
        "score": ["score", damaged, "--metric", "fuzz_metric:length"],
        "utility": ["utility", damaged, "--model", "m", "--dry-run"],
        "compact": ["compact", damaged],
        "compact --undo": ["compact", "--undo", damaged],
        "run": [*run, "--out", damaged],
        "run --from": [*run, *continuing, "--out", str(out / "continued")],
    }


def mutate(rng: random.Random, run_folder: Path) -> str:
    """Damage one file of a run, and say what was done."""
    paths = sorted(path for path in run_folder.rglob("*.json*") if path.is_file())
    paths += sorted(run_folder.rglob("*.zip"))
    path = rng.choice(paths)
    data = path.read_bytes()
    if path.suffix == ".zip" or rng.random() < 0.3:
        changed, how = _damage_bytes(rng, data)
    else:
        changed, how = _damage_json(rng, path, data)
    path.write_bytes(changed)
    return f"{path.relative_to(run_folder)}: {how}"


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


def _damage_json(rng: random.Random, path: Path, data: bytes) -> tuple[bytes, str]:
    if path.suffix == ".json":
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


def failure(folder: Path, arguments: list[str]) -> str:
    """Return what is wrong with the way in which a command ends, "" if nothing is."""
    before, peak = _files(folder), _peak()
    output, begun = io.StringIO(), time.process_time()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            if arguments[0] == "watch":
                _watch(arguments[1])
            else:
                aq_gym_command(arguments)
        except (SystemExit, ValueError, OSError):
            pass
    seconds = time.process_time() - begun
    if "Traceback" in output.getvalue():
        return output.getvalue().strip().splitlines()[-1]
    if seconds > MOST_SECONDS:
        return f"took {seconds:.1f} s"
    # The peak never falls: it may be that of what the process did before.
    if _peak() > max(peak, MOST_BYTES):
        return "took more than 1 GiB"
    written = {p for p in _files(folder) ^ before if p.parts[0] not in _MAY_CHANGE}
    return f"wrote {sorted(written)[:3]}" if written else ""


# Python writes the third for the metric's module.
_MAY_CHANGE = ("damaged", "out", "__pycache__")


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _watch(run_folder: str) -> None:
    LiveReport([run_folder]).page()


def _files(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*")}


def fuzz(folder: Path, rng: random.Random, prepare: Callable[[Path], str]) -> list[str]:
    """Damage a run once, call every command on it, and return the failures.

    Args:
        folder: The folder that :func:`make_runs` filled.
        rng: The random numbers.
        prepare: Damages the run at a path and says how.
    """
    damaged = folder / "damaged"
    source = rng.choice(("plain", "packed"))
    found = []
    asked = [*commands(folder).items(), ("watch", ["watch", str(damaged)])]
    name, arguments = rng.choice(asked)
    shutil.rmtree(damaged, ignore_errors=True)
    shutil.rmtree(folder / "out", ignore_errors=True)
    (folder / "out").mkdir()
    shutil.copytree(folder / source, damaged)
    how = prepare(damaged)
    problem = failure(folder, arguments)
    if problem:
        found.append(f"{name}, {source}: {how}: {problem}")
    return found


def write_inputs(folder: Path) -> None:
    """Write the suite of the runs, and a metric, to files."""
    record = {"name": SUITE.name, "tasks": [task.to_record() for task in SUITE.tasks]}
    (folder / "suite.json").write_text(json.dumps(record))
    (folder / "fuzz_metric.py").write_text(METRIC)


def main() -> int:
    """Fuzz, and print the failures and their number."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_runs(folder)
        write_inputs(folder)
        os.chdir(folder)
        for _ in range(options.times):
            for line in fuzz(folder, rng, lambda path: mutate(rng, path)):
                failures += 1
                sys.stdout.write(f"{line}\n")
                sys.stdout.flush()
    sys.stdout.write(f"{failures} failures in {options.times} runs\n")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
