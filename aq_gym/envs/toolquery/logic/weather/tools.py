"""The tools of the world of weather, modelled on AgentBoard's."""

from __future__ import annotations

import datetime
from typing import Any, Literal

from aq_gym.envs.toolquery.logic.session import Session, absent, fact
from aq_gym.envs.toolquery.logic.weather.data import distance, level, measured
from aq_gym.tools import Toolbox, ToolError

MOST_DAYS = 30
FORECAST_DAYS = 60
_FIRST_DAY = datetime.date(2020, 1, 1).toordinal()


class WeatherSession(Session):
    """The tools of the world of weather; each method is one."""

    names = {"location": "name"}  # noqa: RUF012

    def get_current_date(self) -> str:
        """Get today's date."""
        date: str = self.show("user", "user", "date")["date"]
        return date

    def get_current_location(self) -> str:
        """Get the name of the place where the user is."""
        name: str = self.show("user", "user", "location")["location"]
        return name

    def search_location(self, name: str) -> list[dict[str, str]]:
        """Search places by name.

        Args:
            name: The name or a part of it.
        """
        return self.search("location", name)

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

    def get_location_details(self, location_id: str) -> dict[str, Any]:
        """Get the name, country, zip code and population of a place.

        Args:
            location_id: The id, as the searches return it.
        """
        fields = ("name", "country", "zip_code", "population")
        return self.show("location", location_id, *fields)

    def get_elevation(self, location_id: str) -> int:
        """Get the elevation of a place in metres.

        Args:
            location_id: The id.
        """
        metres: int = self.show("location", location_id, "elevation")["elevation"]
        return metres

    def get_distance(self, location_id: str, other_location_id: str) -> int:
        """Get the distance of two places in kilometres.

        Args:
            location_id: The id of one.
            other_location_id: The id of the other.
        """
        keys = sorted((location_id, other_location_id))
        places = [self.record("location", key) for key in keys]
        self.note([fact("distance", keys[0], keys[1])])
        return distance(*places)

    def get_current_temperature(
        self, location_id: str, unit: Literal["celsius", "fahrenheit"] = "celsius"
    ) -> dict[str, float]:
        """Get today's lowest and highest temperature of a place.

        Args:
            location_id: The id.
            unit: The unit.
        """
        return _in_unit(self._today("temperature", location_id), unit)

    def get_current_rain(self, location_id: str) -> int:
        """Get today's rain of a place in millimetres.

        Args:
            location_id: The id.
        """
        millimetres: int = self._today("rain", location_id)
        return millimetres

    def get_current_snow(self, location_id: str) -> int:
        """Get today's snowfall of a place in centimetres.

        Args:
            location_id: The id.
        """
        centimetres: int = self._today("snow", location_id)
        return centimetres

    def get_current_air_quality(self, location_id: str) -> int:
        """Get today's air quality index of a place.

        Args:
            location_id: The id.
        """
        index: int = self._today("air_quality", location_id)
        return index

    def get_historical_temperature(
        self,
        location_id: str,
        start_date: str,
        end_date: str,
        unit: Literal["celsius", "fahrenheit"] = "celsius",
    ) -> dict[str, dict[str, float]]:
        """Get the lowest and highest temperature of each past day of a period.

        Args:
            location_id: The id of a place.
            start_date: The first day, as YYYY-MM-DD.
            end_date: The last day, before today and at most 29 days after the first.
            unit: The unit.
        """
        days = self._past("temperature", location_id, start_date, end_date)
        return {day: _in_unit(one, unit) for day, one in days.items()}

    def get_historical_rain(
        self, location_id: str, start_date: str, end_date: str
    ) -> dict[str, int]:
        """Get the rain in millimetres of each past day of a period.

        Args:
            location_id: The id of a place.
            start_date: The first day, as YYYY-MM-DD.
            end_date: The last day, before today and at most 29 days after the first.
        """
        return self._past("rain", location_id, start_date, end_date)

    def get_historical_snow(
        self, location_id: str, start_date: str, end_date: str
    ) -> dict[str, int]:
        """Get the snowfall in centimetres of each past day of a period.

        Args:
            location_id: The id of a place.
            start_date: The first day, as YYYY-MM-DD.
            end_date: The last day, before today and at most 29 days after the first.
        """
        return self._past("snow", location_id, start_date, end_date)

    def get_historical_air_quality(
        self, location_id: str, start_date: str, end_date: str
    ) -> dict[str, int]:
        """Get the air quality index of each past day of a period.

        Args:
            location_id: The id of a place.
            start_date: The first day, as YYYY-MM-DD.
            end_date: The last day, before today and at most 29 days after the first.
        """
        return self._past("air_quality", location_id, start_date, end_date)

    def get_temperature_forecast(
        self,
        location_id: str,
        start_date: str,
        end_date: str,
        unit: Literal["celsius", "fahrenheit"] = "celsius",
    ) -> dict[str, dict[str, float]]:
        """Get the lowest and highest temperature expected on each day of a period.

        Args:
            location_id: The id of a place.
            start_date: The first day, after today, as YYYY-MM-DD.
            end_date: The last day, at most 29 days after the first, and 60 after today.
            unit: The unit.
        """
        days = self._future("temperature", location_id, start_date, end_date)
        return {day: _in_unit(one, unit) for day, one in days.items()}

    def get_rain_forecast(
        self, location_id: str, start_date: str, end_date: str
    ) -> dict[str, int]:
        """Get the rain in millimetres expected on each day of a period.

        Args:
            location_id: The id of a place.
            start_date: The first day, after today, as YYYY-MM-DD.
            end_date: The last day, at most 29 days after the first, and 60 after today.
        """
        return self._future("rain", location_id, start_date, end_date)

    def get_snow_forecast(
        self, location_id: str, start_date: str, end_date: str
    ) -> dict[str, int]:
        """Get the snowfall in centimetres expected on each day of a period.

        Args:
            location_id: The id of a place.
            start_date: The first day, after today, as YYYY-MM-DD.
            end_date: The last day, at most 29 days after the first, and 60 after today.
        """
        return self._future("snow", location_id, start_date, end_date)

    def get_air_quality_level(self, air_quality_index: int) -> str:
        """Get the level of an air quality index, from good to extremely poor.

        Args:
            air_quality_index: The index, at least 0.
        """
        if air_quality_index < 0:
            raise ToolError("air_quality_index must be at least 0.")
        self.note([fact("level", str(air_quality_index), "level")])
        return level(air_quality_index)

    def _today(self, quantity: str, key: str) -> Any:
        today = datetime.date.fromisoformat(self.data["user"]["user"]["date"])
        values = self._days(quantity, key, today.toordinal(), today.toordinal())
        return values[today.isoformat()]

    def _past(self, quantity: str, key: str, start: str, end: str) -> dict[str, Any]:
        first, last = _period(start, end)
        if first < _FIRST_DAY:
            raise ToolError("start_date must be 2020-01-01 or later.")
        if last >= self._now():
            raise ToolError("end_date must be before today.")
        return self._days(quantity, key, first, last)

    def _future(self, quantity: str, key: str, start: str, end: str) -> dict[str, Any]:
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
        # Python also reads 20310405 and week dates.
        if len(text) != 10:
            raise ValueError
        return datetime.date.fromisoformat(text).toordinal()
    except ValueError:
        raise ToolError(f"{name} must be a date as YYYY-MM-DD.") from None


TOOLS = Toolbox.of(WeatherSession)
