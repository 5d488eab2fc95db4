"""AgentBoard's protocol of ScienceWorld, with made-up tasks of its file's form."""

import copy
import json
import pickle

import gymnasium as gym
import pytest

from aq_gym.envs.scienceworld.agentboard import AgentBoardProtocol
from aq_gym.envs.scienceworld.protocol import Experiment
from aq_gym.papers.agentboard import annotated
from aq_gym.support.user_files import UserFileError
from aq_gym.testing import CHECKS, Case, ContractError

ROW = {
    "task": "scienceworld",
    "id": 0,
    "goal": "Find a plant, says this test.",
    "subgoals": [r"move to the (hallway|kitchen)", "This room is called the hallway"],
    "difficulty": "easy",
    "additional_info": {"var": 1, "env_name": "task-4-find-plant"},
}

PLANTS = [
    {**ROW, "additional_info": {"var": n, "env_name": "task-4-find-plant"}}
    for n in (1, 2, 3)
]
# An action is valid if the list after a step has it word for word; each list draws
# random numbers.
BROKEN = {
    "check_help": "state was",
    "check_listed_actions": "is listed, but",
    "check_canonical_actions": "'action_valid': False",
    "check_expert": "the expert's .* is invalid",
    "check_any_text": "invalid, but the state was",
}
LONG = {
    *("check_misuse", "check_two_envs", "check_interleaved", "check_other_process"),
    *("check_seeds", "check_vector_sync", "check_vector_async"),
}
QUICK = ("check_first_observation", "check_help", "check_prompt", "check_render")


@pytest.fixture
def data(tmp_path):
    """Return a function that writes AgentBoard's file and returns its folder."""

    def write(*rows):
        file = tmp_path / "data" / "scienceworld" / "test.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        return str(tmp_path)

    return write


def test_tasks_are_read_in_their_order(data):
    other = {**ROW, "additional_info": {"var": 2, "env_name": "boil"}}
    protocol = AgentBoardProtocol(data(ROW, other), None)
    assert protocol.tasks.ids == ("agentboard-0", "agentboard-1")
    instance, goal, difficulty, patterns = protocol.tasks.get("agentboard-0")
    assert instance[:2] == ("find-plant", 1) and "openDoors" in instance.enabled
    assert (goal, difficulty, list(patterns)) == (ROW["goal"], "easy", ROW["subgoals"])
    assert AgentBoardProtocol(data(ROW, other), 1).tasks.ids == ("agentboard-1",)
    with pytest.raises(ValueError, match="problem=2 must be 0 to 1"):
        AgentBoardProtocol(data(ROW, other), 2)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"additional_info": {"var": 1, "env_name": "moon"}}, "no task 'moon' 1"),
        ({"additional_info": {"var": 999, "env_name": "boil"}}, "no variation 999"),
        ({"additional_info": {"var": "1", "env_name": "boil"}}, "no task 'boil' '1'"),
        ({"subgoals": []}, "must have one list of subgoals"),
        ({"subgoals": ["("]}, "missing \\)"),
        ({"subgoals": ["a" * 2000]}, "more than 1000 characters"),
        ({"subgoals": [1]}, "line 1: .*list of texts"),
        ({"difficulty": "odd"}, "line 1: .*difficulty"),
        ({"task": "babyai"}, "line 1: .*not a task of scienceworld"),
        ({"goal": None}, "line 1: .*goal must be a text"),
    ],
)
def test_rows_of_another_form_are_refused(data, changes, problem):
    with pytest.raises(ValueError, match=problem):
        AgentBoardProtocol(data({**ROW, **changes}), None)


def test_a_file_that_is_not_there_names_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("AGENTBOARD_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="AGENTBOARD_DATA"):
        annotated("scienceworld")
    with pytest.raises(FileNotFoundError, match="huggingface"):
        annotated("scienceworld", str(tmp_path))
    (tmp_path / "test.jsonl").write_text("[]\n")
    with pytest.raises(UserFileError, match="line 1"):
        annotated("scienceworld", str(tmp_path))


@pytest.mark.parametrize(
    ("action", "sent"),
    [("  Go, then. \n", "Go, then."), (" \0 ", ""), ("a\ud800b\0", "a?b")],
)
def test_an_action_is_sent_without_what_the_engine_cannot_read(data, action, sent):
    assert (
        AgentBoardProtocol(data(ROW), None).read(Experiment(), action).command == sent
    )


@pytest.mark.needs("module:scienceworld")
@pytest.mark.parametrize(
    ("kwargs", "problem"),
    [
        ({"protocol": "agentboard", "task": "boil"}, "has its own tasks"),
        ({"problem": 3}, "need protocol='agentboard'"),
    ],
)
def test_arguments_fit_together(kwargs, problem):
    with pytest.raises(ValueError, match=problem):
        gym.make("aq/ScienceWorld-v0", **kwargs)


@pytest.mark.slow
@pytest.mark.needs("module:scienceworld")
def test_patterns_of_answers_are_the_subgoals_and_the_end(data, monkeypatch):
    env = gym.make(
        "aq/ScienceWorld-v0", protocol="agentboard", problem=0, data_dir=data(ROW)
    )
    observation, info = env.reset(seed=0)
    assert (info["goal"], info["difficulty"]) == (ROW["goal"], "easy")
    assert info["source"] == "published"
    assert "In your inventory, you see:" in observation
    said, _, ended, _, info = env.step("check valid actions")
    assert "reset task" not in said and said.endswith(", check valid actions")
    assert (ended, info["action_valid"], info["progress"]) == (False, True, 0.0)
    said, _, _, _, info = env.step("Dance with the moon.")
    assert not info["action_valid"] and info["feedback"] == said
    for hostile in ("\0", "\ud800"):
        said, _, ended, cut, info = env.step(hostile)
        assert said == "No known action matches that input." and not ended and not cut
    twin, unpickled = copy.deepcopy(env), pickle.loads(pickle.dumps(env))
    for one in (env, twin, unpickled):
        moves = ["go to hallway", "go to kitchen"]
        for move in moves:
            _, reward, ended, _, info = one.step(move)
            if reward:
                break
        assert info["agentboard_reward"] == info["progress"] == 0.5 and not ended
    _, _, ended, _, info = env.step("look around")
    if not ended:
        env.step("go to hallway")
        _, _, ended, _, info = env.step("look around")
    assert ended and info["success"] and info["agentboard_reward"] == 1.0
    assert env.unwrapped.published_prompt() is None


@pytest.mark.slow
@pytest.mark.needs("module:scienceworld")
def test_a_pattern_without_end_is_an_error_of_the_episode(data, monkeypatch):
    monkeypatch.setattr("aq_gym.envs.scienceworld.engine._MATCH_SECONDS", 1.0)
    row = {**ROW, "subgoals": [r"((.|\s)+)+\0"]}
    env = gym.make(
        "aq/ScienceWorld-v0", protocol="agentboard", problem=0, data_dir=data(row)
    )
    env.reset(seed=0)
    _, _, ended, cut, info = env.step("look around")
    assert (ended, cut) == (False, True) and "patterns" in info["error"]


@pytest.mark.needs("module:scienceworld")
@pytest.mark.parametrize(
    "check",
    [
        pytest.param(
            check,
            marks=[pytest.mark.slow] * (check.__name__ not in QUICK),
            id=check.__name__,
        )
        for check in CHECKS
        if check.__name__ not in LONG
    ],
)
def test_the_contract_holds_but_for_its_lists(check, data):
    """The checks that take minutes are left out."""
    kwargs = {"protocol": "agentboard", "data_dir": data(*PLANTS)}
    case = Case("aq/ScienceWorld-v0", kwargs)
    if check.__name__ in BROKEN:
        with pytest.raises(ContractError, match=f"(?s){BROKEN[check.__name__]}"):
            check(case)
    else:
        check(case)
