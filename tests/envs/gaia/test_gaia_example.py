"""The packaged questions are what their maker writes."""

import importlib
import zipfile
from pathlib import Path

import pytest

from aq_gym.envs.gaia import sources
from aq_gym.envs.gaia.logic.files import UnreadableFileError, names_of, read_text

TOOLS = Path(__file__).parents[3] / "tools"
DATA = sources._EXAMPLE


def texts(folder):
    found = {}
    for path in folder.iterdir():
        for name in names_of(path):
            try:
                found[name] = read_text(path, name)
            except UnreadableFileError as error:
                found[name] = str(error)
    return found


@pytest.mark.needs("module:docx", "module:openpyxl", "module:pptx", "module:pypdf")
def test_the_maker_writes_the_packaged_files(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))
    maker = importlib.import_module("gaia_example")
    monkeypatch.setattr(maker, "FOLDER", tmp_path)
    maker.main()
    # The bytes of an office document depend on the version of its library.
    assert texts(tmp_path) == texts(DATA)
    assert len(texts(DATA)) > 20


def test_the_packaged_files_are_small_and_have_fixed_dates():
    files = list(DATA.iterdir())
    assert sum(path.stat().st_size for path in files) < 100_000
    for path in filter(zipfile.is_zipfile, files):
        with zipfile.ZipFile(path) as archive:
            assert {one.date_time[0] for one in archive.infolist()} == {2026}
            if "docProps/core.xml" in archive.namelist():
                core = archive.read("docProps/core.xml")
                assert core.count(b"Z</dcterms:") == core.count(b"T00:00:00Z") == 2
