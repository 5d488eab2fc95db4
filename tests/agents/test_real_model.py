"""A real model's texts against the parsers, where AQ_GYM_TEST_MODEL names a GGUF file.

The checks hold for any model: what it says may be wrong, but is read as it is said.
"""

import importlib
import os
import re
from pathlib import Path

import pytest

from aq_gym import trajectory
from aq_gym.evaluation import Suite, Task, run

MODEL = os.environ.get("AQ_GYM_TEST_MODEL", "")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(7200),
    pytest.mark.needs("module:xllamacpp"),
    pytest.mark.skipif(not Path(MODEL).is_file(), reason="AQ_GYM_TEST_MODEL: no file"),
]
GSM8K = "aq/GSM8K-v0"
STATED = re.compile(r"(?:boxed\{|answer is)([^.}\n]*)")
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")


@pytest.fixture(scope="module")
def url(root):
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(root / "examples")
        with importlib.import_module("local_llm").local_server(file=Path(MODEL)) as url:
            yield url


def played(folder, url, tasks, **params):
    """Play tasks; return each episode with its trajectory."""
    params = {"model": "m", "base_url": url, "temperature": 0.0, **params}
    episodes = run(Suite("s", tasks), folder, "llm", {"timeout": 3600.0, **params})
    assert not [one.error for one in episodes if one.error]
    return [
        (one, trajectory.read(folder / "trajectories" / f"{one.task}.jsonl"))
        for one in episodes
    ]


def numbers(text):
    return [float(one.replace(",", "")) for one in NUMBER.findall(text)]


def test_an_answer_that_the_model_states_is_read_and_no_other_number(tmp_path, url):
    """Where the model was not told a form."""
    arguments = {"split": "test", "instructions": False}
    tasks = tuple(Task(GSM8K, seed, arguments, 1) for seed in range(3))
    system = "Solve the problem step by step."
    params = {"prompting": "chat", "example": False, "system": system}
    for one, file in played(tmp_path, url, tasks, max_tokens=400, **params):
        (step,) = file.steps
        (right,) = numbers(solution(one.seed, arguments))
        stated = numbers(" ".join(STATED.findall(step["action"])))
        assert one.success <= (right in numbers(step["action"])), step["action"]
        assert not stated or one.success == (stated[-1] == right), step["action"]


def solution(seed, arguments):
    """Return the expert's last action in an episode."""
    env = Task(GSM8K, seed, arguments).make()
    env.reset(seed=seed)
    over = False
    while not over:
        action = env.get_wrapper_attr("expert_action")()
        _, _, terminated, truncated, _ = env.step(action)
        over = terminated or truncated
    env.close()
    return action


@pytest.mark.parametrize("tools", ["text", "native"])
def test_calls_are_played_as_the_model_wrote_them(tmp_path, url, tools):
    tasks = (Task(GSM8K, 0, {"split": "test"}, 6),)
    ((_, file),) = played(tmp_path, url, tasks, tools=tools, max_tokens=64)
    assert file.steps
    for step in file.steps:
        extracted = step["info"]["extracted_action"]
        # Every number that is played is one that the model wrote.
        assert {*numbers(extracted)} <= {*numbers(step["action"])}, step
