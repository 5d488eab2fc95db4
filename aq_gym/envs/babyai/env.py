"""The BabyAI environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Unpack

import numpy as np

from aq_gym.core import SharedArguments, TextEnv
from aq_gym.core.drawing import Drawing
from aq_gym.core.results import Start, Turn
from aq_gym.core.splits import Split
from aq_gym.core.tasks import GeneratedTasks, task_of
from aq_gym.envs.babyai import picture, text
from aq_gym.envs.babyai.actions import Action
from aq_gym.envs.babyai.agentboard import Patterns
from aq_gym.envs.babyai.generation import find_level, generate, level_of_size
from aq_gym.envs.babyai.logic.layout import Layout, canonical_form
from aq_gym.envs.babyai.mission import Mission, MissionState
from aq_gym.envs.babyai.protocol import AgentBoardProtocol, BabyAIProtocol

PROTOCOLS = {"aq": BabyAIProtocol, "agentboard": AgentBoardProtocol}
_SEEDS = 2**31


class BabyAITextEnv(TextEnv):
    """Carry out a mission in a world of rooms, keys, balls and boxes.

    ## Description
    Every BabyAI level of minigrid as a text environment. The world is minigrid's: the
    same level and seed give the same mission and the same rooms. Observations and
    actions are those of AgentBoard, with exactly its sentences. The id
    ``aq/BabyAI-text-<Level>-v0`` is ``aq/BabyAI-text-v0`` with that level.

    ## Action Space
    Text: ``turn left``, ``turn right``, ``move forward``, ``pick up``, ``drop``,
    ``toggle``, ``go to <object> <n>``, ``pickup <object> <n>`` (or ``pick up``), ``open
    <object> <n>``, ``go through <door> <n>``, ``toggle and go through <door> <n>``, and
    ``check available actions``. An object is named as in the observation, "red ball" or
    "red closed door", with its number there; if only one visible object fits, number
    and colour can be omitted: ``open the door``. Synonyms are ``forward``, ``step
    forward``, ``take``, ``grab``, ``walk to`` and ``unlock``.

    One action is one step, which can consist of several of minigrid's steps. It follows
    the shortest path through the cells that are visible now, with closed doors and
    objects as obstacles, and stops when minigrid's episode ends. Going to an object
    directly in front is minigrid's "done". An impossible action takes none of
    minigrid's steps, and the answer gives the reason, or the visible objects.
    ``toggle`` destroys a box and leaves its content, if there is any, which can make a
    mission impossible.

    ## Observation Space
    Text, in AgentBoard's words: the visible objects, nearest first; the distance of the
    next wall or box ahead; the carried object. At each step, the objects of each
    colour, state and type are numbered again. The view is that of minigrid's agent: 7
    by 7 cells in front of it, except those behind walls and closed doors. At reset the
    explanation of the actions and the mission come first, unless
    ``instructions=False``.

    ## Starting State
    ``reset(seed=s)`` is the world of minigrid's ``reset(seed=s)``; without a seed the
    next one is drawn from ``np_random``. If that world has no solution, the next world
    that minigrid makes is used. This happens in about 4% of GoToImpUnlock and 1% of
    Unlock, where the only key can be behind its own door.

    ## Rewards
    The increase of the best progress; an episode's return is its final progress rate.
    Progress is the share of milestones reached. Each instruction of the mission has
    these milestones: its target was seen; for each locked door on the cheapest route,
    the key was seen, the key was carried, and the door was opened; each closed door on
    that route was opened; for "put next to", the thing was carried, and the other thing
    was seen; for "pick up" and "open", the target was directly in front; minigrid's
    verifier says that the instruction is done. Events that have happened at the start
    do not count, a milestone that two instructions share counts once, and a milestone
    stays reached.

    ## Episode End
    Terminated when the mission is accomplished, or has failed. Levels with "Debug" in
    their name fail at a wrong door or object. Truncated after 100 steps
    (``max_episode_steps``); minigrid's own limit does not apply.

    ## Information
    The keys of :class:`aq_gym.TextEnv`; ``primitive_steps``: the number of minigrid's
    steps in the last action; ``location``: the agent's cell, such as "3,1".
    ``subgoals`` has an entry per milestone; ``difficulty`` is "easy" for up to three
    milestones (not counting targets in front), else "hard", as in AgentBoard; ``goal``
    is the mission in minigrid's words; ``task_id`` is the level and the seed of the
    world.

    ## Arguments
    * ``level="PutNextLocal"``: any of minigrid's BabyAI levels, with or without prefix
      and version; without a version it is the latest. "GoToObjS6-v0", which minigrid 3
      no longer has, plays the equal level GoToObjS4-v0, as does the id
      ``aq/BabyAI-text-GoToObjS6-v0``. "OpenDoorsOrderN2Debug" and
      "OpenDoorsOrderN4Debug", whose ordered missions can't be accomplished, play the
      levels without "Debug".
    * ``protocol="aq"``: "agentboard" reproduces AgentBoard's environment: its actions
      at each moment, its answers and its ends. In it, a macro action continues after
      the mission is accomplished, and only its last step counts; levels with "Debug"
      are played unchanged; ``success`` is AgentBoard's, and
      ``info["agentboard_reward"]`` its progress; a target in front is not a milestone.
      The expert walks one step at a time, and solves 97 of AgentBoard's 112 instances
      within their 30 steps.
    * ``patterns=()``: AgentBoard's annotated subgoals of an instance, for the reward in
      that protocol. By default they are read from AgentBoard's data; without data, the
      reward is minigrid's.
    * ``data_dir=None``: the folder with AgentBoard's ``data/babyai/test.jsonl``; None
      for the folder that ``AGENTBOARD_DATA`` names. ``info["agentboard_progress"]`` is
      AgentBoard's reward if AgentBoard has subgoals of the instance, else our progress.
    * ``size=None``: chooses another level of the same family as ``level``, by its
      position from 1. The family of "GoToLocal" is GoToLocalS5N2, GoToLocalS6N2 and so
      on to GoToLocal. For levels without sizes, as "GoToRedBall", the family is the 19
      levels of BabyAI's paper, from GoToObj to BossLevel.
    * ``split="all"``: "train" or "test" draws from one part of the worlds. Worlds that
      differ by quarter turns, mirror images or colours are in the same part.
    * ``render_mode``, ``instructions``, ``list_actions``: see :class:`aq_gym.TextEnv`.

    ## References
    Chevalier-Boisvert et al., "BabyAI: A Platform to Study the Sample Efficiency of
    Grounded Language Learning", ICLR 2019, and "Minigrid & Miniworld", NeurIPS 2023.
    Ma et al., "AgentBoard: An Analytical Evaluation Board of Multi-turn LLM Agents",
    NeurIPS 2024. Paglieri et al., "BALROG: Benchmarking Agentic LLM and VLM Reasoning
    on Games", ICLR 2025.

    ## Version History
    * v0: first version.

    Raises:
        ValueError: If the value of an argument is not allowed.
    """

    explains_by_default = False
    protocol: BabyAIProtocol
    _game: Mission

    plain_arguments = frozenset({"level", "protocol", "size", "split"})

    def __init__(
        self,
        level: str = "PutNextLocal",
        split: Split = "all",
        protocol: Literal["aq", "agentboard"] = "aq",
        patterns: Patterns = (),
        data_dir: str | None = None,
        size: int | None = None,
        **shared: Unpack[SharedArguments],
    ) -> None:
        super().__init__(**shared)
        self._set_protocol(PROTOCOLS[protocol](patterns, data_dir))
        self._level = find_level(level, solvable=self.protocol.solvable)
        if size is not None:
            self._level = level_of_size(self._level, size)
        self._tasks = GeneratedTasks(
            self._draw_id,
            self._layout_of,
            f"'{self._level}:<seed>' with a seed from 0",
            split,
            canonical_form,
        )
        self._seed: int | None = None
        self._primitive_steps = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin an episode; a seed selects the world that minigrid makes from it."""
        self._seed = seed
        return super().reset(seed=seed, options=options)

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Carry out an action, which may take several of minigrid's steps."""
        self._primitive_steps = 0
        return super().step(action)

    def _reset(self, options: Mapping[str, Any]) -> Start:
        self._primitive_steps = 0
        task_id, layout = task_of(self._tasks, options, self.np_random)
        mission = self._game = Mission.begin(layout, facing=self.protocol.facing)
        difficulty = self.protocol.begin(mission)
        observation = self.protocol.observation(mission)
        goal = self.protocol.goal(mission)
        if self.instructions:
            observation = text.opening(goal) + observation
        return Start(observation, goal, task_id, difficulty)

    def _step(self, action: Action) -> Turn:
        self._game.steps = 0
        turn = super()._step(action)
        self._primitive_steps = self._game.steps
        return turn

    def subgoals(self) -> dict[str, bool]:
        """Return whether each milestone has been reached."""
        names = (milestone.name for milestone in self._game.milestones)
        return dict(zip(names, self.protocol.reached(self._game), strict=True))

    def progress(self) -> float:
        """Return the share of milestones that have been reached."""
        reached = self.protocol.reached(self._game)
        return sum(reached) / len(reached)

    def success(self) -> bool:
        """Return whether the mission is accomplished, as the protocol judges it."""
        return self.protocol.success(self._game)

    def admissible_actions(self) -> tuple[str, ...]:
        """List every action that can be carried out now."""
        return self.protocol.admissible_actions(self._game)

    def expert_action(self) -> str | None:
        """Return the expert's next action, None in a dead end; it knows the world."""
        return self.protocol.expert_action(self._game)

    def extra_info(self) -> dict[str, Any]:
        """Return minigrid's steps in the last action, and the position."""
        world = self._game.world
        y, x = divmod(world.agent, world.layout.width)
        own = {"primitive_steps": self._primitive_steps, "location": f"{x},{y}"}
        return own | self.protocol.extra_info(self._game)

    def _draw(self) -> Drawing:
        world = self._game.world
        goal = self.protocol.goal(self._game)
        return picture.draw(world, self._game.scene.view, goal)

    def _get_state(self) -> MissionState:
        return self._game.state()

    def _set_state(self, world: MissionState) -> None:
        self._game = Mission(world)

    def _draw_id(self, rng: np.random.Generator) -> str:
        """Return the id of the world for ``reset``'s seed, or of a random world."""
        seed, self._seed = self._seed, None
        if seed is None:
            seed = int(rng.integers(_SEEDS))
        return f"{self._level}:{seed}"

    def _layout_of(self, task_id: str) -> Layout | None:
        level, _, seed = task_id.rpartition(":")
        if level != self._level or not (seed.isdecimal() and seed.isascii()):
            return None
        return generate(level, int(seed), solvable=self.protocol.solvable)
