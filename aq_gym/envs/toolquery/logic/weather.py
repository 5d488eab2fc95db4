"""The world of weather: its generated records, and the tools that read them."""

from __future__ import annotations

import datetime
import math
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np

from aq_gym.envs.toolquery.logic.names import COUNTRIES, Names, draw_keys
from aq_gym.envs.toolquery.logic.session import (
    Record,
    Session,
    Tables,
    absent,
    fact,
    field_tool,
    fields_tool,
    search_tool,
)
from aq_gym.tools import Parameter, Tool, Toolbox, ToolError

LEVELS = ("good", "fair", "moderate", "poor", "very poor", "extremely poor")
_FIRST_TODAY = datetime.date(2030, 1, 1).toordinal()
# Random numbers for the weather. Each place and quantity starts at another position, so
# that the weather of any day and place needs no storage.
_SIZE = 8191
_NOISE: tuple[float, ...] = tuple(np.random.default_rng(31).random(_SIZE).tolist())
_QUANTITIES = {"temperature": 0, "rain": 1, "snow": 2, "air_quality": 3}
_SEASON = tuple(-math.cos(2 * math.pi * day / 365.25) for day in range(366))
_RADIUS = 6371


def build(seed: int, records: int) -> Tables:
    """Build the database of a seed."""
    rng = np.random.default_rng([seed, records, 2])
    names = Names(rng)
    keys = draw_keys(rng, records)
    codes = draw_keys(rng, records, 10_000)
    places = {key: _place(names, code) for key, code in zip(keys, codes, strict=True)}
    here = names.pick(keys)
    user = {
        "date": names.date(_FIRST_TODAY, 3_000),
        "location": places[here]["name"],
        "location_id": here,
    }
    return {
        "location": places,
        "zip_code": {one["zip_code"]: {"location_id": k} for k, one in places.items()},
        "user": {"user": user},
    }


def _place(names: Names, code: str) -> dict[str, Any]:
    return {
        "name": names.place(),
        "country": names.pick(COUNTRIES),
        "zip_code": code,
        "population": 1_000 * (1 + names.below(900)),
        "elevation": names.below(2_500),
        "latitude": (names.below(120_000) - 60_000) / 1_000,
        "longitude": (names.below(360_000) - 180_000) / 1_000,
        "warmth": 4 + names.below(18),
        "seasons": 4 + names.below(11),
        "station": names.below(_SIZE),
    }


def measured(place: Record, quantity: str, day: int) -> int | dict[str, int]:
    """Return a quantity of the weather at a place on a day.

    Args:
        place: The record of a place.
        quantity: "temperature" (lowest and highest, in degrees Celsius), "rain"
            (millimetres), "snow" (centimetres) or "air_quality" (an index).
        day: The ordinal of the day.
    """
    at = place["station"] + 31 * day + 2_003 * _QUANTITIES[quantity]
    noise = _NOISE[at % _SIZE]
    if quantity == "temperature":
        season = _SEASON[day % 365] * place["seasons"]
        low = round(place["warmth"] - 5 + season + 12 * noise)
        return {"low": low, "high": low + 2 + int(_NOISE[(at + 1) % _SIZE] * 11)}
    if quantity == "rain":
        return max(0, int(60 * noise) - 20)
    if quantity == "snow":
        return max(0, int(90 * noise) - 50)
    return int(120 * noise)


def level(index: int) -> str:
    """Return the level of an air quality index.

    Args:
        index: The index, at least 0.
    """
    return LEVELS[min(index // 20, len(LEVELS) - 1)]


def distance(one: Record, other: Record) -> int:
    """Return the distance between two places in kilometres."""
    first, second = math.radians(one["latitude"]), math.radians(other["latitude"])
    turn = math.radians(other["longitude"] - one["longitude"])
    half = math.sin((second - first) / 2) ** 2
    half += math.cos(first) * math.cos(second) * math.sin(turn / 2) ** 2
    return round(2 * _RADIUS * math.asin(min(1.0, math.sqrt(half))))


def _draw_date(data: Tables, rng: np.random.Generator) -> str:
    today = datetime.date.fromisoformat(data["user"]["user"]["date"])
    return (today + datetime.timedelta(int(rng.integers(-20, 20)))).isoformat()


def _draw_place(data: Tables, rng: np.random.Generator) -> str:
    keys = tuple(data["location"])
    return keys[int(rng.integers(len(keys)))]


DRAWS = {
    "start_date": _draw_date,
    "end_date": _draw_date,
    "other_location_id": _draw_place,
    "zip_code": lambda data, rng: data["location"][_draw_place(data, rng)]["zip_code"],
    "air_quality_index": lambda _data, rng: int(rng.integers(120)),
}

MOST_DAYS = 30
FORECAST_DAYS = 60
_FIRST_DAY = datetime.date(2020, 1, 1).toordinal()


class WeatherSession(Session):
    """The world of weather during an episode."""

    names = {"location": "name"}  # noqa: RUF012

    def get_current_date(self) -> str:
        """Get today's date."""
        date: str = self.show("user", "user", "date")["date"]
        return date

    def get_current_location(self) -> str:
        """Get the name of the place where the user is."""
        name: str = self.show("user", "user", "location")["location"]
        return name

    def search_zip_code(self, zip_code: str) -> list[dict[str, str]]:
        """Search the place that has a zip code.

        Args:
            zip_code: The whole zip code.
        """
        found = self.data["zip_code"].get(zip_code.strip())
        if found is None:
            self.note([absent("zip_code", zip_code)])
            return []
        key = found["location_id"]
        name = self.show("location", key, "name", "zip_code")["name"]
        return [{"location_id": key, "name": name}]

    def get_distance(self, location_id: str, other_location_id: str) -> int:
        """Get the distance of two places in kilometres.

        Args:
            location_id: The id of the one place.
            other_location_id: The id of the other place.
        """
        keys = sorted((location_id, other_location_id))
        places = [self.record("location", key) for key in keys]
        self.note([fact("distance", keys[0], keys[1])])
        return distance(*places)

    def get_air_quality_level(self, air_quality_index: int) -> str:
        """Get the level of an air quality index, from good to extremely poor.

        Args:
            air_quality_index: The index, at least 0.
        """
        if air_quality_index < 0:
            raise ToolError("air_quality_index must be at least 0.")
        self.note([fact("level", str(air_quality_index), "level")])
        return level(air_quality_index)

    def today(self, quantity: str, key: str) -> Any:
        """Return today's weather of a place."""
        today = datetime.date.fromisoformat(self.data["user"]["user"]["date"])
        values = self._days(quantity, key, today.toordinal(), today.toordinal())
        return values[today.isoformat()]

    def past(self, quantity: str, key: str, start: str, end: str) -> dict[str, Any]:
        """Return the weather of each day of a period before today."""
        first, last = _period(start, end)
        if first < _FIRST_DAY:
            raise ToolError("start_date must be 2020-01-01 or later.")
        if last >= self._now():
            raise ToolError("end_date must be before today.")
        return self._days(quantity, key, first, last)

    def future(self, quantity: str, key: str, start: str, end: str) -> dict[str, Any]:
        """Return the expected weather of each day of a period."""
        first, last = _period(start, end)
        if first <= self._now():
            raise ToolError("start_date must be after today.")
        if last > self._now() + FORECAST_DAYS:
            raise ToolError(f"end_date must be at most {FORECAST_DAYS} days ahead.")
        return self._days(quantity, key, first, last)

    def _now(self) -> int:
        return datetime.date.fromisoformat(
            self.data["user"]["user"]["date"]
        ).toordinal()

    def _days(self, quantity: str, key: str, first: int, last: int) -> dict[str, Any]:
        place = self.record("location", key)
        dates = map(datetime.date.fromordinal, range(first, last + 1))
        values = {
            date.isoformat(): measured(place, quantity, day)
            for day, date in enumerate(dates, start=first)
        }
        self.note(fact("location", key, f"{quantity} {date}") for date in values)
        return values


def in_fahrenheit(celsius: int) -> float:
    """Return a temperature in degrees Fahrenheit.

    Args:
        celsius: The temperature in degrees Celsius.
    """
    return round(celsius * 9 / 5 + 32, 1)


def _in_unit(temperatures: dict[str, int], unit: str) -> dict[str, float]:
    if unit == "celsius":
        return {**temperatures}
    return {name: in_fahrenheit(value) for name, value in temperatures.items()}


def _period(start: str, end: str) -> tuple[int, int]:
    """Return the ordinals of the first and the last day."""
    first, last = _ordinal("start_date", start), _ordinal("end_date", end)
    if last < first:
        raise ToolError("end_date must not be before start_date.")
    if last - first >= MOST_DAYS:
        raise ToolError(
            f"One query can have at most {MOST_DAYS} days: make one for each part of "
            "a longer period."
        )
    return first, last


def _ordinal(name: str, text: str) -> int:
    try:
        # Excludes 20310405 and week dates, which Python also reads.
        if len(text) != 10:
            raise ValueError
        return datetime.date.fromisoformat(text).toordinal()
    except ValueError:
        raise ToolError(f"{name} must be a date as YYYY-MM-DD.") from None


def _weather_tool(
    name: str, about: str, quantity: str, when: Literal["today", "past", "future"]
) -> Tool:
    """Return a tool that returns the weather of today or of each day of a period."""
    place = "The id." if when == "today" else "The id of a place."
    parameters = [Parameter("location_id", str, place)]
    for day, described in _PERIODS.get(when, ()):
        parameters.append(Parameter(day, str, described))
    if quantity == "temperature":
        parameters.append(Parameter("unit", _Unit, "The unit.", "celsius"))
    function = partial(_read_weather, quantity, when)
    return Tool(name, about, tuple(parameters), function)


def _read_weather(
    quantity: str,
    when: str,
    session: WeatherSession,
    location_id: str,
    unit: str = "celsius",
    **period: str,
) -> Any:
    found: Any = getattr(session, when)(quantity, location_id, *period.values())
    if quantity != "temperature":
        return found
    if when == "today":
        return _in_unit(found, unit)
    return {day: _in_unit(one, unit) for day, one in found.items()}


_Unit: TypeAlias = Literal["celsius", "fahrenheit"]
# The parameters of a period, and their descriptions.
_PERIODS = {
    "past": (
        ("start_date", "The first day, as YYYY-MM-DD."),
        (
            "end_date",
            "The last day, before today and at most 29 days after the first.",
        ),
    ),
    "future": (
        ("start_date", "The first day, after today, as YYYY-MM-DD."),
        (
            "end_date",
            "The last day, at most 29 days after the first, and 60 after today.",
        ),
    ),
}
_OF_PAST = "of each past day of a period."
_EXPECTED = "expected on each day of a period."
_FORECAST = {
    "temperature": "lowest and highest temperature",
    "rain": "rain in millimetres",
    "snow": "snowfall in centimetres",
}
# The tools are modelled on AgentBoard's.
TOOLS = Toolbox(
    [
        WeatherSession.get_current_date,
        WeatherSession.get_current_location,
        search_tool("location", "Search places by name."),
        WeatherSession.search_zip_code,
        fields_tool(
            "get_location_details",
            "Get the name, country, zip code and population of a place.",
            "location",
            "name country zip_code population",
            "The id, as the searches return it.",
        ),
        field_tool(
            "get_elevation",
            "Get the elevation of a place in metres.",
            "location",
            "elevation",
        ),
        WeatherSession.get_distance,
        *(
            _weather_tool(f"get_current_{one}", f"Get today's {about}.", one, "today")
            for one, about in (
                ("temperature", "lowest and highest temperature of a place"),
                ("rain", "rain of a place in millimetres"),
                ("snow", "snowfall of a place in centimetres"),
                ("air_quality", "air quality index of a place"),
            )
        ),
        *(
            _weather_tool(
                f"get_historical_{one}", f"Get the {about} {_OF_PAST}", one, "past"
            )
            for one, about in {**_FORECAST, "air_quality": "air quality index"}.items()
        ),
        *(
            _weather_tool(
                f"get_{one}_forecast", f"Get the {about} {_EXPECTED}", one, "future"
            )
            for one, about in _FORECAST.items()
        ),
        WeatherSession.get_air_quality_level,
        Session.finish,
    ]
)
