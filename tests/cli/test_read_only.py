"""A run whose folder is read-only can be read, and is not written to."""

import subprocess
import sys

import pytest

from aq_gym.cli import main

RUN = "run --env aq/Mastermind-v0 --episodes 6 --max-steps 20 --agent expert --out r"
METRIC = "def shortness(recorded):\n    return 1 / len(recorded.steps)\n"


@pytest.mark.slow
@pytest.mark.needs("unshare")
@pytest.mark.parametrize(
    ("command", "made"),
    [
        ("export r --out o.jsonl --split train", "o.jsonl"),
        ("report r -o o.html", "o.html"),
        ("leaderboard r -o o.html", "o.html"),
        ("compact r", ""),
        ("score r --metric read_only_metric:shortness", ""),
        (RUN, ""),
    ],
    ids=lambda value: value.split(" ")[0],
)
def test_a_folder_that_is_read_only(tmp_path, monkeypatch, command, made):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "read_only_metric.py").write_text(METRIC)
    assert main(RUN.split()) == 0
    mount = "mount --bind r r && mount -o remount,bind,ro r || exit 99\n"
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c",
         f'{mount} exec "{sys.executable}" -m aq_gym.cli {command}'],
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    if made:
        assert done.returncode == 0, done.stderr
        assert (tmp_path / made).stat().st_size
    else:
        assert done.returncode == 1
        assert "Read-only file system" in done.stderr
        assert "Traceback" not in done.stderr
