"""Logs as runs: ATIF (Harbor), Inspect, tau2, and folders of TrajectoryLogger.

:func:`import_logs` writes a run's directory, which report, score, compare and
leaderboard read.
"""

from __future__ import annotations

from aq_gym.importers.convert import import_logs, read_log
from aq_gym.importers.episode import LoggedEpisode, Said

__all__ = ["LoggedEpisode", "Said", "import_logs", "read_log"]
