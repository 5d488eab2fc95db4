"""The Jericho environment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np

from aq_gym.core import SharedArguments, TextEnv
from aq_gym.envs.jericho import protocol as agentboard
from aq_gym.envs.jericho import text
from aq_gym.envs.jericho.games import ADVENTURES, known_titles
from aq_gym.envs.jericho.session import StoryFailedError, StoryState
from aq_gym.envs.jericho.session.sanitize import could_be_read, read_line
from aq_gym.envs.jericho.session_manager import SessionManager
from aq_gym.prompt import Prompt, packaged_prompt
from aq_gym.splits import Split, draw, in_split
from aq_gym.step_results import Start, Turn
from aq_gym.text import quote

_SEEDS = 1_000_000
_SOLVED = "the story is won"


class _Play(NamedTuple):
    """An episode in AgentBoard's protocol.

    Attributes:
        story: The story's part.
        scores: AgentBoard's.
    """

    story: StoryState
    scores: agentboard.Scores


class JerichoEnv(TextEnv):
    """Play interactive fiction with a goal and subgoals.

    ## Description
    A story told in text, played with short commands: original adventures that come
    with the package, twenty known titles with AgentBoard's choice of games, or any
    Z-machine story file. Progress is read from the story's memory, never guessed from
    its words. The interpreter is our own and runs inside a WebAssembly sandbox.

    ## Action Space
    Text: a command as ``take lamp``. The first line is read, 100 characters of
    printable ASCII. Commands about the session (save, restore, restart, undo, quit,
    script) are refused. ``check valid actions`` lists the commands that would change
    something. ``action_valid`` is whether the story's parser understood the line; a
    line that it did not understand leaves the world as it was. A line that the parser
    answers with a question ("Which do you mean, ...?") counts as understood; the next
    action may answer it, or be a command like any other, a bare ``north`` included.
    Where the story waits for a key, the first character is pressed, or the key that
    ``return`` or ``space`` names.

    ## Observation Space
    Text: the goal and how to play, then the story's own words.

    ## Starting State
    The story's beginning. In our adventures hiding places, codes and the like are
    drawn from ``np_random``; every layout can be won.

    ## Rewards
    The rise of the best progress so far. Progress is the share of subgoals reached,
    once reached for good. Other stories have the share of their score, where
    ``max_score`` is given or the story answers ``score`` with its highest score.

    ## Episode End
    Terminated by the goal (the last subgoal) or the story's own end. Truncated after
    120 steps (``max_episode_steps``), or with ``info["error"]`` when the story fails
    or runs longer than 20 million instructions for one line.

    ## Information
    The keys of :class:`aq_gym.TextEnv`; ``score``, the story's own; ``location``, the
    player's place, as "Jetty (22)", "" where unknown. ``task_id`` is the game's name
    and the number of its random stream, as ``lighthouse-4711``. For the known titles
    that is the stream that Jericho has at the seed of that number, so that ``night-0``
    replays a published walkthrough.

    ## Arguments
    * ``game="lighthouse"``: one of our adventures, a known title ("zork1"), or the
      path of a story file.
    * ``games=None``: the folder of the known titles; ``$AQ_GYM_DATA/jericho`` or
      ``$AQ_GYM_DATA`` if not given.
    * ``max_score=None``: the highest score of a story without annotation, for its
      progress.
    * ``split="all"``: "train" or "test" draws from one part of the layouts.
    * ``protocol="aq"``: "jericho" begins each episode with the random stream at which
      Jericho publishes the title's walkthrough. "agentboard" does, too, and has
      AgentBoard's goals, its reading of actions and its one-line observations; the
      goal is judged by our subgoals unless there are ``patterns``.
    * ``patterns=()``: AgentBoard's annotated subgoals of a title, texts that an
      observation contains, in that protocol: progress is then theirs, also in
      ``info["agentboard_reward"]``.
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
    plain_arguments = frozenset({"max_score", "patterns", "protocol", "split"})

    def __init__(
        self,
        game: str = "lighthouse",
        games: str | None = None,
        max_score: int | None = None,
        split: Split = "all",
        protocol: Literal["aq", "jericho", "agentboard"] = "aq",
        patterns: Sequence[str] = (),
        **shared: Unpack[SharedArguments],
    ) -> None:
        super().__init__(**shared)
        if max_score is not None and max_score < 1:
            raise ValueError(f"max_score={max_score!r}: give a score above 0, or None")
        if patterns and protocol != "agentboard":
            raise ValueError(
                f"patterns={patterns!r:.200} belong to protocol='agentboard', "
                f"not {protocol!r}"
            )
        self._title = agentboard.title(game) if protocol == "agentboard" else None
        self._patterns = agentboard.Patterns(patterns)
        self._scores = self._patterns.begin()
        self._manager = SessionManager(game, games)
        self._max_score = max_score
        self._split = split
        self._protocol = protocol
        self._first_score = 0

    @classmethod
    def is_plain_argument(cls, name: str, value: object) -> bool:
        """Return whether an argument names no file: a title is plain, a path is not."""
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
        game = self._manager.game
        if "task_id" in options:
            seed = self._read_task_id(options["task_id"])
        elif self._protocol != "aq":
            seed = game.published_seed
        else:
            seed = draw(self._random_seed, self._task_id, self._split)
        observation = self._manager.start(seed).text
        self._first_score = self._manager.now.score
        self._scores = self._patterns.begin()
        goal, difficulty = self._title or (game.goal, game.difficulty)
        if self._title:
            observation = agentboard.clean(observation)
        if self.instructions:
            observation = f"{text.instructions(goal)}\n\n{observation}"
        observation = self._with_key_hint(observation)
        return Start(observation, goal, self._task_id(seed), difficulty)

    def _step(self, action: str) -> Turn:
        session = self._manager.session
        if session.now.over:
            return self._break("the story was over before it began")
        if self._title:
            return self._step_as_agentboard(action)
        if session.now.wants_key:
            line = action
        else:
            line, problem = read_line(action, session.word_length)
            if problem:
                return Turn(problem, action_valid=False, feedback=problem)
        try:
            reply = session.do(line)
        except StoryFailedError as error:
            return self._break(f"{error} at {quote(action)}")
        if not reply.understood:
            feedback = text.not_understood(action, reply.text)
            return Turn(reply.text, action_valid=False, feedback=feedback)
        observation = self._with_key_hint(reply.text)
        return Turn(observation, terminated=session.now.over)

    def _step_as_agentboard(self, action: str) -> Turn:
        session = self._manager.session
        if agentboard.is_check(action):
            return Turn(agentboard.help_text(self.admissible_actions()))
        line = agentboard.read(action)
        if not session.now.wants_key:
            line, problem = read_line(line, session.word_length)
            if problem:
                return Turn(problem, action_valid=False, feedback=problem)
        try:
            observation = agentboard.clean(session.say(line).text)
        except StoryFailedError as error:
            return self._break(f"{error} at {quote(action)}")
        self._scores = self._patterns.update(self._scores, observation)
        valid = agentboard.is_valid(observation)
        ended = session.now.over or self._scores.reward == 1.0
        return Turn(observation, terminated=ended, action_valid=valid)

    def understands(self, action: str) -> bool:
        """Return whether a text is a command that the story's parser could read.

        Every word must be in the story's dictionary or a number. A thing alone, as
        ``brass key``, may answer a question. Session commands are not understood.
        """
        return super().understands(action) or could_be_read(
            action, self._manager.session.dictionary
        )

    def subgoals(self) -> dict[str, bool]:
        """Return for each subgoal whether it has been reached."""
        if self._patterns.names:
            names = self._patterns.names
            return dict(zip(names, self._scores.reached, strict=True))
        solved = self.success()
        if not self._manager.game.subgoals:
            return {_SOLVED: solved}
        return {
            subgoal.name: solved or reached
            for subgoal, reached in zip(
                self._manager.game.subgoals, self._manager.now.reached, strict=True
            )
        }

    def progress(self) -> float:
        """Return the share of subgoals reached, or of the score without any."""
        if self._patterns.names:
            return self._scores.reward
        if self.success():
            return 1.0
        if self._manager.game.subgoals:
            reached = self._manager.now.reached
            return sum(reached) / len(reached)
        highest = self._highest_score()
        if highest <= self._first_score:
            return 0.0
        gained = self._manager.now.score - self._first_score
        return min(1.0, max(0.0, gained / (highest - self._first_score)))

    def success(self) -> bool:
        """Return whether the last subgoal is reached or the story is won."""
        if self._patterns.names:
            return self._scores.reward == 1.0
        now = self._manager.now
        if now.won or (now.reached and now.reached[-1]):
            return True
        highest = self._highest_score()
        return not now.reached and self._first_score < highest <= now.score

    def admissible_actions(self) -> tuple[str, ...]:
        """Return the commands that change something, one for each new world.

        They are found by trying, which takes milliseconds; ``look`` stands alone where
        nothing was found. Where the story waits for a key, it is the keys.
        """
        with self._manager.alone():
            return self._keys() or self._manager.commands().commands or ("look",)

    def iter_admissible_actions(self) -> Iterator[str]:
        """Return an iterator over the same commands, each found when it is asked for.

        It remains that of the present state, whatever is played in the meantime, and
        raises an error after ``close``.
        """
        with self._manager.alone():
            keys = self._keys()
            return iter(keys) if keys else _or_look(self._manager.iter_commands())

    def sample_action(self, rng: np.random.Generator) -> str:
        """Draw a command with things that are here, untried."""
        keys = self._keys()
        if keys:
            return keys[int(rng.integers(len(keys)))]
        return self._manager.sample(rng)

    def help(self) -> str:
        """List the commands that would change something."""
        if self._title:
            return agentboard.help_text(self.admissible_actions())
        now = self._manager.now
        if now.wants_key:
            return text.key_hint(now.keys)
        found = self._manager.commands()
        return text.help_text(found.commands, found.complete)

    def task_prompt(self) -> Prompt:
        """Return the prompt, with an example of another adventure."""
        other = "maze" if self._manager.game.name == "keepsakes" else "keepsakes"
        return packaged_prompt("aq_gym.envs.jericho", other)

    def expert_action(self) -> str:
        """Return the next step of a solution that was tried out from here.

        The expert is privileged: it knows the recorded solution and what varies. It
        has none for stories that are not ours and then gives up.
        """
        with self._manager.alone():
            return self._manager.expert()

    def extra_info(self) -> dict[str, Any]:
        """Return the story's score and the player's place."""
        now = self._manager.now
        info = {"score": now.score, "location": now.location}
        if self._patterns.names:
            info["agentboard_reward"] = self._scores.reward
        return info

    def close(self) -> None:
        """Release the interpreter; the next call that needs one makes a new one."""
        self._manager.close()
        super().close()

    def _get_state(self) -> StoryState | _Play:
        story = self._manager.state(self._first_score)
        return _Play(story, self._scores) if self._title else story

    def _set_state(self, world: StoryState | _Play) -> None:
        story = world.story if isinstance(world, _Play) else world
        with self._manager.alone():
            self._manager.resume(story)
        self._first_score = story.first_score
        if isinstance(world, _Play):
            self._scores = world.scores

    def _break(self, error: str) -> Turn:
        return Turn(f"The game broke: {error}.", truncated=True, error=error)

    def _with_key_hint(self, observation: str) -> str:
        now = self._manager.now
        if self._title or not now.wants_key:
            return observation
        hint = text.key_hint(now.keys)
        return f"{observation}\n\n{hint}" if observation else hint

    def _keys(self) -> tuple[str, ...]:
        """Return the keys to press, none where the story waits for a line."""
        now = self._manager.now
        if not now.wants_key:
            return ()
        named = (key.partition(" ")[0].lower() for key in now.keys)
        return tuple(dict.fromkeys((*named, "return")))

    def _highest_score(self) -> int:
        if self._max_score is not None:
            return self._max_score
        return self._manager.highest_score

    def _random_seed(self) -> int:
        return int(self.np_random.integers(1, _SEEDS))

    def _task_id(self, seed: int) -> str:
        return f"{self._manager.game.name}-{seed}"

    def _read_task_id(self, task_id: object) -> int:
        game = self._manager.game
        pattern = re.compile(rf"{re.escape(game.name)}-(0|[1-9][0-9]{{0,5}})")
        match = pattern.fullmatch(task_id) if isinstance(task_id, str) else None
        if match is None or int(match.group(1)) < game.first_seed:
            raise ValueError(
                f"task_id={task_id!r}: give {game.name}-N with N from "
                f"{game.first_seed} to {_SEEDS - 1}"
            )
        if not in_split(match.group(), self._split):
            raise ValueError(f"task_id={task_id!r} is not in split={self._split!r}")
        return int(match.group(1))


def _or_look(commands: Iterator[str]) -> Iterator[str]:
    """Yield commands, ``look`` if there are none."""
    yield next(commands, "look")
    yield from commands
