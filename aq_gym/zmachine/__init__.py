"""A Z-machine in a WebAssembly sandbox: versions 3, 4, 5 and 8 of interactive fiction.

The machine itself is C, compiled to ``zmachine.wasm``; see ``README.md``. It can reach
nothing outside its own memory: no file, no clock, no network.
"""

from aq_gym.zmachine.errors import StateError, StoryError
from aq_gym.zmachine.interpreter import Interpreter
from aq_gym.zmachine.sandbox import Answer, Status, Stream
from aq_gym.zmachine.state_bytes import Snapshot

__all__ = [
    "Answer",
    "Interpreter",
    "Snapshot",
    "StateError",
    "Status",
    "StoryError",
    "Stream",
]
