"""The ALFWorld environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Literal, Unpack

from gymnasium.envs.registration import EnvSpec

from aq_gym.core import SharedArguments, TextEnv
from aq_gym.core.drawing import Drawing
from aq_gym.core.results import Start
from aq_gym.core.tasks import task_of
from aq_gym.envs.alfworld import picture
from aq_gym.envs.alfworld.engine import Engine, Record
from aq_gym.envs.alfworld.households import Limits
from aq_gym.envs.alfworld.logic.house import House, State
from aq_gym.envs.alfworld.protocol import (
    AgentBoardProtocol,
    AgentQuestProtocol,
    AlfworldProtocol,
    Command,
)
from aq_gym.envs.alfworld.sources import OFFICIAL, GameTask, is_official, task_source

PROTOCOLS = {
    "aq": AlfworldProtocol,
    "agentboard": AgentBoardProtocol,
    "agentquest": AgentQuestProtocol,
}
World = tuple[str, State, Record]


class AlfworldEnv(TextEnv):
    """Do a task in a household: find, carry, clean, heat and cool objects.

    ## Description
    ALFWorld (Shridhar et al., ICLR 2021): a household in text. The task is to find an
    object and put it somewhere, in some types of task after cleaning, heating or
    cooling it; or to examine it under a lamp. Cabinets, drawers and other receptacles
    are closed until opened, and one object can be carried at a time. The native
    engine's answers equal those of the published engine (TextWorld). Households are
    generated, or taken from the official games.

    ## Action Space
    Text: ``go to R``, ``open R``, ``close R``, ``take O from R``, ``move O to R``,
    ``clean O with R``, ``heat O with R``, ``cool O with R``, ``use O``, ``slice O with
    O``, ``examine X``, ``look``, ``inventory`` and ``help`` (ALFWorld's own command),
    where objects and receptacles are named as in the observations, such as ``cabinet
    1``. Case, whitespace, surrounding quotes and a final stop are ignored. ``put O
    in/on R``, the command of older data, is the same as ``move O to R``; "place" is
    accepted for "put", and "in", "on", "into", "onto", "inside" or "to" for "in/on".
    "look around", "check inventory", "walk to R", "pick up O from R" and "turn on O"
    are synonyms of ``look``, ``inventory``, ``go to R``, ``take O from R`` and ``use
    O``, and "from R" can be omitted if only one ``take O from R`` is valid. ``check
    valid actions`` lists the valid commands, at the cost of a step. Any other text
    changes nothing, and the answer is "Nothing happens."; ``info["feedback"]`` explains
    why. With ``explain=True``, the observation contains this explanation.

    ## Observation Space
    Text. At reset: the commands, the room and the task. After a step: ALFWorld's
    answer.

    ## Starting State
    A household drawn with ``np_random``. The agent stands in the middle of the room
    and holds nothing.

    ## Rewards
    The increase of the best progress; an episode's return is its final progress rate.
    Progress is the share of subgoals reached; once reached, a subgoal stays reached.
    The subgoals are "find" (an observation of the engine named an object of the target
    type), "take", "clean", "heat" or "cool" (the held object was), "reach" (the agent
    is at the receptacle with the object in hand) and "place"; for two objects "find",
    "take 1", "place 1", "take 2" and "place 2"; for examining "find", "take", "reach
    the lamp" and "light on". The last subgoal is reached by solving the task.

    ## Episode End
    Terminated when the task is solved. Truncated after 60 steps
    (``max_episode_steps``).

    ## Information
    The keys of :class:`aq_gym.TextEnv`; ``plan_progress``, AgentQuest's measure: 1 -
    (remaining length / initial length of a shortest plan), at least 0, and 0 in a dead
    end; ``location``: the agent's location, such as "loc 12". ``difficulty`` is "easy"
    for tasks with at most three subgoals besides "find", the cutoff of AgentBoard:
    placing one object, and examining it in light.

    ## Arguments
    * ``split="all"``: generated households; "train" and "test" share neither floor
      plans nor goals. ("generated", "generated_train" and "generated_test" are these
      splits too, under the names that task ids have.) "official_train",
      "valid_train", "valid_seen" and "valid_unseen" are the official games, from
      ``$ALFWORLD_DATA`` or the folder that ``aq-gym download alfworld`` fills.
    * ``task_type=None``: one of the six types of task, or a list of them; None for all.
    * ``receptacles=None``: the maximum number of receptacles in a generated household;
      if the task needs more, it has as many as needed. None for all receptacles of the
      floor plan, up to 54.
    * ``distractors=None``: the number of types of object in it that the task does not
      name; None for all types of the floor plan.
    * ``game=None``: the path of a game file, which excludes ``split`` and
      ``task_type``; or the index of a game in an official split (of the given types),
      ordered by path; or the folder of an official game, such as
      ``train/pick_.../trial_...``.
    * ``protocol="aq"``: "agentboard" reproduces AgentBoard's environment. It accepts
      only AgentBoard's form of commands ("put X in/on Y"), "look" repeats the last
      answer to "go to" or "open", and only placing one object is "easy".
      ``info["agentboard_reward"]`` is AgentBoard's progress, measured by patterns that
      observations match in any order. "agentquest" has the observations of AgentQuest's
      driver, which list the valid commands; a command follows ``Action:``. Its texts
      are used if ``AGENTQUEST_DATA`` names a checkout.
    * ``render_mode``, ``instructions``, ``list_actions``, ``explain`` (False by
      default, so that observations keep the published wording): see
      :class:`aq_gym.TextEnv`.

    ## References
    Shridhar et al., "ALFWorld: Aligning Text and Embodied Environments for Interactive
    Learning", ICLR 2021. Ma et al., "AgentBoard", NeurIPS 2024. Gioacchini et al.,
    "AgentQuest", NAACL 2024 (demonstrations).

    ## Version History
    * v0: first version.

    Raises:
        TypeError: If an argument has the wrong type.
        ValueError: If the value of an argument is not allowed, or two arguments
            contradict each other.
        FileNotFoundError: If the official games or the game file are missing.
    """

    explains_by_default: ClassVar[bool] = False
    shared_attributes: ClassVar[frozenset[str]] = frozenset({"_tasks"})
    plain_arguments: ClassVar[frozenset[str]] = frozenset(
        {"split", "task_type", "protocol", "receptacles", "distractors"}
    )
    protocol: AlfworldProtocol
    _game: Engine
    _spec: EnvSpec | None = None

    def __init__(
        self,
        split: str = "all",
        task_type: str | Sequence[str] | None = None,
        game: str | Path | int | None = None,
        protocol: Literal["aq", "agentboard", "agentquest"] = "aq",
        receptacles: int | None = None,
        distractors: int | None = None,
        **shared: Unpack[SharedArguments],
    ) -> None:
        if isinstance(game, Path):
            game = str(game)
        super().__init__(**shared)
        self._tasks = task_source(
            split, task_type, game, Limits(receptacles, distractors)
        )
        if game is not None or split in OFFICIAL:
            self.source = "published" if is_official(game) else "user"
        self._set_protocol(PROTOCOLS[protocol]())
        self._task_id = ""

    @classmethod
    def is_plain_argument(cls, name: str, value: object) -> bool:
        """Return whether an argument reads no file that a user names."""
        if name == "game":
            return value is None or type(value) is int
        return super().is_plain_argument(name, value)

    @property
    def spec(self) -> EnvSpec | None:
        """The spec that ``gymnasium.make`` set; paths in it are text, as JSON needs."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:
        if spec is not None and isinstance(spec.kwargs.get("game"), Path):
            kwargs = {**spec.kwargs, "game": str(spec.kwargs["game"])}
            spec = replace(spec, kwargs=kwargs)
        self._spec = spec

    def _reset(self, options: Mapping[str, Any]) -> Start:
        task_id, task = task_of(self._tasks, options, self.np_random)
        self._load(task_id, task)
        game = self._game
        game.observe(game.opening().partition("\n\nYour task is to: ")[0])
        opening = self.protocol.opening(game, self.instructions)
        difficulty = self.protocol.difficulty(game.house.goal)
        return Start(opening, game.words.task, task_id, difficulty)

    def _load(self, task_id: str, task: GameTask) -> None:
        game = task.game()
        words = self.protocol.words(game.words)
        self._game = Engine(game._replace(words=words))
        self._task_id = task_id

    def _read(self, text: str) -> Command | None:
        # Before the first episode there are no names to match.
        return self.protocol.read(self._game, text) if self._task_id else None

    @property
    def household(self) -> House:
        """The household of the current episode, for evaluators."""
        return self._game.house

    def subgoals(self) -> dict[str, bool]:
        """Return whether each subgoal has been reached."""
        reached = self._game.record.reached
        return {name: name in reached for name in self._game.subgoals}

    def progress(self) -> float:
        """Return the share of subgoals reached."""
        return len(self._game.record.reached) / len(self._game.subgoals)

    def success(self) -> bool:
        """Return whether the task is solved."""
        return self._game.solved()

    def extra_info(self) -> dict[str, Any]:
        """Return ``plan_progress`` and ``location``."""
        game = self._game
        location = game.house.location_names[game.state.location]
        info = {"plan_progress": game.plan_progress(), "location": location}
        return info | self.protocol.extra_info(game)

    def admissible_actions(self) -> tuple[str, ...]:
        """Return the valid commands, sorted."""
        return tuple(map(self._action, self._game.commands()))

    def expert_action(self) -> str | None:
        """Return the next command of a shortest plan, or None in a dead end.

        The policy is privileged: it knows the contents of closed receptacles.
        """
        command = self._game.expert()
        return self._action(command) if command else None

    def _action(self, command: str) -> str:
        return self.protocol.write(self._game, Command(command))

    def _get_state(self) -> World:
        return self._task_id, self._game.state, self._game.record

    def _set_state(self, world: World) -> None:
        task_id, state, record = world
        if task_id != self._task_id:
            self._load(task_id, self._tasks.get(task_id))
        self._game.state, self._game.record = state, record

    def _draw(self) -> Drawing:
        game = self._game
        return picture.draw(game.house, game.state, game.record.seen, game.words.task)
