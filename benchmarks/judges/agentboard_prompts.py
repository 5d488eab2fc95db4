r"""Are our requests in ``protocol="agentboard"`` those of AgentBoard's own agent?

Its act-only agent (``agents/vanilla_agent.py``), with its prompts and the settings of
its ``main_results_all_tasks.yaml``, remembers the same answers and observations as our
agent ``llm``, whose requests a local server keeps. Both count tokens by our estimate.
The tasks are those of ``judge.py``, which says how to get ``papers``; observations are
ours in both, since that script compares them. It counts the requests that differ, and
those in which old lines are left out ("cut").

    pip install pyyaml
    python benchmarks/judges/agentboard_prompts.py --papers papers
"""

from __future__ import annotations

import argparse
import ast
import importlib
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import yaml  # type: ignore[import-untyped]
from harness import Judge, Task, make
from judge import JUDGES, arguments

from aq_gym.agents import LLMAgent
from aq_gym.envs.alfworld.protocol import agentboard_command
from aq_gym.models.conversation import estimate_tokens

# The folder of the tests has a server that keeps the requests of our agent.
sys.path.append(str(Path(__file__).parents[2] / "tests"))
scripted: Any = importlib.import_module("scripted_server")

STEPS = 12
WRONG, CHECK = "dance on the moon", "check valid actions"
# The name of the task in AgentBoard's settings, and the file of its prompt.
PROMPTS = {
    "agentboard-babyai": ("babyai", "babyai_vanilla_prompt"),
    "agentboard-pddl": ("pddl", "pddl_vanilla_prompt"),
    "agentboard-alfworld": ("alfworld", "alfworld_base"),
    "agentboard-scienceworld": ("scienceworld", "scienceworld_base"),
    "agentboard-jericho": ("jericho", "jericho_vanilla_prompt"),
    "agentboard-academia": ("tool-query", "academia_prompt"),
    "agentboard-webshop": ("webshop", "webshop_vanilla"),
}
HOUSEHOLDS = {"pick_and_place": "put", "pick_clean": "clean", "pick_heat": "heat",
              "pick_cool": "cool", "look_at_obj": "examine",
              "pick_two": "puttwo"}  # fmt: skip
_CALL = re.compile(r"\s*(.*?)\s*with\s*Action Input:\s*(.*?)$")
# How AgentBoard's tasks change an answer before it is remembered.
REMEMBERED: dict[str, Callable[[str], str]] = {
    "agentboard-alfworld": agentboard_command,
    "agentboard-jericho": lambda text: " ".join(
        re.split("[,.]", text)[0].split(" ")[:20]
    ),
    "agentboard-academia": lambda text: "".join(
        f"{one[1]} with Action Input: {one[2]}" for one in _CALL.finditer(text.strip())
    ),
    "agentboard-webshop": lambda text: (
        re.findall(r"(?:click|search)\[.*", text) or [text]
    )[0],
}


def vanilla(
    name: str, options: argparse.Namespace, env: Any, said: SimpleNamespace
) -> Any:
    """Make AgentBoard's agent as its task does, without an episode."""
    from agents.vanilla_agent import VanillaAgent

    checkout = options.papers / "AgentBoard"
    settings = checkout / "eval_configs" / "main_results_all_tasks.yaml"
    config = yaml.safe_load(settings.read_text("utf-8"))
    task, file = PROMPTS[name]
    checks = ("check_actions", "check_inventory")
    own = {key: value for key, value in config["env"][task].items() if key in checks}
    model = SimpleNamespace(
        engine="gpt-4-0613",
        max_tokens=100,
        context_length=options.context,
        num_tokens_from_messages=estimate_tokens,
        generate=lambda system, prompt: (True, said.answer.partition("\n")[0]),
    )
    agent = VanillaAgent.from_config(model, {**config["agent"], **own})
    folder = checkout / "agentboard" / "prompts" / "VanillaAgent"
    prompts = json.loads((folder / f"{file}.json").read_text("utf-8"))
    if task == "alfworld":
        chosen = str(env.unwrapped.household.goal.task_type)
        kind = next(v for k, v in HOUSEHOLDS.items() if chosen.startswith(k))
        prompts["examples"] = "".join(prompts["examples"][kind])
    elif task == "pddl":
        prompts = prompts[env.spec.kwargs["domain"].partition(":")[2]]
    agent.chosen = prompts
    return agent


def play(name: str, judge: Judge, task: Task) -> Counter[str]:
    """Play an episode and compare the requests."""
    env, said, options = make(judge, task), SimpleNamespace(answer=""), judge.options
    server = scripted.ScriptedServer(
        lambda handler: scripted.answer(said.answer)(handler)
    )
    ours = LLMAgent(env, "any", server.url, context=options.context, max_tokens=100)
    observation, info = env.reset(seed=task.seed, options=task.options)
    ours.reset(observation, info)
    agent = vanilla(name, options, env, said)
    shopping = {"init_act": "reset[]"} if name == "agentboard-webshop" else {}
    first = judge.opened(observation, info).get("text", observation)
    if name == "agentboard-academia":
        file = options.papers / "AgentBoard/agentboard/tasks/tool.py"
        found = re.findall(r'init_obs ?= ?(".*")', file.read_text("utf-8"))
        first = ast.literal_eval(found[-1])
    agent.reset(info["goal"], first, **shopping)
    counts: Counter[str] = Counter(episodes=1)
    for step in range(STEPS):
        expert = env.get_wrapper_attr("expert_action")
        said.answer = (expert, lambda: WRONG, lambda: CHECK)[step % 3]()
        said.answer = judge.write(said.answer or CHECK).removeprefix("Action: ")
        action = ours.act(observation, info)
        agent.run(init_prompt_dict=agent.chosen)
        prompt = agent.get_example_prompt()
        wanted = [{"role": "system", "content": agent.chosen["system_msg"]},
                  {"role": "user", "content": prompt}]  # fmt: skip
        request = server.requests[-1]
        counts["requests"] += 1
        counts["cut"] += f"Observation: {first}" not in prompt
        counts["settings"] += request["temperature"] != 0 or request["stop"] != "\n"
        different = request["messages"] != wanted
        counts["different"] += different
        if different and options.show:
            print(json.dumps([request["messages"], wanted], indent=1))
        played = REMEMBERED.get(name, str)(action)
        observation, _, ended, cut, info = env.step(played or action)
        agent.update(played, observation)
        if ended or cut:
            break
    env.close()
    return counts


def main() -> None:
    """Play the episodes and print the counts of each benchmark."""
    parser = arguments(__doc__)
    parser.add_argument("--context", type=int, default=8192)
    parser.set_defaults(tasks=12, show=0)
    options = parser.parse_args()
    checkout = options.papers / "AgentBoard"
    os.environ["AGENTBOARD_DATA"] = str(checkout)
    sys.path.insert(0, str(checkout / "agentboard"))
    for name in options.judges or PROMPTS:
        total: Counter[str] = Counter()
        chosen = JUDGES[name](options)
        for task in islice(chosen.tasks(), options.tasks):
            total += play(name, chosen, task)
        print(name, dict(total), flush=True)


if __name__ == "__main__":
    main()
