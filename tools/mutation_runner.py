"""Runs tests in a copy of the checkout, each time in a fork of a warm process."""

from __future__ import annotations

import compileall
import contextlib
import importlib
import os
import py_compile
import resource
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import NamedTuple

__all__ = ["Outcome", "TestRunner"]

# What all tests import, and what takes most of their start; none of it is ours.
_WARM = ("pytest", "hypothesis", "numpy", "gymnasium", "rapidfuzz", "_pytest.assertion")
_OPTIONS = (
    *("-x", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=0"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),
)
_WALL_FACTOR = 6


class Outcome(NamedTuple):
    """The result of a run of tests.

    Attributes:
        result: "noticed", "timeout" or "alive".
        seconds: The processor time that it took, in seconds.
    """

    result: str
    seconds: float


class TestRunner:
    """Runs pytest in a copy of the checkout.

    Args:
        copy: The copy.
        factor: The time limit, as a multiple of the time of the unchanged tests.
    """

    def __init__(self, copy: Path, factor: float) -> None:
        self._copy = copy
        self._log = copy.with_name("log")
        self._factor = factor
        self._seconds: dict[tuple[str, ...], float] = {}
        # Files are changed within the same second, so that their times say nothing;
        # a compiled file with a hash is replaced by one with a hash.
        compileall.compile_dir(
            copy,
            quiet=2,
            invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH,
        )
        for module in _WARM:
            importlib.import_module(module)

    def measure(self, tests: tuple[str, ...]) -> None:
        """Run the tests on the unchanged copy, the first time that they are used.

        Args:
            tests: The arguments of pytest.

        Raises:
            RuntimeError: If they do not pass.
        """
        if tests in self._seconds:
            return
        code, seconds = self._fork(tests, 600.0)
        if code:
            said = self._log.read_text("utf-8", "replace")[-2000:]
            raise RuntimeError(f"{' '.join(tests)} must pass without a change:\n{said}")
        self._seconds[tests] = seconds
        print(f"{seconds:.1f} s: {' '.join(tests)}", flush=True)

    def run(self, tests: tuple[str, ...]) -> Outcome:
        """Run tests that were measured.

        Args:
            tests: The arguments of pytest.
        """
        limit = self._factor * self._seconds[tests] + 5
        code, seconds = self._fork(tests, limit)
        if code is None:
            return Outcome("timeout", seconds)
        return Outcome("noticed" if code else "alive", seconds)

    def _fork(self, tests: tuple[str, ...], limit: float) -> tuple[int | None, float]:
        """Return the exit code, None at the limit of processor time, and the time."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        child = os.fork()
        if not child:
            self._play(tests, limit)
        end = time.monotonic() + _WALL_FACTOR * limit
        status: int | None = None
        while status is None and time.monotonic() < end:
            found, ended = os.waitpid(child, os.WNOHANG)
            status = ended if found else None
            time.sleep(0.02)
        # What the tests started is of the child's process group.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        code: int | None = None
        if status is None:
            os.waitpid(child, 0)
        elif not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGXCPU:
            code = os.waitstatus_to_exitcode(status)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return code, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def _play(self, tests: tuple[str, ...], limit: float) -> None:
        os.setsid()
        # A command in the background ignores it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 5))
        log = os.open(self._log, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.chdir(self._copy)
        os.environ["PYTHONPATH"] = str(self._copy)
        sys.path[0] = str(self._copy)
        code = 1
        try:
            import pytest

            import aq_gym

            assert Path(aq_gym.__file__).is_relative_to(self._copy)
            code = pytest.main([*_OPTIONS, *tests])
        except BaseException:  # noqa: BLE001 (a mutant raises anything)
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(int(code))
