"""The files of a logger: their names, copies and failures."""

import errno
import os
import sys

import foreign_envs
import gymnasium as gym
import pytest

import aq_gym.trajectory
from aq_gym.wrappers import TrajectoryLogger


def files_open_in(folder):
    """Return how many files in a folder are open.

    Not how many there are at all: threads of earlier tests may close theirs meanwhile.
    """
    found = 0
    for descriptor in os.listdir("/proc/self/fd"):
        try:
            place = os.readlink(f"/proc/self/fd/{descriptor}")
        except FileNotFoundError:
            continue
        found += place.startswith(f"{folder}{os.sep}")
    return found


def names(directory):
    return sorted(os.listdir(directory))


def test_a_copy_begins_its_own_file(room, duplicate, tmp_path):
    env = TrajectoryLogger(room, tmp_path, name="e{n}")
    env.reset(seed=1)
    env.step("take key")
    copied = duplicate(env)
    assert names(tmp_path) == ["e0.jsonl"]
    copied.step("open door")
    second = duplicate(env)
    second.step("y")
    third = duplicate(second)
    third.step("z")
    third.close()
    second.close()
    env.step("x")
    env.close()
    read = {t.name: t for t in aq_gym.trajectory.iter_trajectories(tmp_path)}
    parents = {name: t.header["parent"] for name, t in read.items()}
    assert parents == {
        "e0": None,
        "e0-copy-1": {"file": "e0", "step": 1},
        "e0-copy-2": {"file": "e0", "step": 1},
        "e0-copy-2-copy-1": {"file": "e0-copy-2", "step": 2},
    }
    played = {name: [s["action"] for s in t.steps] for name, t in read.items()}
    assert played == {
        "e0": ["take key", "x"],
        "e0-copy-1": ["open door"],
        "e0-copy-2": ["y"],
        "e0-copy-2-copy-1": ["z"],
    }
    assert read["e0-copy-1"].end["steps"] == 2
    for trajectory in read.values():
        assert trajectory.complete
        assert aq_gym.trajectory.replay(trajectory.path).identical


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_forked_process_begins_its_own_file(room, tmp_path):
    env = TrajectoryLogger(room, tmp_path, name="e{n}")
    env.reset(seed=1)
    env.step("take key")
    child = os.fork()
    if not child:
        env.step("open door")
        env.close()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    child = os.fork()
    if not child:
        env.close()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    env.step("x")
    env.close()
    read = {t.name: t for t in aq_gym.trajectory.iter_trajectories(tmp_path)}
    played = {name: [s["action"] for s in t.steps] for name, t in read.items()}
    assert played == {"e0": ["take key", "x"], "e0-copy-1": ["open door"]}
    assert all(trajectory.complete for trajectory in read.values())


def test_a_copy_that_plays_nothing_leaves_no_file(room, duplicate, tmp_path):
    env = TrajectoryLogger(room, tmp_path)
    env.reset(seed=1)
    duplicate(env).close()
    assert len(names(tmp_path)) == 1
    copied = duplicate(env)
    copied.reset(seed=2)
    copied.close()
    env.close()
    assert names(tmp_path) == ["episode-00000.jsonl", "episode-00001.jsonl"]


@pytest.mark.skipif(sys.platform != "linux", reason="counts files in /proc")
def test_dropped_copies_leave_no_file_open(room, duplicate, tmp_path):
    env = TrajectoryLogger(room, tmp_path)
    env.reset(seed=1)
    before = files_open_in(tmp_path)
    for _ in range(10):
        duplicate(env).step("x")
    assert files_open_in(tmp_path) <= before + 1


FIELDS = ["{m}", "{}", "{n", "{n:500d}", "{n.x}", "{n[0]}", "{n:s}"]


def episodes(env, n):
    for _ in range(n):
        env.reset(seed=0)
        env.step("x")
    env.close()


def test_names_count_and_skip_what_exists(room, tmp_path):
    (tmp_path / "e0.jsonl").write_text("mine")
    (tmp_path / "e2.jsonl").write_text("mine")
    aq_gym.trajectory.pack(tmp_path)
    (tmp_path / "e0.jsonl").write_text("mine")
    episodes(TrajectoryLogger(room, tmp_path, name="e{n}"), 3)
    assert names(tmp_path) == [
        "e0.jsonl",
        "e0.jsonl.gz",
        "e1.jsonl",
        "e2.jsonl.gz",
        "e3.jsonl",
        "e4.jsonl",
    ]
    assert (tmp_path / "e0.jsonl").read_text() == "mine"


def test_exact_names(room, tmp_path):
    env = TrajectoryLogger(room, tmp_path)
    env.name_next("mine")
    env.reset(seed=0)
    assert env.trajectory_name == "mine"
    env.reset(seed=0)
    assert env.trajectory_name == "episode-00000"
    env.name_next("mine")
    with pytest.raises(FileExistsError, match="mine"):
        env.reset(seed=0)
    assert env.trajectory_name is None


@pytest.mark.parametrize(
    "name",
    ["", "a/b", "..", "a\0", "x" * 201, "é" * 101, "\ud800", *FIELDS],
)
def test_names_that_are_none(room, tmp_path, name):
    with pytest.raises(ValueError, match="name="):
        TrajectoryLogger(room, tmp_path, name=name)


def test_the_longest_name_serves_copies(room, tmp_path, duplicate):
    env = TrajectoryLogger(room, tmp_path, name="x" * 200)
    env.reset(seed=0)
    copied = duplicate(duplicate(env))
    copied.step("x")
    copied.close()
    env.close()
    assert all(t.complete for t in aq_gym.trajectory.iter_trajectories(tmp_path))


@pytest.mark.parametrize(
    "arguments",
    [
        {"name": 5},
        {"name": b"e"},
        {"agent": None},
        {"agent_params": [1]},
        {"agent_params": "temperature"},
        {"directory": 5},
    ],
    ids=str,
)
def test_arguments_of_other_types_are_named(room, tmp_path, arguments):
    (name,) = arguments
    with pytest.raises((TypeError, ValueError), match=rf"^{name}[=\[]"):
        TrajectoryLogger(room, **{"directory": tmp_path, **arguments})
    with pytest.raises(TypeError, match="name=5"):
        TrajectoryLogger(room, tmp_path).name_next(5)


class Fragile(foreign_envs.Room):
    """Raises an error on request."""

    closed = False
    resets = 0
    info: object = None

    def reset(self, *, seed=None, options=None):
        self.resets += 1
        if options:
            raise options["error"]
        return super().reset(seed=seed)

    def step(self, action):
        if isinstance(action, BaseException):
            raise action
        result = super().step(action)
        if action == "no info":
            return *result[:4], None
        if action == "no reward":
            return result[0], None, *result[2:]
        return result

    def close(self):
        self.closed = True


@pytest.fixture
def fragile(tmp_path):
    """Give an environment and its logger."""
    inner = Fragile()
    return inner, TrajectoryLogger(inner, tmp_path, name="e{n}")


def full(descriptor, data):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="counts open files")
def test_a_full_disk_leaves_nothing_open(tmp_path, monkeypatch):
    inner = Fragile()
    env = TrajectoryLogger(inner, tmp_path)
    env.reset(seed=0)
    assert files_open_in(tmp_path) == 1
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(OSError, match="No space"):
            env.close()
    assert inner.closed
    assert files_open_in(tmp_path) == 0


def test_a_step_that_was_not_written_is_missed(fragile, tmp_path, monkeypatch):
    _, env = fragile
    env.reset(seed=0)
    whole_write = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda fd, data: whole_write(fd, data[:9]))
        with pytest.raises(OSError, match="only 9 of"):
            env.step("take key")
    env.step("x")
    env.close()
    read = aq_gym.trajectory.read(tmp_path / "e0.jsonl")
    assert [step["t"] for step in read.steps] == [2]
    assert (read.torn, read.complete) == (True, False)


def test_a_taken_name_stops_the_reset(tmp_path):
    inner = Fragile()
    env = TrajectoryLogger(inner, tmp_path, name="single")
    env.reset(seed=0)
    with pytest.raises(FileExistsError, match="single"):
        env.reset(seed=0)
    assert inner.resets == 1
    with pytest.raises(gym.error.ResetNeeded):
        env.step("take key")
    assert aq_gym.trajectory.read(tmp_path / "single.jsonl").complete


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt()])
def test_a_failed_reset_leaves_no_file(fragile, tmp_path, error):
    _, env = fragile
    with pytest.raises(type(error)):
        env.reset(options={"error": error})
    with pytest.raises(gym.error.ResetNeeded):
        env.step("x")
    assert names(tmp_path) == []
    env.reset(seed=0)
    env.step("x")
    assert len(names(tmp_path)) == 1
    with pytest.raises(type(error)):
        env.reset(options={"error": error})
    with pytest.raises(gym.error.ResetNeeded):
        env.step("x")
    assert len(names(tmp_path)) == 1


@pytest.mark.parametrize(
    ("action", "error", "text"),
    [
        (ValueError("it \ud83d\ude00 broke"), ValueError, "ValueError: it \ud83d"),
        (KeyboardInterrupt(), KeyboardInterrupt, "KeyboardInterrupt: "),
        ("no info", TypeError, "TypeError: .*info=None; it must be a dict"),
        ("no reward", TypeError, "TypeError: "),
    ],
)
def test_an_error_in_a_step_is_recorded(fragile, tmp_path, action, error, text):
    _, env = fragile
    env.reset(seed=0)
    env.step("take key")
    with pytest.raises(error):
        env.step(action)
    with pytest.raises(gym.error.ResetNeeded):
        env.step("open door")
    env.close()
    read = aq_gym.trajectory.read(tmp_path / "e0.jsonl")
    assert (read.end["steps"], read.end["reason"]) == (1, "error")
    assert read.end["error"].startswith(text.partition(".*")[0])
    assert (read.end["action"] == action) == isinstance(action, str)
    assert not read.complete
    assert not read.torn
    assert aq_gym.trajectory.replay(read.path, Fragile()).identical
