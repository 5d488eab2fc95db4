"""Episodes with verifiers are those of ``run``; rewards and messages."""

import json

import pytest
from scripted_server import ScriptedServer, answer

from aq_gym import trajectory
from aq_gym.agents import requests_of
from integrations.same_play import COMPLETIONS, TASKS, evaluated, steps_of
from integrations.verifiers.rollouts import MASTERMIND, environment, one_trace, play

# Warnings of the package are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def suite(tmp_path):
    """The path of a suite with a task of every benchmark."""
    path = tmp_path / "all.json"
    tasks = [task.to_record() for task in TASKS]
    path.write_text(json.dumps({"name": "all", "tasks": tasks}))
    return str(path)


def test_every_benchmark_is_played_as_by_run(suite, server, tmp_path):
    folder = tmp_path / "trajectories"
    harness = {"example": False, "trajectories": str(folder)}
    env = environment({"id": "aq_gym", "suite": suite}, agent={"harness": harness})
    episodes = play(env, server)
    assert [one.task.data.name for one in episodes] == [task.name for task in TASKS]
    sent = []
    for task, episode in zip(TASKS, episodes, strict=True):
        (trace,) = episode.traces
        assert trace.ok, trace.errors
        steps, figures = evaluated(task.name)
        played = trajectory.read(folder / trace.id / f"{task.name}.jsonl")
        assert steps_of(played) == steps
        sent += [messages for step in requests_of(played) for messages in step]
        assert trace.metrics == {
            "success": figures.success,
            "progress_rate": figures.progress_rate,
            "final_progress": figures.progress[-1],
            "repetition_rate": figures.repetition_rate,
        }
        assert trace.reward == figures.progress_rate
        turns = trace.info["aq_gym"]["turns"]
        assert [turn["reward"] for turn in turns] == [step["reward"] for step in steps]
        said = [trace.nodes[turn["node"]].message.content or "" for turn in turns]
        assert said == list(COMPLETIONS)[: len(steps)]
    received = [request["messages"] for request in server.requests]
    assert sorted(map(json.dumps, received)) == sorted(map(json.dumps, sent))


def test_several_rollouts_of_a_task_are_played_at_once(server, temporary, tmp_path):
    folder = tmp_path / "trajectories"
    agent = {"harness": {"example": False, "trajectories": str(folder)}}
    env = environment({**MASTERMIND, "max_steps": 4}, agent=agent)
    episodes = play(env, server, rollouts=20)
    files = [next((folder / one.traces[0].id).iterdir()) for one in episodes]
    played = [steps_of(trajectory.read(file)) for file in files]
    assert len(played) == 20
    assert all(steps == played[0] for steps in played)
    assert not list(temporary.iterdir())


def test_what_is_measured_is_the_suites_progress(server, tmp_path):
    path = tmp_path / "suite.json"
    task = {"id": "test/Lamps-v0", "seed": 0, "max_steps": 4, "progress": "half"}
    path.write_text(json.dumps({"name": "own", "tasks": [task]}))
    trace = one_trace(server, {"id": "aq_gym", "suite": str(path), "max_steps": None})
    assert trace.metrics["progress_rate"] == trace.reward == 0.5


def test_another_system_prompt_is_sent_and_recorded(server, tmp_path):
    prompt, folder = tmp_path / "prompt.txt", tmp_path / "trajectories"
    prompt.write_text("Play well.")
    taskset = {**MASTERMIND, "system_prompt": str(prompt)}
    trace = one_trace(server, taskset, harness={"trajectories": str(folder)})
    (file,) = (folder / trace.id).iterdir()
    for messages in (
        server.requests[0]["messages"],
        requests_of(trajectory.read(file))[0][0],
    ):
        assert messages[0] == {"role": "system", "content": "Play well."}


def test_separate_reasoning_is_echoed_in_one_training_sample(server):
    thinking = [answer(f"Guess: 12{n}", reasoning_content="Hm.") for n in range(10, 90)]
    server.failures = thinking
    assert one_trace(server).num_branches == 1
    said = server.requests[-1]["messages"][-2]
    assert said["reasoning_content"] == "Hm."
    server.failures = thinking
    assert one_trace(server, harness={"keep_reasoning": False}).num_branches > 1


def test_an_environments_tools_are_offered(tmp_path):
    finish = {"name": "finish", "arguments": '{"answer": "x"}'}
    call = {"id": "a", "type": "function", "function": finish}
    server = ScriptedServer(answer(None, "tool_calls", tool_calls=[call]))
    taskset = {"id": "aq_gym", "env": "aq/ToolQuery-v0", "episodes": 1}
    folder = tmp_path / "trajectories"
    harness = {"tools": "native", "trajectories": str(folder)}
    try:
        trace = one_trace(server, taskset, harness=harness)
    finally:
        server.close()
    assert trace.ok, trace.errors
    offered = [one["function"]["name"] for one in server.requests[0]["tools"]]
    assert "finish" in offered
    (file,) = (folder / trace.id).iterdir()
    (step,) = trajectory.read(file).steps
    assert step["info"]["action_valid"]
    assert json.loads(step["action"])["name"] == "finish"
