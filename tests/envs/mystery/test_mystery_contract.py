"""The contract over arguments; tests/core has it over the ids."""

import json

import pytest
from scripted_server import ScriptedServer, answer

from aq_gym.testing import CHECKS, Case


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """Puzzles of the user's, and a judge that always says yes."""
    path = tmp_path_factory.mktemp("own") / "mine.json"
    path.write_text(
        json.dumps(
            [
                {
                    "story": f"Story {i}: somebody laughs.",
                    "answer": f"Number {i} saw it all.",
                    "keys": [f"Somebody saw number {i}.", "Somebody laughed."],
                }
                for i in range(60)
            ]
        )
    )
    server = ScriptedServer(answer("yes"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AQ_GYM_JUDGE_BASE_URL", server.url)
        yield Case("aq/Mystery-v0", {"puzzles": str(path), "judge_model": "m"})
    server.close()


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_contract_with_puzzles(own, check):
    check(own)


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_contract_with_one_fact(check):
    check(Case("aq/Mystery-v0", {"facts": 1, "split": "test"}))
