"""Commands that install the dependencies of optional features."""

from __future__ import annotations

from importlib.util import find_spec


def pip_command(extra: str = "") -> str:
    """Return the commands that install an extra, from an index and from a checkout.

    Both are named because the package may have been installed from either.

    Args:
        extra: A name from ``options.extras_require`` in ``setup.cfg``; "" for what the
            package itself needs.
    """
    extras = f"[{extra}]" if extra else ""
    return f"pip install 'aq-gym{extras}' (in a checkout: pip install '.{extras}')"


def requirement(extra: str, version: str) -> str:
    """Return the requirement of the package with an extra, in a version or later."""
    return f"aq-gym[{extra}]>={version}"


def require(module: str, feature: str, extra: str) -> None:
    """Raise an error with the pip command if a module is not installed.

    Raises:
        ImportError: If it is not installed.
    """
    if find_spec(module) is None:
        raise ImportError(f"{feature} needs {module}: {pip_command(extra)}")
