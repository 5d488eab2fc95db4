"""PDDL: planning domains played as text (AgentBoard, NeurIPS 2024)."""

from aq_gym.envs.pddl.env import PDDLEnv

__all__ = ["PDDLEnv"]
