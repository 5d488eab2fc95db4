"""The tools of the world of weather."""

import datetime
import math

import pytest

from aq_gym.envs.toolquery.logic.question import Question, Step
from aq_gym.envs.toolquery.logic.session import fact
from aq_gym.envs.toolquery.logic.weather import LEVELS, distance
from aq_gym.envs.toolquery.logic.worlds import WORLDS, database
from aq_gym.tools import Call

DATA = database("weather", 0, 100)
PLACES = tuple(DATA["location"])
TODAY = datetime.date.fromisoformat(DATA["user"]["user"]["date"])


def day(ahead):
    return (TODAY + datetime.timedelta(ahead)).isoformat()


def run(tool, *, needed=(), session=None, **arguments):
    session = session or WORLDS["weather"].session(DATA, needed)
    return WORLDS["weather"].tools.run(session, Call(tool, arguments))


def period(tool, first, last, key=PLACES[0], **arguments):
    start, end = (one if isinstance(one, str) else day(one) for one in (first, last))
    return run(tool, location_id=key, start_date=start, end_date=end, **arguments)


def test_there_are_nineteen_tools_besides_finish():
    assert len(WORLDS["weather"].tools) == 20


@pytest.mark.parametrize(
    ("tool", "first", "last", "problem"),
    [
        ("get_historical_rain", -31, -1, "at most 30 days"),
        ("get_historical_rain", -3, 0, "must be before today"),
        ("get_historical_rain", -3, -4, "must not be before start_date"),
        ("get_historical_rain", "2019-12-31", "2020-01-03", "2020-01-01 or later"),
        ("get_historical_rain", "20290101", -1, "start_date must be a date"),
        ("get_historical_rain", "2029-02-30", -1, "start_date must be a date"),
        ("get_rain_forecast", 0, 3, "must be after today"),
        ("get_rain_forecast", 50, 61, "at most 60 days ahead"),
    ],
)
def test_periods_have_limits(tool, first, last, problem):
    result = period(tool, first, last)
    assert not result.valid and problem in result.text


def test_the_longest_periods():
    assert len(period("get_historical_snow", -30, -1).value) == 30
    assert len(period("get_snow_forecast", 31, 60).value) == 30


def test_fahrenheit_is_exact():
    for key in PLACES[:20]:
        celsius = period("get_temperature_forecast", 1, 20, key).value
        other = period("get_temperature_forecast", 1, 20, key, unit="fahrenheit").value
        for date, one in celsius.items():
            assert one["low"] < one["high"]
            for which, value in one.items():
                assert other[date][which] == pytest.approx(value * 1.8 + 32)


def test_levels_of_the_air_are_in_order():
    found = [
        run("get_air_quality_level", air_quality_index=index).value
        for index in range(121)
    ]
    assert list(dict.fromkeys(found)) == list(LEVELS)
    assert found[19:21] == ["good", "fair"] and found[99:101] == [*LEVELS[4:]]
    assert not run("get_air_quality_level", air_quality_index=-1).valid


def test_distances_are_those_on_a_sphere():
    pole, equator = {"latitude": 90, "longitude": 0}, {"latitude": 0, "longitude": 50}
    assert distance(pole, equator) == round(6371 * math.pi / 2)
    assert distance(equator, {"latitude": 0, "longitude": 51}) == 111
    one, other = PLACES[:2]
    found = {
        run("get_distance", location_id=a, other_location_id=b, needed=[name]).value
        for a, b in ((one, other), (other, one))
        for name in [fact("distance", *sorted((one, other)))]
    }
    assert len(found) == 1


def test_a_zip_code_finds_its_place():
    place = DATA["location"][PLACES[3]]
    found = run("search_zip_code", zip_code=f" {place['zip_code']} ").value
    assert found == [{"location_id": PLACES[3], "name": place["name"]}]
    assert run("search_zip_code", zip_code="1").value == []


def test_a_period_counts_once_however_it_was_asked_for():
    """Its days may come from several calls, in any order."""
    days = tuple(fact("location", PLACES[0], f"rain {day(k)}") for k in range(-9, 0))
    asked = Question("?", 1, "number", (Step("get", {}, days, as_one=True),))
    (whole,) = asked.subgoals
    session = WORLDS["weather"].session(DATA, asked.facts)
    for first, last in ((-4, -1), (-30, -3)):
        assert not whole <= session.seen
        arguments = {"start_date": day(first), "end_date": day(last)}
        run("get_historical_rain", session=session, location_id=PLACES[0], **arguments)
    assert whole <= session.seen


def test_current_weather_is_todays():
    """No other tool reads today, so nothing can contradict it."""
    assert run("get_current_date").value == TODAY.isoformat()
    names = [f"get_current_{one}" for one in ("temperature", "rain", "snow")]
    for name in (*names, "get_current_air_quality"):
        assert run(name, location_id=PLACES[1]).valid
