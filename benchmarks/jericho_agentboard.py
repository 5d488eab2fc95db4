r"""Is Jericho's ``protocol="agentboard"`` the same as AgentBoard's own code?

See ``agentboard.py`` for what it needs; its interpreter needs ``jericho`` instead.
Plays the twenty titles along the walkthroughs that jericho publishes and with drawn
commands, the same in both, with three of the walkthrough's own sentences as annotated
subgoals, and counts the steps at which the observation, the reward, the validity or the
end differ. An observation that differs for one of the reasons that :func:`explained`
names is counted under it, and the others are printed. First observations are not
compared: AgentBoard's are written by hand. Its list of valid actions is jericho's, ours
is not, so that nobody asks for it.

    python benchmarks/jericho_agentboard.py --agentboard AgentBoard \\
        --python ab/bin/python --games jericho-game-suite
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import gymnasium as gym
from agentboard import AgentBoard, parser
from zmachine_judge import Jericho, drawn, name_of_nothing, walkthrough

from aq_gym.envs.jericho.actions import read_line
from aq_gym.envs.jericho.agentboard import read
from aq_gym.envs.jericho.env import JerichoEnv
from aq_gym.envs.jericho.games import known_titles

STEPS = 100
PATTERNS, LEAST_LETTERS, MOST_LETTERS = 3, 12, 40
# Ours lists actions for the first; the second opens menus, at which jericho takes a
# line for several keys.
LEFT_OUT = ("help", "info")


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
        max_episode_steps=STEPS + 1,
    )
    ours = env.unwrapped
    assert isinstance(ours, JerichoEnv)
    _, info = env.reset(seed=0)
    path = games / known_titles()[title]["file"]
    theirs = board.ask(title=title, file=str(path.resolve()), patterns=patterns)
    story = path.read_bytes()
    nameless = name_of_nothing(story, Jericho(story, story[0], 1).memory())
    counts = Counter(episodes=1, goal=info["goal"] != theirs["goal"].strip())
    for command in commands:
        length = ours._manager.session.word_length
        if read_line(read(command), length).problem or command in LEFT_OUT:
            continue
        observation, _, done, _, info = env.step(command)
        theirs = board.ask(line=read(command))
        counts["steps"] += 1
        upper = ours._manager.session.interpreter.upper_window()
        why = explained(observation, theirs["observation"], upper, nameless)
        counts[why] += why != "equal"
        if why == "observation":
            print(title, repr(command), repr(observation), repr(theirs["observation"]))
        counts["reward"] += info.get("agentboard_reward", 0.0) != theirs["reward"]
        counts["valid"] += info["action_valid"] != theirs["valid"]
        counts["end"] += done != theirs["done"]
        if done or theirs["done"]:
            break
    env.close()
    return counts


def explained(ours: str, theirs: str, upper: tuple[str, ...], nameless: str) -> str:
    """Return why two observations differ, "observation" if unexplained."""
    ours, theirs = " ".join(ours.split()), " ".join(theirs.split())
    shown = " ".join(" ".join(upper).split())
    if ours == theirs:
        return "equal"
    if theirs == f"{ours} >":
        return "prompt not cut by jericho"
    if theirs == ours[:-1]:
        return "last character cut by jericho"
    if theirs.startswith(ours) and theirs[len(ours) :].strip() in shown:
        return "upper window shown by jericho"
    if theirs.replace(" ".join(nameless.split()), "") == ours:
        return "name of object 0"
    return "observation"


def texts(board: AgentBoard, title: str, games: Path, commands: list[str]) -> list[str]:
    """Return parts of three observations of a walk, as annotated subgoals."""
    path = games / known_titles()[title]["file"]
    board.ask(title=title, file=str(path.resolve()), patterns=["no such text"])
    said = [board.ask(line=read(command))["observation"] for command in commands[:30]]
    found = [text[:MOST_LETTERS].strip() for text in said if len(text) > LEAST_LETTERS]
    return list(dict.fromkeys(found))[:: max(1, len(found) // PATTERNS)][:PATTERNS]


def main() -> None:
    """Play both and print the counts."""
    options = parser(__doc__.splitlines()[0])
    options.add_argument("--games", type=Path, required=True, help="the story files")
    options.add_argument("--seeds", type=int, default=2, help="walks of drawn commands")
    arguments = options.parse_args()
    total: dict[str, Counter[str]] = {"walkthrough": Counter(), "drawn": Counter()}
    with AgentBoard(arguments.python, arguments.agentboard) as board:
        for title, notes in known_titles().items():
            known = walkthrough(arguments.games / notes["file"])[:STEPS]
            patterns = texts(board, title, arguments.games, known)
            walks = [("walkthrough", known)]
            walks += [("drawn", drawn(n, STEPS)) for n in range(1, arguments.seeds + 1)]
            for kind, commands in walks:
                total[kind] += walk(board, title, arguments.games, commands, patterns)
    for kind, counts in total.items():
        print(kind, dict(counts))


if __name__ == "__main__":
    main()
