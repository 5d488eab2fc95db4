"""Random numbers: from our seeds, as Jericho's, and as the story wants them."""

from collections import Counter

import pytest

from aq_gym.zmachine import Stream
from zmachine.compiled import play

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


def test_jerichos_numbers_as_the_story_wants_them(dice):
    dice.start(1, Stream.JERICHO)
    assert numbers(dice.step("on")) == JERICHO_THEN
    assert numbers(dice.step("count")) == COUNTING
    assert numbers(dice.step("seed")) == STORYS_2000
    assert numbers(dice.step("thousand")) == JERICHO[1_000]
    assert numbers(dice.step("unpredictable")) == JERICHO[1]
    dice.step("seed")
    assert numbers(dice.step("restart")) == JERICHO[1]


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


def test_our_numbers_are_spread_evenly(dice):
    seen = Counter()
    dice.start(9)
    for _ in range(1_000):
        seen.update(number // 100 for number in numbers(dice.step("on")))
    hundreds = [seen[hundred] for hundred in range(10)]
    assert min(hundreds) > 1_000 < max(hundreds) < 1_400


def test_an_undo_does_not_bring_back_the_same_dice():
    story, _ = play("reader", 5)
    story.step("s")
    before = story.snapshot().registers.random
    story.step("u")
    assert story.snapshot().registers.random == before
