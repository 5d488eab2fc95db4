import gymnasium as gym
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from toy_envs import LampsEnv

import aq_gym.trajectory
from aq_gym import Turn
from aq_gym.registration import TABLE
from aq_gym.wrappers import ExtractAction, StepsToGo, TrajectoryLogger
from aq_gym.wrappers.steps_to_go import ExpertFork

DECLARED = [row for row in TABLE if row.expert.lost == "proven"]


class Fuse(LampsEnv):
    """Without chance; no lamp can be switched while the fuse is blown."""

    blown = closed = False

    def _read(self, text):
        return text if text in ("burn", "mend") else super()._read(text)

    def _step(self, action):
        if action in ("burn", "mend"):
            self.blown = action == "burn"
            return Turn(action)
        lamp = int(action.split()[1]) - 1
        self.on[lamp] ^= not self.blown
        return Turn("Click.")

    def expert_action(self):
        self.asked = getattr(self, "asked", 0) + 1
        return None if self.blown else super().expert_action()

    def close(self):
        self.closed = True

    def _get_state(self):
        return super()._get_state(), self.blown

    def _set_state(self, world):
        super()._set_state(world[0])
        self.blown = world[1]


def played(env, actions):
    """The steps to go and the regret of each step."""
    infos = [env.step(action)[-1] for action in actions]
    return [(info["steps_to_go"], info["regret"]) for info in infos]


def test_a_step_costs_what_the_expert_needs_more():
    env = StepsToGo(Fuse(), budget=9)
    assert env.reset(seed=0)[1]["steps_to_go"] == 3
    actions = ["switch 1", "switch 1", "dance", "burn", "switch 2", "mend", "switch 3"]
    assert played(env, actions) == [
        *((2, 0), (3, 2), (3, 1), (-1, 9), (-1, 0), (3, -9), (2, 0)),
    ]
    assert played(env, ["switch 1", "switch 2"]) == [(1, 0), (0, 0)]


@pytest.mark.parametrize(("budget", "found"), [(2, -1), (3, 3)])
def test_beyond_the_budget_the_steps_are_infinite(budget, found):
    env = StepsToGo(Fuse(), budget=budget)
    assert env.reset(seed=0)[1]["steps_to_go"] == found
    assert played(env, ["switch 1"]) == [(2, 0 if found == 3 else -2)]
    fork = ExpertFork(env, budget)
    assert fork.steps_to_go({}, terminated=False) == 2
    env.step("switch 1")
    # Its path leads to a known state, and is too long nevertheless.
    assert fork.steps_to_go({}, terminated=False) == found


def test_an_invalid_action_of_the_expert_ends_a_fork():
    class Blind(Fuse):
        def expert_action(self):
            super().expert_action()
            return "switch 9"

    env = StepsToGo(Blind())
    assert env.reset(seed=0)[1]["steps_to_go"] == -1
    assert env._fork._copy.asked == 1


def test_the_states_of_a_fork_are_not_played_again():
    env = StepsToGo(Fuse())
    env.reset(seed=0)
    copied = env._fork._copy
    assert copied.asked == 3
    played(env, ["switch 1", "dance", "switch 2"])
    assert copied.asked == 3
    env.reset(seed=0)
    assert copied.asked == 6
    env.close()
    assert copied.closed


def test_an_expert_is_asked_once_for_its_plan():
    class Plans(Fuse):
        def expert_plan(self):
            self.asked = getattr(self, "asked", 0) + 1
            return [f"switch {n}" for n, on in enumerate(self.on, 1) if not on]

    env = StepsToGo(Plans(), budget=2)
    assert env.reset(seed=0)[1]["steps_to_go"] == -1
    assert env._fork._copy.asked == 1
    # The rest of a plan is no plan from another state.
    assert played(env, ["switch 3"]) == [(2, -2)]
    assert env._fork._copy.asked == 2


def test_a_failure_of_the_engine_is_not_a_lost_state():
    class Broken(Fuse):
        def _step(self, action):
            return Turn("?", truncated=True, error="no power")

    with pytest.raises(RuntimeError, match="failed in a fork: no power"):
        StepsToGo(Broken()).reset(seed=0)
    broken = StepsToGo(Fuse())
    broken.reset(seed=0)
    broken.unwrapped._step = lambda action: Turn("?", truncated=True, error="no power")
    assert played(broken, ["switch 1"])[0][0] == -1


class Foreign(gym.Env):
    """An environment of another package: a counter that has to reach 3."""

    observation_space = action_space = gym.spaces.Discrete(9)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.n = 0
        return 0, {}

    def step(self, action):
        self.n += action
        return self.n, 0.0, self.n >= 3, False, {"success": self.n == 3}

    def get_state(self):
        return self.n

    def set_state(self, state):
        self.n = state


class WithExpert(gym.Wrapper):
    """Its expert adds 1."""

    def expert_action(self):
        return 1


def test_another_package_offers_the_same_methods():
    with pytest.raises(ValueError, match=r"has no expert_action\(\)"):
        StepsToGo(Foreign())

    class Own(WithExpert):
        def get_state(self):
            return self.env.get_state()

        def set_state(self, state):
            self.env.set_state(state)

    env = StepsToGo(Own(Foreign()))
    assert env.reset(seed=0)[1]["steps_to_go"] == 3
    assert played(env, [1, 4]) == [(2, 0), (-1, 500)]


@pytest.mark.parametrize(
    ("budget", "error"), [(0, ValueError), (True, TypeError), (2.5, TypeError)]
)
def test_a_wrong_budget_is_refused(budget, error):
    with pytest.raises(error, match=f"budget={budget}"):
        StepsToGo(LampsEnv(), budget)


def test_an_episode_is_the_same_with_and_without_it(tmp_path, duplicate):
    plain = gym.make("aq/Mastermind-v0", code_length=3)
    env = StepsToGo(gym.make("aq/Mastermind-v0", code_length=3))
    env = TrajectoryLogger(ExtractAction(env), tmp_path)
    made = gym.make(EnvSpec.from_json(env.env.spec.to_json()))
    assert made.spec == env.env.spec
    rng = np.random.default_rng(0)
    results = [plain.reset(seed=1), env.reset(seed=1)]
    for _ in range(5):
        action = plain.unwrapped.sample_action(rng)
        results += [plain.step(action), env.step(action)]
        assert plain.unwrapped.get_state() == env.unwrapped.get_state()
    action = plain.unwrapped.expert_action()
    assert duplicate(env).step(action)[-1] == env.step(action)[-1]
    for one, other in zip(results[::2], results[1::2], strict=True):
        own = {"steps_to_go", "regret", "extracted_action", "action_extracted"}
        assert one[:-1] == other[:-1]
        assert one[-1] == {k: v for k, v in other[-1].items() if k not in own}
        assert type(other[-1]["steps_to_go"]) is int
    env.close()
    recorded = next(iter(aq_gym.trajectory.iter_trajectories(tmp_path)))
    # An untrusted file may name it, because it writes no files.
    assert aq_gym.trajectory.replay(recorded.path).identical


@pytest.mark.parametrize("row", DECLARED, ids=lambda row: row.id)
def test_what_a_row_declares_holds_on_random_walks(row):
    """The loss is proven where the game is over; an optimum is never beaten."""
    if row.missing():
        pytest.skip(row.hint())
    shown = dict(row.suite[0][1])
    env = StepsToGo(gym.make(row.id, **shown))
    for seed in range(4):
        rng = np.random.default_rng(seed)
        steps, over = env.reset(seed=seed)[1]["steps_to_go"], False
        assert steps > 0
        for _ in range(9):
            inner = env.unwrapped
            by_expert = rng.random() < 0.5
            action = inner.expert_action() if by_expert else inner.sample_action(rng)
            _, _, over, _, info = env.step(action)
            assert over or info["steps_to_go"] > 0, (seed, action)
            if by_expert and row.expert.steps_to_go != "estimate":
                assert info["regret"] == 0
            if row.expert.steps_to_go == "optimal":
                assert info["regret"] >= 0
            if over:
                break


def test_each_row_says_what_its_steps_to_go_mean():
    shown = {row.id: str(row.expert) for row in TABLE}
    assert shown["aq/2048-v0"] == "not counted, because chance decides"
    assert shown["aq/MMLU-v0"] == (
        "optimal; lost: proven; the expert knows more than the agent"
    )
    assert "upper bound; lost: given up" in shown["aq/BabyAI-text-BossLevel-v0"]
    assert "estimate" in shown["aq/Wordle-v0"]
