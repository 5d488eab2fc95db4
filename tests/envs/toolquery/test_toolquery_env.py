"""aq/ToolQuery-v0: episodes, arguments, texts."""

import gymnasium as gym
import numpy as np
import pytest

from aq_gym.evaluation import Task
from aq_gym.integrations.mcp_episode import Plan, ServedEpisode
from aq_gym.tools import read_calls

VARIANTS = (
    {"split": "test"},
    {"world": "weather", "rename": True, "distractors": 6, "faults": 0.3},
    {"world": "academia", "unanswerable": 1.0, "records": 60},
    {"world": "library", "parallel_calls": True, "split": "train"},
)


def make(**kwargs):
    return gym.make("aq/ToolQuery-v0", **kwargs)


def played(env, seed=0, **options):
    """Play an episode with the expert, and return its infos."""
    _, info = env.reset(seed=seed, options=options or None)
    infos, over = [info], False
    while not over:
        action = env.unwrapped.expert_action()
        _, _, terminated, truncated, info = env.step(action)
        infos.append(info)
        over = terminated or truncated
    return infos


@pytest.mark.parametrize("kwargs", ({}, *VARIANTS), ids=str)
def test_the_expert_solves_every_question(kwargs):
    env = make(**kwargs)
    for seed in range(20):
        infos = played(env, seed)
        assert infos[-1]["success"], infos[0]["task_id"]
        if "faults" not in kwargs:
            rises = np.diff([info["progress"] for info in infos])
            assert all(rises > 0)


def test_a_wrong_answer_ends_the_episode_without_success():
    env = make()
    env.reset(seed=0)
    observation, reward, terminated, _, info = env.step("finish(answer='nobody knows')")
    assert observation.endswith("The answer is wrong.")
    assert terminated and not info["success"] and reward == 0.0


@pytest.mark.slow
def test_the_splits_share_no_database_and_template():
    drawn = {}
    for split in ("train", "test"):
        env = make(split=split)
        ids = [env.reset(seed=seed)[1]["task_id"] for seed in range(150)]
        drawn[split] = {task_id.rpartition("-")[0] for task_id in ids}
    assert not drawn["train"] & drawn["test"]


def test_unanswerable_questions_are_a_share():
    env = make(unanswerable=0.5)
    ids = [env.reset(seed=seed)[1]["task_id"] for seed in range(40)]
    assert 12 <= sum(one.endswith("-unknown") for one in ids) <= 28
    with pytest.raises(ValueError, match="give movies-DATABASE-TEMPLATE-NUMBER"):
        make().reset(options={"task_id": next(i for i in ids if i.endswith("known"))})


def test_no_agent_reads_that_a_question_has_no_answer():
    """No text of the tool server says it; a model's messages are observations."""
    task = Task("aq/ToolQuery-v0", 5, {"unanswerable": 1.0})
    reports = []
    episode = ServedEpisode(Plan([task]).take(), None, reports.append)
    env = episode._env.unwrapped
    shown = [episode.instructions, episode.task_text, str(episode.tools())]
    for action in (env.expert_action(), "finish(answer=3)"):
        (call,) = read_calls(action)
        shown.append(episode.call(call.name, call.arguments).text)
    (task_id,) = env.secrets()
    episode.close()
    assert task_id.endswith("-unknown") and reports
    assert not any("-unknown" in text for text in shown)


def test_the_instructions_use_the_names_of_the_episode():
    env = make(rename=True)
    observation, _ = env.reset(seed=0)
    names = [one.name for one in env.get_wrapper_attr("tools")]
    assert all(f"{name}(" in observation for name in names)
    assert "finish(" not in observation and "search_movie" not in observation
    prompt = env.unwrapped.task_prompt()
    assert "finish" not in prompt.system and prompt.example is None
    assert make().unwrapped.task_prompt().example is not None
    unknown = env.unwrapped.write_call("get_movie_details", movie_id="none")
    observation = env.step(unknown)[0]
    assert "There is no movie" in observation and "search_movie" not in observation


@pytest.mark.parametrize(
    ("argument", "value", "error"),
    [
        ("world", "songs", ValueError),
        ("world", ["movies"], TypeError),
        ("records", 59, ValueError),
        ("records", 10_001, ValueError),
        ("unanswerable", 1.5, ValueError),
        ("list_actions", True, ValueError),
    ],
)
def test_arguments_are_checked(argument, value, error):
    with pytest.raises(error, match=argument):
        make(**{argument: value})


def test_the_right_answer_solves_the_task_without_facts():
    env = make()
    env.reset(seed=1)
    answer = env.unwrapped._game.task.question.answer
    _, reward, *_, info = env.step(env.unwrapped.write_call("finish", answer=answer))
    assert reward == info["progress"] == 1.0 and not info["subgoals"]["fact 1"]
