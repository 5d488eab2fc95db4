"""Requirements of tests outside Python, and the checkout as a fixture."""

import importlib.util
import os
import shutil
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

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
PROCESSES = {"check_other_process", "check_vector_async"}
# A game of 2048 has hundreds of steps.
LONG = {
    *("check_expert", "check_progress", "check_vector_sync"),
    *("check_misuse", "check_step_results"),
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
    """Mark the contract's checks that take seconds as slow, and shorten another."""
    for item in items:
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        check = getattr(parameters.get("check"), "__name__", "")
        processes = check in PROCESSES and "[aq/PDDL-v0-" not in item.name
        if processes or (check in LONG and "[aq/2048-v0-" in item.name):
            item.add_marker(pytest.mark.slow)
        # benchmarks/attacks/hostile_texts.py tries thousands of texts.
        if check == "check_any_text" and not item.get_closest_marker("slow"):
            parameters["check"] = partial(parameters["check"], examples=100)


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
