"""Calling an exported function without what wasmtime does for arguments and results."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import wasmtime
from wasmtime import Func, Store, Trap, WasmtimeError

__all__ = ["caller"]


def caller(store: Store, function: object) -> Callable[[], None]:
    """Return a function that calls an export that has no arguments.

    wasmtime's own call looks up the types and converts the values every time, which
    takes longer than a step of a small story. Where its C interface is not the one that
    is known here, its own call is used. The function must not be called after the store
    was closed. It raises ``wasmtime.Trap`` where the module traps.

    Args:
        store: The store of the function.
        function: The export.
    """
    assert isinstance(function, Func)
    try:
        return _direct(store, function)
    except (AttributeError, TypeError):
        return lambda: function(store)


def _direct(store: Store, function: Func) -> Callable[[], None]:
    c: Any = wasmtime._ffi
    call, trap_pointer = c.wasmtime_func_call, ctypes.POINTER(c.wasm_trap_t)
    context = store._context()
    target = ctypes.byref(function._func)
    nothing = (c.wasmtime_val_t * 0)()
    count = len(function.type(store).results)
    results = (c.wasmtime_val_t * count)()

    def run() -> None:
        trap = trap_pointer()
        error = call(context, target, nothing, 0, results, count, ctypes.byref(trap))
        if error:
            raise WasmtimeError._from_ptr(error)
        if trap:
            raise Trap._from_ptr(trap)

    return run
