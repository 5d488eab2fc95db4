"""States: snapshots for search, packed ones to keep, and what is refused."""

import copy
import pickle
from pathlib import Path

import pytest

import aq_gym.envs.jericho
from aq_gym.zmachine import Interpreter, StateError, Status, Stream

ADVENTURES = Path(aq_gym.envs.jericho.__file__).parent / "data"


@pytest.fixture
def museum():
    interpreter = Interpreter((ADVENTURES / "museum.z5").read_bytes())
    answer = interpreter.start(7, Stream.JERICHO)
    while answer.status == Status.KEY:
        answer = interpreter.step("")
    return interpreter


def play(interpreter, *lines):
    return [interpreter.step(line) for line in lines]


def test_a_restored_state_replays_to_the_same_texts(museum):
    before = museum.snapshot()
    first = play(museum, "look", "take kettle", "inventory", "undo", "inventory")
    after = museum.snapshot()
    museum.restore(before)
    assert museum.snapshot() == before != after
    assert (
        play(museum, "look", "take kettle", "inventory", "undo", "inventory") == first
    )
    assert museum.snapshot() == after


def test_a_packed_state_is_the_state_in_another_interpreter(museum):
    play(museum, "take kettle")
    packed = pickle.loads(pickle.dumps(museum.pack(museum.snapshot())))
    assert len(packed) < 2_000
    other = Interpreter((ADVENTURES / "museum.z5").read_bytes())
    snapshot = other.unpack(packed)
    assert snapshot == museum.snapshot()
    assert other.pack(snapshot) == packed
    other.restore(snapshot)
    assert play(other, "undo", "inventory") == play(museum, "undo", "inventory")


def test_the_state_of_another_story_is_refused(museum):
    mine = Interpreter((ADVENTURES / "mine.z5").read_bytes())
    mine.start()
    snapshot = mine.snapshot()
    for refuse in (museum.restore, museum.pack):
        with pytest.raises(StateError, match="another story"):
            refuse(snapshot)
    with pytest.raises(StateError, match="another story"):
        museum.unpack(mine.pack(snapshot))


@pytest.mark.parametrize("place", [0, 4, 8, 12, 16, 40, -1])
def test_a_damaged_state_is_refused(museum, place):
    packed = bytearray(museum.pack(museum.snapshot()))
    packed[place] ^= 0x55
    with pytest.raises(StateError):
        museum.unpack(bytes(packed))


def test_a_snapshot_is_not_pickled(museum):
    snapshot = museum.snapshot()
    assert copy.deepcopy(snapshot) is snapshot
    with pytest.raises(TypeError, match="pack"):
        pickle.dumps(snapshot)
    with pytest.raises(TypeError, match="another"):
        copy.deepcopy(museum)
