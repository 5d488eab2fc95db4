"""A story's replies, and its moments: in memory, and as one block of bytes."""

from __future__ import annotations

import json
import threading
import zlib
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from aq_gym.envs.jericho.games import Game
from aq_gym.envs.jericho.responses import Question, Score
from aq_gym.zmachine import Answer, Interpreter, Snapshot, StateError, Status

_MAGIC = b"aq-jericho-state"
_FORMAT = b"\x03"
_CHECKSUM_SIZE, _DIGEST_SIZE, _LENGTH_SIZE = 4, 32, 4
_HEAD = len(_MAGIC) + len(_FORMAT)
_LEAST = _HEAD + _CHECKSUM_SIZE + _DIGEST_SIZE + _LENGTH_SIZE


class Moment(NamedTuple):
    """A story at one moment, comparable with ``==``.

    Attributes:
        snapshot: The interpreter's state.
        wants_key: Whether the story waits for a single key.
        reached: Whether each subgoal has been reached, in their order.
        won: Whether the story has been won.
        over: Whether the story has ended.
        score: The score, if it is known.
        seed: The number in the task id.
        question: The parser's question that waits for an answer.
        keys: A menu's keys and their uses, while the story waits for one.
        location: The player's place, by name and number; "" if unknown.
    """

    snapshot: Snapshot
    wants_key: bool
    reached: tuple[bool, ...]
    won: bool
    over: bool
    score: Score
    seed: int
    question: Question | None = None
    keys: tuple[str, ...] = ()
    location: str = ""


class StoryState:
    """The part of an ``EnvState`` that belongs to a story.

    In one process a state shares the interpreter's snapshot. Pickled, it is one block
    of bytes: a format version, a CRC-32, the SHA-256 of the story, and the moment.

    Args:
        game: The story.
        moment: The moment.
        first_score: The score at the beginning of the episode.
        annotated: Which of AgentBoard's annotated subgoals have been reached.

    Attributes:
        digest: The SHA-256 of the story.
        first_score: The score at the beginning of the episode.
        annotated: Which of AgentBoard's annotated subgoals have been reached.
    """

    def __init__(
        self,
        game: Game,
        moment: Moment,
        first_score: int,
        annotated: tuple[bool, ...] = (),
    ) -> None:
        self.digest = game.digest
        self.first_score = first_score
        self.annotated = annotated
        self._story = game.story
        self._moment: Moment | None = moment
        self._block = b""

    @cached_property
    def _hash(self) -> int:
        """A hash that is the same in every process, also after pickling."""
        assert self._moment is not None
        snapshot = self._moment.snapshot
        return zlib.crc32(snapshot.memory, zlib.crc32(snapshot.state))

    @classmethod
    def from_bytes(cls, block: bytes) -> StoryState:
        """Return the state that :meth:`to_bytes` converted.

        Raises:
            StateError: If the block is damaged or of another format version.
        """
        if len(block) < _LEAST or not block.startswith(_MAGIC):
            raise StateError("the state is damaged: it is not a Jericho state")
        if block[len(_MAGIC) : _HEAD] != _FORMAT:
            raise StateError("the state was written in another format version")
        body = block[_HEAD + _CHECKSUM_SIZE :]
        if _checksum(body) != block[_HEAD : _HEAD + _CHECKSUM_SIZE]:
            raise StateError("the state is damaged: its checksum is wrong")
        state = cls.__new__(cls)
        state.digest = body[:_DIGEST_SIZE]
        fields = _fields(body)
        state.first_score = int(fields["first_score"])
        state.annotated = tuple(fields["annotated"])
        state._hash = int(fields["hash"])
        state._story = b""
        state._moment = None
        state._block = block
        return state

    def to_bytes(self) -> bytes:
        """Return the state as one block; equal states give equal blocks."""
        if not self._block:
            assert self._moment is not None
            snapshot, *fields = self._moment
            values = {
                "moment": fields,
                "first_score": self.first_score,
                "annotated": self.annotated,
                "hash": self._hash,
            }
            text = json.dumps(values, separators=(",", ":")).encode()
            length = len(text).to_bytes(_LENGTH_SIZE, "big")
            with _PACKING:
                packed = _packer(self._story).pack(snapshot)
            body = self.digest + length + text + packed
            self._block = _MAGIC + _FORMAT + _checksum(body) + body
        return self._block

    def moment(self, interpreter: Interpreter) -> Moment:
        """Return the moment.

        Args:
            interpreter: An interpreter of the same story.

        Raises:
            StateError: If the interpreter refuses the state.
        """
        if self._moment is None:
            body = self._block[_HEAD + _CHECKSUM_SIZE :]
            packed = body[_DIGEST_SIZE + _LENGTH_SIZE + _length(body) :]
            snapshot = interpreter.unpack(packed)
            self._moment = _moment(snapshot, _fields(body)["moment"])
        return self._moment

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StoryState):
            return NotImplemented
        if self._moment is None or other._moment is None:
            return self.to_bytes() == other.to_bytes()
        mine = self.digest, self.first_score, self.annotated, self._moment
        return mine == (
            other.digest,
            other.first_score,
            other.annotated,
            other._moment,
        )

    def __hash__(self) -> int:
        return hash((self.digest, self._hash))

    def __deepcopy__(self, memo: dict[int, Any]) -> StoryState:
        # A state is immutable.
        return self

    def __copy__(self) -> StoryState:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return StoryState.from_bytes, (self.to_bytes(),)


# Interpreters only for packing snapshots, because a state may outlive the interpreter
# that made it.
_packer = lru_cache(maxsize=4)(Interpreter)
_PACKING = threading.Lock()


def _checksum(body: bytes) -> bytes:
    return zlib.crc32(body).to_bytes(_CHECKSUM_SIZE, "big")


def _length(body: bytes) -> int:
    return int.from_bytes(body[_DIGEST_SIZE : _DIGEST_SIZE + _LENGTH_SIZE], "big")


def _fields(body: bytes) -> Any:
    start = _DIGEST_SIZE + _LENGTH_SIZE
    return json.loads(body[start : start + _length(body)])


def _moment(snapshot: Snapshot, fields: list[Any]) -> Moment:
    wants_key, reached, won, over, score, seed, question, keys, location = fields
    return Moment(
        snapshot,
        wants_key,
        tuple(reached),
        won,
        over,
        Score(*score),
        seed,
        None if question is None else Question(*question),
        tuple(keys),
        location,
    )


class StoryFailedError(RuntimeError):
    """Raised if a story fails or exceeds its instruction budget."""


class Reply(NamedTuple):
    """A story's reply to a line.

    Attributes:
        text: The story's words, without the prompt.
        understood: Whether the parser understood the line.
    """

    text: str
    understood: bool


def checked(answer: Answer) -> Answer:
    """Return an answer.

    Raises:
        StoryFailedError: If the story failed.
    """
    if answer.status is Status.FAILED:
        raise StoryFailedError(answer.error)
    return answer
