r"""Is ALFWorld's ``protocol="agentboard"`` the same as AgentBoard's own code?

See ``agentboard.py`` for what it needs; its interpreter needs ``alfworld==0.4.2`` and
``jsonlines`` instead. Plays official game files with several mixes of actions,
the same in AgentBoard's wrapper over TextWorld, and counts the steps at which the
observation, the reward, the end or the set of valid actions differ. Newer releases
of the games say "move X to Y" where AgentBoard's said "put X in/on Y": that wording is
translated for its side.

    python benchmarks/alfworld_agentboard.py --agentboard AgentBoard \
        --python ab/bin/python --games json_2.1.1/valid_train
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import gymnasium as gym
import numpy as np
from agentboard import AgentBoard, Mix, compare, mixes, parser

from aq_gym.envs.alfworld import AlfworldEnv
from aq_gym.envs.alfworld.protocol import patterns, read

STEPS = 30
INVALID = (
    "",
    "dance",
    "put apple 1 in fridge 1",
    "look around",
    "go to",
    "\N{SNOWMAN}",
)
UNKNOWN = ("go to moon 1", "take apple 99 from fridge 1", "open drawer 99")
CHECK = ("check valid actions", "look", "inventory")


def walk(board: AgentBoard, game: Path, seed: list[int], mix: Mix) -> Counter[str]:
    """Play one game in both, and count the differences."""
    env = gym.make(
        "aq/ALFWorld-v0",
        game=str(game),
        protocol="agentboard",
        instructions=False,
        max_episode_steps=STEPS + 1,
    )
    ours = env.unwrapped
    assert isinstance(ours, AlfworldEnv)
    rng = np.random.default_rng(seed)
    observation, info = env.reset(seed=0)
    moves = "You move the" in game.read_text("utf-8")
    subgoals = [_moved(one) if moves else one for one in patterns(ours.household.goal)]
    theirs = board.ask(game=str(game), subgoals=subgoals)
    shown = observation.split("\n\n")[1].split("\n")[0]
    counts = Counter(
        episodes=1,
        begin=shown != theirs["observation"],
        goal=theirs["goal"] != f"Your task is to: {info['goal']}",
    )
    for _ in range(STEPS):
        listed = {*ours.admissible_actions(), "look", "check valid actions"}
        counts["actions"] += listed != set(map(_put, theirs["actions"]))
        action = mix(rng, ours.admissible_actions(), ours.expert_action)
        result = env.step(action)
        theirs = board.ask(command=_move(read(action)) if moves else read(action))
        if compare(counts, result, theirs, _same):
            break
    counts["successes"] += theirs["done"]
    env.close()
    return counts


def _put(command: str) -> str:
    return re.sub(r"^move (.+) to (.+)$", r"put \1 in/on \2", command)


def _move(command: str) -> str:
    return re.sub(r"^put (.+) in/on (.+)$", r"move \1 to \2", command)


def _same(ours: str, theirs: str) -> bool:
    said = re.sub(r"^You move the (.+) to the (.+)\.$", r"You put the \1 in/on the \2.",
                  theirs)  # fmt: skip
    if ours.startswith("Choose an action"):
        listed = {_put(one) for one in said.partition(": ")[2].split(", ")}
        return set(ours.partition(": ")[2].split(", ")) == listed
    return ours == said


def _moved(pattern: str) -> str:
    """Translate the pattern of "put" for games with the command "move"."""
    return pattern.replace("You put", "You move").replace("in/on", "to")


def main() -> None:
    """Play both and print the counts."""
    options = parser(__doc__.splitlines()[0])
    options.add_argument("--games", type=Path, required=True, help="official games")
    arguments = options.parse_args()
    games = sorted(arguments.games.glob("**/game.tw-pddl"))
    with AgentBoard(arguments.python, arguments.agentboard) as board:
        for name, mix in mixes(arguments.mixes, INVALID, UNKNOWN, CHECK).items():
            total: Counter[str] = Counter()
            for number, game in enumerate(games):
                total += walk(board, game.resolve(), [number, arguments.seed], mix)
            print(name, dict(total), flush=True)


if __name__ == "__main__":
    main()
