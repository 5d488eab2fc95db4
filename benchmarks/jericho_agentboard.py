r"""Is Jericho's ``protocol="agentboard"`` the same as AgentBoard's own code?

See ``agentboard.py`` for what it needs; its interpreter needs ``jericho`` instead.
Plays the twenty titles in both, with three of the walkthrough's own sentences as
annotated subgoals, along the walkthroughs that jericho publishes, with drawn commands,
and with the mixes of :data:`MIXES`. Counts for each mix the episodes whose goal differs
and the steps at which the observation, the reward, the validity or the end differ. An
observation that differs for one of the reasons that :func:`explained` names is counted
under it, and the others are printed. First observations are not compared: AgentBoard's
are written by hand. Nor is the list of valid actions: AgentBoard's is jericho's, ours
is not.

    python benchmarks/jericho_agentboard.py --agentboard AgentBoard \\
        --python ab/bin/python --games jericho-game-suite
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import gymnasium as gym
from agentboard import AgentBoard, parser
from zmachine_judge import Jericho, drawn, name_of_nothing, walkthrough

from aq_gym.envs.jericho.actions import session_problem
from aq_gym.envs.jericho.env import JerichoEnv
from aq_gym.envs.jericho.games import known_titles

STEPS = 100
PATTERNS, LEAST_LETTERS, MOST_LETTERS = 3, 12, 40
# Ours lists actions for the first; the second opens menus, at which jericho takes a
# line for several keys.
LEFT_OUT = ("help", "info")
CHECK = "check valid actions"
INVALID = ("", ".", "#$%", '"look"', "'take all'", "caf\u00e9", "\u65e5\u672c", "*what",
           "look!", "look?", "frobnicate", "@", "$500", "north; south",
           "1")  # fmt: skip
UNKNOWN = ("take the unicorn", "examine zqxqz", "put moon in sun", "open the abyss",
           "ask nobody about nothing", "give crown to king")  # fmt: skip


def noisy(commands: Sequence[str], rng: random.Random) -> list[str]:
    """Replace a tenth of the commands, and put others between them."""
    return mixed(
        [c if rng.random() > 0.1 else drawn(rng.randrange(99), 1)[0] for c in commands],
        drawn(rng.randrange(99), 20),
        rng,
    )


def mixed(
    commands: Sequence[str], others: Sequence[str], rng: random.Random
) -> list[str]:
    """Put one of the others before every third command."""
    return [
        line
        for command in commands
        for line in ([rng.choice(others)] if rng.random() < 1 / 3 else []) + [command]
    ]


def misspelled(commands: Sequence[str], rng: random.Random) -> list[str]:
    """Change the case, the blanks or a letter of each command."""

    def misspell(command: str) -> str:
        place = rng.randrange(len(command) + 1)
        return rng.choice(
            (
                command.upper(),
                command.title(),
                f"  {command.replace(' ', '   ')} ",
                command[:place] + command[place - 1 :] if place else f"{command}!",
                command[:place] + command[place + 1 :],
            )
        )

    return [misspell(command) for command in commands]


MIXES: dict[str, Callable[[Sequence[str], random.Random], list[str]]] = {
    "expert": lambda known, rng: list(known),
    "random": lambda known, rng: drawn(rng.randrange(999), STEPS),
    "noisy expert": noisy,
    "invalid": lambda known, rng: mixed(known, INVALID, rng),
    "check valid actions": lambda known, rng: mixed(known, [CHECK], rng),
    "unknown objects": lambda known, rng: mixed(known, UNKNOWN, rng),
    "odd spelling": misspelled,
    "after the end": lambda known, rng: [*known, *drawn(rng.randrange(999), STEPS)],
}


def parsed(action: str) -> str:
    """Return what AgentBoard's loop makes of a line before it steps."""
    return " ".join(re.split("[,.]", action, maxsplit=1)[0].split(" ")[:20])


def walk(
    board: AgentBoard, title: str, games: Path, commands: list[str], patterns: list[str]
) -> Counter[str]:
    """Play a title in both, and count the differences."""
    env = gym.make(
        "aq/Jericho-v0",
        game=title,
        games=str(games),
        protocol="agentboard",
        patterns=patterns,
        instructions=False,
        max_episode_steps=10_000,
    )
    ours = env.unwrapped
    assert isinstance(ours, JerichoEnv)
    _, info = env.reset(seed=0)
    path = games / known_titles()[title]["file"]
    theirs = board.ask(title=title, file=str(path.resolve()), patterns=patterns)
    story = path.read_bytes()
    nameless = name_of_nothing(story, Jericho(story, story[0], 1).memory())
    counts = Counter(episodes=1, goal=info["goal"] != theirs["goal"])
    for command in commands:
        dictionary = ours._manager.session.dictionary
        if session_problem(parsed(command), dictionary) or command in LEFT_OUT:
            continue
        observation, _, done, _, info = env.step(command)
        theirs = board.ask(line=parsed(command))
        counts["steps"] += 1
        upper = ours._manager.session.interpreter.upper_window()
        why = explained(observation, theirs["observation"], upper, nameless)
        if command != CHECK:
            counts[why] += why != "equal"
        if why == "observation" and command != CHECK:
            print(title, repr(command), repr(observation), repr(theirs["observation"]))
        counts["reward"] += info.get("agentboard_reward", 0.0) != theirs["reward"]
        counts["valid"] += info["action_valid"] != theirs["valid"]
        counts["end"] += done != theirs["done"]
        if done != theirs["done"]:
            print(title, repr(command), "ends", done, repr(theirs["observation"]))
        if done or theirs["done"]:
            counts["ended"] += 1
            break
    env.close()
    return counts


def explained(ours: str, theirs: str, upper: tuple[str, ...], nameless: str) -> str:
    """Return why two observations differ, "observation" if unexplained."""
    ours, theirs = " ".join(ours.split()), " ".join(theirs.split())
    shown = "".join("".join(upper).split())
    if ours == theirs:
        return "equal"
    if theirs == f"{ours} >":
        return "prompt not cut by jericho"
    if ours.startswith(theirs):
        return "end cut by jericho"
    rest = "".join(theirs[len(ours) :].split()).lstrip(">")
    # Jericho has the rows in the order in which the story wrote their parts.
    if theirs.startswith(ours) and (rest in shown or sorted(rest) == sorted(shown)):
        return "upper window shown by jericho"
    if theirs.replace(" ".join(nameless.split()), "") == ours:
        return "name of object 0"
    return "observation"


def texts(board: AgentBoard, title: str, games: Path, commands: list[str]) -> list[str]:
    """Return parts of three observations of a walk, as annotated subgoals."""
    path = games / known_titles()[title]["file"]
    board.ask(title=title, file=str(path.resolve()), patterns=["no such text"])
    said = [board.ask(line=parsed(command))["observation"] for command in commands[:30]]
    found = [text[:MOST_LETTERS].strip() for text in said if len(text) > LEAST_LETTERS]
    return list(dict.fromkeys(found))[:: max(1, len(found) // PATTERNS)][:PATTERNS]


def main() -> None:
    """Play both and print the counts."""
    options = parser(__doc__.splitlines()[0])
    options.add_argument("--games", type=Path, required=True, help="the story files")
    options.add_argument("--seeds", type=int, default=2, help="walks of each mix")
    arguments = options.parse_args()
    total: dict[str, Counter[str]] = {mix: Counter() for mix in MIXES}
    with AgentBoard(arguments.python, arguments.agentboard) as board:
        for title, notes in known_titles().items():
            known = walkthrough(arguments.games / notes["file"])
            patterns = texts(board, title, arguments.games, known)
            for mix, make in MIXES.items():
                for seed in range(arguments.seeds if mix != "expert" else 1):
                    # To the story's own end, not only to the subgoals.
                    wanted = ["no such text"] if mix == "after the end" else patterns
                    commands = make(known, random.Random(f"{title} {mix} {seed}"))
                    longest = None if mix == "after the end" else STEPS
                    walked = walk(
                        board, title, arguments.games, commands[:longest], wanted
                    )
                    total[mix] += walked
    for mix, counts in total.items():
        print(mix, dict(counts))


if __name__ == "__main__":
    main()
