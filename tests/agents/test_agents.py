import io
import json
import re
from functools import partial

import gymnasium as gym
import pytest

import aq_gym  # noqa: F401
from aq_gym import agents
from aq_gym.evaluation.play import play_in
from aq_gym.wrappers import TrajectoryLogger


class Stubborn:
    """An agent of one's own."""

    def __init__(self, env):
        self.guesses = 0

    def reset(self, observation, info):
        self.guesses = 0

    def act(self, observation, info):
        self.guesses += 1
        return f"Guess: {self.guesses:04d}"


def actions(name, seed=0, agent_seed=0, env_id="aq/Mastermind-v0"):
    """Play one episode and return what the agent did."""
    env = Recorder(gym.make(env_id, max_episode_steps=6))
    params = {"seed": agent_seed} if name == "random" else {}
    play_in(env, agents.load(name, params), seed)
    return env.actions


class Recorder(gym.Wrapper):
    def __init__(self, env):
        super().__init__(env)
        self.actions = []

    def step(self, action):
        self.actions.append(action)
        return self.env.step(action)


def test_random_depends_on_both_seeds_and_on_nothing_else():
    assert actions("random") == actions("random")
    assert actions("random") != actions("random", seed=1)
    assert actions("random") != actions("random", agent_seed=1)


def test_random_plays_what_has_no_sample_action():
    played = actions("random", env_id="CartPole-v1")
    assert set(played) == {0, 1}
    assert played == actions("random", env_id="CartPole-v1")


def test_expert_asks_the_environment():
    env = gym.make("aq/Mastermind-v0")
    env.reset(seed=0)
    assert actions("expert")[0] == env.unwrapped.expert_action()


def test_an_expert_that_gives_up_says_why():
    env = gym.make(
        "aq/PDDL-v0",
        domain_file="(define (domain d) (:predicates (p) (q))(:action a :effect (p)))",
        problem_file="(define (problem x) (:domain d) (:goal (and (p) (q))))",
    )
    with pytest.raises(RuntimeError, match="gave up: the goal can't be reached from"):
        play_in(env, agents.load("expert"), 0)


def test_an_environment_without_an_expert_is_named():
    with pytest.raises(ValueError, match="CartPole"):
        agents.load("expert")(gym.make("CartPole-v1"))


def test_an_agent_of_ones_own():
    assert actions("test_agents:Stubborn")[:2] == ["Guess: 0001", "Guess: 0002"]


@pytest.mark.parametrize(
    "name", ["nobody", "", "replay", "no_such_module:X", "test_agents:nobody"]
)
def test_an_unknown_agent_is_named(name):
    with pytest.raises(ValueError, match=f"agent='{name}'"):
        agents.load(name)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pathlib:PurePath", "'pathlib:PurePath' has no method reset and no act"),
        ("test_agents:Recorder", "'test_agents:Recorder' has no method act"),
        ("string:digits", "is not callable"),
    ],
)
def test_a_class_that_is_no_agent_is_named(name, message):
    with pytest.raises(ValueError, match=message):
        agents.load(name)


@pytest.mark.parametrize(
    ("seed", "error", "message"),
    [("x", TypeError, "seed='x' must be an int"), (-1, ValueError, "seed=-1 must be")],
)
def test_the_seed_of_random_is_checked(seed, error, message):
    with pytest.raises(error, match=message):
        agents.RandomAgent(gym.make("aq/Mastermind-v0"), seed)


def test_replay_repeats_an_episode(tmp_path):
    env = TrajectoryLogger(gym.make("aq/Mastermind-v0", max_episode_steps=6), tmp_path)
    play_in(env, agents.load("random"), 3)
    (file,) = tmp_path.iterdir()
    assert actions(f"replay:{file}", seed=3) == actions("random", seed=3)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    lines[1]["action"] = [1]
    del lines[1]["crc"], lines[0]["crc"]
    other = tmp_path / "other.jsonl"
    other.write_text("\n".join(map(json.dumps, lines[:2])))
    longer = gym.make("aq/Mastermind-v0")
    with pytest.raises(
        ValueError, match=r"step 1: action is \[1\], and must be a text"
    ):
        agents.load(f"replay:{other}")(longer)
    with pytest.raises(EOFError, match="has 6 actions and the episode is not over"):
        play_in(longer, agents.load(f"replay:{file}"), 3)


def test_a_person_sees_the_game_and_progress():
    out = io.StringIO()
    env = gym.make("aq/Mastermind-v0", code="5618")
    # Help takes no step, nor does what was meant to leave.
    stdin = io.StringIO("Help\nQuit\n5610\nexit\nexit\n5618\n")
    play_in(env, partial(agents.HumanAgent, stdin=stdin, stdout=out), 0)
    assert "Let us play Mastermind." in out.getvalue()
    assert "step 0 of 60 · 0 of 4 subgoals > " in out.getvalue()
    assert re.search(r"step 1 .* > :quit leaves; exit[^$]*step 2 of 60", out.getvalue())


def test_progress_can_be_hidden():
    stdin, out = io.StringIO("5610\n5618\n"), io.StringIO()
    make = partial(agents.HumanAgent, stdin=stdin, stdout=out, hide_progress=True)
    play_in(gym.make("aq/Mastermind-v0", code="5618"), make, 0)
    assert "step 1 of 60 > " in out.getvalue()
    assert "subgoal" not in out.getvalue()


def test_a_person_can_quit():
    agent = agents.HumanAgent(gym.make("aq/Mastermind-v0"), read=lambda prompt: ":QUIT")
    with pytest.raises(EOFError, match="you left"):
        agent.act("", {})
