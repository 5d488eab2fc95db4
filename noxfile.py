"""The parts of ``.ci/run``, each in an environment of its own: ``nox -s lint``.

``nox`` alone runs tests, lint and docs. The session frameworks downloads about 2 GB,
and deletes each environment after its tests.
"""

import shutil
import tempfile
from pathlib import Path

import nox

nox.options.default_venv_backend = "uv|virtualenv"
nox.options.sessions = ["tests", "lint", "docs"]
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
# A quick part of the tests, for each Python and for the lowest versions.
QUICK = ("tests/core", "tests/trajectory", "tests/envs/mastermind")


@nox.session
def tests(session: nox.Session) -> None:
    """Run both tiers, or named tests: ``nox -s tests -- tests/wrappers``."""
    session.install("-e", ".[all,dev]")
    if session.posargs:
        session.run("pytest", *session.posargs)
        return
    session.run("pytest", "-n", "2")
    session.run("pytest", "-n", "2", "-m", "slow")


@nox.session
def lint(session: nox.Session) -> None:
    """Run ruff and mypy, and where Node.js is installed the checks of the scripts."""
    session.install("-e", ".[all,dev]")
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")
    session.run("mypy")
    if shutil.which("npm"):
        flags = ("--ignore-scripts", "--no-package-lock", "--no-fund", "--no-audit")
        session.run("npm", "install", *flags, external=True)
        session.run("npm", "run", "check", external=True)
        session.run("npm", "test", external=True)


@nox.session
def docs(session: nox.Session) -> None:
    """Build the site into build/site, with warnings as errors."""
    session.install("-e", ".[docs]")
    session.run("python", "tools/build_site.py")


@nox.session(python=PYTHONS)
@nox.parametrize("versions", ["highest", "lowest-direct"])
def wheels(session: nox.Session, versions: str) -> None:
    """Test the wheel, with the newest packages and with the oldest allowed ones."""
    if versions != "highest" and session.python != PYTHONS[0]:
        session.skip("the oldest versions are tested with the oldest Python")
    folder = tempfile.mkdtemp()
    session.run("uv", "build", "-q", "--wheel", "--out-dir", folder, external=True)
    (wheel,) = Path(folder).glob("*.whl")
    needed = ("hypothesis>=6.100", "pytest>=8.2", "pytest-timeout>=2.3")
    more = "pytest-xdist>=3.6"
    session.run(
        "uv", "pip", "install", "-q", "--resolution", versions, str(wheel), *needed,
        more, external=True,
    )  # fmt: skip
    session.run("aq-gym", "demo", silent=True)
    # pytest puts neither the checkout nor its aq_gym on the path.
    session.run("pytest", "-q", "-n", "2", *QUICK)
    shutil.rmtree(folder)


@nox.session(venv_backend="none")
def frameworks(session: nox.Session) -> None:
    """Test the adapters and the integrations with the packages they are for."""
    session.run(".ci/foreign", external=True)
    session.run(".ci/integrations", *session.posargs, external=True)
