"""The report's section on ratings."""

import json
import re
import shutil
from urllib.parse import parse_qs

import pytest
from rating_judges import asked, code, criterion

from aq_gym.evaluation import Suite, Task, run
from aq_gym.ratings import Judge, Settings, assess
from aq_gym.ratings.criteria import criteria_of
from aq_gym.report import write_report

pytest.importorskip("jinja2")
GRADES = ("no <b>", "partly", "yes")


@pytest.fixture
def rated(tmp_path, judge):
    task = {"code_length": 1, "symbols": "123"}
    tasks = tuple(Task("aq/Mastermind-v0", n, task, max_steps=2) for n in range(8))
    run(Suite("s", tasks), tmp_path / "run", "random")

    def won(text):
        ((_, values),) = asked(text)
        return code(values, "yes" if "You won" in text else "no <b>")

    criteria = criteria_of([criterion("winning <i>", GRADES)])
    settings = Settings(repeats=2, disturbances=("steps:0.5",))
    server = judge(won)
    assess(tmp_path / "run", [Judge("m", server.url)], settings, criteria=criteria)
    return tmp_path / "run"


def test_the_section_links_the_episodes_of_each_value(rated, tmp_path):
    page = write_report([rated], tmp_path / "r.html").read_text()
    section = page[page.index('<section id="ratings"') :].partition("</section>")[0]
    assert 'href="#ratings"' in page
    assert "winning &lt;i&gt;" in section and "<i>" not in section
    # From worst to best, of the successes first.
    values = re.findall(r'scope="row">(no|partly|yes)', section)
    assert values == ["no", "partly", "yes"] * 2
    lines = (rated / "episodes.jsonl").read_text().splitlines()
    rows = list(map(json.loads, lines))
    successes = sum(row["success"] for row in rows)
    for group, of in (("succeeded", successes), ("failed", 8 - successes)):
        assert f"<caption>{group}: {of} rated episodes</caption>" in section
        own = section[section.index(f"<caption>{group}") :].partition("</table>")[0]
        counts = re.findall(r'class="number">(\d+)</td>', own)
        assert len(counts) == 3 and sum(map(int, counts)) == of
    links = re.findall(r'href="#episode=([^&]*)&amp;run=random"', section)
    assert links == [
        row["task"]
        for group in (True, False)
        for row in sorted(rows, key=lambda row: row["task"])
        if row["success"] is group
    ]


def test_a_run_without_ratings_has_no_section(rated, tmp_path):
    (rated / "ratings.json").unlink()
    page = write_report([rated], tmp_path / "r.html").read_text()
    assert 'id="ratings"' not in page
    assert 'href="#ratings"' not in page


@pytest.mark.parametrize(
    "change",
    [{"criteria": 3}, {"criteria": [{}]}, {"diversity": {"x": "ab"}}, {"judges": [3]},
     {"diversity": {"x": [0]}}],
)  # fmt: skip
def test_a_damaged_file_is_named(rated, tmp_path, change):
    written = json.loads((rated / "ratings.json").read_text())
    (rated / "ratings.json").write_text(json.dumps({**written, **change}))
    with pytest.raises(ValueError, match=r"ratings\.json is damaged: '\w+': "):
        write_report([rated], tmp_path / "r.html")


@pytest.mark.slow
@pytest.mark.needs("chromium", "module:playwright", "module:jinja2")
def test_a_click_opens_an_episode_behind_a_value(rated, tmp_path):
    sync_api = pytest.importorskip("playwright.sync_api")
    path = write_report([rated], tmp_path / "r.html")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page()
        page.goto(path.as_uri())
        section = page.locator("#ratings")
        section.locator("details summary").first.click()
        link = section.locator("td a").first
        task = parse_qs(link.get_attribute("href")[1:])["episode"][0]
        link.click()
        page.locator(".card[data-step='1']").wait_for()
        assert section.is_hidden()
        opened = parse_qs(page.evaluate("location.hash.slice(1)"))
        assert opened["episode"] == [task]
        browser.close()
