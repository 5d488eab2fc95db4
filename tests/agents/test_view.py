"""What the evaluation hands to an agent, and what it keeps."""

import copy
import json

import gymnasium as gym
import numpy as np
import pytest
from toy_envs import ToyAgent

from aq_gym.agents import AgentView, ExpertAgent, LLMAgent, RandomAgent, is_privileged
from aq_gym.agents.view import seat
from aq_gym.cli import main
from aq_gym.evaluation import Suite, Task, load_run, run
from aq_gym.evaluation.manifest import agent_label
from aq_gym.evaluation.play import play_in

GAMES = ("aq/Mastermind-v0", "aq/Hangman-v0", "aq/Wordle-v0")
SUITE = Suite("games", tuple(Task(env_id, 0, max_steps=4) for env_id in GAMES))


class NamesTheTask(ToyAgent):
    """Says the task's id, which is the secret of these games."""

    def reset(self, observation, info):
        self.says = info.get("task_id", "no id")

    def act(self, observation, info):
        return self.says


class Privileged(NamesTheTask):
    """Is told the id."""

    privileged = True


class Seen(ToyAgent):
    """Keeps what it was given."""

    seen: list

    def reset(self, observation, info):
        self.seen.append((self.env, info))

    def act(self, observation, info):
        self.seen.append((self.env, info))
        return "x"


class Hints(gym.Wrapper):
    """Declares one of the two keys that it adds."""

    public_info = frozenset({"hint"})

    def step(self, action):
        *result, info = self.env.step(action)
        return *result, {**info, "hint": "warm", "answer": "42"}


def test_the_id_of_a_task_solves_nothing(tmp_path):
    sealed = run(SUITE, tmp_path / "sealed", "test_view:NamesTheTask")
    assert [one.progress_rate for one in sealed] == [0.0] * 3
    told = run(SUITE, tmp_path / "told", "test_view:Privileged")
    assert [one.success for one in told] == [True] * 3


def test_who_was_privileged_is_shown_with_the_scores(tmp_path, capsys):
    for agent in ("random", "test_view:Privileged"):
        out = str(tmp_path / agent[-3:])
        task = ("--env", GAMES[0], "--max-steps", "4", "--episodes", "2")
        assert main(["run", *task, "--agent", agent, "--out", out]) == 0
    shown = capsys.readouterr().out
    assert "random (privileged)" not in shown
    assert "test_view:Privileged (privileged)" in shown
    runs = [str(tmp_path / name) for name in ("dom", "ged")]
    assert ["privileged" in load_run(one).manifest for one in runs] == [False, True]
    assert main(["compare", *runs]) == 0
    assert "Privileged (privileged)" in capsys.readouterr().out
    for page in ("report", "leaderboard"):
        file = tmp_path / f"{page}.html"
        assert main([page, *runs, "--out", str(file)]) == 0
        assert "Privileged (privileged)" in file.read_text()


def test_a_run_stays_privileged_whatever_its_file_says():
    expert = {"agent": "expert", "privileged": False}
    assert agent_label(expert) == "expert (privileged)"
    changed = {"agent": "m:A", "notes": {"changes": [{"privileged": True}]}}
    assert agent_label(changed) == "m:A (privileged)"
    assert agent_label({"agent": "llm"}) == "llm"


def test_info_is_public_where_it_is_declared(monkeypatch):
    monkeypatch.setattr(Seen, "seen", [], raising=False)
    play_in(Hints(gym.make(GAMES[0], max_episode_steps=2)), Seen, 0)
    play_in(gym.make("aq/PDDL-v0", max_episode_steps=1, list_actions=True), Seen, 0)
    keys = [sorted(info) for _, info in Seen.seen]
    assert keys[0] == ["goal"]
    assert keys[2] == ["action_valid", "feedback", "hint"]
    assert keys[3] == ["admissible_actions", "goal"]


@pytest.mark.parametrize(
    "name",
    ["expert_action", "get_state", "solution", "step", "reset", "np_random_seed"],
)
def test_a_view_has_nothing_but_what_an_agent_may_ask(name):
    env = gym.make(GAMES[0], code="5618")
    env.reset(seed=0)
    view = AgentView(env)
    assert not view.has_wrapper_attr(name)
    with pytest.raises(AttributeError, match=rf"'{name}': .* privileged = True"):
        getattr(view.unwrapped, name)
    with pytest.raises(TypeError, match="a copy of the environment"):
        copy.deepcopy(view)
    assert (view.spec.id, view.spec.kwargs) == (GAMES[0], {})
    assert "Mastermind" in view.task_prompt().system
    assert view.get_wrapper_attr("understands")("Guess: 1234")
    assert str(view) == str(env)


def test_the_random_agent_plays_as_it_always_did():
    env = gym.make("aq/Mastermind-v0")
    env.reset(seed=3)
    agent = RandomAgent(env, seed=2)
    agent.reset("", {})
    rng = np.random.default_rng([2, 3])
    rng.integers(2**31)
    assert agent.act("", {}) == env.unwrapped.sample_action(rng)


def test_which_agents_are_privileged():
    assert is_privileged(ExpertAgent)
    assert not any(map(is_privileged, (RandomAgent, LLMAgent)))
    env = gym.make(GAMES[0])
    agent, public = seat(env, Privileged)
    assert agent.env is env
    info = {"task_id": "1234"}
    assert public(info) is info
    assert json.dumps(seat(env, NamesTheTask)[1](info)) == "{}"
