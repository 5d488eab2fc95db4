"""Protocols do what the papers' own code did in recorded transcripts.

``python benchmarks/judges/judge.py --record tests/envs/transcripts`` writes them: facts
of each step, with digests in place of texts.
"""

import importlib
import json
from argparse import Namespace
from itertools import islice
from pathlib import Path

import pytest

FOLDER = Path(__file__).with_name("transcripts")
NAMES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))


@pytest.fixture
def judges(root, monkeypatch):
    monkeypatch.syspath_prepend(root / "benchmarks" / "judges")
    return importlib.import_module


def test_there_are_transcripts():
    assert len(NAMES) >= 9


@pytest.mark.parametrize("name", NAMES)
def test_the_papers_code_is_followed(judges, name, monkeypatch, tmp_path):
    monkeypatch.delenv("AGENTQUEST_DATA", raising=False)
    harness = judges("harness")
    kind = judges("judge").JUDGES[name]
    options = Namespace(papers=tmp_path, tasks=1)
    for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines():
        number, _, steps = json.loads(line)
        judge = kind(options)
        (task,) = islice(judge.tasks(), number, number + 1)
        env = harness.make(judge, task)
        observation, info = env.reset(seed=task.seed, options=task.options)
        facts = judge.opened(observation, info)
        for count, (action, *recorded) in enumerate(steps):
            if count:
                facts = judge.stepped(env.step(action))
            for fact, value in zip(harness.FACTS, recorded, strict=True):
                if value is not None:
                    found = harness.fact_of(judge, fact, facts[fact])
                    assert found == value, (action, fact, facts)
        env.close()
