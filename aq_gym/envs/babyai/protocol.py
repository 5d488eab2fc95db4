"""The protocols of BabyAI: their texts, and how they read actions.

AgentBoard's protocol is written from the behaviour of its published environment, and
compared with it by ``benchmarks/judges/agentboard.py``. It has these peculiarities:

- A path can lead through hidden cells and closed doors, and may not be the shortest.
- Only reachable objects are numbered in ``pickup`` and ``go to``, so a number may
  differ from the one in the observation.
- ``toggle`` exists only in front of a door that can be opened; there is no ``pick up``.
- A macro action stops when the view does not change, but continues after the end of the
  mission; only its last step decides whether the episode ends.
- The goal has "and" in place of "then" and "after you", so the order is lost.

One difference is intended: an action without steps, such as ``go to`` an object in
front, is valid here. AgentBoard reports the validity of the previous action instead.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.protocol import Protocol
from aq_gym.core.results import Turn
from aq_gym.envs.babyai import actions, expert, text
from aq_gym.envs.babyai import agentboard as board
from aq_gym.envs.babyai.actions import Action
from aq_gym.envs.babyai.agentboard import Patterns
from aq_gym.envs.babyai.generation import find_level
from aq_gym.envs.babyai.logic.layout import DONE
from aq_gym.envs.babyai.logic.view import View
from aq_gym.envs.babyai.logic.world import Outcome, World
from aq_gym.envs.babyai.mission import Mission
from aq_gym.papers import agentboard as papers

_FIRST_SEED = 1234
_MOST_EASY_SUBGOALS = 3


class BabyAIProtocol(Protocol[Mission, Action]):
    """The default protocol.

    Args:
        patterns: Not accepted here.
        data_dir: Not accepted here.

    Attributes:
        solvable: Whether worlds without a solution are skipped.
        facing: Whether having the target in front of the agent is a milestone.

    Raises:
        ValueError: If there are patterns or data, which need AgentBoard's protocol.
    """

    solvable: ClassVar[bool] = True
    facing: ClassVar[bool] = True

    def __init__(
        self,
        patterns: Patterns = (),
        data_dir: str | None = None,
    ) -> None:
        if patterns or data_dir is not None:
            raise ValueError(
                f"patterns={patterns!r:.200} and data_dir={data_dir!r:.80} belong to "
                "protocol='agentboard', not 'aq'"
            )

    def begin(self, mission: Mission) -> str:
        """Begin an episode; return its difficulty."""
        subgoals = sum(one.event != "face" for one in mission.milestones)
        return "hard" if subgoals > _MOST_EASY_SUBGOALS else "easy"

    def goal(self, mission: Mission) -> str:
        """Return the goal that an agent is told."""
        return mission.world.layout.mission

    def observation(self, mission: Mission) -> str:
        """Describe the visible things."""
        return mission.scene.describe()

    def read(self, game: Mission, text: str) -> Action | None:
        """Read an action, whatever is visible."""
        return actions.read(text)

    def write(self, game: Mission, action: Action) -> str:
        """Return the canonical form of an action."""
        return actions.written(action)

    def play(self, game: Mission, action: Action) -> Turn:
        """Carry out an action, or explain why it cannot be carried out now."""
        plan = actions.plan(action, game.scene)
        if plan.problem:
            return Turn(plan.problem, action_valid=False, feedback=plan.feedback)
        outcome = Outcome.CONTINUE
        for primitive in plan.primitives:
            outcome = game.act(primitive)
            if outcome is not Outcome.CONTINUE:
                break
        observation = self.observation(game)
        if outcome is Outcome.CONTINUE:
            return Turn(observation)
        observation += text.ENDINGS[outcome is Outcome.SUCCESS]
        return Turn(observation, terminated=True)

    def refuse(self, game: Mission, text: str) -> Turn:
        """Explain why a text is not an action."""
        plan = actions.unread(text)
        return Turn(plan.problem, action_valid=False, feedback=plan.feedback)

    def help(self, game: Mission) -> str:
        """List every action that can be carried out now, as AgentBoard does."""
        return actions.help_text(game.scene)

    def success(self, mission: Mission) -> bool:
        """Return whether the episode has ended with success."""
        return mission.accomplished()

    def reached(self, mission: Mission) -> tuple[bool, ...]:
        """Return whether each milestone counts as reached."""
        return mission.reached

    def admissible_actions(self, mission: Mission) -> tuple[str, ...]:
        """List every action that can be carried out now."""
        return actions.admissible(mission.scene)

    def expert_action(self, mission: Mission) -> str | None:
        """Return the expert's next action, or None if it gives up."""
        return expert.next_action(mission.scene)

    def extra_info(self, mission: Mission) -> dict[str, Any]:
        """Return the protocol's own keys of info."""
        return {}


class AgentBoardProtocol(BabyAIProtocol):
    """AgentBoard's protocol.

    Args:
        patterns: The annotated subgoals of an instance, or alternative lists of them;
            by default they are read from the data.
        data_dir: AgentBoard's data; None for the folder that ``AGENTBOARD_DATA``
            names. Without data, the progress is minigrid's reward.

    Raises:
        FileNotFoundError: If ``data_dir`` has no such file.
        ValueError: If the alternatives differ in length, or the file is not
            AgentBoard's.
    """

    solvable: ClassVar[bool] = False
    facing: ClassVar[bool] = False

    def __init__(
        self,
        patterns: Patterns = (),
        data_dir: str | None = None,
    ) -> None:
        super().__init__()
        self._patterns = board.alternatives(patterns)
        self._annotated: dict[tuple[str, int], papers.Annotation] = {}
        rows = papers.annotated_if_there("babyai", data_dir) if not patterns else ()
        counts: Counter[str] = Counter()
        for row in rows:
            level = find_level(str(row.info.get("subtask")), solvable=False)
            # The file has four seeds of each level, in ascending order.
            self._annotated[level, _FIRST_SEED + counts[level]] = row
            counts[level] += 1
            board.alternatives(row.subgoals)

    def begin(self, mission: Mission) -> str:
        """Begin an episode; return AgentBoard's difficulty, or else the default one."""
        layout = mission.world.layout
        row = self._annotated.get((layout.level, layout.seed))
        given = self._patterns if row is None else board.alternatives(row.subgoals)
        mission.scores = board.begin(given)
        label = "" if row is None else row.difficulty
        return label or super().begin(mission)

    def goal(self, mission: Mission) -> str:
        """Return the goal in AgentBoard's words, which leave out the order."""
        return super().goal(mission).replace("then", "and").replace("after you", "and")

    def read(self, game: Mission, text: str) -> Action | None:
        """Read an action of AgentBoard's grammar, whatever is visible."""
        action = board.canonical(text)
        return None if action is None else Action(action)

    def play(self, game: Mission, action: Action) -> Turn:
        """Carry out an action, or explain why it cannot be carried out now."""
        space = _space(game)
        if action.verb not in space.actions:
            return self.refuse(game, action.verb)
        if not space.actions[action.verb]:
            return Turn(board.NO_CHANGE)
        ended = self._carry_out(game, space.actions[action.verb])
        observation = self.observation(game)
        if ended:
            observation += text.ENDINGS[True]
        steps, limit = game.scores.steps, game.world.layout.limit
        reward = board.reward_of(steps, limit) if ended is Outcome.SUCCESS else 0.0
        game.scores = board.update(game.scores, observation, reward, ended is not None)
        if game.scores.done and not ended:
            observation += text.ENDINGS[True]
        return Turn(observation, terminated=game.scores.done)

    def _carry_out(self, mission: Mission, primitives: list[int]) -> Outcome | None:
        """Take steps until the view stays the same; return the last outcome."""
        before = _image(mission.world, mission.scene.view)
        for primitive in primitives:
            outcome = mission.act(primitive)
            mission.scores = mission.scores._replace(steps=mission.scores.steps + 1)
            after = _image(mission.world, mission.scene.view)
            if after == before:
                break
            before = after
        return None if outcome is Outcome.CONTINUE else outcome

    def refuse(self, game: Mission, text: str) -> Turn:
        """Explain why an action is not offered, or list the actions on request."""
        action = text.lower().strip()
        if "check" in action:
            return Turn(self.help(game))
        return Turn.invalid(_space(game).refusal(action))

    def help(self, game: Mission) -> str:
        """Return AgentBoard's list of the actions."""
        return _space(game).help()

    def success(self, mission: Mission) -> bool:
        """Return whether AgentBoard's episode has ended with success."""
        return mission.scores.done

    def reached(self, mission: Mission) -> tuple[bool, ...]:
        """Return the milestones; AgentBoard's own end is the last one."""
        if all(mission.reached) == mission.scores.done:
            return mission.reached
        if mission.scores.done:
            return (True,) * len(mission.reached)
        return (*mission.reached[:-1], False)

    def admissible_actions(self, mission: Mission) -> tuple[str, ...]:
        """List every action that can be carried out now, in AgentBoard's order."""
        return tuple(_space(mission).actions)[:-1]

    def expert_action(self, mission: Mission) -> str | None:
        """Return the expert's next action, one of minigrid's steps at a time.

        A macro action could continue after the end of the mission.
        """
        first = expert.plan(mission.scene)[:1]
        offered = _space(mission).actions
        words = (action for action, steps in offered.items() if steps == first)
        # minigrid's "done" has no command, but every step makes the verifier check.
        return next(words, "turn left" if first == [DONE] else None)

    def extra_info(self, mission: Mission) -> dict[str, Any]:
        """Return AgentBoard's reward and its progress (ours without annotations)."""
        reward, reached = float(mission.scores.reward), self.reached(mission)
        progress = reward if mission.scores.total else sum(reached) / len(reached)
        return {"agentboard_reward": reward, "agentboard_progress": progress}

    def prompt(self, game: Mission) -> PublishedPrompt | None:
        """Return AgentBoard's prompt, or None without a checkout."""
        return papers.prompt(
            "babyai_vanilla_prompt",
            self.goal(game),
            [("Observation", self.observation(game))],
            check="check valid actions",
            inventory=True,
        )


def _space(mission: Mission) -> board.ActionSpace:
    return board.action_space(mission.world, mission.scene.view)


def _image(world: World, view: View) -> tuple[object, ...]:
    """Return a key of minigrid's partial view; equal keys mean equal images."""
    things, doors = world.things, world.doors
    shown = tuple(
        (slot, *things[code][:2], doors[code] if things[code].kind == "door" else 0)
        for slot, code in sorted(view.slots.items())
    )
    return (*shown, things[world.carrying][:2])
