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
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable
from itertools import islice
from types import SimpleNamespace
from typing import Any

import yaml  # type: ignore[import-untyped]
from harness import Judge, Task, make
from judge import JUDGES, arguments
from kept_requests import Server

from aq_gym.agents import LLMAgent
from aq_gym.models.conversation import estimate_tokens

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


def vanilla(name: str, options: argparse.Namespace, env: Any, said: Server) -> Any:
    """Make AgentBoard's agent as its task does, without an episode."""
    from agents.vanilla_agent import VanillaAgent

    checkout = options.papers / "AgentBoard"
    settings = (checkout / "eval_configs" / "main_results_all_tasks.yaml").read_text()
    config = yaml.safe_load(settings)
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


def start(name: str, observation: str, info: Any, options: Any) -> tuple[str, str]:
    """Return goal and first observation as AgentBoard's task reads them."""
    goal = info["goal"]
    if name == "agentboard-alfworld":
        room = "\n".join(observation.split("\n\n")[1:]).split("\n")
        return room[1].split("Your task is to:")[1].strip(), room[0]
    if name == "agentboard-academia":
        file = options.papers / "AgentBoard/agentboard/tasks/tool.py"
        said = re.findall(r'init_obs ?= ?(".*")', file.read_text("utf-8"))[-1]
        return goal, ast.literal_eval(said)
    if name == "agentboard-scienceworld":
        return goal, observation.partition("\n\n")[2]
    if name in ("agentboard-pddl", "agentboard-webshop"):
        return goal, observation.partition("\n")[2]
    return goal, observation


def remembered(name: str) -> Callable[[str], str]:
    """Return what AgentBoard's task makes of an answer before it is remembered."""

    def household(action: str) -> str:
        action = action.strip()
        word = next(
            (w for w in (" in ", " on ") if "put" in action and w in action), ""
        )
        action = action.replace(word, " in/on ") if word else action
        return action[:-1].strip() if action.endswith(".") else action

    def story(action: str) -> str:
        return " ".join(action.split(",")[0].split(".")[0].split(" ")[:20])

    def call(action: str) -> str:
        found = re.search(r"\s*(.*?)\s*with\s*Action Input:\s*(.*?)$", action.strip())
        return f"{found[1]} with Action Input: {found[2]}" if found else ""

    def shopping(action: str) -> str:
        found = re.search(r"(click|search)\[.*", action)
        return found[0] if found else action

    known = {"alfworld": household, "jericho": story, "academia": call}
    return {**known, "webshop": shopping}.get(name.removeprefix("agentboard-"), str)


def play(name: str, judge: Judge, task: Task) -> Counter[str]:
    """Play an episode and compare the requests."""
    env, said, options = make(judge, task), Server(), judge.options
    ours = LLMAgent(env, "any", said.url, context=options.context, max_tokens=100)
    observation, info = env.reset(seed=task.seed, options=task.options)
    ours.reset(observation, info)
    agent = vanilla(name, options, env, said)
    shopping = {"init_act": "reset[]"} if name == "agentboard-webshop" else {}
    goal, first = start(name, observation, info, options)
    agent.reset(goal, first, **shopping)
    counts: Counter[str] = Counter(episodes=1)
    for step in range(STEPS):
        expert = env.get_wrapper_attr("expert_action")
        said.answer = (expert, lambda: WRONG, lambda: CHECK)[step % 3]()
        said.answer = judge.write(said.answer).removeprefix("Action: ")
        action = ours.act(observation, info)
        agent.run(init_prompt_dict=agent.chosen)
        prompt = agent.get_example_prompt()
        wanted = [{"role": "system", "content": agent.chosen["system_msg"]},
                  {"role": "user", "content": prompt}]  # fmt: skip
        request = said.requests[-1]
        counts["requests"] += 1
        counts["cut"] += f"Observation: {first}" not in prompt
        counts["settings"] += request["temperature"] != 0 or request["stop"] != "\n"
        if request["messages"] != wanted:
            counts["different"] += 1
            if options.show:
                options.show = 0
                shown = {"ours": request["messages"], "AgentBoard": wanted}
                print(json.dumps(shown, indent=1))
        played = remembered(name)(action)
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
