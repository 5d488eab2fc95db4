"""One broken episode ends neither the run nor what can be made of it later."""

import json
from typing import Any

import gymnasium as gym
import pytest

from aq_gym.envs.mastermind import MastermindEnv
from aq_gym.evaluation import Suite, Task, load_run, run
from aq_gym.evaluation.play import Job, play_episode


class Stepped(MastermindEnv):
    """Knows how many steps the episode has had."""

    steps = 0

    def _reset(self, options):
        self.steps = 0
        return super()._reset(options)

    def _step(self, action):
        self.steps += 1
        return super()._step(action)


class NoNumber(Stepped):
    """Has a progress that is not a number, in one episode of two."""

    def __init__(self, last: int = 1, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.last = last

    def progress(self):
        broken = self.steps == self.last and self.np_random_seed == 1
        return float("nan") if broken else 0.0


class Unclosable(Stepped):
    """Can't be closed once it was played."""

    def close(self):
        if self.steps:
            raise OSError("stuck")


class NoFile(Stepped):
    """Cannot begin an episode, because of a file of its own."""

    def _reset(self, options):
        if self.np_random_seed == 0:
            raise FileExistsError("cache exists")
        return super()._reset(options)


class Numbered(gym.Wrapper):
    """Has info of other types than aq_gym's environments."""

    def reset(self, *, seed=None, options=None):
        observation, info = self.env.reset(seed=seed, options=options)
        graded = 3 if seed else None
        return observation, {**info, "task_id": 7 + seed, "difficulty": graded}

    def step(self, action):
        *result, info = self.env.step(action)
        return *result, {**info, "error": None}


def make_numbered():
    return Numbered(MastermindEnv())


class Leaver:
    """Leaves in one episode of two."""

    def __init__(self, env):
        self.env = env

    def reset(self, observation, info):
        self.leaves = self.env.get_wrapper_attr("np_random_seed") == 1

    def act(self, observation, info):
        self.env.get_wrapper_attr("annotate")(cost=float("inf"))
        if self.leaves:
            raise SystemExit(0)
        return "Guess: 1234"


for name in ("NoFile", "NoNumber", "Unclosable"):
    if f"broken/{name}-v0" not in gym.registry:
        gym.register(
            f"broken/{name}-v0", f"test_broken_episodes:{name}", max_episode_steps=3
        )

if "broken/Numbered-v0" not in gym.registry:
    gym.register(
        "broken/Numbered-v0", "test_broken_episodes:make_numbered", max_episode_steps=3
    )


def suite(env_id, **kwargs):
    return Suite("broken", tuple(Task(env_id, seed, kwargs) for seed in (0, 1)))


NO_NUMBER = "test_broken_episodes:broken/NoNumber-v0"


NAN = "ValueError: info['progress']=nan"


@pytest.mark.parametrize(
    ("executor", "env_id", "kwargs", "agent", "error"),
    [
        ("inline", NO_NUMBER, {"last": 1}, "random", NAN),
        ("threads", NO_NUMBER, {"last": 3}, "random", NAN),
        ("processes", NO_NUMBER, {"last": 3}, "random", NAN),
        *(
            (executor, "aq/Mastermind-v0", {}, f"{__name__}:Leaver", "SystemExit: 0")
            for executor in ("inline", "threads", "processes")
        ),
    ],
)
def test_one_broken_episode_is_one_error(
    tmp_path, executor, env_id, kwargs, agent, error
):
    tasks = suite(env_id, **kwargs)
    whole, broken = run(tasks, tmp_path, agent, executor=executor)
    assert not whole.error
    assert broken.error.startswith(error)
    assert run(tasks, tmp_path, agent) == [whole, broken]
    json.loads((tmp_path / "summary.json").read_text())


def test_info_of_other_types_gives_a_run_that_can_be_read(tmp_path):
    tasks = suite("test_broken_episodes:broken/Numbered-v0")
    episodes = run(tasks, tmp_path)
    assert [one.task_id for one in episodes] == ["7", "8"]
    assert [one.difficulty for one in episodes] == ["", "3"]
    assert [one.error for one in episodes] == ["", ""]
    assert run(tasks, tmp_path) == load_run(tmp_path).episodes == episodes
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert list(summary["difficulties"]) == ["3"]


def test_an_episode_counts_though_its_environment_cannot_be_closed(tmp_path):
    tasks = suite("test_broken_episodes:broken/Unclosable-v0")
    with pytest.warns(UserWarning, match="could not be closed: OSError"):
        episodes = run(tasks, tmp_path, "random", executor="inline")
    assert [episode.error for episode in episodes] == ["", ""]
    assert run(tasks, tmp_path, "random") == episodes


def test_a_file_of_the_environment_that_exists_is_its_error(tmp_path):
    episodes = run(suite("test_broken_episodes:broken/NoFile-v0"), tmp_path, "random")
    assert [one.error for one in episodes] == ["FileExistsError: cache exists", ""]


def test_an_episode_is_not_written_over_another_one(tmp_path):
    job = Job(Task("aq/Mastermind-v0", 0, max_steps=3), "random", {}, tmp_path)
    play_episode(job)
    (file,) = tmp_path.iterdir()
    written = file.read_bytes()
    with pytest.raises(FileExistsError, match=f"{file.name} exists"):
        play_episode(job)
    assert [one.read_bytes() for one in tmp_path.iterdir()] == [written]
