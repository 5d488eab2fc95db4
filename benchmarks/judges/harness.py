"""One harness for the judges: the same texts to an environment and to a paper's code.

A judge is a class that names the environment, its tasks and what the paper's code is
asked; the paper's code runs in a process of its own (``child.py``). Each task is played
with each mix of actions through ``env.step`` with the wrappers of an evaluation. At
every step the text, the progress, the end, the validity and the success of both are
compared, as far as the paper's code has them. ``judge.py`` is the command.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import gymnasium as gym
import numpy as np

import aq_gym  # noqa: F401 (registers the ids)
from aq_gym.wrappers import ExtractAction, RepetitionRate

Facts = dict[str, Any]


class Task(NamedTuple):
    """An instance, by the arguments and seed that make it here.

    Attributes:
        kwargs: The arguments of the environment.
        seed: The seed of ``reset``.
        options: The options of ``reset``.
        about: Further data for the judge.
    """

    kwargs: dict[str, Any]
    seed: int = 0
    options: dict[str, Any] | None = None
    about: Any = None


class ChildEndedError(Exception):
    """The paper's code ended its process; the message is the last request."""


class Child:
    """A paper's code in a process of its own."""

    def __init__(self, python: str, script: str, *arguments: str) -> None:
        path = Path(__file__).with_name(script)
        self._process = subprocess.Popen(
            [python, "-W", "ignore", str(path), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, **request: Any) -> Facts:
        """Return the reply to a request."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise ChildEndedError(f"{request!r:.300}")
        reply: Facts = json.loads(line)
        return reply

    def __enter__(self) -> Self:
        """Return the process, which ends with the ``with`` statement."""
        return self

    def __exit__(self, *exception: object) -> None:
        """End the process, and close its pipes."""
        with self._process:
            self._process.kill()


class Walk:
    """An episode that is being played, as a mix of actions sees it."""

    def __init__(self, env: Any, judge: Judge, rng: np.random.Generator) -> None:
        self.env, self.judge, self.rng = env, judge, rng
        self.said: list[str] = []

    def one_of(self, choices: Iterable[str]) -> str:
        """Draw a text."""
        listed = list(choices)
        return listed[int(self.rng.integers(len(listed)))]


Mix = Callable[[Walk], str]


def _random(walk: Walk) -> str:
    return walk.judge.draw(walk)


def _expert(walk: Walk) -> str:
    return walk.judge.expert(walk)


def _mixed(share: float, other: Mix, usual: Mix) -> Mix:
    """Return a mix that takes another's action with this probability."""
    return lambda walk: (other if walk.rng.random() < share else usual)(walk)


def _either(walk: Walk) -> str:
    return (_expert if walk.rng.random() < 0.5 else _random)(walk)


def _spelt(walk: Walk) -> str:
    text = _either(walk)
    forms = (text.upper(), text.title(), f"  {text}\t", f"the {text}", f"{text}.",
             f'"{text}"', f"{text}!", text.replace(" ", "  "))  # fmt: skip
    return walk.one_of(forms)


def _damaged(walk: Walk) -> str:
    """Lose a letter or the end, double a word, or take a word of another action."""
    text = _either(walk)
    words, others = text.split() or [""], _random(walk).split() or [""]
    place = int(walk.rng.integers(len(text) + 1))
    word = int(walk.rng.integers(len(words)))
    swapped = [*words[:word], walk.one_of(others), *words[word + 1 :]]
    doubled = [*words[:word], words[word], *words[word:]]
    forms = (text[:place], text[:place] + text[place + 1 :],
             " ".join(swapped), " ".join(doubled))  # fmt: skip
    return walk.one_of(forms)


def _framed(walk: Walk) -> str:
    """Write an action, or two, as models do."""
    text = _either(walk)
    other = walk.said[-1] if walk.said else text
    frames = ("I will {0}", "Action: {0}", "{0} please", "`{0}`", "{0}\n{1}",
              "I think so.\n{0} in the end", "First: {0}. Then: look.",
              "<think>{1}? No.</think>\n**{0}**", '{{"action": "{0}"}}',
              "My action: `{0}`\n{1}")  # fmt: skip
    return walk.one_of(frames).format(text, other)


def _repeated(walk: Walk) -> str:
    return walk.one_of(walk.said or [_random(walk)])


MIXES: dict[str, Mix] = {
    "random": _random,
    "expert": _expert,
    "noisy expert": _mixed(0.3, _random, _expert),
    "invalid": _mixed(0.4, lambda walk: walk.one_of(walk.judge.invalid), _either),
    "help": _mixed(0.3, lambda walk: walk.one_of(walk.judge.check), _either),
    "odd spelling": _mixed(0.5, _spelt, _either),
    "damaged": _mixed(0.5, _damaged, _either),
    "several actions": _mixed(0.5, _framed, _either),
    "repeated": _mixed(0.4, _repeated, _either),
}


class Judge:
    """The part of a comparison that depends on the paper; a subclass is a judge.

    Attributes:
        id: The environment's id.
        paper: The folder of the paper's checkout.
        child: The script that runs the paper's code.
        progress: The key of info with which the paper's progress is compared.
        steps: The longest episode.
        invalid: Texts that are no actions, and actions that name no object.
        check: Texts that ask for help.
        diverges: Names of differences after which both sides are in different states.
        texts: Whether a transcript holds digests of texts; False if the texts come from
            the paper's files, which the tests do not have.
    """

    id: ClassVar[str]
    paper: ClassVar[str]
    child: ClassVar[str]
    progress: ClassVar[str] = "progress"
    steps: ClassVar[int] = 30
    invalid: ClassVar[tuple[str, ...]] = ("", "dance", "\N{SNOWMAN}")
    check: ClassVar[tuple[str, ...]] = ("check valid actions", "help")
    diverges: ClassVar[frozenset[str]] = frozenset()
    texts: ClassVar[bool] = True

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.checkout = str(options.papers / self.paper)

    def tasks(self) -> Iterator[Task]:
        """Yield the tasks."""
        raise NotImplementedError

    def start(self, env: Any, task: Task, info: Mapping[str, Any]) -> Facts:
        """Return the request that begins the same episode in the paper's code."""
        raise NotImplementedError

    def act(self, env: Any, action: str, info: Mapping[str, Any]) -> Facts:
        """Return the request that takes the action in the paper's code.

        By default it is the action that ExtractAction found in the agent's text. How a
        paper's own loop finds it is compared elsewhere. AgentBoard's loop also removes
        the white space around it.
        """
        return {"act": info["extracted_action"].strip()}

    def draw(self, walk: Walk) -> str:
        """Draw an action that can be tried."""
        return self.write(walk.env.get_wrapper_attr("sample_action")(walk.rng))

    def expert(self, walk: Walk) -> str:
        """Return the expert's action, or the help action if it gives up."""
        action = walk.env.get_wrapper_attr("expert_action")()
        return self.write(action or "check valid actions")

    def write(self, action: str) -> str:
        """Return an action in the form of the paper's prompt."""
        return action

    def opened(self, observation: str, info: Mapping[str, Any]) -> Facts:
        """Return the facts of a reset."""
        return {"text": observation}

    def stepped(self, result: Any) -> Facts:
        """Return the facts of a step."""
        observation, _, terminated, _, info = result
        return {
            "text": observation,
            "progress": round(float(info[self.progress]), 9),
            "end": terminated,
            "valid": info["action_valid"],
            "success": info["success"],
        }

    def heard(self, env: Any, action: str, reply: Facts) -> None:
        """Note what the paper's code replied to an action."""

    def explain(self, fact: str, ours: Facts, paper: Facts, action: str) -> str:
        """Return the name under which a difference is counted.

        It is "" if only the order or the form differs, and the fact's own name if the
        difference is not explained.
        """
        return fact

    def ended(self, child: Child, task: Task, walk: Walk) -> Counter[str]:
        """Return what differs once an episode has ended."""
        return Counter()


def make(judge: Judge, task: Task, threshold: float = 1.0) -> Any:
    """Return the environment of a task, with the wrappers of an evaluation."""
    made = gym.make(judge.id, **{"max_episode_steps": judge.steps + 1, **task.kwargs})
    repetition = RepetitionRate(made, threshold=threshold, compare_to="all")
    return ExtractAction(repetition)


def play(
    judge: Judge, child: Child, task: Task, name: str, number: int = 0
) -> tuple[Counter[str], list[list[Any]]]:
    """Play a task with a mix in both; return what differs, and the steps' facts."""
    env = make(judge, task)
    # Tasks that options select have the same seed.
    rng = np.random.default_rng([number, *name.encode()])
    observation, info = env.reset(seed=task.seed, options=task.options)
    reply = child.ask(**judge.start(env, task, info))
    counts: Counter[str] = Counter(episodes=1)
    opened = judge.opened(observation, info)
    steps = [["", *_compare(judge, counts, opened, reply, "")]]
    walk = Walk(env, judge, rng)
    for _ in range(judge.steps):
        action = MIXES[name](walk)
        walk.said.append(action)
        result = env.step(action)
        info = result[4]
        reply = child.ask(**judge.act(env, action, info))
        judge.heard(env, action, reply)
        counts["steps"] += 1
        counts["found in an answer"] += info["extracted_action"] != action
        facts = _compare(judge, counts, judge.stepped(result), reply, action)
        steps.append([action, *facts])
        if result[2] or reply.get("end") or counts.keys() & judge.diverges:
            break
    counts["solved"] += info["success"]
    counts += judge.ended(child, task, walk)
    env.close()
    return counts, steps


# The facts in the order of a transcript; the first one is a text's digest.
FACTS = ("text", "progress", "end", "valid", "success", "goal", "score")


def digest(text: str) -> str:
    """Return the first letters of a text's digest."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]


def _compare(
    judge: Judge, counts: Counter[str], ours: Facts, paper: Facts, action: str
) -> list[Any]:
    """Count the differences; return the paper's facts in the form of a transcript."""
    kept: list[Any] = []
    for fact in FACTS:
        one, other = ours.get(fact), paper.get(fact)
        if one is None or other is None:
            kept.append(None)
            continue
        same = abs(one - other) < 1e-9 if fact == "progress" else one == other
        why = "" if same else judge.explain(fact, ours, paper, action)
        counts[why] += bool(why)
        if why == fact and judge.options.show > 0:
            judge.options.show -= 1
            print(f"{fact} after {action!r}:", ours, paper, sep="\n  ", file=sys.stderr)
        # A test cannot check facts with an explained difference.
        held = fact_of(judge, fact, other if why == fact else one)
        kept.append(held if why in ("", fact) else None)
    return kept


def fact_of(judge: Judge, fact: str, value: Any) -> Any:
    """Return a fact in the form of a transcript."""
    if fact in ("text", "goal"):
        return digest(value) if judge.texts else None
    return value
