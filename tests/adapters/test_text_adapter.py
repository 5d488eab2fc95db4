"""Any Gymnasium environment as text: what is written, what is read."""

import copy
import json
import pickle

import gymnasium as gym
import minigrid
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec
from hypothesis import given
from hypothesis import strategies as st

import aq_gym.trajectory
from aq_gym.adapters import TextAdapter
from aq_gym.core.help import HELP_ACTIONS
from aq_gym.envs.babyai import text as babyai_text
from aq_gym.envs.babyai.generation import generate
from aq_gym.envs.babyai.logic.view import View
from aq_gym.envs.babyai.logic.world import World
from aq_gym.wrappers import (
    ExtractAction,
    RepetitionRate,
    StepCap,
    SubgoalProgress,
    TrajectoryLogger,
)


class Echo(gym.Env):
    """Remembers the actions it is given."""

    def __init__(self, actions, observations=None):
        self.action_space = actions
        self.observation_space = observations or spaces.Discrete(2)
        self.seen = []

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.seen = []
        return self.observation_space.sample(), {}

    def step(self, action):
        assert self.action_space.contains(action), action
        self.seen.append(action)
        return self.observation_space.sample(), 1.0, False, False, {}


def shout(observation):
    return f"{observation}!"


def read_word(text):
    words = {"no": 0, "yes": 1, "broken": 7}
    if text not in words:
        raise ValueError("say yes or no")
    return words[text]


ARM = spaces.Dict(
    {
        "arm": spaces.Discrete(3, start=1),
        "push": spaces.Box(-1.0, 1.0, (2,), np.float32),
        "on": spaces.MultiBinary(2),
    }
)
SPACES = [
    spaces.Discrete(4),
    spaces.Discrete(3, start=-1),
    spaces.MultiDiscrete([3, 2]),
    spaces.MultiDiscrete([[3, 2], [4, 5]], start=[[0, 1], [2, 3]]),
    spaces.MultiBinary(3),
    spaces.Box(-2.0, 2.0, (1,), np.float32),
    spaces.Box(-np.inf, np.inf, (2, 2), np.float64),
    spaces.Box(0, 255, (), np.uint8),
    spaces.Box(np.array([0.0, 1.0]), np.array([1.0, 5.0]), dtype=np.float64),
    spaces.Text(9),
    ARM,
    spaces.Tuple((spaces.Discrete(2), ARM)),
]


def same(one, other):
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    if isinstance(one, tuple):
        return all(map(same, one, other))
    return np.array_equal(one, other)


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_every_element_can_be_written_and_read(space):
    env = TextAdapter(Echo(space))
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    for _ in range(20):
        action = env.sample_action(rng)
        assert env.understands(action)
        assert env.step(action)[4]["action_valid"]
    assert len(env.unwrapped.seen) == 20
    again = np.random.default_rng(0)
    other = TextAdapter(Echo(space))
    other.reset()
    for seen in env.unwrapped.seen:
        other.step(other.sample_action(again))
        assert same(other.unwrapped.seen[-1], seen)


@pytest.mark.parametrize("space", SPACES, ids=str)
@given(text=st.text() | st.recursive(st.none() | st.integers() | st.floats(), st.lists)
       .map(json.dumps))  # fmt: skip
@pytest.mark.slow
def test_no_text_raises_or_leaves_the_space(space, text):
    env = TextAdapter(Echo(space))
    env.reset()
    info = env.step(text)[4]
    assert info["action_valid"] == env.understands(text)
    assert len(env.unwrapped.seen) == (info["action_valid"] and not is_help(text))


def is_help(text):
    return text.strip().lower() in HELP_ACTIONS


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("2", 2), (" 2. ", 2), ("action 2", 2), ("Action: 2", 2), ("[2]", 2),
        ('"2"', 2), ("#2", 2),
        ("4", None), ("-1", None), ("2.5", None), ("true", None), ("two", None),
        ("", None), ("1e999", None), ("9" * 5000, None), ("[" * 9000, None),
        ("[" * 900 + "]" * 900, None), ("I choose 2", None), ("null", None),
    ],
)  # fmt: skip
def test_numbers_are_read_tolerantly_and_never_guessed(text, seen):
    env = TextAdapter(Echo(spaces.Discrete(4)))
    env.reset()
    observation, reward, terminated, truncated, info = env.step(text)
    assert env.unwrapped.seen == ([] if seen is None else [seen])
    assert info["action_valid"] == (seen is not None)
    if seen is None:
        assert (reward, terminated, truncated) == (0.0, False, False)
        assert observation == info["feedback"]
        assert observation.endswith("An action is a whole number from 0 to 3.")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"arm": 1, "push": [0.5, -1], "on": [1, 0]}', ""),
        ('{"arm": 1, "push": [0.5, -1]}', "the JSON object has no 'on'."),
        (
            '{"arm": 1, "push": [2, 0], "on": [1, 0]}',
            "[2, 0] is not a list of 2 numbers from",
        ),
        ('{"arm": 0, "push": [0, 0], "on": [1, 0]}', "'arm': 0 is not a whole number"),
        (
            '{"arm": 1, "push": [0], "on": [1, 0]}',
            "'push': [0] is not a list of 2 numbers",
        ),
        ('{"arm": 1, "push": [0, NaN], "on": [1, 0]}', "is not JSON"),
        ('{"a": 1, "arm": 1, "push": [0, 0], "on": [1, 0]}', "an unknown key 'a'."),
        ("[1]", "[1] is not a JSON object."),
        ("arm 1", "'arm 1' is not JSON."),
    ],
)
def test_what_is_wrong_with_json_is_named(text, problem):
    env = TextAdapter(Echo(ARM))
    env.reset()
    info = env.step(text)[4]
    assert problem in info["feedback"]
    assert info["action_valid"] == (not problem)


@pytest.mark.parametrize("text", ["1 0", "1, 0", "[1, 0]", "(1; 0)", "action: 1 0"])
def test_lists_may_lack_their_brackets(text):
    env = TextAdapter(Echo(spaces.MultiDiscrete([3, 2])))
    env.reset()
    env.step(text)
    assert env.unwrapped.seen[0].tolist() == [1, 0]


def test_help_lists_the_actions_and_changes_nothing():
    env = TextAdapter(gym.make("FrozenLake-v1"))
    env.reset(seed=0)
    for text in ("help", "Check valid actions."):
        observation, reward, _, _, info = env.step(text)
        listed = "An action is one of: move left, move down, move right, move up."
        assert observation == env.help() == listed
        assert (reward, info) == (0.0, {"action_valid": True, "feedback": ""})


LAKE = """\
You are at row 1, column 1.
P F F F
F H F H
F F F H
H F F G"""


def test_frozen_lake_is_solved_by_name():
    env = TextAdapter(gym.make("FrozenLake-v1", is_slippery=False), instructions=False)
    assert env.reset(seed=0)[0] == LAKE
    for action in ("down", "down", "right", "right", "down"):
        env.step(action)
    observation, reward, terminated, _, _ = env.step("walk east")
    assert "You reached the goal." in observation
    assert (reward, terminated) == (1, True)


def test_taxi_delivers_its_passenger():
    """From the map and sentences alone."""
    # gymnasium 1.2 has the third version.
    newest = "Taxi-v4" if "Taxi-v4" in gym.registry else "Taxi-v3"
    env = TextAdapter(gym.make(newest), instructions=False)
    observation, _ = env.reset(seed=0)
    assert "row 4, column 1. The passenger waits at Blue (B)." in observation
    assert "The destination is Yellow (Y)." in observation
    assert observation.splitlines()[5] == "|T| : | : |"
    for action in ["north", "east", "east", "east", "south", "south"]:
        assert env.step(f"move {action}")[4]["action_valid"]
    observation, reward, *_ = env.step("pick up")
    assert "The passenger is in the taxi." in observation
    assert reward == -1
    for action in ["north", "north", "west", "west", "west", "south", "south"]:
        env.step(action)
    observation, reward, terminated, *_ = env.step("drop off the passenger")
    assert (reward, terminated) == (20, True)
    assert "is at the destination, Yellow (Y)" in observation


def test_cliff_walking_and_blackjack():
    env = TextAdapter(gym.make("CliffWalking-v1"))
    assert "P C C C C C C C C C C G" in env.reset(seed=0)[0]
    for action in ["up", *["right"] * 11]:
        env.step(action)
    assert "You reached the goal." in env.step("down")[0]
    env = TextAdapter(gym.make("Blackjack-v1"))
    assert "Your cards add up to 11, without a usable ace." in env.reset(seed=0)[0]
    assert env.step("stand")[2]


@pytest.mark.parametrize("level", ["GoToLocal-v0", "UnlockPickup-v0", "BossLevel-v0"])
def test_minigrid_has_agentboards_sentences(level):
    """The same as aq/BabyAI-text's, along a walk in the same world."""
    env = TextAdapter(gym.make(f"BabyAI-{level}"), instructions=False)
    observation, info = env.reset(seed=3)
    world = World(generate(level, 3))
    assert info["goal"] == world.layout.mission
    rng = np.random.default_rng(0)
    for _ in range(60):
        view = View(world)
        theirs = babyai_text.describe(world, view, babyai_text.numbered(world, view))
        assert observation == f"Your mission: {world.layout.mission}\n{theirs}"
        action = env.sample_action(rng)
        observation, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            break
        world.act(list(env._format.names).index(action))


def test_a_wrapper_that_changes_meanings_gets_plain_numbers():
    lake = gym.wrappers.TransformObservation(
        gym.make("FrozenLake-v1"), lambda n: 15 - n, spaces.Discrete(16)
    )
    env = TextAdapter(lake)
    assert env.reset(seed=0)[0].endswith("\n15")
    assert env.step("move left")[4]["action_valid"] is False
    full = minigrid.wrappers.FlatObsWrapper(gym.make("MiniGrid-Empty-5x5-v0"))
    with pytest.raises(ValueError, match="2835 numbers, too many to read"):
        TextAdapter(full)


def test_observations_of_each_kind():
    inner = spaces.Dict({"n": spaces.Discrete(1), "t": spaces.Text(3)})
    space = spaces.Dict(
        {
            "x": spaces.Box(0, 0, (2, 2)),
            "d": inner,
            "p": spaces.Tuple((inner["n"],) * 2),
        }
    )
    env = TextAdapter(Echo(spaces.Discrete(2), space), instructions=False)
    observation = {
        "x": np.array([[0.25, 1 / 3], [1e9, -0.0]]), "d": {"n": 0, "t": "a b"},
        "p": (0, 0),
    }  # fmt: skip
    assert env._observe(observation) == (
        "d: \n  n: 0\n  t: a b\np: (0, 0)\nx: [[0.25, 0.333333]\n[1e+09, -0]]"
    )


def test_own_functions_and_names():
    echo = Echo(spaces.Discrete(2))
    here = __name__
    env = TextAdapter(echo, f"{here}:shout", f"{here}:read_word")
    assert env.reset(seed=0)[0].endswith("!")
    env.step("yes")
    assert echo.seen == [1]
    observation, *_, info = env.step("maybe")
    assert observation == info["feedback"] == "say yes or no."
    assert [env.understands(text) for text in ("no", "never")] == [True, False]
    with pytest.raises(TypeError, match="text_to_action returned 7"):
        env.step("broken")
    with pytest.raises(NotImplementedError):
        env.sample_action(np.random.default_rng(0))
    env = TextAdapter(echo, text_to_action={"Push left": 0, "push right": 1})
    env.reset()
    env.step("push LEFT")
    assert echo.seen == [0]
    assert env.help() == "An action is one of: Push left, push right."
    assert env.sample_action(np.random.default_rng(0)) in ("Push left", "push right")


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"text_to_action": {}}, ValueError, "must name at least one action"),
        ({"text_to_action": {"up": 9}}, ValueError, "'up'.*9 is not a whole number"),
        ({"text_to_action": 3}, TypeError, "text_to_action"),
        ({"observation_to_text": "nowhere:f"}, ValueError, "cannot be imported"),
        ({"instructions": 1}, TypeError, "instructions=1"),
    ],
)
def test_wrong_arguments_raise_at_once(arguments, error, message):
    with pytest.raises(error, match=message):
        TextAdapter(Echo(spaces.Discrete(2)), **arguments)


def test_spaces_without_a_text_raise_at_once():
    graph = spaces.Graph(spaces.Discrete(2), None)
    with pytest.raises(TypeError, match="give text_to_action"):
        TextAdapter(Echo(graph))
    with pytest.raises(TypeError, match="give observation_to_text"):
        TextAdapter(Echo(spaces.Discrete(2), graph))
    picture = spaces.Box(0, 255, (210, 160, 3), np.uint8)
    with pytest.raises(ValueError, match="100800 numbers"):
        TextAdapter(Echo(spaces.Discrete(2), spaces.Dict({"screen": picture})))


def test_invalid_texts_count_as_steps():
    env = TextAdapter(gym.make("FrozenLake-v1", max_episode_steps=3))
    env.reset(seed=0)
    assert [env.step(text)[3] for text in ("x", "up", "help")] == [False, False, True]
    env.reset(seed=0)
    assert [env.step("x")[3] for _ in range(3)] == [False, False, True]


def whole_stack(directory):
    env = TextAdapter(gym.make("FrozenLake-v1", is_slippery=False))
    env = SubgoalProgress(env, {"half": r"row 3, column 1", "goal": "reached the goal"})
    env = StepCap(RepetitionRate(env), max_steps=20, max_invalid=3)
    return TrajectoryLogger(ExtractAction(env), str(directory))


def test_the_whole_stack_is_recorded_and_replayed(tmp_path):
    env = whole_stack(tmp_path)
    env.reset(seed=0)
    env.step("Thought: the goal is south.\nAction: move south")
    copied = pickle.loads(pickle.dumps(env))
    deep = copy.deepcopy(env)
    for action in ("fly", "down", "right", "right", "down", "I think right. **right**"):
        results = env.step(action)
        assert copied.step(action) == deep.step(action) == results
    assert results[4]["progress"] == 1.0
    assert results[4]["extracted_action"] == "right"
    for one in (env, copied, deep):
        one.close()
    assert gym.make(EnvSpec.from_json(env.spec.to_json())).spec == env.spec
    read = list(aq_gym.trajectory.iter_trajectories(tmp_path))
    assert len(read) == 3
    assert all(aq_gym.trajectory.replay(one.path).identical for one in read)
