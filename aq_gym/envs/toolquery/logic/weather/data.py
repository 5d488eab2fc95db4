"""A generated database of places, and the weather of every day there."""

from __future__ import annotations

import datetime
import math
from typing import Any

import numpy as np

from aq_gym.envs.toolquery.logic.names import COUNTRIES, Names, draw_keys
from aq_gym.envs.toolquery.logic.session import Record, Tables

LEVELS = ("good", "fair", "moderate", "poor", "very poor", "extremely poor")
_FIRST_TODAY = datetime.date(2030, 1, 1).toordinal()
# Weather is read from this table, starting at a different position for each place and
# quantity, so that a database of any size covers every day at no cost.
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
    """Return the weather of a day.

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
