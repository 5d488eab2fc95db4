"""Errors can be tried again; nothing is lost, nothing counts twice."""

import json
import re

import pytest

from aq_gym.cli import main
from aq_gym.evaluation import (
    LimitReachedError,
    Suite,
    Task,
    load_run,
    run,
)

SUITE = Suite("four", tuple(Task("aq/Mastermind-v0", s, max_steps=4) for s in range(4)))


class Flaky:
    """Breaks in its third step, in two episodes, while a file is there."""

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
    from pathlib import Path

    return Flaky(env, Path(flag), spend)


def play(out, flag, spend=0, **how):
    params = {"flag": str(flag), "spend": spend}
    return run(SUITE, out, "test_retry:make", params, **how)


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
        "--agent", "test_retry:make", "--agent-arg", f"flag={flag}",
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
        "--agent", "test_retry:make", "--agent-arg", "flag=none", "--agent-arg",
        "spend=1", "--out", str(tmp_path / "out"),
    ]  # fmt: skip
    assert main([*command, "--max-cost", "7"]) == 1
    out, err = capsys.readouterr()
    assert re.search(r"^episodes +2 ", out, re.MULTILINE)
    message = "cost 8 has reached the limit 7 after 2 of 4 episodes; raise the limit"
    assert err.startswith(f"aq-gym: {message}")
    assert main([*command, "--max-cost", "8"]) == 1
    assert "after 2 of 4 episodes" in capsys.readouterr().err
    assert load_run(tmp_path / "out").summary["tasks"]["finished"] == 2
    assert main(command) == 0
    assert load_run(tmp_path / "out").summary["tasks"]["finished"] == 4
