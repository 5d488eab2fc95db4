"""Commands that are killed, or whose disk fails, at any of their writes.

Afterwards the same command makes what it makes undisturbed.
"""

import errno
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest

from aq_gym.cli import main
from aq_gym.evaluation import Suite, Task, compact, run
from aq_gym.trajectory import jsonl

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork"),
]
SUITE = Suite(
    "two", tuple(Task("aq/Mastermind-v0", s, {"split": "train"}, 3) for s in range(2))
)
METRIC = "def shortness(recorded):\n    return 1 / len(recorded.steps)\n"
# Each command, with what there is before: nothing, a run, or one that is packed.
COMMANDS = {
    "run": ("", "run --env aq/Mastermind-v0 --episodes 2 --max-steps 3 --out r"),
    "compact": ("plain", "compact r"),
    "compact --undo": ("packed", "compact --undo r"),
    "export": ("plain", "export r --out chat.jsonl"),
    "report": ("plain", "report r -o page.html"),
    "leaderboard": ("plain", "leaderboard r -o board.html"),
    "score": ("plain", "score r --metric fault_metric:shortness"),
}  # fmt: skip
OUTPUTS = ("chat.jsonl", "page.html", "board.html")
MOST_WRITES = 300
KILLED, UNDISTURBED = 9, 77


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for name in ("plain", "packed"):
        run(SUITE, folder / name)
    compact(folder / "packed")
    return folder


@pytest.fixture
def begin(runs, tmp_path, monkeypatch):
    """Make a folder with what a command needs, which becomes the current one."""

    def begin(name, command):
        folder = tmp_path / str(name)
        folder.mkdir()
        source = COMMANDS[command][0]
        if source:
            shutil.copytree(runs / source, folder / "r")
        (folder / "fault_metric.py").write_text(METRIC)
        monkeypatch.chdir(folder)
        return folder

    return begin


def in_child(command, fault=None, moment=0):
    """Carry out a command in a child, with a fault at one of its writes.

    Returns:
        Its exit code, UNDISTURBED if it has fewer writes, and what it has printed.
    """
    out = Path("printed").resolve()
    with warnings.catch_warnings():
        # Python warns of a fork with threads, which the child does not use.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child:
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        printed = out.read_text() if out.exists() else ""
        out.unlink(missing_ok=True)
        return code, printed
    descriptor = os.open(out, os.O_WRONLY | os.O_CREAT)
    for number in (1, 2):
        os.dup2(descriptor, number)
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w", buffering=1)
    sys.path.insert(0, os.getcwd())
    happened = _fail_at(fault, moment) if fault is not None else lambda: True
    code = 1
    try:
        code = main(COMMANDS[command][1].split())
    except SystemExit as error:
        code = error.code
    except BaseException:  # noqa: BLE001 (of a child)
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        os._exit(code if happened() else UNDISTURBED)


def _fail_at(fault, moment):
    """Let a fault happen at a write of this process; return whether it has, later."""
    folder, count = os.getcwd(), 0

    def happen():
        nonlocal count
        count += 1
        if count == moment:
            if fault == KILLED:
                os._exit(KILLED)
            raise OSError(fault, os.strerror(fault))

    def audit(event, arguments):
        if event == "open":
            path, _, flags = arguments
            inside = str(path).startswith(folder) or not os.path.isabs(str(path))
            if inside and flags & (os.O_WRONLY | os.O_RDWR) and isinstance(path, str):
                happen()
        elif event in ("os.rename", "os.remove", "os.mkdir", "os.truncate"):
            happen()

    def patched(original):
        def call(descriptor, *arguments):
            if descriptor > 2:
                happen()
            return original(descriptor, *arguments)

        return call

    os.write, os.fsync = patched(os.write), patched(os.fsync)
    sys.addaudithook(audit)
    return lambda: count >= moment


def made(stopped=False):
    """Return the content of every file of the current folder, rows without seals.

    Of a run that was stopped, without the note of the episode that it played again.
    """
    found = {}
    for path in sorted(Path().rglob("*")):
        if path.is_dir() or {"interrupted", "__pycache__"} & {*path.parts}:
            continue
        data = path.read_bytes()
        if path.name == "episodes.jsonl":
            data = [
                row for row in jsonl.read(path).records if not row.get("unfinished")
            ]
        elif path.name == "summary.json" and stopped:
            data = data.replace(
                b'"episodes": 1,\n    "usage"', b'"episodes": 0,\n    "usage"'
            )
        found[str(path)] = data
    return found


@pytest.mark.parametrize("fault", [KILLED, errno.ENOSPC, errno.EACCES])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_fault_at_any_write(begin, command, fault):
    begin("whole", command)
    code, printed = in_child(command)
    assert code == 0, printed
    whole = made()
    for moment in range(1, MOST_WRITES):
        begin(moment, command)
        code, printed = in_child(command, fault, moment)
        assert "Traceback" not in printed, (moment, printed)
        if code not in (0, UNDISTURBED):
            assert code == (KILLED if fault == KILLED else 1), (moment, printed)
            if fault != KILLED:
                assert "aq-gym: " in printed, (moment, printed)
                assert os.strerror(fault) in printed
            for name in OUTPUTS:
                # There is a whole one or none.
                assert not Path(name).exists() or Path(name).read_bytes() == whole[name]
            again, printed = in_child(command)
            assert again == 0 or "exists: name a new file" in printed, printed
        assert made(stopped=fault != KILLED) == whole, moment
        if code == UNDISTURBED:
            break
    assert 2 < moment < MOST_WRITES - 1


RUN = [
    sys.executable, "-m", "aq_gym.cli", "run", "--env", "aq/Mastermind-v0",
    "aq/BabyAI-text-v0", "--episodes", "6", "--max-steps", "20", "--agent", "expert",
]  # fmt: skip


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    out = tmp_path_factory.mktemp("undisturbed") / "run"
    subprocess.run([*RUN, "--out", out], check=True, capture_output=True)
    return (out / "summary.json").read_bytes()


@pytest.mark.parametrize(
    ("kind", "most"),
    [(resource.RLIMIT_NOFILE, 64), (resource.RLIMIT_AS, 1 << 30)],
    ids=["64 files", "1 GiB of addresses"],
)
@pytest.mark.parametrize(("executor", "workers"), [("inline", 1), ("processes", 2)])
def test_a_run_with_little(tmp_path, undisturbed, kind, most, executor, workers):
    done = subprocess.run(
        [*RUN, "--executor", executor, "--workers", str(workers), "--out", tmp_path],
        preexec_fn=lambda: resource.setrlimit(kind, (most, most)),
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "summary.json").read_bytes() == undisturbed


def test_a_file_that_cannot_grow_stops_the_run(tmp_path, undisturbed):
    """As a full disk does, at any of its bytes."""
    for most in (0, 700, 3_000, 8_000):
        done = subprocess.run(
            [*RUN, "--out", tmp_path], capture_output=True, text=True,
            preexec_fn=lambda most=most: resource.setrlimit(
                resource.RLIMIT_FSIZE, (most, most)
            ),
        )  # fmt: skip
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
        assert "aq-gym: " in done.stderr
        assert "File too large" in done.stderr or "bytes written" in done.stderr
    subprocess.run([*RUN, "--out", tmp_path], check=True, capture_output=True)
    summary = (tmp_path / "summary.json").read_text()
    assert made_alike(summary) == made_alike(undisturbed.decode())


def made_alike(summary):
    """Return a summary without the note of episodes that were played again."""
    return {k: v for k, v in json.loads(summary).items() if k != "superseded"}


def test_a_run_that_sleeps_and_whose_clock_goes_back(tmp_path, undisturbed):
    code = "import itertools, sys, time\nfrom aq_gym.cli import main\n"
    code += "count = itertools.count(2_000_000_000, -60)\n"
    code += "time.time = lambda: float(next(count))\nsys.exit(main(sys.argv[1:]))"
    with subprocess.Popen(
        [sys.executable, "-c", code, *RUN[3:], "--workers", "2", "--out", tmp_path],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
    ) as process:  # fmt: skip
        while not (tmp_path / "episodes.jsonl").exists():
            assert process.poll() is None
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGSTOP)
        time.sleep(2)
        os.killpg(process.pid, signal.SIGCONT)
        _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert (tmp_path / "summary.json").read_bytes() == undisturbed
