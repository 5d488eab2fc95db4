"""The Jericho environment."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from aq_gym.core import Start, TextEnv, Turn
from aq_gym.envs.jericho import text
from aq_gym.envs.jericho.admissible import Explorer
from aq_gym.envs.jericho.engine import load_jericho
from aq_gym.envs.jericho.expert import Guide
from aq_gym.envs.jericho.games import find_game
from aq_gym.envs.jericho.isolation import StoryProcessError
from aq_gym.envs.jericho.memo import Memo
from aq_gym.envs.jericho.sanitize import read_line
from aq_gym.envs.jericho.session import Moment, Session
from aq_gym.splits import Split, check_split, draw, in_split
from aq_gym.text import quote

_SEEDS = 1_000_000
_SOLVED = "the story is won"
_EXPERT: Memo[str] = Memo()
_ADMISSIBLE: Memo[tuple[str, ...]] = Memo()


class JerichoEnv(TextEnv):
    """Play interactive fiction with a goal and subgoals.

    ## Description
    A story told in text, played with short commands: original adventures that come
    with the package, twenty known titles with AgentBoard's choice of games, or any
    Z-machine story file. What is reached is read from the story's own memory, never
    guessed from its words.

    ## Action Space
    Text: a command as ``take lamp``. The first line is read, 100 characters of
    printable ASCII. Commands about the session (save, restore, restart, undo, quit,
    script) are refused. ``check valid actions`` lists what would change something.
    ``action_valid`` tells whether the story's parser understood the line; one that it
    did not leaves the world as it was.

    ## Observation Space
    Text: the goal and how to play, then the story's own words.

    ## Starting State
    The story's beginning. In our adventures hiding places, codes and the like are
    drawn from ``np_random``; every layout can be won.

    ## Rewards
    The rise of the best progress so far. Progress is the share of subgoals reached,
    once reached for good; without annotation it is the share of the score.

    ## Episode End
    Terminated by the goal (the last subgoal) or the story's own end. Truncated after
    120 steps (``max_episode_steps``), or with ``info["error"]`` when the interpreter
    breaks.

    ## Information
    The keys of :class:`aq_gym.TextEnv`, and ``score``, the story's own. ``task_id``
    is the game's name and the layout's number, as ``lighthouse-4711``.

    ## Arguments
    * ``game="lighthouse"``: one of our adventures, a known title ("zork1"), or the
      path of a story file.
    * ``games=None``: the folder of the known titles; ``$AQ_GYM_DATA/jericho`` or
      ``$AQ_GYM_DATA`` if not given.
    * ``isolate=None``: whether to play in a process of its own, without files and
      with a time limit; None isolates stories that are not known by their hash.
    * ``time_limit=5.0``: seconds that process may take for a line.
    * ``max_score=None``: the highest score of a story without annotation, for its
      progress.
    * ``split="all"``: "train" or "test" draws from one part of the layouts.
    * ``render_mode``, ``instructions``, ``list_actions``: see :class:`aq_gym.TextEnv`.

    ## References
    Hausknecht et al., "Interactive Fiction Games: A Colossal Adventure", AAAI 2020.
    Ma et al., "AgentBoard: An Analytical Evaluation Board of Multi-turn LLM Agents",
    NeurIPS 2024. The Z-Machine Standards Document, version 1.1.

    ## Version History
    * v0: first version.

    Raises:
        ValueError: If there is no such game, or its file can't be played.
        FileNotFoundError: If a known title's file is missing.
        gymnasium.error.DependencyNotInstalled: Without the extra ``jericho``.
    """

    reset_options: ClassVar[frozenset[str]] = frozenset({"task_id"})

    def __init__(
        self,
        game: str = "lighthouse",
        games: str | None = None,
        isolate: bool | None = None,
        time_limit: float = 5.0,
        max_score: int | None = None,
        split: Split = "all",
        render_mode: str | None = None,
        instructions: bool = True,
        list_actions: bool = False,
    ) -> None:
        super().__init__(
            render_mode=render_mode,
            instructions=instructions,
            list_actions=list_actions,
            arguments={
                "game": game,
                "games": games,
                "isolate": isolate,
                "time_limit": time_limit,
                "max_score": max_score,
                "split": split,
            },
        )
        check_split(split)
        if not time_limit > 0:
            raise ValueError(f"time_limit={time_limit!r}: give seconds above 0")
        if max_score is not None and max_score < 1:
            raise ValueError(f"max_score={max_score!r}: give a score above 0, or None")
        load_jericho()
        self.game = find_game(game, games)
        self._isolate = not self.game.trusted if isolate is None else isolate
        self._time_limit = time_limit
        self._max_score = max_score
        self._split = split
        self._first_score = 0
        self._session: Session | None = None
        self._explorer: Explorer | None = None
        self._guide: Guide | None = None

    def _reset(self, options: Mapping[str, Any]) -> Start:
        if "task_id" in options:
            seed = self._read_task_id(options["task_id"])
        else:
            seed = draw(self._random_seed, self._task_id, self._split)
        if self._session is None:
            self._session = self._open()
        answer = self._session.start(seed)
        self._first_score = self._session.now.score
        observation = answer.text
        if self.instructions:
            observation = f"{text.instructions(self.game.goal)}\n\n{observation}"
        if self._session.now.wants_key:
            observation = f"{observation}\n\n{text.KEY_HINT}"
        task_id = self._task_id(seed)
        return Start(observation, self.game.goal, task_id, self.game.difficulty)

    def _step(self, action: str) -> Turn:
        session = self._playing()
        if session.now.wants_key:
            line = action
        else:
            line, problem = read_line(action, session.word_length)
            if problem:
                return Turn(problem, action_valid=False, feedback=problem)
        try:
            answer = session.do(line)
        except StoryProcessError as error:
            return self._break(f"{error} at {quote(action)}")
        if answer.broken:
            return self._break(f"the interpreter stopped at {quote(action)}")
        observation = answer.text
        if not answer.understood:
            feedback = text.not_understood(action, answer.text)
            return Turn(observation, action_valid=False, feedback=feedback)
        if session.now.wants_key:
            observation = f"{observation}\n\n{text.KEY_HINT}"
        return Turn(observation, terminated=session.now.over)

    def subgoals(self) -> dict[str, bool]:
        """Tell for each subgoal whether it has been reached."""
        solved = self.success()
        if not self.game.subgoals:
            return {_SOLVED: solved}
        return {
            subgoal.name: solved or reached
            for subgoal, reached in zip(
                self.game.subgoals, self._now.reached, strict=True
            )
        }

    def progress(self) -> float:
        """Return the share of subgoals reached, or of the score without any."""
        if self.success():
            return 1.0
        if self.game.subgoals:
            return sum(self._now.reached) / len(self._now.reached)
        highest = self._highest_score()
        if highest <= self._first_score:
            return 0.0
        share = (self._now.score - self._first_score) / (highest - self._first_score)
        return min(1.0, max(0.0, share))

    def success(self) -> bool:
        """Tell whether the goal is reached: the last subgoal, or the story won."""
        now = self._now
        if now.won or (now.reached and now.reached[-1]):
            return True
        highest = self._highest_score()
        return not now.reached and self._first_score < highest <= now.score

    def admissible_actions(self) -> tuple[str, ...]:
        """Return the commands that change something, one for each new world.

        They are found by trying, which takes many milliseconds; ``look`` stands alone
        where nothing was found.
        """
        return self._commands() or ("look",)

    def sample_action(self, rng: np.random.Generator) -> str:
        """Draw a command with things that are here, untried."""
        return self._exploring().sample(rng)

    def help(self) -> str:
        """List the commands that would change something."""
        return text.help_text(self._commands())

    def expert_action(self) -> str:
        """Return the next step of a solution that was tried out from here.

        The expert is privileged: it knows the recorded solution and what varies. It
        has none for stories that are not ours and then gives up.
        """
        session = self._playing()
        if self._guide is None:
            self._guide = Guide(session)
        return _EXPERT.answer(self.game.digest, session.now, self._guide.next_command)

    def extra_info(self) -> dict[str, Any]:
        """Return the story's score."""
        return {"score": self._now.score}

    def close(self) -> None:
        """Let go of the interpreter; the episode can't go on, a reset can."""
        if self._session is not None:
            self._ended = self._session.now
            self._session.close()
            self._session = self._explorer = self._guide = None
        super().close()

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the interpreter, which can be made again from the state."""
        state = self.__dict__.copy()
        if state["_session"] is not None:
            state["_ended"] = self._session and self._session.now
        for name in ("_session", "_explorer", "_guide", "game"):
            state[name] = None
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the game up where it was."""
        self.__dict__.update(state)
        arguments = json.loads(self._maker[1])
        self.game = find_game(arguments["game"], arguments["games"])

    def _get_state(self) -> tuple[Moment, int]:
        return self._now, self._first_score

    def _set_state(self, world: tuple[Moment, int]) -> None:
        moment, self._first_score = world
        if self._session is None:
            self._session = self._open()
        self._session.jump(moment)

    @property
    def _now(self) -> Moment:
        return self._ended if self._session is None else self._session.now

    def _open(self) -> Session:
        session = Session(self.game, self._isolate, self._time_limit)
        self._explorer = self._guide = None
        return session

    def _playing(self) -> Session:
        """Return the session, made again where a copy or ``close`` left it out."""
        if self._session is None:
            self._session = self._open()
            self._session.jump(self._ended)
        return self._session

    def _exploring(self) -> Explorer:
        session = self._playing()
        if self._explorer is None:
            self._explorer = Explorer(session)
        return self._explorer

    def _commands(self) -> tuple[str, ...]:
        explorer = self._exploring()
        return _ADMISSIBLE.answer(self.game.digest, self._now, explorer.commands)

    def _break(self, error: str) -> Turn:
        self.close()
        return Turn(f"The game broke: {error}.", truncated=True, error=error)

    def _highest_score(self) -> int:
        if self._max_score is not None:
            return self._max_score
        return 0 if self._session is None else self._session.max_score

    def _random_seed(self) -> int:
        return int(self.np_random.integers(1, _SEEDS))

    def _task_id(self, seed: int) -> str:
        return f"{self.game.name}-{seed}"

    def _read_task_id(self, task_id: object) -> int:
        name = re.escape(self.game.name)
        pattern = re.compile(rf"{name}-([1-9][0-9]{{0,5}})")
        match = pattern.fullmatch(task_id) if isinstance(task_id, str) else None
        if match is None:
            raise ValueError(
                f"task_id={task_id!r}: give {self.game.name}-N with N from 1 to "
                f"{_SEEDS - 1}"
            )
        if not in_split(match.group(), self._split):
            raise ValueError(f"task_id={task_id!r} is not in split={self._split!r}")
        return int(match.group(1))
