"""``reset(options={"size": ...})`` and ``"difficulty"``: another size, one episode."""

import copy
import pickle

import gymnasium as gym
import pytest

from aq_gym import trajectory
from aq_gym.wrappers import TrajectoryLogger

# An id, its arguments, and two sizes.
SIZES = (
    ("aq/Mastermind-v0", {}, 3, 5),
    ("aq/Sudoku-v0", {}, 76, 50),
    ("aq/Cipher-v0", {"cipher": "railfence"}, 2, 9),
    ("aq/Mystery-v0", {}, 1, 4),
    ("aq/Hangman-v0", {}, 5, 8),
    ("aq/Wordle-v0", {}, 4, 6),
    ("aq/BabyAI-text-v0", {"level": "GoToLocal"}, 1, 9),
    ("aq/BabyAI-text-v0", {}, 1, 7),
    ("aq/ALFWorld-v0", {}, 3, 9),
    ("aq/ALFWorld-v0", {"distractors": 2}, 3, 9),
    ("aq/Jericho-v0", {"game": "bathyscaphe"}, 16, 17),
    ("aq/2048-v0", {"goal": 16}, 3, 4),
    ("aq/ToolQuery-v0", {}, 60, 90),
    ("aq/ToolOperation-v0", {}, 5, 9),
    *(
        ("aq/PDDL-v0", {"domain": domain}, 2, 3)
        for domain in [
            "barman",
            "blocksworld",
            "ferry",
            "gripper",
            "hanoi",
            "logistics",
            "sokoban",
            "tyreworld",
        ]
    ),
)
DIFFICULTIES = (
    ("aq/PDDL-v0", "easy", "hard"),
    ("aq/Sudoku-v0", "easy", "hard"),
    ("aq/Cipher-v0", "easy", "hard"),
    ("aq/Wordle-v0", "easy", "hard"),
    ("aq/Hangman-v0", "easy", "hard"),
    ("aq/ToolQuery-v0", "easy", "hard"),
)


def made(env_id, **kwargs):
    return gym.make(env_id, **kwargs).unwrapped


def solve(env, most=300):
    """Play the expert; whether it solved the episode."""
    info, over = {}, False
    for _ in range(most):
        if over:
            break
        *_, terminated, truncated, info = env.step(env.expert_action())
        over = terminated or truncated
    return info["success"]


@pytest.mark.parametrize(("env_id", "kwargs", "small", "large"), SIZES)
def test_a_size_is_for_one_episode(env_id, kwargs, small, large):
    env, plain = made(env_id, **kwargs), made(env_id, **kwargs)
    env.reset(seed=2, options={"size": small})
    first = env.get_state()
    second, info = env.reset(seed=2, options={"size": large})
    assert env.get_state() != first
    again = {"size": large, "task_id": info["task_id"]}
    assert env.reset(options=again)[0] == second
    assert env.reset(seed=2)[0] == plain.reset(seed=2)[0]


@pytest.mark.parametrize(
    ("env_id", "kwargs", "small", "large"),
    [row for row in SIZES if row[0] not in ("aq/Hangman-v0", "aq/2048-v0")],
)
def test_the_expert_solves_it_and_states_travel(env_id, kwargs, small, large):
    env, plain = made(env_id, **kwargs), made(env_id, **kwargs)
    env.reset(seed=1, options={"size": large})
    env.step("check valid actions")
    plain.reset(seed=5)
    plain.set_state(env.get_state())
    copies = [plain, copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    assert {one.get_state().key for one in copies} == {env.get_state().key}
    for one in copies:
        assert one.expert_action() == env.expert_action()
    assert solve(env)
    env.reset(seed=1, options={"size": small})
    assert solve(env)


@pytest.mark.parametrize(("env_id", "easy", "hard"), DIFFICULTIES)
def test_a_difficulty_is_for_one_episode(env_id, easy, hard):
    env = made(env_id)
    for difficulty in (hard, easy, hard):
        _, info = env.reset(seed=3, options={"difficulty": difficulty})
        assert info["difficulty"] == difficulty


@pytest.mark.parametrize(
    ("env_id", "options", "said"),
    [
        ("aq/Mastermind-v0", {"size": 0}, "code_length=0"),
        ("aq/Mastermind-v0", {"difficulty": "easy"}, r"\['size', 'task_id'\]"),
        ("aq/Sudoku-v0", {"size": 81}, "givens=81"),
        ("aq/Sudoku-v0", {"size": 10}, "givens=10"),
        ("aq/PDDL-v0", {"size": 99}, "2 to 10"),
        ("aq/PDDL-v0", {"size": 3, "difficulty": "easy"}, "give one"),
        ("aq/ALFWorld-v0", {"size": -1}, "receptacles=-1"),
        ("aq/Cipher-v0", {"size": 21}, "key_size=21"),
        ("aq/BabyAI-text-v0", {"size": 20}, "1 to 19"),
        ("aq/BabyAI-text-v0", {"size": 0}, "1 to 19"),
    ],
)
def test_a_wrong_size_changes_nothing(env_id, options, said):
    env = made(env_id)
    env.reset(seed=0)
    before = env.get_state()
    with pytest.raises(ValueError, match=said):
        env.reset(seed=1, options=options)
    assert env.get_state() == before
    env.step(env.expert_action())


def test_a_state_of_other_arguments_is_refused():
    env, other = made("aq/PDDL-v0"), made("aq/PDDL-v0", domain="ferry")
    env.reset(seed=0, options={"size": 3})
    with pytest.raises(ValueError, match="make the env with the same arguments"):
        other.set_state(env.get_state())


def test_spaces_and_the_random_stream_are_kept():
    env = made("aq/Mastermind-v0")
    spaces = env.observation_space, env.action_space
    env.reset(seed=4)
    stream = copy.deepcopy(env.np_random)
    env.reset(options={"size": 5})
    assert (env.observation_space, env.action_space) == spaces
    assert env.action_space is spaces[1]
    assert "".join(map(str, stream.integers(10, size=5))) == env.secrets()[0]


def test_sizes_of_a_vector():
    envs = gym.make_vec("aq/Mastermind-v0", 3)
    _, infos = envs.reset(seed=0, options={"size": 7})
    assert {len(task) for task in infos["task_id"]} == {7}


def test_a_recorded_size_is_replayed(tmp_path):
    env = TrajectoryLogger(gym.make("aq/BabyAI-text-v0"), tmp_path)
    env.reset(seed=3, options={"size": 4})
    env.step(env.get_wrapper_attr("expert_action")())
    env.close()
    (path,) = tmp_path.iterdir()
    assert trajectory.replay(path).identical


@pytest.mark.parametrize(("env_id", "kwargs", "small", "large"), SIZES)
def test_sizes_are_plain(env_id, kwargs, small, large):
    env = made(env_id, **kwargs)
    assert env.is_plain_argument(env.size_argument, small)
