"""Experiment trackers that follow a run: TensorBoard, Weights & Biases."""

from aq_gym.report.trackers.tracker import TRACKERS, RunTracker, Trackers

__all__ = ["TRACKERS", "RunTracker", "Trackers"]
