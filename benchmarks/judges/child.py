"""Answer requests as JSON lines: the loop of a process that runs a paper's code.

It runs in the paper's own interpreter, so that it imports nothing of ours.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any


def serve(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Answer one request per line until the input ends; what the code prints is lost.

    Args:
        answer: Returns the reply to a request.
    """
    for line in sys.stdin:
        with contextlib.redirect_stdout(io.StringIO()):
            reply = answer(json.loads(line))
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


def stand_in(name: str, **members: Any) -> Any:
    """Put a module with these members in place of a package that is not needed."""
    module = ModuleType(name)
    vars(module).update(members)
    sys.modules[name] = module
    return module
