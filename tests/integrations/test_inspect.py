"""Inspect AI, the real package: ``.ci/integrations`` installs it."""

import gc
import json
import subprocess
import sys
from dataclasses import replace

import pytest

from aq_gym import trajectory
from integrations.same_play import TASKS, evaluated, next_completion, steps_of

pytest.importorskip("inspect_ai", reason="needs inspect-ai, as in .ci/integrations")
from inspect_ai import eval as inspect_eval
from inspect_ai.model import (
    ContentReasoning,
    ContentText,
    ModelOutput,
    ModelUsage,
    get_model,
)

from aq_gym.evaluation import Suite, Task
from aq_gym.importers import import_logs
from aq_gym.integrations.inspect_tasks import env_task, suite_task

# Warnings of the package are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")


GAME = Task("aq/Mastermind-v0", 3, {"code": "5618"}, max_steps=2)
TOOLS = Task("aq/ToolQuery-v0", 3)


@pytest.fixture(autouse=True)
def collected():
    """Collect the package's streams, which it does not close, while that is ignored."""
    yield
    gc.collect()


def with_usage(output):
    """Without usage the model counts tokens, for which it downloads a tokenizer."""
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output


def says(text):
    return with_usage(ModelOutput.from_content("mockllm/model", text))


@pytest.fixture
def evaluate(tmp_path):
    """Play tasks with a model that is a function of the messages; return the log."""

    def evaluate(played, model, limits=None, **how):
        if isinstance(played, tuple):
            suite = tmp_path / "suite.json"
            tasks = [task.to_record() for task in played]
            suite.write_text(json.dumps({"name": "own", "tasks": tasks}))
            folder = str(tmp_path / "trajectories")
            played = suite_task(str(suite), example=False, trajectories=folder, **how)
        scripted = get_model(
            "mockllm/model",
            custom_outputs=lambda messages, tools, *more: model(messages, tools),
        )
        logs = {"log_dir": str(tmp_path / "logs"), "display": "none"}
        (log,) = inspect_eval(played, model=scripted, **logs, **(limits or {}))
        assert log.status == "success", log.error
        return log

    return evaluate


def scripted(messages, *more):
    return says(next_completion([message.role for message in messages]))


def guess(*asked):
    return says("Guess: 5600")


def call(messages, tools, *more):
    """Call a tool wrongly, then finish."""
    assert "finish" in [one.name for one in tools]
    calls = sum(message.role == "assistant" for message in messages)
    name, arguments = [("nothing", {}), ("finish", {"answer": "x"})][calls]
    return with_usage(ModelOutput.for_tool_call("mockllm/model", name, arguments))


def test_every_benchmark_is_played_as_by_run(evaluate, tmp_path):
    log = evaluate(tuple(TASKS), scripted)
    scores = {
        sample.id: sample.scores["episode_metrics"].value for sample in log.samples
    }
    assert set(scores) == {task.name for task in TASKS}
    for task in TASKS:
        steps, figures = evaluated(task.name)
        file = tmp_path / "trajectories" / f"{task.name}.jsonl"
        assert steps_of(trajectory.read(file)) == steps
        assert scores[task.name] == {
            "success": figures.success,
            "progress_rate": figures.progress_rate,
            "final_progress": figures.progress[-1],
            "repetition_rate": figures.repetition_rate,
        }


@pytest.mark.parametrize("limit", ["message_limit", "token_limit"])
def test_a_sample_that_a_limit_ends_is_scored(evaluate, limit):
    log = evaluate((replace(GAME, max_steps=9),), guess, {limit: 4})
    (sample,) = log.samples
    assert sample.error is None
    assert sample.limit.type == limit.removesuffix("_limit")
    assert sample.scores["episode_metrics"].value["progress_rate"] == 0.5


def test_each_epoch_and_attempt_has_its_trajectory(evaluate, tmp_path):
    # As a provider that filters the content.
    refused = with_usage(ModelOutput(model="mockllm/model", choices=[]))
    folder = tmp_path / "trajectories"
    for attempt in (1, 2):
        log = evaluate((GAME,), lambda *asked: refused, {"epochs": 2})
        assert [sample.error for sample in log.samples] == [None, None]
        assert len(list(folder.rglob("*.jsonl"))) == 2 * attempt
    for path in ("", "epoch-2", "attempt-2", "epoch-2/attempt-2"):
        (played,) = trajectory.iter_trajectories(folder / path)
        assert [step["action"] for step in played.steps] == ["", ""]


# Where the tests run, "aq_gym" is a folder and no installed package.
BY_NAME = """
from inspect_ai import eval
from inspect_ai._util.registry import registry_lookup
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from aq_gym.evaluation import packaged_suites

def scripted(messages, tools, tool_choice, config):
    output = ModelOutput.from_content("mockllm/model", "Guess: 1234")
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output

model = get_model("mockllm/model", custom_outputs=scripted)
(log,) = eval("aq_gym/quick", model=model, limit=1, display="none", log_dir="logs")
print(log.status, log.eval.metadata["hash"], *(s.name for s in log.results.scores))
assert all(registry_lookup("task", f"aq_gym/{name}") for name in packaged_suites())
"""


def test_each_packaged_suite_is_a_task_by_name(tmp_path):
    command = [sys.executable, "-W", "ignore", "-c", BY_NAME]
    printed = subprocess.check_output(command, cwd=tmp_path, text=True)
    assert printed.split() == [
        "success",
        Suite.load("quick").hash,
        "success",
        "progress_rate",
        "final_progress",
        "repetition_rate",
        "environments",
    ]


@pytest.mark.parametrize("keep", [False, True])
def test_separate_reasoning_is_sent_back_if_it_is_kept(evaluate, keep):
    sent = []

    def think(messages, *more):
        sent.append(messages)
        return says(
            [ContentReasoning(reasoning="Hm."), ContentText(text="Guess: 5600")]
        )

    evaluate((GAME,), think, keep_reasoning=keep)
    said = sent[1][-2]
    assert said.text == "Guess: 5600"
    kept = [one for one in said.content if isinstance(one, ContentReasoning)]
    assert [one.reasoning for one in kept] == ["Hm."] * keep


@pytest.mark.parametrize("kind", ["eval", "json"])
def test_an_environments_tools_are_called_and_the_log_is_imported(
    evaluate, tmp_path, kind
):
    log = evaluate((TOOLS,), call, {"log_format": kind}, tools="native")
    roles = [one.role for one in log.samples[0].messages]
    assert roles[-4:] == ["assistant", "tool"] * 2
    steps = trajectory.read(tmp_path / "trajectories" / f"{TOOLS.name}.jsonl").steps
    assert [step["info"]["action_valid"] for step in steps] == [False, True]
    (episode,) = import_logs(list((tmp_path / "logs").iterdir()), tmp_path / "run")
    assert episode.error == ""
    assert (episode.steps, episode.success) == (2, False)
    assert episode.usage["tokens"] == 4


def test_environments_are_a_task(evaluate):
    ids = ["aq/Mastermind-v0?code_length=4", "aq/Hangman-v0"]
    log = evaluate(env_task(ids, episodes=2, seed=5, max_steps=3), guess)
    assert [one.metadata["seed"] for one in log.samples] == [5, 6, 5, 6]
    found = {one.name: one.metrics for one in log.results.scores}
    # The table has these names in its rows.
    by_id = {name: one.value for name, one in found["environments"].items()}
    means = [by_id[f"aq/{name}-v0 progress_rate"] for name in ("Mastermind", "Hangman")]
    assert found["progress_rate"]["mean"].value == pytest.approx(sum(means) / 2)
    assert {"aq/Mastermind-v0 success stderr", "aq/Hangman-v0 success"} < by_id.keys()
    assert set(found["success"]) == {"mean", "stderr"}
    with pytest.raises(ValueError, match="Mastermnd"):
        env_task("aq/Mastermnd-v0")
