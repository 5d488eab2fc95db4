"""Jericho's environment, as a child of ``harness.py``."""

from __future__ import annotations

import ctypes
import warnings
from typing import Any

from child import serve

_READ_CHAR = 246
_env: Any = None


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Begin a story, type a line or press a key, or return dynamic memory."""
    global _env
    said = None
    if "story" in request:
        import jericho  # type: ignore[import-untyped, unused-ignore]

        warnings.simplefilter("ignore")
        _env = jericho.FrotzEnv(request["story"], seed=request["seed"])
        said = _env.reset()[0]
    lib = _env.frotz_lib
    while "story" in request and lib.get_opcode() == _READ_CHAR:
        said += lib.step(b"\n").decode("cp1252", "replace")
    if "memory" in request:
        buffer = ctypes.create_string_buffer(lib.getRAMSize())
        lib.getRAM(buffer)
        return {"memory": buffer.raw.hex()}
    if "act" in request:
        key = lib.get_opcode() == _READ_CHAR
        typed = request["act"][:1] or "\n" if key else request["act"] + "\n"
        said = lib.step(typed.encode()).decode("cp1252", "replace")
    known = bool(_env.bindings)
    return {
        "text": said,
        "score": _env.get_score() if known else None,
        "end": bool(_env.game_over() or _env.victory()) if known else None,
        "success": bool(_env.victory()) if known else None,
    }


if __name__ == "__main__":
    serve(answer)
