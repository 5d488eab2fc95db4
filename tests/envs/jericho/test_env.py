"""The environment around a story."""

import re
import shutil
from pathlib import Path

import gymnasium as gym
import pytest
from gymnasium.error import ResetNeeded

import aq_gym  # noqa: F401
from aq_gym.envs.jericho.games import find_game, known_titles

ID = "aq/Jericho-v0"


@pytest.fixture
def env():
    env = gym.make(ID, game="lighthouse")
    yield env
    env.close()


def test_the_first_observation_says_all(env):
    observation, info = env.reset(seed=1)
    assert info["goal"] in observation
    assert "Jetty" in observation
    assert "check valid actions" in observation
    assert info["task_id"].startswith("lighthouse-")
    assert "Moves:" not in observation
    assert not observation.rstrip().endswith(">")


def test_subgoals_are_latched_and_rewarded_once(env):
    env.reset(seed=1)
    rewards = [env.step(a)[1] for a in ("east", "take oil", "drop oil", "take oil")]
    assert rewards == [0.0, pytest.approx(1 / 6), 0.0, 0.0]


@pytest.mark.parametrize(
    "action",
    [
        "frobnicate", "take moon", "save", "", "bob, look", "unlock", "take oil from",
    ],
)  # fmt: skip
def test_what_the_story_does_not_understand_changes_nothing(env, action):
    env.reset(seed=1)
    env.step("east")
    before = env.unwrapped.get_state()
    _, reward, _, _, info = env.step(action)
    if not info["action_valid"]:
        assert info["feedback"]
        assert env.unwrapped.get_state() == before
    assert info["action_valid"] is (action in ("unlock", "take oil from"))
    assert reward == 0.0


def test_death_ends_the_episode_unsolved():
    env = gym.make(ID, game="bathyscaphe")
    env.reset(seed=1)
    for _ in range(60):
        observation, _, terminated, _, info = env.step("wait")
        if terminated:
            break
    assert terminated
    assert not info["success"]
    assert "You have died" in observation
    with pytest.raises(ResetNeeded):
        env.step("look")
    env.close()


def test_a_closed_env_keeps_its_state_and_can_go_on(env):
    env.reset(seed=1)
    env.step("east")
    state = env.unwrapped.get_state()
    env.unwrapped.close()
    assert env.unwrapped.get_state() == state
    assert "Boat Shed" in env.step("look")[0]


@pytest.mark.parametrize(
    "task_id", ["mine-12", "lighthouse-0", "lighthouse-1000000", "lighthouse", "", 12]
)
def test_another_task_is_refused(env, task_id):
    with pytest.raises(ValueError, match="give lighthouse-N"):
        env.reset(options={"task_id": task_id})


def test_splits_are_disjoint():
    seen = {}
    for split in ("train", "test"):
        env = gym.make(ID, game="mine", split=split)
        layout = env.unwrapped._manager.layout
        ids = {env.reset(seed=s)[1]["task_id"] for s in range(20)}
        seen[split] = {layout(int(task_id.removeprefix("mine-"))) for task_id in ids}
        other = next(iter(ids))
        env.close()
    assert len(seen["train"]) > 5
    assert seen["test"]
    assert not seen["train"] & seen["test"]
    train = gym.make(ID, game="mine", split="train")
    with pytest.raises(ValueError, match="is not in split='train'"):
        train.reset(options={"task_id": other})
    train.close()


@pytest.mark.parametrize("game", ["ferry", "lighthouse"])
def test_a_story_of_few_layouts_is_not_divided(game):
    with pytest.raises(ValueError, match=f"{game} has 9 layouts in 60 tasks, too few"):
        gym.make(ID, game=game, split="test")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"game": "atlantis"}, "game='atlantis' is not a file: give one of"),
        ({"game": ""}, "game=''"),
        ({"game": "x" * 5_000}, r"game='x{200}\.\.\.' is not a file"),
        ({"game": "~nobody-of-that-name/x.z5"}, "is not a file"),
        ({"protocol": "agentquest"}, "protocol='agentquest'"),
        ({"max_score": 0}, "max_score=0"),
        ({"split": "dev"}, "split='dev'"),
    ],
)
def test_mistakes_are_named_at_once(arguments, why):
    with pytest.raises(ValueError, match=why):
        gym.make(ID, **arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        {"game": Path("lighthouse")}, {"game": None}, {"games": Path()},
        {"max_score": b"1"}, {"max_score": "a"}, {"max_score": 1.5},
    ],
)  # fmt: skip
def test_the_wrong_type_is_named_at_once(arguments):
    ((name, value),) = arguments.items()
    with pytest.raises(TypeError, match=re.escape(f"{name}={value!r} must be a")):
        gym.make(ID, **arguments)


def test_a_missing_title_says_which_file_is_wanted(tmp_path, monkeypatch):
    monkeypatch.delenv("AQ_GYM_DATA", raising=False)
    with pytest.raises(FileNotFoundError, match=r"zork1\.z5 \(md5 b732a93a"):
        gym.make(ID, game="zork1")
    monkeypatch.setenv("AQ_GYM_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError, match=str(tmp_path)):
        gym.make(ID, game="zork1")


def test_another_file_of_that_name_is_refused(tmp_path):
    (tmp_path / "zork1.z5").write_bytes(find_game("mine").story)
    with pytest.raises(ValueError, match="not the required release"):
        gym.make(ID, game="zork1", games=str(tmp_path))


ZORK = (
    "north", "east", "open window", "in", "west", "take lantern", "move rug",
    "open trap door", "turn on lantern", "down",
)  # fmt: skip


def test_zork_is_solved_by_state(games, monkeypatch, tmp_path):
    monkeypatch.setenv("AQ_GYM_DATA", str(games.parent))
    by_name = gym.make(ID, game="zork1")
    shutil.copy(games / "zork1.z5", tmp_path / "anything.dat")
    by_hash = gym.make(ID, game=str(tmp_path / "anything.dat"))
    for env in (by_name, by_hash):
        _, info = env.reset(seed=1)
        assert info["goal"] == known_titles()["zork1"]["goal"]
        rewards = [env.step(action) for action in ZORK]
        assert rewards[-1][4]["success"]
        assert rewards[-1][2]
        assert sum(step[1] for step in rewards) == pytest.approx(1.0)
        assert rewards[-1][4]["score"] == 35
        env.close()


def test_a_story_that_names_its_highest_score_is_played_for_it(games, monkeypatch):
    monkeypatch.setattr("aq_gym.envs.jericho.games.known_titles", dict)
    env = gym.make(ID, game=str(games / "zork1.z5"))
    env.reset(seed=1)
    assert "open small mailbox" in env.unwrapped.admissible_actions()
    steps = [env.step(action) for action in ZORK]
    assert steps[-1][4]["score"] == 35
    assert steps[-1][4]["progress"] == pytest.approx(0.1)
    assert sum(step[1] for step in steps) == pytest.approx(0.1)
    assert not steps[-1][2]
    env.close()


@pytest.mark.parametrize("game", ["detective", "zork1"])
def test_known_titles_begin_and_judge_lines(games, game):
    env = gym.make(ID, game=game, games=str(games))
    observation, info = env.reset(seed=1)
    assert info["progress"] == 0.0
    assert (info["difficulty"], info["source"]) == ("hard", "published")
    assert observation
    assert env.step("look")[4]["action_valid"]
    assert not env.step("frobnicate the moon")[4]["action_valid"]
    assert env.unwrapped.admissible_actions()
    env.close()
