"""ScienceWorld's processes, its answers, and the environment."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest

import aq_gym  # noqa: F401 (registers the id)
from aq_gym.envs.scienceworld.engine import POOL, Engine
from aq_gym.envs.scienceworld.expert import gold_path
from aq_gym.envs.scienceworld.process import OPTIONS
from aq_gym.envs.scienceworld.tasks import TASKS, Instance, variations

pytestmark = pytest.mark.needs("module:scienceworld")
FIND = Instance("find-plant", 1, "")
WALK = ("open door to hallway", "go to hallway", "wait", "look around")


@pytest.fixture
def env():
    env = gym.make("aq/ScienceWorld-v0", task="find-plant", variation=1).unwrapped
    env.reset(seed=0)
    return env


@pytest.fixture(scope="module")
def package():
    """The package's own environment, with the options that make it deterministic."""
    from scienceworld import ScienceWorldEnv

    os.environ["JDK_JAVA_OPTIONS"] = " ".join(OPTIONS)
    theirs = ScienceWorldEnv("", envStepLimit=1_000)
    del os.environ["JDK_JAVA_OPTIONS"]
    yield theirs
    theirs.close()
    # close() leaves these open.
    theirs._gateway.java_process.stdin.close()
    theirs._gateway.java_process.wait()
    theirs._obj_tree_tempdir.cleanup()


def children(pid):
    """Return the descendants of a process."""
    found = []
    # A process or a thread may end while its children are read.
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                for child in (task / "children").read_text().split():
                    found += [int(child), *children(int(child))]
    return found


def text_of(pid, name):
    """Return a file about a process, "" if the process has ended."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/{name}").read_text()
    return ""


def gone(pid, seconds=120.0):
    """Wait until a process has ended."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
            threads = len(os.listdir(f"/proc/{pid}/task"))
        except (FileNotFoundError, ProcessLookupError):
            return True
        # A zombie whose other threads still end has not ended for its parent.
        if state == "Z" and threads == 1:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.filterwarnings("ignore")
def test_the_table_of_tasks_is_the_packages(package):
    assert set(package.get_task_names()) == TASKS.keys()
    for task, count in TASKS.items():
        assert package.get_max_variations(task) == count
        package.taskName = task
        package.server.load(task, 0, "", False)
        assert package.get_variations_train() == [*variations(task, "train")]
        assert package.get_variations_dev() == [*variations(task, "dev")]
        assert package.get_variations_test() == [*variations(task, "test")]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("simplifications", ["", "easy"])
def test_the_answers_are_the_packages(package, simplifications):
    env = gym.make(
        "aq/ScienceWorld-v0",
        task="chemistry-mix-paint-secondary-color",
        variation=10,
        simplifications=simplifications,
        instructions=False,
    )
    seen, _ = env.reset(seed=0)
    package.load("chemistry-mix-paint-secondary-color", 10, simplifications)
    first, _ = package.reset()
    assert seen == f"{package.get_task_description()}\n\n{first}"
    over = False
    while not over:
        action = env.unwrapped.expert_action()
        seen, _, over, _, info = env.step(action)
        expected, _, done, their = package.step(action)
        assert (seen, over, info["score"]) == (expected, done, their["score"])
    assert info["success"]


def test_the_answers_do_not_depend_on_the_machine_or_on_what_it_did():
    """The hashes by which ScienceWorld orders its objects are all 1."""
    path = gold_path(FIND)
    first, second = Engine(), Engine()
    second.load(Instance("grow-plant", 3, "easy"))
    second.step("look around")
    second.gold(Instance("melt", 0, ""))
    traces = set()
    for engine in (first, second, second):
        engine.load(FIND)
        for action in (*WALK, *path):
            engine.step(action)
        traces.add(engine.world.trace)
    assert len(traces) == 1
    first.close()
    second.close()


@pytest.mark.slow
def test_questions_and_failed_actions_do_not_change_what_animals_do():
    """ScienceWorld draws its answers from the random stream that moves animals."""
    engine, seen = Engine(), []
    questions = (
        *(lambda: None, engine.objects, engine.actions, engine.inventory),
        lambda: engine.act("take unknown thing"),
        lambda: engine.act("use door on unknown thing"),
    )
    for ask in questions:
        engine.load(FIND)
        for action in (*WALK[:2], "open door to outside", "go to outside", *WALK[2:]):
            ask()
            engine.step(action)
        seen.append((engine.world.trace, engine.objects()))
    engine.close()
    assert seen == seen[:1] * len(questions)


def kill_machines():
    for pid in children(os.getpid()):
        if "java" in text_of(pid, "comm"):
            os.kill(pid, signal.SIGKILL)


def test_a_dead_machine_is_an_error_of_the_episode(env):
    env.step("look around")
    kill_machines()
    _, _, terminated, truncated, info = env.step("go to hallway")
    assert (terminated, truncated) == (False, True)
    assert "has died" in info["error"]
    kill_machines()
    observation, info = env.reset(seed=0)
    assert "find a(n) plant" in observation
    assert env.step("look around")[3] is False
    # Help never fails.
    kill_machines()
    assert "look around" in env.step("check valid actions")[0]


def test_a_dead_worker_is_replaced_and_the_episode_replayed(env):
    env.step(WALK[0])
    for pid in POOL.pids:
        os.kill(pid, signal.SIGKILL)
        assert gone(pid)
    assert env.step(WALK[1])[0] == "You move to the hallway."


ORPHAN = """
import os, sys, time
import gymnasium as gym
import aq_gym
env = gym.make("aq/ScienceWorld-v0", task="find-plant", variation=1)
env.reset(seed=0)
# A process that holds the parent's end of the pipes, and lives on.
if os.fork() == 0:
    time.sleep(600)
    os._exit(0)
print("ready", flush=True)
time.sleep(600)
"""


def test_no_process_outlives_a_parent_that_is_killed():
    parent = subprocess.Popen([sys.executable, "-c", ORPHAN], stdout=subprocess.PIPE)
    assert parent.stdout.readline() == b"ready\n"
    below = {pid: text_of(pid, "cmdline") for pid in children(parent.pid)}
    engines = [pid for pid, line in below.items() if "scienceworld" in line]
    assert len(engines) == 2, "a worker and its machine"
    parent.kill()
    parent.wait()
    parent.stdout.close()
    try:
        assert all(map(gone, engines))
    finally:
        for pid in below.keys() - engines:
            os.kill(pid, signal.SIGKILL)


def test_a_question_is_answered_by_a_number_or_withdrawn(env):
    door = "open door to hallway"
    env.step(door)
    env.step("go to hallway")
    before = env.get_state()
    observation, *_, info = env.step("open door")
    assert "Please enter the number" in observation
    assert info["action_valid"]
    asked = env.get_state()
    choices = env.admissible_actions()
    assert choices[0] == "0"
    assert env.sample_action(np.random.default_rng(0)) in choices
    assert f"from 0 to {len(choices) - 1}" in env.step(str(len(choices)))[0]
    # Invalid texts leave the question as it is.
    for invalid in ("fly", "take nothing at all", "999"):
        assert env.step(invalid)[4]["action_valid"] is False
        assert env.get_state() == asked
    assert env.step("0")[0] in ("The door is now open.", "The door is already open.")
    env.set_state(asked)
    assert env.step("look around")[0].startswith("This room is called the hallway")
    assert env.get_state() != before
    assert "none was asked" in env.step("0")[0]


def test_a_wrong_focus_fails_the_task(env):
    _, reward, terminated, _, info = env.step("focus on agent")
    assert (reward, terminated, info["success"], info["score"]) == (
        0,
        True,
        False,
        -100,
    )


def test_a_state_that_does_not_hold_is_refused(env):
    env.step(WALK[0])
    state = env.get_state()
    world = state.world.world
    forged = world._replace(trace="0" * 32, actions=(*world.actions, "wait"))
    before = env.get_state()
    object.__setattr__(state, "world", state.world._replace(world=forged))
    with pytest.raises(ValueError, match="gave other answers than before"):
        env.set_state(state)
    assert env.get_state() == before


def test_the_expert_goes_back_and_opens_doors(env):
    for action in ("open door to outside", "go to outside", "close door to art studio"):
        env.step(action)
    over = False
    while not over:
        _, _, over, _, info = env.step(env.expert_action())
        assert info["action_valid"]
    assert info["success"]
