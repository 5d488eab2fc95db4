import dataclasses
import io
import json
import sys
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest
from rich.console import Console
from toy_envs import LampsEnv, ToyAgent

import aq_gym  # noqa: F401
from aq_gym import trajectory
from aq_gym.cli import main
from aq_gym.cli.table import print_results
from aq_gym.evaluation import (
    EpisodeResult,
    LoadedRun,
    Metric,
    RunDirectory,
    Suite,
    Task,
    load_run,
    run,
    summarize,
)
from aq_gym.evaluation.episode import recorded_episode
from aq_gym.evaluation.results import run_names
from aq_gym.evaluation.summary import add_metric
from aq_gym.report.record import episode_record
from aq_gym.selection import parse_env
from aq_gym.trajectory import jsonl

TASKS = tuple(Task("aq/Mastermind-v0", seed, max_steps=6) for seed in range(4))
SUITE = Suite("four", TASKS)


def read_rows(directory):
    return jsonl.read(directory / "episodes.jsonl").records


def test_a_run_leaves_a_row_and_a_file_per_episode(tmp_path):
    episodes = run(SUITE, tmp_path, "expert")
    rows = read_rows(tmp_path)
    assert [row["seed"] for row in rows] == [0, 1, 2, 3]
    assert [EpisodeResult(**row) for row in rows] == episodes
    files = list(trajectory.iter_trajectories(tmp_path / "trajectories"))
    assert [file.name for file in files] == [task.name for task in TASKS]
    for file, episode in zip(files, episodes, strict=True):
        assert file.complete
        assert file.header["agent"] == {"name": "expert", "params": {}}
        assert file.end["steps"] == episode.steps
        assert file.end["best_progress"] == episode.progress_rate
        assert trajectory.replay(file.path).identical


def test_an_episode_counts_what_happened(tmp_path):
    task = Task("aq/Mastermind-v0", 0, {"code": "5618"}, max_steps=6)
    (episode,) = run(Suite("one", (task,)), tmp_path, "test_evaluation:Script")
    assert episode.steps == 6
    assert episode.repetitions == 2
    assert episode.repetition_rate == pytest.approx(2 / 5)
    assert episode.grounding == pytest.approx(5 / 6)
    assert episode.progress_rate == 0.75
    assert (episode.success, episode.ended, episode.error) == (False, "truncated", "")
    assert episode.setting == 'aq/Mastermind-v0?code="5618"&max_episode_steps=6'
    assert (episode.task_id, episode.difficulty) == ("5618", "easy")


def test_grounding_is_the_share_of_valid_calls(tmp_path):
    kwargs = {"parallel_calls": True}
    task = Task("aq/ToolQuery-v0", 0, kwargs, max_steps=3)
    (episode,) = run(Suite("one", (task,)), tmp_path, "test_evaluation:Caller")
    # The help action is one, and valid.
    assert (episode.steps, episode.grounding) == (3, 4 / 6)
    (file,) = trajectory.iter_trajectories(tmp_path / "trajectories")
    rows = [step["info"] for step in file.steps]
    assert [(row["calls"], row["valid_calls"]) for row in rows] == [
        *((3, 2), (2, 1), (0, 0)),
    ]
    steps = episode_record(episode, file, lambda _: None)["steps"]
    said = [step.get("feedback") for step in steps]
    assert said[:2] == ["2 of 3 calls were valid.", "1 of 2 calls were valid."]


class Script(ToyAgent):
    """Plays the same six actions for ever."""

    actions = ("5610", "9999", "help", "what?", "5610", "9999")

    def __init__(self, env, weights=None):
        self.actions = iter(self.actions)

    def act(self, observation, info):
        return next(self.actions)


def test_what_is_done_is_not_done_again(tmp_path):
    first = run(SUITE, tmp_path)
    folder = tmp_path / "trajectories"
    files = {file: file.stat().st_mtime_ns for file in folder.iterdir()}
    seen = []
    assert run(SUITE, tmp_path, on_episode=seen.append) == first == seen
    assert all(file.stat().st_mtime_ns == when for file, when in files.items())
    assert len(read_rows(tmp_path)) == 4


@pytest.mark.parametrize(
    ("suite", "arguments", "message"),
    [
        (SUITE, {"agent": "expert"}, r"run: agent: 'random' here, 'expert' now; pri"),
        (
            SUITE,
            {"agent_params": {"seed": 1}},
            r"run: agent_params\.seed: none here, 1 now; give",
        ),
        (
            Suite("three", TASKS[:3]),
            {},
            r"run: suite: 'four' \(\w{12}, 4 tasks\) here, "
            r"'three' \(\w{12}, 3 tasks\) now; give",
        ),
    ],
)
def test_another_run_in_the_same_directory_is_refused(
    tmp_path, suite, arguments, message
):
    run(SUITE, tmp_path)
    with pytest.raises(ValueError, match=message):
        run(suite, tmp_path, **arguments)


def test_a_run_continues_with_parameters_that_json_changes(tmp_path):
    arguments = {
        "agent": "test_evaluation:Script",
        "agent_params": {"weights": {1: ({"a": 2.0},), "b": ()}},
    }
    first = run(SUITE, tmp_path, **arguments)
    assert run(SUITE, tmp_path, **arguments) == first
    arguments["agent_params"]["weights"]["b"] = (1,)
    with pytest.raises(ValueError, match=r"weights\.b: \[\] here, \[1\] now"):
        run(SUITE, tmp_path, **arguments)


def test_a_parameter_that_is_not_json_is_named(tmp_path):
    with pytest.raises(TypeError, match=r"parameter weights=\{1\} must be JSON"):
        run(SUITE, tmp_path, "test_evaluation:Script", {"weights": {1}})
    nested = []
    for _ in range(900):
        nested = [nested]
    with pytest.raises(TypeError, match=r"parameter weights=\[.* must be JSON"):
        run(SUITE, tmp_path, "test_evaluation:Script", {"weights": nested})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "command", ["compact", "score --metric test_evaluation:length"]
)
def test_a_second_writer_is_refused(tmp_path, capsys, command):
    run(SUITE, tmp_path)
    with RunDirectory(tmp_path, load_run(tmp_path).manifest):
        with pytest.raises(ValueError, match="another process writes to it"):
            run(SUITE, tmp_path)
        assert main([*command.split(), str(tmp_path)]) == 1
        assert "another process writes to it" in capsys.readouterr().err


def length(recorded):
    return len(recorded.steps)


def test_what_breaks_is_an_error_and_no_score(tmp_path):
    episodes = run(SUITE, tmp_path, "test_evaluation:Breaks")
    assert {episode.error for episode in episodes} == {"ZeroDivisionError: at step 2"}
    assert {episode.steps for episode in episodes} == {1}
    assert all("in act" in episode.traceback for episode in episodes)
    assert summarize(episodes) == {}
    assert json.loads((tmp_path / "summary.json").read_text())["overall"] == {
        "sources": {"generated": 4},
        "counts": {"episodes": 4, "truncated": 0, "errors": 4},
        "metrics": {},
        "curves": {"progress": [], "best progress": [], "repetition": []},
        "usage": {},
    }
    assert run(SUITE, tmp_path, "test_evaluation:Breaks") == episodes


class Breaks(Script):
    """Raises at its second action."""

    def act(self, observation, info):
        if next(self.actions) == "9999":
            raise ZeroDivisionError("at step 2")
        return "5610"


def test_a_run_is_read_back(tmp_path):
    episodes = run(SUITE, tmp_path, "expert")
    loaded = load_run(tmp_path)
    assert loaded.episodes == episodes
    assert loaded.manifest["suite"] == {"name": "four", "hash": SUITE.hash}
    solved = sum(episode.success for episode in episodes)
    metrics = loaded.summary["overall"]["metrics"]
    assert metrics["success rate"]["value"] == solved / 4
    assert list(loaded.summary["settings"]) == ["aq/Mastermind-v0?max_episode_steps=6"]
    assert list(loaded.summary["difficulties"]) == ["easy"]
    part = loaded.summary["benchmarks"]["aq/Mastermind-v0"]
    assert part["difficulties"]["easy"]["metrics"] == part["metrics"] == metrics


def test_labels_are_in_the_summary_and_the_overview(tmp_path):
    gym.register("test/Labelled-v0", Labelled, max_episode_steps=3)
    tasks = tuple(Task("test/Labelled-v0", seed) for seed in range(3))
    episodes = run(Suite("labels", tasks), tmp_path, "test_evaluation:Script")
    del gym.registry["test/Labelled-v0"]
    assert [one.labels for one in episodes] == [{"room": f"r{k % 2}"} for k in range(3)]
    loaded = load_run(tmp_path)
    assert loaded.episodes == episodes
    part = loaded.summary["benchmarks"]["test/Labelled-v0"]
    counts = {name: own["counts"]["episodes"] for name, own in
              part["labels"]["room"].items()}  # fmt: skip
    assert counts == {"r0": 2, "r1": 1}
    metric = Metric("twice", lambda episode: 2.0)
    add_metric(loaded.summary, metric, episodes)
    assert part["labels"]["room"]["r1"]["metrics"]["twice"]["value"] == 2.0
    console = Console(file=io.StringIO(), width=200)
    print_results(console, "script", episodes)
    assert "room r0" in console.file.getvalue()


class Labelled(LampsEnv):
    """Says to which room an instance belongs, and one thing that is no label."""

    def reset(self, *, seed=None, options=None):
        observation, info = super().reset(seed=seed, options=options)
        return observation, {**info, "labels": {"room": f"r{seed % 2}", "floor": 3}}


def test_a_table_needs_no_pandas(tmp_path, monkeypatch):
    episodes = run(SUITE, tmp_path, "expert")
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert load_run(tmp_path).table() == [e.to_record() for e in episodes]


def test_an_episode_is_the_same_played_and_read_back(tmp_path):
    gym.register("test/Odd-v0", Odd, max_episode_steps=9)
    task = Task("test/Odd-v0", 0)
    (episode,) = run(Suite("odd", (task,)), tmp_path, "test_evaluation:Notes")
    (file,) = trajectory.iter_trajectories(tmp_path / "trajectories")
    assert recorded_episode(task, file) == episode
    del gym.registry["test/Odd-v0"]
    assert (episode.distinct_observations, episode.distinct_locations) == (4, 2)
    assert episode.usage == {"cost": 0.5 * episode.steps, "calls": episode.steps}


class Odd(LampsEnv):
    """Reports places as tuples and progress as numpy's numbers."""

    def step(self, action):
        observation, reward, terminated, truncated, info = super().step(action)
        info["location"] = (np.int64(len(observation) % 2), {"floor": 1.0})
        info["best_progress"] = np.float64(info["best_progress"])
        return observation, reward, terminated, truncated, info


class Notes(ToyAgent):
    """Notes what its actions cost, in words and in numbers."""

    privileged = True

    def act(self, observation, info):
        annotate = self.env.get_wrapper_attr("annotate")
        annotate(cost=9, calls=1, fine=True, reason="stop")
        annotate(cost=0.5)
        return self.env.get_wrapper_attr("expert_action")()


@pytest.mark.parametrize(
    ("agent", "params", "error", "message"),
    [
        ("random", {"sed": 1}, TypeError, r"agent='random' with .*'sed'"),
        ("llm", {"model": None, "max_tokens": 3}, TypeError, "agent='llm': model=None"),
        ("llm", {"prompting": "reakt"}, ValueError, "prompting='reakt': choose one"),
        ("llm", {"price": 0.15}, TypeError, "agent='llm': price=0.15 must be a list"),
        ("random", {"seed": "x"}, TypeError, "agent='random': seed='x' must be"),
        ("replay:nofile", {}, ValueError, "agent='replay:nofile': .*nofile"),
    ],
)
def test_a_bad_value_is_refused_before_anything_is_written(
    tmp_path, agent, params, error, message
):
    params = {"model": "m", **params} if agent == "llm" else params
    with pytest.raises(error, match=message):
        run(SUITE, tmp_path / "out", agent, params, limits={"cost": 1})
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("limits", "params", "message"),
    [
        ({"cost": 5}, {}, r"agent='llm' has no price: .*\"price=\[IN, OUT\]\""),
        ({"cost": 5}, {"price": [0, 0.0]}, "agent='llm' has no price"),
        ({"cost": 0}, {"price": [1, 2]}, "limit of cost: 0 must be above 0"),
        ({"tokens": -1}, {}, "limit of tokens: -1 must be above 0"),
        ({"tokens": float("nan")}, {}, "limit of tokens: nan must be above 0"),
    ],
)
def test_a_limit_that_makes_no_sense_is_refused(tmp_path, limits, params, message):
    params = {"model": "m", "base_url": "http://localhost/v1", **params}
    with pytest.raises(ValueError, match=message):
        run(SUITE, tmp_path / "out", "llm", params, limits=limits)
    assert not (tmp_path / "out").exists()


class ErrsOnce(LampsEnv):
    """Its engine breaks in the second step and says nothing of it later."""

    def _step(self, action):
        self.steps = getattr(self, "steps", 0) + 1
        turn = super()._step(action)
        return turn._replace(error="engine died") if self.steps == 2 else turn


def test_an_engine_that_breaks_is_no_score(tmp_path):
    gym.register("test/ErrsOnce-v0", ErrsOnce, max_episode_steps=9)
    episodes = run(Suite("one", (Task("test/ErrsOnce-v0", 0),)), tmp_path, "expert")
    del gym.registry["test/ErrsOnce-v0"]
    assert [(e.error, e.steps) for e in episodes] == [("engine died", 2)]
    assert summarize(episodes) == {}


@pytest.mark.parametrize(
    "kwargs",
    [
        {"code": "5618"}, {"symbols": "RGBY", "repeats": False},
        {"symbols": "&=%+", "code_length": 2}, {"code": None},
    ],
)  # fmt: skip
def test_a_setting_is_what_the_command_line_reads(kwargs):
    task = Task("aq/Mastermind-v0", 0, kwargs)
    assert parse_env(task.setting) == ("aq/Mastermind-v0", kwargs)


def test_tasks_have_names_of_their_own():
    tasks = [
        Task("aq/Mastermind-v0", 0),
        Task("aq/Mastermind-v0", 1),
        Task("aq/Mastermind-v0", 0, max_steps=6),
        Task("aq/Mastermind-v0", 0, {"code_length": 3}),
        Task("aq/Mastermind-v0", 0, {"code_length": 5}),
    ]
    assert len({task.name for task in tasks}) == 5
    assert {task.name.isascii() and "/" not in task.name for task in tasks} == {True}


def test_an_id_may_name_its_module(tmp_path):
    tasks = (Task("aq_gym:aq/BabyAI-text-GoToObj-v0", 0, max_steps=2),)
    run(Suite("named", tasks), tmp_path)
    loaded = load_run(tmp_path)
    assert list(loaded.summary["benchmarks"]) == ["aq/BabyAI-text-v0"]
    assert loaded.summary["subskills"]
    assert "minigrid" in loaded.manifest["versions"]


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        (("llm", {"model": "a"}), ("llm", {"model": "b"}), ["a", "b"]),
        (("random", {}), ("expert", {}), ["random", "expert (privileged)"]),
        (("m:A", {"model": "x"}), ("m:A", {}), ["m:A x", "m:A"]),
        (("llm", {"model": "One-1b-q4"}), ("random", {}), ["one", "random"]),
        (
            ("llm", {"model": "a", "prompting": "react", "seed": 1}),
            ("llm", {"model": "a", "seed": 1}),
            ["a (prompting=react)", "a"],
        ),
        (("random", {}), ("random", {}), ["random in one", "random in two"]),
    ],
)
def test_runs_are_named_by_what_differs(first, second, names):
    runs = [
        LoadedRun(Path(folder), {"agent": agent, "agent_params": params}, [], {})
        for folder, (agent, params) in zip(("one", "two"), (first, second), strict=True)
    ]
    assert run_names(runs) == names
    words = [
        dataclasses.replace(run, path=Path(f"{n} %"))
        for n, run in enumerate((*runs, runs[0]))
    ]
    assert [name[:3] for name in run_names(words)] == ["0 %", "1 %", "2 %"]


class Caller(Script):
    """Plays several calls at once; some are wrong."""

    actions = (
        "search_movie('a')\nsearch_movie('b')\nsearch_movie(year=3)",
        "fly()\nsearch_movie('c')",
        "help",
    )
