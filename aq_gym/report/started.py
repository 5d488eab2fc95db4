"""Runs that the start page begins: ``aq-gym run`` in a separate process."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from aq_gym.evaluation.suite import packaged_suites
from aq_gym.support.escaping import short

PACKAGED = {"random": ("--agent", "random"), "expert": ("--agent", "expert")}
_PATIENCE = 10.0


class StartedRuns:
    """The runs of a server, one at a time, of packaged suites.

    Args:
        folder: Where they are written, each with a log beside it.
        agents: For each agent that may be chosen the options of ``aq-gym run``.
    """

    def __init__(self, folder: Path, agents: Mapping[str, Sequence[str]]) -> None:
        self._folder = folder
        self._agents = {**PACKAGED, **agents}
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._name = ""

    def agents(self) -> list[str]:
        """Return the agents that may be chosen."""
        return list(self._agents)

    @staticmethod
    def suites() -> list[str]:
        """Return the suites that may be chosen."""
        return list(packaged_suites())

    @property
    def playing(self) -> bool:
        """Whether a run is being played."""
        return self._process is not None and self._process.poll() is None

    def told(self) -> str:
        """Return the latest run's status, or "" if none."""
        if self._process is None:
            return ""
        if self.playing:
            return f"{self._name} is being played."
        log = self._log().read_text("utf-8", "replace").strip().splitlines()
        code = self._process.returncode
        end = "has ended" if code == 0 else f"ended with exit code {code}"
        return f"{self._name} {end}: {short(log[-1] if log else '', 300)}"

    def begin(self, suite: object, agent: object) -> str | None:
        """Begin a run, and return its name.

        Args:
            suite: One of :meth:`suites`.
            agent: One of :meth:`agents`.

        Returns:
            None for another suite or agent, or while a run is being played.
        """
        if suite not in self.suites() or agent not in self.agents():
            return None
        with self._lock:
            if self.playing:
                return None
            moment = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
            slug = re.sub("[^A-Za-z0-9]+", "-", str(agent))
            self._name = f"{suite}-{slug}-{moment}"
            options = ["--suite", str(suite), *self._agents[str(agent)]]
            out = ["--out", str(self._folder / self._name)]
            command = [sys.executable, "-m", "aq_gym.cli", "run", *options, *out]
            with self._log().open("wb") as log:
                self._process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                )
        return self._name

    def stop(self) -> None:
        """Stop the run as Ctrl-C does; the same command continues it."""
        if self._process is not None and self.playing:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def _log(self) -> Path:
        return self._folder / f"{self._name}.log"
