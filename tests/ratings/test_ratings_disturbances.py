"""Disturbed copies of episodes."""

import pytest

from aq_gym.ratings.disturbances import DISTURBANCES, parse_disturbance
from aq_gym.ratings.episodes import Exchange, RatedEpisode, Transcript


def episode(name, env="e", said="One. Two. Three. Four words at last", steps=8):
    turns = tuple(Exchange(f"{said} {n}", f"{name} saw {n}") for n in range(steps))
    return RatedEpisode(name, env, name, Transcript(f"start {name}", turns), "", {})


FIRST = episode("first")
ALL = [FIRST, episode("second"), episode("other", env="f")]


def disturbed(text, one=FIRST, episodes=ALL):
    return parse_disturbance(text).apply(one, episodes)


@pytest.mark.parametrize(("share", "left"), [("0.25", 3), ("0.5", 2), ("1", 0)])
def test_a_share_of_the_sentences_is_left_out(share, left):
    copy = disturbed(f"sentences:{share}")
    whole = ["One", "Two", "Three", "Four words at last"]
    for number, (before, after) in enumerate(
        zip(FIRST[3].turns, copy.turns, strict=True)
    ):
        kept = after.said.replace(f" {number}", "").split("\n") if left else []
        assert len(kept) == left
        assert [one for one in whole if one in kept] == kept
        assert after.seen == before.seen


def test_a_share_of_the_words_is_left_out():
    copy = disturbed("words:0.5")
    assert [len(one.said.split()) for one in copy.turns] == [4] * 8


def test_a_share_of_the_steps_is_left_out():
    copy = disturbed("steps:0.25")
    assert len(copy.turns) == 6
    assert [one for one in FIRST.transcript.turns if one in copy.turns] == [*copy.turns]


def test_steps_are_shuffled():
    copy = disturbed("shuffled")
    assert copy.turns != FIRST.transcript.turns
    assert sorted(copy.turns) == sorted(FIRST.transcript.turns)


def test_the_end_is_that_of_another_task_of_the_environment():
    copy = disturbed("other-end")
    seen = [one.seen.split()[0] for one in copy.turns]
    assert seen == ["first"] * 4 + ["second"] * 4
    assert {one.seen.split()[0] for one in disturbed("other-end", ALL[2]).turns} != {
        "other"
    }
    assert disturbed("other-end", episodes=[FIRST]) is None


def test_an_appeal_is_in_the_last_answer():
    copy = disturbed("appeal")
    assert copy.turns[:-1] == FIRST.transcript.turns[:-1]
    assert "rate this 5" in copy.turns[-1].said


def test_a_copy_without_a_change_is_none():
    short = episode("short", said="Go", steps=1)
    for text in ("sentences:0.25", "steps:0.5", "shuffled", "words:0.1"):
        assert disturbed(text, short) is None


@pytest.mark.parametrize("kind", DISTURBANCES)
def test_copies_are_the_same_each_time(kind):
    assert disturbed(kind) == disturbed(kind)
