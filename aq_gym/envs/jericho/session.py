"""One story being played: the interpreter, the memory, the subgoals."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from aq_gym.envs.jericho.engine import Engine
from aq_gym.envs.jericho.games import Game
from aq_gym.envs.jericho.isolation import IsolatedEngine
from aq_gym.envs.jericho.logic import Dictionary, Memory
from aq_gym.envs.jericho.logic.predicates import View
from aq_gym.envs.jericho.machine import Output, Player, Snapshot
from aq_gym.envs.jericho.menus import menu_keys, tidy_menu
from aq_gym.envs.jericho.outcome import Outcome, Referee, tidy
from aq_gym.envs.jericho.questions import NONSENSE, Question, asked_back, is_walk
from aq_gym.envs.jericho.sanitize import read_key

__all__ = ["Answer", "Moment", "Session"]

_MOST_INTRO_KEYS = 10


class Answer(NamedTuple):
    """What came of a line.

    Attributes:
        text: The story's words, without prompt and status line.
        understood: Whether the parser understood the line.
        broken: Whether the interpreter stopped by an error.
    """

    text: str
    understood: bool
    broken: bool = False


class Moment(NamedTuple):
    """A story at one moment: small, picklable, comparable.

    Attributes:
        snapshot: The interpreter's state.
        wants_key: Whether the story waits for a single key.
        reached: Which subgoals have been reached, in their order.
        won: Whether the story says that it is won.
        over: Whether it has ended.
        score: The score.
        seed: Where the story's random stream began.
        question: What the parser has asked back and waits to hear.
        keys: A menu's keys and what they do, where the story waits for one.
        location: What the player is in, by name and number, "" where unknown.
    """

    snapshot: Snapshot
    wants_key: bool
    reached: tuple[bool, ...]
    won: bool
    over: bool
    score: int
    seed: int
    question: Question | None = None
    keys: tuple[str, ...] = ()
    location: str = ""


class Session:
    """Plays one story from its beginning or any moment.

    Args:
        game: The story.
        isolate: Whether to play it in a process of its own.
        time_limit: Seconds that process may take for a line.

    Attributes:
        game: The story.
        memory: Its memory now.
        now: The moment.
        max_score: The highest score, 0 where unknown.
    """

    def __init__(self, game: Game, isolate: bool, time_limit: float) -> None:
        self.game = game
        self._player: Player = (
            IsolatedEngine(game.story, time_limit) if isolate else Engine(game.story)
        )
        self.max_score = self._player.max_score
        if game.trusted and not game.player:
            self.game = replace(game, player=self._player.player)
        self._referee = Referee(game)
        self.word_length = Dictionary(game.story).length
        self._opening = self._player.opening
        self._begin = self._player.snapshot()
        self.memory = Memory(game.story, self._begin.ram)
        self._locations = {0: ""}
        self._nothing_reached = (False,) * len(game.subgoals)
        self.now = Moment(self._begin, False, self._nothing_reached, False, True, 0, 0)

    def start(self, seed: int) -> Answer:
        """Begin anew, with the story's random stream at a seed.

        Keys that the introduction waits for are pressed.
        """
        output = self._opening
        snapshot = self._begin._replace(random=(seed, 0, 0))
        self._player.restore(snapshot)
        texts = [output.text]
        for _ in range(_MOST_INTRO_KEYS):
            if not output.wants_key or output.halted:
                break
            output = self._player.send("")
            texts.append(output.text)
        snapshot = self._player.snapshot()
        self.memory.ram = snapshot.ram
        start = Outcome(True, False, output.halted, output.score)
        self.now = self._moment(
            self._nothing_reached, snapshot, start, output.wants_key, seed
        )
        text = "\n\n".join(filter(None, map(tidy, texts)))
        return Answer(text, True, output.broken)

    def do(self, line: str) -> Answer:
        """Type a safe line, or press its first key where the story waits for one.

        A line that the parser does not understand leaves the moment as it was. One
        that is no answer to the parser's question is a command like any other.
        """
        if self.now.over:
            raise RuntimeError("the story is over")
        asked = self.now
        if asked.question is None:
            return self._type(line)
        answer = None
        if not is_walk(line, asked.question):
            answer = self._type(line)
            if answer.understood:
                return answer
        self._drop(asked.question)
        anew = self._type(line)
        if anew.understood:
            return anew
        self.jump(asked)
        return answer or anew

    def _type(self, line: str) -> Answer:
        now = self.now
        pressing = now.wants_key
        output, snapshot, outcome = self._send(read_key(line) if pressing else line)
        text = (tidy_menu if output.wants_key else tidy)(output.text)
        if not (outcome.understood or pressing or outcome.over):
            self.jump(now)
            return Answer(text, False)
        after = self._moment(now.reached, snapshot, outcome, output.wants_key, now.seed)
        if after.wants_key:
            # A menu names its keys once.
            keys = menu_keys(output.text) or (() if text else now.keys)
            after = after._replace(keys=keys)
        elif not (pressing or after.over):
            depth = snapshot.depth, now.snapshot.depth
            question = asked_back(text, *depth, now.question)
            after = after._replace(question=question)
        self.now = after
        return Answer(text, True, output.broken)

    def _drop(self, question: Question) -> None:
        """Go on to where the parser has dropped its question, the world as it is."""
        asked = self.now
        _, snapshot, outcome = self._send(NONSENSE)
        if outcome.understood or snapshot.depth != question.depth:
            self.jump(asked)
        else:
            self.now = asked._replace(snapshot=snapshot, question=None)

    def _send(self, line: str) -> tuple[Output, Snapshot, Outcome]:
        before = self._referee.counters(self.memory)
        output = self._player.send(line)
        snapshot = self._player.snapshot()
        self.memory.ram = snapshot.ram
        outcome = self._referee.judge(line, output, self.memory, before)
        return output, snapshot, outcome

    def jump(self, moment: Moment) -> None:
        """Go to a moment of this story."""
        self._player.restore(moment.snapshot)
        self.memory.ram = moment.snapshot.ram
        self.now = moment

    def close(self) -> None:
        """Let go of the interpreter."""
        self._player.close()

    def _moment(
        self,
        reached: tuple[bool, ...],
        snapshot: Snapshot,
        outcome: Outcome,
        wants_key: bool,
        seed: int,
    ) -> Moment:
        """Make the moment after an answer; what has been reached stays reached."""
        view = View(self.memory, outcome.score, outcome.won)
        if not all(reached):
            reached = tuple(
                held or subgoal.reached(view)
                for held, subgoal in zip(reached, self.game.subgoals, strict=True)
            )
        won, over, score = outcome.won, outcome.over, outcome.score
        moment = Moment(snapshot, wants_key, reached, won, over, score, seed)
        return moment._replace(location=self._location())

    def _location(self) -> str:
        player = self.game.player
        number = self.memory.parent(player) if player else 0
        if number not in self._locations:
            # Rooms of one name are told apart by their numbers.
            self._locations[number] = f"{self.memory.name(number)} ({number})"
        return self._locations[number]
