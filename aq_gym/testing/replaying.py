"""Check that a logged trajectory can be replayed identically."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from aq_gym import trajectory
from aq_gym.testing.assertions import expect
from aq_gym.testing.case import Case, contract_check, mixed, rollout
from aq_gym.wrappers import ExtractAction, RepetitionRate, TrajectoryLogger

_SEED = 11
_STEPS = 25


@contract_check
def check_replay(case: Case) -> None:
    """Check that replaying a logged episode gives the same records.

    Not checked where the environment does not promise to be replayable.
    """
    if not case.expectations.replayable:
        return
    with TemporaryDirectory() as directory:
        env = TrajectoryLogger(ExtractAction(RepetitionRate(case.make())), directory)
        rollout(env, _SEED, mixed, _STEPS)
        env.close()
        (path,) = Path(directory).iterdir()
        # The check's caller named the environment and its arguments.
        report = trajectory.replay(path, trust=True)
    expect(report.identical, f"seed {_SEED}: replayed: {report.difference}")
