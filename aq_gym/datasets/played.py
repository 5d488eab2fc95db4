"""An episode of a dataset, as a chat and as rows of steps."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from aq_gym.models.messages import Message, ToolCall, exchange
from aq_gym.trajectory.codec import shown

_NO_NOTES: Mapping[str, Any] = MappingProxyType({})


class Cost(NamedTuple):
    """The cost of a step in actions of the expert; None if it was not counted.

    Attributes:
        steps_to_go: The actions that the expert needs after the step; -1 if it finds no
            way.
        regret: By how many actions the step was worse than the expert's; None too if
            the expert found no way before it or finds none after it.
        determined: Whether what the agent has seen after the step leaves one secret;
            None where secrets are not counted.
    """

    steps_to_go: int | None = None
    regret: int | None = None
    determined: bool | None = None


class PlayedTurn(NamedTuple):
    """A step of an episode.

    Attributes:
        completion: The action as the agent wrote it.
        action: The action that was passed to the environment.
        observation: The observation that followed.
        reward: The reward.
        progress: The progress after the step, 0.0 to 1.0.
        best_progress: The highest progress so far, 0.0 to 1.0.
        valid: Whether the action was valid; None if the environment does not report it.
        repeated: Whether the action repeated an earlier one.
        terminated: Whether the step terminated the episode.
        truncated: Whether the step truncated the episode.
        reasoning: The model's reasoning, if it was separate from the completion.
        content: The text beside tool calls.
        tool_calls: The model's tool calls, if it acted by calling functions; the
            completion is then the action made of them.
        cost: What the step cost, if ``aq-gym score --metric steps-to-go`` counted it.
    """

    completion: str
    action: str
    observation: str
    reward: float
    progress: float
    best_progress: float
    valid: bool | None
    repeated: bool
    terminated: bool
    truncated: bool
    reasoning: str = ""
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    cost: Cost = Cost()

    @classmethod
    def of_step(
        cls,
        completion: str,
        observation: str,
        reward: float,
        ends: tuple[bool, bool],
        info: Mapping[str, Any],
        notes: Mapping[str, Any] = _NO_NOTES,
    ) -> PlayedTurn:
        """Return a step from the environment's result.

        Args:
            completion: The action as the agent wrote it.
            observation: The observation.
            reward: The reward.
            ends: Whether the episode was terminated, and truncated.
            info: The info dict.
            notes: The agent's notes on the action.
        """
        valid = info.get("action_valid")
        return cls(
            text_of(completion),
            text_of(info.get("extracted_action", completion)),
            text_of(observation),
            float(reward),
            float(info["progress"]),
            float(info["best_progress"]),
            None if valid is None else bool(valid),
            bool(info["action_repeated"]),
            *ends,
            text_of(notes.get("reasoning", "")),
            text_of(notes.get("content", "")),
            tuple(notes.get("tool_calls", ())),
        )

    @property
    def messages(self) -> tuple[Message, ...]:
        """The model's message, followed by the messages with the observation."""
        text = self.content if self.tool_calls else self.completion
        return exchange(text, self.observation, self.reasoning, self.tool_calls)


@dataclass(frozen=True)
class Played:
    """A finished episode of a dataset.

    Attributes:
        episode: Its name, unique in the dataset.
        env: The environment's id.
        setting: The environment's id and arguments, as ``ID?key=value``.
        seed: The seed of the reset.
        split: "train" or "test"; "all" if the instance belongs to neither; or another
            name that the environment gives.
        agent: The agent's name.
        task_id: The instance.
        goal: The goal, in words.
        difficulty: "easy", "hard" or the benchmark's own grade; "" if it has none.
        success: Whether the task was solved.
        observation: The first observation.
        prompt: The messages before the first completion.
        turns: The steps.
        tools: The functions that the model was offered, as in a request of chat
            completions; empty if it acted by text.
        source: Where the instance comes from; "" if the environment does not say.
        first: The number of the first of the steps in its episode.
    """

    episode: str
    env: str
    setting: str
    seed: int
    split: str
    agent: str
    task_id: str
    goal: str
    difficulty: str
    success: bool
    observation: str
    prompt: tuple[Message, ...]
    turns: tuple[PlayedTurn, ...]
    tools: Sequence[Any] = ()
    source: str = ""
    first: int = 1

    @property
    def progress_rate(self) -> float:
        """The final best progress, 0.0 to 1.0."""
        return self.turns[-1].best_progress

    @property
    def digest(self) -> bytes:
        """A hash of the training data, equal for duplicates."""
        # No completion follows the last observation, so it is not trained on.
        observations = [turn.observation for turn in self.turns[:-1]]
        completions = [turn.completion for turn in self.turns]
        content = json.dumps(
            [self.setting, self.observation, observations, completions]
        )
        return hashlib.sha256(content.encode()).digest()


def text_of(value: object) -> str:
    """Return a text that can be encoded as UTF-8.

    Raises:
        ValueError: If it is not a text.
    """
    if not isinstance(value, str):
        raise ValueError(
            f"{shown(value, 80)} is not a text: only text episodes are exported"
        )
    return value.encode(errors="replace").decode()


def chat_record(played: Played) -> dict[str, Any]:
    """Return an episode as a chat; ``docs/datasets.md`` describes the fields.

    Args:
        played: The episode.
    """
    *earlier, last = played.turns
    # A model learns to write its own messages: the last one is the assistant's.
    messages = [*played.prompt, *messages_of(earlier), last.messages[0]]
    costs = zip(*(turn.cost for turn in played.turns), strict=True)
    return {
        "messages": messages,
        "prompt_length": len(played.prompt),
        "actions": [turn.action for turn in played.turns],
        "rewards": [turn.reward for turn in played.turns],
        "progress": [turn.progress for turn in played.turns],
        "valid": [turn.valid for turn in played.turns],
        "repeated": [turn.repeated for turn in played.turns],
        **dict(zip(Cost._fields, map(list, costs), strict=True)),
        "final_observation": last.observation,
        **_tools(played),
        **_origin(played),
        "goal": played.goal,
        "difficulty": played.difficulty,
        "success": played.success,
        "progress_rate": played.progress_rate,
        "steps": len(played.turns),
    }


def sft_rows(played: Played) -> Iterator[dict[str, Any]]:
    """Yield a sample for each completion; ``docs/datasets.md`` describes the fields."""
    messages = list(played.prompt)
    for number, turn in enumerate(played.turns, played.first):
        reply, *answers = turn.messages
        yield {
            "prompt": list(messages),
            "completion": [reply],
            **_tools(played),
            **_origin(played),
            "t": number,
            "valid": turn.valid,
            "repeated": turn.repeated,
            **turn.cost._asdict(),
        }
        messages += [reply, *answers]


def step_rows(played: Played) -> Iterator[dict[str, Any]]:
    """Yield the steps of an episode; ``docs/datasets.md`` describes the columns.

    Args:
        played: The episode.
    """
    origin = _origin(played)
    observation = played.observation
    for number, turn in enumerate(played.turns, played.first):
        yield {
            **origin,
            "goal": played.goal,
            "t": number,
            "observation": observation,
            "completion": turn.completion,
            "action": turn.action,
            "reward": turn.reward,
            "next_observation": turn.observation,
            "terminated": turn.terminated,
            "truncated": turn.truncated,
            "progress": turn.progress,
            "best_progress": turn.best_progress,
            "valid": turn.valid,
            "repeated": turn.repeated,
            **turn.cost._asdict(),
            "success": played.success,
        }
        observation = turn.observation


def messages_of(turns: Iterable[PlayedTurn]) -> Iterator[Message]:
    """Yield the messages of some steps."""
    for turn in turns:
        yield from turn.messages


def _tools(played: Played) -> dict[str, str]:
    return {"tools": json.dumps(played.tools)} if played.tools else {}


def _origin(played: Played) -> dict[str, Any]:
    return {
        "episode": played.episode,
        "env": played.env,
        "setting": played.setting,
        "seed": played.seed,
        "split": played.split,
        "source": played.source,
        "agent": played.agent,
        "task_id": played.task_id,
    }
