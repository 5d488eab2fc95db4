"""Several attempts at each task: what they are, their estimates, and every reader."""

import itertools
import json
import math
import re
from dataclasses import replace
from statistics import fmean, variance

import pytest
from scripted_server import answer
from toy_envs import ToyAgent

from aq_gym.agents import attempt_params
from aq_gym.cli import main
from aq_gym.evaluation import (
    EpisodeResult,
    Suite,
    Task,
    compare,
    load_run,
    run,
    verify,
)
from aq_gym.evaluation.attempts import attempts_of
from aq_gym.evaluation.episode import by_task
from aq_gym.evaluation.preflight import equal_attempts
from aq_gym.report.data import load_runs
from aq_gym.report.ranking import ranking
from aq_gym.report.summary import summary_rows
from aq_gym.report.tables import latex_table
from aq_gym.trajectory import read

SUITE = Suite("two", tuple(Task("aq/Hangman-v0", seed, max_steps=4) for seed in (0, 1)))


def episode(task, attempt, success=False, progress=0.0, **more):
    name = task.name if attempt == 1 else f"{task.name}-attempt{attempt}"
    values = {"progress": [progress], "repeated": [False], "steps": 1, **more}
    return EpisodeResult(
        name, task.id, task.setting, task.seed, success=success, attempt=attempt,
        progress_rate=progress, ended="terminated", **values,
    )  # fmt: skip


def tried(task, *progress):
    return [episode(task, n, p == 1.0, p) for n, p in enumerate(progress, 1)]


FIRST, SECOND = SUITE.tasks
TRIED = [*tried(FIRST, 1.0, 0.5, 1.0, 0.25), *tried(SECOND, 0.0, 1.0, 0.5)]


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_the_estimates_are_means_over_all_choices_of_attempts(k):
    found = attempts_of(TRIED)
    chosen = {"pass_any": [], "pass_all": [], "best": []}
    for own in by_task(TRIED).values():
        choices = list(itertools.combinations(own, k))
        if choices:
            solved = [[e.success for e in choice] for choice in choices]
            chosen["pass_any"].append(fmean(map(any, solved)))
            chosen["pass_all"].append(fmean(map(all, solved)))
            best = [max(e.progress_rate for e in choice) for choice in choices]
            chosen["best"].append(fmean(best))
    for name, values in chosen.items():
        estimate = getattr(found, name)[k - 1]
        assert estimate.value == pytest.approx(fmean(values))
        assert (estimate.low is None) == (len(values) < 2)
    assert found.tasks[k - 1] == (2 if k < 4 else 1)


def test_the_spread_is_that_of_the_analysis_of_variance():
    found = attempts_of([*tried(FIRST, 0.2, 0.4), *tried(SECOND, 0.7, 0.9)])
    assert found.within**2 == pytest.approx(variance([0.2, 0.4]))
    between = variance([0.3, 0.8]) - found.within**2 / 2
    assert found.between == pytest.approx(math.sqrt(between))
    assert attempts_of([*tried(FIRST, 0, 1), *tried(SECOND, 1, 0)]).between == 0
    assert attempts_of(tried(FIRST, 0, 1)).between == 0


def test_an_error_is_no_attempt_and_single_attempts_have_no_estimates():
    failed = replace(TRIED[1], error="TimeoutError")
    assert attempts_of([TRIED[0], failed, *TRIED[4:]]).tasks == (2, 1, 1)
    assert attempts_of([TRIED[0], failed, TRIED[4]]) is None
    assert attempts_of([]) is None


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "run"
    run(SUITE.repeated(3), path)
    return path


def test_attempts_play_one_instance_with_other_seeds_of_the_agent(folder):
    loaded = load_run(folder)
    assert loaded.manifest["suite"] == {**SUITE.identity, "attempts": 3}
    assert loaded.summary["overall"]["attempts"]["tasks"] == [2, 2, 2]
    for own in by_task(loaded.episodes).values():
        assert [one.attempt for one in own] == [1, 2, 3]
        assert len({(one.seed, one.task_id, one.unit) for one in own}) == 1
        files = [read(folder / "trajectories" / f"{e.task}.jsonl") for e in own]
        assert len({str([s["action"] for s in f.steps]) for f in files}) == 3
        seeds = [f.header["agent"]["params"].get("seed") for f in files]
        assert seeds == [None, 1, 2]
    assert verify(folder, SUITE.repeated(3)).holds
    assert not verify(folder, SUITE).holds


def test_more_attempts_and_more_tasks_continue_a_run_and_fewer_do_not(tmp_path):
    command = ["run", "--env", "aq/Hangman-v0", "--max-steps", "2", "--quiet"]
    command += ["--out", str(tmp_path)]
    assert main([*command, "--episodes", "1"]) == 0
    first = (tmp_path / "episodes.jsonl").read_bytes()
    assert main([*command, "--episodes", "1", "--attempts", "2"]) == 0
    assert main([*command, "--episodes", "2", "--attempts", "3"]) == 0
    assert (tmp_path / "episodes.jsonl").read_bytes().startswith(first)
    assert [len(own) for own in by_task(load_run(tmp_path).episodes).values()] == [3, 3]
    assert main([*command, "--episodes", "2", "--attempts", "2"]) == 1
    assert main(["verify", str(tmp_path)]) == 0
    longer = tmp_path / "longer"
    again = ["--from", str(tmp_path), "--continue-to", "3", "--out", str(longer)]
    assert main(["run", *again, "--quiet"]) == 0
    assert sorted(e.attempt for e in load_run(longer).episodes) == [1, 1, 2, 2, 3, 3]
    assert main(["run", *again, "--attempts", "2"]) == 1


def test_tasks_are_compared_by_the_means_of_their_attempts():
    single = [*tried(FIRST, 0.5), *tried(SECOND, 1.0)]
    result = compare(single, TRIED)["progress rate"]
    means = [fmean([1.0, 0.5, 1.0, 0.25]) - 0.5, fmean([0.0, 1.0, 0.5]) - 1.0]
    assert (result.pairs, result.difference.value) == (2, pytest.approx(fmean(means)))


def test_the_attempts_of_a_task_are_one_cluster():
    units = {one.unit for one in TRIED}
    assert units == {FIRST.name, SECOND.name}
    assert {replace(one, cluster="c").unit for one in TRIED} == {"c"}


def test_every_table_counts_tasks(folder, tmp_path, capsys):
    single = tmp_path / "single"
    run(SUITE, single)
    runs = load_runs([folder, single])
    rows = [row for row in summary_rows(runs) if not row.by]
    assert [row.size for row in rows] == ["6 (2 tasks)", "2"]
    assert "& 6 (2 tasks) &" in latex_table(runs)
    board = ranking(runs)
    assert (board.tasks, sum(board.envs.values())) == (2, 2)
    assert all(row.solved <= 2 for row in board.rows)
    assert main(["compare", str(folder), str(single)]) == 0
    assert "suites differ" not in capsys.readouterr().out


def test_pages_and_tables_show_pass_k(folder, tmp_path, capsys):
    for name in ("report", "leaderboard"):
        page = tmp_path / f"{name}.html"
        assert main([name, str(folder), "-o", str(page)]) == 0
        assert "pass^" in page.read_text()
    text = (tmp_path / "report.html").read_text()
    assert re.search(
        r'aria-label="pass\^k against k.*?<path .* d="M0 .*?L300', text, re.S
    )
    command = ["--env", "aq/Hangman-v0", "--episodes", "1", "--max-steps", "2"]
    command += ["--attempts", "2", "--agent", "expert", "--out", str(tmp_path / "run")]
    with pytest.warns(UserWarning, match="is deterministic: all attempts at a task"):
        assert main(["run", *command, "--quiet"]) == 0
    assert "pass^k" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("agent", "params", "problem"),
    [
        ("random", {}, ""),
        ("expert", {}, "is deterministic"),
        ("llm", {"model": "m"}, ""),
        ("llm", {"model": "m", "temperature": 0}, "has temperature 0 and no seed"),
        ("llm", {"model": "m", "temperature": 0, "request": {"seed": 5}}, ""),
        (f"{__name__}:Guessing", {}, "takes no seed: unless it draws by itself"),
    ],
)
def test_equal_attempts_are_named(agent, params, problem):
    assert problem in equal_attempts(agent, params)
    assert bool(problem) == bool(equal_attempts(agent, params))


def test_the_seed_of_a_request_is_counted_up(serve, tmp_path):
    server = serve(answer("Guess: e"))
    params = {"model": "m", "base_url": server.url, "request": {"seed": 5}}
    run(Suite("one", (FIRST,)).repeated(2), tmp_path, "llm", params)
    assert {request["seed"] for request in server.requests} == {5, 6}
    assert attempt_params("random", {"seed": 3}, 1) == {"seed": 3}
    assert attempt_params("random", {"seed": 3}, 3) == {"seed": 5}


def test_a_suites_file_has_no_attempts():
    task = {"id": "aq/Hangman-v0", "seed": 0, "attempt": 2}
    with pytest.raises(ValueError, match="attempt"):
        Suite.from_json(json.dumps({"name": "x", "tasks": [task]}), "file")


class Guessing(ToyAgent):
    """Guesses one letter."""

    def act(self, observation, info):
        return "e"
