"""The sources of tasks make the tasks that they draw, and refuse other ids."""

import numpy as np
import pytest

from aq_gym.core.splits import in_split
from aq_gym.core.tasks import GeneratedTasks, NumberedTasks, UserTasks, task_of

ROWS = tuple(f"row {i}" for i in range(40))


def draw_id(rng):
    return str(rng.integers(1000))


def make(task_id):
    return int(task_id) if task_id.isdecimal() else None


def generated(split="all"):
    return GeneratedTasks(draw_id, make, "a number", split)


def banked(split="all"):
    rows = {f"bank-{i}": range(3) for i, row in enumerate(ROWS) if in_split(row, split)}
    return NumberedTasks(rows, lambda *made: made, split, evenly=True)


def published(split="all", evenly=False):
    parts = {
        "train": {"few": range(3)},
        "test": {"few": range(3, 5), "many": range(95)},
    }
    parts["all"] = {"few": range(5), "many": range(95)}
    return NumberedTasks(parts[split], lambda *made: made, split, evenly)


def given():
    return UserTasks({"a": "x", "b": "y"}, "the letters", str.upper)


@pytest.mark.parametrize("split", ["all", "train", "test"])
@pytest.mark.parametrize("source", [generated, banked, published])
def test_what_is_drawn_is_of_the_split_and_made_again(source, split):
    tasks = source(split)
    rng = np.random.default_rng(0)
    for task_id in [tasks.draw(rng) for _ in range(50)]:
        assert tasks.get(task_id) == source().get(task_id)


@pytest.mark.parametrize("source", [generated, banked, published])
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
        (banked, "bank-40-0", "give GROUP-NUMBER, such as bank-0-0"),
        (banked, "bank-0-3", "give bank-0-0 to bank-0-2"),
        (banked, "bank-00-1", "give GROUP-NUMBER"),
        (banked, "bank-0-01", "give GROUP-NUMBER"),
        (banked, "bank-0", "give GROUP-NUMBER"),
        (banked, "0-1", "give GROUP-NUMBER"),
        (banked, "bank-²-1", "give GROUP-NUMBER"),
        (banked, None, "give GROUP-NUMBER"),
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


def test_a_task_or_a_group_is_drawn_with_the_same_probability():
    for evenly, least, most in ((True, 400, 600), (False, 20, 90)):
        rng = np.random.default_rng(0)
        drawn = [published(evenly=evenly).draw(rng) for _ in range(1000)]
        assert least < sum(task_id.startswith("few") for task_id in drawn) < most
        if not evenly:
            assert set(drawn) == {
                *(f"few-{n}" for n in range(5)),
                *(f"many-{n}" for n in range(95)),
            }


def test_numbered_tasks_need_a_task_and_name_the_argument():
    with pytest.raises(ValueError, match="split='dev' has no tasks"):
        NumberedTasks({"few": range(0)}, lambda *made: made, "dev")
    with pytest.raises(ValueError, match="variation='few-7' is not in split='all'"):
        published().get("few-7", "variation")
