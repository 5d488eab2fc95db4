"""Requirements of tests outside Python, and the checkout as a fixture."""

import importlib.util
import os
import shutil
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from rating_judges import judge  # noqa: F401 (a fixture)
from scripted_server import serve  # noqa: F401 (a fixture)

# How long an example takes says how busy the machine is, not whether it is right.
# Hypothesis chooses the examples: the same each time where CI is set, else new ones.
settings.register_profile(
    "untimed",
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("untimed")

ROOT = Path(__file__).parents[1]
# What .ci/foreign and .ci/integrations install in environments of their own, and
# .ci/run does not.
FOREIGN = {
    f"module:{name}"
    for name in ("browsergym", "nltk", "scienceworld", "textarena", "torch")
}
# Of the extras dev and build, or slow to import: the fast tests need none of them.
SECOND = {
    f"module:{name}"
    for name in (
        *("alfworld", "datasets", "jericho", "minari", "networkx", "playwright"),
        *("pyarrow", "scipy", "tensorboard", "wandb", "ziglang"),
    )
}
PROCESSES = {"check_other_process", "check_vector_async"}
# A game of 2048 has hundreds of steps; the planners and the valid actions of a story
# take up to a second.
LONG = {
    "[aq/2048-v0-": {
        *("check_expert", "check_progress", "check_vector_sync"),
        *("check_misuse", "check_step_results", "check_two_envs"),
    },
    "[aq/PDDL-v0-": {
        *("check_copies", "check_info", "check_interleaved", "check_progress"),
        *("check_state", "check_step_results", "check_two_envs"),
    },
    "[aq/Jericho-v0-": {
        *("check_canonical_actions", "check_expert", "check_info"),
        *("check_listed_actions", "check_step_results", "check_two_envs"),
    },
}


def pytest_configure(config):
    config.addinivalue_line(
        "markers",
        "needs(*names): skip unless each is there: a program on the PATH, or "
        "'module:NAME'. With AQ_GYM_TEST_ALL=1 a missing one is a failure; one that "
        ".ci/foreign or .ci/integrations installs is, with AQ_GYM_TEST_FOREIGN=1.",
    )


@pytest.hookimpl(tryfirst=True)  # before the tests are chosen by their markers
def pytest_collection_modifyitems(items):
    """Mark what takes seconds or needs a judge as slow, and shorten a check."""
    for item in items:
        if any(SECOND & {*marker.args} for marker in item.iter_markers("needs")):
            item.add_marker(pytest.mark.slow)
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        check = getattr(parameters.get("check"), "__name__", "")
        processes = check in PROCESSES and "[aq/ALFWorld-v0-" not in item.name
        if processes or any(i in item.name and check in LONG[i] for i in LONG):
            item.add_marker(pytest.mark.slow)
        # benchmarks/attacks/hostile_texts.py tries thousands of texts.
        if check == "check_any_text" and not item.get_closest_marker("slow"):
            parameters["check"] = partial(parameters["check"], examples=30)


def pytest_runtest_setup(item):
    for marker in item.iter_markers("needs"):
        missing = [name for name in marker.args if not _is_there(name)]
        if missing:
            why = f"needs {', '.join(missing)}"
            tier = "FOREIGN" if set(missing) <= FOREIGN else "ALL"
            if os.environ.get(f"AQ_GYM_TEST_{tier}") == "1":
                pytest.fail(why, pytrace=False)
            pytest.skip(why)


def _is_there(name):
    kind, _, module = name.partition(":")
    if kind == "module":
        return importlib.util.find_spec(module) is not None
    return shutil.which(name) is not None


@pytest.fixture(scope="session")
def root():
    """The checkout."""
    return ROOT
