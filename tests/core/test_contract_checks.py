"""Each check of the contract fails on an environment that breaks its promise."""

import ast
import math
import sys
from pathlib import Path

import gymnasium as gym
import pytest
import toy_envs
from broken_envs import drawings, results, words, worlds
from gymnasium.error import DependencyNotInstalled

import aq_gym.testing
from aq_gym.registration import Expectations
from aq_gym.testing import (
    CHECKS,
    Case,
    ContractError,
    check_contract,
    expectations_of,
)

SOUND = (
    "LampsEnv",
    "OneLamp",
    "TwoLamps",
    "DeadEnd",
    "Endless",
    "Rooms",
    "HasSecret",
    "Drawn",
)
BROKEN = [
    ("Warns", "check_gymnasium", "check_env failed"),
    ("RewardIsNumpy", "check_step_results", "reward=.* is a float64, not a float"),
    ("TerminatedIsAnInt", "check_step_results", "terminated=1 is a int, not a bool"),
    ("InfoIsNone", "check_info", r"info\['extra'\] is None"),
    ("InfoHoldsNone", "check_info", r"info\['extra'\]\['list'\]\[1\] is None"),
    ("InfoChangesType", "check_info", r"info\['extra'\]=1.5 is a float, was a int"),
    ("InfoComesAndGoes", "check_info", r"extra_info has \['extra'\], was \[\]"),
    ("ProgressIsAnInt", "check_info", r"info\['progress'\]=0 is not a float"),
    ("ListsWhatFails", "check_listed_actions", "up to 0 steps: 'switch 9' is listed"),
    ("ListsWhatFailsLater", "check_listed_actions", "'switch 9' is listed, but: no"),
    ("ListsTwice", "check_listed_actions", "duplicates in the list"),
    ("SamplesNonsense", "check_sample_action", "none of 50 samples is valid: .'paint"),
    ("SamplesNumbers", "check_sample_action", r"gives \d, not in FreeText"),
    ("HelpChangesTheWorld", "check_help", "state was .*False.* is .*True"),
    ("IgnoresHelp", "check_understands", "'check available actions' is valid, but"),
    ("IgnoresLamps", "check_understands", "seed 0: 'switch .' is valid, but"),
    ("UnderstandsInWords", "check_understands", "returns .no., not a bool"),
    ("UnderstandsByTrying", "check_understands", "changed the state from"),
    ("HasNoLastForm", "check_canonical_actions", "has another one: '"),
    ("FormIsNotUnderstood", "check_canonical_actions", "but not its .* form 'press'"),
    ("OneFormForAll", "check_canonical_actions", "the result differs from that of"),
    ("FormOfOtherText", "check_canonical_actions", "not understood, but becomes"),
    ("SaysWhatIsWritten", "check_canonical_actions", r"said\(\) differs from that of"),
    ("NoInstructions", "check_first_observation", "'Lamps.' without: not shorter"),
    ("RendersTheGoal", "check_render", "is 'Switch on every lamp.', the observation"),
    ("RendersAlways", "check_render", "without a mode returns 'Room"),
    ("DrawsWithoutAMode", "check_picture", "a picture, but no render mode"),
    ("DrawsNothing", "check_picture", "an empty picture"),
    ("DrawsTheSecret", "check_picture", "the picture holds the secret 'password"),
    ("DrawsTheHiddenKey", "check_picture", "alike, but not their pictures"),
    ("DrawsAndSteps", "check_picture", "changes the state"),
    ("DrawsCounts", "check_picture", "has another picture"),
    ("DrawsOtherPages", "check_picture", "refers to 'https://x.y'"),
    ("TakesAnyTaskId", "check_misuse", "task_id.* did not raise ValueError"),
    ("Warns", "check_two_envs", "seed 0: two envs differ: at step 0 observation"),
    ("UnseededInit", "check_two_envs", "two envs differ: at step 0 observation"),
    ("GlobalRandom", "check_two_envs", "two envs differ: at step [1-9].* observation"),
    ("LeftoverState", "check_same_again", "seed 0: played again: at step 1 observ"),
    ("SharesState", "check_interleaved", "beside another env: at step .* observation"),
    ("HashOrder", "check_other_process", "bare, seed 7: here and in another process"),
    ("StateHasAHash", "check_other_process", "in another process: the state's keys"),
    ("GlobalRandom", "check_replay", "seed 11: replayed: step .*: observation was"),
    ("SuccessTooEarly", "check_progress", "solved with unmet subgoals: ..lamp"),
    ("ExpertGivesUp", "check_expert", "seed 0: not solved after 20 steps"),
    ("ExpertIsInvalid", "check_expert", "the expert's 'light' is invalid: There is"),
    ("ExpertFailsAtTimes", "check_expert", "seed [3-9]: not solved after 20 steps"),
    ("TellsSecrets", "check_secrets", "step 0: observation .* the secret 'password"),
    ("TellsSecretsInFeedback", "check_secrets", "feedback .* holds the secret"),
    ("TellsSecretsInGoal", "check_secrets", "goal .* holds the secret"),
    ("TellsSecretsInSubgoals", "check_secrets", "subgoal .* holds the secret"),
    ("TellsWhatTheExpertSaid", "check_secrets", ": observation .* the secret"),
    ("TellsWhatWasSaidInParts", "check_secrets", "holds the secret '1switch'"),
    ("TellsNoPrompt", "check_prompt", "task_prompt.. is 'Try hard.', not a Prompt"),
    ("ExampleIsStale", "check_prompt", "seed 3: observation is Room 0.*Room 811"),
    ("ExampleGivesUp", "check_prompt", "seed 3: no success after 0 steps"),
    ("TaskIdMeansNothing", "check_task_id", "at step 0 observation is 'Room"),
    ("HidesFromTaskId", "check_task_id", "by task_id='.*': at step [1-9] observation"),
    ("OneRoom", "check_seeds", "seeds 0 to 29 give one task_id, '1'"),
    ("SplitsOverlap", "check_splits", "train and test both have"),
    ("TakesOtherSplits", "check_splits", "of split='test' did not raise ValueError"),
    ("ForgetsState", "check_state", r"set_state in the same env: EnvState.*False"),
    ("StateKeepsItsHash", "check_state", "equal states have the keys"),
    ("AliasesState", "check_state", "continuing changed the state"),
    ("AcceptsForeignStates", "check_state", "another:Env.* did not raise ValueError"),
    ("CannotBeCopied", "check_copies", "through_pickle of .* raised .*lambda"),
    ("CopySharesTheWorld", "check_copies", "deepcopy of .*: at step"),
    ("GlobalRandom", "check_vector_sync", "sync: .* observation is"),
    ("RandomFeedback", "check_vector_sync", "sync: .* info is"),
    ("UnseededResetIsRandom", "check_vector_sync", "sync: .* observation is 'Room"),
    ("KnowsItsProcess", "check_vector_async", "async .*observation is .*Process"),
    ("Raises", "check_any_text", r"after '\\ud800': step.. raised UnicodeEncodeError"),
    ("InvalidChangesTheWorld", "check_any_text", "but the state was"),
    ("GivesNoFeedback", "check_any_text", "action_valid=False with feedback=''"),
    ("DrawsOnNonsense", "check_any_text", "invalid, but the state was .*PCG64"),
]
MODULES = (toy_envs, drawings, results, words, worlds)
BY_NAME = {check.__name__: check for check in CHECKS}


@pytest.fixture
def registered():
    """Register a class of toy_envs.py or broken_envs/ for one test."""
    ids = []

    def register(name):
        ids.append(f"test/{name}-v0")
        module = next(each for each in MODULES if name in vars(each))
        gym.register(ids[-1], f"{module.__name__}:{name}", max_episode_steps=20)
        return ids[-1]

    yield register
    for env_id in ids:
        del gym.registry[env_id]


@pytest.mark.parametrize(("name", "check", "message"), BROKEN)
def test_a_broken_promise_is_found(registered, monkeypatch, name, check, message):
    # A busy machine must not hide a failure from check_expert.
    monkeypatch.setattr("aq_gym.testing.episodes._EXPERT_SECONDS", math.inf)
    case = Case(registered(name))
    with pytest.raises(ContractError, match=f"(?s)^{check} of {case}: .*{message}"):
        BY_NAME[check](case)


def test_every_check_has_an_environment_that_fails_it():
    assert {check for _, check, _ in BROKEN} == set(BY_NAME)


# Checks with vector envs or another process take seconds; they are tested once.
CHEAP = [BY_NAME[one] for one in BY_NAME if not one.endswith(("process", "async"))]


@pytest.mark.parametrize("check", CHEAP, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", SOUND[1:])
def test_a_sound_environment_passes(registered, name, check):
    check(Case(registered(name)))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["LampsEnv", "OneLamp"])
def test_a_sound_environment_of_another_package_passes(registered, name):
    check_contract(registered(name), instructions=True)


@pytest.mark.filterwarnings("ignore:.*latest versioned:UserWarning")
@pytest.mark.parametrize("form", ["toy_envs:test/OneLamp-v0", "test/OneLamp"])
def test_an_id_can_have_a_module_and_no_version(registered, form):
    registered("OneLamp")
    BY_NAME["check_vector_sync"](Case(form))


def test_instructions_can_be_off(registered):
    BY_NAME["check_first_observation"](
        Case(registered("LampsEnv"), {"instructions": False})
    )


def test_an_environment_that_is_no_text_env_is_refused():
    with pytest.raises(TypeError, match="not an aq_gym"):
        check_contract("CartPole-v1")


def test_a_missing_hypothesis_is_noticed_at_once(monkeypatch):
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(DependencyNotInstalled, match="pip install"):
        check_contract("no-such-env-v0")


def test_another_error_says_where(registered):
    with pytest.raises(gym.error.Error, match="in check_info of nowhere-v0"):
        BY_NAME["check_info"](Case("nowhere-v0"))


def test_checks_hold_under_python_o():
    for path in Path(aq_gym.testing.__file__).parent.glob("*.py"):
        nodes = ast.walk(ast.parse(path.read_text()))
        assert not any(isinstance(node, ast.Assert) for node in nodes), path


def test_what_is_not_required_is_not_checked(registered):
    lesser = Expectations(deterministic=False, replayable=False, expert_success=0.5)
    case = Case(registered("GlobalRandom"), expectations=lesser)
    for name in ("check_two_envs", "check_same_again", "check_replay", "check_copies"):
        BY_NAME[name](case)


def test_where_no_success_is_promised_the_expert_may_end_nothing(registered):
    env_id = registered("ExpertGivesUp")
    none = Expectations(expert_success=0.0)
    for check in (BY_NAME["check_misuse"], BY_NAME["check_expert"]):
        check(Case(env_id, expectations=none))
        with pytest.raises(ContractError):
            check(Case(env_id))


def test_an_expert_may_fail_as_often_as_stated(registered, monkeypatch):
    monkeypatch.setattr("aq_gym.testing.episodes._EXPERT_SECONDS", math.inf)
    env_id = registered("ExpertFailsAtTimes")
    check_expert = BY_NAME["check_expert"]
    check_expert(Case(env_id, expectations=Expectations(expert_success=0.5)), seeds=20)
    with pytest.raises(ContractError, match=r"a share of 0\.99 is promised"):
        check_expert(
            Case(env_id, expectations=Expectations(expert_success=0.99)), seeds=20
        )


def test_expectations_are_those_of_the_table():
    assert expectations_of("aq_gym:aq/Mastermind-v0") == Expectations()
    assert expectations_of("mine/Env-v0") == Expectations()
