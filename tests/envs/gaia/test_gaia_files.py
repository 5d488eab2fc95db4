"""Folders in GAIA's published form, and limits on the files that are read."""

import json
import os
import zipfile

import gymnasium as gym
import pytest
from gymnasium.error import DependencyNotInstalled

import aq_gym  # noqa: F401  registers the ids
from aq_gym.envs.gaia import sources
from aq_gym.envs.gaia.files import UnreadableFileError, names_of, read_text
from aq_gym.envs.gaia.sources import DOWNLOAD
from aq_gym.support.data import DownloadError, download

DATA = sources._EXAMPLE
NEEDS = pytest.mark.needs(
    "module:docx", "module:openpyxl", "module:pptx", "module:pypdf"
)


def row(task_id="a", **changed):
    notes = {"Steps": "1. Open it.\n2. There are 412 ships.", "Number of steps": "2"}
    return {
        "task_id": task_id,
        "Question": "How many boats?",
        "Level": 2,
        "Final answer": "17",
        "file_name": "",
        "Annotator Metadata": notes,
        **changed,
    }


def write(folder, *rows, split="validation"):
    place = folder / "2023" / split
    place.mkdir(parents=True, exist_ok=True)
    lines = [one if isinstance(one, str) else json.dumps(one) for one in rows]
    (place / "metadata.jsonl").write_text("\n".join(lines) + "\n")
    return place


def make(folder, **kwargs):
    kwargs = {"split": "validation", **kwargs}
    return gym.make("aq/GAIA-v0", data_dir=str(folder), **kwargs).unwrapped


def test_a_published_folder_is_read(tmp_path, monkeypatch):
    place = write(
        tmp_path, row(), row("b", Level="3", file_name="b.txt"), row("0-0-0-0-0")
    )
    (place / "b.txt").write_text("412 ships")
    assert make(tmp_path)._tasks.ids == ("a", "b")
    env = make(tmp_path / "2023", level=3)
    _, info = env.reset(seed=0)
    assert (info["task_id"], info["level"], info["annotated_steps"]) == ("b", 3, 2)
    assert info["source"] == "user"
    assert list(info["subgoals"]) == ["file read", "step 2", "right answer"]
    assert env.step("read_file[b.txt]")[1] == pytest.approx(2 / 3)
    assert make(place).reset(seed=0)[1]["goal"] == "How many boats?"
    with monkeypatch.context() as patch:
        patch.chdir(tmp_path)
        env = make(".", problem="b")
    assert env.step(env.reset() and "read_file[b.txt]")[4]["action_valid"]
    with pytest.raises(ValueError, match="choose 'validation', 'test' or 'all'"):
        make(tmp_path, split="example")


def test_private_answers_are_recorded_and_not_scored(tmp_path):
    notes = {"Annotator Metadata": {"Steps": "?"}, "Final answer": "?"}
    write(tmp_path, row("t", **notes), split="test")
    env = make(tmp_path, split="test")
    _, info = env.reset()
    assert (info["scored"], info["annotated_steps"]) == (False, 0)
    observation, _, over, _, info = env.step("answer[?]")
    assert (observation, over) == ("Your answer is recorded.", True)
    assert (info["answer"], info["success"], info["progress"]) == ("?", False, 0.0)


@pytest.mark.needs("module:pyarrow")
def test_metadata_in_parquet_is_read(tmp_path):
    import pyarrow
    from pyarrow import parquet

    place = write(tmp_path, row())
    (place / "metadata.jsonl").unlink()
    path = place / "metadata.parquet"
    rows = [row(Level="1"), row("b", Level="2", file_name=None)]
    parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    env = make(tmp_path)
    assert env._tasks.ids == ("a", "b")
    assert env.reset()[1]["annotated_steps"] == 2
    path.write_bytes(b"PAR1" * 9)
    with pytest.raises(ValueError, match="is not a Parquet file"):
        make(tmp_path)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 1 of "),
        ("[" * 9000, "line 1 of "),
        ("5", "question 1 of .*: 5 is not an object"),
        (row(Question=" "), "Question is ' '"),
        (row(Question={}), "Question is {}"),
        (row(task_id=None), "task_id is None"),
        (row(Level=4), "Level is 4, not 1, 2 or 3"),
        (row(Question="a" * 50_001), "Question is 'aaa"),
        (row(file_name="../b.txt"), "file_name is '../b.txt': it must be the name"),
        (row(file_name="/etc/passwd"), "file_name is '/etc/passwd'"),
        (row(file_name=".."), "file_name is '..'"),
        (row(file_name="a\\b"), "must be the name of a file"),
    ],
)
def test_a_row_that_is_no_question_is_named(tmp_path, line, message):
    write(tmp_path, line)
    with pytest.raises(ValueError, match=message):
        make(tmp_path)


def test_where_the_files_come_from_is_said(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match="accept its conditions: log in at"):
        make(tmp_path)
    monkeypatch.setenv(DOWNLOAD.variable, str(tmp_path))
    with pytest.raises(FileNotFoundError, match="has no 2023/test/metadata"):
        make("downloaded", split="test")
    with pytest.raises(DownloadError, match="given by its owners to those who accept"):
        download(DOWNLOAD)


def test_a_missing_file_or_a_link_out_of_the_folder_is_refused(tmp_path):
    place = write(tmp_path, row(file_name="a.txt"))
    with pytest.raises(FileNotFoundError, match=r"a\.txt, does not exist"):
        make(tmp_path)
    outside = tmp_path / "outside.txt"
    outside.write_text("secret")
    os.symlink(outside, place / "a.txt")
    with pytest.raises(ValueError, match="link that leads out of its folder"):
        make(tmp_path)


def test_a_missing_library_is_named_with_the_way_to_get_it(tmp_path, monkeypatch):
    (write(tmp_path, row(file_name="a.pdf")) / "a.pdf").write_bytes(b"")
    monkeypatch.setattr(sources, "find_spec", lambda name: None)
    with pytest.raises(
        DependencyNotInstalled, match=r"need pypdf: pip install 'aq-gym\["
    ):
        make(tmp_path)


def test_a_damaged_file_is_for_the_agent_to_find(tmp_path):
    (write(tmp_path, row(file_name="a.zip")) / "a.zip").write_bytes(b"PK")
    env = make(tmp_path)
    env.reset()
    observation, *_, info = env.step("list_files()")
    assert (info["action_valid"], "a.zip is damaged" in observation) == (False, True)
    assert env.step(env.expert_action())[0] == "Right answer."


def test_reading_a_picture_is_no_subgoal(tmp_path):
    names = ("a.PNG", "b.mp3", "c.txt")
    place = write(tmp_path, *(row(name, file_name=name) for name in names))
    for name in names:
        (place / name).write_bytes(b"412")
        info = make(tmp_path, problem=name).reset()[1]
        goals = ["step 2", "right answer"]
        assert list(info["subgoals"]) == ["file read"] * (name == "c.txt") + goals


def archive(path, members, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as made:
        for name, content in members.items():
            made.writestr(name, content)
    return path


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.png", b"\x89PNG", r"a.png is an image \(4 bytes\)"),
        ("a.MP3", b"ID3", "a.MP3 is sound"),
        ("a.mov", b"", "a.mov is a video"),
        ("a.xls", b"\xd0\xcf\x11\xe0\x00", "is not a text or a document"),
        ("a", b"\x00\x01", r"a \(2 bytes\) is not a text"),
        ("a.pdf", b"%PDF-1.4\nnothing", "a.pdf is damaged"),
        ("a.xlsx", b"PK", "a.xlsx is damaged"),
        ("a.docx", b"", "a.docx is damaged"),
        ("a.pptx", b"\x00" * 99, "a.pptx is damaged"),
        ("a.txt", b"a" * 33 * 2**20, "a.txt has more than 33,554,432 bytes"),
    ],
)
@NEEDS
def test_what_cannot_be_read_is_said(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UnreadableFileError, match=message):
        read_text(path, name)


def test_members_of_archives_are_files(tmp_path):
    path = tmp_path / "a.zip"
    archive(
        path, {"../up.txt": b"x", "in/a.txt": b"inside", "b.zip": b"", "c.png": b""}
    )
    assert names_of(path)[:2] == ("a.zip/../up.txt", "a.zip/in/a.txt")
    # A member's name leads nowhere but into the archive.
    assert read_text(path, "a.zip/../up.txt") == "x"
    assert read_text(path, "a.zip/in/a.txt") == "inside"
    for name, message in (("b.zip", "inside another"), ("c.png", "an image")):
        with pytest.raises(UnreadableFileError, match=message):
            read_text(path, f"a.zip/{name}")


@pytest.mark.needs("module:openpyxl")
def test_a_sheet_that_says_it_is_huge_is_read_in_part(tmp_path):
    import openpyxl

    book = openpyxl.Workbook()
    book.active["A1"], book.active["XFD1048576"] = "first", "last"
    book.save(tmp_path / "a.xlsx")
    text = read_text(tmp_path / "a.xlsx", "a.xlsx")
    assert text.startswith("Sheet 'Sheet':\nfirst")
    assert "last" not in text


def test_long_texts_are_cut_and_pages_join_to_the_whole(tmp_path):
    text = "".join(f"{k} " for k in range(3000))
    place = write(tmp_path, row(file_name="a.txt"))
    (place / "a.txt").write_text(text)
    env = make(tmp_path)
    env.reset()
    pages = [env.step(f"read_file(name='a.txt', page={k})")[0] for k in (1, 2)]
    assert "".join(page.partition(":\n")[2] for page in pages) == text
    (tmp_path / "b.txt").write_text("a" * 500_000)
    assert read_text(tmp_path / "b.txt", "b.txt").endswith("cut: 400,000 characters.]")
    (tmp_path / "c.txt").write_bytes("\ufeffMu\u00dfe".encode("utf-16"))
    assert "Mu\u00dfe" in read_text(tmp_path / "c.txt", "c.txt")
    (tmp_path / "d.csv").write_bytes("caf\u00e9".encode("cp1252"))
    assert read_text(tmp_path / "d.csv", "d.csv") == "caf\u00e9"


DATA = sources._EXAMPLE


@pytest.mark.slow
@pytest.mark.needs("module:docx", "module:openpyxl", "module:pptx", "module:pypdf")
def test_every_file_is_named_by_a_question_and_can_be_read():
    rows = map(json.loads, (DATA / "metadata.jsonl").read_text("utf-8").splitlines())
    files = {row["file_name"] for row in rows} - {""}
    assert files == {path.name for path in DATA.iterdir()} - {"metadata.jsonl"}
    unreadable = set()
    for path in DATA.iterdir():
        for name in names_of(path):
            try:
                assert read_text(path, name).strip(), name
            except UnreadableFileError:
                unreadable.add(name.rpartition("/")[2])
    assert unreadable == {"camp.png", "wind.wav"}
