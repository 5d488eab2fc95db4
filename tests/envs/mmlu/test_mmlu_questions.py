"""Generated questions have one right answer, and their options do not tell it."""

import re
from collections import Counter
from datetime import date, datetime, timedelta
from fractions import Fraction
from itertools import product
from math import gcd

import pytest

from aq_gym.envs.mmlu.generated import FAMILIES, GENERATED, question
from aq_gym.envs.mmlu.question import PUBLISHED, Question, chosen
from aq_gym.envs.mmlu.reasoning import _PAIRS, _TRIPLES

BOTH = pytest.mark.parametrize("difficulty", ["easy", "hard"])
SOLVERS = {}


def solver(function):
    """Register a second way to the answers of the family that a function names."""
    SOLVERS[function.__name__] = function
    return function


def numbers(text):
    return [int(one) for one in re.findall(r"-?\d+", text)]


@solver
def arithmetic(text):
    return str(eval(text.removeprefix("What is ").rstrip("?")))


@solver
def fractions(text):
    found = numbers(text)
    if "%" in text:
        return str(found[0] * found[1] // 100)
    a, b, c, d = found
    return str(Fraction(a * d + c * b, b * d))


@solver
def divisibility(text):
    one, two = numbers(text)
    return str(one % two if "remainder" in text else gcd(one, two))


@solver
def sequences(text):
    a, b, c, d = numbers(text)
    return str(4 * d - 6 * c + 4 * b - a)  # the differences of third order are 0


@solver
def dates(text):
    days = numbers(text)[0]
    if "Today" in text:
        names = [f"{date(2024, 1, k):%A}" for k in range(1, 8)]
        return names[(names.index(re.search(r"a (\w+day)\b", text)[1]) + days) % 7]
    start = datetime.strptime(re.search(r"after (.*)\?", text)[1], "%d %B %Y")
    end = start + timedelta(days)
    return f"{end.day} {end:%B %Y}"


@solver
def clock(text):
    hour, minute, *rest = numbers(text)
    begin = datetime(2024, 1, 1, hour, minute)
    if "train" in text:
        return f"{begin + timedelta(hours=rest[0], minutes=rest[1]):%H:%M}"
    end = datetime(2024, 1, 1, rest[0], rest[1])
    length = int(((end - begin).total_seconds() // 60 - rest[2]) % (24 * 60))
    return f"{length // 60} h {length % 60} min"


@solver
def units(text):
    sizes = {
        **{"kilometers": 1000, "meters": 1, "centimeters": 0.01, "millimeters": 0.001},
        **{"tonnes": 1000, "kilograms": 1, "grams": 0.001, "hectoliters": 100},
        **{"liters": 1, "centiliters": 0.01, "milliliters": 0.001, "miles": 63360},
        **{"yards": 36, "feet": 12, "inches": 1, "weeks": 7 * 86400, "days": 86400},
        **{"hours": 3600, "minutes": 60, "seconds": 1},
    }
    wanted = re.match(r"How many (\w+)", text)[1]
    parts = re.findall(r"([\d.]+) (\w+)", text)
    total = sum(float(count) * sizes[name] for count, name in parts)
    return str(round(total / sizes[wanted]))


@solver
def prices(text):
    one, a, two, b, *rest = [Fraction(x) for x in re.findall(r"\d+(?:\.\d+)?", text)]
    total = one * a + two * b
    return f"{float(rest[1] - total + rest[0] if rest else total):.2f} euros"


@solver
def sets(text):
    given = [frozenset(numbers(one)) for one in re.findall(r"\{(.*?)\}", text)]
    rule = re.search(r"numbers are (.*)\?", text)[1]
    found = sorted({**_PAIRS, **_TRIPLES}[rule](*given))
    return f"{{{', '.join(map(str, found))}}}"


@solver
def knights(text):
    said = dict(re.findall(r'(\w+): "(.*?)\."', text))
    possible = []
    for values in product((True, False), repeat=len(said)):
        world = dict(zip(said, values, strict=True))
        if all(_is_true(claim, world) == world[name] for name, claim in said.items()):
            possible.append([name for name in said if world[name]])
    (honest,) = possible
    return re.sub(r", (\w+)$", r" and \1", ", ".join(honest)) or "nobody"


def _is_true(claim, world):
    one, *rest = (word for word in claim.split() if word in world)
    if rest:
        return (world[one] == world[rest[0]]) == claim.endswith("alike")
    return world[one] == claim.endswith("truth")


@solver
def orderings(text):
    above = []
    for one, how, other in re.findall(r"(\w+) is (\w+) than (\w+)\.", text):
        above.append((one, other) if how in ("older", "taller") else (other, one))
    lower = dict(above)
    order = [*(lower.keys() - lower.values())]
    while order[-1] in lower:
        order.append(lower[order[-1]])
    how, count = re.search(r"Who is (\w+) than exactly (\d)", text).groups()
    ranked = order[::-1] if how in ("older", "taller") else order
    return ranked[int(count)]


@solver
def word_order(text):
    words = re.search(r"words (.*) are ", text)[1].split(", ")
    if "reversed" in text:
        words = [word[::-1] for word in words]
    names = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
    place = re.search(r"comes (\w+)\?", text)[1]
    return sorted(words)[7 if place == "eighth" else names.index(place)]


@solver
def letters(text):
    if "How many" in text:
        letter, words = re.search(r"letter (\w) occur in: (.*)\?", text).groups()
        return str(words.count(letter))
    words = re.search(r"becomes of (.*)\?", text)[1]
    by = numbers(text)[0]
    return "".join(one if one == " " else chr((ord(one) - 97 + by) % 26 + 97)
                   for one in words)  # fmt: skip


@solver
def charts(text):
    bars = {name: len(bar) for name, bar in re.findall(r"(\w+) *\| (#+)", text)}
    asked = re.findall(r"[A-Z]\w+", text.splitlines()[-1].removeprefix("How"))
    scale = (numbers(text) or [1])[0]
    return str(scale * sum(bars[name] for name in asked))


@solver
def programs(text):
    printed = []
    exec(text.partition("\n")[2], {"print": printed.append, "range": range})
    return str(printed[0])


def test_there_are_enough_families():
    assert len(FAMILIES) >= 12
    assert SOLVERS.keys() == FAMILIES.keys() == GENERATED.keys()
    assert not GENERATED.keys() & PUBLISHED.keys()


@BOTH
@pytest.mark.parametrize("family", FAMILIES)
def test_the_answer_is_right_and_no_other_option_is(family, difficulty):
    for number in range(60):
        one = question(family, difficulty, number)
        assert len({*one.options}) == 4
        assert one.options[one.answer] == SOLVERS[family](one.text), one


@BOTH
@pytest.mark.parametrize("family", FAMILIES)
def test_questions_of_a_family_differ(family, difficulty):
    texts = {question(family, difficulty, number).text for number in range(300)}
    assert len(texts) > 285
    assert max(map(len, texts)) < 600


def test_the_options_do_not_tell_the_answer():
    found = Counter()
    count = 0
    for family in FAMILIES:
        for number in range(100):
            one = question(family, "easy", number)
            count += 1
            ranked = sorted(one.options, key=lambda text: (numbers(text) or [0], text))
            for name, choice in {
                "longest": max(one.options, key=len),
                "shortest": min(one.options, key=len),
                **{f"rank {k}": option for k, option in enumerate(ranked)},
                **{f"letter {k}": option for k, option in enumerate(one.options)},
            }.items():
                found[name] += choice == one.options[one.answer]
    # 1,500 questions: a standard error of 1.1 points.
    assert all(0.21 < right / count < 0.29 for right in found.values()), found


def test_a_question_is_the_same_in_every_version():
    one = question("dates", "hard", 7)
    assert one == Question(
        *("dates", "Which date is 89 days after 25 May 1974?"),
        ("24 August 1974", "22 August 1974", "18 August 1974", "20 August 1974"),
        *(1, "hard"),
    )


def test_options_that_name_others_keep_their_order():
    plain = Question("anatomy", "q", ("1", "2", "3", "A lens"), 2)
    orders = {plain.shuffled(seed, "test-anatomy-1").options for seed in range(200)}
    assert len(orders) == 24
    for seed in range(20):
        one = plain.shuffled(seed, "test-anatomy-1")
        assert one.options[one.answer] == "3"
        assert one == plain.shuffled(seed, "test-anatomy-1")
    for last in ("All of the above", "none of these.", "Both A and B", "A, B, and C"):
        fixed = plain._replace(options=("1", "2", "3", last))
        assert {fixed.shuffled(seed, "x") for seed in range(20)} == {fixed}


def test_subjects_are_chosen_by_name_and_group():
    assert len(chosen(PUBLISHED, None, None)) == 57
    assert chosen(PUBLISHED, "anatomy", None) == ("anatomy",)
    assert chosen(GENERATED, ["dates", "sets"], "logic") == ("sets",)
    with pytest.raises(ValueError, match="did you mean 'anatomy'"):
        chosen(PUBLISHED, "anatomi", None)
    with pytest.raises(ValueError, match=r"choose from.*'STEM'"):
        chosen(PUBLISHED, None, "stem")
    with pytest.raises(ValueError, match="includes none of"):
        chosen(PUBLISHED, "anatomy", "STEM")
