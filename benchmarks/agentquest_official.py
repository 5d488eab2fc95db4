r"""Are AgentQuest's own instances played and judged here as by its own drivers?

Plays the suite ``agentquest-official`` in both, with the same texts of an agent:
AgentQuest's drivers read them with ``step_raw``, ours with ``ExtractAction``. Counted
are the steps at which the output, success, the end (``can_proceed``) or the progress
differ, and the episodes whose repetitions, or the progress in ``metrics.export``,
differ. What is expected to differ has a count of its own:

- ``words``: an answer out of range, which pydantic explains in its own words.
- ``ours``: repeated texts that its parser refuses, which are no actions of its metrics.
- ``lost``: a full, wrong board of Sudoku, which its driver calls a success.

Keys of Cipher are ours, and its dictionary of Wordle is replaced by ours, as both are
drawn or installed. ALFWorld needs ``alfworld``, and ``--alfworld`` a folder with
``logic`` and some games with their ``initial_state.pddl``; its driver writes into it.

    git clone https://github.com/nec-research/agentquest
    pip install pydantic termcolor Levenshtein alfworld
    python benchmarks/agentquest_official.py agentquest [--alfworld FOLDER]
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gymnasium as gym
import numpy as np

import aq_gym  # noqa: F401 (registers the ids)
from aq_gym.envs.cipher.logic import ciphers
from aq_gym.evaluation import Suite, Task
from aq_gym.wrappers import ExtractAction, RepetitionRate

# The share of the expert's actions in a mix.
MIXES = {"random": 0.0, "mixed": 0.5, "expert": 1.0}
REPEATED = 0.1
ODD = 0.2
STEPS = 60
NINE = range(0, 81, 9)
GOALS = ("code", "word", "plaintext")
NAMES = {"Mastermind": "MasterMind", "ALFWorld": "AlfWorld"}
NONSENSE = ("", "help", "check valid actions", "I give up", "Guess 12", "Row: 1")


def driver_of(task: Task, env: Any) -> Any:
    """Make AgentQuest's driver of a task."""
    name = task.id.removeprefix("aq/").removesuffix("-v0")
    module = importlib.import_module(f"agentquest.benchmarks.{name.lower()}.driver")
    make = getattr(module, f"{NAMES.get(name, name)}Driver")
    world = env.unwrapped
    goal = next((task.kwargs[key] for key in GOALS if key in task.kwargs), "")
    if name == "Wordle":
        known = world._lexicon.known
        module.WordleUtils.is_valid_english_word = lambda w: w in known or w == goal
    if name == "Sudoku":
        rows = [list(task.kwargs["puzzle"].replace(".", "*")[k : k + 9]) for k in NINE]
        (solution,) = world.secrets()
        return make([list(solution[k : k + 9]) for k in NINE], rows)
    if name == "ALFWorld":
        folder = Path(os.environ["ALFWORLD_DATA"]) / "json_2.1.1" / task.kwargs["game"]
        return make(str(folder))
    if name == "Cipher":
        driver = make(goal, task.kwargs["cipher"], task.kwargs["threshold"])
        given = parameters(world._cryptogram.instance.key)
        driver.cipher_class.generate_random_parameters = staticmethod(lambda: given)
        return driver
    return make(goal)


def parameters(key: Any) -> dict[str, Any]:
    """Return a key as AgentQuest has it."""
    match key:
        case ciphers.Caesar(shift):
            return {"shift": shift, "shift_direction": "right"}
        case ciphers.Affine(a, b):
            return {"a": a, "b": b}
        case ciphers.Vigenere(keyword):
            return {"key": keyword}
        case ciphers.RailFence(rails):
            return {"num_rails": rails}
        case ciphers.Adfgvx(square, keyword):
            return {"key": square.upper(), "grid_key": keyword.upper()}
    return {}


def odd(text: str, other: str, rng: np.random.Generator) -> str:
    """Write an action in another way, as an answer with two, or another text."""
    name, _, value = text.partition(": ")
    forms = (
        text.upper(),
        f"I think so.\n{text} in the end",
        f"{name}:{value}",
        f"{name}:   {value}{value}",
        f"{name}: {value[:1]}",
        f"{name}: 00{value}",
        f"{name}: \u00e9\u00e9{value}",
        f"{text}\n{name}: x",
        text.replace("Value: ", "Value: 1").replace("Row: ", "Row: 9"),
        f"<think>{other}? No.</think>\n**{text}**",
        f"My action: `{text}`\n{other}",
        f'{{"action": "{text}"}}',
        f"Observation: lost\n```\n{text}\n```\n{other}",
        *NONSENSE,
    )
    return str(forms[int(rng.integers(len(forms)))])


def drawn(task: Task, env: Any, rng: np.random.Generator) -> str:
    """Draw an action; in Sudoku any digit in any cell, so that many are refused."""
    if task.id == "aq/Sudoku-v0":
        row, column, value = (int(n) for n in rng.integers(0, 10, size=3))
        return f"Row: {row}, Column: {column}, Value: {value}"
    if task.id == "aq/Cipher-v0":
        text = list(task.kwargs["plaintext"])
        for place in rng.integers(len(text), size=int(rng.integers(len(text)))):
            text[place] = "x"
        return f"Plain Text: {''.join(text)}"
    return str(env.unwrapped.sample_action(rng))


def texts(
    task: Task, env: Any, expert: float, rng: np.random.Generator
) -> Iterator[str]:
    """Yield what an agent says."""
    said: list[str] = []
    while True:
        if said and rng.random() < REPEATED:
            text = said[int(rng.integers(len(said)))]
        elif rng.random() < expert:
            text = env.unwrapped.expert_action()
        else:
            text = drawn(task, env, rng)
        if expert < 1 and rng.random() < ODD:
            text = odd(text, said[-1] if said else text, rng)
        said.append(text)
        yield text


def walk(task: Task, expert: float, number: int, show: bool) -> Counter[str]:
    """Play one task in both, and count the differences."""
    inner = RepetitionRate(gym.make(task.id, **task.kwargs), compare_to="all")
    env: Any = ExtractAction(inner)
    env.reset(seed=number)
    driver = driver_of(task, env)
    # Its driver of ALFWorld writes the game anew, with one of several sentences.
    observation, info = env.reset(seed=number)
    theirs = driver.reset()
    metrics, rng = driver.metrics, np.random.default_rng(number)
    key = task.progress
    counts: Counter[str] = Counter(episodes=1)
    counts["start"] += observation != theirs.output
    if key == "agentquest_progress":
        start = metrics.progress_function(driver.current_state)
        counts["start progress"] += abs(info[key] - start) > 1e-9
    progresses: list[float] = []
    unread: list[str] = []
    said = texts(task, env, expert, rng)
    for _ in range(STEPS):
        text = next(said)
        before = len(metrics.interactions)
        observation, _, over, _, info = env.step(text)
        theirs = driver.step_raw(text)
        counts["steps"] += 1
        acted = len(metrics.interactions) > before
        if not acted:
            unread.append(env.unwrapped.canonical_action(text))
        else:
            progresses.append(info[key])
        progress = metrics.progress_function(driver.current_state)
        counts["progress"] += abs(info[key] - progress) > 1e-9
        counts["end"] += over == theirs.can_proceed
        lost = over and not info["success"] and task.id == "aq/Sudoku-v0"
        counts["lost"] += lost
        counts["success"] += info["success"] != (theirs.success and not lost)
        if "errors.pydantic.dev" in theirs.output:
            counts["words"] += 1
        elif observation != theirs.output:
            counts["output"] += 1
            if show:
                print(repr(text), observation, "---", theirs.output, sep="\n")
        if over or not theirs.can_proceed:
            break
    settings = {"theta_a": 1.0, "num_execution_steps": STEPS}
    exported = metrics.export(repetition_function_kwargs=settings)
    near = np.allclose(exported["progress"], progresses) if progresses else True
    counts["exported progress"] += not near
    repeated = round(exported["repetition_rate"] * (STEPS - 1))
    own = len(unread) - len(set(unread))
    counts["ours"] += own
    counts["repetitions"] += info["repetitions"] - own != repeated
    counts["solved"] += info["success"]
    env.close()
    return counts


def households(folder: Path) -> list[Task]:
    """Return AgentQuest's games of ALFWorld that are in a folder, or else any others.

    Suites have those of AgentQuest's list; its drivers play any.
    """
    os.environ["ALFWORLD_DATA"] = str(folder)
    root = folder / "json_2.1.1"
    module = importlib.import_module("agentquest.benchmarks.alfworld.driver")
    names = []
    for file in sorted(root.rglob("initial_state.pddl")):
        # Some games are not solvable for its planner, as its notebook says.
        with contextlib.suppress(KeyError):
            # It writes the file that ours reads.
            module.AlfWorldDriver(str(file.parent)).reset()
            names.append(str(file.parent.relative_to(root)))
    kwargs = {"protocol": "agentquest"}
    return [
        Task("aq/ALFWorld-v0", 0, {"game": name, **kwargs}, 60, "", "plan_progress")
        for name in names
    ]


def main() -> None:
    """Play the suite and print the counts of each benchmark and mix."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path, help="a checkout of AgentQuest")
    parser.add_argument("--limit", type=int, default=340, help="how many instances")
    parser.add_argument("--alfworld", type=Path, help="games of ALFWorld")
    parser.add_argument("--only", default="", help="one benchmark")
    parser.add_argument("--show", action="store_true", help="print what differs")
    options = parser.parse_args()
    os.environ["AGENTQUEST_DATA"] = str(options.checkout)
    if options.alfworld:
        os.environ["ALFWORLD_DATA"] = str(options.alfworld)
    sys.path.insert(0, str(options.checkout))
    # Wordle's dictionary is a library in C.
    sys.modules.setdefault("enchant", SimpleNamespace())  # type: ignore[arg-type]
    tasks = list(Suite.load("agentquest-official").tasks[: options.limit])
    if options.alfworld:
        tasks = [task for task in tasks if task.id != "aq/ALFWorld-v0"]
        with contextlib.redirect_stdout(io.StringIO()):
            tasks += households(options.alfworld)
    for name in dict.fromkeys(task.id for task in tasks):
        for mix, share in MIXES.items():
            total: Counter[str] = Counter()
            for number, task in enumerate(tasks):
                if task.id == name and options.only in name:
                    quiet = sys.stdout if options.show else io.StringIO()
                    with contextlib.redirect_stdout(quiet):
                        total.update(walk(task, share, number, options.show))
            if total:
                print(name, mix, {k: n for k, n in total.items() if n}, flush=True)


if __name__ == "__main__":
    main()
