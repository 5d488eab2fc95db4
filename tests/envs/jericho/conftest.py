"""Fixtures: story files that the package cannot include, and sessions of adventures."""

import os
from pathlib import Path

import pytest

from aq_gym.envs.jericho.games import ADVENTURES, find_game, known_titles
from aq_gym.envs.jericho.session import Session


@pytest.fixture(scope="session")
def games(root, tmp_path_factory):
    """The folder of known titles; a test that uses it is skipped without it.

    It is called ``jericho`` and leads to ``$AQ_GYM_TEST_STORIES``, or to the folder
    beside the checkout that has four.
    """
    beside = root.parent, root.parents[1]
    folders = [parent / "shared" / "data" / "jericho" for parent in beside]
    if named := os.environ.get("AQ_GYM_TEST_STORIES"):
        link = tmp_path_factory.mktemp("data") / "jericho"
        link.symlink_to(Path(named).resolve())
        folders = [link]
    for folder in folders:
        if (folder / "zork1.z5").exists():
            return folder
    pytest.skip("needs the story files in AQ_GYM_TEST_STORIES")


@pytest.fixture(scope="session")
def title(games):
    """Return the path of a known title; its test is skipped where it is missing."""

    def title(name):
        path = games / known_titles()[name]["file"]
        if not path.exists():
            pytest.skip(f"needs {path.name} in AQ_GYM_TEST_STORIES")
        return path

    return title


@pytest.fixture(scope="module")
def sessions():
    """A session of each adventure."""
    opened = {name: Session(find_game(name)) for name in ADVENTURES}
    yield opened
    for session in opened.values():
        session.close()


@pytest.fixture
def play(sessions):
    """Type lines, separated by "; ", from the start of a layout; return the reply.

    The last line must be understood.
    """

    def play(game, line, layout=1):
        session = sessions[game]
        session.start(layout)
        for command in line.split("; "):
            reply = session.do(command)
        assert reply.understood, f"{game}: {command}: {reply.text}"
        return " ".join(reply.text.split())

    return play
