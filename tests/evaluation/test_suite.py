import itertools
import json
from pathlib import Path

import gymnasium as gym
import pytest
from toy_envs import ToyAgent

from aq_gym.agents.baselines import RandomAgent
from aq_gym.evaluation import Suite, Task, load_run, packaged_suites, run
from aq_gym.evaluation.play import play_in
from aq_gym.evaluation.preflight import check_tasks
from aq_gym.registration import TABLE, row_of

ROOT = Path(__file__).parents[2]


def write(path, **fields):
    path.write_text(json.dumps({"name": "mine", "tasks": [], **fields}))
    return path


def test_a_suite_of_ones_own(tmp_path):
    rows = [
        {"id": "aq/Mastermind-v0", "seeds": [3, 1], "kwargs": {"code_length": 3}},
        {"id": "aq/Mastermind-v0", "seed": 0, "max_steps": 5, "difficulty": "hard"},
    ]
    suite = Suite.load(write(tmp_path / "s.json", tasks=rows, description="Mine."))
    assert (suite.name, suite.description) == ("mine", "Mine.")
    assert suite.tasks == (
        Task("aq/Mastermind-v0", 3, {"code_length": 3}),
        Task("aq/Mastermind-v0", 1, {"code_length": 3}),
        Task("aq/Mastermind-v0", 0, {}, 5, "hard"),
    )


def test_the_hash_is_of_the_tasks_and_their_order():
    first, second = Task("e-v0", 0), Task("e-v0", 1)
    assert Suite("a", (first, second)).hash == Suite("b", (first, second), "!").hash
    assert Suite("a", (first, second)).hash != Suite("a", (second, first)).hash
    # Pinned: another hash would make old results seem to be of other suites.
    assert Suite("a", (first,)).hash == "748ed6766264"


@pytest.mark.parametrize(
    ("tasks", "message"),
    [
        ([], "must have tasks, each only once"),
        ([{"id": "e-v0", "seeds": [1, 1]}], "must have tasks, each only once"),
        ([{"id": "e-v0"}], "a task must have an id and either seed or seeds"),
        ([{"id": "e-v0", "seed": 1, "max_steps": -1}], "max_steps=-1 must be an int"),
        ([{"id": "e-v0", "seed": 1, "kwargs": [1]}], r"kwargs=\[1\] must be an object"),
        ([{"id": "e-v0", "seeds": "abc"}], "seeds='abc' must be a list of ints"),
        ([{"id": "e-v0", "seed": 1, "steps": 3}], r"a task has \['steps'\]"),
        (5, "tasks=5 must be a list"),
        ([5], "5 must be a task"),
        ([{"id": "e-v0", "seed": 1, "difficulty": 3}], "difficulty=3 must be a str"),
    ],
)
def test_a_malformed_suite_is_explained(tmp_path, tasks, message):
    with pytest.raises(ValueError, match=message):
        Suite.load(write(tmp_path / "s.json", tasks=tasks))


@pytest.mark.parametrize(
    ("text", "message"),
    [("5", "it has no name"), ('{"name": 5}', "name, description and note must be")],
)
def test_a_suite_is_an_object_with_a_name(text, message):
    with pytest.raises(ValueError, match=f"file is not a suite: .*{message}"):
        Suite.from_json(text, "file")


def test_an_unknown_suite_is_named():
    with pytest.raises(ValueError, match=r"suite=.nothing.: give .*quick"):
        Suite.load("nothing")


@pytest.mark.parametrize("name", packaged_suites())
def test_a_packaged_suite_is_sound(name):
    suite = Suite.load(name)
    assert suite.name == name
    assert suite.description.endswith(".")
    assert len(suite.tasks) == SIZES.get(name, len(suite.tasks))


# Of the suites that papers or their instances define.
SIZES = {
    "agentboard": 727,
    "agentboard-alfworld": 134,
    "agentboard-babyai": 112,
    "agentboard-jericho": 20,
    "agentboard-pddl": 60,
    "agentboard-scienceworld": 90,
    "agentboard-tools": 60,
    "agentboard-webshop": 251,
    "agentquest": 438,
    "alfworld-generated": 134,
    "jericho-titles": 20,
    "pddl-generated": 60,
}


@pytest.mark.parametrize("name", ["agentboard-alfworld", "agentboard-pddl"])
def test_the_progress_is_agentboards_where_it_needs_no_annotations(name):
    tasks = Suite.load(name).tasks
    assert {task.progress for task in tasks} == {"agentboard_reward"}


def test_a_run_names_the_protocols_of_its_tasks(tmp_path):
    row = {"id": "aq/BabyAI-text-v0", "seed": 0, "max_steps": 1}
    tasks = [row, {**row, "kwargs": {"protocol": "agentboard"}}]
    suite = Suite.load(write(tmp_path / "s.json", tasks=tasks))
    run(suite, tmp_path / "run")
    notes = json.loads((tmp_path / "run" / "run.json").read_text())["notes"]
    assert notes["protocol"] == {"aq/BabyAI-text-v0": ["agentboard"]}


def test_a_suite_includes_what_packages_hold(tmp_path):
    place = "aq_gym.envs.alfworld:data/suite_generated.json"
    more = [{"id": "aq/Mastermind-v0", "seed": 1}]
    path, limit = tmp_path / "s.json", {"defaults": {"max_invalid": 20}}
    suite = Suite.load(write(path, include=[place], tasks=more, **limit))
    assert suite.tasks[:134] == Suite.load("alfworld-generated").tasks
    assert suite.tasks[134:] == (Task("aq/Mastermind-v0", 1, max_invalid=20),)


def test_the_full_suite_has_everything():
    tasks = Suite.load("full").tasks
    assert {task.id for task in tasks} == {
        row.id
        for row in TABLE
        if row.id != "aq/BabyAI-text-v0" and (row.suite or not row.extra)
    }
    for env_id, argument, folder in [
        ("aq/PDDL-v0", "domain", "aq_gym/envs/pddl/domains/*.pddl"),
        ("aq/Jericho-v0", "game", "aq_gym/envs/jericho/stories/*.inf"),
    ]:
        played = {t.kwargs[argument] for t in tasks if t.id == env_id}
        there = {path.stem for path in ROOT.glob(folder)}
        assert played == there, env_id
    assert all("test" in task.kwargs.get("split", "test") for task in tasks)
    assert {task.max_steps for task in tasks} == {None}


@pytest.mark.needs("module:docx", "module:openpyxl", "module:pptx", "module:pypdf")
@pytest.mark.slow
@pytest.mark.parametrize("name", ["agentquest", "full", "ladder", "standard"])
def test_no_setting_of_a_suite_has_a_task_twice(name):
    envs, found = {}, []
    tasks = [t for t in Suite.load(name).tasks if not row_of(t.id).missing()]
    for task in tasks:
        env = envs.get(task.setting)
        env = env or envs.setdefault(task.setting, gym.make(task.id, **task.kwargs))
        _, info = env.reset(seed=task.seed)
        found.append((task.setting, info["task_id"]))
    assert len({*found}) == len(found)


@pytest.mark.slow
def test_every_task_of_the_full_suite_can_begin():
    check_tasks(Suite.load("full"))


def test_a_suite_names_the_key_that_is_its_progress(tmp_path):
    """ALFWorld's plan_progress is AgentQuest's measure."""
    row = {"id": "aq/ALFWorld-v0", "seed": 0, "max_steps": 40}
    ours = Suite.load(write(tmp_path / "a.json", tasks=[row]))
    theirs = Suite.load(
        write(tmp_path / "b.json", tasks=[{**row, "progress": "plan_progress"}])
    )
    assert ours.hash != theirs.hash
    (first,) = run(ours, tmp_path / "ours", "expert")
    (second,) = run(theirs, tmp_path / "theirs", "expert")
    assert first.progress != second.progress
    assert second.progress == sorted(second.progress)
    assert second.progress_rate == second.progress[-1] == 1.0
    again = load_run(tmp_path / "theirs").episodes
    assert again == [second]


def test_a_progress_that_info_lacks_is_an_error(tmp_path):
    row = {"id": "aq/Mastermind-v0", "seed": 0, "max_steps": 2, "progress": "points"}
    (episode,) = run(
        Suite.load(write(tmp_path / "s.json", tasks=[row])), tmp_path / "o"
    )
    assert "progress='points' is not a key of info" in episode.error


def test_defaults_hold_for_all_tasks_that_do_not_set_them(tmp_path):
    rows = [{"id": "e-v0", "seed": 0}, {"id": "e-v0", "seed": 1, "max_invalid": 3}]
    path = tmp_path / "s.json"
    suite = Suite.load(write(path, tasks=rows, defaults={"max_invalid": 5}))
    assert [task.max_invalid for task in suite.tasks] == [5, 3]
    with pytest.raises(ValueError, match=r"defaults=\[5\] must be an object"):
        Suite.load(write(path, tasks=rows, defaults=[5]))
    with pytest.raises(ValueError, match="max_invalid=0 must be an int above 0"):
        Suite.load(write(path, tasks=rows, defaults={"max_invalid": 0}))
    with pytest.raises(ValueError, match="raw_repetition=1 must be a bool"):
        Suite.load(write(path, tasks=rows, defaults={"raw_repetition": 1}))


@pytest.mark.parametrize("name", packaged_suites())
def test_papers_have_no_limit_of_invalid_actions(name):
    tasks = Suite.load(name).tasks
    papers = name.startswith(("agentboard", "agentquest"))
    limit = None if papers else 5 if name == "ladder" else 20
    assert {(t.max_invalid, t.raw_repetition) for t in tasks} == {(limit, papers)}


class Idle(ToyAgent):
    """Says a text that no environment takes for an action."""

    def act(self, observation, info):
        return ""


class Helpless(ToyAgent):
    """Asks for help at every step."""

    def act(self, observation, info):
        return "check valid actions"


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["random", "test_suite:Idle", "test_suite:Helpless"])
def test_neither_chance_nor_nothing_wins_in_quick(tmp_path, agent):
    episodes = run(Suite.load("quick"), tmp_path / "run", agent)
    assert not [episode.env for episode in episodes if episode.success]


# The default level of BabyAI has 100 steps there, and 20 in the suite.
CHANCE = {task.setting: task for task in Suite.load("quick").tasks}
CHANCE["default level"] = Task("aq/BabyAI-text-v0", 0)


@pytest.mark.slow
@pytest.mark.parametrize("setting", CHANCE)
def test_chance_wins_almost_never_in_quick(setting):
    env = CHANCE[setting].make()
    won = 0
    for seed in range(100):
        play_in(env, RandomAgent, seed)
        won += env.get_wrapper_attr("success")()
    assert won <= 2


@pytest.mark.parametrize("name", ["agentquest", "agentquest-paper"])
def test_mystery_has_as_many_questions_as_steps_in_agentquests_suites(name):
    tasks = [task for task in Suite.load(name).tasks if task.id == "aq/Mystery-v0"]
    assert {(t.kwargs["questions"], t.max_steps) for t in tasks} == {(60, 60)}


class Script(ToyAgent):
    """Says the same texts for ever."""

    def reset(self, observation, info):
        texts = ["1234", "1 2 3 4", "Guess: 1234", "what?", "well", "where"]
        self.texts = itertools.cycle(texts)

    def act(self, observation, info):
        return next(self.texts)


def test_a_row_says_that_invalid_actions_ended_it_and_counts_texts(tmp_path):
    suite = Suite(
        "mine",
        (
            Task("aq/Mastermind-v0", 0, max_invalid=3, raw_repetition=True),
            Task("aq/Mastermind-v0", 1, max_steps=5),
        ),
    )
    cut, whole = run(suite, tmp_path / "run", "test_suite:Script")
    assert (cut.steps, cut.ended, cut.cap_reached) == (6, "truncated", "max_invalid")
    assert (cut.repetitions, cut.repetition_rate_raw) == (2, 0.0)
    assert (whole.steps, whole.cap_reached, whole.repetition_rate_raw) == (5, "", None)
    assert not {"cap_reached", "repetition_rate_raw"} & set(whole.to_record())
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert summary["overall"]["metrics"]["repetition rate of texts"]["value"] == 0.0
