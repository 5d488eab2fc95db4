"""The default protocol, and AgentBoard's where it differs.

AgentBoard's is written from the behaviour of its published environment, quirks
included, and compared with it by ``benchmarks/babyai_agentboard.py``:

- A path can lead through hidden cells and closed doors, and may not be the shortest.
- Only reachable objects are numbered in ``pickup`` and ``go to``, so a number may
  differ from the one in the observation.
- ``toggle`` exists only in front of a door that can be opened; ``pick up`` does not.
- A macro action stops where the view does not change, and continues past the end of
  the mission; only the last of its steps decides whether the episode ends.
- The goal has "and" for "then" and "after you", so it does not name the order.

One difference is meant: an action of no steps, such as ``go to`` what is in front, is
valid here. There it keeps the validity of the action before it, which is left over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.results import Turn
from aq_gym.envs.babyai import actions, agentboard_space, expert, text
from aq_gym.envs.babyai import agentboard_scores as board
from aq_gym.envs.babyai.agentboard_scores import Scores
from aq_gym.envs.babyai.agentboard_space import (
    CHECK,
    NO_CHANGE,
    ActionSpace,
    action_space,
)
from aq_gym.envs.babyai.levels import find_level
from aq_gym.envs.babyai.logic.layout import DONE
from aq_gym.envs.babyai.logic.verifier import Outcome
from aq_gym.envs.babyai.logic.view import View
from aq_gym.envs.babyai.logic.world import World
from aq_gym.envs.babyai.mission import Mission
from aq_gym.papers import agentboard

_FIRST_SEED = 1234


class Protocol:
    """The default protocol.

    Args:
        obs_format: The format of the observations.

    Attributes:
        solvable: Whether worlds without a solution are passed over.
        facing: Whether to have the target in front of the agent is a milestone.
        scores: The scores of the episode that the protocol keeps.
    """

    solvable = True
    facing = True

    def __init__(self, obs_format: text.ObsFormat) -> None:
        self.obs_format = obs_format
        self.scores = Scores()

    def begin(self, level: str, seed: int) -> str:
        """Begin an episode; return its label, "" for the environment's own."""
        self.scores = Scores()
        return ""

    def goal(self, mission: str) -> str:
        """Return the goal that an agent is told."""
        return mission

    def step(self, mission: Mission, action: str) -> Turn:
        """Carry out an action, which may be any text."""
        plan = actions.read(action, mission.scene)
        if plan.problem:
            return Turn(plan.problem, action_valid=False, feedback=plan.feedback)
        outcome = Outcome.CONTINUE
        for primitive in plan.primitives:
            outcome = mission.act(primitive)
            if outcome is not Outcome.CONTINUE:
                break
        observation = mission.scene.describe(self.obs_format)
        if outcome is Outcome.CONTINUE:
            return Turn(observation)
        if self.obs_format == "agentboard":
            observation += text.ENDINGS[outcome is Outcome.SUCCESS]
        return Turn(observation, terminated=True)

    def success(self, mission: Mission) -> bool:
        """Return whether the episode has ended with success."""
        return mission.accomplished()

    def reached(self, mission: Mission) -> tuple[bool, ...]:
        """Return for each milestone whether it counts as reached."""
        return mission.reached

    def admissible_actions(self, mission: Mission) -> tuple[str, ...]:
        """List every action that can be carried out now."""
        return actions.admissible(mission.scene)

    def read_action(self, action: str) -> str | None:
        """Return the canonical form of an action, None if a text is not one."""
        return actions.canonical(action)

    def help(self, mission: Mission) -> str:
        """Return the list of actions as the agent reads it."""
        return actions.help_text(mission.scene)

    def expert_action(self, mission: Mission) -> str:
        """Return the expert's next action."""
        return expert.next_action(mission.scene)

    def extra_info(self, mission: Mission) -> dict[str, Any]:
        """Return the protocol's own keys of info."""
        return {}

    def published_prompt(self, mission: Mission, goal: str) -> PublishedPrompt | None:
        """Return the prompt of the paper's agent, None without one."""
        return None


class AgentBoardProtocol(Protocol):
    """AgentBoard's protocol.

    Args:
        obs_format: The format of the observations.
        patterns: The annotated subgoals of an instance, or alternatives of them;
            without any, those of the data count.
        data_dir: AgentBoard's data; None for the folder that ``AGENTBOARD_DATA``
            names. Without them, its progress is minigrid's reward.

    Raises:
        FileNotFoundError: If ``data_dir`` has no such file.
        ValueError: If the alternatives differ in length, or the file is not
            AgentBoard's.
    """

    solvable = False
    facing = False

    def __init__(
        self,
        obs_format: text.ObsFormat,
        patterns: Sequence[str] | Sequence[Sequence[str]] = (),
        data_dir: str | None = None,
    ) -> None:
        self._patterns = board.alternatives(patterns)
        self._annotated: dict[tuple[str, int], agentboard.Annotation] = {}
        rows = agentboard.annotated_if_there("babyai", data_dir) if not patterns else ()
        counts: Counter[str] = Counter()
        for row in rows:
            level = find_level(str(row.info.get("subtask")), solvable=False)
            # The file has four seeds of each level, in their order.
            self._annotated[level, _FIRST_SEED + counts[level]] = row
            counts[level] += 1
            board.alternatives(row.subgoals)
        super().__init__(obs_format)

    def begin(self, level: str, seed: int) -> str:
        """Begin an episode; see :meth:`Protocol.begin`."""
        row = self._annotated.get((level, seed))
        if row is None:
            self.scores = board.begin(self._patterns)
            return ""
        self.scores = board.begin(board.alternatives(row.subgoals))
        return row.difficulty

    def goal(self, mission: str) -> str:
        """Return the goal in AgentBoard's words, which name no order."""
        return mission.replace("then", "and").replace("after you", "and")

    def step(self, mission: Mission, action: str) -> Turn:
        """Carry out an action, which may be any text."""
        action = action.lower().strip()
        space = _space(mission)
        if "check" in action:
            return Turn(space.help())
        if action not in space.actions:
            return Turn.invalid(space.refusal(action))
        if not space.actions[action]:
            return Turn(NO_CHANGE)
        ended = self._carry_out(mission, space.actions[action])
        observation = mission.scene.describe(self.obs_format)
        if ended:
            observation += text.ENDINGS[True]
        steps, limit = self.scores.steps, mission.world.layout.limit
        reward = board.reward_of(steps, limit) if ended is Outcome.SUCCESS else 0.0
        self.scores = board.update(self.scores, observation, reward, ended is not None)
        if self.scores.done and not ended:
            observation += text.ENDINGS[True]
        return Turn(observation, terminated=self.scores.done)

    def _carry_out(self, mission: Mission, primitives: list[int]) -> Outcome | None:
        """Take steps until the view stays the same; return how the last one ended."""
        before = _image(mission.world, mission.scene.view)
        for primitive in primitives:
            outcome = mission.act(primitive)
            self.scores = self.scores._replace(steps=self.scores.steps + 1)
            after = _image(mission.world, mission.scene.view)
            if after == before:
                break
            before = after
        return None if outcome is Outcome.CONTINUE else outcome

    def success(self, mission: Mission) -> bool:
        """Return whether AgentBoard's episode has ended with success."""
        return self.scores.done

    def reached(self, mission: Mission) -> tuple[bool, ...]:
        """Return the milestones, the last of which is AgentBoard's own end."""
        if all(mission.reached) == self.scores.done:
            return mission.reached
        if self.scores.done:
            return (True,) * len(mission.reached)
        return (*mission.reached[:-1], False)

    def admissible_actions(self, mission: Mission) -> tuple[str, ...]:
        """List every action that can be carried out now, in AgentBoard's order."""
        return tuple(_space(mission).actions)[:-1]

    def read_action(self, action: str) -> str | None:
        """Return the canonical form in AgentBoard's grammar, None if it has none."""
        return agentboard_space.canonical(action)

    def help(self, mission: Mission) -> str:
        """Return AgentBoard's list of the actions."""
        return _space(mission).help()

    def expert_action(self, mission: Mission) -> str:
        """Return the expert's next action, one of minigrid's steps at a time.

        A macro action may pass the end of the mission without noticing.
        """
        first = expert.plan(mission.scene)[:1]
        offered = _space(mission).actions
        words = (action for action, steps in offered.items() if steps == first)
        # Any step makes the verifier check; there is no command for minigrid's "done".
        return next(words, "turn left" if first == [DONE] else CHECK)

    def extra_info(self, mission: Mission) -> dict[str, Any]:
        """Return AgentBoard's reward, and its progress or else ours."""
        reward, reached = float(self.scores.reward), self.reached(mission)
        progress = reward if self.scores.total else sum(reached) / len(reached)
        return {"agentboard_reward": reward, "agentboard_progress": progress}

    def published_prompt(self, mission: Mission, goal: str) -> PublishedPrompt | None:
        """Return AgentBoard's prompt, None if its checkout is not there."""
        seen = mission.scene.describe(self.obs_format)
        return agentboard.prompt(
            "babyai_vanilla_prompt",
            goal,
            [("Observation", seen)],
            check="check valid actions",
            inventory=True,
        )


def make_protocol(
    name: str,
    obs_format: text.ObsFormat,
    patterns: Sequence[str] | Sequence[Sequence[str]],
    data_dir: str | None = None,
) -> Protocol:
    """Return a protocol by its name.

    Args:
        name: "aq" or "agentboard".
        obs_format: The format of the observations.
        patterns: AgentBoard's annotated subgoals, or alternatives of them.
        data_dir: AgentBoard's data.

    Raises:
        FileNotFoundError: If ``data_dir`` has no tasks of BabyAI.
        ValueError: If there are patterns or data without AgentBoard's protocol,
            alternatives that differ in length, or the data are not AgentBoard's.
    """
    if name == "agentboard":
        return AgentBoardProtocol(obs_format, patterns, data_dir)
    if patterns or data_dir is not None:
        raise ValueError(
            f"patterns={patterns!r:.200} and data_dir={data_dir!r:.80} belong to "
            f"protocol='agentboard', not {name!r}"
        )
    return Protocol(obs_format)


def _space(mission: Mission) -> ActionSpace:
    return action_space(mission.world, mission.scene.view)


def _image(world: World, view: View) -> tuple[object, ...]:
    """Return a key of minigrid's partial view: equal keys are equal images."""
    things, doors = world.things, world.doors
    shown = tuple(
        (slot, *things[code][:2], doors[code] if things[code].kind == "door" else 0)
        for slot, code in sorted(view.slots.items())
    )
    return (*shown, things[world.carrying][:2])
