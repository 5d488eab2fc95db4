"""Does any damaged story or state crash the Z-machine, or take long?

Bits of the stories at hand are flipped, in the header, the tables, the code or
anywhere, and 20 commands are typed; or bytes of a packed state are changed, mostly with
a right checksum. No story may take two seconds of processor time or leave a file.
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
from pathlib import Path

import aq_gym.envs.jericho
from aq_gym.zmachine import Answer, Interpreter, StateError, Status, StoryError

ADVENTURES = Path(aq_gym.envs.jericho.__file__).parent / "data"
BUDGET = 5_000_000
MOST_SECONDS = 2.0
COMMANDS = 20
_WORDS = """look north south east west take drop open close all lamp box door read
examine wait inventory undo save restore restart quit yes no x . , ; it again g oops
script verify me in under with and then"""
WORDS = _WORDS.split()


def hostile_line(rng: random.Random) -> str:
    """Return a line of words, of any characters, or of extreme length."""
    return rng.choice(
        [
            " ".join(rng.choices(WORDS, k=rng.randrange(7))),
            " ".join(rng.choices(WORDS, k=rng.randrange(100))),
            "".join(chr(rng.randrange(0x180)) for _ in range(rng.randrange(80))),
            "".join(chr(rng.randrange(0x110000)) for _ in range(rng.randrange(20))),
            rng.choice(WORDS)[:1] * rng.randrange(3_000),
        ]
    )


def damaged_story(story: bytes, rng: random.Random) -> bytes:
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


def damaged_state(packed: bytes, rng: random.Random) -> bytes:
    """Return a packed state with other bytes, and mostly a right checksum."""
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


def play(machine: Interpreter, rng: random.Random) -> str:
    """Type commands, and return what became of the story."""
    answer: Answer | None = None
    for _ in range(COMMANDS):
        if machine.status not in (Status.LINE, Status.KEY):
            break
        answer = machine.step(hostile_line(rng))
        machine.upper_window()
    return (answer.error if answer else "") or f"alive or ended ({machine.status.name})"


def attack(story: bytes, rng: random.Random, damages_state: bool) -> str:
    """Play a damaged story or from a damaged state, and return what became of it."""
    try:
        data = story if damages_state else damaged_story(story, rng)
        machine = Interpreter(data, budget=BUDGET)
        machine.start(rng.getrandbits(64))
        if damages_state:
            packed = machine.pack(machine.snapshot())
            machine.restore(machine.unpack(damaged_state(packed, rng)))
    except (StoryError, StateError):
        return "refused"
    outcome = play(machine, rng)
    machine.close()
    return outcome


def main() -> int:
    """Attack, and print what became of the stories."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path, help="more story files")
    parser.add_argument("--stories", type=int, default=200, help="%(default)s")
    parser.add_argument("--states", type=int, default=100, help="%(default)s")
    parser.add_argument("--seed", type=int, default=1, help="%(default)s")
    options = parser.parse_args()
    paths = sorted(ADVENTURES.glob("*.z5"))
    for folder in options.folders:
        paths += sorted(folder.glob("*.z[3458]"))
    stories = [path.read_bytes() for path in paths]
    rng, became, slowest = random.Random(options.seed), Counter[str](), 0.0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for number in range(options.stories + options.states):
            start = time.thread_time()
            became[attack(rng.choice(stories), rng, number >= options.stories)] += 1
            slowest = max(slowest, time.thread_time() - start)
        left = os.listdir(folder)
        os.chdir("/")
    for outcome, times in became.most_common():
        print(f"{times:8} {outcome}")
    well = not left and slowest < MOST_SECONDS
    print(
        f"seed {options.seed}: {options.stories} stories, {options.states} states, the "
        f"slowest took {slowest:.2f} s, files left: {left}: "
        f"{'all is well' if well else 'FAILED'}"
    )
    return int(not well)


if __name__ == "__main__":
    sys.exit(main())
