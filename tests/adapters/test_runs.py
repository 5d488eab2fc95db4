"""Ten environments of other packages in a run, with all wrappers, and replayed."""

import gymnasium as gym
import pytest
from gymnasium.envs.registration import EnvSpec

import aq_gym.trajectory
from aq_gym.adapters import TextAdapter
from aq_gym.cli import main
from aq_gym.evaluation import load_run
from aq_gym.trajectory.trust import untrusted
from aq_gym.wrappers import SubgoalProgress

# gymnasium 1.2 has the third version.
TAXI = "Taxi-v4" if "Taxi-v4" in gym.registry else "Taxi-v3"
GOAL = {"function": "aq_gym.adapters.subgoals:rewarded"}
# The subgoals of each; docs/third_party.md lists the same.
TEN = {
    "FrozenLake-v1": {"half way": "row 3, column 1", "goal": "reached the goal"},
    TAXI: {"aboard": "is in the taxi", "delivered": GOAL},
    "CliffWalking-v1": {"row 3": "at row 3", "goal": "reached the goal"},
    "Blackjack-v1": {"won": GOAL},
    "CartPole-v1": {"to the right": r"^\[0\.[1-9]"},
    "Pendulum-v1": {"upright": r"^\[0\.9[5-9]"},
    "MiniGrid-DoorKey-5x5-v0": {"key": r"carrying a \w+ key", "goal": GOAL},
    "MiniGrid-LavaCrossingS9N1-v0": {"goal": GOAL},
    "BabyAI-GoToLocal-v0": {"found": GOAL},
    "BabyAI-UnlockPickup-v0": {"open": r"\w+ open door", "picked up": GOAL},
}


@pytest.fixture(scope="module")
def ids():
    import minigrid  # noqa: F401 (registers some of them)

    ids = []
    for known_id, subgoals in TEN.items():
        known = gym.spec(known_id)
        ids.append(f"ten/{known_id}")
        wrappers = (
            TextAdapter.wrapper_spec(),
            SubgoalProgress.wrapper_spec(subgoals=subgoals),
        )
        gym.register(
            ids[-1], known.entry_point, max_episode_steps=12, kwargs=known.kwargs,
            additional_wrappers=wrappers,
        )  # fmt: skip
    yield ids
    for env_id in ids:
        del gym.registry[env_id]


def test_ten_environments_run_and_replay(ids, tmp_path, capsys):
    out = tmp_path / "out"
    command = ["run", "--episodes", "2", "--out", str(out), "--env", *ids]
    assert main(command) == 0, capsys.readouterr()
    run = load_run(out)
    assert {episode.env for episode in run.episodes} == set(ids)
    assert all(0 < episode.steps <= 12 for episode in run.episodes)
    assert not any(episode.error for episode in run.episodes)
    read = list(aq_gym.trajectory.iter_trajectories(out / "trajectories"))
    assert len(read) == 20
    for trajectory in read:
        info = trajectory.steps[-1]["info"]
        assert {"action_valid", "progress", "repetition_rate"} <= set(info)
        report = aq_gym.trajectory.replay(trajectory.path)
        assert report.identical, (trajectory.path, report.difference)


def test_the_page_lists_them(root):
    page = (root / "docs" / "third_party.md").read_text()
    assert all(known_id in page for known_id in TEN)


def test_another_function_than_the_registered_one_is_not_trusted(ids):
    env = gym.make("ten/Blackjack-v1")
    assert untrusted(env.spec) == ""
    written = env.spec.to_json()
    other = EnvSpec.from_json(
        written.replace("subgoals:rewarded", "subgoals:succeeded")
    )
    assert "'aq_gym.adapters.subgoals:succeeded'" in untrusted(other)
