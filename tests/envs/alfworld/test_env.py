"""The environment: arguments, tasks, the command grammar, texts."""

import json
import re

import gymnasium as gym
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aq_gym.envs.alfworld import AlfworldEnv, actions, text
from aq_gym.envs.alfworld.logic.goal import TASK_TYPES

HEAT = "pick_heat_then_place_in_recep"


def start(task_id, **kwargs):
    env = AlfworldEnv(**kwargs)
    return env, *env.reset(options={"task_id": task_id})


def test_golden_episode():
    """Changed texts or households need a new version of the environment."""
    env, opening, info = start(f"generated/{HEAT}/2873", instructions=False)
    said = [opening]
    terminated = False
    while not terminated:
        action = env.expert_action()
        observation, _, terminated, _, _ = env.step(action)
        said += [f"> {action}", observation]
    assert info["goal"] == GOAL
    assert "\n".join(said) == GOLDEN


GOAL = "heat some plate and put it in cabinet."
GOLDEN = """\
-= Welcome to TextWorld, ALFRED! =-

You are in the middle of a room. Looking quickly around you, you see a cabinet 13, a \
cabinet 12, a cabinet 11, a cabinet 10, a cabinet 9, a cabinet 8, a cabinet 7, a \
cabinet 6, a cabinet 5, a cabinet 4, a cabinet 3, a cabinet 2, a cabinet 1, a \
coffeemachine 1, a countertop 1, a drawer 5, a drawer 4, a drawer 3, a drawer 2, a \
drawer 1, a fridge 1, a garbagecan 1, a microwave 1, a sinkbasin 1, a stoveburner 4, a \
stoveburner 3, a stoveburner 2, a stoveburner 1, and a toaster 1.

Your task is to: heat some plate and put it in cabinet.
> go to countertop 1
You arrive at countertop 1. On the countertop 1, you see a apple 1, a butterknife 2, a \
butterknife 1, a egg 1, a knife 1, a ladle 2, a peppershaker 1, a plate 2, a spatula \
3, a spatula 2, and a tomato 1.
> take plate 2 from countertop 1
You pick up the plate 2 from the countertop 1.
> go to microwave 1
You arrive at microwave 1. The microwave 1 is closed.
> heat plate 2 with microwave 1
You heat the plate 2 using the microwave 1.
> go to cabinet 13
You arrive at cabinet 13. The cabinet 13 is closed.
> open cabinet 13
You open the cabinet 13. The cabinet 13 is open. In it, you see a cup 3, a ladle 1, \
and a mug 3.
> move plate 2 to cabinet 13
You move the plate 2 to the cabinet 13.\
"""


def test_the_first_observation_explains_itself():
    _, opening, _ = start(f"generated/{HEAT}/0")
    for part in ("go to (receptacle)", "move (object) to (receptacle)", "Your task is"):
        assert part in opening
    assert start(f"generated/{HEAT}/0", instructions=False)[1] in opening


@pytest.mark.parametrize(
    "action",
    [
        "go to countertop 1",
        "Go To  Countertop 1.",
        '"go to countertop 1"',
        "\tGO TO COUNTERTOP 1 ",
        "go to the countertop 1",
    ],
)
def test_actions_are_read_tolerantly(action):
    env, _, _ = start(f"generated/{HEAT}/0")
    observation, *_, info = env.step(action)
    assert info["action_valid"], action
    assert observation.startswith("You arrive at countertop 1.")


@pytest.mark.parametrize(
    "form",
    [
        "move {} to {}",
        "put {} in/on {}",
        "Put {} on {}.",
        "put {} in {}",
        "put {} into {}",
        "put {} onto {}",
        "put {} inside {}",
        "place {} in/on {}",
        "Place {} on {}",
        "put the {} on the {}",
    ],
)
def test_put_is_move(form):
    words = text.Words("")
    assert actions.read(form.format("mug 1", "desk 2"), words) == "move mug 1 to desk 2"
    older = text.Words("", put="put {o} in/on {r}")
    assert (
        actions.read(form.format("mug 1", "desk 2"), older) == "put mug 1 in/on desk 2"
    )


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("dance", "not a command"),
        ("go to mars 1", "no such place"),
        ("take egg 1 from mars 1", "can't be done here and now"),
        ("go to countertop 1", "there already"),
        ("put mug 1 under desk 1", r"say move \(object\) to \(receptacle\)\."),
        ("take mug 1", r"say take \(object\) from \(receptacle\)\."),
        ("go countertop 1", r"say go to \(receptacle\)\."),
    ],
)
def test_what_is_not_admissible_does_nothing_and_says_why(action, why):
    env, _, _ = start(f"generated/{HEAT}/0")
    env.step("go to countertop 1")
    before = env.get_state().world
    observation, reward, terminated, truncated, info = env.step(action)
    assert observation == "Nothing happens."
    assert not info["action_valid"]
    assert re.search(why, info["feedback"])
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert env.get_state().world == before


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("go to fridge", "say go to fridge 1."),
        ("go to the fridge", "say go to fridge 1."),
        ("go to drawer", "go to drawer 3, go to drawer 4 or another."),
        ("go to countertop", "for countertop, say countertop 1."),
        ("open fridge", "for fridge, say fridge 1."),
        ("take plate from countertop", "say take plate 2 from countertop 1."),
        ("take plate from countertop 1", "say take plate 2 from countertop 1."),
        ("take the plate 2 from counter", "for counter, say it as you see it"),
        ("put plate on fridge 1", "for plate, say it as you see it"),
        ("heat plate with microwave", "for plate, say it as you see it, with its "
         "number; for microwave, say microwave 1."),
        ("go to mars", "there is no such place"),
    ],
)  # fmt: skip
def test_a_name_without_its_number_is_told_it(action, why):
    env, _, _ = start(f"generated/{HEAT}/2873")
    env.step("go to countertop 1")
    observation, *_, info = env.step(action)
    assert observation == "Nothing happens."
    assert not info["action_valid"]
    assert why in info["feedback"]


def test_what_is_in_the_hand_is_named_with_its_number():
    env, _, _ = start(f"generated/{HEAT}/2873")
    for action in ("go to countertop 1", "take plate 2 from countertop 1"):
        env.step(action)
    feedback = env.step("put plate on countertop 1")[-1]["feedback"]
    assert "say move plate 2 to countertop 1." in feedback
    assert env.step("put the plate 2 on the countertop 1")[-1]["action_valid"]


@pytest.mark.parametrize("number", ["", " 1"])
def test_feedback_does_not_reveal_whether_an_object_exists(number):
    env, _, _ = start(f"generated/{HEAT}/0")
    there, nowhere = (
        env.step(f"take {thing}{number} from fridge 1")[-1]["feedback"]
        for thing in ("egg", "dragon")
    )
    assert there.replace("egg", "dragon") == nowhere


def test_help_is_the_games_own_command():
    env, _, _ = start(f"generated/{HEAT}/0")
    observation, *_, info = env.step("help")
    assert observation.startswith("Available commands:\n  look: ")
    assert info["action_valid"]
    assert "help" in env.admissible_actions()
    listed, *_ = env.step("check valid actions")
    assert listed == "Choose an action from these valid actions: " + ", ".join(
        env.admissible_actions()
    )


def test_the_put_command_that_is_listed_is_the_games_own():
    env, _, _ = start(f"generated/{HEAT}/0")
    env.step(env.expert_action())
    while not any(a.startswith("move ") for a in env.admissible_actions()):
        env.step(env.expert_action())
    assert not any(a.startswith("put ") for a in env.admissible_actions())


@pytest.mark.parametrize(
    ("kwargs", "said"),
    [
        ({"split": "seen"}, "split='seen': choose one of all, train, test, official"),
        ({"task_type": "cook"}, "task_type='cook': choose from pick_and_place_simple"),
        ({"task_type": []}, "choose from"),
        ({"task_type": ["cook"]}, "task_type=.'cook'.: choose from"),
        ({"game": 3}, "game=3 needs an official split"),
        ({"game": "a", "split": "train"}, "split='train' cannot be given"),
        ({"game": "a", "task_type": HEAT}, "task_type='pick_heat_.*' cannot be given"),
        ({"game": "a", "split": "train", "task_type": HEAT}, "' and task_type='"),
    ],
)
def test_wrong_arguments_are_named(kwargs, said):
    with pytest.raises(ValueError, match=said):
        AlfworldEnv(**kwargs)


@pytest.mark.parametrize(
    ("kwargs", "said"),
    [
        ({"split": ["a"]}, "split=.'a'. must be a str"),
        ({"split": None}, "split=None must be a str"),
        ({"task_type": 3}, "task_type=3 must be a str or a list of str or None"),
        ({"task_type": [3]}, "task_type=.3. must be a str or a list of str or None"),
        ({"task_type": {HEAT}}, "must be a str or a list of str or None"),
        ({"game": 1.5}, "game=1.5 must be a str or a Path or an int or None"),
        ({"game": True}, "game=True must be a str or a Path or an int or None"),
        ({"game": b"a"}, "game=b'a' must be"),
        ({"game": ["a"]}, "game=.'a'. must be"),
    ],
)
def test_arguments_of_other_types_are_named(kwargs, said):
    with pytest.raises(TypeError, match=said):
        AlfworldEnv(**kwargs)


@pytest.fixture
def a_game(tmp_path):
    """Return a file that is accepted as a game as long as it is not played."""
    path = tmp_path / "game.tw-pddl"
    path.write_text('{"pddl_domain": "", "pddl_problem": "", "grammar": ""}')
    return path


def test_a_path_is_kept_as_text(a_game):
    env = gym.make("aq/ALFWorld-v0", game=a_game)
    assert env.spec.kwargs == {"game": str(a_game)}
    again = gym.make(gym.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert again.spec == env.spec
    assert AlfworldEnv(game=a_game)._maker == AlfworldEnv(game=str(a_game))._maker
    assert gym.make("aq/ALFWorld-v0", task_type=HEAT).spec.kwargs == {"task_type": HEAT}


def test_defaults_do_not_contradict_a_file(a_game):
    defaults = {"split": "all", "task_type": None}
    AlfworldEnv(game=str(a_game), **defaults)


def test_a_file_that_is_no_game_is_refused_at_once(a_game):
    a_game.write_text("{}")
    with pytest.raises(ValueError, match="is not a game file: it needs"):
        AlfworldEnv(game=a_game)


def test_what_was_downloaded_meanwhile_is_found(monkeypatch, tmp_path):
    monkeypatch.setenv("ALFWORLD_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError):
        AlfworldEnv(split="official_train")
    trial = tmp_path / "json_2.1.1/train/pick_and_place_simple-A-None-B-1/trial"
    trial.mkdir(parents=True)
    (trial / "game.tw-pddl").write_text(json.dumps({}))
    AlfworldEnv(split="official_train")
    monkeypatch.setenv("ALFWORLD_DATA", str(tmp_path / "json_2.1.1"))
    AlfworldEnv(split="official_train")


@pytest.mark.parametrize(
    "task_id",
    [
        "",
        7,
        None,
        f"generated/{HEAT}",
        f"generated/{HEAT}/-1",
        f"generated/{HEAT}/01",
        f"generated/{HEAT}/{2**32}",
        "generated/cook/1",
        "valid_unseen/x/y",
    ],
)
def test_wrong_task_ids_are_refused(task_id):
    with pytest.raises(ValueError, match="task_id="):
        AlfworldEnv().reset(options={"task_id": task_id})


def test_task_ids_of_other_splits_and_types_are_refused():
    env = AlfworldEnv(split="generated_train", task_type=HEAT)
    env.reset(options={"task_id": f"generated_train/{HEAT}/3"})
    for task_id in (f"generated_test/{HEAT}/3", f"generated_train/{TASK_TYPES[0]}/3"):
        with pytest.raises(ValueError, match="task_id="):
            env.reset(options={"task_id": task_id})
    AlfworldEnv().reset(options={"task_id": f"generated_test/{HEAT}/3"})


@pytest.mark.parametrize("split", ["train", "test"])
def test_the_splits_have_the_names_of_every_benchmark(split):
    short, long = AlfworldEnv(split=split), AlfworldEnv(split=f"generated_{split}")
    (first, info), (second, other) = short.reset(seed=5), long.reset(seed=5)
    assert info["task_id"].startswith(f"generated_{split}/")
    assert (first, info) == (second, other)


@pytest.mark.parametrize("task_type", TASK_TYPES)
def test_task_type_filters(task_type):
    env = AlfworldEnv(task_type=task_type)
    for seed in range(3):
        _, info = env.reset(seed=seed)
        assert info["task_id"].split("/")[1] == task_type
    assert AlfworldEnv(task_type=[task_type]).reset(seed=0) == env.reset(seed=0)


def test_difficulty_is_agentboards_cutoff():
    easy = {
        start(f"generated/{task_type}/0")[2]["difficulty"]: task_type
        for task_type in ("pick_and_place_simple", "look_at_obj_in_light")
    }
    hard = {
        start(f"generated/{task_type}/0")[2]["difficulty"]
        for task_type in TASK_TYPES[2:]
    }
    assert set(easy) == {"easy"}
    assert hard == {"hard"}


def test_a_state_of_another_household_is_restored():
    first, second = AlfworldEnv(), AlfworldEnv()
    first.reset(seed=1)
    first.step(first.expert_action())
    second.reset(seed=2)
    second.set_state(first.get_state())
    assert second.step("look") == first.step("look")
    assert second.get_state() == first.get_state()


ANY_TEXT, _, _ = start(f"generated/{HEAT}/0")


@settings(max_examples=60)
@given(st.text(max_size=80))
def test_any_text_is_answered(action):
    observation, *_, info = ANY_TEXT.step(action)
    assert info["action_valid"] or observation == "Nothing happens."


def test_official_games_that_are_not_there(monkeypatch, tmp_path):
    monkeypatch.setenv("ALFWORLD_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="aq-gym download alfworld"):
        AlfworldEnv(split="valid_unseen")
    with pytest.raises(FileNotFoundError, match="is not a file"):
        AlfworldEnv(game=str(tmp_path / "game.tw-pddl"))
