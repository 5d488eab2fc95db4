"""The version of uvicorn whose classes the server extends."""

from __future__ import annotations

from importlib.metadata import version

from gymnasium.error import DependencyNotInstalled

from aq_gym.support.extras import pip_command

__all__ = ["check_uvicorn"]

_SUPPORTED = "0.54"


def check_uvicorn() -> None:
    """Check that the installed uvicorn is one that the server was tested with.

    With another one, the limits of connections could be without effect.

    Raises:
        ModuleNotFoundError: If uvicorn is not installed.
        gymnasium.error.DependencyNotInstalled: If the version is another one.
    """
    installed = version("uvicorn")
    if not f"{installed}.".startswith(f"{_SUPPORTED}."):
        raise DependencyNotInstalled(
            f"aq-gym serve needs uvicorn {_SUPPORTED}, whose classes it extends to "
            f"limit connections; uvicorn {installed} is installed: "
            f"{pip_command('openenv')}"
        )
