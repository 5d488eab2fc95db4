"""Code of others comes only from package indexes, with lower bounds."""

import hashlib
import tomllib
from configparser import ConfigParser
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[2]
# The first versions without known faults in what we use: files of others are read with
# them, locks are made in folders of others, weights are loaded. From the advisories
# CVE-2023-47248, CVE-2026-84311, CVE-2025-27516, CVE-2026-22701, CVE-2025-32434 and
# CVE-2025-47273.
SAFE = {
    "pyarrow": "14.0.1",
    "pypdf": "6.16.1",
    "jinja2": "3.1.6",
    "filelock": "3.20.3",
    "torch": "2.6",
    "setuptools": "78.1.1",
}


def requirements():
    config = ConfigParser()
    config.read(ROOT / "setup.cfg")
    extras = config["options.extras_require"]
    texts = [config["options"]["install_requires"], *extras.values()]
    for line in "\n".join(texts).splitlines():
        if line:
            yield Requirement(line)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    yield from map(Requirement, project["build-system"]["requires"])


REQUIREMENTS = [one for one in requirements() if one.name != "aq-gym"]


@pytest.mark.parametrize("one", REQUIREMENTS, ids=str)
def test_a_requirement_is_of_an_index_and_has_a_safe_lower_bound(one):
    assert one.url is None
    bounds = [Version(s.version) for s in one.specifier if s.operator in (">=", "==")]
    assert len(bounds) == 1
    assert bounds[0] >= Version(SAFE.get(one.name, "0.0.1"))


def test_every_vendored_file_has_its_hash_in_the_notice():
    vendored = ROOT / "aq_gym" / "report" / "static" / "vendor"
    files = [path for path in vendored.iterdir() if not path.name.startswith("LICENSE")]
    assert files
    notice = (ROOT / "NOTICE").read_text()
    for path in files:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        assert f"SHA-256 of {path.name}:\n    {digest}\n" in notice
