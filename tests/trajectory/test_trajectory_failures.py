import errno
import os

import foreign_envs
import gymnasium as gym
import pytest
from open_files import files_open_in

import aq_gym.trajectory
from aq_gym.wrappers import TrajectoryLogger


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


def names(directory):
    return sorted(os.listdir(directory))


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


def test_an_error_in_a_copy_is_recorded(fragile, duplicate, tmp_path):
    _, env = fragile
    env.reset(seed=0)
    env.step("x")
    with pytest.raises(ValueError, match="broke"):
        duplicate(env).step(ValueError("broke"))
    read = aq_gym.trajectory.read(tmp_path / "e0-copy-1.jsonl")
    assert (read.end["steps"], read.end["error"]) == (1, "ValueError: broke")
    assert not read.complete
