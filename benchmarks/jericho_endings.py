"""Are any story's end, victory and score what Jericho says they are?

Plays every story of a folder in Jericho and, without our annotations, in ours, side by
side: along the walkthrough that Jericho has for it, and along mixes of it with common
commands, each with Jericho's seed and with others. A walk ends where either says that
the story is over. Prints the counts for each story and every difference of a kind.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from aq_gym.envs.jericho.games import Game
from aq_gym.envs.jericho.logic import check_story, score_variable
from aq_gym.envs.jericho.moment import StoryFailedError
from aq_gym.envs.jericho.session import Session

SEEDS = (101, 2024, 77)
LONGEST_S = 60.0
MIXED = 150
_COMMANDS = """look;inventory;north;south;east;west;up;down;in;out;take all;drop all
open door;examine me;wait;xyzzy;score;jump;sing;kill me;attack me;help;info;wear all
diagnose;smell;listen;show $500;say hello;again;enter;exit"""
COMMANDS = tuple(_COMMANDS.replace("\n", ";").split(";"))
# What Jericho types before a story's walkthrough.
OPENINGS = {
    "hollywood": "turn statue west;turn statue east;turn statue north",
    "jewel": "bypass;yes",
    "lurking": "sit on chair;turn pc on;login 872325412;password uhlersoth",
    "partyfoul": "no",
    "seastalker": "John;Wayne;y",
}


class Walk(NamedTuple):
    """What is to be played.

    Attributes:
        path: The story file.
        kind: "walkthrough", "mixed" or "noisy".
        seed: The seed; None for the one of Jericho's walkthrough.
    """

    path: Path
    kind: str
    seed: int | None


def mix(commands: Sequence[str], kind: str, rng: random.Random) -> list[str]:
    """Return a walkthrough, a part of it and drawn commands, or both interleaved."""
    if kind == "walkthrough":
        return list(commands)
    if kind == "mixed":
        part = commands[: rng.randrange(len(commands) + 1)]
        return [*part, *rng.choices(COMMANDS, k=MIXED)]
    found: list[str] = []
    for command in commands:
        if rng.random() < 0.15:
            found.append(rng.choice(COMMANDS))
        if rng.random() >= 0.03:
            found.append(command)
    return found


def judge_and_commands(walk: Walk) -> tuple[Any, int, list[str]]:
    """Return Jericho's environment, the seed and what to type."""
    import jericho  # type: ignore[import-untyped, unused-ignore]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        known = jericho.FrotzEnv(str(walk.path)).bindings
        seed = known.get("seed", 0) if walk.seed is None else walk.seed
        judge = jericho.FrotzEnv(str(walk.path), seed=seed)
        commands = judge.get_walkthrough() if "walkthrough" in known else ()
    rng = random.Random(f"{walk.path.stem} {walk.kind} {walk.seed}")
    return judge, seed, mix(commands, walk.kind, rng)


def play(walk: Walk) -> Counter[str]:
    """Play a walk on both; count turns, scores and ends by whether they agree."""
    judge, seed, commands = judge_and_commands(walk)
    judge.reset()
    story = walk.path.read_bytes()
    check_story(story, checksum=False)
    name = walk.path.stem
    game = Game(name=name, story=story, score_variable=score_variable(story))
    session = Session(game)
    session.start(seed)
    for line in filter(None, OPENINGS.get(name, "").split(";")):
        session.say(line)
    counts: Counter[str] = Counter()
    try:
        for command in commands:
            if session.now.over:
                break
            _, _, _, info = judge.step(command)
            session.say(command)
            counts["turns"] += 1
            points = session.now.score.points
            told = "absent" if points is None else f"{points == info['score']}"
            counts[f"score {told}"] += 1
            if points not in (None, info["score"]):
                both = f"{points}, there {info['score']}"
                counts[f"  turn {counts['turns']}: {both}"] += 1
            over = bool(judge.game_over() or judge.victory())
            if over or session.now.over:
                counts[verdict(session, over, bool(judge.victory()))] += 1
                break
    except StoryFailedError as error:
        counts[f"failed: {error}"] += 1
    session.close()
    return counts


def verdict(session: Session, over: bool, victory: bool) -> str:
    """Return what both say of a story that one of them calls over."""
    now = session.now
    full = 0 < now.score.highest <= (now.score.points or 0)
    ours = "won" if now.over and (now.won or full) else "ended" if now.over else "on"
    theirs = "won" if victory else "ended" if over else "on"
    return f"end: {ours}, there {theirs}"


def walks(paths: Sequence[Path], seeds: Sequence[int]) -> Iterator[Walk]:
    """Yield every walk."""
    for path in paths:
        yield Walk(path, "walkthrough", None)
        for seed in seeds:
            for kind in ("walkthrough", "mixed", "noisy"):
                yield Walk(path, kind, seed)


def main() -> None:
    """Play all stories and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="a folder with story files")
    parser.add_argument("names", nargs="*", help="stories; all if none is named")
    parser.add_argument("--seeds", nargs="+", type=int, default=SEEDS)
    options = parser.parse_args()
    paths = sorted(options.folder.glob("*.z[3458]"))
    chosen = [p for p in paths if not options.names or p.stem in options.names]
    totals: dict[str, Counter[str]] = {}
    for walk in walks(chosen, options.seeds):
        # Some stories end Jericho's process or never return.
        with multiprocessing.get_context("fork").Pool(1) as pool:
            try:
                counts = pool.apply_async(play, (walk,)).get(LONGEST_S)
            except multiprocessing.TimeoutError:
                counts = Counter({"no answer": 1})
        totals.setdefault(walk.path.stem, Counter()).update(counts)
    everything: Counter[str] = Counter()
    for name, counts in totals.items():
        shown = {k: n for k, n in counts.items() if not k.startswith(" ")}
        print(name, shown, *[k for k in counts if k.startswith(" ")][:3], flush=True)
        everything.update(shown)
    print(dict(everything))


if __name__ == "__main__":
    main()
