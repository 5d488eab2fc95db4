"""BrowserGym on a page of our own, in Debian's Chromium; .ci/foreign installs it."""

import json
import re
import shutil
from pathlib import Path

import gymnasium as gym
import pytest

import aq_gym
import aq_gym.trajectory
from aq_gym.wrappers import RepetitionRate, StepCap, SubgoalProgress, TrajectoryLogger

pytestmark = [
    pytest.mark.needs("module:browsergym", "chromium"),
    # Those of the packages are not ours.
    pytest.mark.filterwarnings("ignore"),
]
PAGE = """<!doctype html><title>Tea shop</title><h1>Tea shop</h1>
<label>Name <input id="who"></label><button onclick="
document.getElementById('answer').textContent =
    'Thank you, ' + document.getElementById('who').value
">Order</button><p id="answer"></p>"""
FAST = {"slow_mo": 0, "pre_observation_delay": 0.1}
SUBGOALS = {
    "typed": r"textbox 'Name'.*value='Ada'",
    "ordered": {"function": "aq_gym.adapters.subgoals:succeeded"},
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """Debian's Chromium where Playwright looks for its own, and a task on a page."""
    import browsergym.core
    import playwright
    from browsergym.core.registration import register_task
    from browsergym.core.task import AbstractBrowserTask

    folder = tmp_path_factory.mktemp("browser")
    (folder / "page.html").write_text(PAGE)
    listed = Path(playwright.__file__).parent / "driver/package/browsers.json"
    browsers = json.loads(listed.read_text())["browsers"]
    revision = next(b["revision"] for b in browsers if b["name"] == "chromium")
    place = folder / f"chromium-{revision}"
    (place / "chrome-linux").mkdir(parents=True)
    (place / "chrome-linux" / "chrome").symlink_to(shutil.which("chromium"))
    (place / "INSTALLATION_COMPLETE").touch()

    class TeaShop(AbstractBrowserTask):
        def setup(self, page):
            page.goto((folder / "page.html").as_uri())
            return "Order tea for Ada.", {}

        def validate(self, page, chat_messages):
            done = "Thank you, Ada" in page.inner_text("body")
            return float(done), done, "", {"orders": int(done)}

    register_task("teashop", TeaShop)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(folder))
        yield "browsergym:teashop"
        # Its event loop would stay in this thread.
        browsergym.core._get_global_playwright().stop()
        browsergym.core._set_global_playwright(None)
    del gym.registry["browsergym/teashop"]


@pytest.fixture
def env(shop):
    env = aq_gym.adapt(shop, arguments=FAST)
    yield env
    env.close()


def number_of(observation, what):
    return re.search(rf"\[(\d+)\] {what}", observation)[1]


def test_a_task_is_solved_with_all_wrappers(env, tmp_path):
    assert env.deterministic is False
    assert env.spec.nondeterministic
    wrapped = SubgoalProgress(RepetitionRate(env), SUBGOALS)
    wrapped = TrajectoryLogger(StepCap(wrapped, max_steps=9), str(tmp_path))
    seen, info = wrapped.reset(seed=0)
    assert "click(bid" in seen
    assert "Goal: Order tea for Ada." in seen
    assert info["success"] is False
    for odd in ("", "\x00", "\ud800", "import os", "click('no such')"):
        answer, reward, *_, info = wrapped.step(odd)
        assert (info["action_valid"], reward) == (False, 0.0)
        assert info["feedback"]
        assert info["feedback"] in answer
        assert "error" not in info
    name, order = (number_of(seen, what) for what in ("textbox", "button"))
    seen, *_, info = wrapped.step(f"fill('{name}', 'Ada')")
    assert info["action_valid"]
    assert info["progress"] == 0.5
    seen, reward, terminated, _, info = wrapped.step(f"click('{order}')")
    assert (reward, terminated, info["success"]) == (1.0, True, True)
    assert (info["progress"], info["orders"]) == (1.0, 1)
    assert "Thank you, Ada" in seen
    wrapped.close()
    (path,) = tmp_path.iterdir()
    for given in (None, wrapped):
        with pytest.raises(ValueError, match="declared nondeterministic"):
            aq_gym.trajectory.replay(path, given, trust=True)


def test_by_object_and_without_an_action_mapping(shop):
    env = gym.make("browsergym/teashop", **FAST)
    assert aq_gym.adapt(env, deterministic=True).deterministic is True
    with pytest.raises(ValueError, match="any text as Python"):
        aq_gym.adapt(gym.make("browsergym/teashop", action_mapping=None))


def test_a_missing_family_is_named(shop):
    with pytest.raises(gym.error.DependencyNotInstalled, match="browsergym-webarena"):
        aq_gym.adapt("browsergym:webarena.310")
