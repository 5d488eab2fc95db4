"""Episodes on a Ray cluster."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

from gymnasium.error import DependencyNotInstalled

from aq_gym.support.extras import pip_command

__all__ = ["RayExecutor"]


class RayExecutor(Executor):
    """Calls functions on a Ray cluster, which is started here if none is running.

    Args:
        workers: The number of processes, if the cluster is started here.

    Raises:
        gymnasium.error.DependencyNotInstalled: If Ray is not installed.
    """

    def __init__(self, workers: int) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            import ray
        except ImportError as error:
            raise DependencyNotInstalled(
                f"the executor 'ray' needs Ray: {pip_command('ray')}"
            ) from error
        self._ray = ray
        self._running: dict[Future[Any], Any] = {}
        self._own = not ray.is_initialized()
        if self._own:
            address = os.environ.get("RAY_ADDRESS")
            size: dict[str, Any] = (
                {} if address else {"num_cpus": workers, "include_dashboard": False}
            )
            # Else Ray puts the current folder first in the path of its workers, where
            # a file could replace a package.
            config = ray.job_config.JobConfig(_client_job=True)
            ray.init(address=address, log_to_driver=False, job_config=config, **size)
        # Ray does not play a call again whose worker has died.
        self._remote = ray.remote(num_cpus=1, max_retries=0)(_call_by_value())

    def submit(
        self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Future[Any]:
        """Send the call to a worker."""
        reference = self._remote.remote(pickle.dumps((fn, args, kwargs)))
        future: Future[Any] = reference.future()
        self._running[future] = reference
        future.add_done_callback(self._running.pop)
        return future

    def stop(self) -> None:
        """Interrupt the running episodes."""
        for reference in list(self._running.values()):
            self._ray.cancel(reference)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Stop the cluster if it was started here."""
        if self._own:
            self._ray.shutdown()


def _call_by_value() -> Callable[[bytes], Any]:
    """Return a function that makes a pickled call in a worker.

    Ray sends a local function by value, so that the current folder can be added to the
    path, at its end as here, before anything is imported.
    """
    folder = os.getcwd()
    last = [folder] if folder in sys.path else []

    def call(pickled: bytes) -> Any:
        import pickle
        import sys

        sys.path[:] = [path for path in sys.path if path not in ("", folder)] + last
        function, args, kwargs = pickle.loads(pickled)
        return function(*args, **kwargs)

    return call
