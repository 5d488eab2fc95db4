"""Commands that install the dependencies of optional features."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any


def pip_command(extra: str = "") -> str:
    """Return the commands that install an extra, from an index and from a checkout.

    Both are named because the package may have been installed from either.

    Args:
        extra: A name from ``options.extras_require`` in ``setup.cfg``; "" for the
            package without extras.
    """
    extras = f"[{extra}]" if extra else ""
    return f"pip install 'aq-gym{extras}' (in a checkout: pip install '.{extras}')"


def requirement(extra: str, version: str) -> str:
    """Return the requirement of the package with an extra, at least in a version."""
    return f"aq-gym[{extra}]>={version}"


def require(module: str, feature: str, extra: str) -> None:
    """Raise an error with the pip command if a module is not installed.

    Raises:
        ImportError: If it is not installed.
    """
    if find_spec(module) is None:
        raise ImportError(f"{feature} needs {module}: {pip_command(extra)}")


def load(module: str, feature: str, extra: str) -> Any:
    """Import a module that an extra installs, or that needs the extra.

    Raises:
        gymnasium.error.DependencyNotInstalled: If a package is missing.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        package = (error.name or "aq_gym").partition(".")[0]
        if package == "aq_gym":
            raise
        from gymnasium.error import DependencyNotInstalled

        needs = f"{feature} needs {package}: {pip_command(extra)}"
        raise DependencyNotInstalled(needs) from error
