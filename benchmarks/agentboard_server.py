"""Serve AgentBoard's own environments by JSON lines on the standard streams.

Started by ``agentboard.AgentBoard`` in an environment of its own, with the folder
``agentboard`` of AgentBoard's repository as its argument.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import pickle
import sys
from typing import Any


def make(request: dict[str, Any]) -> Any:
    """Make AgentBoard's environment of a request."""
    if "level" in request:
        from environment.babyai_env import BabyAI  # type: ignore[import-not-found]

        return BabyAI(
            game_name=f"BabyAI-{request['level']}",
            seed=request["seed"],
            obs_to_reward=request["patterns"] or None,
        )
    if "game" in request:
        return _household(request)
    if "title" in request:
        return _story(request)
    if "question" in request:
        return _academia(request)
    import nltk  # type: ignore[import-not-found]

    # Its tokenizer, without the download: a list of English abbreviations, after which
    # no sentence ends; no object of a problem is one.
    nltk.download = lambda *_: None
    sentences = nltk.tokenize.PunktSentenceTokenizer()
    words = nltk.tokenize.NLTKWordTokenizer()
    nltk.word_tokenize = lambda text: [
        word for one in sentences.tokenize(text) for word in words.tokenize(one)
    ]
    from environment.pddl_env.pddl_env import (  # type: ignore[import-not-found]
        PDDL,
    )

    return PDDL(problem_index=request["problem"], game_name=request["domain"])


def _academia(request: dict[str, Any]) -> Any:
    """Make AgentBoard's academia of a question, over graphs that are pickled here."""
    import networkx as nx  # type: ignore[import-untyped]

    with open(request["graphs"], encoding="utf-8") as converted:
        graphs = json.load(converted)
    folder = os.path.join(os.path.dirname(request["graphs"]), "as-agentboard")
    raw = os.path.join(folder, "data", "tool-query", "academia", "raw")
    os.makedirs(raw, exist_ok=True)
    # The nodes are their own ids.
    for name, net, kind in (
        ("paper", "PaperNet", "title"),
        ("author", "AuthorNet", "author"),
    ):
        made = nx.DiGraph()
        for node, record in graphs[net].items():
            made.add_node(node, **record["attributes"])
        for node, record in graphs[net].items():
            made.add_edges_from((node, *edge) for edge in record["edges"].items())
        same = {node: node for node in made}
        for stem, value in (
            (f"{name}_net", made),
            (f"{kind}2id_dict", same),
            (f"id2{kind}_dict", same),
        ):
            with open(os.path.join(raw, f"{stem}.pkl"), "wb") as file:
                pickle.dump(value, file)
    os.environ["PROJECT_PATH"] = folder
    from environment.academia_env import (  # type: ignore[import-not-found]
        AcademiaEnv,
    )

    return AcademiaEnv(dataset=request["question"])


def _story(request: dict[str, Any]) -> Any:
    """Make AgentBoard's Jericho environment of a title."""
    from environment.jericho_env import Jericho  # type: ignore[import-not-found]

    env = Jericho.from_config(
        {
            "game_name": request["title"],
            "game_file": request["file"],
            "obs_to_reward": request["patterns"] or None,
        }
    )
    # Nobody compares its list of valid actions, which takes seconds.
    env.env.get_valid_actions = list
    return env


def _household(request: dict[str, Any]) -> Any:
    """Make AgentBoard's ALFWorld environment over TextWorld, of one game."""
    import textworld
    import textworld.gym
    from alfworld.agents.environment.alfred_tw_env import (
        AlfredDemangler,
        AlfredInfos,
    )
    from environment.alfworld.alfworld_env import (  # type: ignore[import-not-found]
        AlfWorld,
    )

    infos = textworld.EnvInfos(won=True, admissible_commands=True, extras=["gamefile"])
    game = textworld.gym.register_games(
        [request["game"]],
        infos,
        batch_size=1,
        asynchronous=False,
        max_episode_steps=1000,
        wrappers=[AlfredDemangler(shuffle=False), AlfredInfos],
    )
    env = object.__new__(AlfWorld)
    env.env = textworld.gym.make(game)
    name = "/".join(request["game"].split("/")[-3:-1])
    env.labeled_data = {name: {"subgoals": request["subgoals"], "difficulty": "easy"}}
    env.reset()
    return env


def science_answer(env: Any, said: str, done: bool, valid: bool) -> dict[str, Any]:
    """Return what AgentBoard's loop reads after a reset or a step of an experiment."""
    reward = float(env.reward)
    return {"observation": said, "reward": reward, "done": bool(done), "valid": valid}


def experiment(request: dict[str, Any], env: Any) -> dict[str, Any]:
    """Begin an experiment, or take a step of it, as AgentBoard's loop does."""
    if "do" in request:
        said, _, done, _ = env.step(request["do"])
        listed = env.get_action_space(abstract=False)
        return science_answer(env, said, done, request["do"] in listed)
    env.load(request["experiment"], request["variation"], request["simplifications"])
    said, _ = env.reset()
    return science_answer(env, f"{said}\n{env.inventory()}", False, True)


def household_answer(env: Any, said: str, done: bool) -> dict[str, Any]:
    """Return what AgentBoard's loop reads after a reset or a step."""
    return {
        "observation": said,
        "goal": env.goal,
        "reward": float(env.reward),
        "done": bool(done),
        "actions": list(env.get_action_space()),
    }


def story_answer(env: Any, valid: bool) -> dict[str, Any]:
    """Return what AgentBoard's loop reads after a reset or a step in a story."""
    return {
        "observation": env._get_obs(),
        "goal": env._get_goal(),
        "reward": float(env.reward),
        "done": bool(env.done),
        "valid": valid,
    }


def answer(env: Any, valid: bool) -> dict[str, Any]:
    """Return what AgentBoard's loop reads after a reset or a step."""
    return {**story_answer(env, valid), "actions": env._get_action_space()}


def main() -> None:
    """Answer one request per line until the input ends."""
    folder = os.path.abspath(sys.argv[1])
    # Its planning package is looked for from the folder above.
    os.chdir(os.path.dirname(folder))
    sys.path.insert(0, folder)
    env: Any = None
    for line in sys.stdin:
        request = json.loads(line)
        # The engines print.
        with contextlib.redirect_stdout(io.StringIO()):
            if "command" in request:
                said, _, done, _ = env.step(request["command"])
                reply = household_answer(env, said, done)
            elif "line" in request:
                env.step(request["line"])
                reply = story_answer(env, bool(env.infos["action_is_valid"]))
            elif "labels" in request:
                import warnings

                from environment.scienceworld_env import (  # type: ignore[import-not-found]
                    Scienceworld,
                )

                warnings.simplefilter("ignore")
                env = Scienceworld(label_path=request["labels"], envStepLimit=30)
                reply = {"labels": list(env.labels.values())}
            elif "experiment" in request or "do" in request:
                reply = experiment(request, env)
            elif "call" in request:
                said, reward, done, _ = env.step(request["call"])
                reply = {"observation": said, "reward": reward, "done": done}
            elif "question" in request:
                env = make(request)
                reply = {}
            elif "title" in request:
                env = make(request)
                reply = story_answer(env, True)
            elif "game" in request:
                env = make(request)
                reply = household_answer(env, env.init_obs, False)
            elif "action" in request:
                env.step(request["action"])
                reply = answer(env, bool(env.infos.get("action_is_valid", False)))
            else:
                env = make(request)
                reply = answer(env, True)
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
