"""The process in which an unknown story is played; see :mod:`.isolation`."""

from __future__ import annotations

import base64
import codecs
import resource
import sys
from typing import Any

from aq_gym.envs.jericho.engine import CODING, Engine, load_jericho
from aq_gym.envs.jericho.isolation import pack, receive, send, unpack

__all__ = ["forbid_files", "main"]

_MOST_MEMORY = 4 * 2**30


def main(arguments: list[str]) -> None:
    """Answer messages until the other end closes."""
    source, target = int(arguments[0]), int(arguments[1])
    engine: Engine | None = None
    while True:
        try:
            command, value = receive(source)
        except EOFError:
            return
        if command == "ready":
            load_jericho()
            answer: dict[str, Any] = {}
        elif command == "start":
            engine = Engine(base64.b64decode(value), _forbid_writing)
            forbid_files()
            answer = {
                "max_score": engine.max_score,
                "player": engine.player,
                "output": engine.opening,
                "snapshot": pack(engine.snapshot()),
            }
        elif engine is None:
            return
        elif command == "send":
            output = engine.send(value)
            answer = {"output": output, "snapshot": pack(engine.snapshot())}
        else:
            engine.restore(unpack(value))
            answer = {}
        send(target, answer)


def _forbid_writing() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))


def forbid_files() -> None:
    """Let no file be opened, once the interpreter has its story; pipes stay open."""
    # Its module could not be read any more.
    codecs.lookup(CODING)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


if __name__ == "__main__":
    main(sys.argv[1:])
