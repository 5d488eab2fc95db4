"""A clone of the random agent, with TRL's trainer for supervised fine-tuning."""

from typing import Any

from datasets import Dataset
from trl import SFTConfig, SFTTrainer

from smollm2.missions import one_step_seeds, play_random

__all__ = ["clone_random"]

_BATCH = 8


def clone_random(
    model: Any, tokenizer: Any, steps: int, settings: dict[str, Any]
) -> None:
    """Train the model on first actions of the random agent.

    Args:
        model: The model.
        tokenizer: Its tokenizer.
        steps: The optimizer steps, each with 8 actions.
        settings: Arguments of both trainers.
    """
    seeds = one_step_seeds("train", _BATCH * steps)
    rows = [play_random(seed, "train")[0] for seed in seeds]
    settings = {"per_device_train_batch_size": _BATCH, **settings}
    args = SFTConfig(max_steps=steps, learning_rate=1e-4, **settings)
    data = Dataset.from_list(rows)
    SFTTrainer(model, args, train_dataset=data, processing_class=tokenizer).train()
