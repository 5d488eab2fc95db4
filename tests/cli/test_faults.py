"""Commands that are killed, or whose disk fails, at any of their writes.

Afterwards the same command makes what it makes undisturbed.
"""

import errno
import json
import os
import shutil
import signal
import sys
import warnings
from pathlib import Path

import fault_injection
import pytest
from fault_injection import KILL_ALL, KILL_ONE
from rating_judges import GRADES, code, criterion

from aq_gym.cli import main
from aq_gym.evaluation import Suite, Task, run
from aq_gym.ratings import save_criteria
from aq_gym.ratings.criteria import criteria_of
from aq_gym.trajectory import jsonl

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork"),
]
SUITE = Suite(
    "two", tuple(Task("aq/Mastermind-v0", s, {"split": "train"}, 3) for s in range(2))
)
METRIC = "def shortness(recorded):\n    return 1 / len(recorded.steps)\n"
RUN = "run --env aq/Mastermind-v0 --episodes 2 --max-steps 3 --out r"
# Each command, with what there is before: nothing, a run of a suite, or one that the
# command line asked for.
COMMANDS = {
    "run": ("", RUN),
    "run in threads": ("", f"{RUN} --executor threads --workers 2"),
    "run in processes": ("", f"{RUN} --executor processes --workers 2"),
    "compact": ("plain", "compact r"),
    "export": ("plain", "export r --out chat.jsonl"),
    "report": ("plain", "report r -o page.html"),
    "leaderboard": ("plain", "leaderboard r -o board.html"),
    "score": ("plain", "score r --metric fault_metric:shortness"),
    "continue-to": ("asked", "run --from r --continue-to 5 --out n"),
    "rate": ("plain", "rate r --model m --criteria criteria.json --repeats 1"),
}  # fmt: skip
OUTPUTS = ("chat.jsonl", "page.html", "board.html")
MOST_WRITES = 300
CASES = [(name, fault) for name in COMMANDS for fault in (KILL_ALL, errno.ENOSPC)]
CASES += [(name, errno.EACCES) for name in COMMANDS if " in " not in name]
CASES += [("run in processes", KILL_ONE)]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    run(SUITE, folder / "plain")
    main([*RUN.split()[:-1], str(folder / "asked")])
    return folder


@pytest.fixture
def begin(runs, tmp_path, monkeypatch, judge):
    """Make a folder with what a command needs, which becomes the current one."""
    endpoint = judge({"facts": lambda values, _: code(values, GRADES[2])})
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)

    def begin(name, command):
        folder = tmp_path / str(name)
        folder.mkdir()
        source = COMMANDS[command][0]
        if source:
            shutil.copytree(runs / source, folder / "r")
        (folder / "fault_metric.py").write_text(METRIC)
        save_criteria(folder / "criteria.json", criteria_of([criterion("facts")]))
        monkeypatch.chdir(folder)
        return folder

    return begin


def in_child(command, fault=None, moment=0):
    """Carry out a command in a child, with a fault at one of its writes.

    Returns:
        Its exit code, what it has printed, and whether the fault has happened.
    """
    out, counter = Path("printed").resolve(), Path("../count").resolve()
    counter.unlink(missing_ok=True)
    with warnings.catch_warnings():
        # Python warns of a fork with threads, which the child does not use.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child:
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        printed = out.read_text() if out.exists() else ""
        out.unlink(missing_ok=True)
        return code, printed, fault and counter.stat().st_size >= moment
    os.setsid()
    descriptor = os.open(out, os.O_WRONLY | os.O_CREAT)
    for number in (1, 2):
        os.dup2(descriptor, number)
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w", buffering=1)
    sys.path.insert(0, os.getcwd())
    if fault is not None:
        arguments = (os.getcwd(), str(counter), fault, moment)
        fault_injection.begin_in_workers(
            Path(f"../site-{os.getpid()}").resolve(), *arguments
        )
        fault_injection.begin(*arguments)
    code = 1
    try:
        code = main(COMMANDS[command][1].split())
    except SystemExit as error:
        code = error.code
    except BaseException:  # noqa: BLE001 (of a child)
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        os._exit(code)


def made(stopped=False):
    """Return the content of every file of the current folder, rows without seals.

    Of a run that was stopped, without the note of the episodes that it played again.
    """
    found = {}
    for path in sorted(Path().rglob("*")):
        if path.is_dir() or {"interrupted", "__pycache__"} & {*path.parts}:
            continue
        data = path.read_bytes()
        if path.name == "episodes.jsonl":
            rows = [row for row in jsonl.read(path).records if "unfinished" not in row]
            # In the order of their ends.
            data = sorted(rows, key=lambda row: row["task"])
        elif path.name == "summary.json" and stopped:
            data = {k: v for k, v in json.loads(data).items() if k != "superseded"}
        elif path.name == "ratings.json":
            data = {k: v for k, v in json.loads(data).items() if k != "used"}
        elif path.name.startswith("journal"):
            data = [record["kind"] for record in jsonl.read(path).records]
        found[str(path)] = data
    return found


@pytest.mark.parametrize(("command", "fault"), CASES)
def test_a_fault_at_any_write(begin, command, fault):
    stopped = fault not in (KILL_ALL, KILL_ONE)
    begin("whole", command)
    code, printed, _ = in_child(command)
    assert code == 0, printed
    whole = made(stopped)
    for moment in range(1, MOST_WRITES):
        begin(moment, command)
        code, printed, happened = in_child(command, fault, moment)
        assert "Traceback" not in printed, (moment, printed)
        if code:
            assert happened
            assert code == (1 if stopped else -signal.SIGKILL), (moment, printed)
            if stopped:
                assert "aq-gym: " in printed, (moment, printed)
                assert os.strerror(fault) in printed
            for name in OUTPUTS:
                # There is a whole one or none.
                assert not Path(name).exists() or Path(name).read_bytes() == whole[name]
            code, printed, _ = in_child(command)
            assert not code or "exists: name a new file" in printed, (moment, printed)
        assert made(stopped) == whole, moment
        if not happened:
            break
    assert 2 < moment < MOST_WRITES - 1
