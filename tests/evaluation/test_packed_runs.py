"""Packed trajectories: read as before to the byte, and never lost."""

import gzip
import os
import shutil
from pathlib import Path

import pytest
from toy_envs import ToyAgent

from aq_gym import trajectory
from aq_gym.cli import main
from aq_gym.evaluation import Suite, Task, compact, load_run, run
from aq_gym.evaluation.results import read_trajectory
from aq_gym.trajectory.reader import find

SUITE = Suite(
    "small",
    tuple(
        Task(f"aq/{name}-v0", seed, max_steps=4)
        for name in ("Mastermind", "Hangman")
        for seed in range(4)
    ),
)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "run"
    run(SUITE, folder)
    return folder


@pytest.fixture
def loose(played, tmp_path):
    return Path(shutil.copytree(played, tmp_path / "loose"))


@pytest.fixture
def packed(played, tmp_path):
    folder = Path(shutil.copytree(played, tmp_path / "packed"))
    assert compact(folder).files == 8
    return folder


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def read_all(folder):
    """The content of each packed file by its former name."""
    return {
        path.stem: gzip.decompress(path.read_bytes()) for path in folder.glob("*.gz")
    }


def all_packed(folder):
    return all(name.endswith(".jsonl.gz") for name in os.listdir(folder))


def test_the_bytes_are_equal(played, packed):
    before = files_of(played / "trajectories")
    folder = packed / "trajectories"
    assert all_packed(folder)
    assert read_all(folder) == before
    size = sum(path.stat().st_size for path in folder.iterdir())
    assert size < sum(map(len, before.values())) / 3


def test_everything_reads_them_as_before(loose, packed, tmp_path, capsys):
    one, other = (
        [
            (episode.name, episode.header, episode.steps, episode.end, episode.torn)
            for episode in trajectory.iter_trajectories(folder / "trajectories")
        ]
        for folder in (loose, packed)
    )
    assert one == other
    assert len(one) == 8
    for folder in (loose, packed):
        command = f"export {folder} --to chat --split train --out {folder}.x"
        assert main(command.split()) == 0
    assert Path(f"{loose}.x").read_bytes() == Path(f"{packed}.x").read_bytes()
    assert main(["compare", str(loose), str(packed)]) == 0
    for name in (episode[0] for episode in one):
        assert trajectory.replay(find(packed / "trajectories", name)).identical
    capsys.readouterr()
    path = packed / "trajectories" / f"{one[0][0]}.jsonl"
    assert main(["replay", str(path)]) == 0
    assert capsys.readouterr().out == "identical over 4 steps\n"


@pytest.mark.parametrize("damage", ["cut", "checksum", "empty"])
def test_a_damaged_packed_file_costs_what_follows_the_damage(loose, damage):
    path = next((loose / "trajectories").glob("*.jsonl"))
    whole = trajectory.read(path)
    compact(loose)
    file = path.with_name(f"{path.name}.gz")
    data = file.read_bytes()
    file.write_bytes({
        "cut": data[:-40],
        "checksum": data[:-8] + bytes(8),
        "empty": data[:5],
    }[damage])  # fmt: skip
    if damage == "empty":
        with pytest.raises(ValueError, match="is not a trajectory: it contains no rec"):
            trajectory.read(path)
        return
    read = trajectory.read(path)
    assert read.torn and read.header == whole.header
    assert read.steps == whole.steps[: len(read.steps)]
    if damage == "checksum":
        assert read.complete
        return
    assert read.steps
    with pytest.warns(UserWarning, match=f"line {len(read.steps) + 2} is damaged"):
        assert read_trajectory(loose, read.name) is None


def test_a_packed_run_is_continued(loose, packed):
    before = files_of(packed / "trajectories")
    assert (
        run(SUITE, packed)
        == run(SUITE, loose)
        == load_run(packed).episodes[4:] + (load_run(packed).episodes[:4])
    )
    assert files_of(packed / "trajectories") == before
    grown = Suite("small", (*SUITE.tasks, Task("aq/Wordle-v0", 0, max_steps=2)))
    run(grown, packed, compact=True)
    folder = packed / "trajectories"
    assert all_packed(folder)
    assert len(list(trajectory.iter_trajectories(folder))) == 9


def test_errors_of_a_packed_run_are_retried(tmp_path, monkeypatch):
    agent = "evaluation.test_packed_runs:Fails"
    first = run(SUITE, tmp_path / "run", agent, compact=True)
    assert all(episode.error for episode in first)
    folder = tmp_path / "run" / "trajectories"
    packed = read_all(folder)
    monkeypatch.setenv("AQ_GYM_TEST_RECOVERED", "1")
    again = run(SUITE, tmp_path / "run", agent, retry_errors=True)
    assert not any(episode.error for episode in again)
    aside = files_of(tmp_path / "run" / "interrupted")
    assert {gzip.decompress(data) for data in aside.values()} == {*packed.values()}
    assert sorted(aside) == sorted(f"001-{name}.gz" for name in packed)
    assert not read_all(folder)
    assert len(list(trajectory.iter_trajectories(folder))) == 8


class Fails(ToyAgent):
    """An agent that fails at its second action, until it has recovered."""

    def reset(self, observation, info):
        self.acted = False

    def act(self, observation, info):
        if self.acted and "AQ_GYM_TEST_RECOVERED" not in os.environ:
            raise OSError("trouble")
        self.acted = True
        return "check valid actions"


def test_only_finished_runs(loose):
    rows = (loose / "episodes.jsonl").read_text().splitlines(keepends=True)
    (loose / "episodes.jsonl").write_text("".join(rows[:-1]))
    with pytest.raises(ValueError, match="is not finished: it has 7 of 8 episodes"):
        compact(loose)


def test_the_commands(loose, capsys):
    assert main(["compact", str(loose)]) == 0
    assert ": 8 files, " in capsys.readouterr().out
    assert main(["compact", str(loose)]) == 0
    assert ": 0 files, " in capsys.readouterr().out


def test_a_finished_run_is_packed_without_playing(loose):
    run(SUITE, loose, compact=True)
    assert not list((loose / "trajectories").glob("*.jsonl"))


def test_a_newer_file_takes_precedence(packed):
    """As after a kill between the file of a new attempt and its packing."""
    path = packed / "trajectories" / f"{SUITE.tasks[0].name}.jsonl"
    path.write_text('{"kind":"header","n":"newer"}\n')
    compact(packed)
    assert b"newer" in read_all(path.parent)[path.name]
    assert not path.exists()
