"""Packed trajectories: read as before to the byte, and never lost."""

import errno
import os
import shutil
import zipfile
from pathlib import Path

import pytest

from aq_gym import trajectory
from aq_gym.cli.main import main
from aq_gym.evaluation import Suite, Task, compact, load_run, run, uncompact
from aq_gym.report import write_report
from aq_gym.trajectory import packed as packing
from aq_gym.trajectory.packed import ARCHIVE, pack, packed_names, unpack
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
    return {name: packing.read(folder / name) for name in packed_names(folder)}


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
    assert os.listdir(folder) == [ARCHIVE]
    assert read_all(folder) == before
    assert (folder / ARCHIVE).stat().st_size < sum(map(len, before.values())) / 3
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


def test_the_report_is_equal(loose, tmp_path):
    pages = []
    for _ in range(2):
        write_report([loose], tmp_path / "report.html")
        pages.append((tmp_path / "report.html").read_bytes())
        compact(loose)
    assert pages[0] == pages[1]


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
    assert os.listdir(folder) == [ARCHIVE]
    assert len(list(trajectory.iter_trajectories(folder))) == 9


def test_errors_of_a_packed_run_are_retried(tmp_path, monkeypatch):
    # The agent fails as long as the file is there.
    trouble = tmp_path / "trouble"
    trouble.touch()
    params = {"file": str(trouble)}
    agent = "evaluation.test_compact:FailsWithFile"
    first = run(SUITE, tmp_path / "run", agent, params, compact=True)
    assert all(episode.error for episode in first)
    folder = tmp_path / "run" / "trajectories"
    packed = read_all(folder)
    trouble.unlink()
    again = run(SUITE, tmp_path / "run", agent, params, retry_errors=True)
    assert not any(episode.error for episode in again)
    aside = files_of(tmp_path / "run" / "interrupted")
    assert {name.removeprefix("001-"): data for name, data in aside.items()} == packed
    assert not packed_names(folder)
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


def test_names_of_packed_files_are_taken(tmp_path):
    import gymnasium as gym

    from aq_gym.wrappers import TrajectoryLogger

    for number in range(2):
        env = TrajectoryLogger(gym.make("aq/Mastermind-v0"), tmp_path / "log")
        env.reset(seed=number)
        assert env.trajectory_name == f"episode-{number:05d}"
        env.close()
        pack(tmp_path / "log")
    assert len(packed_names(tmp_path / "log")) == 2


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
            path = folder / name
            assert (path.read_bytes() if path.exists() else packing.read(path)) == data
        # What is left is recognised.
        pack(folder)
        assert read_all(folder) == before
        assert os.listdir(folder) == [ARCHIVE]
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


def test_a_wrong_archive_is_noticed_before_the_files_go(tmp_path, monkeypatch):
    before = small_folder(tmp_path / "run")
    write = zipfile.ZipFile.writestr
    monkeypatch.setattr(
        zipfile.ZipFile,
        "writestr",
        lambda self, info, data, *more: write(self, info, data[::-1], *more),
    )
    with pytest.raises(OSError, match="packed wrongly"):
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
    assert b"newer" in packing.read(path)
    assert not path.exists()


def test_a_damaged_archive_is_noticed_and_kept(packed):
    folder = packed / "trajectories"
    path = folder / ARCHIVE
    data = bytearray(path.read_bytes())
    data[len(data) // 4] ^= 255
    path.write_bytes(data)
    with pytest.raises(ValueError, match=rf"{ARCHIVE} is damaged"):
        list(trajectory.iter_trajectories(folder))
    with pytest.raises(ValueError, match=rf"{ARCHIVE} is damaged"):
        uncompact(packed)
    # The rows are lost as well, so the episodes would have to be played again.
    (packed / "episodes.jsonl").unlink()
    with pytest.raises(ValueError, match=rf"{ARCHIVE} is damaged"):
        run(SUITE, packed)
    assert path.read_bytes() == data


def test_bombs_are_refused(tmp_path, monkeypatch):
    small_folder(tmp_path / "run", 1)
    pack(tmp_path / "run")
    monkeypatch.setattr(packing, "LARGEST", 5)
    with pytest.raises(ValueError, match="has more than 5 bytes"):
        packing.read(tmp_path / "run" / "e0.jsonl")


def test_members_that_begin_before_the_archive_are_refused(tmp_path):
    small_folder(tmp_path / "run")
    pack(tmp_path / "run")
    data = bytearray((tmp_path / "run" / ARCHIVE).read_bytes())
    data[-6] += 1
    (tmp_path / ARCHIVE).write_bytes(data)
    with pytest.raises(ValueError, match=rf"{ARCHIVE} is damaged"):
        packing.read(tmp_path / "e0.jsonl")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_unpack_without_a_limit_are_refused(tmp_path, method):
    """2 KB packed by bzip2 can take gigabytes, whatever size they are said to have."""
    with zipfile.ZipFile(tmp_path / ARCHIVE, "w", method) as archive:
        archive.writestr("e0.jsonl", "{}")
    with pytest.raises(ValueError, match=r"damaged: e0\.jsonl is packed differently"):
        trajectory.read(tmp_path / "e0.jsonl")


@pytest.mark.parametrize("name", ["../e0.jsonl", "e0.txt", "a/e0.jsonl", "\\e0.jsonl"])
def test_other_members_are_refused(tmp_path, name):
    with zipfile.ZipFile(tmp_path / ARCHIVE, "w") as archive:
        archive.writestr(name, "{}")
    for action in (pack, unpack, packing.recover):
        with pytest.raises(ValueError, match=rf"{ARCHIVE} is damaged"):
            action(tmp_path)


@pytest.mark.parametrize("data", [b"", b"PK\x05\x06", b"x" * 100])
def test_other_files_are_refused(tmp_path, data):
    (tmp_path / ARCHIVE).write_bytes(data)
    with pytest.raises(ValueError, match=rf"{ARCHIVE} is damaged"):
        trajectory.read(tmp_path / "e0.jsonl")
    assert (tmp_path / ARCHIVE).read_bytes() == data


def test_an_archive_that_is_no_file_is_refused(tmp_path):
    """A pipe would be waited for."""
    (tmp_path / ARCHIVE).mkdir()
    with pytest.raises(ValueError, match="damaged: it is not a file"):
        trajectory.read(tmp_path / "e0.jsonl")
