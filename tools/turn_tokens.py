"""Measure what a step adds to a model's conversation, for ``aq-gym run --dry-run``.

The suite ``full`` is played by the reference agents ``expert`` and ``random``, one
episode of each setting; the tokens are those that LLMAgent counts.

Install: pip install -e '.[all]'
Run it: python tools/turn_tokens.py
"""

import json
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

from aq_gym.evaluation import Suite, run
from aq_gym.evaluation.preflight import TurnTokens
from aq_gym.evaluation.summary import benchmark_of
from aq_gym.models.conversation import estimate_tokens
from aq_gym.models.messages import message
from aq_gym.support.data import CANARY
from aq_gym.trajectory import iter_trajectories

FILE = Path(__file__).parents[1] / "aq_gym" / "evaluation" / "turn_tokens.json"


def main() -> None:
    """Play, and write the table."""
    suite = Suite.load("full").part(episodes=1)
    counts: dict[str, list[dict[str, int]]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for agent in ("expert", "random"):
            run(suite, Path(folder, agent), agent)
            for trajectory in iter_trajectories(Path(folder, agent, "trajectories")):
                rows = counts[benchmark_of(trajectory.header["spec"]["id"])]
                rows += [_tokens(step) for step in trajectory.steps]
    table = {
        name: {key: round(fmean(one[key] for one in rows), 1) for key in rows[0]}
        for name, rows in sorted(counts.items())
    }
    marked = {"canary": CANARY, **table}
    FILE.write_text(json.dumps(marked, indent=1) + "\n", "utf-8")


def _tokens(step: dict[str, Any]) -> dict[str, int]:
    return {
        name: estimate_tokens([message("user", str(step[name]))])
        for name in TurnTokens._fields
    }


if __name__ == "__main__":
    main()
