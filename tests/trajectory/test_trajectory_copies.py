import os
import sys

import pytest
from open_files import files_open_in

import aq_gym.trajectory
from aq_gym.wrappers import TrajectoryLogger


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
