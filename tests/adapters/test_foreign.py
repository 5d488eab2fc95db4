"""Environments of TextArena, GEM, SkyRL-gym and TextWorld, the real ones.

Each is skipped where its package is not installed; ``.ci/foreign`` installs them all.
"""

import copy
import importlib.util
import os
import random

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env

import aq_gym
import aq_gym.trajectory
from aq_gym.wrappers import (
    ExtractAction,
    RepetitionRate,
    StepCap,
    SubgoalProgress,
    TrajectoryLogger,
)

# Warnings of the packages are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")

ODD = [
    "",
    " ",
    "\x00",
    "é\u202e",
    "[",
    "[]",
    "[999999999999999]",
    "[-1]",
    "{}",
    "a" * 9999,
]


def package(name):
    """Skip without the package, but fail where all of them are said to be there."""
    missing = importlib.util.find_spec(name) is None
    if missing and os.environ.get("AQ_GYM_TEST_FOREIGN") == "1":
        pytest.fail(f"{name} is not installed", pytrace=False)
    return pytest.mark.skipif(missing, reason=f"needs {name}, as in .ci/foreign")


textarena = package("textarena")
gem = package("gem")
skyrl = package("skyrl_gym")
# AlfWorld's requirement, so that it is installed for the other tests too.
textworld = pytest.mark.skipif(
    os.environ.get("AQ_GYM_TEST_FOREIGN") != "1",
    reason="making a game takes seconds: .ci/foreign does, with AQ_GYM_TEST_FOREIGN=1",
)


@pytest.fixture(scope="session")
def game(tmp_path_factory):
    """A game that TextWorld has made."""
    from textworld import GameOptions, generator

    options = GameOptions()
    options.seeds = 1
    options.path = str(tmp_path_factory.mktemp("textworld") / "game.z8")
    return generator.compile_game(generator.make_game(options), options)


QUESTION = {
    "env": "skyrl:gsm8k_multi_turn",
    "prompt": "How much is 6 times 7?",
    "arguments": {
        "extras": {
            "reward_spec": {"ground_truth": "42"},
            "extra_info": {"max_turns": 3},
        }
    },
}
# The arguments of adapt, and some actions.
CASES = [
    pytest.param(
        {"env": "textarena:GuessTheNumber-v0"}, ["[5]", "[9]", "[3]"], id="textarena",
        marks=textarena,
    ),
    pytest.param(
        {"env": "textarena:Minesweeper-v0"}, ["[3 3]", "[0 0]"], id="textarena-board",
        marks=textarena,
    ),
    pytest.param(
        {"env": "gem:game:GuessTheNumber-v0-hard"},
        ["\\boxed{25}", "\\boxed{9}"], id="gem", marks=gem,
    ),
    pytest.param(
        {"env": "gem:game:Mastermind-v0-hard"},
        ["\\boxed{1 2 3 4}", "\\boxed{8 7 6 5}"], id="gem-mastermind", marks=gem,
    ),
    pytest.param(QUESTION, ["It is #### 41", "so"], id="skyrl", marks=skyrl),
    pytest.param(
        {"env": "textworld:GAME"}, ["look", "inventory", "look"], id="textworld",
        marks=textworld,
    ),
]  # fmt: skip


@pytest.fixture
def make(request):
    made = []

    def make(arguments):
        if arguments["env"] == "textworld:GAME":
            game = request.getfixturevalue("game")
            arguments = {**arguments, "env": f"textworld:{game}"}
        made.append(aq_gym.adapt(**arguments))
        return made[-1]

    yield make
    for env in made:
        env.close()


def play(env, actions, seed):
    """A transcript."""
    results = [env.reset(seed=seed)]
    for action in actions:
        results.append(env.step(action))
        if results[-1][2] or results[-1][3]:
            break
    return results


@pytest.mark.parametrize(("arguments", "actions"), CASES)
def test_the_seed_determines_an_episode(make, arguments, actions):
    """Whatever was played before, and whoever else draws random numbers."""
    env = make(arguments)
    first = play(env, actions, 3)
    play(env, [*actions, *ODD], 4)
    random.seed(99)
    np.random.seed(99)
    assert play(env, actions, 3) == first
    assert play(make(arguments), actions, 3) == first
    env.reset(seed=3)
    drawn = env.reset()
    env.reset(seed=3)
    assert env.reset() == drawn


@pytest.mark.parametrize(("arguments", "actions"), CASES)
def test_gymnasiums_checker_accepts_it(make, arguments, actions):
    check_env(make(arguments), skip_render_check=True)


@pytest.mark.parametrize(("arguments", "actions"), CASES)
def test_no_text_raises(make, arguments, actions):
    env = make(arguments)
    env.reset(seed=0)
    for text in ODD:
        observation, reward, terminated, truncated, info = env.step(text)
        assert env.observation_space.contains(observation)
        assert isinstance(reward, float)
        assert "error" not in info
        if terminated or truncated:
            env.reset()


@pytest.mark.parametrize(("arguments", "actions"), CASES)
def test_all_wrappers_a_spec_and_a_replay(make, arguments, actions, tmp_path):
    env = SubgoalProgress(make(arguments), {"never": "\x00never"})
    env = StepCap(RepetitionRate(env), max_steps=5)
    env = TrajectoryLogger(ExtractAction(env), str(tmp_path))
    played = play(env, [f"Action: {action}" for action in actions], 3)
    assert {"repetition_rate", "progress", "cap"} <= set(played[-1][4])
    made = gym.make(EnvSpec.from_json(env.spec.to_json()))
    assert made.spec == env.spec
    env.close()
    (read,) = aq_gym.trajectory.iter_trajectories(tmp_path)
    assert len(read.steps) == len(played) - 1
    report = aq_gym.trajectory.replay(read.path, trust=True)
    assert report.identical, report.difference


@pytest.mark.parametrize(("arguments", "actions"), CASES[:5])
def test_copies_continue_alike(make, arguments, actions):
    env = make(arguments)
    env.reset(seed=3)
    env.step(actions[0])
    copied = copy.deepcopy(env)
    assert copied.step(actions[1]) == env.step(actions[1])


@textarena
def test_textarena_by_object():
    import textarena as ta

    env = aq_gym.adapt(ta.make("GuessTheNumber-v0"))
    assert env.spec is None
    observation, info = env.reset(seed=0)
    assert "Guess The Number" in observation
    assert info == {"success": False}
    observation, *_, info = env.step("five")
    assert info["action_valid"] is False
    assert "did not respond with valid '[number]'" in info["feedback"]
    assert info["feedback"] in observation
    guesses = (env.step(f"[{number}]") for number in range(1, 21))
    *_, info = next(result for result in guesses if result[2])
    assert info["action_valid"]
    with pytest.raises(gym.error.ResetNeeded):
        env.step("[1]")


@textarena
def test_a_reason_in_place_of_a_reward():
    env = aq_gym.adapt("textarena:Countdown-v0")
    env.reset(seed=0)
    env.step("?")
    observation, reward, terminated, _, info = env.step("?")
    assert (reward, terminated, info["action_valid"]) == (0.0, True, False)
    assert "Invalid action format" in observation == info["feedback"]


@textarena
@pytest.mark.parametrize(
    "name", ["ConnectFour-v0", "TicTacToe-v0", "SpiteAndMalice-v0"]
)
def test_games_for_more_players_are_refused(name):
    env = aq_gym.adapt(f"textarena:{name}")
    with pytest.raises(ValueError, match="not for one player"):
        env.reset(seed=0)


@gem
def test_gem_is_solved():
    import gem

    env = aq_gym.adapt(gem.make("game:GuessTheNumber-v0-easy"))
    observation, info = env.reset(seed=1)
    assert "between 1 and 10" in observation
    assert info["success"] is False
    assert "suffix" in info
    low, high, terminated = 1, 10, False
    while not terminated:
        guess = (low + high) // 2
        observation, reward, terminated, _, info = env.step(f"\\boxed{{{guess}}}")
        low, high = (
            (guess + 1, high) if "is higher" in observation else (low, guess - 1)
        )
    assert (reward, info["success"]) == (1.0, True)


@skyrl
def test_skyrl_is_solved_and_counts_its_turns_anew():
    env = aq_gym.adapt(**QUESTION)
    for _ in range(2):
        assert env.reset()[0] == "How much is 6 times 7?"
        observation, reward, terminated, _, info = env.step("#### 41")
        assert "tentative numeric answer" in observation
        assert (terminated, info["success"], info["metadata"]) == (False, False, {})
        _, reward, terminated, _, info = env.step("#### 42")
        assert (reward, terminated, info["success"]) == (1.0, True, True)
    with pytest.raises(ValueError, match="prompt"):
        aq_gym.adapt(QUESTION["env"], arguments=QUESTION["arguments"])


@textworld
def test_textworld_is_solved_by_its_walkthrough(game):
    import json
    from pathlib import Path

    metadata = json.loads(Path(game).with_suffix(".json").read_text())["metadata"]
    env = aq_gym.adapt(f"textworld:{game}")
    _, info = env.reset(seed=0)
    assert (info["progress"], info["success"]) == (0.0, False)
    rewards = 0.0
    for command in metadata["walkthrough"]:
        assert command in info["admissible_actions"]
        _, reward, terminated, truncated, info = env.step(command)
        rewards += reward
    assert (terminated, truncated, info["success"]) == (True, False, True)
    assert info["progress"] == info["best_progress"] == 1.0
    assert rewards == info["max_score"]
    env.close()


@textworld
def test_a_story_given_by_name_needs_no_frotz(game, monkeypatch, tmp_path):
    """Frotz writes a file in the working directory where an agent types save."""
    import jericho

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(jericho, "FrotzEnv", None)
    env = aq_gym.adapt(f"textworld:{game}")
    env.reset(seed=0)
    assert "Save failed" in env.step("save")[0]
    assert not any(tmp_path.iterdir())
    env.close()


@textworld
@pytest.mark.parametrize("ending", ["quit", "break"])
def test_a_story_that_the_agent_ends_is_scored_as_it_stands(game, monkeypatch, ending):
    from aq_gym.zmachine import Answer, Interpreter, Status

    play = Interpreter.step

    def breaks(self, text):
        failed = Answer("It creaks.", Status.FAILED, "stack overflow")
        return failed if text == "break" else play(self, text)

    monkeypatch.setattr(Interpreter, "step", breaks)
    env = aq_gym.adapt(f"textworld:{game}")
    for _ in range(2):
        env.reset(seed=0)
        before = env.step("look")[4]
        for command in (ending, "yes"):
            observation, reward, over, cut, info = env.step(command)
            if over:
                break
        assert (over, cut, info["success"], "error" in info) == (True, False, False, 0)
        assert (reward, info["progress"]) == (0.0, before["progress"])
        assert ("The game broke: stack overflow." in observation) == (ending == "break")
    env.close()
    failed = Answer("", Status.FAILED, "stack overflow")
    monkeypatch.setattr(Interpreter, "start", lambda self: failed)
    with pytest.raises(RuntimeError, match="stack overflow"):
        aq_gym.adapt(f"textworld:{game}").reset(seed=0)


@textworld
def test_a_story_that_textworld_has_not_made_is_one_of_jericho(tmp_path):
    with pytest.raises(ValueError, match=r"gymnasium.make\('aq/Jericho-v0', game="):
        aq_gym.adapt(f"textworld:{tmp_path / 'zork1.z5'}")
