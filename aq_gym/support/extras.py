"""Commands that install the dependencies of optional features."""

from __future__ import annotations

__all__ = ["pip_command"]


def pip_command(extra: str = "") -> str:
    """Return the commands that install an extra, from an index and from a checkout.

    Both are named because the package may have been installed from either.

    Args:
        extra: A name from ``options.extras_require`` in ``setup.cfg``; "" for what the
            package itself needs.
    """
    extras = f"[{extra}]" if extra else ""
    return f"pip install 'aq-gym{extras}' (in a checkout: pip install '.{extras}')"
