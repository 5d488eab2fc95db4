"""A broken episode ends neither the run nor what is made of it, and is tried again."""

import json
import re
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from toy_envs import ToyAgent

from aq_gym.cli import main
from aq_gym.envs.mastermind import MastermindEnv
from aq_gym.evaluation import (
    LimitReachedError,
    Suite,
    Task,
    load_run,
    run,
)


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


class Leaver(ToyAgent):
    """Leaves in one episode of two."""

    privileged = True

    def reset(self, observation, info):
        self.leaves = self.env.get_wrapper_attr("np_random_seed") == 1

    def act(self, observation, info):
        self.env.get_wrapper_attr("annotate")(cost=float("inf"))
        if self.leaves:
            raise SystemExit(0)
        return "Guess: 1234"


for name, entry in {"NoNumber": "NoNumber", "Numbered": "make_numbered"}.items():
    if f"broken/{name}-v0" not in gym.registry:
        gym.register(
            f"broken/{name}-v0", f"test_broken_episodes:{entry}", max_episode_steps=3
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
        *(
            pytest.param(
                executor,
                "aq/Mastermind-v0",
                {},
                f"{__name__}:Leaver",
                "SystemExit: 0",
                marks=[pytest.mark.slow] if executor == "processes" else [],
            )
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


SUITE = Suite("four", tuple(Task("aq/Mastermind-v0", s, max_steps=4) for s in range(4)))


class Flaky:
    """Breaks in its third step, in two episodes, while a file is there."""

    privileged = True

    def __init__(self, env, flag, spend=0):
        self.env, self.flag, self.spend = env, flag, spend

    def reset(self, observation, info):
        self.breaks = self.env.get_wrapper_attr("np_random_seed") in (1, 2)
        self.steps = 0

    def act(self, observation, info):
        self.steps += 1
        if self.breaks and self.steps == 3 and self.flag.exists():
            raise TimeoutError("the model does not answer")
        self.env.get_wrapper_attr("annotate")(cost=self.spend)
        return f"Guess: 123{self.steps}"


def make(env, flag, spend=0):
    return Flaky(env, Path(flag), spend)


make.privileged = True


def play(out, flag, spend=0, **how):
    params = {"flag": str(flag), "spend": spend}
    return run(SUITE, out, "test_broken_episodes:make", params, **how)


@pytest.fixture
def flag(tmp_path):
    flag = tmp_path / "flag"
    flag.touch()
    return flag


def rows(out):
    return [json.loads(x) for x in (out / "episodes.jsonl").read_text().splitlines()]


def test_errors_stay_until_they_are_tried_again(tmp_path, flag):
    out = tmp_path / "out"
    first = play(out, flag)
    assert [bool(e.error) for e in first] == [False, True, True, False]
    flag.unlink()
    assert play(out, flag) == first
    again = play(out, flag, retry_errors=True)
    assert not any(e.error for e in again)
    assert [again[0], again[3]] == [first[0], first[3]]
    assert len(rows(out)) == 6
    assert [row["error"] for row in rows(out)[1:3]] == [first[1].error] * 2
    assert len(list((out / "trajectories").iterdir())) == 4
    assert len(list((out / "interrupted").iterdir())) == 2


def test_what_an_error_cost_is_not_forgotten(tmp_path, flag):
    out = tmp_path / "out"
    first = play(out, flag, spend=1)
    # Two steps were paid for before the third broke.
    assert [e.usage["cost"] for e in first] == [4, 2, 2, 4]
    assert [e.steps for e in first] == [4, 2, 2, 4]
    flag.unlink()
    play(out, flag, spend=1, retry_errors=True)
    summary = load_run(out).summary
    assert summary["overall"]["usage"] == {"cost": 16}
    assert summary["superseded"] == {"episodes": 2, "usage": {"cost": 4}}


def test_a_limit_counts_every_attempt_and_is_looked_at_first(tmp_path, flag):
    out = tmp_path / "out"
    play(out, flag, spend=1)
    with pytest.raises(LimitReachedError, match="cost 12 has reached the limit 12"):
        play(out, flag, spend=1, retry_errors=True, limits={"cost": 12})
    assert len(rows(out)) == 4
    # What was to be tried again is what there is of its tasks.
    assert load_run(out).summary["tasks"] == {"all": 4, "finished": 4}
    assert load_run(out).summary["overall"]["counts"]["errors"] == 2
    with pytest.raises(LimitReachedError, match="cost 14"):
        play(out, flag, spend=1, retry_errors=True, limits={"cost": 13})


def test_killed_after_an_episode_was_tried_again(tmp_path, flag):
    out = tmp_path / "out"
    first = play(out, flag)
    flag.unlink()
    again = play(out, flag, retry_errors=True)
    journal = out / "episodes.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    # The file of the second attempt is whole, and its row is not there yet.
    journal.write_text("".join(lines[:5]))
    assert play(out, flag) == again
    # The second attempt was cut short: the error is what there is.
    journal.write_text("".join(lines[:5]))
    file = out / "trajectories" / f"{again[2].task}.jsonl"
    file.write_bytes(file.read_bytes()[:-200])
    assert play(out, flag) == [*again[:2], first[2], again[3]]
    assert play(out, flag, retry_errors=True) == again


def test_from_the_command_line(capsys, tmp_path, flag):
    command = [
        "run", "--env", "aq/Mastermind-v0", "--max-steps", "4", "--episodes", "4",
        "--agent", "test_broken_episodes:make", "--agent-arg", f"flag={flag}",
        "--out", str(tmp_path / "out"),
    ]  # fmt: skip
    assert main(command) == 1
    out = capsys.readouterr().out
    assert "2 of 4 episodes had an error" in out
    for seed in (1, 2):
        file = next((tmp_path / "out" / "trajectories").glob(f"*seed0000{seed}*"))
        assert f"{file}\n    TimeoutError: the model does not answer" in out
    assert "--retry-errors" in out
    flag.unlink()
    assert main([*command, "--retry-errors"]) == 0
    out = capsys.readouterr().out
    assert "had an error" not in out
    assert re.search(r"^episodes +4 ", out, re.MULTILINE)


def test_a_limit_ends_with_the_tables_of_what_is_finished(capsys, tmp_path):
    command = [
        "run", "--env", "aq/Mastermind-v0", "--max-steps", "4", "--episodes", "4",
        "--agent", "test_broken_episodes:make", "--agent-arg", "flag=none",
        "--agent-arg", "spend=1", "--out", str(tmp_path / "out"),
    ]  # fmt: skip
    assert main([*command, "--max-cost", "7"]) == 1
    out, err = capsys.readouterr()
    assert re.search(r"^episodes +2 ", out, re.MULTILINE)
    message = "cost 8 has reached the limit 7 after 2 of 4 episodes; raise the limit"
    assert err.startswith(f"aq-gym: {message}")
    assert load_run(tmp_path / "out").summary["tasks"]["finished"] == 2
