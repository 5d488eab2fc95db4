"""Packed trajectories: read as before to the byte, and never lost."""

import errno
import gzip
import os
import shutil
from pathlib import Path

import pytest

from aq_gym import trajectory
from aq_gym.cli.main import main
from aq_gym.evaluation import Suite, Task, compact, load_run, run, uncompact
from aq_gym.trajectory import packed as packing
from aq_gym.trajectory.packed import pack, unpack
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


def unpacked(path):
    with packing.open_file(path) as file:
        return file.read()


def read_all(folder):
    """The content of each packed file by its former name."""
    return {path.stem: unpacked(path) for path in folder.glob("*.gz")}


def all_packed(folder):
    return all(name.endswith(".jsonl.gz") for name in os.listdir(folder))


def small_folder(folder, count=3):
    folder.mkdir()
    for number in range(count):
        text = f'{{"kind":"header","n":{number}}}\n' * (number + 1)
        (folder / f"e{number}.jsonl").write_text(text)
    (folder / "z.jsonl").write_bytes(b"any bytes")
    return files_of(folder)


def test_the_bytes_are_equal(played, packed):
    before = files_of(played / "trajectories")
    folder = packed / "trajectories"
    assert all_packed(folder)
    assert read_all(folder) == before
    size = sum(path.stat().st_size for path in folder.iterdir())
    assert size < sum(map(len, before.values())) / 3
    assert uncompact(packed) == 8
    assert files_of(folder) == before


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
    # The agent fails as long as the file is there.
    trouble = tmp_path / "trouble"
    trouble.touch()
    params = {"file": str(trouble)}
    agent = "evaluation.test_packed_runs:FailsWithFile"
    first = run(SUITE, tmp_path / "run", agent, params, compact=True)
    assert all(episode.error for episode in first)
    folder = tmp_path / "run" / "trajectories"
    packed = read_all(folder)
    trouble.unlink()
    again = run(SUITE, tmp_path / "run", agent, params, retry_errors=True)
    assert not any(episode.error for episode in again)
    aside = files_of(tmp_path / "run" / "interrupted")
    assert {gzip.decompress(data) for data in aside.values()} == {*packed.values()}
    assert sorted(aside) == sorted(f"001-{name}.gz" for name in packed)
    assert not read_all(folder)
    assert len(list(trajectory.iter_trajectories(folder))) == 8


class FailsWithFile:
    """An agent that fails while a file exists, after a first action."""

    def __init__(self, env, file):
        self.file = Path(file)
        self.acted = False

    def reset(self, observation, info):
        self.acted = False

    def act(self, observation, info):
        if self.acted and self.file.exists():
            raise OSError("trouble")
        self.acted = True
        return "check valid actions"


def test_only_finished_runs(played, tmp_path):
    folder = Path(shutil.copytree(played, tmp_path / "run"))
    rows = (folder / "episodes.jsonl").read_text().splitlines(keepends=True)
    (folder / "episodes.jsonl").write_text("".join(rows[:-1]))
    with pytest.raises(ValueError, match="is not finished: it has 7 of 8 episodes"):
        compact(folder)
    assert len(list((folder / "trajectories").iterdir())) == 8


def test_the_commands(loose, capsys):
    assert main(["compact", str(loose)]) == 0
    assert ": 8 files, " in capsys.readouterr().out
    assert main(["compact", str(loose)]) == 0
    assert ": 0 files, " in capsys.readouterr().out
    assert main(["compact", "--undo", str(loose)]) == 0
    assert capsys.readouterr().out == f"{loose}: 8 files\n"
    # Nothing is played, but the run is finished.
    run(SUITE, loose, compact=True)
    assert not list((loose / "trajectories").glob("*.jsonl"))


CALLS = ("write", "fsync", "replace", "unlink", "open")


def die_in(folder, action, moment):
    """Run an action in a child that dies at one of its system calls."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    count = 0

    def patched(original):
        def call(*args, **kwargs):
            nonlocal count
            count += 1
            if count == moment:
                os._exit(9)
            return original(*args, **kwargs)

        return call

    try:
        for name in CALLS:
            setattr(os, name, patched(getattr(os, name)))
        packing.Path.replace = patched(Path.replace)
        packing.Path.unlink = patched(Path.unlink)
        packing.Path.open = patched(Path.open)
        action(folder)
        os._exit(0)
    except BaseException:  # noqa: BLE001 (of a child)
        os._exit(1)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("action", [pack, unpack])
def test_a_kill_at_any_moment_loses_nothing(tmp_path, action):
    for moment in range(1, 100):
        folder = tmp_path / str(moment)
        before = small_folder(folder)
        if action is unpack:
            pack(folder)
        code = die_in(folder, action, moment)
        for name, data in before.items():
            assert unpacked(folder / name) == data
        # What is left is recognised.
        pack(folder)
        assert read_all(folder) == before
        assert all_packed(folder)
        if code == 0:
            break
        assert code == 9
    assert moment > 10


def test_a_failing_disk_changes_nothing(tmp_path, monkeypatch):
    before = small_folder(tmp_path / "run")

    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        pack(tmp_path / "run")
    assert files_of(tmp_path / "run") == before


def test_a_newer_file_takes_precedence(tmp_path):
    small_folder(tmp_path / "run")
    pack(tmp_path / "run")
    path = tmp_path / "run" / "e1.jsonl"
    path.write_text('{"kind":"header","n":"newer"}\n')
    packing.recover(tmp_path / "run")
    assert "newer" in path.read_text()
    pack(tmp_path / "run")
    assert b"newer" in unpacked(path)
    assert not path.exists()


def test_a_damaged_file_is_named_and_kept(packed):
    path = sorted((packed / "trajectories").iterdir())[2]
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 255
    path.write_bytes(data)
    with pytest.raises(ValueError, match=rf"{path.name} is damaged"):
        list(trajectory.iter_trajectories(path.parent))
    with pytest.raises(ValueError, match=rf"{path.name} is damaged"):
        uncompact(packed)
    assert path.read_bytes() == data
