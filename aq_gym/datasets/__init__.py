"""Write datasets of episodes from runs or from experts.

``aq-gym export`` and ``aq-gym demonstrations`` are the commands;
``docs/datasets.md`` describes the formats.
"""

from aq_gym.datasets.demonstrations import corrections, demonstrations
from aq_gym.datasets.played import Played, PlayedTurn, chat_record, step_rows
from aq_gym.datasets.runs import played_episodes
from aq_gym.datasets.write import FORMATS, write

__all__ = [
    "FORMATS",
    "Played",
    "PlayedTurn",
    "chat_record",
    "corrections",
    "demonstrations",
    "played_episodes",
    "step_rows",
    "write",
]
