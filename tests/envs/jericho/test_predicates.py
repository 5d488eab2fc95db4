"""Conditions on a story's memory."""

import pytest

from aq_gym.envs.jericho.games import find_game
from aq_gym.envs.jericho.logic.predicates import View, compile_predicate
from aq_gym.envs.jericho.session import Session


@pytest.fixture(scope="module")
def session():
    session = Session(find_game("lighthouse"))
    session.start(7)
    for command in ("east", "take oil"):
        session.do(command)
    yield session
    session.close()


@pytest.mark.parametrize(
    ("when", "holds"),
    [
        (["at", "Shed"], True),
        (["at", "Jetty"], False),
        (["held", "oil_can"], True),
        (["held", "brass_key"], False),
        (["worn", "oil_can", "container"], False),
        (["worn", "oil_can", "moved"], True),
        (["in", "tackle_box", "Shed"], True),
        (["in", "oil_can", "Shed"], False),
        (["not in", "oil_can", "Shed"], True),
        (["here", "oil_can"], True),
        (["gone", "oil_can"], False),
        (["gone", "Shed"], True),
        (["has", "tower_door", "locked"], True),
        (["lacks", "tower_door", "locked"], False),
        (["score", 5], True),
        (["score", 6], False),
        (["global", "deadflag", 0], True),
        (["global", "deadflag", 2], False),
        (["won"], False),
        (["not", ["won"]], True),
        (["and", ["at", "Shed"], ["held", "oil_can"]], True),
        (["and", ["at", "Shed"], ["won"]], False),
        (["or", ["won"], ["at", "Shed"]], True),
        (["or", ["won"], ["at", "Jetty"]], False),
    ],
)
def test_each_form(session, when, holds):
    game = session.game
    predicate = compile_predicate(when, game.player, game.symbols)
    assert predicate(View(session.memory, score=5, won=False)) is holds


@pytest.mark.parametrize(
    ("when", "why"),
    [
        (["near", 3], "the form is one of and, at"),
        (["at"], "takes 1 arguments"),
        (["in", 3], "takes 2 arguments"),
        (["at", "Atlantis"], "'Atlantis' is not one of the story's objects"),
        (["score", "much"], "'much' is not one of the story's numbers"),
    ],
)
def test_a_mistake_is_named(session, when, why):
    with pytest.raises(ValueError, match=why):
        compile_predicate(when, session.game.player, session.game.symbols)
