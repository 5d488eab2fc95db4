"""The templates of questions about weather."""

from __future__ import annotations

import datetime
from typing import Any

from aq_gym.envs.toolquery.logic.names import COUNTRIES
from aq_gym.envs.toolquery.logic.question import (
    Builder,
    Question,
    Template,
    World,
    best_of_three,
)
from aq_gym.envs.toolquery.logic.session import fact
from aq_gym.envs.toolquery.logic.weather import (
    DRAWS,
    LEVELS,
    MOST_DAYS,
    TOOLS,
    WeatherSession,
    build,
    distance,
    in_fahrenheit,
    level,
    measured,
)

_YES_NO = (True, False)
_DRAWS = 100


def height_difference(ask: Builder) -> Question:
    """How much higher the place of a zip code is than another place."""
    other = _zip(ask)
    (key,), (name,) = ask.find("location", 1)
    heights = ask.each("get_elevation", "location", [other, key], "elevation")
    text = (
        f"By how many metres is the place with the zip code {_code(ask, other)} higher "
        f"than {name}? (If it is lower, the number is negative.)"
    )
    return ask.question(text, heights[0] - heights[1], "number")


def distance_of_two(ask: Builder) -> Question:
    """The distance between two places."""
    keys, names = ask.find("location", 2)
    text = f"How many kilometres is it from {names[0]} to {names[1]}?"
    return ask.question(text, _distance(ask, *keys), "number")


def nearest(ask: Builder) -> Question:
    """Which of two places is nearer to a third."""
    keys, names = ask.find("location", 3)
    far = [_distance(ask, keys[0], key) for key in keys[1:]]
    nearer = ask.first(names[1:], far)
    text = f"Which is nearer to {names[0]}: {names[1]} or {names[2]}?"
    return ask.question(text, nearer)


def distance_from_here(ask: Builder) -> Question:
    """The distance between a place and the user."""
    (key,), (name,) = ask.find("location", 1)
    here = _here(ask)
    ask.require(here != key)
    text = f"How many kilometres is {name} from where I am?"
    return ask.question(text, _distance(ask, here, key), "number")


def zip_country(ask: Builder) -> Question:
    """Whether the place of a zip code is in the country of another place."""
    other = _zip(ask)
    (key,), (name,) = ask.find("location", 1)
    ask.require(other != key)
    tool = "get_location_details"
    countries = ask.each(tool, "location", [other, key], "country")
    code = _code(ask, other)
    text = f"Is the place with the zip code {code} in the same country as {name}?"
    return ask.question(text, countries[0] == countries[1], "boolean")


def zip_of_highest(ask: Builder) -> Question:
    """The zip code of the higher of two places; needs 5 calls."""
    keys, names = ask.find("location", 2)
    heights = ask.each("get_elevation", "location", keys, "elevation")
    highest = ask.first(keys, heights, reverse=True)
    found = ask.look("get_location_details", "location", highest, "zip_code")
    text = f"What is the zip code of the higher place, {names[0]} or {names[1]}?"
    return ask.question(text, found["zip_code"])


def population_together(ask: Builder) -> Question:
    """How many people live in two or three places."""
    keys, names = ask.find("location", 2 + int(ask.rng.integers(2)))
    tool = "get_location_details"
    people = ask.each(tool, "location", keys, "population")
    text = f"How many people live in {_listed(names, 'and')} together?"
    return ask.question(text, sum(people), "number")


def places_in_country(ask: Builder) -> Question:
    """Which of three places are in a country, a set; all sets are equally likely."""
    country, count = ask.pick(COUNTRIES), ask.pick((1, 1, 1, 2, 2, 2, 3))
    left = {True: count, False: 3 - count}
    keys: list[str] = []
    for _ in range(_DRAWS):
        key = ask.draw("location")
        inside = ask.data["location"][key]["country"] == country
        if key not in keys and left[inside]:
            keys.append(key)
            left[inside] -= 1
    ask.require(len(keys) == 3)
    keys = ask.sample(keys, 3)
    names = [ask.search("location", key) for key in keys]
    found = ask.each("get_location_details", "location", keys, "country")
    answer = [name for name, one in zip(names, found, strict=True) if one == country]
    text = f"Which of {_listed(names, 'and')} are in {country}? Give the set of them."
    return ask.question(text, answer, "set")


def fahrenheit_now(ask: Builder) -> Question:
    """Today's lowest or highest temperature in Fahrenheit."""
    (key,), (name,) = ask.find("location", 1)
    which = ask.pick(("low", "high"))
    found = _today(ask, "temperature", key, unit="fahrenheit")[which]
    text = f"How many degrees Fahrenheit is today's {which}est temperature in {name}?"
    return ask.question(text, in_fahrenheit(found), "number")


def warmest_now(ask: Builder) -> Question:
    """The place with today's highest temperature, of three."""
    keys, names = ask.find("location", 3)
    highs = [_today(ask, "temperature", key)["high"] for key in keys]
    warmest = ask.first(names, highs, reverse=True)
    text = f"Where is today's highest temperature the highest: {_listed(names)}?"
    return ask.question(text, warmest)


def warmer_than_here(ask: Builder) -> Question:
    """Whether a place is warmer than the user's place."""
    (key,), (name,) = ask.find("location", 1)
    here = _here(ask)
    which = ask.pick(("low", "high"))
    found = [_today(ask, "temperature", one)[which] for one in (key, here)]
    ask.require(found[0] != found[1])
    text = f"Is today's {which}est temperature in {name} above that of the place I am "
    return ask.question(f"{text}in?", found[0] > found[1], "boolean")


def air_level(ask: Builder) -> Question:
    """Today's level of air quality."""
    (key,), (name,) = ask.find("location", 1)
    found = _level(ask, _today(ask, "air_quality", key))
    return ask.question(f"At which level is today's air quality in {name}?", found)


def better_air(ask: Builder) -> Question:
    """The place with the best air now."""
    keys, names = ask.find("location", 3)
    indices = [_today(ask, "air_quality", key) for key in keys]
    best = ask.first(names, indices)
    text = f"Where is today's air quality index the lowest: {_listed(names)}?"
    return ask.question(text, best)


def low_on_day(ask: Builder) -> Question:
    """The lowest temperature of a past day."""
    (key,), (name,) = ask.find("location", 1)
    dates = _past(ask, 1)
    (found,) = _days(ask, "get_historical_temperature", key, dates)
    text = f"What was the lowest temperature in {name} on {dates[0]}, in Celsius?"
    return ask.question(text, found["low"], "number")


def rain_days_ago(ask: Builder) -> Question:
    """How much it rained some days ago."""
    (key,), (name,) = ask.find("location", 1)
    days = 1 + int(ask.rng.integers(25))
    (found,) = _relative(ask, "get_historical_rain", key, -days)
    ask.require(found)
    ago = "yesterday" if days == 1 else f"{days} days ago"
    text = f"How many millimetres did it rain in {name} {ago}?"
    return ask.question(text, found, "number")


def high_in_days(ask: Builder) -> Question:
    """The highest temperature expected in some days."""
    (key,), (name,) = ask.find("location", 1)
    days = 1 + int(ask.rng.integers(40))
    (found,) = _relative(ask, "get_temperature_forecast", key, days)
    ahead = "tomorrow" if days == 1 else f"{days} days from now"
    text = f"Which highest temperature is expected in {name} {ahead}, in Celsius?"
    return ask.question(text, found["high"], "number")


def snow_next_week(ask: Builder) -> Question:
    """How much snow is expected on the days after today."""
    (key,), (name,) = ask.find("location", 1)
    days = 4 + int(ask.rng.integers(20))
    found = _relative(ask, "get_snow_forecast", key, 1, days)
    ask.require(sum(found))
    text = (
        f"How many centimetres of snow are expected in {name} in the next {days} days, "
        "from tomorrow on?"
    )
    return ask.question(text, sum(found), "number")


def warming(ask: Builder) -> Question:
    """Whether tomorrow will be warmer than yesterday was."""
    (key,), (name,) = ask.find("location", 1)
    (before,) = _relative(ask, "get_historical_temperature", key, -1)
    (after,) = _relative(ask, "get_temperature_forecast", key, 1)
    ask.require(before["high"] != after["high"])
    text = f"Will tomorrow's highest temperature in {name} be above yesterday's?"
    return ask.question(text, after["high"] > before["high"], "boolean")


def warmest_day(ask: Builder) -> Question:
    """The date of the warmest day of a period."""
    (key,), (name,) = ask.find("location", 1)
    dates = _past(ask, 5 + int(ask.rng.integers(15)))
    found = _days(ask, "get_historical_temperature", key, dates)
    warmest = ask.first(dates, [one["high"] for one in found], reverse=True)
    text = f"On which day {_from_to(dates)} was the temperature in {name} the highest?"
    return ask.question(text, warmest, "date")


def rain_total(ask: Builder) -> Question:
    """The rain in a period that is too long for one query."""
    (key,), (name,) = ask.find("location", 1)
    dates = _past(ask, MOST_DAYS + 5 + int(ask.rng.integers(20)))
    tool = "get_historical_rain"
    halves = dates[:MOST_DAYS], dates[MOST_DAYS:]
    ends = (dates[0], dates[-1])
    found = [x for half in halves for x in _days(ask, tool, key, half, (key, *ends))]
    text = f"How many millimetres did it rain in {name} {_from_to(dates)} in all?"
    return ask.question(text, sum(found), "number")


def snowy_days(ask: Builder) -> Question:
    """On how many days of a period it snowed."""
    (key,), (name,) = ask.find("location", 1)
    dates = _past(ask, 4 + int(ask.rng.integers(8)))
    found = _days(ask, "get_historical_snow", key, dates)
    text = f"On how many days {_from_to(dates)} did it snow in {name}?"
    return ask.question(text, sum(map(bool, found)), "number")


def wetter_place(ask: Builder) -> Question:
    """Which of two places had more rain in a period."""
    keys, names = ask.find("location", 2)
    dates = _past(ask, 3 + int(ask.rng.integers(8)))
    sums = [sum(_days(ask, "get_historical_rain", key, dates)) for key in keys]
    wetter = ask.first(names, sums, reverse=True)
    text = f"Where did it rain more {_from_to(dates)}, in {names[0]} or in {names[1]}?"
    return ask.question(text, wetter)


def worst_air_level(ask: Builder) -> Question:
    """The air quality level of the worst day of a period."""
    (key,), (name,) = ask.find("location", 1)
    dates = _past(ask, 2)
    found = _level(ask, max(_days(ask, "get_historical_air_quality", key, dates)))
    text = (
        f"Of the days {dates[0]} and {dates[1]}, take that with the higher air quality "
        f"index in {name}: which level does it have?"
    )
    return ask.question(text, found)


def wetter_day(ask: Builder) -> Question:
    """On which of two days, too far apart for one query, it rained more."""
    (key,), (name,) = ask.find("location", 1)
    dates = _past(ask, MOST_DAYS + 5 + int(ask.rng.integers(60)))
    days = [dates[0], dates[-1]]
    rain = [_days(ask, "get_historical_rain", key, [day])[0] for day in days]
    text = f"On which day did it rain more in {name}, {days[0]} or {days[1]}?"
    return ask.question(text, ask.first(days, rain, reverse=True), "date")


def wet_and_warm_days(ask: Builder) -> Question:
    """On how many days of a period it both rained and was warm."""
    (key,), (name,) = ask.find("location", 1)
    dates = _past(ask, 5 + int(ask.rng.integers(8)))
    rain = _days(ask, "get_historical_rain", key, dates)
    found = _days(ask, "get_historical_temperature", key, dates)
    highs = [one["high"] for one in found]
    limit = min(highs) + int(ask.rng.integers(4))
    both = sum(
        fell > 0 and high > limit for fell, high in zip(rain, highs, strict=True)
    )
    text = f"On how many days {_from_to(dates)} did it rain in {name}, with a highest "
    text += f"temperature above {limit} degrees Celsius?"
    return ask.question(text, both, "number")


def _zip(ask: Builder) -> str:
    """Draw a place and add the search for its zip code; return its id."""
    key = ask.draw("location")
    arguments = {"zip_code": _code(ask, key)}
    ask.call("search_zip_code", arguments, [fact("location", key, "id")])
    return key


def _code(ask: Builder, key: str) -> str:
    code: str = ask.data["location"][key]["zip_code"]
    return code


def _here(ask: Builder) -> str:
    """Add the calls that find the user's place; return its id."""
    key: str = ask.data["user"]["user"]["location_id"]
    name = ask.data["location"][key]["name"]
    ask.call("get_current_location", {}, [fact("user", "user", "location")])
    ask.call("search_location", {"name": name}, [fact("location", key, "id")])
    return key


def _distance(ask: Builder, one: str, other: str) -> int:
    pair = sorted((one, other))
    arguments = {"location_id": one, "other_location_id": other}
    ask.call("get_distance", arguments, [fact("distance", *pair)])
    return distance(*(ask.data["location"][key] for key in (one, other)))


def _today(ask: Builder, quantity: str, key: str, **arguments: str) -> Any:
    today = ask.data["user"]["user"]["date"]
    found = fact("location", key, f"{quantity} {today}")
    call = {"location_id": key, **arguments}
    ask.call(f"get_current_{quantity}", call, [found])
    return _measured(ask, quantity, key, today)


def _level(ask: Builder, index: int) -> str:
    found = [fact("level", str(index), "level")]
    ask.call("get_air_quality_level", {"air_quality_index": index}, found)
    return level(index)


def _past(ask: Builder, days: int) -> list[str]:
    """Draw a period that ends before today; return its dates."""
    return _dates(ask, -days - int(ask.rng.integers(900)), days)


def _dates(ask: Builder, start: int, days: int) -> list[str]:
    today = datetime.date.fromisoformat(ask.data["user"]["user"]["date"])
    ahead = (datetime.timedelta(start + day) for day in range(days))
    return [(today + one).isoformat() for one in ahead]


def _relative(
    ask: Builder, tool: str, key: str, start: int, days: int = 1
) -> list[Any]:
    """Add the calls for a period that the question gives relative to today."""
    today = ask.data["user"]["user"]["date"]
    ask.call("get_current_date", {}, [fact("user", "user", "date")])
    return _days(ask, tool, key, _dates(ask, start, days), (key, today))


def _days(
    ask: Builder,
    tool: str,
    key: str,
    dates: list[str],
    needs: tuple[str, ...] | None = None,
) -> list[Any]:
    """Add a call that returns the weather of a period."""
    quantity = tool.removeprefix("get_historical_").removeprefix("get_")
    quantity = quantity.removesuffix("_forecast")
    arguments = {"location_id": key, "start_date": dates[0], "end_date": dates[-1]}
    found = [fact("location", key, f"{quantity} {date}") for date in dates]
    ask.call(tool, arguments, found, as_one=True, needs=needs)
    return [_measured(ask, quantity, key, date) for date in dates]


def _measured(ask: Builder, quantity: str, key: str, date: str) -> Any:
    day = datetime.date.fromisoformat(date).toordinal()
    return measured(ask.data["location"][key], quantity, day)


def _from_to(dates: list[str]) -> str:
    return f"from {dates[0]} to {dates[-1]}"


def _listed(names: list[str], word: str = "or") -> str:
    return f"{', '.join(names[:-1])} {word} {names[-1]}"


TEMPLATES = (
    Template(
        "highest-place",
        best_of_three(
            "location",
            "get_elevation",
            "elevation",
            "Which place is the highest: {}, {} or {}?",
            reverse=True,
        ),
    ),
    Template("height-difference", height_difference),
    Template("distance", distance_of_two),
    Template("nearest", nearest),
    Template("distance-from-here", distance_from_here),
    Template("zip-country", zip_country, _YES_NO),
    Template("zip-of-higher", zip_of_highest),
    Template("population-together", population_together),
    Template("in-country", places_in_country),
    Template("fahrenheit-now", fahrenheit_now),
    Template("warmest-now", warmest_now),
    Template("warmer-than-here", warmer_than_here, _YES_NO),
    Template("air-level", air_level, LEVELS),
    Template("best-air", better_air),
    Template("low-on-day", low_on_day),
    Template("rain-days-ago", rain_days_ago),
    Template("high-in-days", high_in_days),
    Template("snow-ahead", snow_next_week),
    Template("warming", warming, _YES_NO),
    Template("warmest-day", warmest_day),
    Template("rain-total", rain_total),
    Template("snowy-days", snowy_days, (1, 2, 3, 4, 5)),
    Template("wetter-place", wetter_place),
    Template("worst-air-level", worst_air_level, LEVELS),
    Template("wetter-day", wetter_day),
    Template("wet-and-warm-days", wet_and_warm_days, (0, 1, 2, 3, 4)),
)
WORLD = World(build, WeatherSession, TOOLS, TEMPLATES, DRAWS)
