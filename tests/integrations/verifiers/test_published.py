"""A package of ``aq-gym publish --for hub`` is a taskset of verifiers."""

import importlib

import pytest

pytest.importorskip("verifiers", reason="needs verifiers, as in .ci/integrations")
from verifiers.v1.cli import validate

from aq_gym.integrations.publish import write_package

pytestmark = pytest.mark.filterwarnings("ignore")
GAMES = ["aq/Mastermind-v0?code_length=3", "aq/PDDL-v0?domain=gripper"]


@pytest.fixture
def package(tmp_path, monkeypatch):
    write_package(tmp_path / "package", "hub", GAMES, name="my-games", episodes=2)
    monkeypatch.syspath_prepend(tmp_path / "package")
    monkeypatch.chdir(tmp_path)
    return importlib.import_module("my_games")


def test_it_loads_its_tasks_and_others(package):
    rows = list(package.load_environment().taskset.take(9))
    assert [row.data.description for row in rows] == [GAMES[0]] * 2 + [GAMES[1]] * 2
    (row,) = package.load_environment(env=GAMES[0], episodes=1).taskset.take(9)
    assert row.data.description == GAMES[0]


def test_its_tasks_are_valid(package, tmp_path):
    words = ["my_games", "--runtime.type", "subprocess", "--rich", "False"]
    validate.main(words)
    (summary,) = tmp_path.glob("outputs/*/summary.json")
    assert '"valid": 4' in summary.read_text()
