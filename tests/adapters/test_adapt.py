"""What adapt recognizes, what all adapters share, and runs of ten environments."""

import importlib.util
import random

import gymnasium as gym
import numpy as np
import pytest
from foreign_envs import Room
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import DependencyNotInstalled, ResetNeeded

import aq_gym
import aq_gym.trajectory
from aq_gym.adapters import TextAdapter
from aq_gym.adapters.foreign import ForeignEnv, Reply
from aq_gym.cli import main
from aq_gym.evaluation import load_run
from aq_gym.trajectory.trust import untrusted
from aq_gym.wrappers import SubgoalProgress, TrajectoryLogger


class Dice(ForeignEnv):
    """Rolls with the generators of the process; breaks when told to."""

    def _begin(self, seed):
        return f"{random.random()} {np.random.rand()}", {}

    def _play(self, action):
        if action == "break":
            raise KeyError("broken")
        roll = f"{random.random()} {np.random.rand()}"
        return Reply(roll, 0.5, action == "end", False, {"n": 1})


def test_gymnasium_becomes_a_text_adapter():
    env = aq_gym.adapt(gym.make("FrozenLake-v1"))
    assert isinstance(env, TextAdapter)
    assert "P F F F" in env.reset(seed=0)[0]
    assert isinstance(aq_gym.adapt("FrozenLake-v1"), TextAdapter)
    env = aq_gym.adapt("FrozenLake-v1", arguments={"map_name": "8x8"})
    assert "P F F F F F F F" in env.reset(seed=0)[0]


def test_text_stays_as_it_is():
    room = Room()
    assert aq_gym.adapt(room) is room
    mastermind = gym.make("aq/Mastermind-v0")
    assert aq_gym.adapt(mastermind) is mastermind


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"env": object()},
            TypeError,
            "must be an environment of Gymnasium, TextArena",
        ),
        ({"env": Room(), "prompt": "x"}, ValueError, "prompt='x' does not apply"),
        ({"env": Room(), "arguments": {"a": 1}}, ValueError, "env to be given by name"),
        ({"env": "Nowhere-v0"}, gym.error.NameNotFound, "Nowhere"),
    ],
)
def test_what_cannot_be_adapted_raises(arguments, error, message):
    with pytest.raises(error, match=message):
        aq_gym.adapt(**arguments)


@pytest.mark.parametrize(
    ("name", "module", "package"),
    [("gem:x", "gem", "gem-llm"), ("textarena:x", "textarena", "textarena"),
     ("skyrl:x", "skyrl_gym", "skyrl-gym")],
)  # fmt: skip
def test_a_missing_package_is_named(name, module, package):
    if importlib.util.find_spec(module):
        pytest.skip(f"{module} is installed")
    with pytest.raises(DependencyNotInstalled, match=f"pip install {package}"):
        aq_gym.adapt(name)


def test_an_id_with_adapt_as_its_entry_point(tmp_path, request):
    request.addfinalizer(lambda: gym.registry.pop("test/Lake-v0"))
    gym.register(
        "test/Lake-v0", "aq_gym.adapters:adapt", max_episode_steps=9,
        kwargs={"env": "FrozenLake-v1", "arguments": {"is_slippery": False}},
    )  # fmt: skip
    env = TrajectoryLogger(gym.make("test/Lake-v0"), str(tmp_path))
    env.reset(seed=0)
    env.step("down")
    env.close()
    (read,) = aq_gym.trajectory.iter_trajectories(tmp_path)
    assert aq_gym.trajectory.replay(read.path).identical


def test_random_numbers_are_private():
    random.seed(1)
    np.random.seed(1)
    expected = random.random(), np.random.rand()
    random.seed(1)
    np.random.seed(1)
    env = Dice()
    first = [env.reset(seed=7)[0], env.step("")[0], env.step("")[0]]
    assert (random.random(), np.random.rand()) == expected
    assert len(set(first)) == 3
    again = [env.reset(seed=7)[0], env.step("")[0]]
    random.random()
    assert [*again, env.step("")[0]] == first
    assert env.reset(seed=8)[0] != first[0]
    assert env.reset()[0] != env.reset()[0]


def test_a_failure_is_an_error_and_not_a_score():
    env = Dice()
    env.reset(seed=0)
    _, reward, terminated, truncated, info = env.step("break")
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert "failed on 'break': KeyError: 'broken'" in info["error"]
    with pytest.raises(ResetNeeded):
        env.step("")
    env.reset()
    assert env.step("end")[2]


def test_developers_mistakes_raise():
    env = Dice()
    with pytest.raises(ResetNeeded):
        env.step("")
    with pytest.raises(ValueError, match="options"):
        env.reset(options={"a": 1})
    env.reset()
    with pytest.raises(TypeError, match="action=1 must be a str"):
        env.step(1)


@pytest.mark.parametrize(
    ("name", "result", "reached"),
    [
        ("rewarded", (1, True, {}), True),
        ("rewarded", (0.0, True, {"success": True}), False),
        ("rewarded", (-1, False, {}), False),
        ("succeeded", (1.0, True, {"success": True}), True),
        ("succeeded", (1.0, True, {"success": False}), False),
        ("succeeded", (1.0, True, {}), False),
    ],
)
def test_subgoals_for_many_environments(name, result, reached):
    reward, terminated, info = result

    class Once(Dice):
        def _play(self, action):
            return Reply("", reward, terminated, False, dict(info))

    function = {"function": f"aq_gym.adapters.subgoals:{name}"}
    env = SubgoalProgress(Once(), {"done": function, "never": "never"})
    assert env.reset(seed=0)[1]["subgoals"]["done"] is False
    assert env.step("")[4]["subgoals"]["done"] is reached


class Drift(Dice):
    deterministic = False


def test_what_is_declared_as_not_deterministic_is_not_replayed(tmp_path):
    """By the attribute, or by a spec of Gymnasium's."""
    gym.register("test/Drift-v0", "foreign_envs:Room", nondeterministic=True)
    by_spec = TrajectoryLogger(gym.make("test/Drift-v0"), str(tmp_path / "spec"))
    by_attribute = TrajectoryLogger(Drift(), str(tmp_path / "attribute"))
    for env in (by_spec, by_attribute):
        env.reset(seed=0)
        env.step("look")
        env.close()
    del gym.registry["test/Drift-v0"]
    (path,) = (tmp_path / "spec").iterdir()
    with pytest.raises(ValueError, match="declared nondeterministic"):
        aq_gym.trajectory.replay(path, trust=True)
    (path,) = (tmp_path / "attribute").iterdir()
    with pytest.raises(ValueError, match="declared nondeterministic"):
        aq_gym.trajectory.replay(path, Drift())
    assert aq_gym.trajectory.replay(path, Dice()).identical
    with pytest.raises(ValueError, match="register it with nondeterministic"):
        aq_gym.adapt("FrozenLake-v1", deterministic=True)


@pytest.mark.parametrize("text", ["\\U", "look\\", "a\0b", "\x1b[2J", "\ud800", "é"])
def test_textworlds_interpreter_gets_plain_text(text):
    from aq_gym.adapters.textworld import _command

    sent = _command(text * 200)
    assert len(sent) <= 200 and sent.isascii() and sent.isprintable()
    assert "\\" not in sent


# gymnasium 1.2 has the third version.
TAXI = "Taxi-v4" if "Taxi-v4" in gym.registry else "Taxi-v3"
GOAL = {"function": "aq_gym.adapters.subgoals:rewarded"}
# The subgoals of each; docs/third_party.md lists some of them.
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


def test_another_function_than_the_registered_one_is_not_trusted(ids):
    env = gym.make("ten/Blackjack-v1")
    assert untrusted(env.spec) == ""
    written = env.spec.to_json()
    other = EnvSpec.from_json(
        written.replace("subgoals:rewarded", "subgoals:succeeded")
    )
    assert "'aq_gym.adapters.subgoals:succeeded'" in untrusted(other)
