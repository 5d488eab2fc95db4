"""The states of an interpreter, and its random numbers."""

import copy
import pickle
from pathlib import Path

import pytest

import aq_gym.envs.jericho
from aq_gym.zmachine import Interpreter, StateError, Status, Stream
from zmachine.compiled import play

ADVENTURES = Path(aq_gym.envs.jericho.__file__).parent / "data"


@pytest.fixture
def museum():
    interpreter = Interpreter((ADVENTURES / "museum.z5").read_bytes())
    answer = interpreter.start(7, Stream.JERICHO)
    while answer.status == Status.KEY:
        answer = interpreter.step("")
    return interpreter


def typed(interpreter, *lines):
    return [interpreter.step(line) for line in lines]


def test_a_restored_state_replays_to_the_same_texts(museum):
    before = museum.snapshot()
    first = typed(museum, "look", "take kettle", "inventory", "undo", "inventory")
    after = museum.snapshot()
    museum.restore(before)
    assert museum.snapshot() == before != after
    assert (
        typed(museum, "look", "take kettle", "inventory", "undo", "inventory") == first
    )
    assert museum.snapshot() == after


def test_a_packed_state_is_the_state_in_another_interpreter(museum):
    typed(museum, "take kettle")
    packed = pickle.loads(pickle.dumps(museum.pack(museum.snapshot())))
    assert len(packed) < 2_000
    other = Interpreter((ADVENTURES / "museum.z5").read_bytes())
    snapshot = other.unpack(packed)
    assert snapshot == museum.snapshot()
    assert other.pack(snapshot) == packed
    other.restore(snapshot)
    assert typed(other, "undo", "inventory") == typed(museum, "undo", "inventory")


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


# Observed of Jericho 3.3.1 with a story that prints random numbers.
JERICHO = {
    1: (347, 131, 983, 91, 657, 118, 596, 416, 949, 127, 5, 559),
    7: (425, 605, 558, 277, 516, 652, 928, 870, 846, 656, 346, 117),
    12: (156, 527, 50, 354, 577, 724, 781, 505, 209, 776, 809, 120),
    1_000: (626, 63, 796, 162, 601, 361, 63, 255, 762, 517, 735, 485),
}
JERICHO_THEN = (572, 880, 493, 361, 413, 722, 464, 48, 120, 442, 191, 986)
STORYS_2000 = (483, 778, 462, 341, 110, 297, 241, 914, 340, 853, 344, 196)
COUNTING = (1, 2, 3, 4, 5) * 2 + (1, 2)


@pytest.fixture
def dice():
    return play("dice", 5)[0]


def numbers(answer):
    return tuple(int(word) for word in answer.text.rstrip(">\n").split())


@pytest.mark.parametrize("seed", JERICHO)
def test_jerichos_numbers(dice, seed):
    assert numbers(dice.start(seed, Stream.JERICHO)) == JERICHO[seed]


def test_the_storys_own_seed_gives_the_same_numbers_whatever_ours_is(dice):
    dice.start(1)
    first = [numbers(dice.step(line)) for line in ("seed", "on", "count")]
    dice.start(2**64 - 1)
    assert [numbers(dice.step(line)) for line in ("seed", "on", "count")] == first
    assert first[2] == COUNTING


def test_our_stream_continues_after_a_predictable_one(dice):
    begin = numbers(dice.start(5))
    then = numbers(dice.step("on"))
    assert numbers(dice.start(5)) == begin != then
    dice.step("seed")
    assert numbers(dice.step("unpredictable")) == then
    dice.step("count")
    assert numbers(dice.step("restart")) not in (begin, then)


def test_a_restart_is_unpredictable_again(dice):
    dice.start(5)
    dice.step("count")
    assert numbers(dice.step("restart")) != COUNTING


def test_every_bit_of_our_seeds_counts(dice):
    seeds = [0, *(1 << bit for bit in range(64))]
    assert len({numbers(dice.start(seed)) for seed in seeds}) == 65


def test_an_undo_does_not_bring_back_the_same_dice():
    story, _ = play("reader", 5)
    story.step("s")
    before = story.snapshot().registers.random
    story.step("u")
    assert story.snapshot().registers.random == before
