"""The environment is a Gymnasium environment, and info is what the contract says."""

from __future__ import annotations

import warnings

from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from aq_gym.testing.case import Case, Moment, begin, expert, inner, rollout, take

_ALWAYS = {"progress": float, "best_progress": float, "subgoals": dict, "success": bool}
_ON_RESET = {**_ALWAYS, "goal": str, "task_id": str, "difficulty": str}
_ON_STEP = {**_ALWAYS, "action_valid": bool, "feedback": str}


def check_gymnasium(case: Case) -> None:
    """Gymnasium's own checker has nothing to say, not even a warning."""
    env = case.make()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            check_env(env.unwrapped)
        except Warning as warning:
            raise AssertionError(str(warning)) from warning
    env.close()


def check_info(case: Case) -> None:
    """Info has the contract's keys, each of one fixed type for ever."""
    env = case.make()
    types: dict[str, type] = {}
    for seed in range(2):
        first, *later = rollout(env, seed)
        _has(first, _ON_RESET)
        for moment in later:
            _has(moment, _ON_STEP)
        for moment in (first, *later):
            for key, value in moment.info.items():
                assert value is not None, f"info[{key!r}] is None"
                was = types.setdefault(key, type(value))
                assert type(value) is was, f"info[{key!r}] is {type(value)}, was {was}"
    env.close()


def _has(moment: Moment, expected: dict[str, type]) -> None:
    for key, kind in expected.items():
        assert type(moment.info.get(key)) is kind, f"info[{key!r}] is not a {kind}"
    subgoals = moment.info["subgoals"]
    assert subgoals, "there is no subgoal"
    assert all(type(name) is str for name in subgoals)
    assert all(type(holds) is bool for holds in subgoals.values())


def check_listed_actions(case: Case) -> None:
    """With ``list_actions``, each listed action is one, and a sample is one too."""
    env = case.make(list_actions=True)
    start = begin(env, 0)
    listed = start.info["admissible_actions"]
    assert type(listed) is tuple
    assert len(set(listed)) == len(listed)
    world = inner(env)
    state = world.get_state()
    for action in listed[:: max(1, len(listed) // 20)]:
        world.set_state(state)
        assert take(world, action).info["action_valid"], f"{action!r} is listed"
    env.close()


def check_help(case: Case) -> None:
    """Every spelling of the help action is valid, answers, and changes nothing."""
    env = case.make()
    begin(env, 0)
    world = inner(env)
    state = world.get_state()
    for action in sorted(world.help_actions):
        for spelling in (action, f'  "{action.upper()}." '):
            moment = take(world, spelling)
            assert moment.info["action_valid"], f"{spelling!r} is invalid"
            assert moment.observation
            assert world.get_state() == state, f"{spelling!r} changed the world"
    env.close()


def check_first_observation(case: Case) -> None:
    """The instructions stand in the first observation, and can be left out."""
    with_words = begin(case.make(), 0).observation
    without = begin(case.make(instructions=False), 0).observation
    assert without
    assert len(without) < len(with_words)


def check_misuse(case: Case) -> None:
    """A developer's mistakes raise at once."""
    world = inner(case.make())
    _raises(ResetNeeded, lambda: world.step("help"))
    _raises(ResetNeeded, world.get_state)
    moments = rollout(world, 0, expert)
    assert moments[-1].terminated
    _raises(ResetNeeded, lambda: world.step("help"))
    begin(world, 0)
    _raises(TypeError, lambda: world.step(5))  # type: ignore[arg-type]
    _raises(ValueError, lambda: begin(world, 0, no_such_option=1))
    _raises(ValueError, lambda: begin(world, 0, task_id="no such task"))


def _raises(error: type[Exception], call: object) -> None:
    assert callable(call)
    try:
        call()
    except error:
        return
    raise AssertionError(f"{error.__name__} was not raised")
