"""The rules of an episode: what counts, answers and retries, tools."""

import re
from fractions import Fraction

import gymnasium as gym
import pytest

import aq_gym  # noqa: F401  registers the ids
from aq_gym.core.splits import in_split
from aq_gym.envs.gsm8k.problem import Problem, Step, Work, numbers_in
from aq_gym.envs.gsm8k.templates import make, templates


def work():
    steps = [Step("3*24", Fraction(72)), Step("72/12", Fraction(6))]
    steps.append(Step("6*7", Fraction(42)))
    question = "3 bags of 24 oranges. A dozen is 7 dollars. How many dollars?"
    return Work(Problem(question, steps, Fraction(42)))


def found(world):
    return [name for name, holds in world.subgoals().items() if holds]


def test_values_count_when_computed_or_stated():
    world = work()
    assert world.calculate("3 * 24") == "72"
    assert found(world) == ["value 1"]
    world.think("A dozen is 12, so that is 72 / 12 = 6 dozens.")
    assert found(world) == ["value 1", "value 2"]
    assert world.answer("42 dollars") == "Right answer."
    assert found(world) == ["value 1", "value 2", "right answer"]


@pytest.mark.parametrize("thought", ["72 and 6", "3*24=72, 72/12=6", "72, 6 and 42"])
def test_several_new_numbers_earn_nothing(thought):
    world = work()
    world.think(thought)
    assert (found(world), world.stated) == ([], frozenset())
    world.think(f"72 of {3} and {24}")
    assert found(world) == ["value 1"]


def test_there_are_as_many_guesses_as_values():
    for guess in (
        "think[{}]",
        "calculate[{}]",
        "calculate[{} + 0]",
        "calculate[0 * 24 + {}]",
    ):
        world = work()
        for number in (99, 98, 72):
            tool, _, argument = guess.format(number)[:-1].partition("[")
            getattr(world, tool)(argument)
        assert found(world) == []
        # A number that follows from known ones still counts.
        world.calculate("3*24")
        world.calculate("72/12")
        assert found(world) == ["value 1", "value 2"]


def test_what_follows_from_known_numbers_is_no_guess():
    world = work()
    for expression in ("3 * 24 * 60", "24 / 2", "24 * .5", "7 * 0.03", "24 * 24%"):
        assert world.follows(expression), expression
    for expression in ("72", "3", "2 * 2", "3 * 8", "3 * 24 * 0.2", ""):
        assert not world.follows(expression), expression


def test_numbers_of_the_question_are_in_digits_or_words():
    assert numbers_in("Three of 1,200.50 and seven, $2 at 5:30. None.") == {
        *(3, Fraction("1200.5"), 7, 2, 5, 30)
    }
    assert numbers_in("9" * 40) == frozenset()


def test_subgoals_of_one_name_are_told_apart():
    steps = [Step("", Fraction(n), "What then?") for n in (5, 6, 7)]
    problem = Problem("Why?", steps, Fraction(7))
    assert list(problem.subgoals) == ["What then?", "What then? (2)", "right answer"]


def played(*actions, **kwargs):
    env = gym.make("aq/GSM8K-v0", **kwargs)
    env.reset(seed=0)
    for action in actions:
        step = env.step(action)
    return step


@pytest.mark.parametrize("action", ["answer[x]", "answer[]", "answer[1 or 2]", "18? "])
def test_what_is_no_number_is_no_answer(action):
    _, _, over, _, info = played(action)
    assert not over
    assert not info["action_valid"]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("The answer is 18.", "18"),
        ("So the final answer is: **$1,000**.", "$1,000"),
        ("Answer: 18 eggs", "18 eggs"),
        ("**Answer:** 18", "18"),
        ("final answer = -3", "-3"),
        ("#### 18", "18"),
        (r"\boxed{18}", "18"),
        (r"The answer is $\boxed{18\text{ eggs}}$.", "18 eggs"),
        (r"\(\boxed{\frac{7}{3}}\)", "7/3"),
        (r"$\boxed{\$1{,}250.50}$", "$1,250.50"),
        (r"\boxed{20\%}", "20%"),
        ("$18$", "18"),
        (r"\[ \boxed{20} \]", "20"),
        ("18", "18"),
        ("-$1,250.50", "-$1,250.50"),
        (r"\$7/3", "$7/3"),
        (r"20\%", "20%"),
        ("18 and 19", None),
        ("18 eggs", "18 eggs"),
        ("18.", "18"),
        ("The answer is unknown.", None),
        ("The answer is 18 or 19", None),
        ("I think that the answer is 18", "18"),
        ("Answer: three hundred", "300"),
        (f"Answer: {'1' * 300}", None),
    ],
)
def test_forms_of_an_answer(text, number):
    env = gym.make("aq/GSM8K-v0").unwrapped
    assert env.understands(text) is (number is not None)
    if number is not None:
        assert env.canonical_action(text) == env.canonical_action(f"answer[{number}]")


def test_every_template_makes_problems_of_two_to_eight_steps():
    assert len(templates()) >= 60
    for name in templates():
        for variant in (0, 7, 999_999):
            problem = make(f"{name}-{variant}")
            assert 2 <= len(problem.steps) <= 8
            # No value is given or repeated: each step but the last is a subgoal.
            assert len(problem.subgoals) == len(problem.steps)
            assert problem.answer > 0
            assert not re.search(r"[{}]|\b1 \w", problem.question), problem.question
            said = problem.question.lower()
            assert " he " not in said or " she " not in said


@pytest.mark.parametrize("name", ["eggs-week", "rope-pieces", "fuel-trip"])
def test_the_expert_solves_it_in_as_many_calls_as_it_has_steps(name):
    env = gym.make("aq/GSM8K-v0").unwrapped
    _, info = env.reset(options={"task_id": f"{name}-5"})
    for _ in info["subgoals"]:
        *_, over, _, info = env.step(env.expert_action())
    assert over
    assert info["success"]


def test_the_split_ignores_names():
    drawn = [make(f"marbles-three-{variant}") for variant in range(200)]
    assert len({one.content for one in drawn}) > 190
    for one in drawn:
        assert not re.search("[A-Z]", one.content)
    env = gym.make("aq/GSM8K-v0", split="test").unwrapped
    for seed in range(20):
        assert in_split(make(env.reset(seed=seed)[1]["task_id"]).content, "test")


@pytest.mark.parametrize(
    "task_id", ["", "eggs-week", "eggs-week-01", "eggs-week-1000000", "x-1", 5]
)
def test_an_unknown_id_is_refused(task_id):
    env = gym.make("aq/GSM8K-v0")
    with pytest.raises(ValueError, match="give TEMPLATE-VARIANT"):
        env.reset(options={"task_id": task_id})


@pytest.mark.parametrize("rename", [False, True])
def test_answers_of_the_same_value_have_one_canonical_form(rename):
    env = gym.make("aq/GSM8K-v0", rename=rename).unwrapped
    env.reset(seed=0)
    name = env.write_call("answer", number="1").partition("(")[0]
    same = ("18", "The answer is 18.", f"{name}[18]", f"{name}(18)", f'{name}("18.0")')
    assert len({env.canonical_action(text) for text in same}) == 1
    others = ("19", "18 eggs", "-18", f"{name}[many]")
    assert len({env.canonical_action(text) for text in (same[0], *others)}) == 5
