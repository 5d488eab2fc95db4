"""The ScienceWorld environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, Unpack

import numpy as np
from gymnasium.error import DependencyNotInstalled

from aq_gym.core import SharedArguments, TextEnv
from aq_gym.core.drawing import Drawing
from aq_gym.core.maps import RoomMap, draw_map, walked
from aq_gym.core.results import Start, Turn
from aq_gym.core.tasks import task_of
from aq_gym.envs.scienceworld import expert
from aq_gym.envs.scienceworld.agentboard import AgentBoardProtocol
from aq_gym.envs.scienceworld.engine import POOL
from aq_gym.envs.scienceworld.process import EngineError, find_jar, find_java
from aq_gym.envs.scienceworld.protocol import (
    Action,
    Arguments,
    Experiment,
    Moment,
    ScienceWorldProtocol,
    help_text,
    instructions,
)
from aq_gym.support.extras import pip_command

_BROKEN = "ScienceWorld has failed."
PROTOCOLS: dict[str, type[ScienceWorldProtocol]] = {
    "aq": ScienceWorldProtocol,
    "agentboard": AgentBoardProtocol,
}


class ScienceWorldEnv(TextEnv):
    """Do an experiment of elementary science in a house of ten places.

    ## Description
    ScienceWorld (Wang et al., EMNLP 2022): 30 tasks of elementary science, from boiling
    water to genetics, in 7,207 variations. The engine is the published one (extra
    ``scienceworld``, version 1.2.3), in a Java virtual machine in a separate process
    with a heap of at most 1 GB. It is called directly, because the package's own
    ``step`` also lists the valid actions, which makes it four to five times slower.

    ## Action Space
    Text, in ScienceWorld's forms: ``activate OBJ``, ``close OBJ``, ``connect OBJ to
    OBJ``, ``deactivate OBJ``, ``disconnect OBJ``, ``dunk OBJ in OBJ``, ``eat OBJ``,
    ``flush OBJ``, ``focus on OBJ``, ``go OBJ``, ``inventory``, ``look around``, ``look
    at OBJ``, ``look in OBJ``, ``mix OBJ``, ``move OBJ to OBJ``, ``open OBJ``, ``pick up
    OBJ``, ``pour OBJ in OBJ``, ``put down OBJ``, ``read OBJ``, ``reset task``,
    ``task``, ``use OBJ on OBJ``, ``wait``, ``wait1``, and synonyms such as ``take OBJ``
    and ``go to OBJ``. Case, whitespace, surrounding quotes and a final full stop are
    ignored. If an action is ambiguous, the answer is a question, and the next action is
    the number of an object; any other action withdraws the question. ``check valid
    actions`` lists the forms and the objects in sight, at the cost of a step. A text
    that has another form, or names no object in sight, is invalid and changes nothing.
    An action without effect, such as opening an open door, is valid: time passes.

    ## Observation Space
    Text: ScienceWorld's answer; at reset, the instructions, the task and the place.

    ## Starting State
    ``np_random`` draws a task, then a variation of it. The agent begins in a place of
    the house.

    ## Rewards
    The increase of the best progress; an episode's return is its final progress rate.
    Progress is the share of subgoals reached. The subgoals are ScienceWorld's
    sequential goals, which solve the task, and the optional goals that all of its own
    solutions of the task reach; goals that hold at the start are left out. Other
    optional goals are alternatives: there are six heaters, and a solution needs only
    some. When the task is solved, all subgoals count as reached.

    ## Episode End
    Terminated when the task is solved, or has failed because the agent focused on a
    wrong object. Truncated after 250 steps (``max_episode_steps``); the package's own
    limit is 100 units of time. An engine that fails truncates with ``info["error"]``.

    ## Information
    The keys of :class:`aq_gym.TextEnv`; ``score: int``, ScienceWorld's score, 0 to 100,
    or -100 for a failed task; ``location: str``, the agent's place.

    ## Arguments
    * ``task=None``: one or several tasks, each by its name, such as "boil", or its
      number in the paper, such as "1-1"; None for all.
    * ``variation=None``: a variation, if there is only one task; None for all.
    * ``simplifications=""``: "easy", or some of "teleportAction",
      "selfWateringFlowerPots", "openContainers", "openDoors" and "noElectricalAction",
      as text with commas or as a list.
    * ``split="all"``: "train", "dev" or "test", as published: the first half, the third
      quarter and the last quarter of each task's variations.
    * ``protocol="aq"``: "agentboard" plays the tasks of AgentBoard's file
      ``data/scienceworld/test.jsonl``, in ``data_dir`` or in the folder that
      ``AGENTBOARD_DATA`` names, with AgentBoard's variations, goals, difficulties and
      simplifications. The only subgoals are AgentBoard's patterns of answers; matching
      all of them ends the episode, and ``info["agentboard_reward"]`` is their share.
      The answers are ScienceWorld's, unchanged. To see whether an action is valid, all
      valid actions are listed after it, which makes steps several times slower.
    * ``problem=None``: the number of one of AgentBoard's tasks, from 0; None for all.
    * ``data_dir=None``: see ``protocol``.
    * ``render_mode``, ``instructions``, ``list_actions`` (which takes several times as
      long as a step), ``explain``: see :class:`aq_gym.TextEnv`.

    ## References
    Wang et al., "ScienceWorld: Is your Agent Smarter than a 5th Grader?", EMNLP 2022.
    Ma et al., "AgentBoard", NeurIPS 2024 (one of its nine tasks).

    ## Version History
    * v0: first version.

    Raises:
        TypeError: If an argument has the wrong type.
        ValueError: If the value of an argument is not allowed, or two arguments
            contradict each other.
        gymnasium.error.DependencyNotInstalled: If ScienceWorld or Java is missing.
    """

    plain_arguments: ClassVar[frozenset[str]] = frozenset(
        {"task", "variation", "simplifications", "split", "protocol", "problem"}
    )
    protocol: ScienceWorldProtocol
    _game: Experiment

    def __init__(
        self,
        task: str | Sequence[str] | None = None,
        variation: int | None = None,
        simplifications: str | Sequence[str] = "",
        split: Literal["all", "train", "dev", "test"] = "all",
        protocol: Literal["aq", "agentboard"] = "aq",
        problem: int | None = None,
        data_dir: str | None = None,
        **shared: Unpack[SharedArguments],
    ) -> None:
        super().__init__(**shared)
        _require_engine()
        given = Arguments(task, variation, simplifications, split, problem, data_dir)
        self._set_protocol(PROTOCOLS[protocol].of(given))
        self.source = "published"
        self._game = Experiment()
        self._sight: tuple[str, tuple[str, ...]] = ("", ())

    def _reset(self, options: Mapping[str, Any]) -> Start:
        task_id, task = task_of(self.protocol.tasks, options, self.np_random)
        goal, seen, difficulty = self.protocol.begin(self._game, task)
        opening = f"{goal}\n\n{seen}"
        here = self._game.world.status.location
        self._memory = goal, walked(RoomMap(), here, opening, "")
        if self.instructions:
            opening = f"{instructions(self._game.forms)}\n\n{opening}"
        return Start(opening, goal, task_id, difficulty)

    def _step(self, action: Action) -> Turn:
        try:
            turn = super()._step(action)
        except EngineError as error:
            return Turn(_BROKEN, error=str(error))
        if turn.action_valid:
            goal, rooms = self._memory
            here, seen = self._game.world.status.location, turn.observation
            sent = action.command or action.text
            self._memory = goal, walked(rooms, here, seen, sent)
        return turn

    def subgoals(self) -> dict[str, bool]:
        """Return whether each subgoal has been reached."""
        return self.protocol.subgoals(self._game)

    def success(self) -> bool:
        """Return whether all sequential goals are reached, and the task not failed."""
        return self.protocol.success(self._game)

    def extra_info(self) -> dict[str, Any]:
        """Return ``score`` and ``location``."""
        status = self._game.world.status
        own = {"score": round(100 * status.score), "location": status.location}
        return own | self.protocol.extra_info(self._game)

    def admissible_actions(self) -> tuple[str, ...]:
        """Return ScienceWorld's list of the valid actions, sorted.

        Raises:
            EngineError: If ScienceWorld fails.
        """
        return self.protocol.admissible_actions(self._game)

    def sample_action(self, rng: np.random.Generator) -> str:
        """Draw a form of action, and objects in sight for it.

        Raises:
            EngineError: If ScienceWorld fails.
        """
        choices = self._game.world.status.choices
        if choices:
            return str(int(rng.integers(choices)))
        words = self._game.forms[int(rng.integers(len(self._game.forms)))].split(" ")
        objects = self._objects()
        return " ".join(
            objects[int(rng.integers(len(objects)))] if word == "OBJ" else word
            for word in words
        )

    def help(self) -> str:
        """Return the forms of actions and the objects in sight."""
        try:
            return super().help()
        except EngineError:
            # The next action will end the episode with this error.
            return help_text(self._game.forms, (), self._game.world.status.choices)

    def expert_action(self) -> str | None:
        """Return the next action of ScienceWorld's own solution, or None.

        The policy is privileged: ScienceWorld plays the variation to find the solution,
        when it is first needed. After other actions it goes back and opens doors;
        nothing else is undone.

        Raises:
            EngineError: If ScienceWorld fails.
        """
        return expert.next_action(self._game.world)

    def expert_gave_up(self) -> str:
        """Return why the solution cannot be continued."""
        known = self.expert_action() is not None
        return "" if known else "ScienceWorld's solution cannot be continued from here"

    def _objects(self) -> tuple[str, ...]:
        """Return the names of the objects in sight, which the engine lists once."""
        now = self._game.world
        if self._sight[0] != now.trace:
            with POOL.at(now) as engine:
                self._sight = (now.trace, engine.objects())
        return self._sight[1]

    def _draw(self) -> Drawing:
        goal, rooms = self._memory
        return draw_map(rooms, goal)

    def _get_state(self) -> Moment:
        return self._game.moment

    def _set_state(self, world: Moment) -> None:
        try:
            with POOL.at(world.world):
                pass
        except EngineError as error:
            raise ValueError(f"the state cannot be restored: {error}") from error
        self._game.moment = world


def _require_engine() -> None:
    missing = [
        what
        for what, found in (("ScienceWorld", find_jar()), ("Java", find_java()))
        if found is None
    ]
    if missing:
        raise DependencyNotInstalled(
            f"aq/ScienceWorld-v0 needs {' and '.join(missing)}: "
            f"{pip_command('scienceworld')}"
        )
