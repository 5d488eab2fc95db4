"""Measure the floor of each setting of the packaged suites: what chance gets.

Run: python tools/floors.py
It writes aq_gym/evaluation/floors.json: by setting, the mean progress of a random agent
(or of a silent one, if that is more) over twenty episodes with seeds from 0, which
:func:`aq_gym.testing.audit.floor_of` plays. Settings that are measured are kept.
"""

from __future__ import annotations

import json
from pathlib import Path

import aq_gym
from aq_gym.evaluation import Suite
from aq_gym.testing import Case
from aq_gym.testing.audit import floor_of

SUITES = ("quick", "standard", "ladder", "agentquest-paper", "full")
FILE = Path(aq_gym.__file__).parent / "evaluation" / "floors.json"
_EPISODES = 20


def main() -> None:
    """Measure the settings that the file does not have."""
    known = json.loads(FILE.read_text()) if FILE.exists() else {}
    tasks = {task.setting: task for name in SUITES for task in Suite.load(name).tasks}
    for setting, task in tasks.items():
        # Another measure of progress has another floor.
        if setting not in known and task.progress == "progress":
            case = Case(task.id, dict(task.kwargs))
            known[setting] = round(floor_of(case, _EPISODES, task.cap), 3)
            FILE.write_text(json.dumps(known, indent=0, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
