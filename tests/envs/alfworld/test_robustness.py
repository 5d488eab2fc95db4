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
from aq_gym.envs.alfworld.generator.export import problem_text
from aq_gym.envs.alfworld.logic.plan import plan
from aq_gym.envs.alfworld.logic.rules import actions
from aq_gym.envs.alfworld.official import parse_game, read_game_file

DRAFT = generate("pick_heat_then_place_in_recep", 8)
PROBLEM = problem_text(DRAFT)
GRAMMAR = '"Your task is to: do this."'


def texts(problem=PROBLEM, grammar=GRAMMAR):
    return {"pddl_domain": "", "pddl_problem": problem, "grammar": grammar}


def load(problem, grammar=GRAMMAR):
    """Return whether a problem is accepted; raise anything but GameFileError."""
    try:
        house, _ = parse_game(texts(problem, grammar), known=False)
    except GameFileError as error:
        assert str(error) and "\n" not in str(error)
        return False
    actions(house, house.start)
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
        parse_game(texts(re.sub(old, new, PROBLEM, count=1)), known=False)


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
        parse_game(texts(PROBLEM.replace("(:init", f"(:init {facts}")), known=False)


def test_text_that_is_no_json_string_is_refused():
    with pytest.raises(GameFileError, match="malformed text in the grammar"):
        parse_game(texts(grammar='"Your task is to: \\x"'), known=False)


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    path = tmp_path / "game.tw-pddl"
    path.write_text(" " * 10_000_001)
    with pytest.raises(GameFileError, match="more than 10000000 bytes"):
        AlfworldEnv(game=str(path))


@pytest.mark.parametrize("engine", ["auto", "native"])
def test_an_unknown_game_is_never_played_by_textworld_unasked(tmp_path, engine):
    path = tmp_path / "game.tw-pddl"
    path.write_text(json.dumps(texts()))
    env = AlfworldEnv(game=str(path), engine=engine)
    with pytest.raises(UnknownGameError, match="engine='textworld'"):
        env.reset()


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


@pytest.mark.needs("module:alfworld", "module:textworld")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Your task is to: ", "Your task is to: {__import__('os').getcwd()}"),
        ("Your task is to: ", r"Your task is to: \u007b__import__('os').abort()\u007d"),
        ("{o.indefinite + ' ' + o.name |", "{exit() |"),
        ("You close the {r.name}", "You close the {r.name.upper()}"),
        ("You close the {r.name}", "You close the {r.__class__}"),
        ('template :: "open {r}"', "template :: \"open {open('x')}\""),
        ('feedback :: "#OpenObject.feedback#"', 'feedback :: "{(1).bit_length()}"'),
    ],
)  # fmt: skip
def test_textworld_evaluates_names_alone(old, new):
    from aq_gym.envs.alfworld.generator.export import official_texts
    from aq_gym.envs.alfworld.reference import TextworldEngine

    data = official_texts(DRAFT)
    assert old in data["grammar"]
    data["grammar"] = data["grammar"].replace(old, new, 1)
    with pytest.raises(GameFileError, match=r"as Python: refused|can't parse"):
        TextworldEngine(data)


def test_plain_arguments():
    plain = AlfworldEnv.is_plain_argument
    assert plain("split", "train") and plain("task_type", None) and plain("game", 3)
    assert not plain("game", "a.json")
    assert plain("engine", "auto") and not plain("engine", "textworld")
    assert plain("explain", True) and not plain("anything_new", 1)
