"""Minari datasets of episodes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import gymnasium as gym
from gymnasium.spaces import Text

from aq_gym.datasets.played import Played
from aq_gym.support.extras import load

_FOLDER = "MINARI_DATASETS_PATH"


def write_minari(episodes: Iterable[Played], path: Path) -> None:
    """Write a Minari dataset for each environment and split.

    Its id is ``aq/NAME/SPLIT-v0``, with the environment's id in place of NAME. The
    spaces are Gymnasium's ``Text`` with the characters and lengths that occur. Actions
    are recorded as they were passed to the environment.

    Args:
        episodes: The episodes.
        path: The folder of datasets, as in Minari's ``MINARI_DATASETS_PATH``.

    Raises:
        gymnasium.error.DependencyNotInstalled: If Minari is missing.
    """
    groups: dict[tuple[str, str], list[Played]] = {}
    for played in episodes:
        groups.setdefault((played.env, played.split), []).append(played)
    path.mkdir()
    with _folder(path):
        for (env_id, split), members in groups.items():
            _write(_name(env_id, split), env_id, members)


def _write(name: str, env_id: str, members: Sequence[Played]) -> None:
    minari = load("minari", "this format", "minari")
    from minari.data_collector import EpisodeBuffer

    spec = gym.spec(env_id)
    buffers = [
        EpisodeBuffer(
            id=number,
            seed=played.seed,
            observations=_observations(played),
            actions=[_text(turn.action) for turn in played.turns],
            rewards=[turn.reward for turn in played.turns],
            terminations=[turn.terminated for turn in played.turns],
            truncations=[turn.truncated for turn in played.turns],
            infos={},
        )
        for number, played in enumerate(members)
    ]
    minari.create_dataset_from_buffers(
        name,
        buffers,
        env=spec,
        eval_env=spec,
        observation_space=_space([t for one in buffers for t in one.observations]),
        action_space=_space([t for one in buffers for t in one.actions]),
        algorithm_name=", ".join(sorted({played.agent for played in members})),
        description=f"Settings: {', '.join(sorted({p.setting for p in members}))}",
        author="aq_gym",
        author_email="",
        code_permalink="",
    )


def _observations(played: Played) -> list[str]:
    return [
        _text(played.observation),
        *(_text(turn.observation) for turn in played.turns),
    ]


def _text(text: str) -> str:
    # A text in HDF5 ends at the first null character.
    return text.replace("\0", "\ufffd")


def _space(texts: Sequence[str]) -> Text:
    characters = "".join(sorted(set().union(*texts))) or " "
    lengths = [len(text) for text in texts]
    return Text(max(1, *lengths), min_length=min(lengths), charset=characters)


def _name(env_id: str, split: str) -> str:
    slug = re.sub(r"[^A-Za-z0-9]+", "_", env_id.partition("/")[2] or env_id)
    return f"aq/{slug}/{split}-v0"


@contextmanager
def _folder(path: Path) -> Iterator[None]:
    """Let Minari write to a folder until the end of the block."""
    before = os.environ.get(_FOLDER)
    os.environ[_FOLDER] = os.fspath(path.absolute())
    try:
        yield
    finally:
        if before is None:
            del os.environ[_FOLDER]
        else:
            os.environ[_FOLDER] = before
