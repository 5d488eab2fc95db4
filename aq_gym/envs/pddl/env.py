"""The PDDL environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Unpack

import numpy as np

from aq_gym.core import SharedArguments, TextEnv
from aq_gym.core.drawing import Drawing
from aq_gym.core.results import Start
from aq_gym.core.splits import Split
from aq_gym.core.tasks import task_of
from aq_gym.envs.pddl import picture
from aq_gym.envs.pddl.instance import Game, Instance, World
from aq_gym.envs.pddl.protocol import (
    CHECK,
    Action,
    AgentBoardProtocol,
    PDDLProtocol,
)
from aq_gym.envs.pddl.sources import DEFAULT, is_pddl_text, task_source

PROTOCOLS = {"aq": PDDLProtocol, "agentboard": AgentBoardProtocol}
# Limits observations; large user problems have very many static facts.
_LONGEST_OBSERVATION = 1_000_000


class PDDLEnv(TextEnv):
    """Reach a goal in a planning domain, played as text.

    ## Description
    A planning problem in PDDL: objects, facts, actions with preconditions and effects,
    and a goal. AgentBoard (NeurIPS 2024) plays four domains this way: barman,
    blocksworld, gripper and tyreworld. These and ferry, hanoi, logistics and sokoban
    are included, each with a generator of solvable problems; other domains can be given
    as files.

    ## Action Space
    Text: an action's name and its objects, as in ``pick ball1 rooma left``, or the
    English form, as in ``Pick up ball1 at rooma with arm left.`` ``check valid
    actions`` lists the valid actions and ``look around`` repeats the state; both take a
    step. Objects that the state determines can be omitted, as in ``Move to roomb`` or
    ``Drop ball1``. Any other text changes nothing; the answer explains the error or
    names the preconditions that don't hold.

    ## Observation Space
    Text. At reset: the actions, the objects, the facts that never change, the goal
    and the state. After a step: all facts of the state that can change.

    ## Starting State
    A problem drawn with ``np_random``, or the given one.

    ## Rewards
    The increase of the best progress; an episode's return is its final progress rate.
    With m the share of goal conditions that hold (AgentBoard's matching score),
    progress is (m - m0) / (1 - m0), at least 0, where m0 is m at the start.

    ## Episode End
    Terminated when the goal holds. Truncated after 100 steps (``max_episode_steps``;
    AgentBoard allows 30).

    ## Information
    The keys of :class:`aq_gym.TextEnv`; ``matching``: m; ``cost``: the total cost of
    the actions so far, if the domain has action costs; ``dead_end``, if ``dead_ends``
    is True: whether the goal is known to be unreachable. ``difficulty`` is "hard" with
    seven or more goal conditions (AgentBoard's cutoff) and for generated problems that
    need more than 30 steps, otherwise "easy".

    ## Arguments
    * ``domain="blocksworld"``: an included domain, or ``"pddlgym:NAME"`` for a
      deterministic domain of pddlgym (extra ``pddlgym``).
    * ``problem=None``: a fixed problem, as a number or as ``"easy-7"``; for pddlgym
      the index or the name of a file.
    * ``difficulty=None``: only "easy" or only "hard" problems.
    * ``size=None``: instead of a difficulty, the number of objects to move: blocks
      (2 to 10), balls and cars (1 to 10), drinks and packages (1 to 8), discs (2 to 7),
      boxes and wheels (1 to 3).
    * ``split="all"``: "train" or "test" draws from disjoint parts of the problems; no
      problem of one part is a problem of the other with renamed objects.
    * ``domain_file=None``, ``problem_file=None``: a PDDL domain and problem, each
      as a path or as text.
    * ``dead_ends=False``: whether info contains ``dead_end``.
    * ``protocol="aq"``: "agentboard" reproduces AgentBoard's environment: its sentences
      and its parsing of actions; for barman and tyreworld, its observations with only
      the new facts; and in ``info["agentboard_reward"]`` its progress, which also
      counts conditions that hold at the start.
    * ``data_dir=None``: a checkout of AgentBoard's repository, for the problems of
      ``domain="agentboard:NAME"``.
    * ``render_mode``, ``instructions``, ``list_actions``, ``explain``: see
      :class:`aq_gym.TextEnv`.

    ## References
    Ma et al., "AgentBoard: An Analytical Evaluation Board of Multi-turn LLM Agents",
    NeurIPS 2024 (datasets and benchmarks). Silver and Chitnis, "PDDLGym: Gym
    Environments from PDDL Problems", ICAPS 2020 workshop.

    ## Version History
    * v0: first version.

    Raises:
        ValueError: If an argument or a combination of arguments is invalid, or the
            PDDL can't be read.
    """

    protocol: PDDLProtocol
    _game: Game
    max_observation = _LONGEST_OBSERVATION
    shared_attributes: ClassVar[frozenset[str]] = frozenset({"_tasks"})
    plain_arguments: ClassVar[frozenset[str]] = frozenset(
        {"domain", "problem", "difficulty", "size", "split", "dead_ends"}
    )

    def __init__(
        self,
        domain: str = DEFAULT,
        problem: int | str | None = None,
        difficulty: Literal["easy", "hard"] | None = None,
        split: Split = "all",
        domain_file: str | None = None,
        problem_file: str | None = None,
        dead_ends: bool = False,
        protocol: Literal["aq", "agentboard"] = "aq",
        data_dir: str | None = None,
        size: int | None = None,
        **shared: Unpack[SharedArguments],
    ) -> None:
        super().__init__(**shared)
        self.prompt_example = domain
        self._dead_ends = dead_ends
        self._tasks = task_source(
            domain,
            problem,
            difficulty,
            split,
            domain_file,
            problem_file,
            data_dir,
            size,
        )
        if domain_file is not None:
            self.source = "user"
        elif ":" in domain:
            self.source = "published"
        self._set_protocol(PROTOCOLS[protocol]())

    @classmethod
    def is_plain_argument(cls, name: str, value: object) -> bool:
        """Return whether an argument reads no file that a user names."""
        if name in ("domain_file", "problem_file"):
            return value is None or (isinstance(value, str) and is_pddl_text(value))
        return super().is_plain_argument(name, value)

    def _reset(self, options: Mapping[str, Any]) -> Start:
        _, instance = task_of(self._tasks, options, self.np_random)
        game = self._begin(instance)
        return Start(
            self.protocol.opening(game, self.instructions),
            self.protocol.goal(game),
            instance.task_id,
            self.protocol.difficulty(instance),
        )

    def _begin(self, instance: Instance) -> Game:
        """Begin a game; a domain's own action ``help`` is not a request for help."""
        self._game = Game(instance)
        schemas = instance.task.domain.schemas.values()
        bare = {one.name for one in schemas if not one.parameters}
        self.help_actions = self.protocol.help_actions - bare
        return self._game

    def _read(self, text: str) -> Action | None:
        # Before the first episode there are no actions to match.
        return self.protocol.read(self._game, text) if self._game else None

    def subgoals(self) -> dict[str, bool]:
        """Return whether each condition of the goal holds."""
        return dict(zip(self._game.prose.conditions, self._game.held, strict=True))

    def progress(self) -> float:
        """Return the share of the initially unmet goal conditions that hold now."""
        return self._game.progress()

    def success(self) -> bool:
        """Return whether the goal holds."""
        return self._game.solved()

    def admissible_actions(self) -> tuple[str, ...]:
        """Return the valid actions, in the order of the domain and the objects."""
        actions, text_of = self._game.task.actions, self.protocol.text_of
        return tuple(text_of(actions[i].name) for i in self.protocol.valid(self._game))

    def sample_action(self, rng: np.random.Generator) -> str:
        """Draw a valid action, or ``check valid actions`` if there is none."""
        actions = self.admissible_actions()
        return actions[int(rng.integers(len(actions)))] if actions else CHECK

    def expert_action(self) -> str | None:
        """Return the next action of a plan, or None if there is none.

        See :class:`Expert`.
        """
        return next(iter(self.expert_plan()), None)

    def expert_plan(self) -> list[str]:
        """Return all actions of the plan, so that a fork does not plan at each step."""
        return [self.protocol.text_of(name) for name in self._game.expert_plan()]

    def expert_gave_up(self) -> str:
        """Return why the expert has no action: a dead end, or its budget."""
        return self._game.expert_gave_up()

    def extra_info(self) -> dict[str, Any]:
        """Return ``matching``, ``cost`` and, with ``dead_ends``, ``dead_end``."""
        game = self._game
        info: dict[str, Any] = {"matching": game.matching(), "cost": game.world.cost}
        info |= self.protocol.extra_info(game)
        if self._dead_ends:
            info["dead_end"] = game.dead_end()
        return info

    def _draw(self) -> Drawing:
        task = self._game.task
        changing = [task.atoms[i].key for i in task.facts(self._game.state)]
        kinds = {name: types[0] for name, types in task.problem.objects.items()}
        facts = [*(atom.key for atom in task.static), *changing]
        conditions, held = self._game.prose.conditions, self._game.held
        return picture.draw(facts, task.domain.predicates, kinds, conditions, held)

    def _get_state(self) -> World:
        return self._game.world

    def _set_state(self, world: World) -> None:
        if self._game is None or world.task_id != self._game.instance.task_id:
            self._begin(self._tasks.get(world.task_id))
        self._game.enter(world)
