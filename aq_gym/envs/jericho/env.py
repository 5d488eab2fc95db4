"""The Jericho environment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, Unpack

import numpy as np

from aq_gym.core import SharedArguments, TextEnv
from aq_gym.core.drawing import Drawing
from aq_gym.core.maps import RoomMap, draw_map, walked
from aq_gym.core.results import Start, Turn
from aq_gym.core.splits import Split
from aq_gym.core.tasks import task_of
from aq_gym.envs.jericho.agentboard import AgentBoardProtocol
from aq_gym.envs.jericho.games import ADVENTURES, is_known, known_titles
from aq_gym.envs.jericho.moment import StoryState
from aq_gym.envs.jericho.playthrough import Playthrough
from aq_gym.envs.jericho.protocol import (
    Command,
    JerichoProtocol,
    WalkthroughProtocol,
    instructions,
)
from aq_gym.envs.jericho.session_manager import SessionManager
from aq_gym.envs.jericho.tasks import story_tasks, task_id

PROTOCOLS: dict[str, type[JerichoProtocol]] = {
    "aq": JerichoProtocol,
    "jericho": WalkthroughProtocol,
    "agentboard": AgentBoardProtocol,
}


class JerichoEnv(TextEnv):
    """Play interactive fiction with a goal and subgoals.

    ## Description
    A story told in text, played with short commands: original adventures that come
    with the package, twenty known titles with AgentBoard's choice of games, or any
    Z-machine story file. Progress is read from the story's memory, not from its text.
    The stories run on our own interpreter in a WebAssembly sandbox.

    ## Action Space
    Text: a command, such as ``take lamp``. Only the first line is used, at most 100
    characters of printable ASCII. Commands about the session (save, restore, restart,
    undo, quit, script) are refused. Quotes, brackets and Markdown around a command, as
    in ``**look**``, are removed; any other line that begins with a star is a comment.
    ``check valid actions`` lists the commands that would change something.
    ``action_valid`` says whether the story's parser understood the line; if not, the
    world does not change. A line that the parser answers with a question ("Which do you
    mean, ...?") counts as understood; the next action may answer it, or be another
    command, including a bare ``north``. If the story waits for a key, the first
    character of the action is pressed; ``return`` and ``space`` press these keys.

    ## Observation Space
    Text: the goal and how to play, then the story's own words.

    ## Starting State
    The story's beginning. In our adventures hiding places, codes and the like are
    drawn from ``np_random``; every layout can be won.

    ## Rewards
    The rise of the best progress so far. Progress is the share of subgoals reached; a
    subgoal stays reached. In stories without subgoals it is the share of the highest
    score, if ``max_score`` is given or the story prints it for the command ``score``;
    the last point counts when the story is won.

    ## Episode End
    Terminated by the goal (the last subgoal) or the story's own end: it quits, or asks
    whether to restart, restore or quit. A story without annotation is won if it says
    so or ends with its highest score. A command that breaks the story, or makes it run
    longer than 20 million instructions, ends the episode with its current score.
    Truncated after 120 steps (``max_episode_steps``).

    ## Information
    The keys of :class:`aq_gym.TextEnv`; ``location``, the player's place, such as
    "Jetty (22)", or "" if unknown; ``score``, an int, if the story has a score and has
    shown it (our adventures have none). ``task_id`` is the game's name and the number
    of its random stream, such as ``clockwork-4711``. For the known titles, this number
    is also Jericho's seed of the same stream, so that ``night-0`` replays a published
    walkthrough.

    ## Arguments
    * ``game="clockwork"``: one of our adventures, a known title ("zork1"), or the
      path of a story file.
    * ``games=None``: the folder of the known titles; ``$AQ_GYM_DATA/jericho`` or
      ``$AQ_GYM_DATA`` if not given.
    * ``max_score=None``: the highest score of a story without annotation, for its
      progress.
    * ``split="all"``: "train" or "test" draws from one part of the layouts; refused for
      a story with fewer than ten, such as ``ferry`` and ``lighthouse``.
    * ``longest=None``: only layouts whose recorded solution has at most this number of
      commands; those of the maze have 15 to 33.
    * ``protocol="aq"``: "jericho" begins each episode with the random stream of
      Jericho's published walkthrough of the title. "agentboard" uses the same stream,
      with AgentBoard's goals, parsing of actions and one-line observations; success is
      judged by our subgoals, unless ``patterns`` are given.
    * ``patterns=()``: AgentBoard's annotated subgoals of a title, for that protocol:
      texts that observations contain. Progress is then AgentBoard's, also in
      ``info["agentboard_reward"]``. By default they are read from ``data_dir``.
    * ``data_dir=None``: the folder with AgentBoard's ``data/jericho/test.jsonl``; None
      for the folder that ``AGENTBOARD_DATA`` names.
    * ``render_mode``, ``instructions``, ``list_actions``: see :class:`aq_gym.TextEnv`.

    ## References
    Hausknecht et al., "Interactive Fiction Games: A Colossal Adventure", AAAI 2020.
    Ma et al., "AgentBoard: An Analytical Evaluation Board of Multi-turn LLM Agents",
    NeurIPS 2024. The Z-Machine Standards Document, version 1.1.

    ## Version History
    * v0: first version.

    Raises:
        TypeError: If an argument has the wrong type.
        ValueError: If there is no such game, or its file can't be played.
        FileNotFoundError: If a known title's file is missing.
    """

    explains_by_default = False
    protocol: JerichoProtocol
    _game: Playthrough
    plain_arguments = frozenset(
        {"longest", "max_score", "patterns", "protocol", "split"}
    )

    def __init__(
        self,
        game: str = "clockwork",
        games: str | None = None,
        max_score: int | None = None,
        split: Split = "all",
        protocol: Literal["aq", "jericho", "agentboard"] = "aq",
        patterns: Sequence[str] = (),
        data_dir: str | None = None,
        longest: int | None = None,
        **shared: Unpack[SharedArguments],
    ) -> None:
        super().__init__(**shared)
        if max_score is not None and max_score < 1:
            raise ValueError(f"max_score={max_score!r}: give a score above 0, or None")
        self._set_protocol(PROTOCOLS[protocol].of(game, patterns, data_dir))
        self._manager = manager = SessionManager(game, games)
        self._game = Playthrough(manager, max_score)
        if game not in ADVENTURES:
            self.source = "published" if is_known(manager.game) else "user"
        # The prompt's example comes from another adventure than the one played.
        self.prompt_example = "maze" if game == "keepsakes" else "keepsakes"
        self._tasks = story_tasks(
            manager.game, split, manager.layout, longest, manager.solution_length
        )

    @classmethod
    def is_plain_argument(cls, name: str, value: object) -> bool:
        """Return whether an argument names no file; a title is plain, a path is not."""
        if name == "game":
            return value in (*ADVENTURES, *known_titles())
        return super().is_plain_argument(name, value)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin an episode; see :meth:`aq_gym.TextEnv.reset`.

        Raises:
            RuntimeError: If another thread uses the environment.
        """
        with self._manager.alone():
            return super().reset(seed=seed, options=options)

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Carry out an action; see :meth:`aq_gym.TextEnv.step`.

        Raises:
            RuntimeError: If another thread uses the environment.
        """
        with self._manager.alone():
            return super().step(action)

    def _reset(self, options: Mapping[str, Any]) -> Start:
        story = self._manager.game

        def draw() -> int:
            return task_of(self._tasks, options, self.np_random)[1]

        seed = draw() if "task_id" in options else self.protocol.stream(story, draw)
        text = self._game.begin(seed)
        goal, difficulty = self.protocol.goal_and_difficulty(story)
        introduction = f"{instructions(goal)}\n\n" if self.instructions else ""
        observation = self.protocol.opening(self._game, introduction, text)
        self._memory = walked(RoomMap(), self._manager.now.location, text, "")
        return Start(observation, goal, task_id(story.name, seed), difficulty)

    def _step(self, action: Command) -> Turn:
        return self._mapped(super()._step(action), action.text)

    def _refuse(self, text: str) -> Turn:
        return self._mapped(super()._refuse(text), text)

    def _mapped(self, turn: Turn, action: str) -> Turn:
        here = self._manager.now.location
        self._memory = walked(self._memory, here, turn.observation, action)
        return turn

    def subgoals(self) -> dict[str, bool]:
        """Return whether each subgoal has been reached."""
        return self.protocol.subgoals(self._game)

    def progress(self) -> float:
        """Return the share of subgoals reached, or else the share of the score."""
        return self.protocol.progress(self._game)

    def success(self) -> bool:
        """Return whether the last subgoal is reached or the story is won."""
        return self.protocol.success(self._game)

    def admissible_actions(self) -> tuple[str, ...]:
        """Return the commands that change something, one for each new world.

        They are found by trying, which takes milliseconds. If none is found, the only
        one is ``look``. If the story waits for a key, they are the keys.
        """
        return self._manager.admissible()

    def iter_admissible_actions(self) -> Iterator[str]:
        """Return an iterator over the admissible actions, each found on demand.

        It lists the actions of the present state, even if others are played in the
        meantime, and raises an error after ``close``.
        """
        return self._manager.iter_admissible()

    def sample_action(self, rng: np.random.Generator) -> str:
        """Draw a command with nearby things, without trying it."""
        return self._manager.sample(rng)

    def expert_action(self) -> str | None:
        """Return the next step of a solution that was tried from the current state.

        The expert is privileged: it knows the recorded solution, and reads from memory
        what varies between layouts. For other people's stories it has no solution and
        gives up.
        """
        with self._manager.alone():
            return self._manager.expert() or None

    def expert_gave_up(self) -> str:
        """Return whether there is no recorded solution, or it cannot be resumed."""
        if not self._manager.game.walkthrough:
            return "the story has no recorded solution"
        resumed = self.expert_action() is not None
        return "" if resumed else "the recorded solution cannot be resumed from here"

    def extra_info(self) -> dict[str, Any]:
        """Return the player's place, and the story's score if it has one."""
        now = self._manager.now
        own: dict[str, Any] = {"location": now.location}
        if now.score.points is not None:
            own["score"] = now.score.points
        return own | self.protocol.extra_info(self._game)

    def close(self) -> None:
        """Release the interpreter; the next call that needs one makes a new one."""
        self._manager.close()
        super().close()

    def _draw(self) -> Drawing:
        goal, _ = self.protocol.goal_and_difficulty(self._manager.game)
        return draw_map(self._memory, goal)

    def _get_state(self) -> StoryState:
        return self._game.state()

    def _set_state(self, world: StoryState) -> None:
        with self._manager.alone():
            self._game.resume(world)
