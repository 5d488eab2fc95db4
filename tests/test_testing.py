"""Each check of the contract fails on an environment that breaks its promise."""

import gymnasium as gym
import lamps
import pytest

from aq_gym.testing import CHECKS, Case, check_contract

BROKEN = {
    "Warns": ["check_gymnasium", "check_two_envs"],
    "InfoIsNone": ["check_info"],
    "InfoChangesType": ["check_info"],
    "ListsWhatFails": ["check_listed_actions"],
    "HelpChangesTheWorld": ["check_help"],
    "NoInstructions": ["check_first_observation"],
    "TakesAnyTaskId": ["check_misuse"],
    "GlobalRandom": ["check_two_envs", "check_state"],
    "SharesState": ["check_interleaved"],
    "HashOrder": ["check_other_process"],
    "SuccessTooEarly": ["check_progress"],
    "ProgressIsAnInt": ["check_info"],
    "ExpertGivesUp": ["check_expert"],
    "TaskIdMeansNothing": ["check_task_id"],
    "TellsSecrets": ["check_secrets"],
    "ForgetsState": ["check_state"],
    "CannotBeCopied": ["check_copies"],
    "KnowsItsProcess": ["check_vector_async"],
    "GlobalRandom ": ["check_vector_sync"],
    "Raises": ["check_any_text"],
    "InvalidChangesTheWorld": ["check_any_text"],
    "SaysNothing": ["check_any_text"],
    "DrawsOnNonsense": ["check_any_text"],
}


@pytest.fixture
def registered():
    """Register a class of lamps.py for one test."""
    ids = []

    def register(name):
        ids.append(f"test/{name}-v0")
        gym.register(ids[-1], f"lamps:{name}", max_episode_steps=20)
        return ids[-1]

    yield register
    for id in ids:
        del gym.registry[id]


@pytest.mark.parametrize(
    ("name", "check"),
    [(name.strip(), check) for name, checks in BROKEN.items() for check in checks],
)
def test_a_broken_promise_is_found(registered, name, check):
    by_name = {check.__name__: check for check in CHECKS}
    case = Case(registered(name))
    with pytest.raises((AssertionError, AttributeError, TypeError, UnicodeError)):
        by_name[check](case)


def test_every_check_has_an_environment_that_fails_it():
    tested = {check for checks in BROKEN.values() for check in checks}
    assert tested == {check.__name__ for check in CHECKS}


def test_a_sound_environment_of_another_package_passes(registered):
    check_contract(registered("LampsEnv"))


def test_an_environment_that_is_no_text_env_is_refused():
    with pytest.raises(TypeError, match="not an aq_gym"):
        check_contract("CartPole-v1")


def test_lamps_classes_are_all_used():
    classes = {
        name
        for name, value in vars(lamps).items()
        if isinstance(value, type) and issubclass(value, lamps.LampsEnv)
    }
    assert classes - {"LampsEnv"} == {name.strip() for name in BROKEN}
