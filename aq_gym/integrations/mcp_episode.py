"""One episode, played by tool calls."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from aq_gym.agents.dialogue import task_prompt
from aq_gym.agents.native_calls import NativeCalls, make_call
from aq_gym.evaluation.episode import EpisodeRecorder
from aq_gym.evaluation.task import Task, wrap_env
from aq_gym.tools import Call
from aq_gym.trajectory.codec import encode
from aq_gym.trajectory.reader import find

__all__ = ["Answer", "Plan", "Planned", "ServedEpisode"]

TASK_TOOL = "read_task"
_TASK_TOOL = {
    "name": TASK_TOOL,
    "description": "Read the instructions, the task and the first observation. Call it "
    "first; it takes no step.",
    "inputSchema": {"type": "object", "properties": {}, "additionalProperties": False},
}
_OVER = "The episode is over."


class Answer(NamedTuple):
    """The answer to a call.

    Attributes:
        text: The observation.
        valid: Whether the action was valid.
        info: What follows it for an evaluator; None for others.
    """

    text: str
    valid: bool
    info: Mapping[str, Any] | None = None


class Planned(NamedTuple):
    """An episode to serve.

    Attributes:
        task: The environment, its arguments, its seed and its step cap.
        task_id: The instance, as ``info["task_id"]`` names it; "" to draw it from the
            seed.
        name: The name of the trajectory.
    """

    task: Task
    task_id: str
    name: str


class Plan:
    """The episodes of the sessions, in order.

    A single task is played by every session, each time under a different name. Each
    task of a suite is played once; tasks that already have a trajectory are left out.

    Args:
        tasks: One task, or those of a suite.
        task_id: The instance of a single task; "" to draw it from the seed.
        directory: The directory of the trajectories, or None.
    """

    def __init__(
        self, tasks: Sequence[Task], task_id: str = "", directory: Path | None = None
    ) -> None:
        self._planned = _planned(tasks, task_id, directory)
        self._lock = threading.Lock()

    def take(self) -> Planned:
        """Return the next episode. Sessions may begin in several threads at once.

        Raises:
            RuntimeError: If every task of the suite has been played.
        """
        with self._lock:  # A generator cannot be advanced by two threads at once.
            one = next(self._planned, None)
        if one is None:
            raise RuntimeError("every task of the suite has been played")
        return one


def _planned(
    tasks: Sequence[Task], task_id: str, directory: Path | None
) -> Iterator[Planned]:
    for number in itertools.count() if len(tasks) == 1 else range(1):
        for task in tasks:
            name = f"{task.name}-{number:05d}" if len(tasks) == 1 else task.name
            if directory is None or not _exists(directory, name):
                yield Planned(task, task_id, name)


def _exists(directory: Path, name: str) -> bool:
    try:
        find(directory, name)
    except FileNotFoundError:
        return False
    return True


class ServedEpisode:
    """One episode of a session.

    The agent sees the tools, the instructions and the observations, not the score.

    Args:
        planned: The episode to play.
        directory: The directory of the trajectory, or None.
        report: Called once with a line about the result, for the operator of the
            server.
        evaluator: Whether the client is a trusted evaluator, which gets the info dict
            with each answer.
    """

    def __init__(
        self,
        planned: Planned,
        directory: Path | None,
        report: Callable[[str], None],
        evaluator: bool = False,
    ) -> None:
        self._task = planned.task
        self._evaluator = evaluator
        self._report = report
        env = wrap_env(planned.task.make(), directory, planned.name, "mcp")
        self._env = EpisodeRecorder(env)
        self._env.progress_key = planned.task.progress
        options = {"task_id": planned.task_id} if planned.task_id else None
        try:
            seed = planned.task.seed
            self._first, _ = self._env.reset(seed=seed, options=options)
            self._calls = NativeCalls(self._env)
            self.instructions = task_prompt(self._env).system
        except BaseException:
            self._env.close()
            raise

    @property
    def task_text(self) -> str:
        """The text of the instructions and the first observation."""
        return f"{self.instructions}\n\n{self._first}"

    def tools(self) -> list[dict[str, Any]]:
        """Return the tools as MCP lists them: the environment's tools, or ``act``.

        The first is ``read_task``, for clients that show neither prompts nor resources
        to their model.
        """
        listed = [one.mcp() for one in self._calls.tools]
        return [_TASK_TOOL, *(one for one in listed if one["name"] != TASK_TOOL)]

    def call(self, name: str, arguments: Mapping[str, Any]) -> Answer:
        """Carry out a call as one step.

        If the environment has no tools, a call of a name other than ``act`` and
        ``check_valid_actions`` takes no step.

        Args:
            name: The name of a tool; any text.
            arguments: Its arguments.
        """
        if name == TASK_TOOL:
            return Answer(self.task_text, True)
        if self._env.ended:
            return Answer(_OVER, False)
        if not self._env.has_wrapper_attr("tools"):
            problem = self._calls.tools.bind(Call(name, arguments=dict(arguments)))
            if isinstance(problem, str):
                return Answer(problem, False)
        call = make_call("", name, json.dumps(arguments))
        observation, _, _, _, info = self._env.step(self._calls.action([call]))
        text = f"{observation}\n{_OVER}" if self._env.ended else str(observation)
        told = encode(info) if self._evaluator else None
        return Answer(text, bool(info.get("action_valid", True)), told)

    def close(self) -> None:
        """Close the environment, and report the result."""
        self._env.close()
        result = self._env.fields()
        how = result["ended"] or "not finished"
        self._report(
            f"{self._task.setting} seed {self._task.seed}: "
            f"success {int(result['success'])}, "
            f"progress rate {result['progress_rate']:.2f}, "
            f"{result['steps']} steps, {how}"
        )
