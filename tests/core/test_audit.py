"""The audit finds planted faults, and none in an environment without them."""

import json

import gymnasium as gym
import numpy as np
import pytest

from aq_gym.cli import main
from aq_gym.core.spaces import FreeText
from aq_gym.testing import Case
from aq_gym.testing.audit import audit

WORDS = [
    "".join(np.random.default_rng(k).permutation([*"abcdefgh"])) for k in range(99)
]


class Sound(gym.Env):
    """Find a word: the progress is the share of its letters in place; no fault."""

    observation_space = action_space = FreeText()
    known = 0

    def __init__(self, split="all"):
        self.split = split

    def words(self):
        """Return the words of the split."""
        return {"all": WORDS, "train": WORDS[:50], "test": WORDS[50:]}[self.split]

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        named = (options or {}).get("task_id")
        if named is not None and int(named) not in map(WORDS.index, self.words()):
            raise ValueError(f"task_id={named!r} is not of split={self.split!r}")
        drawn = self.words()[int(self.np_random.integers(len(self.words())))]
        self.word = drawn if named is None else WORDS[int(named)]
        self.progress = self.best = 0.0
        first = "Find the word of eight letters. Say: try WORD."
        return first, {**self.info(), "goal": "Find it.", "task_id": self.name()}

    def name(self):
        return str(WORDS.index(self.word))

    def info(self):
        solved = self.best == 1.0
        found = {"progress": self.progress, "best_progress": self.best}
        return {**found, "success": solved}

    def step(self, action):
        before = self.best
        said = self.read(action)
        valid = said is not None
        if valid:
            self.progress = self.judge(said)
            self.best = max(self.best, self.progress)
        seen = f"{self.progress:.3f} of it is right." if valid else "Say: try WORD."
        info = {**self.info(), "action_valid": valid, "feedback": ""}
        return seen, self.best - before, self.best == 1.0, False, info

    def read(self, action):
        word = action.removeprefix("try ")
        return word if len(word) == 8 and word.isalpha() else None

    def judge(self, said):
        return sum(a == b for a, b in zip(said, self.word, strict=False)) / 8

    def sample_action(self, rng):
        return f"try {''.join(rng.permutation([*'abcdefgh']))}"

    def secrets(self):
        return (self.word,)


class InvalidIsRewarded(Sound):
    def step(self, action):
        *result, info = super().step(action)
        result[1] += 0.1 * (not info["action_valid"])
        return *result, info


class InvalidHelps(Sound):
    def read(self, action):
        if super().read(action) is None:
            self.progress = self.best = min(0.9, self.best + 0.1)
        return super().read(action)


class Shown(Sound):
    def reset(self, **given):
        first, info = super().reset(**given)
        return f"{first} [debug: {self.word}]", info


class InFeedback(Sound):
    def step(self, action):
        *result, info = super().step(action)
        return *result, {**info, "feedback": f"It is not {action}, but {self.word}."}


class InTheGoal(Sound):
    def reset(self, **given):
        first, info = super().reset(**given)
        return first, {**info, "goal": f"Find {self.word}."}


class IdIsTheAnswer(Sound):
    def name(self):
        return self.word


class PublicIdIsTheAnswer(IdIsTheAnswer):
    public_info = ("task_id",)


class SeedIsIgnored(Sound):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=7, options=options)


class Chance(Sound):
    def reset(self, **given):
        first = super().reset(**given)
        self.word = WORDS[int(np.random.default_rng().integers(99))]
        return first


class Remembers(Sound):
    def reset(self, **given):
        self.known += 1
        first, info = super().reset(**given)
        return f"{first} (episode {self.known})", info


class Farmed(Sound):
    def step(self, action):
        seen, reward, *rest = super().step(action)
        return seen, reward + (self.read(action) is not None) * 0.01, *rest


class Obedient(Sound):
    def read(self, action):
        return action

    def judge(self, said):
        return 1.0 if "full marks" in said else super().judge(said)


class BeginsWithProgress(Sound):
    def info(self):
        self.best = max(self.best, 0.25)
        return super().info()


class BeginsSolved(Sound):
    def info(self):
        return {**super().info(), "success": True}


class SilenceSolves(Sound):
    def read(self, action):
        return action

    def judge(self, said):
        return float(all(letter in self.word for letter in said))


class EchoSolves(Sound):
    def read(self, action):
        return action

    def judge(self, said):
        return float("eight letters" in said)


class GoalSolves(EchoSolves):
    def judge(self, said):
        return float(said == "Find it.")


class HelpScores(Sound):
    def step(self, action):
        if action == "check valid actions":
            self.best = self.progress = 0.5
        return super().step(action)


class Listed(Sound):
    """Lists four words, the right one first."""

    at = 0

    def info(self):
        listed = [f"try {WORDS[(WORDS.index(self.word) + k) % 99]}" for k in (1, 2, 3)]
        listed.insert(self.at, f"try {self.word}")
        return {**super().info(), "admissible_actions": tuple(listed)}

    def secrets(self):
        return ()


class ListedLast(Listed):
    at = 3


class ListedAsTheGoal(Listed):
    at = 2

    def reset(self, **given):
        first, info = super().reset(**given)
        return first, {**info, "goal": f"The word ends like {self.word}"}


class ShortAnswer(Sound):
    def read(self, action):
        return action if action.isdigit() else None

    def judge(self, said):
        return float(int(said) == WORDS.index(self.word) % 10)


class Copies(Sound):
    def words(self):
        return WORDS


class Beyond(Sound):
    def judge(self, said):
        return 2 * super().judge(said)


class Unearned(Sound):
    def info(self):
        return {**super().info(), "success": self.best > 0.2}


class Raises(Sound):
    def read(self, action):
        action.encode("ascii")
        return super().read(action)


PLANTED = {
    InvalidIsRewarded: "invalid actions earn nothing",
    InvalidHelps: "invalid actions earn nothing",
    Shown: "no secret is shown",
    InFeedback: "no secret is shown",
    InTheGoal: "no secret is shown",
    IdIsTheAnswer: "info is not the answer",
    PublicIdIsTheAnswer: "info is not the answer",
    SeedIsIgnored: "seeds",
    Chance: "two envs",
    Remembers: "same again",
    Farmed: "no reward in a cycle",
    Obedient: "claims success",
    BeginsWithProgress: "nothing is earned at the start",
    BeginsSolved: "nothing is earned at the start",
    SilenceSolves: "silent",
    EchoSolves: "echo",
    GoalSolves: "copies the goal",
    HelpScores: "help only",
    Listed: "first listed",
    ListedLast: "last listed",
    ListedAsTheGoal: "listed, most words of the goal",
    ShortAnswer: "short values",
    Copies: "splits",
    Beyond: "progress is a share",
    Unearned: "progress is a share",
    Raises: "any text is answered",
}


def audited(env):
    name = f"audited/{env.__name__}-v0"
    if name not in gym.registry:
        gym.register(name, env, max_episode_steps=60, disable_env_checker=True)
    return {one.check: one for one in audit(Case(name))}


def test_an_environment_without_a_fault_has_none():
    found = audited(Sound)
    assert {one.verdict for one in found.values()} == {"ok", "skipped"}
    assert [name for name, one in found.items() if one.verdict == "skipped"] == [
        "first listed",
        "last listed",
        "listed, most words of the goal",
    ]
    assert 0.0 < found["random"].mean <= found["random"].progress < 1.0


@pytest.mark.parametrize("env", PLANTED, ids=lambda env: env.__name__)
def test_a_planted_fault_is_found(env):
    found = audited(env)[PLANTED[env]]
    assert found.verdict == ("note" if env is IdIsTheAnswer else "fault"), found
    assert found.found
    if found.seed is not None:
        again = gym.make(f"audited/{env.__name__}-v0").unwrapped
        again.reset(seed=found.seed)
        assert found.actions or "start" in found.check


def test_the_command_has_a_verdict_for_each_check_and_an_exit_code(capsys):
    assert main(["audit", "test_audit:Sound", "--episodes", "1"]) == 0
    assert "  ok      silent   " in capsys.readouterr().out
    assert main(["audit", "test_audit:Beyond", "--episodes", "1", "--json"]) == 1
    (verdicts,) = json.loads(capsys.readouterr().out).values()
    found = {one["check"]: one for one in verdicts}
    assert found["progress is a share"]["verdict"] == "fault"
    assert len(found["random"]["actions"]) > 1


def test_a_suite_names_instances_that_are_played_twice(tmp_path, capsys):
    task = {"id": "aq/Hangman-v0", "kwargs": {"word": "maze"}, "seeds": [0, 1]}
    file = tmp_path / "twice.json"
    file.write_text(json.dumps({"name": "twice", "tasks": [{**task, "max_steps": 3}]}))
    assert main(["audit", str(file), "--episodes", "1"]) == 0
    shown = capsys.readouterr().out
    assert "1 instance played more than once" in shown
    assert "info['task_id'] is the answer" in shown


def test_numbers_cannot_be_audited():
    with pytest.raises(ValueError, match=r"aq_gym\.adapt"):
        audit(Case("CartPole-v1"))
