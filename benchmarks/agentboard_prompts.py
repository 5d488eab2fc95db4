r"""Are our requests in AgentBoard's protocol those of its own agent, to the character?

Its act-only agent (``agents/vanilla_agent.py``), with its prompts and the settings of
its ``main_results_all_tasks.yaml``, remembers the same answers and observations as our
agent ``llm``, whose requests a local server receives. Counted are the requests that
differ, and among them those in which AgentBoard's agent leaves out old lines: both
count tokens by our estimate here. With ``--python`` the observations of PDDL and
BabyAI are those of AgentBoard's own environments (see ``agentboard.py``); there the
words of PDDL's are compared in any order, because AgentBoard lists the valid actions in
the order of hashes.

The prompts of its tools and of WebShop are compared on files that are written for it
(``--made``), and stories and ScienceWorld with the user's files. The observations are
then ours in both, because AgentBoard's engines of these are live services or compared
elsewhere; goals, prompts, settings and what is remembered are its own.

python benchmarks/agentboard_prompts.py --agentboard CHECKOUT [--python ab/bin/python]
    [--data FOLDER] [--games FOLDER] [--made]
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import json
import os
import re
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import MappingProxyType, ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import gymnasium as gym
import numpy as np
import openpyxl  # type: ignore[import-untyped]
import yaml  # type: ignore[import-untyped]
from agentboard import AgentBoard
from toolquery_agentboard import _arguments, graphs, questions
from webshop_agentboard import write_files

import aq_gym  # noqa: F401 (registers the ids)
from aq_gym.agents import LLMAgent
from aq_gym.evaluation import Suite
from aq_gym.models.conversation import estimate_tokens

STEPS = 12
WRONG = "dance on the moon"
CHECK = "check valid actions"
CHECK_TOOL = "check_valid_actions"
MOST_TOKENS = 100
ROWS: tuple[tuple[Any, ...], ...] = (("Name", "Hours"), ("Ann", 3), ("Bob", 5))
PROJECTS = [
    {
        "name": "Moving",
        "tasks": [
            {
                "content": "Pack books",
                "description": "- Place: Attic",
                "due_date": "2030-02-03",
                "duration": 40,
                "duration_unit": "minute",
                "priority": 2,
            }
        ],
    }
]
STATUS: dict[str, Any] = {"projects": [], "tasks": []}
GOLDEN = [["Name", "Hours"], ["Bob", "5"], ["Ann", "3"]]
PATH = (
    "Path: \nAction 1: sort_sheet_by_col with Action Input: "
    "{'col_num': '2', 'order': 'des'}\n"
)
OPERATIONS = (
    ("todo", "How long does Pack books take?", ["40(minute)"], STATUS),
    ("sheet", 'Sort "Sheet1".', PATH, json.dumps(GOLDEN)),
)


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


@cache
def client(file: Path) -> Any:
    """Return AgentBoard's client of OpenAI's models, without openai itself."""
    sys.modules.setdefault("openai", ModuleType("openai"))
    found = importlib.util.spec_from_file_location("openai_gpt", file)
    assert found and found.loader
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module.OPENAI_GPT


class CountedModel:
    """What AgentBoard's agent asks of a model: its name and its counts of tokens."""

    engine = "gpt-4-0613"
    max_tokens = MOST_TOKENS

    def __init__(self, options: argparse.Namespace, said: Server) -> None:
        self.context_length = options.context
        self._said = said
        self._counted = bool(options.count_tokens)
        self._file = options.agentboard / "agentboard" / "llm" / "openai_gpt.py"

    def num_tokens_from_messages(self, messages: Any) -> int:
        """Return AgentBoard's count, or our estimate."""
        if not self._counted:
            return estimate_tokens(messages)
        return int(client(self._file).num_tokens_from_messages(self, messages))

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
            if list(Path(options.games).rglob(f"{kwargs['game']}.z*")):
                yield Case("jericho", kwargs, 0, ("jericho_vanilla_prompt",))
    if options.data:
        for task in Suite.load("agentboard-scienceworld").tasks[:: options.every]:
            kwargs = {"id": task.id, **task.kwargs}
            yield Case("scienceworld", kwargs, 0, ("scienceworld_base",))


def made_cases(folder: Path) -> Iterator[Case]:
    """Write files of AgentBoard's form, and yield the episodes that need them."""
    made = graphs()
    for name, records in (
        ("academia", questions(made, np.random.default_rng(0))[:8]),
        ("tool", [task(*one) for one in OPERATIONS]),
    ):
        (folder / name / "academia").mkdir(parents=True)
        lines = "\n".join(map(json.dumps, records))
        (folder / name / "test.jsonl").write_text(lines, "utf-8")
    graph = folder / "academia" / "academia" / "graphs.json"
    graph.write_text(json.dumps(made), "utf-8")
    (folder / "tool" / "projects.json").write_text(json.dumps(PROJECTS), "utf-8")
    book = openpyxl.Workbook()
    book.active.title = "Sheet1"
    for row in ROWS:
        book.active.append(row)
    book.save(folder / "tool" / "book.xlsx")
    write_files(str(folder), 40)
    board = {"protocol": "agentboard"}
    tool = {"id": "aq/ToolOperation-v0", "data_dir": str(folder / "tool"), **board}
    for number in range(8):
        kwargs = {"id": "aq/ToolQuery-v0", "world": "academia", "problem": number}
        kwargs |= {"data_dir": str(folder / "academia"), **board}
        yield Case("tool-query", kwargs, 0, ("academia_prompt",))
    for world in ("todo", "sheet"):
        yield Case("tool-operation", {**tool, "world": world}, 0, (f"{world}_prompt",))
    for goal in range(8):
        kwargs = {"id": "aq/WebShop-v0", "data_dir": str(folder), "products": 40}
        kwargs |= {"goals": "agentboard", "goal": goal, **board}
        yield Case("webshop", kwargs, 0, ("webshop_vanilla",))


def task(tool: str, goal: str, subgoals: Any, answer: Any) -> dict[str, Any]:
    """Return a task of Tool-Operation as a line of AgentBoard's file."""
    start = {"current_date": "2030-02-02", "current_location": "Oslo"}
    info = {"answer": answer, "init_config": start, "goal_type": 0, "tool": tool}
    line = {"goal": goal, "subgoals": subgoals, "difficulty": "easy"}
    return {**line, "additional_info": info}


def opening(case: Case, env: Any, checkout: Path) -> list[tuple[str, str]]:
    """Return what AgentBoard's task for tools puts into the memory at the start."""
    source = (checkout / "agentboard" / "tasks" / "tool.py").read_text()
    said = re.findall(r'init_obs ?= ?(".*")', source)[-1]
    first = [("Observation", ast.literal_eval(said))]
    if case.prompt != ("sheet_prompt",):
        return first
    table = [list(row) for row in env.unwrapped.world.table()]
    worksheet = SimpleNamespace(
        init_sheets=lambda: None,
        open_sheet=lambda **_: "open",
        get_all_values=lambda: (True, table),
    )
    sys.modules["utils.sheet"] = ModuleType("utils.sheet")
    tools = ModuleType("utils.sheet.sheets_tools")
    tools.sheet_toolkits = lambda: worksheet  # type: ignore[attr-defined]
    sys.modules[tools.__name__] = tools
    goal = env.unwrapped._task.text
    board: Any = importlib.import_module("environment.sheet_env")
    sheet = board.SheetEnv({"goal": goal, "ground_truth": json.dumps(table)})
    action, observation = sheet.reset_question_env(goal, "Sheet1")
    return [*first, ("Action", action), ("Observation", observation)]


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

    def call(action: str) -> str:
        found = re.search(r"\s*(.*?)\s*with\s*Action Input:\s*(.*?)$", action.strip())
        return f"{found[1]} with Action Input: {found[2]}" if found else ""

    def shopping(action: str) -> str:
        found = re.search(r"(click|search)\[.*", action)
        return found[0] if found else action

    known = {"alfworld": household, "jericho": story, "webshop": shopping}
    return {**known, "tool-query": call, "tool-operation": call}.get(name, str)


def start(case: Case, env: Any, observation: str, info: Any) -> tuple[str, str]:
    """Return goal and first observation as AgentBoard's task reads them."""
    if case.name == "alfworld":
        said = "\n".join(observation.split("\n\n")[1:])
        task = said.split("\n")[1].split("Your task is to:")[1]
        return task.strip(), said.split("\n")[0]
    if case.name == "pddl":
        return info["goal"], observation.partition("\n")[2]
    if case.name == "scienceworld":
        # Its task shows the engine's first text and the inventory alone.
        return info["goal"], observation.partition("\n\n")[2]
    return info["goal"], observation


def play(
    case: Case, options: argparse.Namespace, board: AgentBoard | None
) -> Counter[str]:
    """Play an episode and compare the requests."""
    kwargs = {**case.kwargs, "instructions": False}
    env = gym.make(kwargs.pop("id"), **kwargs)
    said = Server()
    ours = LLMAgent(
        env,
        "any",
        said.url,
        context=options.context,
        max_tokens=MOST_TOKENS,
        count_tokens=options.count_tokens,
    )
    observation, info = env.reset(seed=case.seed)
    goal, first = start(case, env, observation, info)
    if board is not None and case.asked:
        theirs = board.ask(**case.asked)
        goal, first = theirs["goal"], theirs["observation"]
    ours.reset(observation, info)
    chosen = kind(goal, env) if case.name == "alfworld" else goal
    model = CountedModel(options, said)
    agent = agent_of(case, options.agentboard, model, chosen)
    if case.name.startswith("tool"):
        (_, first), *opened = opening(case, env, options.agentboard)
        agent.reset(goal, first)
        agent.memory += opened
    elif case.name == "webshop":
        first = observation.partition("\n")[2]
        agent.reset(goal, first, init_act="reset[]")
    else:
        agent.reset(goal, first)
    counts: Counter[str] = Counter(episodes=1)
    for step in range(STEPS):
        expert = env.get_wrapper_attr("expert_action")
        # A call of the to-do list's expert may end the episode.
        turn = step + case.name.startswith("tool")
        said.answer = (expert, lambda: WRONG, lambda: CHECK)[turn % 3]()
        if case.name.startswith("tool") and said.answer != WRONG:
            name, _, rest = said.answer.replace(CHECK, CHECK_TOOL).partition("(")
            said.answer = f"{name} with Action Input: {_arguments(rest[:-1])}"
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
        observation, _, ended, cut, info = env.step(played or action)
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
    parser.add_argument("--made", action="store_true", help="write files for tools")
    parser.add_argument("--episodes", type=int, default=12, help="of ALFWorld")
    parser.add_argument("--every", type=int, default=4, help="take each Nth task")
    parser.add_argument("--context", type=int, default=8192)
    parser.add_argument(
        "--count-tokens", help="count as this function, and as AgentBoard itself"
    )
    parser.add_argument("--show", action="store_true", help="print what differs")
    options = parser.parse_args()
    os.environ["AGENTBOARD_DATA"] = str(options.data or options.agentboard)
    sys.path.insert(0, str(options.agentboard / "agentboard"))
    total: dict[str, Counter[str]] = {}
    board = AgentBoard(options.python, options.agentboard) if options.python else None
    with tempfile.TemporaryDirectory() as folder:
        made = made_cases(Path(folder)) if options.made else cases(options)
        for case in made:
            counts = play(case, options, board)
            total.setdefault(case.prompt[0], Counter()).update(counts)
    for name, counts in total.items():
        print(name, dict(counts))


if __name__ == "__main__":
    main()
