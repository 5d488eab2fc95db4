"""The site builds without a warning, its links lead somewhere, it loads nothing."""

import re
import subprocess
import sys

import pytest
from environment_pages import environment, name, rows
from site_links import problems

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("module:sphinx", "module:furo", "module:myst_nb"),
    # The first test builds the site.
    pytest.mark.timeout(1_800),
]


def test_the_site_builds_without_a_warning_or_a_broken_link(site):
    assert (site / "index.html").is_file()
    for row in rows():
        assert (site / "environments" / f"{name(row)}.html").is_file()


@pytest.mark.parametrize("row", rows(), ids=name)
def test_an_environment_has_its_documentation_and_two_episodes(row):
    page = environment(row)
    for heading in ("Description", "Action Space", "Rewards", "Episode End", "Notes"):
        assert f"## {heading}\n" in page
    if not row.missing():
        assert "### The expert\n" in page
        assert "### An average player\n" in page
        first = re.search(r'^<div class="turn"><b>Step 1</b>.*$', page, re.MULTILINE)[0]
        found = re.findall(r'<div class="turn-(\w+)">', first)
        assert found == ["action", "answer", "progress"]
        assert re.search(r"</meter><div>\d\.\d\d<br>\d+ of \d+ subgoals", first)
    assert ":class:`" not in page.replace("{py:class}`", "")


@pytest.mark.parametrize("row", rows(), ids=name)
def test_the_snippets_of_an_environment_run(row, tmp_path):
    """Those of its README too."""
    if row.missing():
        pytest.skip(row.hint())
    snippets = re.findall(r"^```python\n(.*?)^```$", environment(row), re.M | re.S)
    assert snippets
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "\n".join(snippets)],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize("row", rows(), ids=name)
def test_what_no_test_runs_is_marked_as_text(row):
    fences = re.findall(r"^```(\w*)$", environment(row), re.M)[::2]
    assert set(fences) <= {"python", "text"}


def test_what_is_wrong_with_a_site_is_found(tmp_path):
    (tmp_path / "other.html").write_text('<h1 id="here">Here</h1>')
    (tmp_path / "index.html").write_text(
        '<a href="other.html#here"></a><a href="https://example.org"></a><a href="#">'
        '<a href="none.html"></a><a href="other.html#there"></a><a href="#top"></a>'
        '<script src="https://example.org/x.js"></script><a href="#me"></a>'
    )
    (tmp_path / "a.css").write_text("@import url('//fonts.example.org/a.css');")
    assert problems(tmp_path) == [
        "index.html: none.html does not exist",
        "index.html: other.html#there names an anchor that does not exist",
        "index.html: loads https://example.org/x.js",
        "index.html: #me names an anchor that does not exist",
        "a.css: loads //fonts.example.org/a.css",
    ]
