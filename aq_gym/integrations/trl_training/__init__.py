"""TRL: episodes for ``GRPOTrainer``, as ``rollout_func`` or ``environment_factory``.

With ``trl`` installed beside aq_gym::

    from trl import GRPOTrainer
    from aq_gym.integrations.trl_training import Rollouts, env_tasks, progress_reward

    trainer = GRPOTrainer(
        model,
        reward_funcs=progress_reward,
        train_dataset=env_tasks("aq/Mastermind-v0", range(1000), split="train"),
        rollout_func=Rollouts(max_tokens=64),
    )
"""

from gymnasium.error import DependencyNotInstalled

from aq_gym.support.extras import pip_command

try:
    import datasets as _datasets  # noqa: F401 (to name the extra)
    import trl as _trl  # noqa: F401
except ModuleNotFoundError as error:
    raise DependencyNotInstalled(
        f"{__name__} needs {error.name}: {pip_command('trl')}"
    ) from error

from aq_gym.integrations.trl_training.datasets import (
    env_tasks,
    progress_reward,
    sampled_tasks,
    success_reward,
    suite_tasks,
)
from aq_gym.integrations.trl_training.rollouts import Rollouts
from aq_gym.integrations.trl_training.tool_env import ActEnv, tool_env

__all__ = [
    "ActEnv",
    "Rollouts",
    "env_tasks",
    "progress_reward",
    "sampled_tasks",
    "success_reward",
    "suite_tasks",
    "tool_env",
]
