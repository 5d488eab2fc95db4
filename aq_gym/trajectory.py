"""Read and replay the trajectories that ``TrajectoryLogger`` writes.

Meant to be used by its name: ``aq_gym.trajectory.read(path)``.
"""

from aq_gym.wrappers.replay import ReplayReport, replay
from aq_gym.wrappers.trajectory_file import Trajectory, read
from aq_gym.wrappers.trajectory_file import iter_trajectories as iter

__all__ = ["ReplayReport", "Trajectory", "iter", "read", "replay"]
