"""Does our Z-machine play as Jericho's does? Compare texts, memory and object trees.

Every story is played with the walkthrough that Jericho has for it, or our recorded
solution, and with drawn commands, by both, with the same seed of the same generator. A
walkthrough has the seed with which Jericho publishes it.

Jericho recognizes its titles by their hash, cuts off their prompts and types their
first commands. Both play a copy of which a byte of the header that no story uses is
changed, so that Jericho plays it like any other; we type the commands.

Prints for each walk how many answers were equal and how many differ for one of the
reasons that ``zmachine_texts.py`` names, and whether memory was equal but for what the
story copied from the header, where each interpreter says what it is.
All else is printed, and the exit status is then 1. Each walk has a process, because
some end Jericho's or never return from it; those walks are counted by themselves.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import multiprocessing
import random
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from zmachine_texts import Turn, kinds

import aq_gym.envs.jericho
from aq_gym.envs.jericho.logic import Memory
from aq_gym.envs.jericho.logic.story_file import decode
from aq_gym.zmachine import Interpreter, Status, Stream

ADVENTURES = Path(aq_gym.envs.jericho.__file__).parent / "data"
SEED = 1_237
HEADER, UNUSED, SERIAL = 64, 0x39, slice(0x12, 0x18)
READ_CHAR = 246
LONGEST_S = 120.0
# What stories copy from the header: the standard's revision (1.0 for Jericho, 1.1 for
# us), the screen's height (232 and 50 rows), the flag of a story that wants colours,
# which we take back.
_COPIES = (
    lambda theirs, ours: (theirs, ours) == (0, 1),
    lambda theirs, ours: theirs - ours == 232 - 50,
    lambda theirs, ours: theirs ^ ours == 0x40,
)
# Three stories of this date keep in their third global variable the number of a
# routine's frame, which interpreters count in ways of their own.
_KEEPS_FRAME, _FRAME = b"111115", 5
# Where the registers of a state name the text buffer of the pending read.
TEXT_BUFFER = slice(240, 244)
_COMMANDS = """look;inventory;north;south;east;west;up;down;in;out;take all;drop all
open door;examine me;wait;xyzzy;take lamp;read leaflet;open mailbox;score;undo;quit;no
verify;superbrief;verbose;again;say hello;jump;sing;kill me;ask me about me;take
put all in me;look under bed;pronouns;oops look;help;info;wear all;diagnose;put it in it
tell me;.;take lamp. look;north. south;x;restart;no;give lamp to me;enter;exit;go;climb
smell;listen"""
COMMANDS = tuple(_COMMANDS.replace("\n", ";").split(";"))
# What Jericho types before a title's walkthrough; elsewhere it presses keys only.
_OPENINGS = {
    "hollywood": "turn statue west;turn statue east;turn statue north",
    "jewel": "bypass;yes",
    "lurking": "sit on chair;turn pc on;login 872325412;password uhlersoth",
    "partyfoul": "no",
    "seastalker": "John;Wayne;y",
}


class Walk(NamedTuple):
    """A story, played by both.

    Attributes:
        turns: The opening, then a turn for each command.
        kinds: How the texts of each turn relate.
        bytes_that_differ: Addresses in dynamic memory, behind the header; none after
            the story has quit, where Jericho's continues.
        objects_that_differ: Numbers of objects with other parents, siblings, children
            or attributes.
    """

    turns: list[Turn]
    kinds: list[str]
    bytes_that_differ: list[int]
    objects_that_differ: list[int]


class Jericho:
    """Jericho's interpreter, without its environment.

    Args:
        story: The content of a story file.
        version: The story's version.
        seed: Where the random stream begins.
    """

    def __init__(self, story: bytes, version: int, seed: int) -> None:
        import jericho  # type: ignore[import-untyped, unused-ignore]

        class Bare(jericho.FrotzEnv):  # type: ignore[misc]
            def load(self, story_file: str, seed: int | None = None) -> None:
                # It reads from these bytes for as long as it plays.
                self.story = story
                arguments = story_file.encode(), seed, story, len(story)
                self.opening = self.frotz_lib.setup(*arguments)

        with (
            warnings.catch_warnings(),
            tempfile.NamedTemporaryFile(suffix=f".z{version}") as file,
        ):
            warnings.simplefilter("ignore")
            file.write(story)
            file.flush()
            self._env = Bare(file.name, seed=seed)
        self._lib = self._env.frotz_lib
        self.opening = _decode(self._env.opening)

    @property
    def halted(self) -> bool:
        """Whether the story has ended."""
        return bool(self._lib.halted())

    @property
    def wants_key(self) -> bool:
        """Whether the story waits for a key."""
        return bool(self._lib.get_opcode() == READ_CHAR)

    def step(self, text: str, line: bool = True) -> str:
        """Type a line, or press a key."""
        return _decode(self._lib.step(text.encode() + b"\n" * line))

    def memory(self) -> bytes:
        """Return dynamic memory."""
        buffer = ctypes.create_string_buffer(self._lib.getRAMSize())
        self._lib.getRAM(buffer)
        return buffer.raw


def _decode(text: bytes) -> str:
    return text.decode("cp1252", "replace")


def play(path: Path, commands: Sequence[str], seed: int = SEED) -> Walk:
    """Play a story on both until the commands are used up or it ends."""
    unchanged = path.read_bytes()
    story = bytearray(unchanged)
    story[UNUSED] ^= 1
    return _play(bytes(story), commands, seed)


def _play(story: bytes, commands: Sequence[str], seed: int) -> Walk:
    judge = Jericho(story, story[0], seed)
    machine = Interpreter(story, undo=False)
    answer = machine.start(seed, Stream.JERICHO)
    text, upper = answer.text, machine.upper_window()
    turns = [Turn("", judge.opening, text, upper, answer.status)]
    theirs, ours = judge.memory(), machine.dynamic_memory()
    for command in commands:
        if judge.halted or answer.status not in (Status.LINE, Status.KEY):
            break
        line = answer.status == Status.LINE
        typed = command[: _room(machine)] if line else command[:1] or "\n"
        text = judge.step(typed, line)
        answer = machine.step(typed)
        upper = machine.upper_window()
        turns.append(Turn(typed, text, answer.text, upper, answer.status))
        if answer.status in (Status.LINE, Status.KEY):
            theirs, ours = judge.memory(), machine.dynamic_memory()
    return _compare(turns, story, theirs, ours)


def _room(machine: Interpreter) -> int:
    """Return the longest line that the story accepts; Jericho doesn't ask."""
    state = machine.snapshot().state
    buffer = int.from_bytes(state[TEXT_BUFFER], "little")
    room = machine.read(buffer, 1)[0]
    return room if machine.read(0, 1)[0] >= 5 else max(0, room - 1)


def _compare(turns: list[Turn], story: bytes, theirs: bytes, ours: bytes) -> Walk:
    differing = [i for i in range(HEADER, len(ours)) if theirs[i] != ours[i]]
    for is_copy in _COPIES:
        copies = [i for i in differing if is_copy(theirs[i], ours[i])][:1]
        differing = [i for i in differing if i not in copies]
    first, second = Memory(story, theirs), Memory(story, ours)
    if story[SERIAL] == _KEEPS_FRAME:
        frame = first.header.globals + _FRAME
        differing = [i for i in differing if i != frame]
    objects = [
        number
        for number in range(1, first.count + 1)
        if _relations(first, number) != _relations(second, number)
    ]
    return Walk(
        turns, list(kinds(turns, name_of_nothing(story, theirs))), differing, objects
    )


def _relations(memory: Memory, number: int) -> tuple[object, ...]:
    attributes = range(memory.attribute_count)
    return (
        memory.parent(number),
        memory.sibling(number),
        memory.child(number),
        *(memory.attribute(number, attribute) for attribute in attributes),
    )


def name_of_nothing(story: bytes, ram: bytes) -> str:
    """Return the text at the place of object 0's name."""
    memory = Memory(story)
    data = ram + story[len(ram) :]
    end = memory.entry_address(1)
    table = int.from_bytes(data[end - 2 : end], "big")
    return decode(data, memory.header, table + 1)


def walkthrough(path: Path) -> list[str]:
    """Return the commands that lead to the end, as far as they are known."""
    return _published(path)[0]


def _published(path: Path) -> tuple[list[str], int]:
    """Return the walkthrough and the seed at which it works."""
    import jericho

    recorded = path.with_suffix(".json")
    if recorded.exists():
        steps = json.loads(recorded.read_text())["walkthrough"]
        return ["look", *(step for step in steps if isinstance(step, str))], SEED
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env: Any = jericho.FrotzEnv(str(path))
        try:
            return list(env.get_walkthrough()), int(env.bindings["seed"])
        except (AttributeError, KeyError):
            return [], SEED


def drawn(seed: int, count: int) -> list[str]:
    """Return random commands that many stories know."""
    return random.Random(seed).choices(COMMANDS, k=count)


def plans(path: Path, count: int, seeds: int) -> Iterator[tuple[list[str], int]]:
    """Yield the commands of a story's walks, and the seeds."""
    known, seed = _published(path)
    if known:
        opening = [c for c in _OPENINGS.get(path.stem, "").split(";") if c]
        yield [*_keys(path, seed), *opening, *known][:count], seed
    for seed in range(1, seeds + 1):
        yield drawn(seed, count), SEED + seed


def _keys(path: Path, seed: int) -> list[str]:
    """Return the keys that an introduction waits for."""
    machine = Interpreter(path.read_bytes(), undo=False)
    keys: list[str] = []
    answer = machine.start(seed, Stream.JERICHO)
    while answer.status == Status.KEY and len(keys) < 10:
        keys.append("\n")
        answer = machine.step("")
    return keys


def walks(path: Path, count: int, seeds: int) -> Iterator[Walk]:
    """Yield a story's walks."""
    for commands, seed in plans(path, count, seeds):
        yield play(path, commands, seed)


def _walk_apart(path: Path, commands: list[str], seed: int) -> Walk | str:
    """Play a walk in a separate process; return how it ended if it crashed."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    arguments = (sender, path, commands, seed)
    process = multiprocessing.Process(target=_send_walk, args=arguments)
    process.start()
    sender.close()
    try:
        if receiver.poll(LONGEST_S):
            walk: Walk = receiver.recv()
            return walk
        return f"did not return in {LONGEST_S:.0f} s"
    except EOFError:
        process.join()
        return f"ended with {process.exitcode}"
    finally:
        process.kill()
        process.join()


def _send_walk(sender: Connection, path: Path, commands: list[str], seed: int) -> None:
    sender.send(play(path, commands, seed))


def main() -> int:
    """Compare every story."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stories", nargs="*", type=Path, help="files; ours if none")
    parser.add_argument("--count", type=int, default=100, help="commands a walk")
    parser.add_argument("--seeds", type=int, default=3, help="walks of drawn commands")
    arguments = parser.parse_args()
    total: Counter[str] = Counter()
    for path in arguments.stories or sorted(ADVENTURES.glob("*.z5")):
        for commands, seed in plans(path, arguments.count, arguments.seeds):
            walk = _walk_apart(path, commands, seed)
            if isinstance(walk, str):
                total["walks that Jericho did not finish"] += 1
                print(f"{path.name:20} Jericho {walk}")
            else:
                total += _print(path.name, walk)
    print(dict(total))
    bad = total["unexplained"] + total["bytes differ"] + total["objects differ"]
    return 1 if bad else 0


def _print(name: str, walk: Walk) -> Counter[str]:
    """Print how a walk compares, and return its counts."""
    counts = Counter(kind or "unexplained" for kind in walk.kinds)
    differing = len(walk.bytes_that_differ), len(walk.objects_that_differ)
    print(
        f"{name:20} {len(walk.turns):4} turns {dict(counts)}, "
        f"{differing[0]} bytes and {differing[1]} objects differ",
        flush=True,
    )
    for turn, kind in zip(walk.turns, walk.kinds, strict=True):
        if not kind:
            print("   ", turn)
    counts += Counter(
        {"walks": 1, "bytes differ": differing[0], "objects differ": differing[1]}
    )
    return counts


if __name__ == "__main__":
    sys.exit(main())
