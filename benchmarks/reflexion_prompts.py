"""Are our requests in Reflexion's protocol those of its own code, to the character?

Its ``main.py`` plays trials of ALFWorld with a scripted model, through its own trial,
history and reflections; our agent ``llm`` with ``memories=3`` is then given the same
answers. Both play on our engine, Reflexion on its plain output, so "think:", the end by
a repeated action and the memory are its own code's. Compared are all texts of requests,
and the settings of those for actions.

python benchmarks/reflexion_prompts.py --reflexion CHECKOUT [--tasks 24] [--trials 5]
    [--split valid_unseen]    (official games are in $ALFWORLD_DATA)
"""

from __future__ import annotations

import argparse
import importlib
import os
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import gymnasium as gym
from agentboard_prompts import Server

import aq_gym  # noqa: F401 (registers the ids)
from aq_gym.agents import LLMAgent
from aq_gym.wrappers import ExtractAction, Trials

CAP = 49
KINDS = {"mixed": (5, 2, 2, 1), "expert": (0, 9, 1, 0), "lost": (8, 0, 2, 0)}
# Reflexion's log of a trial ends with its totals, which its last task's query contains.
TOTALS = "#####\n\n-----\nSUCCESS"
AFTER = "(\n\nPlans from|\n\nNew plan:)"


class Theirs:
    """The environments that Reflexion's code plays, and the model that answers it."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.envs: list[Any] = []
        for n in range(options.tasks):
            env = make(options.split, n)
            env.reset(seed=n)
            self.envs.append(env.unwrapped)
        self.said: list[list[str]] = [[] for _ in self.envs]
        self.sent: list[list[tuple[Any, ...]]] = [[] for _ in self.envs]
        self.solved = [False] * len(self.envs)
        self._now, self._unsolved = -1, [0]
        self._kinds = [list(KINDS.values())[n % 3] for n in range(len(self.envs))]
        self._rng = random.Random(0)
        self._waits: list[str] = []

    def reset(self) -> tuple[list[str], dict[str, Any]]:
        """Begin the next task."""
        self._now = (self._now + 1) % len(self.envs)
        self._waits, self._unsolved = [], []
        env = self.envs[self._now]
        _, info = env.reset(seed=self._now)
        kind = info["task_id"].split("/")[1]
        file = f"games/{kind}/trial/game.tw-pddl"
        return [env._engine.opening()], {"extra.gamefile": [file]}

    def step(self, actions: list[str]) -> tuple[Any, ...]:
        """Carry out an action."""
        engine = self.envs[self._now]._engine
        answer = engine.step(actions[0]) or "Nothing happens."
        won = self.solved[self._now] = engine.solved()
        return [answer], [float(won)], [won], {"won": [won]}

    def act(self, messages: Any, **settings: Any) -> Any:
        """Answer a request for an action."""
        text, now = messages[0]["content"], self._now
        self.sent[now].append((text, settings["temperature"], settings["stop"]))
        said = self._waits.pop(0) if self._waits else self._action()
        self.said[now].append(said)
        return SimpleNamespace(choices=[{"message": {"content": said}}])

    def plan(self, prompt: str, **settings: Any) -> Any:
        """Answer a request for a plan, which come in the order of the tasks."""
        if not self._unsolved:
            self._unsolved = [n for n, won in enumerate(self.solved) if not won]
        now = self._unsolved.pop(0)
        self.sent[now].append((prompt, settings["temperature"], settings["stop"]))
        count = len(self.said[now])
        said = f" In the next trial ({count}) I will\n look further.  "
        self.said[now].append(said)
        return SimpleNamespace(choices=[SimpleNamespace(text=said)])

    def _action(self) -> str:
        engine = self.envs[self._now]._engine
        commands = [one for one in engine.commands() if len(one) > 4]
        valid, expert, thought, wrong = self._kinds[self._now]
        made: tuple[Callable[[], str], ...] = (
            lambda: self._rng.choice(commands),
            lambda: engine.expert() or "inventory",
            lambda: f" think: I go on ({self._rng.random():.3f}).",
            lambda: self._rng.choice(["dance on it", "open sesame 1", "go to moon 1 "]),
        )
        (how,) = self._rng.choices(made, (valid, expert, thought, wrong))
        return how()


def make(split: str, number: int) -> gym.Env[Any, Any]:
    """Make a task in Reflexion's protocol."""
    kwargs: dict[str, Any] = {"split": split, "protocol": "reflexion"}
    if split not in ("all", "train", "test"):
        kwargs["game"] = number * 5
    return gym.make("aq/ALFWorld-v0", max_episode_steps=CAP, **kwargs)


def play_theirs(theirs: Theirs, options: argparse.Namespace) -> None:
    """Run Reflexion's main function on the environments."""
    openai = ModuleType("openai")
    openai.__dict__.update(
        ChatCompletion=SimpleNamespace(create=theirs.act),
        Completion=SimpleNamespace(create=theirs.plan),
    )
    tenacity = ModuleType("tenacity")
    tenacity.__dict__.update(
        retry=lambda **_: lambda function: function,
        stop_after_attempt=int,
        wait_random_exponential=dict,
    )
    house = SimpleNamespace(init_env=lambda batch_size: theirs, close=str)
    theirs.close = str  # type: ignore[attr-defined]
    environment = ModuleType("alfworld.agents.environment")
    environment.__dict__["AlfredTWEnv"] = lambda *_, **__: house
    names = "alfworld", "alfworld.agents"
    alfworld, agents = (ModuleType(name) for name in names)
    alfworld.__dict__["agents"], agents.__dict__["environment"] = agents, environment
    for module in (openai, tenacity, alfworld, agents, environment):
        sys.modules[module.__name__] = module
    os.environ["OPENAI_API_KEY"] = "none"
    folder = options.reflexion.resolve() / "alfworld_runs"
    before = os.getcwd()
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    trial = importlib.import_module("alfworld_trial")
    trial.importlib = SimpleNamespace(reload=str)  # type: ignore[attr-defined]
    play = importlib.import_module("main").main
    with tempfile.TemporaryDirectory() as out, open(os.devnull, "w") as nowhere:
        sys.stdout, kept = nowhere, sys.stdout
        try:
            play(
                argparse.Namespace(
                    num_trials=options.trials,
                    num_envs=options.tasks,
                    run_name=out,
                    use_memory=True,
                    is_resume=False,
                    resume_dir="",
                    start_trial_num=0,
                    model="gpt-4",
                )
            )
        finally:
            sys.stdout = kept
            os.chdir(before)


def play_ours(number: int, said: list[str], options: argparse.Namespace) -> Any:
    """Return the requests of our agent that is given the same answers."""
    server = Server()
    env = Trials(ExtractAction(make(options.split, number)), options.trials)
    agent = LLMAgent(
        env, "m", server.url, max_tokens=256, context=10**6, memories=3, max_retries=0
    )
    observation, info = env.reset(seed=number)
    agent.reset(observation, info)
    left, over = list(said), False
    while not over and left:
        server.answer = left.pop(0)
        action = agent.act(observation, info)
        observation, _, terminated, truncated, info = env.step(action)
        over = terminated or truncated
    if len(left) != int(not info["success"]):
        # Reflexion asks for a plan after its last trial too.
        raise SystemExit(f"task {number}: {len(left)} answers are left")
    return [
        (one["messages"][0]["content"], one["temperature"], one.get("stop"))
        for one in server.requests
    ]


def main() -> None:
    """Compare and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reflexion", type=Path, required=True)
    parser.add_argument("--tasks", type=int, default=24)
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--split", default="all")
    options = parser.parse_args()
    os.environ["REFLEXION_DATA"] = str(options.reflexion.resolve())
    theirs = Theirs(options)
    play_theirs(theirs, options)
    count: Counter[str] = Counter()
    for number, (said, sent) in enumerate(zip(theirs.said, theirs.sent, strict=True)):
        ours = play_ours(number, said, options)
        count["solved"] += theirs.solved[number]
        for (text, *settings), mine in zip(sent, ours, strict=False):
            stop = settings[1]
            kind = "plans" if stop is None else "actions"
            if TOTALS in text:
                count["with the totals of the log"] += 1
                head, _, tail = text.partition(TOTALS)
                # What follows the totals.
                _, mark, tail = re.split(
                    "(\n\nPlans from|\n\nNew plan:)", tail, maxsplit=1
                )
                text = f"{head.rstrip()}{mark}{tail}"
            count[kind] += 1
            same = (text, settings[0], stop and stop[0]) == mine
            count[f"different {kind}"] += not same
            if not same and count["shown"] < 1:
                count["shown"] += 1
                sys.stdout.write(f"{number}\n{text[-600:]!r}\n{mine[0][-600:]!r}\n")
    for name, value in sorted(count.items()):
        sys.stdout.write(f"{name}: {value}\n")


if __name__ == "__main__":
    main()
