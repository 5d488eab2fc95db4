"""The page in a real browser: Debian's Chromium without a screen."""

import json
import shutil
import threading
import time
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

import pytest
from axe_checks import serious_problems
from report_runs import BABYAI, MASTERMIND, SUDOKU, play, rewrite

from aq_gym.evaluation import load_run
from aq_gym.report import write_leaderboard, write_report
from aq_gym.report.ui import UiServer
from aq_gym.trajectory import jsonl

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("chromium", "module:playwright"),
]

# In milliseconds; long enough for a busy machine.
PATIENCE = 120_000
ARGUMENTS = (
    "--no-sandbox",  # tests may run as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
HOSTILE = (
    "</script><script>document.title='pwned'</script>"
    "<img src=x onerror=\"document.title='pwned'\"><b onclick=alert(1)>bold</b> "
    "\x1b[31mred\x1b[0m \u202eright to left\u202c {{ 7*7 }} ${7*7} "
)


def wait_until(page, condition):
    """Wait for a JavaScript condition, evaluated from outside the page.

    Playwright's own wait evaluates the condition inside the page, with ``eval``, which
    the page's Content Security Policy forbids.
    """
    end = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(condition):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(20)


def wait_for_pictures(page):
    """Wait until the pictures of the open episode are loaded, or a note is shown."""
    told = "[...document.querySelectorAll('#episode-body .note')]"
    told += ".every(e => e.hidden || e.textContent)"
    wait_until(page, f"{told} && [...document.images].every(e => e.complete)")


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=ARGUMENTS, timeout=PATIENCE
        )
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser):
    """Open a file; at the end there may be no error and no request."""
    opened = []

    def open_it(path, link="", width=1280, theme="light"):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=theme
        )
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        wrong = []
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "request",
            lambda request: (
                None if request.url.startswith("file:") else wrong.append(request.url)
            ),
        )
        page.goto(f"{Path(path).as_uri()}{link}")
        opened.append((context, wrong))
        return page

    yield open_it
    for context, wrong in opened:
        context.close()
        assert wrong == []


@pytest.fixture(scope="module")
def report(runs, tmp_path_factory):
    return write_report(runs, tmp_path_factory.mktemp("browser") / "report.html")


def tasks(page):
    return page.locator("#episode-table tbody th a").all_inner_texts()


def column(page, number):
    cells = page.locator(f"#episode-table tbody tr > :nth-child({number})")
    return [text.split()[-1] for text in cells.all_inner_texts()]


def test_charts_tell_the_values_under_the_pointer(open_page, report):
    page = open_page(report)
    chart = page.locator(".u-over").first
    chart.scroll_into_view_if_needed()
    chart.hover()
    text = page.locator("[data-kind] .readout").first.inner_text()
    assert text.startswith("Step ")
    assert "random 0." in text
    assert "expert " in text


def test_tables_sort_by_their_headings(open_page, report):
    page = open_page(report)
    page.get_by_role("button", name="steps").last.click()
    steps = [int(text) for text in column(page, 11)]
    assert steps == sorted(steps, reverse=True)
    page.get_by_role("button", name="steps").last.click()
    assert [int(text) for text in column(page, 11)] == sorted(steps)
    told = page.locator("#filter-outcome [value=looping]").get_attribute("title")
    assert told in page.locator("#episode-table th[title]").get_attribute("title")
    heading = page.locator("#episode-table th[aria-sort]")
    assert heading.get_attribute("aria-sort") == "ascending"

    summary = page.locator("#summary-table")
    summary.get_by_role("button", name="progress rate").click()
    values = summary.locator("tbody tr:visible td.figure:nth-child(6)")
    found = [float(t.split()[0]) for t in values.all_inner_texts()]
    assert len(found) == 8
    assert found == sorted(found, reverse=True)


def test_the_summary_shows_difficulties_when_asked(open_page, report):
    page = open_page(report)
    rows = page.locator("#summary-table tbody tr:visible")
    # The mean over environments is that over tasks.
    assert rows.count() == 8
    settings = page.locator("#summary-table td.setting:visible")
    page.locator("#rows-by").select_option("difficulty")
    assert rows.count() > 8
    page.locator("#filter-difficulty").select_option("easy")
    assert set(settings.all_inner_texts()) == {"easy"}
    # Environments without such tasks are not shown; what is over all of them says so.
    page.locator("#filter-difficulty").select_option("hard")
    env_of = "all => [...new Set(all.map((one) => one.dataset.env))]"
    shown = page.locator(".stucks > :visible").evaluate_all(env_of)
    assert 0 < len(shown) < 3
    assert {*shown} == {*rows.evaluate_all(env_of)} - {"all"}
    for part in ("#findings", "#verdict .by-environment", "#curves"):
        assert page.locator(f"{part} [data-whole]:visible").count()


def test_the_chart_of_where_runs_get_stuck_lists_the_episodes(open_page, report, runs):
    episodes = load_run(runs[0]).episodes
    own = [e for e in episodes if e.env == MASTERMIND]
    page = open_page(report)
    chart = page.locator(f"[data-stuck='{MASTERMIND}']")
    names = chart.locator("tbody th").all_inner_texts()
    assert names == [*(f"position {n}" for n in range(1, 5)), "solved"]
    solved = sum(e.success for e in own)
    # The better run comes first, in both tables.
    missed = chart.locator("tbody tr").last.locator("td").last.locator("small a")
    assert page.locator("#across td.none").first.inner_text() == "expert (privileged)"
    assert missed.inner_text() == f"{len(own) - solved} of {len(own)} did not"
    missed.click()
    assert len(tasks(page)) == len(own) - solved
    assert page.locator("#filter-subgoal").input_value() == "-solved"
    again = open_page(report, page.evaluate("location.hash"))
    assert tasks(again) == tasks(page)
    ends = open_page(report).locator("#across td a")
    fewest = min(range(ends.count()), key=lambda n: int(ends.nth(n).inner_text()))
    count = int(ends.nth(fewest).inner_text())
    ends.nth(fewest).click()
    assert count == len(tasks(ends.page)) == 1


def test_one_filter_is_for_the_whole_page(open_page, report):
    page = open_page(report)
    page.locator("#filter-env").select_option(SUDOKU)
    page.locator("#filter-of").select_option("expert (privileged)")
    assert page.locator("#findings details:visible, [data-whole]:visible").count() == 3
    shown = page.locator("[data-stuck]:visible")
    assert shown.count() == 1
    heads = shown.locator("thead th").all_inner_texts()
    assert heads == ["subgoal", "expert (privileged)\nof 3"]
    assert page.locator("#summary-table tbody tr:visible").count() == 1
    assert page.locator("#differences tbody tr:visible").count() == 1
    assert page.locator(".plot:visible").count() == 2


def test_any_two_runs_are_compared_and_a_finding_opens_its_step(
    open_page, runs, stubborn, tmp_path
):
    page = open_page(write_report([*runs, stubborn], tmp_path / "three.html"))
    told = page.locator("#verdict p.lead:visible")
    assert "between expert (privileged) and random over 9 tasks" in told.inner_text()
    # The best one is first here too.
    for place in ("#curves .legend li", "#summary-table td .run-name"):
        assert page.locator(place).first.inner_text() == "expert (privileged)"
    # The curves of all environments are of the runs that have them.
    all_curves = page.locator("#curves figcaption").first.text_content()
    assert all_curves.endswith(
        "9 episodes of each run; 1 with fewer environments left out"
    )
    solved = page.locator("[data-values=all] tr", has_text="expert (privileged)PR")
    assert solved.locator("td").last.text_content() == "0.76"
    rects = page.locator("#verdict .parts:visible rect")
    places = rects.evaluate_all("all => all.map((r) => r.getBoundingClientRect())")
    ends = [(one["left"], one["right"]) for one in places]
    assert all(a[1] == pytest.approx(b[0], abs=0.1) for a, b in pairwise(ends))
    # The best one with the next, so that the difference is positive.
    assert page.locator("#against").input_value() == "expert (privileged)"
    # No run is offered beside itself.
    page.locator("#against").select_option("random")
    assert page.locator("#baseline").input_value() == "expert (privileged)"
    page.locator("#baseline").select_option("report_runs:Stubborn")
    assert "random" in told.inner_text() and "Stubborn" in told.inner_text()
    rows = page.locator("#differences tbody tr:visible")
    assert MASTERMIND in rows.last.locator("th").inner_text()
    part = page.locator("#verdict .timeline-key a").first
    listed = 2 * int(part.inner_text())
    part.click()
    said = page.locator("#list-count").inner_text()
    assert said.startswith("Tasks of ") and f": {listed} episodes" in said
    page.locator("#clear-filters").click()
    assert page.locator("#list-count").inner_text().startswith("21 episodes")
    # A table without rows is not shown, and the sentence stays that of all.
    page.locator("#filter-env").select_option(SUDOKU)
    notes = page.locator("#verdict p.muted:visible").all_inner_texts()
    assert notes[0].startswith("Of all environments and") and len(notes) == 2
    assert notes[1].startswith("These two have no finished task in common here")
    page.locator("#filter-env").select_option("")
    ends = page.locator("#across tbody tr").first.locator("td a").all_inner_texts()
    assert sum(map(int, ends)) == 3
    said = page.locator("#findings [data-runs*='report_runs:Stubborn'] li").first
    assert said.inner_text().startswith("Mastermind 100% of its actions (36 of 36) are")
    said.locator("a").first.click()
    page.locator(".card[data-step='1'].invalid").wait_for()
    # Of several runs, every figure is over the tasks of the ranking.
    page = open_page(write_report([runs[0], stubborn], tmp_path / "two.html"))
    shown = page.locator("#ranking a[href*=looping]").all_inner_texts()
    assert {text.split()[-1] for text in shown} == {"3"}
    page.locator("#ranking a[href*=looping]").last.click()
    count = page.locator("#list-count").inner_text()
    assert count == "3 episodes, 0 solved, all generated"
    page.goto(page.url.partition("#")[0])
    # Each unsolved episode counts once, and the count lists these episodes.
    said = page.locator("#findings .why").first
    links = said.locator("a").all_inner_texts()
    unsolved, *why = [int(text.split()[0]) for text in links]
    assert sum(why) == unsolved > 0
    said.locator("span a").first.click()
    assert page.locator("#list-count").inner_text().startswith(f"{why[0]} episode")
    told = set(page.locator("#episode-table td:nth-child(2) small").all_inner_texts())
    assert told == {page.locator("#filter-outcome").input_value()}


def test_curves_are_of_the_chosen_run_with_its_band(open_page, runs, tmp_path):
    copies = [shutil.copytree(runs[0], tmp_path / f"run-{n}") for n in range(4)]
    page = open_page(write_report([*copies], tmp_path / "four.html"))
    svg = "document.querySelector('[data-env] [data-kind=progress]').toSvg()"
    text = page.evaluate(svg)
    # More than three bands would hide each other.
    assert (text.count('fill="none"'), text.count("<polygon")) == (8, 0)
    page.locator("#filter-of").select_option(index=2)
    text = page.evaluate(svg)
    assert (text.count('fill="none"'), text.count("<polygon")) == (2, 1)


def test_tables_and_charts_are_copied(open_page, report, runs, tmp_path):
    page = open_page(report)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    read = "navigator.clipboard.readText()"

    def copy(place, kind):
        bar = page.locator(f"{place} .copy").first
        bar.get_by_role("button", name=f"Copy as {kind}").click()
        bar.get_by_text("copied").wait_for()

    copy("#stuck section", "CSV")
    lines = page.evaluate(read).splitlines()
    assert lines[0] == "subgoal,expert (privileged) of 3,random of 3"
    assert (
        len(lines)
        == 1 + page.locator("[data-stuck] table").first.locator("tr").count() - 1
    )
    copy("#stuck section", "LaTeX")
    assert r"100\%" in page.evaluate(read)
    copy("[data-kind=progress]", "SVG")
    assert page.evaluate(read).startswith("<svg xmlns=")
    kinds = "navigator.clipboard.read().then(all => all[0].types)"

    def copy_png(place):
        copy(place, "PNG")
        # Until the picture is drawn, the clipboard has its earlier content.
        wait_until(page, f"{kinds}.then(types => types[0] === 'image/png')")

    size = """navigator.clipboard.read().then(([item]) => item.getType("image/png"))
        .then(createImageBitmap).then(({ width, height }) => [width, height])"""
    copy_png("[data-kind=progress]")
    # The height includes the axis, the title and a line for each run's name.
    assert page.evaluate(size) == [3 * 540, 3 * (350 + 2 * 18)]
    page.goto(write_leaderboard(runs, tmp_path / "board.html").as_uri())
    copy("main", "CSV")
    assert page.evaluate(read).startswith("run,progress rate,")


def test_text_in_trajectories_is_found(open_page, report):
    page = open_page(report)
    page.locator("#filter-text").fill("let us play sudoku")
    assert tasks(page) == []
    page.get_by_role("button", name="Search in trajectories too").click()
    page.locator("#episode-table tbody tr").first.wait_for()
    names = page.locator("#episode-table tbody tr > :nth-child(5)").all_inner_texts()
    assert {name.split()[0] for name in names} == {"Sudoku-v0"}
    assert len(tasks(page)) == 6
    page.locator("#filter-of").select_option("random")
    assert len(tasks(page)) == 3
    again = open_page(report, page.evaluate("location.hash"))
    again.locator("#episode-table tbody tr").first.wait_for()
    assert tasks(again) == tasks(page)
    page.locator("#filter-text").fill("let us play")
    assert tasks(page) == []  # this text has not been searched for
    page.locator("#filter-text").press("Enter")
    page.locator("#episode-table tbody tr").first.wait_for()


def test_a_link_opens_an_episode_and_the_keyboard_its_neighbours(
    open_page, report, runs
):
    episodes = load_run(runs[0]).episodes
    page = open_page(report, f"#episode={quote(episodes[1].task)}&run=random")
    page.locator(".card[data-step='1']").wait_for()
    assert page.locator("#overview").is_hidden()
    assert episodes[1].task_id in page.locator("#episode-title").inner_text()
    assert page.locator(".card[data-step]").count() == episodes[1].steps
    page.keyboard.press("ArrowRight")
    page.locator("#episode-title", has_text=episodes[2].task_id).wait_for()
    assert quote(episodes[2].task) in page.evaluate("location.hash")
    page.keyboard.press("ArrowLeft")
    page.locator("#episode-title", has_text=episodes[1].task_id).wait_for()
    page.keyboard.press("Escape")
    page.locator("#overview").wait_for(state="visible")
    assert page.evaluate("document.activeElement.matches('#episode-table a')")
    page.go_back()
    page.locator("#episode").wait_for(state="visible")


def test_a_click_opens_an_episode_with_its_map(open_page, report):
    page = open_page(report)
    page.locator("#filter-env").select_option(SUDOKU)
    page.locator("#filter-of").select_option("expert (privileged)")
    page.locator("#episode-table tbody a").first.click()
    page.locator(".card[data-step='1']").wait_for()
    canvas = page.locator(".map canvas")
    wait_for_pictures(page)  # they move the map
    canvas.scroll_into_view_if_needed()
    canvas.hover(position={"x": 60, "y": 90})
    text = page.locator(".map .readout").inner_text()
    assert text.startswith("step 2 “Row: ")
    assert "% similar" in text
    canvas.click(position={"x": 60, "y": 90})
    assert page.evaluate("document.activeElement.dataset.step") == "2"


def test_two_runs_stand_side_by_side(open_page, report):
    page = open_page(report)
    page.locator("#filter-of").select_option("random")
    page.locator("#episode-table tbody a").first.click()
    page.locator("#compare-with").select_option("expert (privileged)")
    page.locator(".side").nth(1).wait_for()
    names = page.locator(".side h3").all_inner_texts()
    assert names == ["random", "expert (privileged)"]
    assert page.locator(".goal").count() == 1
    wait_for_pictures(page)  # they move the cards
    place = "all => all.map(e => e.getBoundingClientRect()).map(({ x, y }) => [x, y])"
    (left, top), (right, other_top) = page.locator(".card.start").evaluate_all(place)
    assert top == other_top
    assert left < right
    assert "with=expert" in page.evaluate("location.hash")
    assert page.locator(".both canvas").count() == 1
    assert "first different action is that of step 1" in page.content()
    assert page.locator(".timeline").count() == 2
    second = page.locator(".card[data-step='1']").nth(1)
    assert second.get_attribute("aria-label") == "Step 1, expert (privileged)"
    page.locator(".charts > summary").click()
    page.locator(".map canvas").nth(1).click(position={"x": 40, "y": 40})
    focused = (
        "[document.activeElement.dataset.step, document.activeElement.dataset.run]"
    )
    assert page.evaluate(focused) == ["1", "1"]


def test_repeats_invalid_actions_and_subgoals_are_marked(open_page, stubborn, tmp_path):
    page = open_page(write_report([stubborn], tmp_path / "s.html"))
    # Its episodes have one difficulty, so that there is nothing to choose.
    assert page.locator("#filter-difficulty").is_hidden()
    outlined = page.locator(".stuck td.worst").locator("xpath=..").locator("th")
    assert outlined.all_inner_texts() == ["position 1"]
    page.locator("#episode-table tbody a").first.click()
    page.locator(".card[data-step='1']").wait_for()
    assert "invalid" in page.locator(".card[data-step='1'] .badge").inner_text()
    loop = page.locator("details.loop")
    assert loop.inner_text().startswith("Steps 2 to ")
    loop.locator("summary").click()
    badges = page.locator(".card[data-step='2'] .badge").all_inner_texts()
    assert badges == ["✕ invalid", "↻ repeats step 1"]
    assert page.locator(".subgoals li.missed").count() == 4
    assert page.locator("#compare-with").is_disabled()


def test_an_address_goes_down_to_a_step(open_page, stubborn, report, runs, tmp_path):
    task = load_run(stubborn).episodes[0].task
    stuck = write_report([stubborn], tmp_path / "s.html")
    page = open_page(stuck, f"#episode={quote(task)}&step=3")
    focused = "document.activeElement.dataset.step"
    # The step is in a folded loop, which is opened.
    page.locator(".card[data-step='3']").wait_for()
    wait_until(page, f"{focused} === '3'")
    page.keyboard.press("j")
    wait_until(page, f"{focused} === '4'")
    page.keyboard.press("k")
    page.keyboard.press("k")
    wait_until(page, f"{focused} === '2'")
    assert "step=2" in page.evaluate("location.hash")
    page.locator(".timeline li").nth(4).click()
    wait_until(page, f"{focused} === '5'")
    kinds = page.locator(".timeline li").evaluate_all(
        "all => all.map(e => e.className)"
    )
    assert kinds[0] == "invalid"
    assert set(kinds[1:]) == {"invalid repeated"}

    page = open_page(report)
    links = page.locator(".findings li a[href*='step=']")
    href = links.first.get_attribute("href")
    # As in Safari, where a click on a link does not focus it.
    links.first.evaluate("link => link.click()")
    page.locator(".card.open").wait_for()
    assert page.locator(".card.open").get_attribute("data-step") == href.split("=")[-1]
    page.keyboard.press("Escape")
    page.locator("#overview").wait_for(state="visible")
    assert links.first.evaluate("link => link === document.activeElement")


def test_an_episode_begins_with_its_steps_and_has_its_requests(open_page, tmp_path):
    run = play(tmp_path / "run", ids=(MASTERMIND,), episodes=1)

    def noted(record):
        record.pop("crc", None)
        if record["kind"] == "step":
            step = record["t"]
            record["notes"] = {"requests": [{"turns": step - 1}], "latency": 0.0778769}
            record["notes"]["finish_reason"] = "length" if step == 2 else "stop"
            if step == 1:
                record["notes"]["prompt"] = [{"role": "system", "content": "You play."}]

    rewrite(run, noted)
    (episode,) = load_run(run).episodes
    page = open_page(
        write_report([run], tmp_path / "r.html"), f"#episode={episode.task}"
    )
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    first = page.locator(".card[data-step='1']")
    first.wait_for()
    top = first.evaluate("e => e.getBoundingClientRect().top")
    assert top < page.viewport_size["height"]
    assert first.locator(".notes").inner_text() == "latency 0.0779 s"
    cut = page.locator(".card[data-step='2']")
    assert "answer cut" in cut.locator("h4").inner_text()
    assert "answers cut" in page.locator("#episode .facts").inner_text()
    assert page.locator(".timeline .cut").count() == 1
    cut.locator(".calls summary").click()
    cut.locator(".calls .label").nth(2).wait_for()
    labels = cut.locator(".calls .label").all_inner_texts()
    assert labels == ["system", "assistant", "user"]
    # They are below the picture of the step, and so as wide as the card.
    assert cut.locator(".calls").evaluate("e => getComputedStyle(e).clear") == "both"
    page.get_by_role("button", name="Copy as text: the episode").click()
    page.locator(".under-strip").get_by_text("copied").wait_for()
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.startswith(f"{MASTERMIND}: {episode.task_id} (random)\n")
    assert text.count("\n> ") == episode.steps


def test_found_text_is_marked_and_shown_first(open_page, report, runs):
    episodes = load_run(runs[0]).episodes
    task = [e.task for e in episodes if e.env == MASTERMIND][-1]
    asked = f"#episode={quote(task)}&run=random&text=your%20GUESS&inside=1"
    page = open_page(report, asked)
    page.locator(".card.open[data-step='1']").wait_for()
    marked = "[...CSS.highlights.get('found')].map(range => range.toString())"
    steps = page.locator(".card[data-step]").count()
    found = page.evaluate(marked)
    assert len(found) >= steps
    assert {text.lower() for text in found} == {"your guess"}
    page.keyboard.press("Escape")
    page.locator("#overview").wait_for(state="visible")
    # Opened by its address, it is left for its row.
    assert task in page.evaluate("decodeURIComponent(document.activeElement.hash)")
    assert not page.evaluate("CSS.highlights.has('found')")


def make_forgetful(record):
    if record["kind"] == "step":
        held = record["t"] == 2
        record["info"]["subgoals"] = {"found": held, "kept": record["t"] > 2}


def test_a_lost_subgoal_is_not_ticked(open_page, tmp_path):
    run = play(tmp_path / "run", ids=(MASTERMIND,), episodes=1, max_steps=4)
    rewrite(run, make_forgetful)
    page = open_page(write_report([run], tmp_path / "lost.html"))
    page.locator("#episode-table tbody a").first.click()
    lost = page.locator(".subgoals li.lost")
    lost.wait_for()
    assert lost.inner_text()[2:] == "found, at step 2, lost at step 3"
    assert page.locator(".subgoals li.reached").inner_text() == "✓ kept, at step 3"


def make_hostile(record):
    info = record.get("info", {})
    info["goal"] = HOSTILE
    info["feedback"] = HOSTILE
    if record["kind"] == "step":
        record["action"] = HOSTILE + "x" * 1_000_000
        info["extracted_action"] = HOSTILE
        record["notes"] = {"finish_reason": HOSTILE, "completion": HOSTILE}
    if "observation" in record:
        record["observation"] = HOSTILE + "y" * 1_000_000
    if "subgoals" in info:
        info["subgoals"] = {HOSTILE: True}


def test_hostile_text_is_shown_and_does_nothing(open_page, tmp_path):
    run = play(tmp_path / "run", ids=(MASTERMIND,), episodes=1, max_steps=4)
    rewrite(run, make_hostile)
    rows = jsonl.read(run / "episodes.jsonl").records
    rows[0].update(error=HOSTILE, traceback=HOSTILE, task_id=HOSTILE)
    (run / "episodes.jsonl").write_text(json.dumps(rows[0]) + "\n")
    what = json.loads((run / "run.json").read_text())
    what["agent"] = HOSTILE
    (run / "run.json").write_text(json.dumps(what))
    path = write_report([run], tmp_path / "hostile.html")
    assert path.stat().st_size < 1_000_000
    page = open_page(path)
    page.locator("#episode-table tbody a").first.click()
    page.locator(".card[data-step='4']").wait_for()
    for button in page.get_by_role("button", name="Show all").all()[:2]:
        button.click()
    shown = page.locator("body").inner_text()
    assert "</script><script>" in shown
    assert "␛[31mred" in shown
    assert "[U+202E]right to left" in shown
    assert "900," in shown  # about 900,000 characters of a megabyte are left out
    assert page.locator("main img:not(.picture img)").count() == 0
    assert page.locator("main script, main [onclick]").count() == 0
    assert "pwned" not in page.title().replace("document.title='pwned'", "")


def test_trajectories_in_a_folder_beside_the_page_open(open_page, runs, tmp_path):
    page = open_page(write_report(runs, tmp_path / "big.html", largest=1000))
    page.locator("#episode-table tbody a").first.click()
    page.locator(".card[data-step='1']").wait_for()


def test_a_step_shows_the_picture_of_its_state(open_page, runs, report):
    task = min(load_run(runs[0]).episodes, key=lambda e: e.env != SUDOKU).task
    page = open_page(report, f"#episode={quote(task)}&run=random&step=2")
    large = page.locator(".card.open img")
    large.wait_for()
    wait_for_pictures(page)
    assert large.evaluate("e => e.naturalWidth > 0 && e.clientWidth") > 300
    svg = large.get_attribute("src")
    page.keyboard.press("j")
    page.locator(".card.open[data-step='3']").wait_for()
    assert page.locator(".card.open img").get_attribute("src") != svg
    # A click or Enter shows it in full size, and again or Escape as before.
    start = page.locator(".card.start img")
    small = start.evaluate("e => e.clientHeight")
    start.click()
    assert start.evaluate("e => e.clientHeight") > small
    assert start.evaluate("e => e.naturalWidth - e.clientWidth") == 0
    for key, same in (("Escape", True), ("Enter", False), ("Enter", True)):
        page.keyboard.press(key)
        assert (start.evaluate("e => e.clientHeight") == small) is same
    page.keyboard.press("k")
    page.locator(".card.open[data-step='2']").wait_for()
    page.get_by_label("Compact").check()
    shown = "[...document.querySelectorAll('.card img')].filter(e => e.clientHeight)"
    wait_until(page, f"{shown}.length === 2")  # of the start, and open
    page.get_by_label("Compare with").select_option("expert (privileged)")
    page.locator(".card.open[aria-label='Step 2, expert (privileged)'] img").wait_for()
    page.locator(".card.open[aria-label='Step 2, random'] img").wait_for()


def test_a_wide_picture_has_a_row_of_its_own(open_page, tmp_path):
    run = play(tmp_path / "run", "expert", ("aq/ALFWorld-v0",))
    page = open_page(write_report([run], tmp_path / "wide.html"))
    page.locator("#episode-table tbody a").first.click()
    picture = page.locator(".card[data-step='1'] img")
    picture.wait_for()
    wait_for_pictures(page)
    # Its letters are as large as 11 pixels, below the action.
    assert picture.evaluate("e => e.clientWidth") > 500
    action = page.locator(".card[data-step='1'] .acted").bounding_box()
    assert action["y"] < picture.bounding_box()["y"]
    # A link to a step ends with it below the strip, when all pictures are in, too.
    page.evaluate("location.hash += '&step=3'")
    page.reload()
    wait_until(page, "document.activeElement.dataset.step === '3'")
    wait_for_pictures(page)
    wait_until(
        page,
        "Math.abs(document.activeElement.getBoundingClientRect().top - 8"
        " - document.querySelector('.timelines').getBoundingClientRect().bottom) < 1",
    )


def test_of_many_runs_the_best_have_colours(open_page, runs, tmp_path):
    folders = [shutil.copytree(runs[0], tmp_path / f"r{n}") for n in range(15)]
    folders += [shutil.copytree(runs[1], tmp_path / f"e{n}") for n in range(3)]
    page = open_page(write_report(folders, tmp_path / "report.html", pictures=0))
    # The sections are of the two agents, and an agent is compared with an agent.
    agents = ["expert (privileged) (3 runs)", "random (15 runs)"]
    for part in (".legend li", "#across tbody .run-name", ".stuck thead .run-name"):
        assert {*page.locator(part).all_inner_texts()} == {*agents}
    assert page.locator("#ranking > .lead").inner_text().startswith(agents[0])
    page.locator("#against").select_option("random in r2")
    assert page.locator("#baseline").input_value() == "expert (privileged) in e0"
    # Of two agents with several runs, there are two rows first.
    assert page.locator("#ranking #agents tbody tr:visible").count() == 2
    page.locator("#ranking > details > summary").click()
    table = page.locator("#ranking > details > .scroll table").first
    row = table.locator("tbody tr")
    assert row.count() == 18
    assert row.first.locator("th").inner_text() == "expert (privileged) in e0"
    assert row.first.bounding_box()["height"] < 45
    grey = table.locator(".run-16").all_inner_texts()
    assert grey == [f"random in r{n}" for n in range(13, 15)]
    shown = page.locator("#curves figcaption").first.text_content()
    assert shown.endswith(" of each agent")
    # How each agent fails, in the order of the ranking.
    lines = page.locator("#findings section:visible h3")
    assert lines.all_inner_texts() == agents
    page.locator("#filter-of").select_option(agents[0])
    assert lines.all_inner_texts() == agents[:1]
    # The best one is first, also where the runs keep the order in which they are given.
    few = [*folders[:2], *folders[15:17]]
    page = open_page(write_report(few, tmp_path / "few.html", pictures=0))
    first = page.locator("#agents tbody tr:visible th").first
    assert first.inner_text() == "expert (privileged) (2 runs)"
    # Environments in which no task differs are one row.
    page.locator("#against").select_option("random in r1")
    assert (
        page.locator("#differences caption")
        .inner_text()
        .startswith("random in r1 minus")
    )
    equal = page.locator("#equal-in").inner_text()
    assert equal == "equal in 3\tBabyAI-text, Mastermind, Sudoku"
    assert serious_problems(page, "light", alone=False) == []


def test_each_line_of_many_agents_has_the_findings_of_a_chosen_environment(
    open_page, runs, tmp_path
):
    folders = [shutil.copytree(runs[0], tmp_path / f"r{n}") for n in range(5)]
    for n, folder in enumerate(folders):
        manifest = json.loads((folder / "run.json").read_text())
        manifest["agent_params"] = {"t": n}
        (folder / "run.json").write_text(json.dumps(manifest))
    page = open_page(write_report(folders, tmp_path / "report.html", pictures=0))
    lines = page.locator(".told > li")
    worst = lines.first.locator("summary strong").inner_text()
    other = next(e for e in (SUDOKU, BABYAI) if worst not in e)
    page.locator("#filter-env").select_option(other)
    assert not any(worst in text for text in lines.all_inner_texts())
    # The first of what is chosen stands in the line, which opens to it and the rest.
    told = lines.first.locator("summary").inner_text()
    lines.first.locator("summary").click()
    assert lines.first.locator("li:visible").first.inner_text()[:30] in told
    shown = [lines.first.locator(f"{one}:visible").count() for one in ("li", ".proof")]
    assert shown[0] == shown[1]
    # Without a chosen environment, the line has the name of its own.
    page.locator("#filter-env").select_option("")
    page.locator("#filter-difficulty").select_option("hard")
    assert lines.first.locator("summary strong:visible").inner_text() in other


@pytest.mark.parametrize("width", [400, 1280, 2000])
def test_nothing_sticks_out_at_any_width(open_page, report, width):
    page = open_page(report, width=width)
    # On a telephone, the charts of each environment are folded.
    folded = page.locator("details.each:not([open])")
    assert folded.count() == (2 if width == 400 else 0)
    page.evaluate("document.querySelectorAll('.each').forEach(e => e.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width >= 1280:
        tables = "[...document.querySelectorAll('#overview .scroll')]"
        cut = "e => e.scrollWidth > e.clientWidth + 1"
        name = "e => e.getAttribute('aria-label')"
        assert page.evaluate(f"{tables}.filter({cut}).map({name})") == []
    page.locator("#episode-table tbody a").first.click()
    page.locator(".card[data-step='1']").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_theme_can_be_chosen(open_page, report):
    page = open_page(report, theme="dark")
    back = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(back)
    page.locator("#theme").select_option("light")
    assert page.evaluate(back) == "rgb(255, 255, 255)" != dark


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("view", ["overview", "episode", "leaderboard"])
def test_axe_finds_nothing_serious(open_page, report, runs, tmp_path, theme, view):
    if view == "leaderboard":
        report = write_leaderboard(runs, tmp_path / "board.html")
    page = open_page(report, theme=theme)
    if view == "episode":
        page.locator("#episode-table tbody a").first.click()
        page.locator(".card[data-step='1']").wait_for()
    assert serious_problems(page, theme) == []


def test_a_watched_run_refreshes_by_itself(browser, runs, tmp_path, monkeypatch):
    monkeypatch.setattr("aq_gym.report.live._LEAST_SECONDS", 0)
    monkeypatch.setattr("aq_gym.report.live._SHARE", 0)
    run = shutil.copytree(runs[0], tmp_path / "run")
    rows = (run / "episodes.jsonl").read_text().splitlines(keepends=True)
    (run / "episodes.jsonl").write_text("".join(rows[:4]))
    with UiServer(run.parent, "token", opened=[run]) as server:
        thread = threading.Thread(
            target=server.serve_forever, args=(0.02,), daemon=True
        )
        thread.start()
        context = browser.new_context()
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        asked, wrong = set(), []
        page.on("request", lambda request: asked.add(request.url))
        page.on("console", lambda message: wrong.append(message.text))
        address = f"http://127.0.0.1:{server.server_port}/"
        home = f"{address}token/{server.first}"
        page.goto(home)
        page.locator("#filter-outcome").select_option("running")
        assert page.locator("#list-count").inner_text().startswith("5 episodes")
        assert page.locator("#live").inner_text().startswith("4 of 9 episodes")
        page.locator("#filter-outcome").blur()
        # The page is updated in place, so it stays as the reader arranged it.
        page.evaluate("window.same = true")
        page.locator("#what-title ~ details > summary").click()
        opened = page.locator("#what-title ~ details").get_attribute("open")
        page.locator("#summary-table").scroll_into_view_if_needed()
        place = page.evaluate("scrollY")
        (run / "episodes.jsonl").write_text("".join(rows[:6]))
        page.locator("#list-count", has_text="3 episodes").wait_for()
        assert page.evaluate("[window.same, scrollY]") == [True, place]
        details = page.locator("#what-title ~ details")
        assert details.get_attribute("open") == opened
        assert page.locator("#filter-outcome").input_value() == "running"
        assert page.locator("#live").inner_text().startswith("6 of 9 episodes")
        # An episode that is being played is opened at its last step.
        page.locator("#episode-table tbody a").first.click()
        page.locator(".card.open").wait_for()
        steps = page.locator(".card[data-step]").count()
        assert page.locator(".card.open").get_attribute("data-step") == str(steps)
        # The status needs no new page.
        monkeypatch.setattr("aq_gym.report.live.LiveReport.status", lambda _: "soon")
        page.locator("#live span", has_text="soon").wait_for(state="attached")
        # A reader who has moved since is not moved.
        page.keyboard.press("Home")
        wait_until(page, "scrollY === 0")
        (run / "episodes.jsonl").write_text("".join(rows))
        page.locator("dl.facts", has_text="unsolved").wait_for()
        assert page.evaluate("scrollY") < 100
        page.keyboard.press("Escape")
        page.locator("#live", has_text="9 of 9 episodes").wait_for()
        assert "finished" in page.locator("#live").inner_text()
        assert serious_problems(page, "light", alone=False) == []
        context.close()
        server.shutdown()
        thread.join()
    assert any(one.startswith(f"{home}pictures/0/") for one in asked)
    asked = {one for one in asked if not one.startswith(f"{home}pictures/0/")}
    assert asked <= {home, f"{home}stamp", f"{address}favicon.ico"}
    assert wrong == []
