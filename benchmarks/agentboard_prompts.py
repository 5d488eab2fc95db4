r"""Are our requests in AgentBoard's protocol those of its own agent, to the character?

Its act-only agent (``agents/vanilla_agent.py``), with its prompts and the settings of
its ``main_results_all_tasks.yaml``, remembers the same answers and observations as our
agent ``llm``, whose requests a local server receives. Counted are the requests that
differ, and among them those in which AgentBoard's agent leaves out old lines: both
count tokens by our estimate here. With ``--python`` the observations of PDDL and
BabyAI are those of AgentBoard's own environments (see ``agentboard.py``); there the
words of PDDL's are compared in any order, because AgentBoard lists the valid actions in
the order of hashes.

python benchmarks/agentboard_prompts.py --agentboard CHECKOUT [--python ab/bin/python]
    [--data FOLDER] [--games FOLDER]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import gymnasium as gym
import yaml  # type: ignore[import-untyped]
from agentboard import AgentBoard

import aq_gym  # noqa: F401 (registers the ids)
from aq_gym.agents import LLMAgent
from aq_gym.evaluation import Suite
from aq_gym.models.conversation import estimate_tokens

STEPS = 12
WRONG = "dance on the moon"
CHECK = "check valid actions"
MOST_TOKENS = 100


class Case(NamedTuple):
    """An episode: its environment, and how AgentBoard's task sets up its agent.

    Attributes:
        name: The task's name in AgentBoard's settings.
        kwargs: The arguments of our environment, with its id.
        seed: The seed.
        prompt: The prompt's file, and the part of it that the task takes.
        asked: What AgentBoard's server is asked for, {} for our observations.
    """

    name: str
    kwargs: dict[str, Any]
    seed: int
    prompt: tuple[str, ...]
    asked: Mapping[str, Any] = MappingProxyType({})


class Server:
    """A server of chat completions that keeps the requests; answers are set."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.answer = ""
        kept = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                kept.requests.append(json.loads(body))
                said = {"role": "assistant", "content": kept.answer}
                reply = json.dumps({"choices": [{"message": said}]}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(reply)))
                self.end_headers()
                self.wfile.write(reply)

            def log_message(self, *args: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"


class CountedModel:
    """What AgentBoard's agent asks of a model: its name and its counts of tokens."""

    engine = "gpt-4"
    max_tokens = MOST_TOKENS

    def __init__(self, context: int, said: Server) -> None:
        self.context_length = context
        self._said = said

    def num_tokens_from_messages(self, messages: Any) -> int:
        """Return our estimate."""
        return estimate_tokens(messages)

    def generate(self, system: str, prompt: str) -> tuple[bool, str]:
        """Return the answer of the step, up to its first line."""
        return True, self._said.answer.partition("\n")[0]


def cases(options: argparse.Namespace) -> Iterator[Case]:
    """Yield the episodes of the benchmarks whose data are there."""
    for suite, name, key in (("babyai", "babyai", "level"), ("pddl", "pddl", "domain")):
        for task in Suite.load(f"agentboard-{suite}").tasks[:: options.every]:
            assert task.seed is not None
            asked: dict[str, Any] = {
                "level": {"level": task.kwargs.get("level"), "seed": task.seed},
                "domain": {"problem": task.kwargs.get("problem")},
            }[key]
            part: tuple[str, ...] = ()
            if key == "domain":
                part = (task.kwargs["domain"].partition(":")[2],)
                asked["domain"] = part[0]
            else:
                asked["patterns"] = []
            file = f"{name}_vanilla_prompt"
            kwargs = {"id": task.id, **task.kwargs}
            own = asked if options.python else {}
            yield Case(name, kwargs, task.seed, (file, *part), own)
    for seed in range(options.episodes):
        kwargs = {"id": "aq/ALFWorld-v0", "protocol": "agentboard"}
        yield Case("alfworld", kwargs, seed, ("alfworld_base", "examples"))
    if options.games:
        for task in Suite.load("agentboard-jericho").tasks:
            kwargs = {"id": task.id, **task.kwargs, "games": options.games}
            yield Case("jericho", kwargs, 0, ("jericho_vanilla_prompt",))
    if options.data:
        for task in Suite.load("agentboard-scienceworld").tasks[:: options.every]:
            kwargs = {"id": task.id, **task.kwargs}
            yield Case("scienceworld", kwargs, 0, ("scienceworld_base",))


def agent_of(case: Case, checkout: Path, model: CountedModel, goal: str) -> Any:
    """Make AgentBoard's agent as its task does, without an episode."""
    from agents.vanilla_agent import VanillaAgent

    settings = (checkout / "eval_configs" / "main_results_all_tasks.yaml").read_text()
    config = yaml.safe_load(settings)
    given = {**config["agent"]}
    for key in ("check_actions", "check_inventory"):
        if key in config["env"][case.name]:
            given[key] = config["env"][case.name][key]
    folder = checkout / "agentboard" / "prompts" / "VanillaAgent"
    prompts = json.loads((folder / f"{case.prompt[0]}.json").read_text())
    agent = VanillaAgent.from_config(model, given)
    if case.name == "alfworld":
        prompts["examples"] = "".join(prompts["examples"][goal])
    elif len(case.prompt) > 1:
        prompts = prompts[case.prompt[1]]
    agent.chosen = prompts
    return agent


def kind(goal: str, env: Any) -> str:
    """Return AgentBoard's name of a household task."""
    chosen = env.unwrapped.household.goal.task_type
    table = json.loads(
        '{"pick_and_place": "put", "pick_clean": "clean", "pick_heat": "heat",'
        '"pick_cool": "cool", "look_at_obj": "examine", "pick_two": "puttwo"}'
    )
    return str(next(v for k, v in table.items() if str(chosen).startswith(k)))


def remembered(name: str) -> Callable[[str], str]:
    """Return what AgentBoard's task makes of an answer before it is remembered."""

    def household(action: str) -> str:
        action = action.strip()
        if "put" in action:
            for word in (" in ", " on "):
                if word in action:
                    action = action.replace(word, " in/on ")
                    break
        return action[:-1].strip() if action.endswith(".") else action

    def story(action: str) -> str:
        line = action.split(",")[0].split(".")[0]
        return " ".join(line.split(" ")[:20])

    return {"alfworld": household, "jericho": story}.get(name, str)


def start(case: Case, env: Any, observation: str, info: Any) -> tuple[str, str]:
    """Return goal and first observation as AgentBoard's task reads them."""
    if case.name == "alfworld":
        said = "\n".join(observation.split("\n\n")[1:])
        task = said.split("\n")[1].split("Your task is to:")[1]
        return task.strip(), said.split("\n")[0]
    if case.name == "pddl":
        return info["goal"], observation.partition("\n")[2]
    return info["goal"], observation


def play(
    case: Case, options: argparse.Namespace, board: AgentBoard | None
) -> Counter[str]:
    """Play an episode and compare the requests."""
    kwargs = {**case.kwargs, "instructions": False}
    env = gym.make(kwargs.pop("id"), **kwargs)
    said = Server()
    ours = LLMAgent(
        env, "any", said.url, context=options.context, max_tokens=MOST_TOKENS
    )
    observation, info = env.reset(seed=case.seed)
    goal, first = start(case, env, observation, info)
    if board is not None and case.asked:
        theirs = board.ask(**case.asked)
        goal, first = theirs["goal"], theirs["observation"]
    ours.reset(observation, info)
    chosen = kind(goal, env) if case.name == "alfworld" else goal
    model = CountedModel(options.context, said)
    agent = agent_of(case, options.agentboard, model, chosen)
    agent.reset(goal, first)
    counts: Counter[str] = Counter(episodes=1)
    for step in range(STEPS):
        expert = env.get_wrapper_attr("expert_action")
        said.answer = (expert, lambda: WRONG, lambda: CHECK)[step % 3]()
        action = ours.act(observation, info)
        agent.run(init_prompt_dict=agent.chosen)
        prompt = agent.get_example_prompt()
        wanted = [
            {"role": "system", "content": agent.chosen["system_msg"]},
            {"role": "user", "content": prompt},
        ]
        request = said.requests[-1]
        counts["requests"] += 1
        counts["cut"] += f"Observation: {first}" not in prompt
        counts["settings"] += request["temperature"] != 0 or request["stop"] != "\n"
        sent = request["messages"]
        # Only there the valid actions have two orders.
        as_read: Callable[[Any], Any]
        as_read = _words if board and case.name == "pddl" else dict
        if list(map(as_read, sent)) != list(map(as_read, wanted)):
            counts["different"] += 1
            if options.show:
                print(json.dumps({"ours": sent, "theirs": wanted}, indent=1))
        played = remembered(case.name)(action)
        observation, _, ended, cut, info = env.step(played)
        seen = observation
        if board is not None and case.asked:
            seen = board.ask(action=played)["observation"]
        agent.update(played, seen)
        if ended or cut:
            break
    env.close()
    return counts


def _words(message: dict[str, str]) -> list[str]:
    """Return the words of a message, sorted: lists of actions have two orders."""
    return sorted(re.findall(r"[^ ,\n]+", message["content"]))


def main() -> None:
    """Play the episodes and print the counts of each benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--agentboard", type=Path, required=True)
    parser.add_argument("--python", help="AgentBoard's interpreter")
    parser.add_argument("--data", help="AgentBoard's data")
    parser.add_argument("--games", help="the folder of story files")
    parser.add_argument("--episodes", type=int, default=12, help="of ALFWorld")
    parser.add_argument("--every", type=int, default=4, help="take each Nth task")
    parser.add_argument("--context", type=int, default=8192)
    parser.add_argument("--show", action="store_true", help="print what differs")
    options = parser.parse_args()
    os.environ["AGENTBOARD_DATA"] = str(options.data or options.agentboard)
    sys.path.insert(0, str(options.agentboard / "agentboard"))
    total: dict[str, Counter[str]] = {}
    board = AgentBoard(options.python, options.agentboard) if options.python else None
    for case in cases(options):
        counts = play(case, options, board)
        total.setdefault(case.name, Counter()).update(counts)
    for name, counts in total.items():
        print(name, dict(counts))


if __name__ == "__main__":
    main()
