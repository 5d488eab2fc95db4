"""The executor, the workers and what an agent or the machine does change no result."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import foreign_envs  # noqa: F401
import pytest
from filelock import FileLock
from toy_envs import ToyAgent

from aq_gym.evaluation import (
    EXECUTORS,
    RunDirectory,
    Suite,
    Task,
    load_run,
    make_executor,
    remote,
    run,
)
from aq_gym.evaluation.preflight import check_agent

SUITE = Suite(
    "eight", tuple(Task("aq/Mastermind-v0", s, max_steps=8) for s in range(8))
)


@pytest.fixture(scope="module")
def inline(tmp_path_factory):
    return result(tmp_path_factory.mktemp("inline"))


def result(out, **how):
    """Everything a run leaves but the order of the journal."""
    episodes = run(SUITE, out, **how)
    files = {f.name: f.read_bytes() for f in (out / "trajectories").iterdir()}
    return episodes, files, (out / "summary.json").read_bytes()


@pytest.mark.parametrize(
    ("executor", "workers"),
    [
        ("threads", 3),
        pytest.param("processes", 2, marks=pytest.mark.slow),
        ("inline", 1),
    ],
)
def test_every_executor_leaves_the_same_bytes(tmp_path, inline, executor, workers):
    assert result(tmp_path, executor=executor, workers=workers) == inline


@pytest.mark.slow
@pytest.mark.needs("module:ray")
@pytest.mark.filterwarnings("ignore")  # Ray's own, in its threads and at its shutdown
def test_ray_leaves_the_same_bytes(tmp_path, inline, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("aq_gym", "pyarrow", "pandas"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    assert result(tmp_path / "out", executor="ray", workers=2) == inline
    # A file in the current folder replaces no package in the workers either.
    assert not (tmp_path / "ran").exists()


class DiesOnce(ToyAgent):
    """Ends its whole process, the first time anyone plays."""

    def __init__(self, env, flag):
        self.flag = flag

    def act(self, observation, info):
        try:
            os.close(os.open(self.flag, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return "Guess: 1234"
        os._exit(1)


class AlwaysDies:
    """Ends its process whenever it plays a task, once all others are finished."""

    privileged = True

    def __init__(self, env, task_id, rows):
        self.task_id, self.rows = task_id, Path(rows)

    def reset(self, observation, info):
        self.dies = info["task_id"] == self.task_id

    def act(self, observation, info):
        while self.dies:
            if self.rows.read_bytes().count(b"\n") == 7:
                os._exit(1)
            time.sleep(0.01)
        return "Guess: 1234"


@pytest.mark.slow
def test_a_worker_that_dies_is_replaced(tmp_path):
    flag = str(tmp_path / "flag")
    out = tmp_path / "out"
    episodes = run(
        SUITE, out, "test_execution:DiesOnce", {"flag": flag},
        executor="processes", workers=2,
    )  # fmt: skip
    assert [episode.steps for episode in episodes] == [8] * 8
    assert not any(episode.error for episode in episodes)
    assert len(list((out / "interrupted").iterdir())) >= 1


@pytest.mark.slow
def test_an_episode_that_always_kills_its_worker_is_an_error(tmp_path):
    guilty = run(SUITE, tmp_path / "who")[1].task_id
    rows = str(tmp_path / "out" / "episodes.jsonl")
    episodes = run(
        SUITE, tmp_path / "out", "test_execution:AlwaysDies",
        {"task_id": guilty, "rows": rows}, executor="processes", workers=2,
    )  # fmt: skip
    errors = [episode.error for episode in episodes]
    assert errors == ["", "its worker died 3 times"] + [""] * 6
    assert len(load_run(tmp_path / "out").episodes) == 8


@pytest.mark.parametrize(
    ("executor", "workers", "message"),
    [("cloud", 1, "executor='cloud': choose one of"), ("inline", 0, "workers=0")],
)
def test_an_unknown_executor_is_named(executor, workers, message):
    assert "cloud" not in EXECUTORS
    with pytest.raises(ValueError, match=message):
        make_executor(executor, workers)


class Interrupts(ToyAgent):
    """Presses Ctrl-C in its third action, and then plays until that is noticed."""

    acted, pause = 0, 0.05
    lock = threading.Lock()

    def act(self, observation, info):
        with self.lock:
            Interrupts.acted += 1
            third = Interrupts.acted == 3
        if third:
            os.kill(os.getpid(), signal.SIGINT)
        time.sleep(self.pause)
        return "help"


@pytest.mark.parametrize(("executor", "workers"), [("inline", 1), ("threads", 4)])
def test_ctrl_c_ends_every_episode_in_flight(tmp_path, monkeypatch, executor, workers):
    Interrupts.acted = 0
    # A shell starts what runs in its background without one.
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    # No episode ends within 50 seconds.
    long = Suite(
        "long", tuple(Task("aq/Mastermind-v0", s, max_steps=1_000) for s in range(4))
    )
    with pytest.raises(KeyboardInterrupt):
        run(
            long,
            tmp_path,
            "test_execution:Interrupts",
            executor=executor,
            workers=workers,
        )
    signal.signal(signal.SIGINT, handler)
    assert Interrupts.acted < 1_000
    assert load_run(tmp_path).episodes == []
    assert load_run(tmp_path).summary["tasks"] == {"all": 4, "finished": 0}
    monkeypatch.setattr(Interrupts, "pause", 0)
    assert (
        len(run(long, tmp_path, "test_execution:Interrupts", executor="threads")) == 4
    )


def test_the_lock_of_a_process_that_ends_is_waited_for(tmp_path):
    lock = FileLock(tmp_path / ".lock", thread_local=False)
    lock.acquire()
    threading.Timer(0.2, lock.release).start()
    with RunDirectory(tmp_path, {}):
        assert not lock.is_locked


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_only_the_process_that_opened_a_run_adds_to_it(tmp_path):
    episode = run(Suite("one", SUITE.tasks[:1]), tmp_path / "played")[0]
    with RunDirectory(tmp_path / "run", {}) as store:
        child = os.fork()
        if not child:
            with pytest.raises(RuntimeError, match=f"process {os.getppid()} writes"):
                store.add(episode)
            os._exit(7)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert (tmp_path / "run" / "episodes.jsonl").read_text() == ""


RESTLESS = """
import os, threading, time

class Restless:
    def __init__(self, env):
        pass

    def reset(self, observation, info):
        os.chdir("/")
        threading.Thread(target=time.sleep, args=(3_000,)).start()

    def act(self, observation, info):
        return "1234"
"""


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_agent_that_changes_folder_and_leaves_threads(tmp_path, workers):
    (tmp_path / "restless.py").write_text(RESTLESS)
    command = [sys.executable, "-m", "aq_gym", "run", "--env", "aq/Mastermind-v0"]
    command += ["--agent", "restless:Restless", "--episodes", "2", "--max-steps", "2"]
    done = subprocess.run(
        [*command, "--out", "here/run", "--workers", workers],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    loaded = load_run(tmp_path / "here" / "run")
    assert loaded.summary["tasks"] == {"all": 2, "finished": 2}
    assert "trajectories: here/run/trajectories" in done.stdout


def test_a_low_limit_of_open_files_is_raised(tmp_path):
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, before[1]))
    try:
        run(Suite("one", (Task("aq/Mastermind-v0", 0, max_steps=1),)), tmp_path)
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] >= min(256, before[1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_a_long_name_is_shortened_with_a_hash():
    tasks = [Task(f"test/{'long' * 60}-v0", *one) for one in ((0,), (1,))]
    tasks.append(replace(tasks[1], attempt=1_000))
    assert [len(one.name) for one in tasks] == [184, 184, 196]
    assert len({one.name for one in tasks}) == 3
    assert tasks[2].name.startswith(tasks[1].name)


def test_a_key_is_refused_in_every_spelling(tmp_path):
    suite = Suite("one", (Task("aq/Mastermind-v0", 0, max_steps=1),))
    for params in (
        {"OPENAI_API_KEY": "x"},
        {"password": "x"},
        {"accesstoken": "x"},
        {"extra": {"private_key": "x"}},
        {"base_url": "http://u:p/q@host"},
        {"base_url": "https://user:word@host/v1"},
        {"base_url": "http://host/v1?api-key=x"},
        {"base_url": "http://host/v1?X-API-Key=x"},
        {"base_url": "http://host/v1?a=b&api%2Dkey=x"},
        {"base_url": "http://host/v1?token=x"},
        {"request": {"extra_headers": {"X-API-Key": "x"}}},
        {"request": {"extra_headers": {"api-key": "x"}}},
        {"request": {"extra_headers": {"Authorization": "x"}}},
        {"request": {"extra_headers": {"X-Auth-Token": "x"}}},
        {"request": {"extra_headers": {"X-Other": "Bearer abcdefgh12"}}},
        {"request": {"extra_query": {"subscription-key": "x"}}},
        {"request": {"user": "sk-abcdefgh12345678"}},
        {"model": "sk-proj-abcd1234efgh"},
    ):
        with pytest.raises(ValueError, match="in the environment"):
            run(suite, tmp_path / "out", "llm", {"model": "m", **params})
    assert not (tmp_path / "out").exists()
    request = {"max_tokens": 5, "logit_bias": {"50256": -100}, "stop": ["key="]}
    url = "http://127.0.0.1:9/v1?api-version=2024-10-21"
    params = {"base_url": url, "request": request}
    check_agent("llm", {**params, "model": "task-2024-secretless"})


def test_a_cluster_that_refuses_names_the_token(tmp_path, monkeypatch):
    """Ray says only that it can't connect, after 20 tries without the token."""

    def init(**given):
        raise ConnectionError("Failed to connect to Ray cluster at 127.0.0.1:6379")

    config = SimpleNamespace(JobConfig=lambda **given: None)
    ray = SimpleNamespace(is_initialized=bool, init=init, job_config=config)
    monkeypatch.setattr("aq_gym.evaluation.remote.load", lambda *names: ray)
    monkeypatch.setenv("RAY_ADDRESS", "auto")
    suite = Suite("one", (Task("aq/Mastermind-v0", 0, max_steps=1),))
    with pytest.raises(ConnectionError, match=r"6379\. If .* RAY_AUTH_MODE=token, and"):
        run(suite, tmp_path, executor="ray")


def test_a_remote_worker_writes_to_the_folder_of_the_run_if_it_sees_it(tmp_path):
    """So a killed command keeps what the worker has played of an episode."""
    for name in ("run", "copy"):
        (tmp_path / name / "trajectories").mkdir(parents=True)
        (tmp_path / name / "run.json").write_text("{}")
    here, copy = [
        remote.Job(SUITE.tasks[0], "random", {}, tmp_path / name / "trajectories")
        for name in ("run", "copy")
    ]
    mark = remote.mark_of(here)
    remote.begin_remote()
    try:
        (kept,), (sent,) = (remote.play_remote([job], mark) for job in (here, copy))
    finally:
        remote.end_remote()
    assert kept.trajectory is None
    (file,) = Path(here.directory).iterdir()
    assert file.read_bytes() == sent.trajectory
    assert not list(Path(copy.directory).iterdir())


@pytest.mark.parametrize("address", ["127.0.0.1:{}", "ray://127.0.0.1:{}"])
def test_a_cluster_that_cannot_be_reached_is_named(tmp_path, monkeypatch, address):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    monkeypatch.setenv("RAY_ADDRESS", address.format(port))
    suite = Suite("one", (Task("aq/Mastermind-v0", 0, max_steps=1),))
    with pytest.raises(ConnectionError, match=f"Ray's head at .*{port}' cannot"):
        run(suite, tmp_path, executor="ray")
