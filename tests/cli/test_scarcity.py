"""Commands on a full disk, in a folder that is read-only, or one that is in use."""

import os
import shutil
import signal
import subprocess
import sys

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="needs Linux"),
]
AQ_GYM = [sys.executable, "-m", "aq_gym.cli"]
RUN = [
    "run", "--env", "aq/Mastermind-v0", "aq/BabyAI-text-v0", "--episodes", "6",
    "--max-steps", "20", "--agent", "expert",
]  # fmt: skip
METRIC = "def shortness(recorded):\n    return 1 / len(recorded.steps)\n"
# What is done with the run "r", and the file that it makes.
READERS = {
    "export r --out o.jsonl --split train": "o.jsonl",
    "report r -o o.html": "o.html",
    "leaderboard r -o o.html": "o.html",
}
WRITERS = {
    "compact r": "r/trajectories/*-seed00000.jsonl.gz",
    "score r --metric scarce_metric:shortness": "r/summary.json",
}
EXECUTORS = pytest.mark.parametrize(
    "how",
    ["inline --workers 1", "threads --workers 4", "processes --workers 2"],
)


def call(folder, arguments):
    """Give a command in a folder."""
    return subprocess.run(
        [*AQ_GYM, *arguments], cwd=folder, capture_output=True, text=True, timeout=600
    )  # fmt: skip


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A folder with an undisturbed run "r" and a metric."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "scarce_metric.py").write_text(METRIC)
    done = call(folder, [*RUN, "--out", "r"])
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def undisturbed(whole):
    return (whole / "r" / "summary.json").read_bytes()


def read_one(folder, pattern):
    return sorted(folder.glob(pattern))[0].read_bytes()


@pytest.fixture(scope="module")
def makes(whole, tmp_path_factory):
    """What each command makes of the run, undisturbed."""
    made = {}
    for command, file in {**READERS, **WRITERS}.items():
        folder = tmp_path_factory.mktemp("makes") / "here"
        shutil.copytree(whole, folder)
        assert call(folder, command.split()).returncode == 0
        made[command] = read_one(folder, file)
    return made


def assert_one_line(errors, *messages):
    assert "Traceback" not in errors, errors
    assert "aq-gym: " in errors, errors
    assert any(message in errors for message in messages), errors


@pytest.fixture
def on_small_disk(tmp_path):
    """Carry out a shell script in a folder that is a disk of its own.

    ``disk`` in it is the folder, ``aq_gym`` the command; the folder is gone afterwards.
    """
    if not shutil.which("unshare"):
        pytest.skip("needs unshare")
    (tmp_path / "disk").mkdir()
    start = 'mount -t tmpfs -o size="$0" tmpfs disk && cd disk || exit 99\n'
    start += f'aq_gym() {{ "{sys.executable}" -m aq_gym.cli "$@" 2>> ../errors; }}\n'

    def carry_out(size, script):
        done = subprocess.run(
            ["unshare", "-rm", "sh", "-c", start + script, size],
            cwd=tmp_path, capture_output=True, text=True, timeout=600,
        )  # fmt: skip
        assert done.returncode == 0, done
        return (tmp_path / "errors").read_text()

    return carry_out


@pytest.mark.parametrize("command", [*READERS, *WRITERS, f"{' '.join(RUN)} --out r"])
def test_a_folder_that_is_read_only(tmp_path, whole, makes, on_small_disk, command):
    """Is enough to read a run, and refused in a line where it is written to."""
    made = READERS.get(command)
    errors = on_small_disk(
        "8m",
        f"""
        cp -rp {whole}/* . && mount --bind r r && mount -o remount,bind,ro r
        aq_gym {command}; [ $? = {int(made is None)} ] || exit 1
        {f"cp {made} ../made" if made else ""}
        """,
    )
    if made:
        assert (tmp_path / "made").read_bytes() == makes[command]
    else:
        assert_one_line(errors, "Read-only file system")


# The command stops itself, with its workers, when its first episode has ended.
STOPS = """
import os, signal, sys
from aq_gym.cli import main
from aq_gym.trajectory.jsonl import JsonLines

append = JsonLines.append_line


def stop_after_row(self, line):
    append(self, line)
    if self.path.endswith("episodes.jsonl"):
        JsonLines.append_line = append
        os.killpg(0, signal.SIGSTOP)


if __name__ == "__main__":
    JsonLines.append_line = stop_after_row
    sys.exit(main(sys.argv[1:]))
"""


def begin(folder, how, program):
    """Start a run "r", and return it when it has stopped itself."""
    (folder / "program.py").write_text(program)
    process = subprocess.Popen(
        [sys.executable, "program.py", *RUN, "--out", "r", "--quiet", "--executor",
         *how.split()],
        cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    _, status = os.waitpid(process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status), process.stderr.read()
    return process


def finish(process):
    _, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors


@EXECUTORS
def test_two_processes_in_one_folder(tmp_path, whole, undisturbed, how):
    """The second is refused, whatever it would write, and changes nothing."""
    shutil.copy(whole / "scarce_metric.py", tmp_path)
    process = begin(tmp_path, how, STOPS)
    for command in ([*RUN, "--out", "r"], *map(str.split, WRITERS)):
        done = call(tmp_path, command)
        assert done.returncode == 1
        assert_one_line(done.stderr, "another process writes to it", "is not finished")
    os.killpg(process.pid, signal.SIGCONT)
    finish(process)
    assert (tmp_path / "r" / "summary.json").read_bytes() == undisturbed
