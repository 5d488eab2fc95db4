r"""Are our requests in AgentQuest's protocol those of its notebooks, to the character?

Runs the code of the notebooks (Mastermind's chat, the tutorials of Sudoku and 2048)
with a stand-in for the model, which compares each request with that of our agent
``llm`` in the same state. The requests are counted, and those that differ.

    git clone https://github.com/nec-research/agentquest
    pip install pydantic termcolor Levenshtein
    python benchmarks/judges/agentquest_prompts.py agentquest
"""

from __future__ import annotations

import argparse
import importlib
import io
import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import gymnasium as gym
from agentquest import tiles

from aq_gym.agents import LLMAgent

# The folder of the tests has a server that keeps the requests of our agent.
sys.path.append(str(Path(__file__).parents[2] / "tests"))
scripted: Any = importlib.import_module("scripted_server")

# The environment, the model's answers, and our arguments for the driver's instance.
CASES: dict[str, tuple[str, tuple[str, ...], Callable[[Any], dict[str, Any]]]] = {
    "agents/mastermind-openai-chat-model-with-metrics.ipynb": (
        "aq/Mastermind-v0",
        ("Guess: 1122", "Let me think.\n\nGuess: 34", "no idea",
         "<think>so</think>Guess: 5566"),
        lambda driver: {"code": driver.goal},
    ),
    "agentquest/tutorial/sudoku-tutorial-langchain.ipynb": (
        "aq/Sudoku-v0",
        ("Row: 0, Column: 2, Value: 4", "Hm.\nRow: 8, Column: 8, Value: 9 it is",
         "pass", "Row: 9, Column: 0, Value: 1", "Row: 4, Column: 4, Value: 5",
         "row: 4, column: 4, value: 5"),
        lambda driver: {"puzzle": _cells(driver.initial_state.value)},
    ),
    "agentquest/tutorial/2048-tutorial-langchain.ipynb": (
        "aq/2048-v0",
        ("Move: w", "I would go left. Move: a", "up", "Move: d", "Move: s", "Move: s",
         "Move: a"),
        lambda driver: {},
    ),
}  # fmt: skip


def _cells(rows: Any) -> str:
    return "".join(map("".join, rows)).replace("*", ".")


class PromptTemplate:
    """LangChain's class, as far as the notebooks use it."""

    def __init__(self, template: str, input_variables: Any) -> None:
        self.template = template


class Model:
    """The model of a notebook and of our agent.

    Attributes:
        scope: The variables of the notebook.
        counts: The requests, and those that differ.
    """

    def __init__(self, path: str) -> None:
        self._id, answers, self._goal = CASES[path]
        self._answers = iter(answers)
        self.scope: dict[str, Any] = {}
        self.counts: Counter[str] = Counter()

    @cached_property
    def game(self) -> tuple[Any, LLMAgent, Any]:
        """Our environment with the notebook's instance, our agent and its server."""
        goal = self._goal(self.scope.get("driver"))
        env = gym.make(self._id, protocol="agentquest", **goal)
        server = scripted.ScriptedServer(
            lambda handler: scripted.answer(self._said)(handler)
        )
        agent = LLMAgent(env, "any", server.url)
        self._seen = env.reset(seed=0)
        agent.reset(*self._seen)
        return env, agent, server

    def say(self, messages: list[dict[str, str]]) -> Any:
        """Give the next answer to both sides, and compare their requests."""
        self._said = next(self._answers)
        env, agent, server = self.game
        observation, _, _, _, info = env.step(agent.act(*self._seen))
        self._seen = observation, info
        self.counts["requests"] += 1
        self.counts["different"] += server.requests[-1]["messages"] != messages
        return SimpleNamespace(content=self._said)

    def invoke(self, text: str) -> Any:
        """Answer a text, as LangChain's model does."""
        return self.say([{"role": "user", "content": text}])

    def create(self, model: str, messages: Any) -> Any:
        """Answer messages, as OpenAI's client does."""
        choice = SimpleNamespace(message=self.say(messages))
        return SimpleNamespace(choices=[choice])


def run(path: str, checkout: Path) -> Counter[str]:
    """Run a notebook, and return the counts of its requests."""
    model = Model(path)
    openai, template, tools = MagicMock(), MagicMock(), MagicMock()
    openai.OpenAI().chat.completions = openai.ChatOpenAI.return_value = model
    template.PromptTemplate, tools.observe = PromptTemplate, lambda function: function
    sys.modules.update({"langchain_core.prompts": template, "openai": openai})
    sys.modules.update({"langchain_openai": openai, "langfuse.decorators": tools})
    sys.modules.update(dict.fromkeys(("dotenv", "langchain_core", "langfuse"), tools))
    driver: Any = importlib.import_module("agentquest.benchmarks.twothousandfortyeight")
    driver.TTFEDriver.place_random_tile = lambda self: setattr(
        self.current_state, "value", tiles(model.game[0])
    )
    cells = json.loads((checkout / path).read_text("utf-8"))["cells"]
    for cell in (one for one in cells if one["cell_type"] == "code"):
        # 2048's loop makes a second move each time, which the model did not choose.
        code = "".join(cell["source"]).replace("obs = driver.step(T", "(T")
        with suppress(StopIteration), redirect_stdout(io.StringIO()):
            exec(code, model.scope)
    return model.counts


def main() -> None:
    """Compare the requests of each notebook."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path, help="a checkout of AgentQuest")
    checkout = parser.parse_args().checkout
    os.environ["AGENTQUEST_DATA"] = str(checkout)
    # Our module of this name must not replace the checkout's package.
    sys.modules.pop("agentquest")
    sys.path.insert(0, str(checkout))
    for path in CASES:
        print(path, dict(run(path, checkout)))


if __name__ == "__main__":
    main()
