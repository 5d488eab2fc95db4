"""The model's endpoint and folders of an episode."""

import tempfile

import pytest
from scripted_server import ScriptedServer, answer

from integrations.same_play import COMPLETIONS


class Scripted(ScriptedServer):
    """Answers by the conversation, for several episodes at once."""

    def __init__(self):
        super().__init__(answer(""))
        self.failures = []

    def next(self, request):
        super().next(request)
        if self.failures:
            return self.failures.pop(0)
        said = sum(one["role"] == "assistant" for one in request["messages"])
        return answer(COMPLETIONS[said % len(COMPLETIONS)])


@pytest.fixture
def server():
    made = Scripted()
    yield made
    made.close()


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """The folder of temporary files, which must be empty after an episode."""
    made = tmp_path / "temporary"
    made.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(made))
    return made
