"""The sources of tasks: what they draw, they also make again, and nothing else."""

import numpy as np
import pytest

from aq_gym.core.splits import in_split
from aq_gym.core.tasks import BankedTasks, GeneratedTasks, UserTasks, task_of

ROWS = tuple(f"row {i}" for i in range(40))


def draw_id(rng):
    return str(rng.integers(1000))


def make(task_id):
    return int(task_id) if task_id.isdecimal() else None


def generated(split="all"):
    return GeneratedTasks(draw_id, make, "a number", split)


def banked(split="all"):
    return BankedTasks(ROWS, 3, lambda *made: made, "bank", split)


def given():
    return UserTasks({"a": "x", "b": "y"}, "the letters", str.upper)


@pytest.mark.parametrize("split", ["all", "train", "test"])
@pytest.mark.parametrize("source", [generated, banked])
def test_what_is_drawn_is_of_the_split_and_made_again(source, split):
    tasks = source(split)
    rng = np.random.default_rng(0)
    for task_id in [tasks.draw(rng) for _ in range(50)]:
        assert tasks.get(task_id) == source().get(task_id)


@pytest.mark.parametrize("source", [generated, banked])
def test_splits_refuse_each_others_tasks(source):
    rng = np.random.default_rng(0)
    drawn = {source("train").draw(rng) for _ in range(50)}
    for task_id in drawn:
        with pytest.raises(ValueError, match=r"split='test'"):
            source("test").get(task_id)


@pytest.mark.parametrize(
    ("source", "task_id", "message"),
    [
        (generated, "x", "task_id='x': give a number"),
        (generated, 7, "task_id=7: give a number"),
        (generated, None, "task_id=None: give a number"),
        (banked, "bank-40-0", "ROW is below 40"),
        (banked, "bank-0-3", "VARIANT is below 3"),
        (banked, "bank-00-1", "give bank-ROW-VARIANT"),
        (banked, "bank-0", "give bank-ROW-VARIANT"),
        (banked, "0-1", "give bank-ROW-VARIANT"),
        (banked, "bank-²-1", "give bank-ROW-VARIANT"),
        (banked, None, "give bank-ROW-VARIANT"),
        (given, "c", "is not one of the letters .2, such as 'a'"),
        (given, ["a"], "is not one of the letters"),
    ],
)
def test_an_unknown_id_is_refused(source, task_id, message):
    with pytest.raises(ValueError, match=message):
        source().get(task_id)


def test_the_argument_that_holds_an_id_is_named():
    with pytest.raises(ValueError, match="code='x': give a number"):
        generated().get("x", "code")


def test_what_draw_made_is_not_made_again():
    calls = []

    def counted(task_id):
        calls.append(task_id)
        return make(task_id)

    tasks = GeneratedTasks(draw_id, counted, "a number", "test")
    task_id = tasks.draw(np.random.default_rng(0))
    tasks.get(task_id)
    assert calls.count(task_id) == 1
    assert in_split(task_id, "test")


def test_user_tasks_are_loaded_when_they_are_played():
    assert given().ids == ("a", "b")
    assert given().get("b") == "Y"
    assert UserTasks({"a": "x"}, "one").get("a") == "x"
    assert given().draw(np.random.default_rng(0)) in ("a", "b")


def test_options_come_before_a_draw():
    rng = np.random.default_rng(0)
    before = rng.bit_generator.state
    assert task_of(given(), {"task_id": "b"}, rng) == ("b", "Y")
    assert rng.bit_generator.state == before
    assert task_of(given(), {}, rng)[0] in ("a", "b")


def test_without_a_split_the_content_is_not_computed():
    def content(instance):
        raise AssertionError(instance)

    tasks = GeneratedTasks(draw_id, make, "a number", "all", content)
    assert tasks.get("3") == make("3")
