"""Servers of ``aq-gym serve``, each a process of its own."""

import contextlib
import multiprocessing
import os
import signal
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

# Imports OpenEnv once; each server is forked from it.
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["aq_gym.integrations.openenv.server", "aq_gym.cli.main"])
ROOT = Path(__file__).parents[3]
TESTS = ROOT / "tests"
MASTERMIND = "aq/Mastermind-v0"
TOYS = ("--env-module", "integrations.openenv.toy_served", "--evaluator")


class Server:
    """A running server."""

    def __init__(self, line, pid):
        self.line, self.pid = line, pid
        self.url = line.split()[2]
        self.port = int(self.url.rpartition(":")[2])
        self.ws = self.url.replace("http", "ws") + "/ws"

    def get(self, path, method="GET", **headers):
        """Return the status and the body of an answer over HTTP."""
        request = urllib.request.Request(self.url + path, method=method)
        for name, value in headers.items():
            request.add_header(name, value)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError as error:
            return 0, str(error)


def eventually(condition, seconds=120):
    """Wait until a condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "not in time"
        time.sleep(0.05)


def _serve(arguments, constants, environ, pipe):
    from aq_gym.cli import main
    from aq_gym.server import asgi

    for name, value in constants.items():
        setattr(asgi, name, value)
    os.environ.update(environ)
    for number in (1, 2):
        os.dup2(pipe.fileno(), number)
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w", buffering=1)
    sys.exit(main(["serve", *arguments, "--port", "0"]))


@contextlib.contextmanager
def forked(*arguments, code=0, end=signal.SIGTERM, environ=None, **constants):
    """Start the command in a process that has already imported OpenEnv.

    The constants replace those of ``aq_gym.server.asgi``.
    """
    ours, theirs = FORKS.Pipe(duplex=False)
    given = (arguments, constants, environ or {}, theirs)
    process = FORKS.Process(target=_serve, args=given)
    process.start()
    theirs.close()
    with open(os.dup(ours.fileno())) as lines:
        ours.close()
        try:
            server = Server(lines.readline(), process.pid)
            yield server
            os.kill(process.pid, end)
            process.join(120)
            assert process.exitcode is not None, "it has not ended"
            server.rest = lines.read()
            assert process.exitcode == code, server.rest
        finally:
            process.kill()
            process.join()
