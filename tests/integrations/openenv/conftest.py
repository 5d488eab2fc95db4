"""A server that a file's tests share."""

import pytest

from integrations.openenv.served import MASTERMIND, forked


@pytest.fixture(scope="module")
def server():
    with forked(MASTERMIND, "--evaluator") as running:
        yield running
