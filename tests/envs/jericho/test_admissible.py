"""The admissible actions, found one by one."""

import pytest

import aq_gym  # noqa: F401
from aq_gym.envs.jericho import JerichoEnv, session_manager
from aq_gym.envs.jericho.session_manager import Cache


@pytest.fixture
def forgetful(monkeypatch):
    """Empty the cache that other tests may have filled."""
    monkeypatch.setattr(session_manager, "_ADMISSIBLE", Cache())


def test_actions_are_found_one_by_one_while_others_are_played(forgetful):
    env = JerichoEnv("museum")
    env.reset(seed=3)
    start = env.get_state()
    lazily, found = env.iter_admissible_actions(), []
    for action in lazily:
        found.append(action)
        env.set_state(start)
        env.step(action)
        there = env.get_state()
        assert there != start
        # Another search, which is not finished.
        next(env.iter_admissible_actions())
        assert env.get_state() == there
    env.set_state(start)
    assert len(found) > 2
    # From now on the list is cached, in the same order.
    assert list(env.iter_admissible_actions()) == found
    assert env.admissible_actions() == tuple(sorted(found))
    session_manager._ADMISSIBLE = Cache()
    assert env.admissible_actions() == tuple(sorted(found))
    assert list(env.iter_admissible_actions()) == found


def test_an_ended_story_has_look_alone(forgetful):
    env = JerichoEnv("maze")
    env.reset(seed=0)
    while not env.step(env.expert_action())[2]:
        pass
    assert list(env.iter_admissible_actions()) == [*env.admissible_actions()]
