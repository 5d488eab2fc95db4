"""The environment: texts, arguments, tasks, progress and suites."""

import collections

import gymnasium as gym
import pytest

from aq_gym.envs.alfworld import AlfworldEnv
from aq_gym.envs.alfworld.logic.house import TASK_TYPES
from aq_gym.evaluation import Suite
from aq_gym.evaluation.preflight import check_tasks

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


@pytest.fixture
def a_game(tmp_path):
    """Return a file that is accepted as a game as long as it is not played."""
    path = tmp_path / "game.tw-pddl"
    path.write_text('{"pddl_domain": "", "pddl_problem": "", "grammar": ""}')
    return path


def test_a_path_is_kept_as_text(a_game):
    env = gym.make("aq/ALFWorld-v0", game=a_game)
    assert env.unwrapped.source == "user"
    assert env.spec.kwargs == {"game": str(a_game)}
    again = gym.make(gym.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert again.spec == env.spec
    assert AlfworldEnv(game=a_game)._identity == AlfworldEnv(game=str(a_game))._identity
    assert gym.make("aq/ALFWorld-v0", task_type=HEAT).spec.kwargs == {"task_type": HEAT}


def test_what_was_downloaded_meanwhile_is_found(monkeypatch, tmp_path, a_game):
    monkeypatch.setenv("ALFWORLD_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError):
        AlfworldEnv(split="official_train")
    trial = tmp_path / "json_2.1.1/train/pick_and_place_simple-A-None-B-1/trial"
    trial.mkdir(parents=True)
    official = a_game.rename(trial / a_game.name)
    AlfworldEnv(split="official_train")
    monkeypatch.setenv("ALFWORLD_DATA", str(tmp_path / "json_2.1.1"))
    assert AlfworldEnv(split="official_train").source == "published"
    assert AlfworldEnv(game=str(official)).source == "published"


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


def test_a_game_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="is not a file"):
        AlfworldEnv(game=str(tmp_path / "game.tw-pddl"))


ORDER = {
    "pick_and_place_simple": ["find", "take", "reach", "place"],
    "look_at_obj_in_light": ["find", "take", "reach the lamp", "light on"],
    "pick_clean_then_place_in_recep": ["find", "take", "clean", "reach", "place"],
    "pick_heat_then_place_in_recep": ["find", "take", "heat", "reach", "place"],
    "pick_cool_then_place_in_recep": ["find", "take", "cool", "reach", "place"],
    "pick_two_obj_and_place": ["find", "take 1", "place 1", "take 2", "place 2"],
}


@pytest.mark.parametrize("task_type", TASK_TYPES)
def test_subgoals_come_in_order_along_the_plan(task_type):
    env = AlfworldEnv(task_type=task_type)
    for seed in range(5):
        _, info = env.reset(seed=seed)
        assert list(info["subgoals"]) == ORDER[task_type]
        assert info["progress"] == info["plan_progress"] == 0.0
        terminated = False
        shares = [0.0]
        while not terminated:
            _, _, terminated, _, info = env.step(env.expert_action())
            reached = list(info["subgoals"].values())
            if task_type != "look_at_obj_in_light":
                assert reached == sorted(reached, reverse=True)
            shares.append(info["plan_progress"])
        assert info["best_progress"] == 1.0
        # Each step of a shortest plan leaves one less.
        count = len(shares) - 1
        assert shares == pytest.approx([step / count for step in range(count + 1)])


def test_plan_progress_falls_on_a_detour():
    env = AlfworldEnv(task_type="pick_and_place_simple")
    env.reset(seed=0)
    while not env.subgoals()["take"]:
        _, _, _, _, before = env.step(env.expert_action())
    put = next(a for a in env.admissible_actions() if a.startswith("move "))
    _, _, _, _, after = env.step(put)
    assert after["plan_progress"] < before["plan_progress"]


@pytest.mark.parametrize(
    ("name", "easy"), [("agentboard-alfworld", 24), ("alfworld-generated", 42)]
)
def test_the_suites_have_134_tasks_of_30_steps(name, easy):
    tasks = Suite.load(name).tasks
    assert len(tasks) == 134
    assert {task.max_steps for task in tasks} == {30}
    grades = collections.Counter(task.difficulty for task in tasks)
    assert grades == {"easy": easy, "hard": 134 - easy}


def test_the_generated_tasks_are_what_they_say():
    seen = set()
    for task in Suite.load("alfworld-generated").tasks:
        _, info = task.make().reset(seed=task.seed)
        assert info["difficulty"] == task.difficulty
        seen.add(info["task_id"])
    assert len(seen) == 134


def test_the_official_tasks_say_how_to_get_them(monkeypatch, tmp_path):
    monkeypatch.setenv("ALFWORLD_DATA", str(tmp_path))
    suite = Suite.load("agentboard-alfworld")
    for place, task in enumerate(suite.tasks):
        assert task.kwargs == {
            "split": "valid_unseen",
            "game": place,
            "protocol": "agentboard",
        }
    with pytest.raises(FileNotFoundError, match="aq-gym download alfworld"):
        check_tasks(suite)
