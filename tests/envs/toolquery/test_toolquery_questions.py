"""Questions and the worlds they are about: routes, right answers, fair chances."""

import collections
import datetime
import math
from types import MappingProxyType

import pytest

from aq_gym.answers import is_same
from aq_gym.envs.toolquery.logic import worlds
from aq_gym.envs.toolquery.logic.question import (
    Builder,
    Question,
    Step,
    Template,
    World,
)
from aq_gym.envs.toolquery.logic.session import Database, Session, absent, fact
from aq_gym.envs.toolquery.logic.weather import distance
from aq_gym.envs.toolquery.logic.worlds import DATABASES, WORLDS, database, question
from aq_gym.tools import Call, Toolbox
from aq_gym.tools.tasks import TaskName

RECORDS = 100
TEMPLATES = [
    (name, template) for name, world in WORLDS.items() for template in world.templates
]
ids = pytest.mark.parametrize(
    ("world", "template"), TEMPLATES, ids=lambda one: getattr(one, "name", one)
)


def asked(world, template, count):
    names = (TaskName(world, n % 10, template.name, n) for n in range(count))
    found = [(name, question(name, RECORDS)) for name in names]
    return [(name, one) for name, one in found if one is not None]


def play(name, one):
    """Make the calls of a route, and return the session and what they returned."""
    world = WORLDS[name.world]
    session = world.session(database(name.world, name.start, RECORDS), one.facts)
    results = [
        world.tools.run(session, Call(step.tool, step.arguments)) for step in one.route
    ]
    return session, results


@ids
def test_questions_differ_and_their_routes_find_every_fact(world, template):
    found = asked(world, template, 30)
    assert len(found) >= 27
    assert len({(name.start, one.text) for name, one in found}) >= 25
    for name, one in found[:10]:
        session, results = play(name, one)
        assert all(result.valid for result in results)
        assert session.seen == frozenset(one.facts)
        assert frozenset().union(*one.subgoals) == session.seen
        assert 2 <= len(one.route) <= 7 and len(one.text) < 200
        assert is_same(one.answer, one.answer, one.kind)


@pytest.mark.slow
@ids
def test_no_answer_is_likelier_than_its_share(world, template):
    """At most five points above the share and three standard deviations, in 400."""
    answers = [str(one.answer) for _, one in asked(world, template, 400)]
    fair = 1 / len(template.options or set(answers))
    most = collections.Counter(answers).most_common(1)[0][1] / len(answers)
    assert most <= fair + 0.05 + 3 * (fair * (1 - fair) / len(answers)) ** 0.5


@ids
def test_a_question_about_nobody(world, template):
    name = TaskName(world, 3, template.name, 8, possible=False)
    one = question(name, RECORDS)
    assert one.answer == "unknown" and len(one.route) == 1
    session, (result,) = play(name, one)
    assert result.text == "[]" and session.seen == frozenset(one.facts)
    assert next(iter(one.route[0].arguments.values())) in one.text


def test_answers_are_those_of_the_records():
    """Two templates, computed in another way."""
    for number in range(30):
        one = question(TaskName("movies", 1, "profit", number), RECORDS)
        data = database("movies", 1, RECORDS)
        (movie,) = [m for m in data["movie"].values() if f'"{m["title"]}"' in one.text]
        assert one.answer == movie["revenue"] - movie["budget"]
        one = question(TaskName("movies", 1, "oldest-actor", number), RECORDS)
        (movie,) = [m for m in data["movie"].values() if f'"{m["title"]}"' in one.text]
        cast = [data["person"][part["person_id"]] for part in movie["cast"]]
        oldest = min(cast, key=lambda p: datetime.date.fromisoformat(p["birthday"]))
        assert one.answer == oldest["name"]


@pytest.mark.parametrize(
    "text",
    [
        *("", "movies", "movies-1", "movies-1-profit", "movies-1000-profit-1"),
        *("movies-1-profit-01", "movies-1-profit-1-", "songs-1-profit-1"),
        *("movies-1-profit-1-known", "movies--1-profit-1", "movies-\u0661-profit-1"),
    ],
)
def test_texts_that_are_no_task_ids(text):
    assert TaskName.parse(text, WORLDS, DATABASES) is None


def test_an_unknown_template_has_no_question():
    assert question(TaskName("movies", 1, "weather", 1), RECORDS) is None


def test_a_route_that_is_not_the_shortest_is_refused():
    """The second call finds nothing that the first has not found."""
    data = Database({"thing": {"17": {"name": "Oak", "age": 3, "mass": 9}}}, (dict, ()))

    class Things(Session):
        names = MappingProxyType({"thing": "name"})

        def search_thing(self, name: str) -> list:
            """Search."""
            return self.search("thing", name)

        def get_age(self, thing_id: str) -> dict:
            """Get the age."""
            return self.show("thing", thing_id, "age")

        def get_all(self, thing_id: str) -> dict:
            """Get all."""
            return self.show("thing", thing_id, "age", "mass")

    def ask(build: Builder, tools):
        name = build.search("thing", build.draw("thing"))
        for tool, field in tools:
            build.look(tool, "thing", "17", field)
        return build.question(f"How old is {name}?", 3, "number")

    templates = {
        "short": [("get_age", "age")],
        "long": [("get_age", "age"), ("get_all", "mass")],
    }
    tools = Toolbox([Things.search_thing, Things.get_age, Things.get_all])
    world = World(
        lambda seed, records: data,
        Things,
        tools,
        tuple(Template(n, lambda b, t=t: ask(b, t)) for n, t in templates.items()),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(worlds.WORLDS, "things", world)
        assert question(TaskName("things", 0, "short", 1), 1) is not None
        assert question(TaskName("things", 0, "long", 1), 1) is None


def test_searches_ignore_case_and_say_what_is_absent():
    data = database("movies", 0, RECORDS)
    key, movie = next(iter(data["movie"].items()))
    session = WORLDS["movies"].session(
        data, [fact("movie", key, "id"), absent("movie", "no such thing")]
    )
    found = session.search("movie", f"  {movie['title'].upper()} ")
    assert found == [{"movie_id": key, "title": movie["title"]}]
    assert (
        session.search("movie", " ") == session.search("movie", "No  such thing") == []
    )
    assert len(session.seen) == 2


@pytest.mark.parametrize("records", [60, 100])
def test_a_search_finds_every_name_that_contains_a_text(records):
    data = database("movies", 3, records)
    names = {key: one["name"].casefold() for key, one in data["person"].items()}
    for text in ("a", "son", "ier", "zz", "q", next(iter(names.values()))):
        expected = [key for key, name in names.items() if text in name]
        assert list(data.containing("person", "name", text)) == expected


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
