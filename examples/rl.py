"""Learn to solve text environments without a language model.

Run it: python examples/rl.py gripper --method clone+pg --minutes 3
"""

import argparse
import json
import os
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

try:
    import torch
except ImportError as error:
    from aq_gym.support.extras import pip_command

    raise SystemExit(f"examples/rl.py needs torch: {pip_command('rl')}") from error

from text_graph_agent.training import METHODS, REWARDS, TASKS, Run, train

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "task",
        nargs="?",
        default="gripper",
        help=f"{', '.join(TASKS)}, or an id: ID?key=value",
    )
    parser.add_argument("--method", default="clone", choices=METHODS)
    parser.add_argument("--reward", default="progress", choices=REWARDS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=0.2, help="of processor time")
    parser.add_argument("--demonstrations", type=int, default=4000, help="steps")
    parser.add_argument(
        "--cloning", type=float, default=0.3, help="cloning's share, in clone+pg"
    )
    parser.add_argument("--updates", type=int, help="a budget instead of --minutes")
    parser.add_argument("--episodes", type=int, default=100, help="of an evaluation")
    parser.add_argument("--output", help="a JSON Lines file that gets a row")
    arguments = vars(parser.parse_args())
    output = arguments.pop("output")
    torch.set_num_threads(1)
    row: dict[str, Any] = train(Run(**arguments))
    print(json.dumps(row))
    if output:
        with open(output, "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
