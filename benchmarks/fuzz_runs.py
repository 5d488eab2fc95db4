"""Run every command that reads a run on damaged runs, and check how it ends.

One to three random changes are made in a file of a run: a value, a key or an item of
its JSON (with a right checksum, so that it is read, in an archive too), or its bytes;
or the file becomes a folder, a pipe, or a link to a device. A command may answer
anything in words; it may not end in a traceback or a message of Python's own, take more
than 5 seconds of processor time or 1 GiB, wait for five minutes, or write anything but
its output.

The runs are a plain one, the same one packed, one whose episodes are not all finished,
and one of a model that calls tools, whose episodes models have rated.
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import io
import json
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from copy import deepcopy
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from aq_gym.cli import main as aq_gym_command
from aq_gym.evaluation import Suite, Task, compact, run
from aq_gym.report.start import listed_runs
from aq_gym.report.watch import LiveReport
from aq_gym.trajectory import jsonl
from aq_gym.utility import save_criteria
from aq_gym.utility.criteria import criteria_of

MOST_SECONDS = 5.0
MOST_BYTES = 1 << 30
# Of the clock, which runs on while others use the machine: a figure took one minute.
MOST_WAITING = 300
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


# What Python says of a value of an unexpected kind, which no message of ours is alone.
PYTHONS = re.compile(
    r"unsupported operand|has no attribute|object is not|not subscriptable|unhashable|"
    r"must be real number|must be str|invalid literal for|Exceeds the limit|"
    r"indices must|values to unpack|positional argument|too large to convert|"
    r"object cannot be|not supported between|keyword argument|__init__|sequence item|"
    r"codec can't encode"
)
# A message may quote one that names the place in the file, too.
PLACES = re.compile(
    r"from its spec: |(?:line \d+|damaged): '|, step \d+: |its arguments are"
)
CRITERIA = [{"name": "sense", "description": "Sense.", "worst_to_best": ["no", "yes"]}]
ANSWER = {"role": "assistant", "content": "Thought: try.\nGuess: 1234"}
CALL = {"id": "c", "type": "function"}
CALL["function"] = {"name": "get_schema", "arguments": "{}"}  # type: ignore[assignment]


class _Model(BaseHTTPRequestHandler):
    """Answers as an agent with or without tools, or as a judge."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = str(request["messages"][-1]["content"])
        message: dict[str, Any] = {**ANSWER, "reasoning_content": "Why not?"}
        if codes := re.findall(r"^([A-Z]{3}) = ", asked, re.M):
            message["content"] = f"sense: {codes[0]}"
        elif request.get("tools"):
            message = {**ANSWER, "content": "", "tool_calls": [CALL]}
        usage = {"prompt_tokens": 9, "completion_tokens": 3}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        body = json.dumps({"choices": [choice], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *values: Any) -> None:  # noqa: A002
        """Log nothing."""


def serve_model() -> str:
    """Serve a model until the process ends, and return its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Model)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/v1"


def make_runs(folder: Path) -> None:
    """Make the runs to damage, and one to compare with.

    Args:
        folder: Where they are made.
    """
    run(SUITE, folder / "plain")
    run(SUITE, folder / "other", "expert")
    for name in ("packed", "begun"):
        shutil.copytree(folder / "plain", folder / name)
    compact(folder / "packed")
    (folder / "begun" / "summary.json").unlink()
    rows = folder / "begun" / "episodes.jsonl"
    rows.write_bytes(b"".join(rows.read_bytes().splitlines(True)[:2]))
    criteria = folder / "criteria.json"
    save_criteria(criteria, criteria_of(CRITERIA))
    os.environ["OPENAI_BASE_URL"] = serve_model()
    played = (
        f"run --env {IDS[0]} aq/ToolQuery-v0 --episodes 2 --max-steps 2 --agent llm"
    )
    played += f" --model m --agent-arg keep_reasoning=True --out {folder / 'rated'}"
    played += " --agent-arg tools=native --quiet"
    for command in (played, f"utility {folder / 'rated'} {_JUDGED} {criteria}"):
        if aq_gym_command(command.split()):
            raise RuntimeError(f"aq-gym {command} failed")


_JUDGED = "--model m --repeats 1 --disturb steps:0.5 --criteria"


def commands(folder: Path) -> dict[str, list[str]]:
    """Return every command that reads a run, by a name.

    Args:
        folder: The folder with the runs "damaged" and "other", and for output.
    """
    damaged, out = str(folder / "damaged"), folder / "out"
    known = [p.name for p in folder.glob("damaged/trajectories/*.jsonl")]
    file = min(known, default=f"{SUITE.tasks[0].name}.jsonl")
    run = ["run", "--suite", str(folder / "suite.json")]
    continuing = ["--from", damaged, "--continue-to", "40"]
    files = {
        f"export --to {kind}": [
            "export",
            damaged,
            "--to",
            kind,
            "--out",
            str(out / kind),
        ]
        for kind in ("chat", "sft", "parquet", "hf", "minari")
    }
    return {
        "report": ["report", damaged, "-o", str(out / "r.html")],
        "report of two": ["report", damaged, f"{folder}/other", "-o", f"{out}/r.html"],
        "report --latex": ["report", damaged, "--latex"],
        "report --markdown": ["report", damaged, "--markdown"],
        "report --figures": [
            *("report", damaged, "--figures", str(out), "--format", "svg"),
        ],
        "leaderboard": ["leaderboard", damaged, "-o", str(out / "l.html")],
        "compare": ["compare", damaged, str(folder / "other")],
        **files,
        "replay": ["replay", f"{damaged}/trajectories/{file}"],
        "score": ["score", damaged, "--metric", "fuzz_metric:length"],
        "utility": ["utility", damaged, *_JUDGED.split(), f"{folder}/criteria.json"],
        "utility --dry-run": ["utility", damaged, "--model", "m", "--dry-run"],
        "utility of files": [
            *("utility", f"{damaged}/trajectories", "--model", "m", "--dry-run"),
        ],
        "compact": ["compact", damaged],
        "compact --undo": ["compact", "--undo", damaged],
        "run": [*run, "--out", damaged],
        "run --from": [*run, *continuing, "--out", str(out / "continued")],
    }


def mutate(rng: random.Random, run_folder: Path) -> str:
    """Damage one file of a run, and say what was done."""
    files = (path for path in run_folder.rglob("*") if path.is_file())
    path = rng.choice([p for p in sorted(files) if p.suffix in _SUFFIXES])
    name = path.relative_to(run_folder)
    if rng.random() < 0.03:
        kind = rng.choice(tuple(_OTHERS))
        path.unlink()
        _OTHERS[kind](path)
        return f"{name}: {kind}"
    if path.suffix == ".zip" and rng.random() < 0.7:
        return f"{name}: {_damage_member(rng, path)}"
    data = path.read_bytes()
    if path.suffix == ".zip" or not data.strip() or rng.random() < 0.3:
        changed, how = _damage_bytes(rng, data)
    else:
        changed, how = _damage_json(rng, path.suffix, data)
    path.write_bytes(changed)
    return f"{name}: {how}"


_SUFFIXES = (".json", ".jsonl", ".zip")
_OTHERS: dict[str, Callable[[Path], None]] = {
    "a folder": Path.mkdir,
    "a pipe": lambda path: os.mkfifo(path),
    "a link to nothing": lambda path: path.symlink_to("nothing"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a link to zeros": lambda path: path.symlink_to("/dev/zero"),
    "a link out": lambda path: path.symlink_to("../other/summary.json"),
}


def _damage_member(rng: random.Random, path: Path) -> str:
    """Damage a file of an archive, which is whole again afterwards."""
    with ZipFile(path) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    name = rng.choice(sorted(contents))
    contents[name], how = _damage_json(rng, ".jsonl", contents[name])
    if rng.random() < 0.1:
        contents[rng.choice(("../x.jsonl", "/x.jsonl", "x\n.jsonl", "x/"))] = b"{}"
    with ZipFile(path, "w") as archive:
        for one, content in contents.items():
            archive.writestr(one, content)
    return f"{name}: {how}"


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


class Stuck(BaseException):
    """A command does not end. No command catches it."""


def _stuck(*_: object) -> None:
    raise Stuck


def failure(folder: Path, arguments: list[str]) -> str:
    """Return what is wrong with the way in which a command ends, "" if nothing is."""
    peak, output, begun = _peak(), io.StringIO(), time.process_time()
    WRITTEN.clear()
    signal.signal(signal.SIGALRM, _stuck)
    signal.alarm(MOST_WAITING)
    # Ends the fuzzer where the signal cannot: in a library's compiled code.
    faulthandler.dump_traceback_later(2 * MOST_WAITING, exit=True)
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            if arguments[0] == "watch":
                _watch(arguments[1])
            elif arguments[0] == "ui":
                listed_runs(Path(arguments[1]))
            else:
                aq_gym_command(arguments)
        except SystemExit:
            pass
        except Stuck as stuck:
            frames = traceback.extract_tb(stuck.__traceback__)
            ours = [frame for frame in frames if "aq_gym" in frame.filename]
            where = (ours or frames)[-1]
            return f"waits in {where.filename}, line {where.lineno}"
        except Exception:  # noqa: BLE001 (what it looks for)
            traceback.print_exc()
        finally:
            signal.alarm(0)
            faulthandler.cancel_dump_traceback_later()
    seconds = time.process_time() - begun
    said = output.getvalue()
    if "Traceback" in said:
        return said.strip().splitlines()[-1]
    if PYTHONS.search(said) and not PLACES.search(said):
        return f"says {said.strip()[-200:]}"
    if seconds > MOST_SECONDS:
        return f"took {seconds:.1f} s"
    # The peak never falls: it may be that of what the process did before.
    if _peak() > max(peak + MOST_BYTES // 2, MOST_BYTES):
        return f"took {_peak() >> 20} MiB"
    own = tuple(f"{folder / name}" for name in ("damaged", "out", "temporary"))
    elsewhere = {path for path in WRITTEN if not path.startswith(own)}
    return f"wrote {sorted(elsewhere)[:3]}" if elsewhere else ""


# The paths that the process has opened for writing, renamed, made or removed.
WRITTEN: set[str] = set()
_CHANGES = ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.symlink")
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


def _note_writes(event: str, arguments: tuple[Any, ...]) -> None:
    paths: tuple[Any, ...] = ()
    follows = event == "open"
    if follows and arguments[2] and arguments[2] & _WRITES:
        paths = arguments[:1]
    elif event in _CHANGES and arguments[-1] in (-1, None):
        # With the descriptor of a folder, a path is relative to that.
        paths = arguments[: 2 if event in ("os.rename", "os.link") else 1]
    for path in paths:
        if isinstance(path, str | bytes | os.PathLike):
            folder, name = os.path.split(os.path.abspath(os.fsdecode(path)))
            found = os.path.join(os.path.realpath(folder), name)
            if follows:
                found = os.path.realpath(found)
            if not found.startswith(("/dev/null", "/proc/")):
                WRITTEN.add(found)


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _watch(run_folder: str) -> None:
    try:
        report = LiveReport([run_folder])
    except (ValueError, OSError) as error:
        # The command says so in a line.
        print(error)
    else:
        report.page()


def fuzz(folder: Path, rng: random.Random, prepare: Callable[[Path], str]) -> list[str]:
    """Damage a run once, call every command on it, and return the failures.

    Args:
        folder: The folder that :func:`make_runs` filled.
        rng: The random numbers.
        prepare: Damages the run at a path and says how.
    """
    damaged = folder / "damaged"
    source = rng.choice(("plain", "packed", "begun", "rated"))
    shutil.rmtree(damaged, ignore_errors=True)
    shutil.rmtree(folder / "out", ignore_errors=True)
    (folder / "out").mkdir()
    shutil.copytree(folder / source, damaged)
    how = prepare(damaged)
    pages = {name: [name, str(damaged)] for name in ("watch", "ui")}
    asked = [*commands(folder).items(), *pages.items()]
    # A figure takes as long as ten other commands.
    weights = [0.1 if "figures" in name else 1.0 for name, _ in asked]
    ((name, arguments),) = rng.choices(asked, weights)
    problem = failure(folder, arguments)
    return [f"{name}, {source}: {how}: {problem}"] if problem else []


def write_inputs(folder: Path) -> None:
    """Write the suite of the runs, and a metric, to files."""
    (folder / "temporary").mkdir()
    tempfile.tempdir = str(folder / "temporary")
    os.environ["MPLCONFIGDIR"] = tempfile.tempdir
    record = {"name": SUITE.name, "tasks": [task.to_record() for task in SUITE.tasks]}
    (folder / "suite.json").write_text(json.dumps(record))
    (folder / "fuzz_metric.py").write_text(METRIC)


def main() -> int:
    """Fuzz, and print the failures and their number."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    sys.dont_write_bytecode = True
    sys.addaudithook(_note_writes)
    # More is a MemoryError, not the end of the machine.
    resource.setrlimit(resource.RLIMIT_DATA, (4 * MOST_BYTES, 4 * MOST_BYTES))
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
    sys.stdout.flush()
    # A thread that waits would keep the process.
    faulthandler.dump_traceback_later(MOST_WAITING, exit=True)
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
