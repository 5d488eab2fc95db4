"""verifiers, the real package: ``.ci/integrations`` installs it."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import gymnasium as gym
import pytest
from scripted_server import ScriptedServer, answer, raw
from toy_envs import LampsEnv

from aq_gym import Turn, trajectory
from aq_gym.agents import requests_of
from aq_gym.evaluation.suite import packaged_suites
from integrations.same_play import (
    COMPLETIONS,
    TASKS,
    evaluated,
    steps_of,
)

pytest.importorskip("verifiers", reason="needs verifiers, as in .ci/integrations")
import verifiers.v1 as vf
from verifiers.v1.cli.eval import main as command
from verifiers.v1.serve import EnvClient, EnvServer

# Warnings of the package are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")
PAGE = (Path(__file__).parents[2] / "docs" / "verifiers.md").read_text()
ENDPOINT = "http://localhost:8000/v1"
MASTERMIND = {"id": "aq_gym", "env": "aq/Mastermind-v0", "episodes": 1}


class Scripted(ScriptedServer):
    """Answers by the conversation, for several episodes at once."""

    def __init__(self):
        super().__init__(answer(""))
        self.failures = []

    def next(self, request):
        super().next(request)
        if self.failures:
            return self.failures.pop(0)
        said = sum(one["role"] == "assistant" for one in request["messages"])
        return answer(COMPLETIONS[said % len(COMPLETIONS)])


@pytest.fixture
def server():
    made = Scripted()
    yield made
    made.close()


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """The folder of temporary files, which must be empty after an episode."""
    made = tmp_path / "temporary"
    made.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(made))
    return made


@pytest.fixture
def suite(tmp_path):
    """The path of a suite with a task of every benchmark."""
    path = tmp_path / "all.json"
    tasks = [task.to_record() for task in TASKS]
    path.write_text(json.dumps({"name": "all", "tasks": tasks}))
    return str(path)


def environment(taskset, **config):
    return vf.load_environment(vf.resolve_env_config({"taskset": taskset, **config}))


def model(server, **sampling):
    client = vf.EvalClientConfig(base_url=server.url)
    return vf.ModelContext("m", client, vf.SamplingConfig(**sampling))


def play(env, server, rollouts=1, **sampling):
    """Play all tasks of an environment at once, and return their episodes."""
    ctx = model(server, **sampling)

    async def playing():
        async with env.serving():
            slots = [slot for task in env.taskset for slot in env.slots(task, rollouts)]
            return await asyncio.gather(*(env.run_slot(slot, ctx) for slot in slots))

    return asyncio.run(playing())


def one_trace(server, taskset=MASTERMIND, sampling=None, harness=None, **agent):
    """Play a task for as many steps as there are completions; return its trace."""
    agent["harness"] = {"example": False, **(harness or {})}
    taskset = {"max_steps": len(COMPLETIONS), **taskset}
    env = environment(taskset, agent=agent)
    ((trace,),) = [one.traces for one in play(env, server, **(sampling or {}))]
    return trace


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


def test_every_packaged_suite_is_a_taskset():
    for name in packaged_suites():
        tasks = list(environment({"id": "aq-gym", "suite": name}).taskset.take(1000))
        assert len({task.key for task in tasks}) == len(tasks) > 0


def test_the_tasks_of_an_environment_have_its_arguments(server):
    taskset = {**MASTERMIND, "env": "aq/Mastermind-v0?code_length=5", "episodes": 3}
    env = environment({**taskset, "kwargs": {"symbols": 4}, "seed": 7, "max_steps": 2})
    tasks = [task.data.task for task in env.taskset]
    assert [task["seed"] for task in tasks] == [7, 8, 9]
    assert tasks[0]["kwargs"] == {"code_length": 5, "symbols": 4}
    assert tasks[0]["max_steps"] == 2
    assert env.config.taskset.name == "aq_gym-aq-Mastermind-v0-code-length-5"


def test_success_can_be_the_reward(server):
    scored = {"reward": "success"}
    trace = one_trace(
        server, {**MASTERMIND, "kwargs": {"code": "3456"}, "task": scored}
    )
    assert {name: one.score for name, one in trace.rewards.items()} == {"success": 0.0}


def test_what_is_measured_is_the_suites_progress(server, tmp_path):
    path = tmp_path / "suite.json"
    task = {"id": "test/Lamps-v0", "seed": 0, "max_steps": 4, "progress": "half"}
    path.write_text(json.dumps({"name": "own", "tasks": [task]}))
    trace = one_trace(server, {"id": "aq_gym", "suite": str(path), "max_steps": None})
    assert trace.metrics["progress_rate"] == trace.reward == 0.5


def test_a_free_conversation_is_one_training_sample(server):
    harness = {"prompting": "chat", "keep_reasoning": True}
    assert one_trace(server, harness=harness).num_branches == 1
    assert one_trace(server, harness={"prompting": "chat"}).num_branches > 1


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


def test_messages_that_are_too_long_are_shortened(server):
    server.failures = [raw(400, json.dumps({"error": "maximum context length: 9"}))]
    trace = one_trace(server, harness={"example": True})
    assert trace.ok
    first, second = (len(server.requests[n]["messages"]) for n in (0, 1))
    assert second < first
    assert trace.info["aq_gym"]["steps"] == len(COMPLETIONS)


def test_messages_that_cannot_be_shortened_are_an_error(server):
    server.failures = [raw(400, json.dumps({"error": "too many tokens"}))] * 10
    trace = one_trace(server)
    assert "too many tokens" in trace.errors[0].message
    assert not trace.rewards


def test_the_limit_of_a_completion_is_sent_as_the_model_takes_it(server):
    refusal = {"error": "use 'max_completion_tokens' instead"}
    server.failures = [raw(400, json.dumps(refusal))]
    assert one_trace(server, harness={"max_tokens": 300}).ok
    limits = [
        {name: value for name, value in request.items() if "tokens" in name}
        for request in server.requests[:3]
    ]
    assert limits[0] == {"max_tokens": 300}
    assert limits[1] == limits[2] == {"max_completion_tokens": 300}


def test_the_sampling_of_the_run_comes_first(server):
    assert one_trace(server, sampling={"max_tokens": 50, "temperature": 0.5}).ok
    assert server.requests[0]["max_tokens"] == 50
    assert server.requests[0]["temperature"] == 0.5


def test_a_failed_call_is_tried_again(server):
    server.failures = [raw(503, "{}")]
    trace = one_trace(server)
    assert trace.ok
    assert trace.info["aq_gym"]["steps"] == len(COMPLETIONS)


def test_a_model_that_cannot_be_called_is_an_error(server, temporary):
    server.failures = [raw(401, json.dumps({"error": "no such key"}))] * 10
    trace = one_trace(server)
    assert (trace.ok, trace.rewards, trace.reward) == (False, {}, 0.0)
    assert "no such key" in trace.errors[0].message
    assert not list(temporary.iterdir())


class Lamps(LampsEnv):
    """Has another measure of progress; breaks, raises or waits if it is told to."""

    entered, left = threading.Event(), threading.Event()

    def __init__(self, fault="", **shared):
        super().__init__(**shared)
        self.fault, self.inside = fault, False

    def _step(self, action):
        if self.fault == "breaks":
            return Turn("", error="the engine has died")
        if self.fault == "raises":
            raise OSError("the disk has died")
        if self.fault == "waits":
            self.inside = True
            self.entered.set()
            self.left.wait(10)
            self.inside = False
        return super()._step(action)

    def step(self, action):
        *rest, info = super().step(action)
        return (*rest, {**info, "half": 0.5})

    def close(self):
        assert not self.inside, "closed inside of a step"
        super().close()


gym.register("test/Lamps-v0", entry_point=Lamps)


@pytest.mark.parametrize(
    ("fault", "message"), [("breaks", "engine has died"), ("raises", "disk has died")]
)
def test_a_broken_engine_is_an_error_and_no_score(server, temporary, fault, message):
    taskset = {"id": "aq_gym", "env": f"test/Lamps-v0?fault={fault}", "episodes": 1}
    trace = one_trace(server, taskset)
    assert (trace.ok, trace.rewards, trace.metrics) == (False, {}, {})
    assert message in trace.errors[0].message
    assert not list(temporary.iterdir())


def test_a_rollout_that_is_ended_is_scored(server):
    trace = one_trace(server, max_turns=2)
    assert (trace.ok, trace.stop_condition) == (True, "max_turns")
    assert trace.info["aq_gym"]["steps"] == 2
    assert trace.metrics["repetition_rate"] == 1.0


def test_a_timeout_waits_for_the_step_and_is_scored(server, temporary):
    Lamps.left.clear()
    timer = threading.Timer(1.0, Lamps.left.set)
    timer.start()
    taskset = {"id": "aq_gym", "env": "test/Lamps-v0?fault=waits", "episodes": 1}
    trace = one_trace(server, taskset, timeout={"rollout": 0.3})
    timer.join()
    assert (trace.ok, trace.stop_condition) == (True, "agent_timeout")
    assert len(trace.info["aq_gym"]["turns"]) == trace.info["aq_gym"]["steps"]
    assert set(trace.metrics) == {
        "success", "progress_rate", "final_progress", "repetition_rate",
    }  # fmt: skip
    assert not list(temporary.iterdir())


def test_a_cancelled_rollout_leaves_nothing(server, temporary):
    Lamps.entered.clear()
    Lamps.left.clear()
    env = environment({"id": "aq_gym", "env": "test/Lamps-v0?fault=waits"})

    async def cancelled():
        async with env.serving():
            slots = [slot for task in env.taskset for slot in env.slots(task)]
            rollouts = [
                asyncio.ensure_future(env.run_slot(slot, model(server)))
                for slot in slots
            ]
            await asyncio.to_thread(Lamps.entered.wait)
            for rollout in rollouts:
                rollout.cancel()
            await asyncio.sleep(0.1)
            assert list(temporary.iterdir())
            Lamps.left.set()
            return await asyncio.gather(*rollouts, return_exceptions=True)

    results = asyncio.run(cancelled())
    assert [type(one) for one in results] == [asyncio.CancelledError] * 10
    assert not list(temporary.iterdir())


def test_tasks_are_played_by_a_server_of_environments(server):
    config = vf.resolve_env_config({"taskset": {**MASTERMIND, "max_steps": 4}})
    ctx = model(server)

    async def served():
        env = EnvServer(config, "tcp://127.0.0.1:0")
        running = asyncio.ensure_future(env.run())
        client = EnvClient(env.address)
        (task,) = vf.load_environment(config).taskset
        sent = task.data.model_dump(mode="json")
        try:
            return await client.run(ctx.client, ctx.model, ctx.sampling, sent)
        finally:
            await client.close()
            running.cancel()
            await running

    (trace,) = asyncio.run(served()).traces
    assert trace.ok
    assert trace.info["aq_gym"]["steps"] == 4


def test_a_tasks_rollouts_can_be_compared(server):
    agent = {"runtime": {"type": "subprocess"}}
    taskset = {**MASTERMIND, "max_steps": 2}
    env = environment(taskset, id="best-of-n", n=2, agent=agent)
    (episode,) = play(env, server)
    assert [trace.metrics["best"] for trace in episode.traces] == [1.0, 1.0]


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"suite": "nope"}, "suite='nope': give the path of a JSON file or one of"),
        ({"env": "aq/Mastermnd-v0"}, "did you mean aq/Mastermind-v0"),
        ({"env": "no_such_module:a-v0"}, "env='no_such_module:a-v0' cannot be loaded"),
        ({"env": "aq/Mastermind-v0?colour=1"}, "has no argument colour: it has code"),
        ({**MASTERMIND, "kwargs": {"colour": 1}}, "has no argument colour"),
        ({**MASTERMIND, "suite": "quick"}, "suite='quick' and env='aq/Mastermind-v0'"),
        ({"seed": 1, "max_steps": 3}, "seed, max_steps must be given with env only"),
        ({"agent": {"harness": {"id": "null"}}}, "agent.harness.id='null': the tasks"),
        (
            {"agent": {"runtime": {"type": "docker"}}},
            "agent.runtime.type='docker' must",
        ),
        ({"agent": {"harness": {"context": 9}}}, "context=9 must be more than"),
    ],
)
def test_a_mistake_is_named(config, message):
    agent = {"agent": config.pop("agent")} if "agent" in config else {}
    with pytest.raises(ValueError, match=re.escape(message)):
        environment({"id": "aq_gym", **config}, **agent)


def test_another_taskset_is_refused(server):
    env = environment(MASTERMIND)
    task = vf.Task(vf.TaskData(prompt="2 + 2?"))

    async def playing():
        async with env.serving():
            return await env.run_episode(task, model(server))

    ((trace),) = asyncio.run(playing()).traces
    assert "plays the tasks of the taskset 'aq_gym'" in trace.errors[0].message


def snippets(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)


# What the command line and its processes must not reach.
OFFLINE = """
import socket
connect = socket.socket.connect

def local_only(self, address):
    if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] != "127.0.0.1":
        raise OSError(f"no network: {address}")
    return connect(self, address)

socket.socket.connect = local_only
"""


def results(folder):
    (file,) = folder.glob("outputs/*/traces.jsonl")
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_the_command_of_the_page_works_offline(server, tmp_path):
    line = snippets("bash")[0].strip().replace(ENDPOINT, server.url)
    line += " --env.agent.max-turns 5"
    (tmp_path / "sitecustomize.py").write_text(OFFLINE)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environ = {"PATH": path, "HOME": str(tmp_path / "home"), "TERM": "dumb"}
    environ |= {"PYTHONPATH": str(tmp_path), "PRIME_API_KEY": "secret-7"}
    done = subprocess.run(
        line, shell=True, cwd=tmp_path, env=environ, text=True, check=False,
        capture_output=True, timeout=200,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    written = results(tmp_path)
    assert [one["ok"] for one in written] == [True, True]
    assert all(one["traces"][0]["metrics"]["success"] == 0.0 for one in written)
    kept = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert not [file for file in kept if b"secret-7" in file.read_bytes()]
    assert "secret-7" not in done.stdout + done.stderr


@pytest.fixture
def in_folder(tmp_path, monkeypatch):
    """A folder of its own, and the handlers of signals as they were."""
    monkeypatch.chdir(tmp_path)
    handlers = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    yield tmp_path
    for one, handler in handlers.items():
        signal.signal(one, handler)


def test_the_environment_of_the_page_is_played(server, in_folder):
    words = snippets("bash")[1].replace(ENDPOINT, server.url).replace('"', "").split()
    command.main([*words[1:], "--no-rich"])
    written = results(in_folder)
    assert [one["traces"][0]["rewards"]["success"]["score"] for one in written] == [
        0,
        0,
    ]
    assert len(list(in_folder.glob("trajectories/*/*.jsonl"))) == 2
    assert "Thought:" in json.dumps(server.requests[0]["messages"])


def test_the_file_of_the_page_is_read(server, in_folder):
    (text,) = snippets("toml")
    Path("eval.toml").write_text(text.replace(ENDPOINT, server.url))
    command.main(["@", "eval.toml", "--no-rich"])
    written = results(in_folder)
    assert [one["traces"][0]["task"]["data"]["task"]["kwargs"] for one in written] == [
        {"code_length": 5}
    ] * 2


def test_the_code_of_the_page_runs(server, capsys):
    (code,) = snippets("{code-block} python")
    exec(code.replace(ENDPOINT, server.url), {"__name__": "snippet"})
    assert len(capsys.readouterr().out.splitlines()) == 2


LAZY = """
import sys
import aq_gym
from aq_gym import *
assert not {"verifiers", "openai", "pydantic", "inspect_ai"} & set(sys.modules)
assert not [name for name in aq_gym.__all__ if "Verifiers" in name]
import verifiers
assert "VerifiersTaskset" in aq_gym.__all__
assert "aq_gym.integrations" not in sys.modules
"""


def test_importing_imports_none_of_it():
    subprocess.run([sys.executable, "-c", LAZY], check=True)
