"""The site builds without a warning, such as that of a dead link, and loads nothing.

In a real browser it fits a phone, and axe finds nothing in either theme.
"""

import re
import shutil
import subprocess
import sys

import pytest
from axe_checks import serious_problems
from environment_pages import environment, name, rows

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("module:sphinx", "module:furo", "module:myst_nb"),
    # The first test builds the site, or waits until another process has built it.
    pytest.mark.timeout(1_800),
]
BROWSER = pytest.mark.needs("chromium", "module:playwright")


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
        heads = ("{.world}", "## An episode\n", "## Make it\n")
        places = [page.index(one) for one in (*heads, "## Description\n")]
        assert places == sorted(places)
        assert "## An average player\n" in page
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


PHONE = 390
# Milliseconds, for a machine that is busy; nothing waits longer than it must.
PATIENCE = 120_000
# A page of each kind; every page is looked at for its width.
KINDS = (
    "index", "concepts", "environments/sudoku", "wrappers", "api/aq_gym",
    "notebooks/train_on_progress", "evaluation", "environments/index",
)  # fmt: skip


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-gpu"],
            timeout=PATIENCE,
        )
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser):
    """Open pages of the site; nothing may go wrong, or be loaded from elsewhere."""
    contexts, wrong = [], []

    def open_it(width=PHONE, theme="light"):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=theme
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaint(message, wrong))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: local(request, wrong))
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert wrong == []


def complaint(message, wrong):
    if message.type in ("error", "warning"):
        wrong.append(message.text)


def local(request, wrong):
    if not request.url.startswith(("file:", "data:", "http://127.0.0.1:")):
        wrong.append(request.url)


@BROWSER
def test_no_page_is_wider_than_a_phone(open_page, site):
    page = open_page()
    wide = []
    for path in sorted(site.rglob("*.html")):
        page.goto(path.as_uri())
        if page.evaluate("document.scrollingElement.scrollWidth") > PHONE:
            wide.append(path.name)
    assert wide == []


@BROWSER
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(open_page, site, theme):
    serious = {}
    for kind in KINDS:
        page = open_page(theme=theme)
        page.goto((site / f"{kind}.html").as_uri())
        serious[kind] = serious_problems(page, theme, preload=False)
    assert not any(serious.values()), serious


@BROWSER
def test_worlds_are_seen_and_episodes_folded(open_page, site):
    page = open_page(1280)
    page.goto((site / "environments" / "index.html").as_uri())
    widths = "all => all.map(image => image.naturalWidth)"
    seen = page.locator(".card img.world").evaluate_all(widths)
    assert len(seen) > 10
    assert all(seen)
    page.locator(".card", has_text="aq/Mastermind-v0").locator("a").first.click()
    page.wait_for_url("**/mastermind.html")  # with its pictures
    assert all(page.locator("img.world").evaluate_all(widths))
    folded = page.locator("details.more-steps")
    assert not folded.last.locator("pre").first.is_visible()
    folded.last.locator("summary").click()
    assert folded.last.locator("pre").first.is_visible()


@BROWSER
def test_code_is_copied_and_a_report_can_be_tried(open_page, site):
    page = open_page(1280)
    page.goto((site / "reports.html").as_uri())
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(".copy-code").first.click()
    page.get_by_text("Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").startswith("aq-gym run")
    report = page.frame_locator("iframe.report")
    report.locator("#stuck a").first.click()
    report.locator("#list-count", has_text="episodes").wait_for()
