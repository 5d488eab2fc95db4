"""The native engine against TextWorld, as used by the published ALFWorld.

The walks are short, two households of every type are played, and these have at most 14
receptacles, which saves time. ``AQ_GYM_ALFWORLD_STEPS=40`` makes the walks longer, and
``AQ_GYM_ALFWORLD_PLANNED=10`` plays ten households of every type, which TextWorld's
planner has to solve as well.
"""

import os
import random

import pytest

from aq_gym.envs.alfworld.export import official_texts, write_game
from aq_gym.envs.alfworld.households import Limits, generate
from aq_gym.envs.alfworld.logic.build import build_house
from aq_gym.envs.alfworld.logic.house import TASK_TYPES
from aq_gym.envs.alfworld.official import parse_game, read_game_file
from aq_gym.envs.alfworld.text import Words

from . import compare

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("module:alfworld", "module:textworld"),
]


PLANNED = int(os.environ.get("AQ_GYM_ALFWORLD_PLANNED", "2"))
STEPS = int(os.environ.get("AQ_GYM_ALFWORLD_STEPS", "8"))


@pytest.fixture(scope="module", autouse=True)
def translations():
    compare.remember_translations()


def test_official_games_are_played_alike(official):
    rng = random.Random(official.parts[-3])
    assert compare.differences(read_game_file(official), STEPS, rng) == []


@pytest.mark.parametrize("task_type", TASK_TYPES)
@pytest.mark.parametrize("place", range(PLANNED))
def test_generated_games_are_played_alike_and_solved_by_the_planner(task_type, place):
    # The planner's time grows steeply with the household.
    draft = generate(task_type, place, limits=Limits(receptacles=14))
    texts = official_texts(draft)
    assert compare.differences(texts, STEPS, random.Random(place)) == []
    assert compare.planned(texts) == []


def test_what_few_official_games_have_is_played_alike():
    """Objects in two places, or sliced, clean or switched on from the start."""
    draft = generate("pick_clean_then_place_in_recep", 4)
    things = sorted(atom[1] for atom in draft.atoms if atom[0] == "objecttype")
    places = sorted(atom[1] for atom in draft.atoms if atom[0] == "receptacletype")
    wardrobe, thing = "wardrobe_bar__plus_01_dot_00", "thing_bar__plus_01_dot_00"
    draft.atoms.extend(
        [
            *(("inreceptacle", name, places[0]) for name in things[::2]),
            *(("issliced", name) for name in things[::3]),
            *(("isclean", name) for name in things[::4]),
            *(("ishot", name) for name in things[1::4]),
            *(("toggleable", name) for name in things[::5]),
            ("istoggled", things[0]),
            ("opened", places[-1]),
            ("inreceptacle", thing, places[0]),
            ("pickupable", thing),
            ("inreceptacleobject", things[0], things[1]),
            ("inreceptacle", things[1], wardrobe),
        ]
    )
    texts = official_texts(draft)
    texts["walkthrough"] = []
    extra = f"(:objects {wardrobe} - receptacle {thing} - object"
    texts["pddl_problem"] = texts["pddl_problem"].replace("(:objects", extra)
    for seed in range(2):
        assert compare.differences(texts, 40, random.Random(seed)) == []


def test_games_of_older_releases_are_played_alike():
    """Those games say "put", name locations, and have no command "help"."""
    texts = official_texts(generate("look_at_obj_in_light", 3))
    domain, helps, _ = texts["pddl_domain"].partition("(:action help")
    grammar, told, _ = texts["grammar"].partition("action help {")
    assert helps and told
    grammar = grammar.replace("move {o} to {r}", "put {o} in/on {r}")
    grammar = grammar.replace("You arrive at {r.name}", "You arrive at {lend.name}")
    answers = "You move the {o.name} to the", "You put the {o.name} in/on the"
    texts |= {"pddl_domain": f"{domain})", "grammar": grammar.replace(*answers)}
    texts["walkthrough"] = []
    assert compare.differences(texts, 60, random.Random(0)) == []
    house, words = parse_game(texts)
    assert words.put == "put {o} in/on {r}" and not words.help and not house.helps


@pytest.mark.parametrize("task_type", TASK_TYPES)
def test_what_is_written_is_what_is_played(tmp_path, task_type):
    for number in range(10):
        draft = generate(task_type, number)
        write_game(draft, tmp_path / "game.tw-pddl")
        game = parse_game(read_game_file(tmp_path / "game.tw-pddl"))
        assert game.house == build_house(draft.atoms, draft.goal)
        assert game.words == Words(draft.sentence)


def test_importing_alfworld_leaves_the_environment_alone(monkeypatch):
    monkeypatch.delenv("ALFWORLD_DATA", raising=False)
    compare.TextworldEngine(official_texts(generate("look_at_obj_in_light", 3)))
    assert "ALFWORLD_DATA" not in os.environ
