"""Does any damaged file of a run break a command that reads it?

One to three values, keys or items of a file's JSON are changed (with a right checksum,
in a compressed file too), or its bytes; or the file becomes a folder, a pipe or a link.
The runs are a plain one, a compact one, an unfinished one, and one of a model that
calls tools, whose episodes are rated. A command may answer in any words that name the
damage. It may not end in a traceback, take more than 5 s of processor time or 1 GiB,
wait for five minutes, execute what a file names, or write anything but its output; only
the commands that change a run write to it.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import json
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from aq_gym.cli import main as aq_gym_command
from aq_gym.cli.main import COMMANDS
from aq_gym.evaluation import Suite, Task, compact, run
from aq_gym.ratings import save_criteria
from aq_gym.ratings.criteria import criteria_of
from aq_gym.report.folder import listed_runs
from aq_gym.report.live import LiveReport
from aq_gym.trajectory import jsonl

# The folder of the tests has a server of scripted answers.
sys.path.append(str(Path(__file__).parents[2] / "tests"))
scripted: Any = importlib.import_module("scripted_server")

MOST_SECONDS, MOST_WAITING, MOST_KIB = 5, 300, 1 << 20
IDS = ("aq/Mastermind-v0", "aq/Wordle-v0")
SUITE = Suite(
    "fuzzed",
    tuple(Task(i, n, {"split": "train"}, max_steps=3) for i in IDS for n in range(2)),
)
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, -0.0, 10**400, 2**63, 1e308, "", "x", "\ud800",
    "\x1b[2J\x1b]0;x\x07", "../../etc/passwd", "x" * 100_000, [], [[]], {}, {"": None},
    [None] * 3, {"$type": "array"}, {"$type": "opaque", "kind": "os:system"},
    {"$type": "int", "hex": "0x" + "f" * 5_000}, {"$type": "float", "value": "nan"},
    {"$type": "array", "dtype": "<i8", "shape": [10**12], "items": []},
    {"$type": "text", "data": "////"}, "aq/Mastermind-v0?code=" + "[" * 100_000,
    "executes:Agent", "executes:aq/Mastermind-v0", "executes:agent",
)  # fmt: skip
RAW = (b"NaN", b"1e999", b"9" * 5_000, b"[" * 100_000, b'{"a":1,"a":2}', b"\xff", b"")
KINDS: dict[str, Callable[[Path], None]] = {
    "a folder": Path.mkdir,
    "a pipe": lambda path: os.mkfifo(path),
    "a link to nothing": lambda path: path.symlink_to("nothing"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a link to zeros": lambda path: path.symlink_to("/dev/zero"),
    "a link out": lambda path: path.symlink_to("../other/summary.json"),
}
CRITERIA = [{"name": "sense", "description": "Sense.", "worst_to_best": ["no", "yes"]}]
# Modules of the folder: one that a command names, and one that only a file can name.
MODULES = {
    "fuzz_metric.py": "def length(recorded):\n    return len(recorded.steps)",
    "executes.py": "open('executed', 'w').close()",
}
CALL = {"id": "c", "type": "function",
        "function": {"name": "get_schema", "arguments": "{}"}}  # fmt: skip
# What a message may name: the run's folder, a step of a replay, what is not verified,
# or that nothing is left.
NAMED = re.compile(r"damaged|step \d+: |episodes verified|no episodes")
JUDGED = "--model m --repeats 1 --disturb steps:0.5 --criteria"
READ_NO_RUN = {
    *("list", "suites", "demo", "import", "serve", "mcp", "publish", "audit"),
    "download",
}


class _Model(scripted.ScriptedServer):  # type: ignore[misc]
    """Answers as an agent with or without tools, or as a judge."""

    def next(self, request: Any) -> Any:
        """Return an answer to a request."""
        asked = str(request["messages"][-1]["content"])
        if codes := re.findall(r"^([A-Z]{3}) = ", asked, re.M):
            return scripted.answer(f"sense: {codes[0]}")
        if request.get("tools"):
            return scripted.answer("", tool_calls=[CALL])
        return scripted.answer("Guess: 1234", reasoning_content="Why not?")


def make_runs(folder: Path) -> None:
    """Make the runs to damage, a run to compare with, and the files that commands need.

    Args:
        folder: The folder for all of it, which is the current one.
    """
    os.environ["OPENAI_BASE_URL"] = _Model().url
    os.environ["MPLCONFIGDIR"] = os.environ["TMPDIR"] = str(folder / "out")
    run(SUITE, folder / "plain")
    run(SUITE, folder / "other", "expert")
    for name in ("compact", "begun"):
        shutil.copytree(folder / "plain", folder / name)
    compact(folder / "compact")
    (folder / "begun" / "summary.json").unlink()
    rows = folder / "begun" / "episodes.jsonl"
    rows.write_bytes(b"".join(rows.read_bytes().splitlines(True)[:2]))
    save_criteria(folder / "criteria.json", criteria_of(CRITERIA))
    played = f"run --env {IDS[0]} aq/ToolQuery-v0 --episodes 2 --max-steps 2 --model m"
    played += f" --agent llm --agent-arg keep_reasoning=True --out {folder / 'rated'}"
    played += " --agent-arg tools=native --quiet"
    rated = f"rate {folder / 'rated'} {JUDGED} {folder / 'criteria.json'}"
    record = {"name": SUITE.name, "tasks": [task.to_record() for task in SUITE.tasks]}
    (folder / "suite.json").write_text(json.dumps(record))
    for name, text in MODULES.items():
        (folder / name).write_text(text)
    for command in (played, rated):
        if said := failure(folder, command.split(), changes=("rated",)):
            raise RuntimeError(f"aq-gym {command}: {said}")


def commands(folder: Path) -> dict[str, list[str]]:
    """Return every command that reads a run, by a name.

    Args:
        folder: The folder with the runs "damaged" and "other", and for output.
    """
    damaged, out = str(folder / "damaged"), folder / "out"
    known = [path.name for path in folder.glob("damaged/trajectories/*.jsonl*")]
    file = min(known, default="none.jsonl").removesuffix(".gz")
    played = f"{damaged}/trajectories/{file}"
    continuing = ["run", "--from", damaged, "--continue-to", "40", "--out", f"{out}/c"]
    again = ["run", "--suite", str(folder / "suite.json"), "--out", damaged]
    export = ["export", damaged, "--out", str(out / "data"), "--to"]
    figures = ["--figures", str(out), "--format", "svg"]
    return {
        "report": ["report", damaged, "-o", f"{out}/r.html"],
        "report of two": ["report", damaged, f"{folder}/other", "-o", f"{out}/r.html"],
        "report --latex": ["report", damaged, "--latex"],
        "report --markdown": ["report", damaged, "--markdown"],
        "report --figures": ["report", damaged, *figures],
        "leaderboard": ["leaderboard", damaged, "-o", f"{out}/l.html"],
        "compare": ["compare", damaged, damaged],
        **{
            f"export --to {kind}": [*export, kind, "--split", "train"]
            for kind in ("chat", "sft", "parquet")
        },
        "export --to hf": [*export, "hf"],
        "demonstrations": [
            *("demonstrations", "--from", damaged, "--out", f"{out}/d.jsonl"),
        ],
        "replay": ["replay", played],
        "verify": ["verify", damaged, "--suite", str(folder / "suite.json")],
        "play": ["play", IDS[0], "--agent", f"replay:{played}", "--out", f"{out}/p"],
        "score": ["score", damaged, "--metric", "fuzz_metric:length"],
        "score of steps": ["score", damaged, "--metric", "steps-to-go"],
        "rate": ["rate", damaged, *JUDGED.split(), f"{folder}/criteria.json"],
        "rate --dry-run": ["rate", damaged, "--model", "m", "--dry-run"],
        "rate of files": [
            *("rate", f"{damaged}/trajectories", "--model", "m", "--dry-run"),
        ],
        "compact": ["compact", damaged],
        "run": again,
        "run --retry-errors": [*again, "--retry-errors", "--compact"],
        "run --from": [*continuing, "--suite", str(folder / "suite.json")],
        "run --from alone": continuing,
        "watch": ["watch", damaged],
        "ui": ["ui", damaged],
    }


def failure(folder: Path, arguments: list[str], changes: tuple[str, ...] = ()) -> str:
    """Return what is wrong with the way in which a command ends, "" if nothing is.

    Args:
        folder: The folder of the runs.
        arguments: The arguments of ``aq-gym``.
        changes: The runs that it may change, besides the damaged one, if it is one of
            the commands that change a run.
    """
    (folder / "out").mkdir(exist_ok=True)
    writes = arguments[0] in ("run", "score", "rate", "compact")
    if writes and not {"--from", "--dry-run"} & {*arguments}:
        changes = (*changes, "damaged")
    before = _files(folder, changes)
    with tempfile.TemporaryFile() as output:
        child = os.fork()
        if not child:
            _carry_out(arguments, output.fileno())
        _, status, used = os.wait4(child, 0)
        output.seek(0)
        said = output.read().decode(errors="replace")
    code = os.waitstatus_to_exitcode(status)
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if code < 0:
        return f"ended by {signal.Signals(-code).name}"
    if "Traceback" in said:
        return said.strip().splitlines()[-1]
    if code == 1 and not NAMED.search(said):
        return f"does not name what is damaged: {said[-300:]}"
    if used.ru_maxrss > own + MOST_KIB:
        return f"took {used.ru_maxrss >> 10} MiB"
    after = _files(folder, changes)
    written = [
        str(path) for path in before | after if before.get(path) != after.get(path)
    ]
    return f"wrote {written[:3]}" if written else ""


def _carry_out(arguments: list[str], output: int) -> None:
    """Carry out a command in this child, and end it."""
    code = 0
    try:
        for number in (1, 2):
            os.dup2(output, number)
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w", buffering=1)
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 1))
        resource.setrlimit(resource.RLIMIT_DATA, (8 << 30, 8 << 30))
        signal.alarm(MOST_WAITING)
        if arguments[0] == "watch":
            LiveReport(arguments[1:]).page()
        elif arguments[0] == "ui":
            listed_runs(Path(arguments[1]))
        else:
            code = aq_gym_command(arguments)
    except SystemExit as error:
        code = 1 if isinstance(error.code, str) else error.code or 0
    except BaseException as error:  # noqa: BLE001 (what it looks for)
        if arguments[0] not in ("watch", "ui") or not isinstance(error, _IN_WORDS):
            sys.excepthook(type(error), error, error.__traceback__)
        print(error)
    finally:
        sys.stdout.flush()
        os._exit(code)


# The texts of the commands that serve pages.
_IN_WORDS = (ValueError, OSError)


def _files(folder: Path, but: tuple[str, ...]) -> dict[Path, tuple[int, int]]:
    """Return the size and time of each file that a command may not change."""
    return {
        path: ((state := path.lstat()).st_size, state.st_mtime_ns)
        for path in folder.rglob("*")
        if path.relative_to(folder).parts[0] not in ("out", "__pycache__", *but)
    }


def damage(rng: random.Random, run_folder: Path) -> str:
    """Damage one file of a run, and say what was done."""
    files = (path for path in run_folder.rglob("*") if path.is_file())
    path = rng.choice(
        [p for p in sorted(files) if p.suffix in (".json", ".jsonl", ".gz")]
    )
    name = path.relative_to(run_folder)
    if rng.random() < 0.03:
        kind = rng.choice(tuple(KINDS))
        path.unlink()
        KINDS[kind](path)
        return f"{name}: {kind}"
    data = path.read_bytes()
    whole = path.suffix != ".gz" or rng.random() < 0.7
    packed = whole and path.suffix == ".gz"
    data = gzip.decompress(data) if packed else data
    if not whole or not data.strip() or rng.random() < 0.3:
        data, how = _damaged_bytes(rng, data)
    else:
        data, how = _damaged_json(rng, path.suffix, data)
    path.write_bytes(gzip.compress(data) if packed else data)
    return f"{name}: {how}"


def _damaged_bytes(rng: random.Random, data: bytes) -> tuple[bytes, str]:
    place = rng.randrange(len(data) + 1)
    raw = rng.choice(RAW)
    before, rest = data[:place], data[place:]
    return rng.choice(
        [
            (before + bytes(b ^ 1 for b in rest[:1]) + rest[1:], f"flipped at {place}"),
            (before, f"cut at {place}"),
            (before + raw + rest, f"{raw[:20]!r} at {place}"),
            (before + data, f"repeated from {place}"),
        ]
    )


def _damaged_json(rng: random.Random, suffix: str, data: bytes) -> tuple[bytes, str]:
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
    """Change up to three places of a value, and say what was done."""
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
    keys: Any = value if isinstance(value, dict) else range(len(value))
    for key in [*keys]:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])


def attack(folder: Path, rng: random.Random) -> str:
    """Damage a run, give a command, and return what is wrong, "" if nothing is.

    Args:
        folder: The folder that :func:`make_runs` filled.
        rng: The random numbers.
    """
    source = rng.choice(("plain", "compact", "begun", "rated"))
    for old in ("damaged", "out"):
        shutil.rmtree(folder / old, ignore_errors=True)
    shutil.copytree(folder / source, folder / "damaged")
    how = damage(rng, folder / "damaged")
    asked = commands(folder)
    # These commands take as long as ten others.
    slow = ("report --figures", "export --to hf")
    weights = [0.1 if name in slow else 1.0 for name in asked]
    ((name, arguments),) = rng.choices([*asked.items()], weights)
    problem = failure(folder, arguments)
    return f"{name}, {source}: {how}: {problem}" if problem else ""


def main() -> int:
    """Damage runs, and print the failures and their number."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--times", type=int, default=3_000, help="%(default)s")
    parser.add_argument("--seed", type=int, default=0, help="%(default)s")
    options = parser.parse_args()
    sys.dont_write_bytecode = True
    # A command prints warnings, whatever the interpreter's options are.
    warnings.simplefilter("always", UserWarning)
    rng, failures = random.Random(options.seed), 0
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        make_runs(Path(name))
        called = {arguments[0] for arguments in commands(Path(name)).values()}
        if missing := {*COMMANDS} - called - READ_NO_RUN:
            raise RuntimeError(f"is a run read by {', '.join(missing)}?")
        for _ in range(options.times):
            if problem := attack(Path(name), rng):
                failures += 1
                print(problem, flush=True)
    print(f"seed {options.seed}: {failures} failures in {options.times} damaged runs")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
