"""The tasks that verifiers makes of suites and environments; wrong arguments."""

import asyncio
import importlib
import re
import subprocess
import sys

import pytest

from aq_gym.evaluation import packaged_suites
from aq_gym.integrations.publish import write_package
from integrations.verifiers.rollouts import MASTERMIND, environment, model

pytest.importorskip("verifiers", reason="needs verifiers, as in .ci/integrations")
import verifiers.v1 as vf
from verifiers.v1.cli import validate
from verifiers.v1.serve import EnvClient, EnvServer

# Warnings of the package are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")
GAMES = ["aq/Mastermind-v0?code_length=3", "aq/PDDL-v0?domain=gripper"]


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


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"suite": "nope"}, "suite='nope': give the path of a JSON file or one of"),
        ({"env": "aq/Mastermnd-v0"}, "did you mean aq/Mastermind-v0"),
        ({"env": "no_such_module:a-v0"}, "env='no_such_module:a-v0' cannot be loaded"),
        ({"env": "aq/Mastermind-v0?colour=1"}, "has no argument colour: it has code"),
        ({**MASTERMIND, "kwargs": {"colour": 1}}, "has no argument colour"),
        ({**MASTERMIND, "suite": "quick"}, "suite='quick' and env='aq/Mastermind-v0'"),
        ({"seed": 0, "max_steps": 3}, "seed, max_steps can only be given with env"),
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


@pytest.fixture
def package(tmp_path, monkeypatch):
    write_package(tmp_path / "package", "hub", GAMES, name="my-games", episodes=2)
    monkeypatch.syspath_prepend(tmp_path / "package")
    monkeypatch.chdir(tmp_path)
    return importlib.import_module("my_games")


def test_a_published_package_loads_its_tasks_and_others(package):
    rows = list(package.load_environment().taskset.take(9))
    assert [row.data.description for row in rows] == [GAMES[0]] * 2 + [GAMES[1]] * 2
    (row,) = package.load_environment(env=GAMES[0], episodes=1).taskset.take(9)
    assert row.data.description == GAMES[0]


def test_the_tasks_of_a_published_package_are_valid(package, tmp_path):
    words = ["my_games", "--runtime.type", "subprocess", "--rich", "False"]
    validate.main(words)
    (summary,) = tmp_path.glob("outputs/*/summary.json")
    assert '"valid": 4' in summary.read_text()
