"""Run every command that reads a run on damaged runs, and check how it ends.

One to three random changes are made in a file of a run: a value, a key or an item of
its JSON (with a right checksum, so that it is read, in an archive too), or its bytes;
or the file becomes a folder, a pipe, or a link to a device. A command may answer
anything in words; it may not end in a traceback or a message of Python's own, take more
than 5 seconds of processor time or 1 GiB, wait for five minutes, or write anything but
its output: the run itself is written to only by the commands that change it.

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
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from run_damages import mutate

from aq_gym.cli import main as aq_gym_command
from aq_gym.evaluation import Suite, Task, compact, run
from aq_gym.ratings import save_criteria
from aq_gym.ratings.criteria import criteria_of
from aq_gym.report.folder import listed_runs
from aq_gym.report.live import LiveReport

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
    for command in (played, f"rate {folder / 'rated'} {_JUDGED} {criteria}"):
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
    export = ["export", damaged, "--out", str(out / "data"), "--to"]
    kinds = ("chat", "sft", "parquet", "hf", "minari")
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
        **{f"export --to {kind}": [*export, kind] for kind in kinds},
        "export --split": [*export, "sft", "--split", "train", "--success"],
        "replay": ["replay", f"{damaged}/trajectories/{file}"],
        "play": [
            *("play", IDS[0], "--agent", f"replay:{damaged}/trajectories/{file}"),
            *("--out", str(out / "played")),
        ],
        "score": ["score", damaged, "--metric", "fuzz_metric:length"],
        "rate": ["rate", damaged, *_JUDGED.split(), f"{folder}/criteria.json"],
        "rate --dry-run": ["rate", damaged, "--model", "m", "--dry-run"],
        "rate of files": [
            *("rate", f"{damaged}/trajectories", "--model", "m", "--dry-run"),
        ],
        "compact": ["compact", damaged],
        "compact --undo": ["compact", "--undo", damaged],
        "run": [*run, "--out", damaged],
        "run --retry-errors": [*run, "--out", damaged, "--retry-errors", "--compact"],
        "run --from": [*run, *continuing, "--out", str(out / "continued")],
        "run --from alone": ["run", *continuing, "--out", str(out / "continued")],
        "watch": ["watch", damaged],
        "ui": ["ui", damaged],
    }


# They read no run.
READ_NO_RUN = {
    *("list", "suites", "demo", "import", "serve", "mcp", "publish", "demonstrations"),
    "download",
}


class Stuck(BaseException):
    """A command does not end. No command catches it."""


def _stuck(*_: object) -> None:
    raise Stuck


def failure(folder: Path, arguments: list[str]) -> str:
    """Return what is wrong with the way in which a command ends, "" if nothing is."""
    peak, output, begun = _peak(), io.StringIO(), time.process_time()
    WRITTEN.clear()
    BUSY.set()
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
            BUSY.clear()
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
    changes = arguments[0] in ("run", "score", "rate", "compact")
    reads = not changes or {"--from", "--dry-run"} & {*arguments}
    places = ("out", "temporary", *(() if reads else ("damaged",)))
    own = [os.path.realpath(folder / name) for name in places]
    elsewhere = [
        path for path in sorted(WRITTEN) if not any(map(Path(path).is_relative_to, own))
    ]
    return f"wrote {elsewhere[:3]}" if elsewhere else ""


# The paths that the process has opened for writing, renamed, made or removed.
WRITTEN: set[str] = set()
# Whether a command is carried out.
BUSY = threading.Event()
_CHANGES = (
    *("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.symlink"),
    *("os.chmod", "os.utime"),
)
_PAIRS = ("os.rename", "os.link", "os.symlink")
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


def _note_writes(event: str, arguments: tuple[Any, ...]) -> None:
    if not BUSY.is_set():
        return
    paths: tuple[Any, ...] = ()
    follows = event in ("open", "os.truncate")
    if event == "open":
        paths = arguments[:1] if arguments[2] and arguments[2] & _WRITES else ()
    elif event == "os.truncate":
        paths = arguments[:1]
    elif event in _CHANGES and arguments[-1] in (-1, None):
        # With the descriptor of a folder, a path is relative to that.
        first = int(event == "os.symlink")
        paths = arguments[first : 2 if event in _PAIRS else 1]
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
    asked = list(commands(folder).items())
    # A figure takes as long as ten other commands.
    weights = [0.1 if "figures" in name else 1.0 for name, _ in asked]
    ((name, arguments),) = rng.choices(asked, weights)
    problem = failure(folder, arguments)
    return [f"{name}, {source}: {how}: {problem}"] if problem else []


def write_inputs(folder: Path) -> None:
    """Write the suite of the runs, and a metric, to files, and watch writes."""
    sys.addaudithook(_note_writes)
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
