"""AgentBoard's own environments, as a child of ``harness.py`` with one argument.

Each class makes one of AgentBoard's environments as its loop does, and returns what the
loop reads after a reset and a step. Python packages that a walk does not use, and
services on the network, have stand-ins.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import tempfile
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

from child import serve, stand_in


class Board:
    """An environment whose results are in attributes after each step."""

    env: Any

    def facts(self, valid: bool) -> dict[str, Any]:
        """Return what AgentBoard's loop reads."""
        return {
            "text": self.env._get_obs(),
            "goal": self.env._get_goal(),
            "progress": float(self.env.reward),
            "end": bool(self.env.done),
            "valid": valid,
            "actions": self.actions(),
        }

    def actions(self) -> list[str]:
        """Return the valid actions that it lists."""
        return list(self.env._get_action_space())

    def begin(self, request: dict[str, Any]) -> dict[str, Any]:
        """Make an environment."""
        self.env = self.make(request)
        return self.facts(True)

    def act(self, request: dict[str, Any]) -> dict[str, Any]:
        """Take an action."""
        self.env.step(request["act"])
        return self.facts(bool(self.env.infos.get("action_is_valid", False)))

    def make(self, request: dict[str, Any]) -> Any:
        """Return AgentBoard's environment."""
        raise NotImplementedError


class BabyAI(Board):
    """A level."""

    def make(self, request: dict[str, Any]) -> Any:
        """Return a level with annotated patterns."""
        kind: Any = import_module("environment.babyai_env").BabyAI
        name, found = f"BabyAI-{request['level']}", request["patterns"] or None
        return kind(game_name=name, seed=request["seed"], obs_to_reward=found)


class Pddl(Board):
    """A planning problem."""

    def make(self, request: dict[str, Any]) -> Any:
        """Return a problem; NLTK's tokenizer works without its download.

        The download is a list of English abbreviations, after which no sentence ends;
        no object has the name of an abbreviation.
        """
        import nltk  # type: ignore[import-not-found]

        nltk.download = lambda *_: None
        sentences = nltk.tokenize.PunktSentenceTokenizer()
        words = nltk.tokenize.NLTKWordTokenizer()
        nltk.word_tokenize = lambda text: [
            word for one in sentences.tokenize(text) for word in words.tokenize(one)
        ]
        module: Any = import_module("environment.pddl_env.pddl_env")
        if "files" in request:
            folder = Path(tempfile.mkdtemp())
            for name, text in zip(("domain", "problem"), request["files"], strict=True):
                (folder / name).mkdir()
                (folder / name / f"{name}.pddl").write_text(text, "utf-8")
            module.pddlgym.make = lambda _: module.pddlgym.core.PDDLEnv(
                str(folder / "domain" / "domain.pddl"), str(folder / "problem"),
                operators_as_actions=True, dynamic_action_space=True,
            )  # fmt: skip
        return module.PDDL(
            problem_index=request["problem"], game_name=request["domain"]
        )


class Jericho(Board):
    """A story."""

    def make(self, request: dict[str, Any]) -> Any:
        """Return a story, without its list of valid actions, which takes seconds."""
        kind: Any = import_module("environment.jericho_env").Jericho
        names = {"game_name": request["title"], "game_file": request["file"]}
        env = kind.from_config({**names, "obs_to_reward": request["patterns"] or None})
        env.env.get_valid_actions = list
        return env

    def actions(self) -> list[str]:
        """Return an empty list, because the actions are not compared."""
        return []


class Alfworld(Board):
    """A household, over TextWorld."""

    def make(self, request: dict[str, Any]) -> Any:
        """Return a household of a game file."""
        import textworld
        import textworld.gym
        from alfworld.agents.environment.alfred_tw_env import (
            AlfredDemangler,
            AlfredInfos,
        )

        kind: Any = import_module("environment.alfworld.alfworld_env").AlfWorld
        game = textworld.gym.register_games(
            [request["game"]],
            textworld.EnvInfos(won=True, admissible_commands=True, extras=["gamefile"]),
            batch_size=1,
            asynchronous=False,
            max_episode_steps=1000,
            wrappers=[AlfredDemangler(shuffle=False), AlfredInfos],
        )
        env = object.__new__(kind)
        env.env = textworld.gym.make(game)
        env.labeled_data = {
            "/".join(request["game"].split("/")[-3:-1]): {
                "subgoals": request["patterns"],
                "difficulty": "easy",
            }
        }
        env.reset()
        return env

    def begin(self, request: dict[str, Any]) -> dict[str, Any]:
        """Make a household; its first text is an attribute."""
        self.env = self.make(request)
        return self._said(self.env.init_obs, False)

    def act(self, request: dict[str, Any]) -> dict[str, Any]:
        """Take an action."""
        said, _, done, _ = self.env.step(request["act"])
        return self._said(said, done)

    def _said(self, text: str, done: bool) -> dict[str, Any]:
        return {
            "text": text,
            "goal": self.env.goal,
            "actions": list(self.env.get_action_space()),
            "progress": float(self.env.reward),
            "end": bool(done),
        }


class Scienceworld(Board):
    """An experiment."""

    _file = ""

    def begin(self, request: dict[str, Any]) -> dict[str, Any]:
        """Begin an experiment; the labels of a file are read once."""
        if request["file"] != self._file:
            warnings.simplefilter("ignore")
            kind: Any = import_module("environment.scienceworld_env").Scienceworld
            self._file = request["file"]
            self.env = kind(label_path=self._file, envStepLimit=30)
        name, variation = request["task"], request["variation"]
        self.env.load(name, variation, request["simplifications"])
        said, _ = self.env.reset()
        return self._said(f"{said}\n{self.env.inventory()}", False, True)

    def act(self, request: dict[str, Any]) -> dict[str, Any]:
        """Take an action."""
        said, _, done, _ = self.env.step(request["act"])
        listed = self.env.get_action_space(abstract=False)
        return self._said(said, done, request["act"] in listed)

    def _said(self, text: str, done: bool, valid: bool) -> dict[str, Any]:
        reward = float(self.env.reward)
        return {"text": text, "progress": reward, "end": bool(done), "valid": valid}


class Academia(Board):
    """A question about papers and authors."""

    def begin(self, request: dict[str, Any]) -> dict[str, Any]:
        """Begin a question over graphs that are pickled here."""
        import networkx as nx  # type: ignore[import-untyped]

        graphs = json.loads(Path(request["graphs"]).read_text("utf-8"))
        folder = Path(request["graphs"]).parent / "as-agentboard"
        raw = folder / "data" / "tool-query" / "academia" / "raw"
        raw.mkdir(parents=True, exist_ok=True)
        kinds = (("paper", "PaperNet", "title"), ("author", "AuthorNet", "author"))
        for name, net, kind in kinds:
            made = nx.DiGraph()
            records = graphs[net].items()
            made.add_nodes_from((node, one["attributes"]) for node, one in records)
            made.add_edges_from(
                (node, *edge) for node, one in records for edge in one["edges"].items()
            )
            # Each node is its own id.
            same = {node: node for node in made}
            tables = {f"{name}_net": made, f"{kind}2id_dict": same}
            for stem, value in {**tables, f"id2{kind}_dict": same}.items():
                (raw / f"{stem}.pkl").write_bytes(pickle.dumps(value))
        if not (folder / "agentboard").exists():
            (folder / "agentboard").symlink_to(Path.cwd() / "agentboard")
        os.environ["PROJECT_PATH"] = str(folder)
        module: Any = import_module("environment.academia_env")
        self.env = module.AcademiaEnv(dataset=request["question"])
        return {}

    def act(self, request: dict[str, Any]) -> dict[str, Any]:
        """Make a call."""
        said, reward, done, _ = self.env.step(request["act"])
        return {"text": str(said), "progress": float(reward), "end": bool(done)}


class Todo(Board):
    """A to-do list, with a service in memory in place of Todoist."""

    def begin(self, request: dict[str, Any]) -> dict[str, Any]:
        """Begin a task with golden results."""
        import todo_service

        todo_service.clear()
        folder = Path(request["folder"])
        if not (folder / "agentboard" / "prompts").exists():
            prompts = Path.cwd() / "agentboard" / "prompts"
            (folder / "agentboard" / "prompts").symlink_to(prompts)
        os.environ["PROJECT_PATH"] = str(folder)
        stand_in("requests", get=todo_service.get, post=todo_service.post,
                 delete=todo_service.delete)  # fmt: skip
        stand_in("utils.logging")
        stand_in("utils.logging.agent_logger", AgentLogger=object)
        module: Any = import_module("environment.todo_env")
        goals = {"ground_truth": None, "ground_truth_subgoals": request["golden"]}
        self.env = module.TodoEnv({"goal": "", **goals})
        self.env.todo_toolkits.current_date = "2015-05-31"
        self.env.todo_toolkits.current_location = "New York"
        return {}

    act = Academia.act


KINDS: dict[str, Board] = {
    "babyai": BabyAI(),
    "pddl": Pddl(),
    "jericho": Jericho(),
    "alfworld": Alfworld(),
    "scienceworld": Scienceworld(),
    "academia": Academia(),
    "todo": Todo(),
}
_current: Board | None = None


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Begin an episode of some kind, or take an action in it."""
    global _current
    if "begin" in request:
        _current = KINDS[request["begin"]]
        return _current.begin(request)
    assert _current is not None
    return _current.act(request)


if __name__ == "__main__":
    checkout = Path(sys.argv[1]).resolve()
    # The planning package is searched for in the folder above the code.
    os.chdir(checkout)
    os.environ["PROJECT_PATH"] = str(checkout)
    sys.path.insert(0, str(checkout / "agentboard"))
    serve(answer)
