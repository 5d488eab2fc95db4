"""Jericho is the judge: equal texts, memory and objects over a hundred commands."""

import importlib
import runpy

import pytest

from aq_gym.envs.jericho.games import known_titles

pytestmark = pytest.mark.needs("module:jericho")

OURS = (
    "bathyscaphe",
    "clockwork",
    "ferry",
    "keepsakes",
    "lighthouse",
    "maze",
    "mine",
    "museum",
)


@pytest.fixture(scope="module")
def judge(root):
    """Names of the judge of the Z-machine and of its module for texts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(root / "benchmarks" / "judges")
        names = runpy.run_path(
            str(root / "benchmarks" / "judges" / "zmachine_judge.py")
        )
        return names | vars(importlib.import_module("zmachine_texts"))


def compare(judge, path):
    for walk in judge["walks"](path, count=100, seeds=1):
        unexplained = zip(walk.turns, walk.kinds, strict=True)
        assert not [turn for turn, kind in unexplained if not kind]
        assert not walk.objects_that_differ
        assert not walk.bytes_that_differ
        assert len(walk.turns) > 10


@pytest.mark.parametrize("name", OURS)
def test_our_adventures(judge, name):
    compare(judge, judge["ADVENTURES"] / f"{name}.z5")


@pytest.mark.parametrize("name", sorted(known_titles()))
def test_known_titles(judge, title, name):
    compare(judge, title(name))


@pytest.mark.parametrize("seed", [1, 7, 12, 2_000])
def test_the_random_streams_are_equal(judge, seed, tmp_path):
    """Our adventures place things at random as they begin."""
    walk = judge["play"](judge["ADVENTURES"] / "museum.z5", ["y", "look"], seed)
    assert all(walk.kinds)
    assert not walk.objects_that_differ
