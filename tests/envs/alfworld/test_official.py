"""The official games with the native engine; skipped without the games."""

import json
import re
from collections import Counter

import pytest

from aq_gym.envs.alfworld import AlfworldEnv
from aq_gym.envs.alfworld.game_errors import UnknownGameError
from aq_gym.envs.alfworld.generator.facts import facts
from aq_gym.envs.alfworld.logic.plan import plan
from aq_gym.envs.alfworld.official import parse_game


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


def test_the_expert_solves(official):
    env = AlfworldEnv(game=str(official))
    env.reset()
    for _ in range(20):
        if env.step(env.expert_action())[2]:
            return
    pytest.fail("not solved within 20 steps")


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
def test_unknown_games_are_refused_by_the_native_engine(official, part, old, new):
    data = json.loads(official.read_text())
    assert old in data[part]
    data[part] = data[part].replace(old, new)
    with pytest.raises(UnknownGameError):
        parse_game(data)


def test_comments_and_layout_make_no_other_domain(official):
    data = json.loads(official.read_text())
    data["pddl_domain"] = f"; hello\n{data['pddl_domain'].upper()}\n\n"
    assert parse_game(data)


PUT = 'PutObject {\n    template :: "put {o} in/on'


def test_other_wordings_of_the_known_phrases_are_played(official):
    """The prompts of AgentBoard use such a wording."""
    data = json.loads(official.read_text())
    data["grammar"] = (
        data["grammar"]
        .replace('PutObject {\n    template :: "move {o} to', PUT)
        .replace("You move the {o.name} to", "You put the {o.name} in/on")
        .replace("You arrive at {r.name}. #", "You arrive at {lend.name}. #")
    )
    words = parse_game(data).words
    assert words.put == "put {o} in/on {r}"
    assert words.arrival == "You arrive at {lend.name}. "


def test_a_file_that_was_changed_is_read_again(official, tmp_path):
    path = tmp_path / "game.tw-pddl"
    data = json.loads(official.read_text())
    for task in ("do this.", "do that."):
        data["grammar"] = _TASK.sub(f"Your task is to: {task}", data["grammar"])
        path.write_text(json.dumps(data))
        assert AlfworldEnv(game=path).reset()[1]["goal"] == task


_TASK = re.compile(r"Your task is to: [^\"]*")


NO_TEXT = '{"pddl_domain": null, "pddl_problem": 5, "grammar": []}'


@pytest.mark.parametrize(
    "contents", ["", "[]", '{"pddl_domain": ""}', "\x00", NO_TEXT, "[" * 200_000]
)
def test_what_is_no_game_file_is_named(tmp_path, contents):
    path = tmp_path / "game.tw-pddl"
    path.write_text(contents)
    with pytest.raises(ValueError, match="is not a game file"):
        AlfworldEnv(game=path)
