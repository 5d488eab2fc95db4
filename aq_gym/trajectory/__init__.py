"""The trajectory format, shared by ``TrajectoryLogger``, evaluation and report.

Use it by its name: ``aq_gym.trajectory.read(path)``.
"""

from aq_gym.trajectory.packed import pack
from aq_gym.trajectory.reader import Trajectory, iter_trajectories, read
from aq_gym.trajectory.replay import ReplayReport, pictures, replay

__all__ = [
    "ReplayReport",
    "Trajectory",
    "iter_trajectories",
    "pack",
    "pictures",
    "read",
    "replay",
]
