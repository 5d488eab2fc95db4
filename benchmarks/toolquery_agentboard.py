"""Is ToolQuery's ``protocol="agentboard"`` the same as AgentBoard's academia?

See ``agentboard.py`` for what it needs, and networkx, pandas, jsonlines and
python-dotenv besides. AgentBoard's own graphs are not read: both play our generated
papers and authors, in the form of its data, with the expert and with random walks, the
same actions in both. Counts the steps at which the observation, the reward or the end
differ; of malformed calls only the reward and the end, as their errors have our words.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from agentboard import AgentBoard, compare, parser

from aq_gym.core import TextEnv
from aq_gym.envs.toolquery.logic.worlds import database

STEPS = 300
ODD = (
    "paperNodeCheck with Action Input: {}",
    'neighbourCheck with Action Input: {"graph": "PaperNet"}',
    'paperNodeCheck with Action Input: {"node": "Unfinished Work"}',
    "Finish with Action Input: {}",
    "fly with Action Input: {}",
)


def graphs() -> dict[str, Any]:
    """Return the graphs of a generated database in the converted form."""
    data = database("academia", 0, 60)
    papers, authors = data["paper"], data["author"]
    shown = ("year", "venue", "citations", "keywords")
    return {
        "PaperNet": {
            paper["title"]: {
                "attributes": {field: paper[field] for field in shown},
                "edges": {papers[key]["title"]: {} for key in paper["references"]},
            }
            for paper in papers.values()
        },
        "AuthorNet": {
            author["name"]: {
                "attributes": {one: author[one] for one in ("name", "organization")},
                "edges": {
                    authors[key]["name"]: {
                        "collaborative_papers": [
                            papers[one]["title"]
                            for one in author["papers"]
                            if one in authors[key]["papers"]
                        ]
                    }
                    for key in author["coauthors"]
                },
            }
            for author in authors.values()
        },
    }


def questions(made: dict[str, Any], rng: np.random.Generator) -> list[dict[str, Any]]:
    """Return questions whose subgoals are results, some of them twice."""
    lines = []
    for net, kind in (("PaperNet", "paper"), ("AuthorNet", "author")) * 20:
        nodes = list(made[net])
        node = nodes[int(rng.integers(len(nodes)))]
        record = made[net][node]
        goals = [f"{net} is loaded.", record["attributes"], list(record["edges"])]
        answer = sorted(record["edges"])
        more = {"answer": answer, "tool": "academia", "kind": kind}
        goals += [answer]
        lines.append({"goal": node, "subgoals": goals, "additional_info": more})
    return lines


def walk(
    board: AgentBoard, folder: Path, number: int, line: dict[str, Any], expert: bool
) -> Counter[str]:
    """Play one question in both, and count the differences."""
    env = gym.make(
        "aq/ToolQuery-v0",
        world="academia",
        protocol="agentboard",
        data_dir=str(folder),
        max_episode_steps=STEPS + 1,
    )
    ours = env.unwrapped
    assert isinstance(ours, TextEnv)
    env.reset(seed=0, options={"task_id": f"agentboard-academia-{number}"})
    question = {
        "goal": line["goal"],
        "ground_truth": line["additional_info"]["answer"],
        "ground_truth_subgoals": line["subgoals"],
    }
    graph = str(folder / "academia" / "graphs.json")
    board.ask(question=question, graphs=graph)
    rng = np.random.default_rng(number)
    counts = Counter(episodes=1)
    for step in range(STEPS):
        # A call that ends the episode is rare in a random walk.
        action = ours.expert_action() if expert else ours.sample_action(rng)
        while not expert and "finish" in action and step < STEPS - 1:
            action = ours.sample_action(rng)
        name, _, rest = action.partition("(")
        action = f"{name} with Action Input: {_arguments(rest[:-1])}"
        if not expert and rng.random() < 0.1:
            action = ODD[int(rng.integers(len(ODD)))]
        result = env.step(f"Action: {action}")
        theirs = board.ask(call=f"Action: {action}")
        odd = not result[4]["action_valid"] or action.startswith("check_valid")
        counts["malformed"] += odd
        if odd:
            theirs["observation"] = result[0]
        if compare(counts, result, theirs):
            break
    counts["successes"] += theirs["done"] and theirs["reward"] == 1.0
    counts["our successes"] += ours.success()
    env.close()
    return counts


def _arguments(text: str) -> str:
    """Return the arguments of a call as JSON: ``a="b", c=["d"]``."""
    found, decoder = {}, json.JSONDecoder()
    while text:
        name, _, rest = text.partition("=")
        found[name.strip(", ")], end = decoder.raw_decode(rest)
        text = rest[end:]
    return json.dumps(found)


def main() -> None:
    """Play both and print the counts."""
    options = parser(__doc__.splitlines()[0]).parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, made = Path(name), graphs()
        (folder / "academia").mkdir()
        (folder / "academia" / "graphs.json").write_text(json.dumps(made), "utf-8")
        lines = questions(made, np.random.default_rng(0))
        (folder / "test.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
        with AgentBoard(options.python, options.agentboard) as board:
            for expert in (True, False):
                total: Counter[str] = Counter()
                for number, line in enumerate(lines):
                    total += walk(board, folder, number, line, expert)
                print("expert" if expert else "random", dict(total))


if __name__ == "__main__":
    main()
