"""Each seed gives the same instance as before, for every id.

After a deliberate change, ``python tests/core/test_seeds.py`` writes the table again.
"""

import hashlib
import json
from importlib.util import find_spec
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest

from aq_gym.registration import TABLE

FILE = Path(__file__).with_name("seeds.json")
SEEDS = range(3)
# Further arguments that change how instances are drawn; those of the suites are added.
MORE = {
    "aq/Mastermind-v0": [{"repeats": False}, {"protocol": "agentquest"}],
    "aq/Sudoku-v0": [{"protocol": "agentquest"}, {"split": "test"}],
    "aq/Hangman-v0": [{"length": 7}, {"protocol": "agentquest"}],
    "aq/Wordle-v0": [{"length": 4}, {"protocol": "agentquest"}],
    "aq/Cipher-v0": [{"protocol": "agentquest"}],
    "aq/2048-v0": [{"size": 3, "goal": 64}, {"protocol": "agentquest"}],
    "aq/BabyAI-text-v0": [{"protocol": "agentboard"}, {"split": "test"}],
    "aq/ALFWorld-v0": [{"receptacles": 9, "distractors": 3}],
    "aq/GSM8K-v0": [{"split": "test"}],
    "aq/MMLU-v0": [{"split": "test"}],
    "aq/WebShop-v0": [{"products": 300}, {"split": "test"}],
}


def settings_of(row):
    """The settings in which an id is pinned."""
    given = [{}, *(dict(kwargs) for _, kwargs in row.suite), *MORE.get(row.id, ())]
    return {json.dumps(kwargs, sort_keys=True): kwargs for kwargs in given}


def instances_of(row):
    """A digest of task id, goal and first observation, by arguments and seed."""
    found = {}
    for name, kwargs in settings_of(row).items():
        env = gym.make(row.id, **kwargs)
        shown = []
        for seed in SEEDS:
            observation, info = env.reset(seed=seed)
            text = "\n".join([info["task_id"], info["goal"], observation])
            shown.append(hashlib.sha256(text.encode()).hexdigest()[:12])
        env.close()
        found[name] = " ".join(shown)
    return found


def marked(row):
    needs = pytest.mark.needs(*(f"module:{name}" for name in row.requires))
    return pytest.param(row, marks=needs, id=row.id)


@pytest.mark.parametrize("row", [*map(marked, TABLE)])
def test_a_seed_gives_the_same_instance_as_before(row):
    assert instances_of(row) == json.loads(FILE.read_text())[row.id]


@pytest.mark.parametrize("name", ["Cipher", "Mastermind", "Mystery", "Wordle"])
def test_a_sample_is_no_cheat(name):
    """A generator with the episode's seed must not draw the instance again."""
    env = gym.make(f"aq/{name}-v0")
    solved = 0
    for seed in range(200):
        env.reset(seed=seed)
        guess = env.unwrapped.sample_action(np.random.default_rng(seed))
        solved += env.step(guess)[4]["success"]
    assert solved <= 2


if __name__ == "__main__":
    kept = json.loads(FILE.read_text()) if FILE.exists() else {}
    for row in TABLE:
        if all(map(find_spec, row.requires)):
            kept[row.id] = instances_of(row)
    FILE.write_text(json.dumps(kept, indent=1) + "\n")
