"""Episodes over OpenEnv's protocol are the episodes of ``aq-gym run``."""

import json
import re

import pytest

from aq_gym import trajectory
from integrations.same_play import COMPLETIONS, TASKS, evaluated, steps_of

pytest.importorskip("openenv", reason="needs openenv, as in .ci/integrations")

from aq_gym.integrations.openenv import TextAction, TextEnvClient
from integrations.openenv.served import ROOT, forked
from integrations.openenv.wire import Wire

# Warnings of the package are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_every_benchmark_is_played_as_by_run(task, tmp_path):
    limits = ("--max-steps", str(task.max_steps), "--trajectories", str(tmp_path))
    limits += ("--evaluator",)
    steps, figures = evaluated(task.name)
    with (
        forked(task.id, *limits) as server,
        TextEnvClient(base_url=server.url).sync() as env,
    ):
        result = env.reset(seed=task.seed, episode_id="mine")
        played = []
        for completion in COMPLETIONS:
            result = env.step(TextAction(text=completion))
            played.append(result)
        state = env.state()
    assert result.done
    (file,) = trajectory.iter_trajectories(tmp_path)
    assert steps_of(file) == steps
    assert file.steps[0]["notes"] == {"episode_id": "mine"}
    assert [one.reward for one in played] == [step["reward"] for step in steps]
    assert [one.metadata["progress"] for one in played] == list(figures.progress)
    assert (state.episode_id, state.step_count, state.done) == (
        "mine",
        len(steps),
        True,
    )
    for name in ("success", "progress_rate", "repetition_rate", "grounding", "ended"):
        assert state.metrics[name] == getattr(figures, name), name


def test_the_documented_loops_play(server, capsys):
    page = (ROOT / "docs" / "openenv.md").read_text()
    blocks = re.findall(
        r"^```\{code-block\} python\n:class: (\w+)\n(.*?)^```$", page, re.M | re.S
    )
    assert [name for name, _ in blocks] == ["generic", "typed"]
    names = {}
    for _, code in blocks:
        exec(
            code.replace("http://localhost:8000", f"http://localhost:{server.port}"),
            names,
        )
    printed = capsys.readouterr().out
    assert "You win when your guess is the code" in printed


def test_openenv_finds_that_the_server_keeps_the_protocol(server):
    from openenv.cli._validation import validate_running_environment

    report = validate_running_environment(server.url, timeout_s=600)
    assert report["passed"], report


def test_the_metadata_is_beside_the_observation(server):
    with Wire(server) as wire:
        answer = wire.reset(seed=3)
        code = answer["metadata"]["task_id"]
        assert set(answer["observation"]) == {"text", "admissible_actions"}
        assert code not in json.dumps(answer["observation"])
        answer = wire.step(f"Guess: {code}")
    assert (answer["reward"], answer["done"]) == (1.0, True)
    assert answer["metadata"]["terminated"] is True
    assert answer["metadata"]["subgoals"]["position 1"] is True


def test_only_an_evaluator_gets_more_than_an_agent_may_see():
    with forked("aq/Mastermind-v0") as server, Wire(server) as wire:
        assert set(wire.reset(seed=3)["metadata"]) == {"goal"}
        told = wire.step("Guess: 12")["metadata"]
        assert told["action_valid"] is False
        assert set(told) == {"action_valid", "feedback", "terminated", "truncated"}
        assert wire.ask({"type": "state"})["data"]["metrics"] == {}


def test_admissible_actions_are_the_agents_if_the_environment_lists_them():
    with forked("aq/BabyAI-text-v0?list_actions=true") as server, Wire(server) as wire:
        answer = wire.reset(seed=0)
        assert "admissible_actions" not in answer["metadata"]
        assert len(answer["observation"]["admissible_actions"]) > 1


def test_episodes_of_a_session_follow_one_another(server):
    with Wire(server) as wire:
        first = wire.reset(seed=5)
        wire.step("Guess: 1234")
        again = wire.reset(task_id=first["metadata"]["task_id"], episode_id="b")
        assert again["metadata"]["task_id"] == first["metadata"]["task_id"]
        state = wire.ask({"type": "state"})["data"]
        assert (state["episode_id"], state["step_count"]) == ("b", 0)
        assert wire.reset()["metadata"]["task_id"]


def test_a_step_without_an_episode_is_an_error(server):
    with Wire(server) as wire:
        assert "send a reset first" in wire.step("Guess: 1234")["message"]
        code = wire.reset(seed=0)["metadata"]["task_id"]
        assert wire.step(f"Guess: {code}")["done"]
        assert "send a reset first" in wire.step("Guess: 1234")["message"]
        assert "observation" in wire.reset(seed=0)


def test_an_action_that_is_not_text_is_named(server):
    with TextEnvClient(base_url=server.url).sync() as env:
        env.reset(seed=0)
        with pytest.raises(TypeError, match="action=3 must be a str or a TextAction"):
            env.step(3)
