"""The worlds of academia and of the library: their records agree with each other."""

import datetime

import pytest

from aq_gym.envs.toolquery.logic.worlds import WORLDS, database, question
from aq_gym.tools import Call
from aq_gym.tools.tasks import TaskName


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


def test_loans_and_members_agree():
    data = database("library", 0, 100)
    today = run("library", "get_current_date").value
    for key, loan in data["loan"].items():
        listed = {"loan_id": key, "book_id": loan["book_id"]}
        assert listed in data["member"][loan["member_id"]]["loans"]
        assert loan["borrowed"] < (loan["returned"] or today) <= today
        borrowed, due = (
            datetime.date.fromisoformat(loan[which]) for which in ("borrowed", "due")
        )
        assert (due - borrowed).days == 28
    for branch in data["branch"].values():
        assert all(one["opens"] < one["closes"] for one in branch["hours"])


@pytest.mark.parametrize("number", range(20))
def test_answers_computed_another_way(number):
    data = database("academia", 1, 100)
    one = question(TaskName("academia", 1, "cites-author", number), 100)
    (paper,) = [p for p in data["paper"].values() if f'"{p["title"]}"' in one.text]
    (author,) = [
        key for key, a in data["author"].items() if one.text.endswith(f" {a['name']}?")
    ]
    cited = [data["paper"][key]["authors"] for key in paper["references"]]
    assert one.answer is any(author in authors for authors in cited)
    data = database("library", 1, 100)
    one = question(TaskName("library", 1, "open-loans", number), 100)
    (member,) = [m for m in data["member"].values() if f" {m['name']} " in one.text]
    loans = [data["loan"][loan["loan_id"]] for loan in member["loans"]]
    assert one.answer == sum(loan["returned"] is None for loan in loans)
