"""A sampler chooses the tasks of verifiers, and gets the rewards."""

import re
from pathlib import Path

import pytest

pytest.importorskip("verifiers", reason="needs verifiers, as in .ci/integrations")

pytestmark = pytest.mark.filterwarnings("ignore")
PAGE = (Path(__file__).parents[3] / "docs" / "verifiers.md").read_text()


def test_the_curriculum_of_the_page(server):
    (code,) = re.findall(
        r"^```{code-block} python\n:class: curriculum\n(.*?)^```$", PAGE, re.M | re.S
    )
    names = {"__name__": "snippet"}
    exec(code.replace("http://localhost:8000/v1", server.url), names)
    sampler = names["sampler"]
    assert sum(sampler.draws) == 8
    assert sampler.level == 0
