r"""Are our requests in AgentQuest's protocol those of its notebooks, to the character?

Runs the code of the notebooks, with stand-ins for the clients of its frameworks, which
keep the messages and return the same answers as a local server returns to our agent
``llm``: Mastermind's chat with OpenAI's client and with LangChain, and the tutorials of
Sudoku and 2048. Counted are the requests that differ. ``--show`` prints them.

    git clone https://github.com/nec-research/agentquest
    pip install pydantic termcolor Levenshtein
    python benchmarks/judges/agentquest_prompts.py agentquest
"""

from __future__ import annotations

import argparse
import copy
import importlib
import io
import json
import os
import sys
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import gymnasium as gym
from kept_requests import Server

import aq_gym  # noqa: F401 (registers the ids)
from aq_gym.agents import LLMAgent

CHAT = "agents/mastermind-openai-chat-model-with-metrics.ipynb"
LANGCHAIN = "agents/mastermind-langchain-chat-model.ipynb"
SUDOKU = "agentquest/tutorial/sudoku-tutorial-langchain.ipynb"
GAME_2048 = "agentquest/tutorial/2048-tutorial-langchain.ipynb"
GUESSES = (
    "Guess: 1122",
    "Let me think.\n\nGuess: 34",
    "no idea",
    "<think>so</think>Guess: 5566",
)
PLACES = (
    "Row: 0, Column: 2, Value: 4", "Hm.\nRow: 8, Column: 8, Value: 9 it is", "pass",
    "Row: 9, Column: 0, Value: 1", "Row: 4, Column: 4, Value: 5",
    "row: 4, column: 4, value: 5",
)  # fmt: skip
MOVES = (
    "Move: w",
    "I would go left. Move: a",
    "up",
    "Move: d",
    "Move: s",
    "Move: s",
    "Move: a",
)


class Case(NamedTuple):
    """A notebook.

    Attributes:
        path: Where it is in the checkout.
        id: The id of our environment.
        answers: What the model says.
        goal: Returns the arguments of our environment from those of its driver.
    """

    path: str
    id: str
    answers: tuple[str, ...]
    goal: Callable[[Any], dict[str, Any]]


def board(driver: Any) -> dict[str, Any]:
    """Return the puzzle of a driver."""
    rows = driver.initial_state.value
    return {"puzzle": "".join(map("".join, rows)).replace("*", ".")}


CASES = (
    Case(CHAT, "aq/Mastermind-v0", GUESSES, lambda driver: {"code": driver.goal}),
    Case(LANGCHAIN, "aq/Mastermind-v0", GUESSES, lambda driver: {"code": driver.goal}),
    Case(SUDOKU, "aq/Sudoku-v0", PLACES, board),
    Case(GAME_2048, "aq/2048-v0", MOVES, lambda driver: {}),
)


class EndOfAnswersError(Exception):
    """The model has said everything."""


class Model:
    """The clients of a notebook, which keep the requests."""

    def __init__(self, answers: tuple[str, ...]) -> None:
        self.requests: list[list[dict[str, str]]] = []
        self._answers = iter(answers)

    def say(self, messages: list[dict[str, str]]) -> str:
        """Keep a request and return the next answer."""
        self.requests.append(copy.deepcopy(messages))
        for answer in self._answers:
            return answer
        raise EndOfAnswersError

    def modules(self) -> dict[str, ModuleType]:
        """Return what a notebook imports."""

        def module(name: str, **names: Any) -> ModuleType:
            made = ModuleType(name)
            made.__dict__.update(names)
            return made

        def create(model: str, messages: Any) -> Any:
            said = SimpleNamespace(content=self.say(messages))
            return SimpleNamespace(choices=[SimpleNamespace(message=said)])

        chat = SimpleNamespace(completions=SimpleNamespace(create=create))

        class Chat:
            def __init__(chat, **_: Any) -> None: ...

            def __call__(chat, messages: Any) -> Any:
                return SimpleNamespace(content=self.say(messages))

            def invoke(chat, text: str) -> Any:
                return chat([{"role": "user", "content": text}])

        class Template:
            def __init__(self, template: str, input_variables: Any) -> None:
                self.template = template

        def user(content: str) -> dict[str, str]:
            return {"role": "user", "content": content}

        def assistant(content: str) -> dict[str, str]:
            return {"role": "assistant", "content": content}

        empty = SimpleNamespace(format_messages=list)
        made = (
            module("dotenv", load_dotenv=lambda: None),
            module("openai", OpenAI=lambda **_: SimpleNamespace(chat=chat)),
            module("langchain_openai", AzureChatOpenAI=Chat, ChatOpenAI=Chat),
            module(
                "langchain.prompts",
                ChatPromptTemplate=SimpleNamespace(from_messages=lambda _: empty),
            ),
            module("langchain.schema.messages", HumanMessage=user, AIMessage=assistant),
            module("langchain_core.prompts", PromptTemplate=Template),
            module("langfuse.decorators", observe=lambda function: function),
        )
        folders = ("langchain", "langchain.schema", "langchain_core", "langfuse")
        return {one.__name__: one for one in (*map(module, folders), *made)}


def with_our_tiles() -> None:
    """Give AgentQuest's 2048 the tiles of ours."""
    package = importlib.import_module("agentquest.benchmarks.twothousandfortyeight")

    class Driver(package.TTFEDriver):  # type: ignore[misc, name-defined]
        def reset(self) -> Any:
            self.env: Any = gym.make("aq/2048-v0", protocol="agentquest")
            self.env.reset(seed=0)
            return super().reset()

        def place_random_tile(self) -> None:
            levels = self.env.unwrapped._game.board
            board = [[1 << n if n else 0 for n in row] for row in levels]
            self.current_state.value = board

        def step_raw(self, raw_text: str) -> Any:
            self.env.step(raw_text)
            return super().step_raw(raw_text)

    package.TTFEDriver = Driver  # type: ignore[attr-defined]


def theirs(case: Case, checkout: Path) -> tuple[Any, list[Any]]:
    """Run a notebook and return its driver and its requests."""
    model = Model(case.answers)
    sys.modules.update(model.modules())
    cells = json.loads((checkout / case.path).read_text())["cells"]
    code = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
    if case.path == GAME_2048:
        with_our_tiles()
        # Its loop makes a second move each time, which is no answer of the model.
        second = "obs = driver.step(TTFEAction"
        code = [one.replace(second, "(TTFEAction") for one in code]
    scope: dict[str, Any] = {}
    with suppress(EndOfAnswersError):
        for cell in code:
            exec(cell, scope)
    return scope["driver"], model.requests


def ours(case: Case, kwargs: dict[str, Any], count: int) -> list[Any]:
    """Play our environment with our agent and return its requests."""
    env = gym.make(case.id, protocol="agentquest", **kwargs)
    said = Server()
    agent = LLMAgent(env, "any", said.url)
    observation, info = env.reset(seed=0)
    agent.reset(observation, info)
    for said.answer in (*case.answers, "the end")[:count]:
        observation, _, over, _, info = env.step(agent.act(observation, info))
        if over:
            break
    env.close()
    return [request["messages"] for request in said.requests]


def main() -> None:
    """Compare the requests of each notebook."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path, help="a checkout of AgentQuest")
    parser.add_argument("--show", action="store_true", help="print what differs")
    options = parser.parse_args()
    os.environ["AGENTQUEST_DATA"] = str(options.checkout)
    sys.path.insert(0, str(options.checkout))
    for case in CASES:
        with redirect_stdout(io.StringIO()):
            driver, wanted = theirs(case, options.checkout)
        sent = ours(case, case.goal(driver), len(wanted))
        pairs = list(zip(sent, wanted, strict=True))
        if case.path == LANGCHAIN:
            # It sends no first message of the system.
            pairs = [(mine[1:], other) for mine, other in pairs]
        different = [pair for pair in pairs if pair[0] != pair[1]]
        print(case.path, f"{len(pairs)} requests, {len(different)} different")
        if options.show:
            print(json.dumps(different, indent=1))


if __name__ == "__main__":
    main()
