"""The worlds of academia and of the library: their records agree with each other."""

import datetime
import math

import pytest

from aq_gym.envs.toolquery.logic.question import Question, Step
from aq_gym.envs.toolquery.logic.session import fact
from aq_gym.envs.toolquery.logic.weather import distance
from aq_gym.envs.toolquery.logic.worlds import WORLDS, database
from aq_gym.tools import Call


def run(world, tool, **arguments):
    session = WORLDS[world].session(database(world, 0, 100))
    return WORLDS[world].tools.run(session, Call(tool, arguments))


def test_every_world_has_its_tools_and_at_least_twenty_templates():
    tools = {name: len(world.tools) - 1 for name, world in WORLDS.items()}
    assert tools == {"movies": 19, "weather": 19, "academia": 9, "library": 16}
    for world in WORLDS.values():
        names = [template.name for template in world.templates]
        assert len(names) == len(set(names)) >= 20


def test_papers_and_authors_agree():
    data = database("academia", 0, 100)
    for key, paper in data["paper"].items():
        assert key not in paper["references"]
        for author in paper["authors"]:
            assert key in data["author"][author]["papers"]
    for key, author in data["author"].items():
        for other in author["coauthors"]:
            assert key in data["author"][other]["coauthors"]
            arguments = {"author_id": key, "other_author_id": other}
            joint = run("academia", "get_joint_papers", **arguments).value
            assert joint
            assert all(key in data["paper"][one]["authors"] for one in joint)


def test_joint_papers_need_two_authors():
    key = next(iter(database("academia", 0, 100)["author"]))
    arguments = {"author_id": key, "other_author_id": key}
    assert not run("academia", "get_joint_papers", **arguments).valid


DATA = database("weather", 0, 100)
PLACES = tuple(DATA["location"])
TODAY = datetime.date.fromisoformat(DATA["user"]["user"]["date"])


def day(ahead):
    return (TODAY + datetime.timedelta(ahead)).isoformat()


def look(tool, *, needed=(), session=None, **arguments):
    session = session or WORLDS["weather"].session(DATA, needed)
    return WORLDS["weather"].tools.run(session, Call(tool, arguments))


def period(tool, first, last, key=PLACES[0], **arguments):
    start, end = (one if isinstance(one, str) else day(one) for one in (first, last))
    return look(tool, location_id=key, start_date=start, end_date=end, **arguments)


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


def test_distances_are_those_on_a_sphere():
    pole, equator = {"latitude": 90, "longitude": 0}, {"latitude": 0, "longitude": 50}
    assert distance(pole, equator) == round(6371 * math.pi / 2)
    assert distance(equator, {"latitude": 0, "longitude": 51}) == 111
    one, other = PLACES[:2]
    found = {
        look("get_distance", location_id=a, other_location_id=b, needed=[name]).value
        for a, b in ((one, other), (other, one))
        for name in [fact("distance", *sorted((one, other)))]
    }
    assert len(found) == 1


def test_a_zip_code_finds_its_place():
    place = DATA["location"][PLACES[3]]
    found = look("search_zip_code", zip_code=f" {place['zip_code']} ").value
    assert found == [{"location_id": PLACES[3], "name": place["name"]}]
    assert look("search_zip_code", zip_code="1").value == []


def test_a_period_counts_once_however_it_was_asked_for():
    """Its days may come from several calls, in any order."""
    days = tuple(fact("location", PLACES[0], f"rain {day(k)}") for k in range(-9, 0))
    asked = Question("?", 1, "number", (Step("get", {}, days, as_one=True),))
    (whole,) = asked.subgoals
    session = WORLDS["weather"].session(DATA, asked.facts)
    for first, last in ((-4, -1), (-30, -3)):
        assert not whole <= session.seen
        arguments = {"start_date": day(first), "end_date": day(last)}
        look("get_historical_rain", session=session, location_id=PLACES[0], **arguments)
    assert whole <= session.seen
