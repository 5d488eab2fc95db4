"""The committed pictures show what their program would draw today."""

import json
import re
from html import unescape

import pytest
from pictures import ladder_rows, stuck_data, stuck_report
from PIL import Image


def test_the_ladder_is_that_of_the_table(root):
    """Run tools/pictures.py where this fails."""
    text = (root / "docs" / "pictures" / "ladder.svg").read_text("utf-8")
    shown = re.search(r"<dc:description>(.*?)</dc:description>", text, re.DOTALL)[1]
    assert json.loads(unescape(shown)) == [list(row) for row in ladder_rows()]


@pytest.mark.slow
@pytest.mark.needs("module:jinja2")
def test_the_report_is_that_of_its_runs(root, tmp_path):
    """Run tools/pictures.py where this fails."""
    data = json.loads(stuck_data(stuck_report(tmp_path)))
    for theme in ("light", "dark"):
        with Image.open(root / "docs" / "pictures" / f"stuck-{theme}.png") as image:
            assert json.loads(image.info["Comment"]) == data
