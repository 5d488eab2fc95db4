"""The progress bar counts steps while they are played, in every executor."""

import json

from aq_gym.cli.progress_bar import Status
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
