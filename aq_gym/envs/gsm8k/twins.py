"""Twins of problems: the same sentences with other names and numbers.

A problem has twins if its solution can be calculated again with other numbers. For
that, every annotation must be right, the last one must give the answer, every number
and value must be used, and each number in the solution must have exactly one source. A
source is a number in the question, the value of an earlier step, or a constant that a
word of the question explains, such as 60 for "hours". Other problems have no twins,
because these could be wrong.

A number keeps its value if something else in the story could determine it: if it can be
the number of things that the question lists ("4 dogs", "the last dog"; "the 3
friends"), of parts of a larger unit ("5 days a week") or of parts that things have by
nature ("8 legs"), or can be a time or date.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np
from rapidfuzz.distance.Levenshtein import distance

from aq_gym.answers import read_number
from aq_gym.envs.gsm8k.problem import (
    NUMBER,
    OPERAND,
    Problem,
    Step,
    exact_value,
)
from aq_gym.envs.gsm8k.templates import FEMALE, MALE
from aq_gym.tools.arithmetic import write_fraction

_TRIES = 300
# Excludes "7:00", "1/2", "3rd", "5-foot", and numbers after "a", which might have to
# become "an".
_FREE = re.compile(
    r"(?<![\w.,:/-])(?<!\ba )(?<!\ban )(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
    r"(?![\w:/-]|[.,]\d)",
    re.ASCII,
)
_SHARE = re.compile(r"(\d[\d,]*(?:\.\d+)?) ?(?:%|percent|cents?\b)", re.ASCII)
# "Half" may have been calculated as 50%, and a quarter as 25%.
_PARTS = re.compile("half|halv|quarter", re.IGNORECASE)
_LONGEST_NUMBER = 12
_NAME = re.compile(r"[A-Z][a-z]+")
_SMALL = 12
_MONTHS = (
    "January|February|March|April|May|June|July|August|September|October|November|"
    "December"
)
# Words for things that are listed or in an order: a small number can be their count.
_LISTED = re.compile(
    r"\b(?:first|second|third|fourth|fifth|sixth|last|final|latter|eldest|oldest|"
    r"youngest|middle|tallest|shortest|respectively|both|neither|of (?:each|them)|"
    r"the others?|another|one of)\b",
    re.IGNORECASE,
)
# Units of time from small to large, each with the words that imply it.
_TIMES = (
    "seconds?",
    "minutes?|per minute|rpm",
    "hours?|hourly|noon",
    "days?|daily|nights?|today|tonight|yesterday|tomorrow|mornings?|afternoons?|"
    "evenings?|shifts?|(?:sun|mon|tues|wednes|thurs|fri|satur)days?",
    "weeks?|weekly|weekends?|weekdays?",
    f"months?|monthly|{_MONTHS}",
    "years?|yearly|annual(?:ly)?",
)
# Things with a fixed number of parts, which the solution may have counted.
_BY_NATURE = {
    2: "bicycles?|bikes?|twins?|weekends?|parents|round.trip|eyes?|hands?|ears?|wings?",
    3: "tricycles?|triang\\w+|trio",
    4: "squares?|cars?|trucks?|wheels?|tires?|legs?|seasons?|dogs?|cats?|horses?",
    5: "fingers?|toes?|penta\\w+",
    6: "insects?|ants?|hexa\\w+|half.dozen",
    8: "spiders?|octo\\w+",
}
# Words beside a number that is a time, a date, a bill, or the count of fixed parts.
_FIXED_BEFORE = re.compile(
    rf"(?:\b(?:{_MONTHS}|year|aged?|grade|chapter|page|number|level|room|"
    r"route|highway|interstate|version|size|pints?|until|till|at|since)|#)\s*$",
    re.IGNORECASE,
)
_FIXED_AFTER = re.compile(
    r"\s*(?:a\.?m\b|p\.?m\b|o'clock|to \d+ ?[ap]\.?m|(?:dollar )?bills?\b|coins?\b|"
    r"degrees?\b|\w*\s?(?:legs?|eyes?|arms?|wings?|fingers?|toes?|wheels?|tires?|"
    r"sides?|corners?|strings?|horns?|hooves|paws?|players?|innings?|quarters?|semesters?|"
    r"seasons?)\b)",
    re.IGNORECASE,
)
# The words that can stand for a number. If the question has such a word, the same
# number in digits keeps its value, because the solution's number could come from the
# word.
_MEANT = {
    1: "",
    2: "half|halve|halv|twice|double|both|pair|couple|two|second|other",
    3: "third|tripl|three|thrice",
    4: "quarter|fourth|four|quadrupl|month",
    5: "fifth|five|weekday|work|school|nickel",
    6: "six",
    7: "week|seven|daily|every day",
    8: "eight",
    9: "nine|ninth",
    10: "ten|dime|decade",
    11: "eleven",
    12: "dozen|year|foot|feet|inch|twelve|twelfth|month|annual|noon|midnight",
    15: "fifteen|quarter",
    20: "twenty|score",
    24: "day|hour",
    25: "quarter",
    30: "month|half|thirty",
    52: "year|week",
    60: "hour|minute|second",
    100: "percent|%|cent|meter|century|dollar|hundred|\\$",
    365: "year",
    1000: "thousand|kilo|liter|ton",
}
_STEPS = (1000, 500, 100, 50, 10, 5)


def twin_of(problem: Problem, rng: np.random.Generator) -> Problem | None:
    """Return a twin of a problem, or None."""
    free = _free_numbers(problem)
    if not free:
        return None
    for _ in range(_TRIES):
        changed = {number: _other(number, rng) for number in free}
        steps = _steps(problem, changed)
        if steps and _in_order(problem, changed):
            return Problem(
                _renamed(_rewritten(problem.question, changed), rng),
                steps,
                steps[-1].value,
            )
    return None


def _free_numbers(problem: Problem) -> list[Fraction]:
    """Return the numbers that can change; none if the solution can't be followed."""
    question = problem.question
    written = NUMBER.findall(question)
    if any(len(one) > _LONGEST_NUMBER for one in written):
        return []
    asked = list(map(_value, written))
    if not _is_followed(problem, asked):
        return []
    movable = list(map(_value, _FREE.findall(question)))
    expressions = " ".join(step.expression for step in problem.steps)
    operands = list(map(_value, OPERAND.findall(expressions)))
    # "2 each for 70 people" may have been calculated as 70+70.
    return [
        number
        for number in dict.fromkeys(movable)
        if asked.count(number) == movable.count(number)
        and asked.count(number) <= operands.count(number) + operands.count(number / 100)
        and not _is_meant(number, question)
        and not _is_bound(number, problem)
    ]


def _is_bound(number: Fraction, problem: Problem) -> bool:
    """Return whether something else in the story could determine a number."""
    question = problem.question
    parts = rf"\b(?:{_BY_NATURE.get(int(number), '(?!)')})\b"
    if number in _in_words(question) or re.search(parts, question, re.IGNORECASE):
        return True
    expressions = [step.expression for step in problem.steps]
    signs = sum(len(re.findall(r"(?<=[\w.)])\s*[+-]", one)) for one in expressions)
    # The number may count the values that are added up, or the calculations.
    if number <= signs + 2 or number <= len(expressions) + 1:
        return True
    for found in _FREE.finditer(question):
        if _value(found[0]) != number:
            continue
        before, after = question[: found.start()], question[found.end() :]
        is_money = before.endswith("$")
        small = number <= _SMALL and not is_money
        if (
            (small and _LISTED.search(question))
            or _FIXED_BEFORE.search(before)
            or _FIXED_AFTER.match(after)
            or (not is_money and _is_part_of_time(after, question))
        ):
            return True
    return False


def _is_part_of_time(after: str, question: str) -> bool:
    """Return whether a unit of time follows, and the question has a larger one."""
    near = re.match(r"\W*(?:\w+\W+)?(\w+)?", after)
    words = re.findall(r"\w+", near[0]) if near else []
    for place, names in enumerate(_TIMES[:-1]):
        larger = rf"\b(?:{'|'.join(_TIMES[place + 1 :])})\b"
        if any(re.fullmatch(names, word, re.IGNORECASE) for word in words):
            return re.search(larger, question, re.IGNORECASE) is not None
    return False


def _in_words(question: str) -> set[Fraction]:
    """Return the numbers that a question has in words."""
    found = map(read_number, re.findall("[a-z]+", question.lower()))
    return {one.value for one in found if one is not None}


def _is_followed(problem: Problem, asked: Sequence[Fraction]) -> bool:
    """Return whether the source of each number is clear, and each has a use.

    A value or number that seems unused may have been used without an annotation.
    """
    if not problem.steps or problem.steps[-1].value != problem.answer:
        return False
    question = problem.question
    shares = {_value(one) / 100 for one in _SHARE.findall(question)}
    if _PARTS.search(question):
        shares -= {Fraction(1, 2), Fraction(1, 4), Fraction(3, 4)}
    used: set[Fraction] = set()
    earlier: list[Fraction] = []
    for step in problem.steps:
        if exact_value(step.expression) != step.value:
            return False
        operands = list(map(_value, OPERAND.findall(step.expression)))
        if any(operands.count(one) > max(1, asked.count(one)) for one in operands):
            return False  # "3 tricycles" can have been calculated as 3*3.
        for number in operands:
            places = (number in asked) + earlier.count(number)
            is_share = number in shares
            meant = _is_meant(number, question)
            clear = places + is_share == 1 and not (meant and number in earlier)
            if not clear and (places + is_share or not meant):
                return False
            used |= {number, number * 100} if is_share else {number}
        earlier.append(step.value)
    return used >= {*asked, *earlier[:-1]}


def _value(written: str) -> Fraction:
    return Fraction(written.replace(",", ""))


def _is_meant(number: Fraction, question: str) -> bool:
    words = _MEANT.get(int(number)) if number.denominator == 1 else None
    return words is not None and re.search(words, question, re.IGNORECASE) is not None


def _other(number: Fraction, rng: np.random.Generator) -> Fraction:
    """Draw another number of similar size, equally round and with as many decimals."""
    unit = Fraction(1)
    while (number / unit).denominator != 1:
        unit /= 10
    unit *= next(
        (n for n in _STEPS if number / unit % n == 0 and number / unit >= 4 * n), 1
    )
    count = int(number / unit)
    low, high = max(2, count - count * 2 // 5), count + count // 2 + 2
    drawn = int(rng.integers(low, high))
    return unit * (drawn + (drawn >= count))


def _steps(problem: Problem, changed: Mapping[Fraction, Fraction]) -> list[Step] | None:
    """Calculate the solution with other numbers; None if a value does not fit."""
    # A number below 100 may be a percentage, written as 0.2 for 20%.
    shares = {old / 100: new / 100 for old, new in changed.items() if old < 100}
    known = {**shares, **changed}
    steps = []
    for step in problem.steps:
        expression = OPERAND.sub(lambda one: _written(one[0], known), step.expression)
        value = exact_value(expression)
        if value is None or value <= 0 or _decimals(value) > _decimals(step.value):
            return None
        known[step.value] = value
        steps.append(Step(expression, value, step.name))
    return steps


def _written(operand: str, known: Mapping[Fraction, Fraction]) -> str:
    number = _value(operand)
    return write_fraction(known[number]) if number in known else operand


def _decimals(value: Fraction) -> int:
    """Return how many decimals a value has; 9 for more than 4."""
    return next((k for k in range(5) if 10**k % value.denominator == 0), 9)


def _in_order(problem: Problem, changed: Mapping[Fraction, Fraction]) -> bool:
    """Return whether the numbers of the question, words included, keep their order."""
    question = problem.question
    asked = sorted({*map(_value, NUMBER.findall(question)), *_in_words(question)})
    now = [changed.get(number, number) for number in asked]
    shares = map(_value, _SHARE.findall(question))
    whole = all(share > 100 or changed.get(share, share) <= 100 for share in shares)
    return whole and all(one < other for one, other in pairwise(now))


def _rewritten(question: str, changed: Mapping[Fraction, Fraction]) -> str:
    def write(found: re.Match[str]) -> str:
        old = found[0]
        new = changed.get(_value(old))
        if new is None:
            return old
        places = len(old.partition(".")[2])
        return f"{float(new):{',' if ',' in old else ''}.{places}f}"

    return _FREE.sub(write, question)


def _renamed(question: str, rng: np.random.Generator) -> str:
    """Give each known first name of a question another one of the same kind.

    If two words may be forms of one name, such as Marta and Martha, all names stay.
    """
    there = dict.fromkeys(_NAME.findall(question))
    for name in there.keys() & {*FEMALE, *MALE}:
        alike = (distance(name, one) == 1 or one.startswith(name) for one in there)
        if sum(alike) > 1:  # The name itself is one of these.
            return question
    names: dict[str, str] = {}
    for kind in (FEMALE, MALE):
        others = [str(one) for one in rng.permutation(kind) if one not in there]
        names |= zip((one for one in there if one in kind), others, strict=False)
    return _NAME.sub(lambda one: names.get(one[0], one[0]), question)
