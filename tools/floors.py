"""Measure the floor of each setting of the packaged suites: what chance gets.

Run: python tools/floors.py [SUITE ...]
It writes aq_gym/evaluation/floors.json: by setting, the mean progress of a random agent
(or of a silent one, if that is more) over twenty episodes with seeds from 0, which
:func:`aq_gym.testing.audit.floor_of` plays. Settings that are measured are kept, and
those whose data are not installed are left out.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import gymnasium as gym

import aq_gym
from aq_gym.evaluation import Suite
from aq_gym.evaluation.suite import packaged_suites
from aq_gym.testing import Case
from aq_gym.testing.audit import floor_of

FILE = Path(aq_gym.__file__).parent / "evaluation" / "floors.json"
_EPISODES = 20
_MISSING = (FileNotFoundError, gym.error.Error)


def main() -> None:
    """Measure the settings that the file does not have."""
    known = json.loads(FILE.read_text())
    names = sys.argv[1:] or packaged_suites()
    tasks = {task.setting: task for name in names for task in Suite.load(name).tasks}
    for setting in sorted(tasks.keys() - known.keys()):
        task = tasks[setting]
        # Another measure of progress has another floor.
        if task.progress != "progress":
            continue
        try:
            floor = floor_of(Case(task.id, dict(task.kwargs)), _EPISODES, task.cap)
        except _MISSING as error:
            sys.stderr.write(f"{setting}: {error!s:.80}\n")
            continue
        known[setting] = round(floor, 3)
        FILE.write_text(json.dumps(known, indent=0, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
