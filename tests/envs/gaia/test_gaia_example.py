"""The packaged questions have the files that they name, and these can be read."""

import json
import zipfile

import pytest

from aq_gym.envs.gaia import sources
from aq_gym.envs.gaia.files import UnreadableFileError, names_of, read_text

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


def test_the_packaged_files_are_small_and_have_fixed_dates():
    files = list(DATA.iterdir())
    assert sum(path.stat().st_size for path in files) < 100_000
    for path in filter(zipfile.is_zipfile, files):
        with zipfile.ZipFile(path) as archive:
            assert {one.date_time[0] for one in archive.infolist()} == {2026}
            if "docProps/core.xml" in archive.namelist():
                core = archive.read("docProps/core.xml")
                assert core.count(b"Z</dcterms:") == core.count(b"T00:00:00Z") == 2
