"""Rollouts with verifiers of a model whose completions are scripted."""

import asyncio

import pytest

from integrations.same_play import COMPLETIONS

pytest.importorskip("verifiers", reason="needs verifiers, as in .ci/integrations")
import verifiers.v1 as vf

MASTERMIND = {"id": "aq_gym", "env": "aq/Mastermind-v0", "episodes": 1}


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
