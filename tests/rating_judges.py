"""Episodes of known quality, and scripted judges that read what a model would."""

import hashlib
import json
import random
import re

import gymnasium as gym
import pytest
from scripted_server import ScriptedServer, answer, raw

from aq_gym.core import FreeText
from aq_gym.wrappers import TrajectoryLogger

COLORS = ("red", "green", "blue")
GRADES = ("none", "few", "some", "many", "all")


class Facts(gym.Env):
    """An env of elsewhere: the agent states facts, and the more the better."""

    observation_space = action_space = FreeText()

    def __init__(self, quality, color, hostile=""):
        self.quality, self.color, self.hostile = quality, color, hostile

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.steps = 0
        info = {"task_id": f"{self.color} {seed}"}
        return f"State facts. The room is {self.color}.", info

    def step(self, action):
        self.steps += 1
        share = self.quality / 4
        info = {"best_progress": share, "success": self.quality >= 3, "secret": "XYZZY"}
        return f"Noted.{self.hostile}", 0.77, self.steps == 4, False, info


def record(folder, qualities, hostile="", agent="llm", model="player-1"):
    """Record an episode of each quality."""
    for number, quality in enumerate(qualities):
        color = COLORS[number % 3]
        logged = TrajectoryLogger(
            Facts(quality, color, hostile), folder, f"e{number:02d}", agent,
            {"model": model},
        )  # fmt: skip
        logged.reset(seed=number)
        for _ in range(4):
            said = ["A fact."] * (3 * quality) + ["Well."] * (3 * (4 - quality))
            logged.step(" ".join([*said, hostile]).strip())
        logged.close()
    return folder


def criterion(name, values=GRADES, order="worst_to_best"):
    return {"name": name, "description": f"About {name}.", order: list(values)}


class Judge(ScriptedServer):
    """Answers by a function of each criterion, its listed values and the transcript."""

    def __init__(self, policy):
        super().__init__(None)
        self.policy = policy
        self.prompts = []

    def next(self, request):
        with self._lock:
            self.requests.append(request)
        text = request["messages"][-1]["content"]
        with self._lock:
            self.prompts.append(text)
        said = self.policy(text) if callable(self.policy) else self.by_criterion(text)
        return said if callable(said) else answer(said)

    def by_criterion(self, text):
        lines = []
        for name, values in asked(text):
            said = self.policy[name](values, text)
            lines.append(f"{name}: {said}")
        return "\n".join(lines)


def asked(text):
    """The criteria of a request, each with its values as (code, text)."""
    for block in re.split(r"^Criterion: ", text, flags=re.M)[1:]:
        name = block.splitlines()[0]
        yield name, re.findall(r"^([A-Z]{3}) = (.*)$", block, re.M)


def code(values, wanted):
    """The code of a value, which a sensible judge answers with."""
    return next(code for code, value in values if value == wanted)


def facts(text):
    """How many facts an episode states, as a grade."""
    steps = max(text.count(", the agent:"), 1)
    return min(4, round(text.count("A fact") / steps / 3 + 0.01))


def honest(values, text):
    return code(values, GRADES[facts(text)])


def color(text):
    return re.search("room is (\\w+)", text.partition("The transcript:")[2])[1]


def drawn(values, text):
    digest = hashlib.sha256(text.encode()).hexdigest()
    return random.Random(digest).choice(values)[0]


POLICIES = {
    "facts": honest,
    # A bias that keeps the order.
    "harsh": lambda values, text: code(values, GRADES[max(facts(text) - 1, 0)]),
    "kind": lambda values, text: code(values, color(text)),
    "noise": drawn,
    "lenient": lambda values, text: code(values, "all"),
    "first listed": lambda values, text: values[0][0],
    "reversed": lambda values, text: code(values, GRADES[4 - facts(text)]),
    "by color": lambda values, text: code(values, GRADES[COLORS.index(color(text))]),
    "refusing": lambda values, text: (
        "I cannot rate this." if drawn("ab", text) == "a" else honest(values, text)
    ),
}
KEPT = ["facts", "harsh", "kind"]
CRITERIA = [
    criterion(name, *((COLORS, "unordered") if name == "kind" else ()))
    for name in POLICIES
]


@pytest.fixture
def judge():
    """Start a judge with a policy."""
    started = []

    def start(policy):
        started.append(Judge(policy))
        return started[-1]

    yield start
    for one in started:
        one.close()


def as_json(*criteria):
    return json.dumps({"criteria": list(criteria)})


__all__ = ["CRITERIA", "GRADES", "KEPT", "POLICIES", "as_json", "asked", "raw"]
