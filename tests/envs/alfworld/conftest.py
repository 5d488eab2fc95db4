"""Fixtures: the official games, where they are present, and generated ones."""

import os
from pathlib import Path

import pytest

from aq_gym.envs.alfworld.households import generate
from aq_gym.envs.alfworld.logic.build import build_house
from aq_gym.envs.alfworld.official import load_game

SHARED = os.environ.get("AQ_GYM_SHARED", Path(__file__).parents[4] / "shared")
DATA = Path(SHARED) / "data" / "alfworld"
OFFICIAL = sorted((DATA / "json_2.1.1").glob("*/*/*/game.tw-pddl"))


def pytest_generate_tests(metafunc):
    if "official" in metafunc.fixturenames:
        absent = pytest.mark.skip(reason=f"no official games in {DATA.name}")
        params = OFFICIAL or [pytest.param(None, marks=absent)]
        metafunc.parametrize(
            "official", params, ids=lambda path: path.parts[-3] if path else "absent"
        )


@pytest.fixture
def official_data(monkeypatch):
    """Point ALFWORLD_DATA at the official games."""
    if not OFFICIAL:
        pytest.skip(f"no official games in {DATA.name}")
    monkeypatch.setenv("ALFWORLD_DATA", str(DATA))


@pytest.fixture
def official_game(official):
    return load_game(official)


@pytest.fixture
def house():
    """Build generated households."""

    def build(task_type, number=0, split="all"):
        draft = generate(task_type, number, split)
        return build_house(draft.atoms, draft.goal)

    return build
