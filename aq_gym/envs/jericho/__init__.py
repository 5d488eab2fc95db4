"""Jericho: interactive fiction with goals and subgoals (AgentBoard, section 3)."""

from aq_gym.envs.jericho.env import JerichoEnv

__all__ = ["JerichoEnv"]
