"""Import modules of agents and environments that the user names."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from functools import cache
from importlib.metadata import entry_points

# Where a package names the module that registers its benchmarks.
_GROUP = "aq_gym.benchmarks"


def import_named(name: str) -> None:
    """Import a module, which is installed or in the current folder.

    Args:
        name: ``module`` or ``package.module``.

    Raises:
        ImportError: If it cannot be imported.
    """
    find_in_current_folder(name)
    importlib.import_module(name)


def find_in_current_folder(name: str) -> None:
    """Allow importing a module from the current folder if it is not installed.

    The folder comes last in ``sys.path``, and only after the user has named a module in
    it: a file there must not replace a package.

    Args:
        name: ``module``, ``package.module`` or ``module:Class``.
    """
    top = name.partition(":")[0].partition(".")[0]
    folder = os.getcwd()
    if not top.isidentifier() or folder in sys.path:
        return
    if top not in sys.modules and importlib.util.find_spec(top) is None:
        sys.path.append(folder)
        importlib.invalidate_caches()


@cache
def benchmark_modules() -> tuple[str, ...]:
    """Return the modules that installed packages name for their benchmarks."""
    return tuple(sorted({point.module for point in entry_points(group=_GROUP)}))


def import_benchmarks() -> None:
    """Import the modules that installed packages name for their benchmarks.

    Raises:
        ImportError: If one cannot be imported.
    """
    for module in benchmark_modules():
        importlib.import_module(module)
