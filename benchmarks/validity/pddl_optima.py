"""How much longer than the shortest plans are the expert's?

    python benchmarks/validity/pddl_optima.py FAST_DOWNWARD --seeds 10

FAST_DOWNWARD is the script ``fast-downward.py`` of a build of Fast Downward, which the
interpreter of ``--python`` runs. It searches with A* and landmark cuts; problems whose
optimum takes more than ``--limit`` seconds are left out.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import mean

from aq_gym.envs.pddl.expert import Expert
from aq_gym.envs.pddl.instance import Instance
from aq_gym.envs.pddl.library import DIFFICULTIES, domain_names
from aq_gym.envs.pddl.sources import GeneratedProblems


def optimum(instance: Instance, options: argparse.Namespace) -> int | None:
    """Return the length of a shortest plan, None if none was found in time."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("domain", "problem"):
            text = getattr(instance, f"{name}_pddl")
            Path(folder, f"{name}.pddl").write_text(text, "utf-8")
        limit = ["--overall-time-limit", f"{options.limit}s"]
        search = ["domain.pddl", "problem.pddl", "--search", "astar(lmcut())"]
        command = [options.python, options.fast_downward, *limit, *search]
        subprocess.run(command, cwd=folder, capture_output=True, check=False)
        found = Path(folder, "sas_plan")
        if not found.exists():
            return None
        return sum(line.startswith("(") for line in found.read_text().splitlines())


def row(name: str, difficulty: str, options: argparse.Namespace) -> str:
    """Compare the plans of a setting, and return the row of the table."""
    problems = GeneratedProblems(name, difficulty, "all", None)
    ratios = []
    for number in range(options.seeds):
        instance = problems.get(f"{name}:{difficulty}-{number}")
        if best := optimum(instance, options):
            plan = Expert(instance.task).plan(instance.task.init)
            ratios.append(len(plan) / best)
    shown = f"{mean(ratios):.3f} | {max(ratios):.2f}" if ratios else "- | -"
    found = f"{len(ratios)} of {options.seeds} | {shown} | {ratios.count(1)}"
    return f"| {name} | {difficulty} | {found} |"


def main() -> None:
    """Print a row for each domain and difficulty."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fast_downward", help="the script fast-downward.py")
    parser.add_argument("--python", default=sys.executable, help="its interpreter")
    parser.add_argument("--seeds", type=int, default=10, help="(%(default)s)")
    parser.add_argument("--limit", type=int, default=60, help="seconds (%(default)s)")
    parser.add_argument("--domains", nargs="*", default=domain_names())
    options = parser.parse_args()
    print("| domain | difficulty | optimum found | ratio | most | optimal |")
    print("|---|---|---|---|---|---|")
    for name in options.domains:
        for difficulty in DIFFICULTIES:
            print(row(name, difficulty, options), flush=True)


if __name__ == "__main__":
    main()
