"""The progress bar counts steps while they are played, in every executor."""

import io
import json
import re

from rich.console import Console

from aq_gym.cli.progress_bar import Status, run_with_bar
from aq_gym.evaluation import Suite, Task, load_run, run

TASKS = tuple(Task("aq/Mastermind-v0", seed, max_steps=10) for seed in range(2))
SUITE = Suite("two", TASKS)


def test_steps_of_the_first_episode_count(tmp_path):
    run(SUITE, tmp_path, "random")
    folder = tmp_path / "trajectories"
    first, second = (folder / f"{task.name}.jsonl" for task in TASKS)
    second.unlink()
    lines = first.read_bytes().splitlines(keepends=True)
    notes = {"tokens": 100, "cost": 0.5, "retries": 1, "model": "m"}
    step = json.loads(lines[1])
    step["notes"] = notes
    step.pop("crc")
    noted = json.dumps(step, separators=(",", ":")).encode()
    first.write_bytes(b"".join([lines[0], noted, b"\n", lines[2], lines[3][:50]]))
    status = Status(SUITE, folder)
    assert (status.total, status.done) == (20, 0)
    status.look()
    status.look()
    assert status.done == 2
    shown = "0/2, 2 steps, success 0.00, progress 0.00, 100 tokens, cost 0.5, 1 retries"
    assert str(status) == shown
    first.write_bytes(b"".join([lines[0], noted, b"\n", *lines[2:]]))
    status.look()
    assert status.done == 10
    (episode,) = [e for e in load_run(tmp_path).episodes if e.task == TASKS[0].name]
    status.add(episode)
    assert status.done == 10
    assert str(status).startswith("1/2, 10 steps, success 0.00, progress 0.")


def test_a_narrow_terminal_shows_the_bar_and_the_whole_status(tmp_path, monkeypatch):
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=30)
    monkeypatch.setattr("aq_gym.cli.progress_bar.make_console", lambda stderr: console)
    run_with_bar(SUITE, str(tmp_path), "random", {})
    shown = " ".join(re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", screen.getvalue()).split())
    # The bar, the time so far, and the time that is left.
    last = shown[shown.rindex("random") :]
    assert re.match(r"random ━+ \d:\d\d:\d\d 0:00:00 2/2, 20 steps, ", last)
    assert re.search(r"success 0\.00, progress \d\.\d\d$", last)
