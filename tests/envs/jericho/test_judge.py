"""Jericho is the judge: equal texts, ends, scores and memory on all lines."""

import importlib
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from aq_gym.envs.jericho.games import ADVENTURES, known_titles

pytestmark = pytest.mark.needs("module:jericho")


@pytest.fixture
def played(root, monkeypatch):
    """Return a function that plays a story in both, and returns what differs."""
    monkeypatch.syspath_prepend(root / "benchmarks" / "judges")
    harness, stories = map(importlib.import_module, ("harness", "stories"))
    judge = stories.Stories(Namespace(papers=Path(), show=3))
    judge.steps = 100

    def play(path, mix, seed=None):
        path = stories.DATA / f"{path}.z5" if path in ADVENTURES else Path(path)
        task = judge.task(path, seed or stories.published(path)[1])
        with harness.Child(sys.executable, judge.child) as child:
            counts, _ = harness.play(judge, child, task, mix)
        assert counts["steps"] > 4
        return counts.keys() & {*harness.FACTS, "memory"}

    return play


@pytest.mark.parametrize("mix", ["expert", "random"])
@pytest.mark.parametrize("name", ADVENTURES)
def test_our_adventures(played, name, mix):
    assert not played(name, mix)


@pytest.mark.parametrize("mix", ["expert", "random"])
@pytest.mark.parametrize("name", sorted(known_titles()))
def test_known_titles(played, title, name, mix):
    assert not played(title(name), mix)


@pytest.mark.parametrize("seed", [7, 12, 2_000])
def test_the_random_streams_are_equal(played, seed):
    """Our adventures place things at random as they begin."""
    assert not played("museum", "random", seed)
