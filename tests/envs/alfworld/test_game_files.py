"""Game files: official ones are played, others refused; no code is run."""

import json
import re
from collections import Counter
from importlib.util import find_spec

import pytest

from aq_gym.envs.alfworld import AlfworldEnv
from aq_gym.envs.alfworld.expert import plan
from aq_gym.envs.alfworld.export import official_texts, problem_text
from aq_gym.envs.alfworld.floor_plans import facts
from aq_gym.envs.alfworld.households import generate
from aq_gym.envs.alfworld.official import (
    GameFileError,
    UnknownGameError,
    parse_game,
)

pytestmark = pytest.mark.needs("module:alfworld")

DRAFT = generate("pick_heat_then_place_in_recep", 8)
PROBLEM = problem_text(DRAFT)
# The package has the domain and the grammar.
GAME = official_texts(DRAFT) if find_spec("alfworld") else {"grammar": ""}


def texts(problem=PROBLEM, grammar=GAME["grammar"]):
    return {**GAME, "pddl_problem": problem, "grammar": grammar}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (r"\(inreceptacle \S+", "(inreceptacle", "must have 2 names, not 1"),
        (r"\(openable", "(openable x", "must have 1 names, not 2"),
        (r"\(atlocation [^)]*\)", "", r"one \(atlocation AGENT LOCATION\), not 0"),
        (r"\(:init", "(:init (atlocation a b)", r"LOCATION\), not 2"),
        (r"\(:goal", "(:goal (not", "the goal is not of a known type"),
        (r"\(:goal", "(:goal\n(not\n", r"not of a known type: \(not \("),
    ],
)
def test_a_malformed_problem_is_refused(old, new, message):
    with pytest.raises(GameFileError, match=message):
        parse_game(texts(re.sub(old, new, PROBLEM, count=1)))


def test_text_that_is_no_json_string_is_refused():
    with pytest.raises(GameFileError, match="malformed text in the grammar"):
        parse_game(
            texts(grammar=GAME["grammar"].replace("task is to: ", "task is to: \\x"))
        )


def test_code_in_a_game_is_not_evaluated(tmp_path):
    path, marker = tmp_path / "game.tw-pddl", tmp_path / "ran"
    code = f"{{__import__('pathlib').Path('{marker}').touch()}}"
    grammar = GAME["grammar"].replace("Your task is to: ", f"Your task is to: {code}")
    grammar = grammar.replace('"TODO"', '"TO DO"', 1)
    path.write_text(json.dumps(texts(grammar=grammar)))
    with pytest.raises(UnknownGameError, match="grammar is not one of those"):
        AlfworldEnv(game=str(path)).reset()
    assert not marker.exists()


def test_the_walkthrough_wins_with_rising_progress(official):
    env = AlfworldEnv(game=str(official))
    _, info = env.reset()
    assert set(info["subgoals"].values()) == {False}
    total = 0.0
    for command in json.loads(official.read_text())["walkthrough"]:
        assert not info["success"]
        _, reward, terminated, _, info = env.step(command)
        assert info["action_valid"], command
        assert reward >= 0
        total += reward
    assert terminated
    assert total == pytest.approx(1.0)


def test_generated_households_of_its_floor_plan_have_its_receptacles(
    official, official_game
):
    number = official.parts[-3].rpartition("-")[2]
    layout = next(
        room["plans"][number]
        for room in facts()["rooms"].values()
        if number in room["plans"]
    )
    ours = {kind: len(rows) for kind, rows in layout["receptacles"].items()}
    assert ours == Counter(official_game.house.receptacle_types)


def test_the_plan_is_as_short_as_the_walkthrough(official, official_game):
    house = official_game.house
    walkthrough = json.loads(official.read_text())["walkthrough"]
    assert len(plan(house, house.start)) == len(walkthrough)


def test_the_split_is_sorted_and_filtered(official_data):
    env = AlfworldEnv(split="valid_train")
    names = [
        AlfworldEnv(split="valid_train", game=n).reset()[1]["task_id"]
        for n in range(12)
    ]
    assert names == sorted(names)
    assert len(set(names)) == 12
    for name in names:
        assert env.reset(options={"task_id": name})[1]["task_id"] == name
    assert env.reset(seed=0)[1]["source"] == "published"
    lamp = AlfworldEnv(split="valid_train", task_type="look_at_obj_in_light")
    with pytest.raises(ValueError, match="task_id="):
        lamp.reset(options={"task_id": names[-1]})
    assert "look_at_obj" in lamp.reset(seed=0)[1]["task_id"]
    with pytest.raises(ValueError, match="game=12: split='valid_train' has the games"):
        AlfworldEnv(split="valid_train", game=12)
    with pytest.raises(FileNotFoundError, match="valid_unseen"):
        AlfworldEnv(split="valid_unseen")


def test_the_id_of_a_file_is_its_contents(official):
    _, info = AlfworldEnv(game=str(official)).reset()
    assert info["task_id"].startswith("game/")
    assert str(official.parent) not in str(info)
    assert info["source"] == "user"  # not in the folder of the official games


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        ("pddl_domain", "(isSliced ?co)", "(isHot ?co)"),
        ("grammar", "You pick up the", "You grab the"),
        ("grammar", "You arrive at {r.name}.", "You arrive at {a.name}."),
        ("grammar", "Your task is to:", "Do this:"),
        ("pddl_problem", "(:goal", "(:goal (not (isHot x)) (and"),
        ("pddl_problem", "(:init", "(:init (holds agent1 x)"),
        ("pddl_problem", "(:init", "(:init (full x)"),
    ],
)
def test_a_game_with_other_rules_or_words_is_refused(part, old, new):
    assert old in GAME[part]
    with pytest.raises(UnknownGameError):
        parse_game({**GAME, part: GAME[part].replace(old, new)})


def test_other_wordings_of_the_known_phrases_are_played():
    """The prompts of AgentBoard use such a wording."""
    form = 'PutObject {\n    template :: "move {o} to'
    grammar = (
        GAME["grammar"]
        .replace(form, form.replace("move {o} to", "put {o} in/on"))
        .replace("You move the {o.name} to", "You put the {o.name} in/on")
        .replace("You arrive at {r.name}. #", "You arrive at {lend.name}. #")
    )
    words = parse_game(texts(grammar=grammar)).words
    assert words.put == "put {o} in/on {r}"
    assert words.arrival == "You arrive at {lend.name}. "


def test_a_file_that_was_changed_is_read_again(tmp_path):
    path = tmp_path / "game.tw-pddl"
    for task in ("do this.", "do that."):
        sentence = f"Your task is to: {task}"
        changed = re.sub(r"Your task is to: [^\"]*", sentence, GAME["grammar"])
        path.write_text(json.dumps(texts(grammar=changed)))
        assert AlfworldEnv(game=path).reset()[1]["goal"] == task


@pytest.mark.parametrize(
    "contents",
    [
        "",
        "[]",
        '{"pddl_domain": ""}',
        "\x00",
        '{"pddl_domain": null, "pddl_problem": 5, "grammar": []}',
    ],
)
def test_what_is_no_game_file_is_named(tmp_path, contents):
    path = tmp_path / "game.tw-pddl"
    path.write_text(contents)
    with pytest.raises(ValueError, match="is not a game file"):
        AlfworldEnv(game=path)
