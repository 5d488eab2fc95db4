"""The compiled module, one per process.

Compiled code isn't kept on disk: loading it back means running whatever the file holds,
and compiling takes less time than importing gymnasium.
"""

from __future__ import annotations

import threading
from functools import cache
from importlib.resources import files

from wasmtime import Config, Engine, Module

# More than the module's memory, which never grows. The default would reserve 4 GB of
# addresses for each machine, which fails under a limit on them.
_RESERVATION = 1024 * 1024
_STACK = 64 * 1024
_lock = threading.Lock()


def compiled_module() -> tuple[Engine, Module]:
    """Return the Z-machine's module, compiled for this processor, and its engine."""
    with _lock:
        return _compile()


@cache
def _compile() -> tuple[Engine, Module]:
    package = files("aq_gym.zmachine")
    engine = Engine(_config())
    return engine, Module(engine, (package / "zmachine.wasm").read_bytes())


def _config() -> Config:
    config = Config()
    # A trap by a signal ends the process if faulthandler is enabled.
    config.signals_based_traps = False
    config.memory_reservation = _RESERVATION
    config.memory_reservation_for_growth = 0
    config.memory_guard_size = 0
    # Much more stack than the machine needs, and less than any thread has.
    config.max_wasm_stack = _STACK
    # Compiling in parallel would leave threads behind.
    config.parallel_compilation = False
    return config
