"""The stories that test the interpreter: Inform sources, and what they compile to."""

import subprocess
from pathlib import Path

from aq_gym.zmachine import Interpreter

SOURCES = Path(__file__).parent / "stories"

EVERY_VERSION = (3, 4, 5, 8)
STORIES = {
    "arithmetic": EVERY_VERSION,
    "routines": EVERY_VERSION,
    "objects": EVERY_VERSION,
    "tables": EVERY_VERSION,
    "text": (5, 8),
    "alphabet": (5, 8),
    "streams": (5, 8),
    "screen": (5, 8),
    "reader": (4, 5, 8),
    "status": (3,),
    "clock": (3,),
    "faults": (5,),
    "dice": (5,),
    "ending": (3, 5),
    "verbs": (3, 5),
}
ALL = [(name, version) for name, versions in STORIES.items() for version in versions]


def path_of(name, version):
    """Return the committed file of a story."""
    return SOURCES / "compiled" / f"{name}.z{version}"


def play(name, version, seed=1, **options):
    """Return an interpreter that has begun a story, and its opening."""
    interpreter = Interpreter(path_of(name, version).read_bytes(), **options)
    return interpreter, interpreter.start(seed)


def compile_story(name, version, target):
    """Compile a story; strict checking would replace the instructions under test."""
    command = ["inform6", "-w", "-~S", f"-v{version}", f"{name}.inf", str(target)]
    subprocess.run(command, cwd=SOURCES, check=True, capture_output=True)


def main():
    """Compile every story to the committed files."""
    for name, version in ALL:
        target = path_of(name, version)
        target.parent.mkdir(exist_ok=True)
        target.unlink(missing_ok=True)
        compile_story(name, version, target)


if __name__ == "__main__":
    main()
