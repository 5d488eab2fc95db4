"""Trajectories that an earlier interpreter recorded replay to the same texts.

Each adventure has walks of the expert, of random commands, and of both mixed with
unusual and hostile input.
"""

import json
from pathlib import Path

import gymnasium as gym
import pytest

import aq_gym  # noqa: F401
from aq_gym.envs.jericho.games import ADVENTURES

GOLDEN = Path(__file__).parent / "golden"
# Answers that changed when the adventures were given common commands.
CHANGED = {
    ("say", "Nobody answers."): ("You call out. Nobody answers.",),
    ("rap", "There is no door to knock on here."): (
        "What do you want to rap on?",
        "(on the lobster pot)\nYou knock. Nobody answers.",
    ),
}


@pytest.mark.parametrize("name", ADVENTURES)
def test_recorded_walks_replay(name):
    golden = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    texts = golden["texts"]
    env = gym.make("aq/Jericho-v0", game=name, instructions=False).unwrapped
    for walk in golden["walks"]:
        options = {"task_id": walk["task_id"]}
        assert env.reset(options=options)[0] == texts[walk["opening"]]
        for action, text, progress, location, valid, ended in walk["steps"]:
            observation, _, terminated, truncated, info = env.step(action)
            where = f"{walk['task_id']}: {action!r}"
            known = CHANGED.get((action, texts[text]), (texts[text],))
            assert observation in known, where
            assert info["progress"] == pytest.approx(progress, abs=1e-6), where
            assert info["location"] == texts[location], where
            assert info["action_valid"] is bool(valid), where
            assert terminated is bool(ended), where
            assert not truncated, where
    env.close()
