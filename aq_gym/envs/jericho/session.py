"""One story being played: the interpreter, the memory, the subgoals."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from aq_gym.envs.jericho.actions import read_key
from aq_gym.envs.jericho.games import Game
from aq_gym.envs.jericho.logic import Memory, read_dictionary
from aq_gym.envs.jericho.logic.predicates import View
from aq_gym.envs.jericho.moment import Moment, Reply, StoryFailedError, checked
from aq_gym.envs.jericho.responses import (
    NONSENSE,
    Outcome,
    Question,
    ResponseClassifier,
    Score,
    ScoreReader,
    asked_back,
    is_walk,
    menu_keys,
    menu_text,
    tidy,
)
from aq_gym.zmachine import (
    Answer,
    Interpreter,
    Status,
    Stream,
)

# The first global variable is the player's location (section 8.2.2 of the standard).
_LOCATION = 0
_WALKS = (
    "north", "south", "east", "west", "northeast", "northwest", "southeast",
    "southwest", "up", "down", "in", "out",
)  # fmt: skip
# The budget of instructions per step, so that a story that hangs is given up soon.
_BUDGET = 2_000_000
_MOST_INTRO_KEYS = 10


@lru_cache(maxsize=64)
def find_player(story: bytes) -> int:
    """Return the object that moves when the player walks, or 0 if none is found."""
    interpreter = Interpreter(story, undo=False, budget=_BUDGET)
    try:
        return _find(interpreter, story)
    finally:
        interpreter.close()


def _find(interpreter: Interpreter, story: bytes) -> int:
    if not _begin(interpreter):
        return 0
    here = interpreter.snapshot()
    before = Memory(story, here.memory)
    start = before.variable(_LOCATION)
    for walk in _WALKS:
        interpreter.restore(here)
        if interpreter.step(walk).error:
            continue
        after = Memory(story, interpreter.dynamic_memory())
        end = after.variable(_LOCATION)
        if start == end or not 0 < end <= after.count:
            continue
        for number in range(1, before.count + 1):
            if before.parent(number) == start and after.parent(number) == end:
                return number
    return 0


def _begin(interpreter: Interpreter) -> bool:
    """Start a story; return whether it waits for a line."""
    interpreter.start()
    for _ in range(_MOST_INTRO_KEYS):
        if interpreter.status is not Status.KEY:
            break
        interpreter.step("")
    return interpreter.status is Status.LINE


_MOST_INTRO_KEYS = 10


class Session:
    """Plays one story from its beginning or from any moment.

    Args:
        game: The story.

    Attributes:
        game: The story.
        interpreter: The interpreter that runs it.
        classifier: Judges the story's replies.
        dictionary: The words that the story's parser knows.
        memory: The story's current memory.
        now: The current moment; not available before :meth:`start`.
    """

    def __init__(self, game: Game) -> None:
        if not game.player:
            game = replace(game, player=find_player(game.story))
        self.game = game
        # Without undo, as in Jericho: the command is refused anyway, and Inform's
        # stories would save a copy of themselves at every turn.
        self.interpreter = Interpreter(game.story, undo=False)
        self.classifier = ResponseClassifier(game)
        self._scores = ScoreReader(game, self.interpreter)
        self.dictionary = read_dictionary(game.story)
        self.memory = Memory(game.story)
        self._locations = {0: ""}
        self._now: Moment | None = None

    @property
    def started(self) -> bool:
        """Whether the story has been started."""
        return self._now is not None

    @property
    def now(self) -> Moment:
        """The current moment.

        Raises:
            RuntimeError: Before the first :meth:`start` or :meth:`jump`.
        """
        if self._now is None:
            raise RuntimeError("the story has not been started")
        return self._now

    def start(self, seed: int) -> Reply:
        """Restart with one of Jericho's random streams.

        The keys that the introduction waits for are pressed, and a title's opening
        lines typed.

        Args:
            seed: The number in the task id, at least 0.

        Raises:
            StoryFailedError: If the story fails before it waits for a line.
        """
        answer = self.interpreter.start(self.game.boot_seed(seed), Stream.JERICHO)
        texts = [checked(answer).text]
        for _ in range(_MOST_INTRO_KEYS):
            if answer.status is not Status.KEY:
                break
            answer = checked(self.interpreter.step(""))
            texts.append(answer.text)
        for line in self.game.opening:
            answer = checked(self.interpreter.step(line))
            texts.append(answer.text)
        self.memory.ram = self.interpreter.dynamic_memory()
        over = answer.status is Status.HALTED
        self._now = self._moment(answer, Outcome(True, False, over), None, seed)
        return Reply("\n\n".join(filter(None, map(tidy, texts))), True)

    def do(self, line: str) -> Reply:
        """Type a safe line; if the story waits for a key, press the line's first key.

        A line that the parser does not understand leaves the moment unchanged. A line
        that does not answer a question of the parser is an ordinary command.

        Raises:
            RuntimeError: If the story is over.
            StoryFailedError: If the story fails; the moment is then unchanged.
        """
        asked = self.now
        if asked.over:
            raise RuntimeError("the story is over")
        try:
            if asked.question is None:
                return self._type(line)
            return self._answer(line, asked, asked.question)
        except StoryFailedError:
            self.jump(asked)
            raise

    def say(self, line: str) -> Reply:
        """Type any line, or press its first key; even a failed line counts as a turn.

        Raises:
            RuntimeError: If the story is over.
            StoryFailedError: If the story fails; the moment is then unchanged.
        """
        now = self.now
        if now.over:
            raise RuntimeError("the story is over")
        try:
            answer, outcome = self._send(line)
        except StoryFailedError:
            self.jump(now)
            raise
        self._now = self._moment(answer, outcome, now, now.seed)
        return Reply(tidy(answer.text), True)

    def _answer(self, line: str, asked: Moment, question: Question) -> Reply:
        reply = None
        if not is_walk(line, question):
            reply = self._type(line)
            if reply.understood:
                return reply
        self._drop(question)
        command = self._type(line)
        if command.understood:
            return command
        self.jump(asked)
        return reply or command

    def _type(self, line: str) -> Reply:
        now = self.now
        pressing = now.wants_key
        answer, outcome = self._send(read_key(line) if pressing else line)
        wants_key = answer.status is Status.KEY
        rows = self.interpreter.upper_window() if wants_key else ()
        text = menu_text(rows, answer.text)
        if not (outcome.understood or pressing or outcome.over):
            self.jump(now)
            return Reply(text, False)
        after = self._moment(answer, outcome, now, now.seed)
        if wants_key:
            keys = menu_keys("\n".join((*rows, answer.text)))
            after = after._replace(keys=keys)
        elif not (pressing or after.over):
            depth = after.snapshot.depth, now.snapshot.depth
            question = asked_back(text, *depth, now.question)
            after = after._replace(question=question)
        self._now = after
        return Reply(text, True)

    def _drop(self, question: Question) -> None:
        """Make the parser drop its question, without changing the world."""
        asked = self.now
        _, outcome = self._send(NONSENSE)
        snapshot = self.interpreter.snapshot()
        if outcome.understood or snapshot.depth != question.depth:
            self.jump(asked)
        else:
            self._now = asked._replace(snapshot=snapshot, question=None)

    def _send(self, line: str) -> tuple[Answer, Outcome]:
        before = self.classifier.counters(self.memory)
        answer = checked(self.interpreter.step(line))
        self.memory.ram = self.interpreter.dynamic_memory()
        outcome = self.classifier.judge(line, answer, self.memory, before)
        return answer, outcome

    def jump(self, moment: Moment) -> None:
        """Return to a moment of this story."""
        self.interpreter.restore(moment.snapshot)
        self.memory.ram = self.interpreter.dynamic_memory()
        self._now = moment

    def close(self) -> None:
        """Release the interpreter."""
        self.interpreter.close()

    def _moment(
        self, answer: Answer, outcome: Outcome, before: Moment | None, seed: int
    ) -> Moment:
        """Return the moment after an answer; reached subgoals stay reached."""
        _, won, over = outcome
        known = before.score if before else Score()
        score = self._scores.read(self.memory, answer, over, known)
        subgoals = self.game.subgoals
        reached = before.reached if before else (False,) * len(subgoals)
        if not all(reached):
            view = View(self.memory, score.points or 0, won)
            reached = tuple(
                held or subgoal.reached(view)
                for held, subgoal in zip(reached, subgoals, strict=True)
            )
        snapshot = self.interpreter.snapshot()
        wants_key = answer.status is Status.KEY
        location = self._location()
        return Moment(
            snapshot, wants_key, reached, won, over, score, seed, location=location
        )

    def _location(self) -> str:
        player = self.game.player
        number = self.memory.parent(player) if player else 0
        if number not in self._locations:
            # Rooms with the same name are distinguished by their numbers.
            self._locations[number] = f"{self.memory.name(number)} ({number})"
        return self._locations[number]
