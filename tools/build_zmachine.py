"""Compile the Z-machine to WebAssembly, with the compiler of the extra ``build``."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "aq_gym" / "zmachine"
SOURCES = PACKAGE / "source"
MODULE = PACKAGE / "zmachine.wasm"

# Room for the longest story, 64 kB that 16-bit addresses reach beyond it, and 320 kB of
# other data.
PAGES = 8 + 1 + 5

FLAGS = (
    "-target",
    "wasm32-freestanding",
    "-mcpu=generic+bulk_memory+sign_ext",
    "-std=c11",
    # Faster under wasmtime than -O2 and -O3, and smaller.
    "-Os",
    "-flto",
    "-nostdlib",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wl,--no-entry",
    "-Wl,--strip-all",
    "-Wl,-z,stack-size=65536",
    f"-Wl,--initial-memory={PAGES * 65536}",
    f"-Wl,--max-memory={PAGES * 65536}",
)


def build(module: Path) -> None:
    """Compile the sources.

    Args:
        module: The file to write.

    Raises:
        FileNotFoundError: If the compiler isn't installed.
        subprocess.CalledProcessError: If it refuses the sources; its messages are on
            standard error.
    """
    sources = [path.name for path in sorted(SOURCES.glob("*.c"))]
    with tempfile.TemporaryDirectory() as cache:
        folders = {"ZIG_LOCAL_CACHE_DIR": cache, "ZIG_GLOBAL_CACHE_DIR": cache}
        command = [sys.executable, "-m", "ziglang", "cc", *FLAGS]
        subprocess.run(
            [*command, "-o", str(module.resolve()), *sources],
            cwd=SOURCES,
            env=os.environ | folders,
            check=True,
        )


def main() -> None:
    """Compile to the committed file, or to another path."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("module", nargs="?", type=Path, default=MODULE)
    arguments = parser.parse_args()
    build(arguments.module)
    print(f"{arguments.module}: {arguments.module.stat().st_size} bytes")


if __name__ == "__main__":
    main()
