"""Damaged and hostile game files: one clear error, and no code of theirs runs."""

import json
import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aq_gym.envs.alfworld import AlfworldEnv
from aq_gym.envs.alfworld.game_errors import GameFileError, UnknownGameError
from aq_gym.envs.alfworld.generator import generate
from aq_gym.envs.alfworld.generator.export import official_texts, problem_text
from aq_gym.envs.alfworld.logic.plan import plan
from aq_gym.envs.alfworld.official import parse_game, read_game_file
from aq_gym.envs.alfworld.text import commands

DRAFT = generate("pick_heat_then_place_in_recep", 8)
PROBLEM = problem_text(DRAFT)
GAME = official_texts(DRAFT)


def texts(problem=PROBLEM, grammar=GAME["grammar"]):
    return {**GAME, "pddl_problem": problem, "grammar": grammar}


def load(problem):
    """Return whether a problem is accepted; raise anything but GameFileError."""
    try:
        house, words = parse_game(texts(problem))
    except GameFileError as error:
        assert str(error) and "\n" not in str(error)
        return False
    commands(house, words, house.start)
    plan(house, house.start)
    return True


def test_the_unchanged_problem_is_accepted():
    assert load(PROBLEM)


@pytest.mark.parametrize("seed", range(5))
def test_mutants_are_accepted_or_refused(seed):
    rng = Random(seed)
    lines = PROBLEM.splitlines()
    facts = [i for i, line in enumerate(lines) if line.strip().startswith("(")]
    for _ in range(60):
        changed = list(lines)
        for _ in range(rng.randint(1, 3)):
            place = rng.choice(facts)
            names = changed[place].split()
            names.insert(rng.randrange(len(names) + 1), rng.choice(["", "x", "(", ")"]))
            rng.shuffle(names)
            changed[place] = " ".join(names[: rng.randint(0, len(names))])
        load("\n".join(changed))


# In the same order in every process, as are the examples where Hypothesis repeats them.
PIECES = [*sorted(set(PROBLEM.split())), "(", ")", "(:init", "(:goal"]


@settings(max_examples=150)
@given(st.lists(st.sampled_from(PIECES)))
def test_any_words_are_accepted_or_refused(words):
    load(" ".join(words))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (r"\(inreceptacle \S+", "(inreceptacle", "must have 2 names, not 1"),
        (r"\(openable", "(openable x", "must have 1 names, not 2"),
        (r"\(atlocation [^)]*\)", "", r"one \(atlocation AGENT LOCATION\), not 0"),
        (r"\(:init", "(:init (atlocation a b)", r"LOCATION\), not 2"),
        (r"\(:goal", "(:goal (not", "the goal is not of a known type"),
        (r"\(:goal", "(:goal\n(not\n", r"not of a known type: \(not \("),
        (r"\(:init", "(:init" + "(x)" * 50_001, "at most 50000 are read"),
    ],
)
def test_a_malformed_problem_is_refused(old, new, message):
    with pytest.raises(GameFileError, match=message):
        parse_game(texts(re.sub(old, new, PROBLEM, count=1)))


@pytest.mark.parametrize(
    ("fact", "count", "message"),
    [
        ("(receptacleatlocation r{} l)", 151, "receptacles: at most 150"),
        ("(objectatlocation o{} l)", 601, "objects: at most 600"),
        ("(objecttype o{} mugtype)", 61, "objects of one type: at most 60"),
    ],
)
def test_a_household_has_bounds(fact, count, message):
    facts = "".join(fact.format(i) for i in range(count))
    with pytest.raises(GameFileError, match=message):
        parse_game(texts(PROBLEM.replace("(:init", f"(:init {facts}")))


def test_text_that_is_no_json_string_is_refused():
    with pytest.raises(GameFileError, match="malformed text in the grammar"):
        parse_game(
            texts(grammar=GAME["grammar"].replace("task is to: ", "task is to: \\x"))
        )


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    path = tmp_path / "game.tw-pddl"
    path.write_text(" " * 10_000_001)
    with pytest.raises(GameFileError, match="at most 10,000,000 are read"):
        AlfworldEnv(game=str(path))


def test_an_unknown_game_is_refused(tmp_path):
    path = tmp_path / "game.tw-pddl"
    changed = {**GAME, "grammar": GAME["grammar"].replace("You pick", "You grab")}
    path.write_text(json.dumps(changed))
    with pytest.raises(UnknownGameError, match="grammar is not one of those"):
        AlfworldEnv(game=str(path)).reset()


def test_an_official_game_that_was_changed_is_not_evaluated(official, tmp_path):
    data = read_game_file(official)
    marker = tmp_path / "ran"
    code = f"{{__import__('pathlib').Path('{marker}').touch()}}"
    data["grammar"] = (
        data["grammar"]
        .replace("Your task is to: ", f"Your task is to: {code}", 1)
        .replace('"TODO"', '"TO DO"', 1)
    )
    path = tmp_path / "game.tw-pddl"
    path.write_text(json.dumps(data))
    with pytest.raises(UnknownGameError):
        AlfworldEnv(game=str(path)).reset()
    assert not marker.exists()


def test_plain_arguments():
    plain = AlfworldEnv.is_plain_argument
    assert plain("split", "train") and plain("task_type", None) and plain("game", 3)
    assert not plain("game", "a.json")
    assert plain("explain", True) and not plain("anything_new", 1)
