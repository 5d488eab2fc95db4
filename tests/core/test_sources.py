"""Where instances come from: ``info["source"]`` and the tables of scores."""

import csv
import hashlib
import json

import gymnasium as gym
import pytest

from aq_gym.cli import main
from aq_gym.datasets import write
from aq_gym.datasets.runs import played_episodes
from aq_gym.evaluation import EpisodeResult, Suite, Task, load_run, run
from aq_gym.evaluation.summary import with_source
from aq_gym.registration import TABLE
from aq_gym.report import latex_table, load_runs, markdown_table, write_leaderboard
from aq_gym.support.data import source_of

GSM8K = "aq/GSM8K-v0"
LAMP = {
    "domain_file": "(define (domain lamp) (:predicates (lit)) "
    "(:action light :parameters () :effect (lit)))",
    "problem_file": "(define (problem p) (:domain lamp) (:goal (lit)))",
}


def source(env_id, **kwargs):
    with gym.make(env_id, **kwargs) as env:
        return env.reset(seed=0)[1]["source"]


@pytest.mark.parametrize(
    "env_id", [row.id for row in TABLE if not (row.family or row.requires)]
)
def test_instances_without_data_are_generated(env_id):
    assert source(env_id) == "generated"


@pytest.mark.parametrize(
    ("name", "kwargs"),
    [
        ("Mastermind", {"code": "1234"}),
        ("Hangman", {"word": "apple"}),
        ("Wordle", {"word": "apple"}),
        ("Cipher", {"plaintext": "The cat is here"}),
        ("Sudoku", {"box": 2, "puzzle": "1...3..4....43.."}),
        ("PDDL", LAMP),
    ],
)
def test_a_given_instance_is_the_users(name, kwargs):
    assert source(f"aq/{name}-v0", **kwargs) == "user"


@pytest.fixture
def problems(tmp_path):
    """A folder with a problem of our own in GSM8K's format."""
    row = {
        "question": "Ann has 2 hats and 3 caps. How many?",
        "answer": "2 + 3 = <<2+3=5>>5\n#### 5",
    }
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "test.jsonl").write_text(json.dumps(row))
    return tmp_path / "own"


def test_a_file_of_problems_is_published_only_if_its_hash_is_known(
    problems, monkeypatch
):
    given = {"data_dir": str(problems), "split": "test"}
    assert source(GSM8K, **given) == "user"
    from aq_gym.envs.gsm8k.sources import DOWNLOAD

    files = [problems / "test.jsonl"]
    assert source_of(DOWNLOAD, None) == "generated"
    assert source_of(DOWNLOAD, "downloaded") == "published"
    assert source_of(DOWNLOAD, str(problems), files) == "user"
    known = {"test.jsonl": hashlib.sha256(files[0].read_bytes()).hexdigest()}
    monkeypatch.setattr("aq_gym.support.data._known", lambda archive: known)
    assert source_of(DOWNLOAD, str(problems), files) == "published"
    assert source_of(DOWNLOAD, str(problems)) == "user"  # without files to compare
    monkeypatch.setenv("AQ_GYM_GSM8K", str(problems))
    assert source(GSM8K, **given) == "published"


def test_every_table_has_the_source_beside_the_name(tmp_path, problems, capsys):
    tasks = (
        Task(GSM8K, 0, max_steps=2),
        Task("aq/Hangman-v0", 0, {"word": "apple"}, max_steps=2),
    )
    for name in "ab":
        run(Suite("two", tasks), tmp_path / name, "expert")
    folders = [tmp_path / "a", tmp_path / "b"]
    named = [f"{GSM8K} (generated)", "aq/Hangman-v0 (user)"]
    loaded = load_run(folders[0])
    assert [one.source for one in loaded.episodes] == ["generated", "user"]
    benchmarks = loaded.summary["benchmarks"]
    assert benchmarks[GSM8K]["sources"] == {"generated": 1}
    runs = load_runs(folders)
    page = write_leaderboard(folders, tmp_path / "page.html").read_text()
    main(["compare", *map(str, folders)])
    printed = capsys.readouterr().out
    texts = markdown_table(runs), latex_table(runs).replace("\\", "")
    assert all(one in text for text in texts for one in named)
    assert all(one.removeprefix("aq/") in page for one in named)
    # Compare says once where most come from.
    assert "without another note are generated." in " ".join(printed.split())
    assert "Hangman (user)" in printed
    main(["report", str(folders[0]), "-o", str(tmp_path / "report.html")])
    assert all(one in (tmp_path / "report.html").read_text() for one in named)
    write(played_episodes(folders[0]), "csv", tmp_path / "rows.csv")
    with (tmp_path / "rows.csv").open(newline="") as file:
        assert [row["source"] for row in csv.DictReader(file)] == ["generated", "user"]


def test_a_source_that_is_not_known_is_left_out():
    episode = EpisodeResult("t", "other/Env-v0", "other/Env-v0", 0)
    assert "source" not in episode.to_record()
    assert with_source("other/Env-v0", [episode]) == "other/Env-v0"
    ours = EpisodeResult("t", "a", "a", 0, source="user")
    assert with_source("a", [episode, ours]) == "a (user)"
    paper = Task("aq/Hangman-v0", 0, {"word": "apple"}, source="published")
    assert EpisodeResult.of_task(paper, source="user").source == "published"
