"""Questions: routes that find all facts, right answers, fair chances."""

import collections
import datetime
from types import MappingProxyType

import pytest

from aq_gym.answers import is_same
from aq_gym.envs.toolquery.logic import worlds
from aq_gym.envs.toolquery.logic.question import Builder, Template, World
from aq_gym.envs.toolquery.logic.session import Database, Session, absent, fact
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
def test_the_route_finds_every_fact(world, template):
    for name, one in asked(world, template, 20):
        session, results = play(name, one)
        assert all(result.valid for result in results)
        assert session.seen == frozenset(one.facts)
        assert frozenset().union(*one.subgoals) == session.seen
        assert 2 <= len(one.route) <= 7 and len(one.text) < 200
        assert is_same(one.answer, one.answer, one.kind)


@ids
def test_nearly_every_number_is_a_question_and_they_differ(world, template):
    found = asked(world, template, 50)
    assert len(found) >= 45
    assert len({(name.start, one.text) for name, one in found}) >= 42


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


def test_a_task_id_is_parsed_as_it_is_written():
    for answerable in (True, False):
        name = TaskName("movies", 17, "release-date", 8421, answerable)
        assert TaskName.parse(str(name), WORLDS, DATABASES) == name


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
