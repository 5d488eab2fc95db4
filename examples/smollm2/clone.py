"""Clone the random agent with TRL's trainer for supervised fine-tuning."""

from typing import Any

import torch
from datasets import Dataset
from torch.nn.functional import cross_entropy
from trl import SFTConfig, SFTTrainer

from smollm2.missions import one_step_seeds, play_random

_BATCH = 8
_IGNORED = -100


class _Trainer(SFTTrainer):  # type: ignore[misc]
    """A trainer that computes the logits of the completions only.

    TRL's own trainer also computes those of the prompts, unless it has a GPU.
    """

    def compute_loss(
        self,
        model: Any,
        inputs: dict[str, torch.Tensor],
        return_outputs: bool = False,
        num_items_in_batch: Any = None,
    ) -> torch.Tensor:
        """Return the mean loss of the tokens of the completions."""
        labels = inputs.pop("labels")
        first = int((labels != _IGNORED).any(dim=0).nonzero()[0])
        # A token is predicted at the position before it.
        kept = labels.shape[1] - first + 1
        logits = model(**inputs, use_cache=False, logits_to_keep=kept).logits[:, :-1]
        return cross_entropy(logits.flatten(0, 1).float(), labels[:, first:].flatten())


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
    _Trainer(model, args, train_dataset=data, processing_class=tokenizer).train()
