"""Progress, reward, success and subgoals say one and the same thing."""

from __future__ import annotations

import math

from aq_gym.testing.case import Case, Moment, begin, expert, inner, mixed, rollout

_SEEDS = range(3)


def check_progress(case: Case) -> None:
    """Progress begins at 0.0; its best only rises, and is 1.0 exactly with success."""
    env = case.make()
    for seed in _SEEDS:
        for policy in (mixed, expert):
            _follow(rollout(env, seed, policy))
    env.close()


def _follow(moments: list[Moment]) -> None:
    start = moments[0].info
    assert start["progress"] == start["best_progress"] == 0.0
    assert not start["success"]
    best = total = 0.0
    for moment in moments[1:]:
        info = moment.info
        total += moment.reward
        best = max(best, info["progress"])
        assert 0.0 <= info["progress"] <= 1.0
        assert info["best_progress"] == best
        assert math.isclose(total, best, abs_tol=1e-9), "return is not best_progress"
        assert info["success"] == (best == 1.0), "1.0 and success are not one"
        assert info["subgoals"].keys() == start["subgoals"].keys()
        if info["success"]:
            assert moment.terminated
            assert all(info["subgoals"].values()), "solved with an open subgoal"


def check_expert(case: Case) -> None:
    """The expert solves every instance within the default cap, validly."""
    env = case.make()
    for seed in _SEEDS:
        moments = rollout(env, seed, expert)
        assert moments[-1].info["success"], f"seed {seed} is not solved"
        assert all(moment.info["action_valid"] for moment in moments[1:])
    env.close()


def check_task_id(case: Case) -> None:
    """``task_id`` makes the same instance again, whatever the seed."""
    first = begin(case.make(), 1)
    again = begin(case.make(), 2, task_id=first.info["task_id"])
    assert again == first


def check_secrets(case: Case) -> None:
    """No observation holds a secret that the agent has not said itself."""
    env = case.make()
    for seed in _SEEDS:
        said = ""
        for moment in rollout(env, seed, mixed):
            said += moment.action or ""
            for secret in inner(env).secrets():
                assert secret not in moment.observation or secret in said
    env.close()
