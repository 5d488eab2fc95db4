"""The imports of this process, and of those that it starts."""

from __future__ import annotations

import os
import sys
import sysconfig


def search_path() -> str:
    """Return the ``PYTHONPATH`` of a process that imports what this one can.

    The standard library comes first, so that no file beside a user's program hides one
    of its modules.
    """
    return os.pathsep.join([sysconfig.get_path("stdlib"), *filter(None, sys.path)])
