"""Made-up files of the same form as the published ones."""

import csv

import pytest

from aq_gym.envs.mmlu.question import PUBLISHED

SIZES = {"dev": 5, "val": 2, "test": 3}


def row(subject, split, number):
    """Return the columns of a made-up question, whose answer is NUMBER modulo 4."""
    options = [
        f"{letter} of {subject} {number}" for letter in ("one", "two", "six", "ten")
    ]
    text = f'What, in "{subject}", is\n{split} {number}?'
    return [text, *options, "ABCD"[number % 4]]


@pytest.fixture(scope="session")
def official(tmp_path_factory):
    """A folder like the unpacked archive."""
    root = tmp_path_factory.mktemp("mmlu")
    for split, count in SIZES.items():
        folder = root / "data" / split
        folder.mkdir(parents=True)
        for subject in PUBLISHED:
            with (folder / f"{subject}_{split}.csv").open("w", newline="") as file:
                rows = (row(subject, split, number) for number in range(count))
                csv.writer(file).writerows(rows)
    training = root / "data" / "auxiliary_train"
    training.mkdir()
    with (training / "race.csv").open("w", newline="") as file:
        csv.writer(file).writerows(row("race", "train", number) for number in range(4))
    (root / "data" / "test" / "._anatomy_test.csv").write_bytes(b"\0\5\x16")
    return root


@pytest.fixture
def parquet(tmp_path):
    """Return a function that writes rows as a parquet file in a folder."""
    import pyarrow
    from pyarrow import parquet

    def write(name, rows):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        parquet.write_table(pyarrow.Table.from_pylist(rows), path)
        return tmp_path

    return write
