"""Families of generated questions about numbers, dates, units and prices."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction
from math import gcd
from random import Random
from typing import NamedTuple, TypeAlias

# Draws a question of a frame: its text and its only right answer.
Ask: TypeAlias = Callable[[], tuple[str, str]]

# The names of people in questions.
NAMES = (
    *("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo", "Ida", "Jack"),
    *("Kira", "Leo", "Mona", "Nick", "Olga", "Paul", "Rosa", "Sam", "Tina", "Vera"),
)
WORDS = (
    *("apple", "badge", "basket", "bottle", "branch", "bridge", "butter", "candle"),
    *("carpet", "castle", "cheese", "circle", "copper", "corner", "cotton", "desert"),
    *("dinner", "dragon", "engine", "fabric", "farmer", "feather", "finger", "flower"),
    *("forest", "garden", "ginger", "guitar", "hammer", "harbor", "honey", "island"),
    *("jacket", "jungle", "kettle", "kitchen", "ladder", "lemon", "letter", "marble"),
    *("market", "meadow", "mirror", "needle", "orange", "oyster", "palace", "pencil"),
    *("pepper", "pillow", "planet", "pocket", "rabbit", "ribbon", "river", "saddle"),
    *("silver", "spoon", "stable", "tailor", "ticket", "timber", "tunnel", "velvet"),
    *("violin", "walnut", "window", "winter", "yellow", "zipper"),
)


class Family(NamedTuple):
    """A kind of generated questions.

    Four questions are drawn from one frame, and one of them is asked. The options are
    the right answers of all four. So without reading the question, each option is
    equally likely to be right.

    Attributes:
        name: Its name, which is the subject of its questions.
        group: Its group: "numbers", "measures", "logic" or "texts".
        frame: A function of a generator and of whether the questions are hard. It draws
            what the four questions share, and returns the function that draws one of
            them.
    """

    name: str
    group: str
    frame: Callable[[Random, bool], Ask]


def _arithmetic(rng: Random, hard: bool) -> Ask:
    a, b, c, d = (rng.randint(*ends) for ends in ((12, 96), (3, 12), (12, 96), (3, 9)))

    def ask() -> tuple[str, str]:
        x, y, z = a + rng.randint(-2, 2), b + rng.randint(0, 1), c + rng.randint(-2, 2)
        if hard:
            return f"What is ({x} * {y} - {z}) * {d}?", str((x * y - z) * d)
        return f"What is {x} * {y} + {z}?", str(x * y + z)

    return ask


def _fractions(rng: Random, hard: bool) -> Ask:
    if not hard:
        percent, hundreds = rng.randint(2, 97), rng.randint(2, 190)

        def ask() -> tuple[str, str]:
            p, n = percent + rng.randint(-1, 2), hundreds + rng.randint(0, 2)
            return f"What is {p}% of {100 * n}?", str(p * n)

        return ask
    below, other = rng.sample(range(3, 25), 2)

    def ask_sum() -> tuple[str, str]:
        one, two = rng.randint(1, below - 1), rng.randint(1, other - 1)
        total = Fraction(one, below) + Fraction(two, other)
        text = f"What is {one}/{below} + {two}/{other} in lowest terms?"
        return text, str(total)

    return ask_sum


def _divisibility(rng: Random, hard: bool) -> Ask:
    base = rng.randint(2, 40) if hard else rng.randint(200, 9_000)
    divisor = rng.randint(7, 19)

    def ask() -> tuple[str, str]:
        if not hard:
            n = base + rng.randint(0, 40)
            text = f"What is the remainder when {n} is divided by {divisor}?"
            return text, str(n % divisor)
        one, two = rng.sample(range(2, 30), 2)
        scale = base + rng.randint(0, 4)
        text = (
            f"What is the greatest common divisor of {scale * one} and {scale * two}?"
        )
        return text, str(scale * gcd(one, two))

    return ask


def _sequences(rng: Random, hard: bool) -> Ask:
    first, step = rng.randint(1, 150), rng.randint(3, 60)
    growth = rng.randint(1, 9) if hard else 0
    sign = 1 if hard else rng.choice((-1, 1))

    def ask() -> tuple[str, str]:
        terms, by = [first + rng.randint(0, 5)], sign * (step + rng.randint(-2, 2))
        for _ in range(4):
            terms.append(terms[-1] + by)
            by += growth
        rule = (
            "From term to term, the difference grows by the same number"
            if hard
            else ("Neighboring terms have the same difference")
        )
        shown = ", ".join(map(str, terms[:4]))
        return f"{rule}: {shown}. What is the next term?", str(terms[4])

    return ask


DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
_FIRST_DAY = date(1950, 1, 1).toordinal()
_LAST_DAY = date(2050, 1, 1).toordinal()
_DAY = 24 * 60
# The size of each unit in units of the smallest one, from large to small.
_DECIMAL = (
    (("kilometers", 10**6), ("meters", 10**3), ("centimeters", 10), ("millimeters", 1)),
    (("tonnes", 10**6), ("kilograms", 10**3), ("grams", 1)),
    (
        ("hectoliters", 10**5),
        ("liters", 10**3),
        ("centiliters", 10),
        ("milliliters", 1),
    ),
)
_MIXED = (
    (("yards", 36), ("feet", 12), ("inches", 1)),
    (("hours", 3600), ("minutes", 60), ("seconds", 1)),
    (("weeks", 168), ("days", 24), ("hours", 1)),
    (("miles", 5280), ("yards", 3), ("feet", 1)),
)
GOODS = (
    *("pens", "folders", "mugs", "plates", "candles", "plants", "maps", "brushes"),
    *("ropes", "lamps", "towels", "kites"),
)


def _dates(rng: Random, hard: bool) -> Ask:
    start = date.fromordinal(rng.randint(_FIRST_DAY, _LAST_DAY))
    count = rng.randint(20, 300) if hard else rng.randint(10, 3_600)

    def ask() -> tuple[str, str]:
        days = count + rng.randint(0, 6)
        end = start + timedelta(days)
        if not hard:
            named = DAYS[start.weekday()]
            text = f"Today is a {named}. Which day of the week is it in {days} days?"
            return text, DAYS[end.weekday()]
        return f"Which date is {days} days after {_written(start)}?", _written(end)

    return ask


def _written(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def _clock(rng: Random, hard: bool) -> Ask:
    start, length = rng.randrange(_DAY), rng.randint(65, 700)

    def ask() -> tuple[str, str]:
        minutes = length + rng.choice((-60, -10, -1, 0, 1, 10, 60))
        if not hard:
            text = f"A train leaves at {_time(start)} and travels for {_span(minutes)}."
            return f"{text} When does it arrive?", _time(start + minutes)
        pause = rng.randint(2, 9) * 5
        text = (
            f"A shift begins at {_time(start)} and ends at {_time(start + minutes)}, "
            f"with a break of {pause} minutes. How long is the work without the break?"
        )
        return text, _span(minutes - pause)

    return ask


def _time(minutes: int) -> str:
    return f"{minutes // 60 % 24:02}:{minutes % 60:02}"


def _span(minutes: int) -> str:
    return f"{minutes // 60} h {minutes % 60} min"


def _units(rng: Random, hard: bool) -> Ask:
    tenths = rng.randint(11, 9_999)
    units, mixed = rng.choice(_DECIMAL), rng.choice(_MIXED)
    counts = (rng.randint(2, 40), rng.randint(1, 11), rng.randint(1, 11))

    def ask() -> tuple[str, str]:
        if hard:
            own = [count + rng.randint(0, 1) for count in counts]
            parts = [f"{n} {name}" for n, (name, _) in zip(own, mixed, strict=True)]
            total = sum(n * size for n, (_, size) in zip(own, mixed, strict=True))
            text = f"How many {mixed[-1][0]} are {parts[0]}, {parts[1]} and {parts[2]}?"
            return text, str(total)
        large, small = sorted(rng.sample(range(len(units)), 2))
        amount = tenths + rng.randint(0, 1)
        text = f"How many {units[small][0]} are {amount // 10}.{amount % 10} "
        answer = amount * units[large][1] // (10 * units[small][1])
        return f"{text}{units[large][0]}?", str(answer)

    return ask


def _prices(rng: Random, hard: bool) -> Ask:
    one, other = rng.sample(GOODS, 2)
    cents = [rng.randint(20, 180) * 5 for _ in range(2)]
    counts = [rng.randint(2, 6) for _ in range(2)]

    def ask() -> tuple[str, str]:
        own = [count + rng.randint(0, 1) for count in counts]
        total = sum(n * price for n, price in zip(own, cents, strict=True))
        text = (
            f"{own[0]} {one} at {_euros(cents[0])} each and {own[1]} {other} at "
            f"{_euros(cents[1])} each are bought"
        )
        if not hard:
            return f"{text}. What is the price in all?", _euros(total)
        # A coupon, because a percentage of a price need not be a whole number of cents.
        coupon, note = rng.randint(1, 9) * 50, 20_000
        text = (
            f"{text} with a coupon of {_euros(coupon)} off the price in all. How much "
            f"change is there from {_euros(note)}?"
        )
        return text, _euros(note - total + coupon)

    return ask


def _euros(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02} euros"


FAMILIES = (
    Family("arithmetic", "numbers", _arithmetic),
    Family("fractions", "numbers", _fractions),
    Family("divisibility", "numbers", _divisibility),
    Family("sequences", "numbers", _sequences),
    Family("dates", "measures", _dates),
    Family("clock", "measures", _clock),
    Family("units", "measures", _units),
    Family("prices", "measures", _prices),
)
