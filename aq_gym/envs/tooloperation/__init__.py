"""Tasks that change a to-do list or a workbook with tools."""

from aq_gym.envs.tooloperation.env import ToolOperationEnv

__all__ = ["ToolOperationEnv"]
