"""Questions about dates, times of day, units and prices."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

from aq_gym.envs.mmlu.logic.families.family import Ask, Family

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
_FIRST_DAY = date(1950, 1, 1).toordinal()
_LAST_DAY = date(2050, 1, 1).toordinal()
_DAY = 24 * 60
# How many of the smallest unit each one is, from large to small.
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
_GOODS = (
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
            named = _DAYS[start.weekday()]
            text = f"Today is a {named}. Which day of the week is it in {days} days?"
            return text, _DAYS[end.weekday()]
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
    one, other = rng.sample(_GOODS, 2)
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
    Family("dates", "measures", _dates),
    Family("clock", "measures", _clock),
    Family("units", "measures", _units),
    Family("prices", "measures", _prices),
)
