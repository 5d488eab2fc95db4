"""Files of puzzles: what is read, and one error for everything else."""

import json

import pytest

from aq_gym.envs.mystery.puzzles import (
    Puzzle,
    PuzzleFileError,
    read_puzzles,
)

GOOD = {"story": "An outcome.", "answer": "The truth.", "keys": ["One.", "Two."]}


def written(folder, content, name="p.json"):
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_a_json_file_is_read(tmp_path):
    other = {**GOOD, "story": "Another.", "keys": [" A  b\n c ", "A b c"], "more": 1}
    puzzles = read_puzzles(written(tmp_path, [GOOD, other, GOOD]))
    assert list(puzzles.values()) == [
        Puzzle("An outcome.", "The truth.", ("One.", "Two.")),
        Puzzle("Another.", "The truth.", ("A b c",)),
    ]
    assert all(key == puzzle.puzzle_id for key, puzzle in puzzles.items())


def test_an_id_follows_from_the_content():
    puzzle = Puzzle("An outcome.", "The truth.", ("One.", "Two."))
    assert puzzle.puzzle_id == "puzzle-aad9bbd791ddfe82"
    assert puzzle._replace(answer="x").puzzle_id != puzzle.puzzle_id


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is not a JSON file"),
        ("{", "is not a JSON file"),
        ("[" * 100_000, "is not a JSON file"),
        ("{}", "must be a list"),
        ("[]", "has no puzzles"),
        ([5], "puzzle 1 must be an object"),
        ([GOOD, {**GOOD, "story": ""}], 'puzzle 2: "story" must be a text'),
        ([{**GOOD, "story": None}], '"story" must be a text'),
        ([{**GOOD, "answer": "x" * 10_001}], '"answer" must be a text of 1 to 10000'),
        ([{**GOOD, "keys": []}], '"keys" must be a list of 1 to 20'),
        ([{**GOOD, "keys": "One."}], '"keys" must be a list'),
        ([{**GOOD, "keys": ["x"] * 21}], '"keys" must be a list'),
        ([{**GOOD, "keys": [" "]}], "must be a text of 1 to 1000"),
        ([{**GOOD, "keys": ["x" * 1_001]}], "must be a text of 1 to 1000"),
        ([{**GOOD, "keys": [5]}], "key 5 must be a text"),
    ],
    ids=range(15),
)
def test_another_file_is_refused(tmp_path, content, message):
    with pytest.raises(PuzzleFileError, match=message):
        read_puzzles(written(tmp_path, content))


def test_a_file_that_is_missing_is_refused(tmp_path):
    with pytest.raises(PuzzleFileError, match="No such file"):
        read_puzzles(tmp_path / "none.json")
    with pytest.raises(PuzzleFileError, match="is not a file"):
        read_puzzles(tmp_path)


def test_lone_surrogates_are_replaced(tmp_path):
    path = written(tmp_path, [{**GOOD, "story": "a\ud800b"}])
    (puzzle,) = read_puzzles(path).values()
    assert puzzle.story == "a?b"


@pytest.fixture
def sheet(tmp_path):
    """Write rows to a spreadsheet."""
    openpyxl = pytest.importorskip("openpyxl")

    def write(*rows):
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)
        path = tmp_path / "p.xlsx"
        book.save(path)
        book.close()
        return path

    return write


HEADS = ["story", "answer", "Story keys", "Answer keys"]


def test_agentbenchs_columns_are_read(sheet):
    path = sheet(
        HEADS,
        ["An outcome.", "The truth.", "ignored", "1. One.\n2. Two.\n\n"],
        [None, None, None, None],
        [" B ", "b", None, "Unnumbered key\n- dashed\n10) ten"],
    )
    assert list(read_puzzles(path).values()) == [
        Puzzle("An outcome.", "The truth.", ("One.", "Two.")),
        Puzzle("B", "b", ("Unnumbered key", "dashed", "ten")),
    ]


def test_other_spreadsheets_are_refused(sheet):
    with pytest.raises(PuzzleFileError, match="lacks the columns answer keys"):
        read_puzzles(sheet(["story", "answer", "keys"]))
    with pytest.raises(PuzzleFileError, match="has no puzzles"):
        read_puzzles(sheet(HEADS))
    with pytest.raises(PuzzleFileError, match=r"row 3: \"keys\" must be a list"):
        read_puzzles(sheet(HEADS, ["s", "a", "", "k"], ["s", "a", "", ""]))
    with pytest.raises(PuzzleFileError, match="lacks the columns story, answer, answ"):
        read_puzzles(sheet())


def test_damaged_spreadsheets_are_refused_by_one_error(sheet, tmp_path):
    whole = sheet(HEADS, ["s", "a", "", "k"]).read_bytes()
    path = tmp_path / "damaged.xlsx"
    for content in (b"", b"PK", whole[: len(whole) // 2], b"not a zip at all"):
        path.write_bytes(content)
        with pytest.raises(PuzzleFileError, match=r"is not an .xlsx file"):
            read_puzzles(path)
