"""Does any damaged story, state or line crash the Z-machine?

    python benchmarks/attacks/zmachine_fuzz.py --stories 10000 --lines 1000000
        --states 2000

- Damaged stories: bits are flipped in stories at hand, in the header, the tables, the
  code or anywhere, and 20 commands are typed.
- Hostile lines: any text, control characters, long and broken ones, to whole stories.
- Damaged states: bytes of packed states are changed, with a checksum made right again.

Fails if anything raises what it should not, a step takes longer than two seconds, or a
file is left behind. Prints what became of them.
"""

from __future__ import annotations

import argparse
import os
import random
import struct
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import aq_gym.envs.jericho
from aq_gym.zmachine import (
    Interpreter,
    StateError,
    Status,
    StoryError,
)

ADVENTURES = Path(aq_gym.envs.jericho.__file__).parent / "data"
BUDGET = 5_000_000
SLOWEST = 2.0
COMMANDS_A_STORY = 20
LINES_A_STORY = 1_000
_WORDS = """look north south east west take drop open close all lamp box door read
examine wait inventory undo save restore restart quit yes no x . , ; it again g oops
script verify me in under with and then"""
WORDS = tuple(_WORDS.split())


class Clock:
    """Remembers the slowest call, in processor time."""

    def __init__(self) -> None:
        self.slowest = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Time the block."""
        start = time.thread_time()
        yield
        self.slowest = max(self.slowest, time.thread_time() - start)


def hostile_line(rng: random.Random) -> str:
    """Return a line of words, of any characters, or of extreme length."""
    dice = rng.random()
    if dice < 0.6:
        return " ".join(rng.choices(WORDS, k=rng.randrange(7)))
    if dice < 0.75:
        return "".join(chr(rng.randrange(0x180)) for _ in range(rng.randrange(80)))
    if dice < 0.85:
        return "".join(chr(rng.randrange(0x110000)) for _ in range(rng.randrange(20)))
    if dice < 0.9:
        return rng.choice(WORDS)[:1] * rng.randrange(3_000)
    return " ".join(rng.choices(WORDS, k=rng.randrange(100)))


def damage(story: bytes, rng: random.Random) -> bytes:
    """Return a story with bits flipped in its header, memory, code or anywhere."""
    damaged = bytearray(story)
    static = int.from_bytes(story[0x0E:0x10], "big")
    high = int.from_bytes(story[0x04:0x06], "big")
    ranges = (1, len(story)), (64, static), (1, 64), (high, len(story))
    first, last = rng.choice([r for r in ranges if r[0] < r[1]])
    flips = rng.choice((1, 4, 16, 64, 256, 1024)) if last - first > 64 else 4
    for _ in range(flips):
        damaged[rng.randrange(first, last)] ^= 1 << rng.randrange(8)
    return bytes(damaged)


def damaged_story(story: bytes, rng: random.Random, clock: Clock) -> str:
    """Play a damaged story, and return the outcome."""
    try:
        with clock.running():
            machine = Interpreter(damage(story, rng), budget=BUDGET)
    except StoryError:
        return "refused"
    with clock.running():
        answer = machine.start(rng.getrandbits(64))
    for _ in range(COMMANDS_A_STORY):
        if answer.status not in (Status.LINE, Status.KEY):
            break
        with clock.running():
            answer = machine.step(hostile_line(rng))
        if rng.random() < 0.05:
            machine.upper_window()
            packed = machine.pack(machine.snapshot())
            machine.restore(machine.unpack(packed))
    machine.close()
    return answer.error or f"alive or ended ({answer.status.name})"


def hostile_lines(story: bytes, rng: random.Random, clock: Clock, count: int) -> str:
    """Type hostile lines, and return "" or an error of the story's."""
    machine = Interpreter(story, budget=BUDGET)
    answer = machine.start(rng.getrandbits(64))
    if answer.status not in (Status.LINE, Status.KEY):
        return "no line is asked for"
    begun = machine.snapshot()
    for _ in range(count):
        line = hostile_line(rng)
        with clock.running():
            answer = machine.step(line)
        if answer.status == Status.FAILED:
            return answer.error
        if answer.status == Status.HALTED:
            machine.restore(begun)
    machine.close()
    return ""


def damaged_state(story: bytes, rng: random.Random, clock: Clock) -> str:
    """Damage a packed state, mostly with the right checksum, and try to continue."""
    machine = Interpreter(story, budget=BUDGET)
    machine.start(1)
    for _ in range(3):
        if machine.status in (Status.LINE, Status.KEY):
            machine.step(rng.choice(WORDS))
    packed = machine.pack(machine.snapshot())
    try:
        snapshot = machine.unpack(_damage_packed(packed, rng))
    except StateError:
        return "refused"
    machine.restore(snapshot)
    for _ in range(COMMANDS_A_STORY):
        if machine.status not in (Status.LINE, Status.KEY):
            return machine.status.name
        with clock.running():
            machine.step(hostile_line(rng))
    return "alive"


def _damage_packed(packed: bytes, rng: random.Random) -> bytes:
    head, body = bytearray(packed[:16]), bytearray(packed[16:])
    if rng.random() < 0.2:
        body[rng.randrange(len(body))] ^= 1 << rng.randrange(8)
        return bytes(head + body)
    content = bytearray(zlib.decompress(bytes(body)))
    last = rng.choice((300, len(content)))
    for _ in range(rng.choice((1, 2, 8))):
        content[rng.randrange(last)] = rng.randrange(256)
    struct.pack_into("<II", head, 8, zlib.crc32(content), len(content))
    return bytes(head) + zlib.compress(bytes(content), 1)


def run(
    title: str,
    attack: Callable[[bytes, random.Random, Clock], str],
    stories: list[bytes],
    count: int,
    seed: int,
) -> bool:
    """Attack repeatedly, print the outcomes, and return whether all were fine."""
    clock, became = Clock(), Counter[str]()
    for number in range(count):
        rng = random.Random(f"{title} {seed} {number}")
        became[attack(rng.choice(stories), rng, clock)] += 1
    print(f"{title}: {count}; the slowest call took {clock.slowest:.3f} s")
    for result, times in became.most_common():
        print(f"    {times:8} {result}")
    return clock.slowest < SLOWEST


def main() -> int:
    """Run all attacks."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path, help="more story files")
    parser.add_argument("--stories", type=int, default=200, help="damaged stories")
    parser.add_argument("--lines", type=int, default=20_000, help="hostile lines")
    parser.add_argument("--states", type=int, default=100, help="damaged states")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    paths = sorted(ADVENTURES.glob("*.z5"))
    for folder in arguments.folders:
        paths += sorted(folder.glob("*.z[3458]"))
    stories = [path.read_bytes() for path in paths]
    lines = min(LINES_A_STORY, arguments.lines)

    def type_lines(story: bytes, rng: random.Random, clock: Clock) -> str:
        return hostile_lines(story, rng, clock, lines) or f"{lines} lines heard"

    Interpreter(stories[0]).start(1)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        seed, whole = arguments.seed, arguments.lines // lines
        well = [
            run("damaged stories", damaged_story, stories, arguments.stories, seed),
            run("stories with hostile lines", type_lines, stories, whole, seed),
            run("damaged states", damaged_state, stories, arguments.states, seed),
        ]
        left = os.listdir(folder)
        print(f"files left: {left}")
        well.append(not left)
        os.chdir("/")
    print("all is well" if all(well) else "FAILED")
    return 0 if all(well) else 1


if __name__ == "__main__":
    sys.exit(main())
