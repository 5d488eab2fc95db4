"""A run in a child process, so that one that ends early cannot end with 0.

An agent or an environment can end its process at once, with any exit code: ``os._exit``
runs nothing of Python any more. A small parent therefore waits for the run and for its
word that it has ended. The two are one command to the outside: they share the terminal
and the process group, signals reach the run, and neither outlives the other.

It uses signals and files that Linux has; elsewhere a run is played in the command's
process.
"""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Callable
from typing import NamedTuple, NoReturn

from aq_gym.support.processes import die_with

__all__ = ["supervised"]

_FORWARDED = (
    signal.SIGHUP,
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGTERM,
    signal.SIGUSR1,
    signal.SIGUSR2,
)
_AWAITED = (*_FORWARDED, signal.SIGCHLD)
# The value of si_code for signals of the kernel, which are those of the terminal.
_OF_KERNEL = 0x80
# Seconds after which all processes of a group have the signal that was sent to it.
_DELIVERED = 0.01
_EARLY = (
    "aq-gym: the run's process ended before the run, as os._exit does; the same "
    "command continues it\n"
)


def supervised(play: Callable[[], int]) -> int:
    """Call a function in a child process, and return its exit code there.

    Only the child returns; the parent exits as the child does, or with 1 if that ends
    with 0 before the function has returned.

    Args:
        play: Returns the exit code. To be called before threads are started.
    """
    ended, ends = os.pipe()
    heard, hears = os.pipe()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _AWAITED)
    parent = os.getpid()
    child = os.fork()
    if child:
        # A process that the run leaves behind may hold the other ends.
        os.set_blocking(ended, False)
        os.set_blocking(heard, False)
        _Supervisor(child, ended, heard).wait()
    die_with(parent)
    os.set_blocking(hears, False)
    signal.set_wakeup_fd(hears, warn_on_full_buffer=False)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    code = play()
    os.write(ends, b"!")
    return code


class _Supervisor(NamedTuple):
    """The parent of a run.

    Attributes:
        child: The number of the run's process.
        ended: The pipe on which it says that it has ended.
        heard: The pipe on which it has a byte for each signal that has reached it.
    """

    child: int
    ended: int
    heard: int

    def wait(self) -> NoReturn:
        """Forward signals until the child ends, and exit as it did."""
        # The end of a child is not reported to a process that ignores it.
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        while True:
            received = signal.sigwaitinfo(_AWAITED)
            if received.si_signo != signal.SIGCHLD:
                self._forward(received)
                continue
            found, status = os.waitpid(self.child, os.WNOHANG)
            if found:
                self._exit_like(os.waitstatus_to_exitcode(status))

    def _forward(self, received: signal.struct_siginfo) -> None:
        """Send a signal to the child, unless it has it; a second Ctrl-C kills it."""
        number = received.si_signo
        if number == signal.SIGINT:
            time.sleep(_DELIVERED)
            # In this order, as the child may take it between the two.
            pending = self._is_pending(number)
            if number in _read(self.heard) or pending:
                return
        if received.si_code != _OF_KERNEL:
            os.kill(self.child, number)

    def _is_pending(self, number: int) -> bool:
        """Return whether the child has a signal which it did not handle yet."""
        with open(f"/proc/{self.child}/status") as file:
            pending = [line.split()[1] for line in file if line.startswith("ShdPnd:")]
        return any(int(mask, 16) >> (number - 1) & 1 for mask in pending)

    def _exit_like(self, code: int) -> NoReturn:
        if code < 0:
            # The core dump is the child's.
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if -code != signal.SIGKILL:
                signal.signal(-code, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, (-code,))
            os.kill(os.getpid(), -code)
        if code == 0 and not _read(self.ended):
            os.write(2, _EARLY.encode())
            code = 1
        os._exit(code)


def _read(pipe: int) -> bytes:
    """Return the bytes that are in a pipe now."""
    try:
        return os.read(pipe, 4096)
    except BlockingIOError:
        return b""
