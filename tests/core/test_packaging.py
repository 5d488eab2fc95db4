"""What a wheel has, what importing the package loads, and code of others."""

import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from configparser import ConfigParser
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

# Their compiled results are packaged.
SOURCES = {".c", ".h", ".inf"}
BUILD = "from setuptools import build_meta; print(build_meta.build_{}({!r}))"


def build(kind, folder):
    """Build a wheel or an sdist of a folder in it, and return the file."""
    code = BUILD.format(kind, str(folder / "dist"))
    (folder / "dist").mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "dynamic" not in done.stderr, "something set is not listed in pyproject.toml"
    return folder / "dist" / done.stdout.split()[-1]


def files_in(wheel):
    """The files of a wheel without its metadata."""
    with zipfile.ZipFile(wheel) as opened:
        return {name for name in opened.namelist() if ".dist-info/" not in name}


@pytest.fixture(scope="module")
def copied(root, tmp_path_factory):
    """A copy of the packaged files, so that nothing is built in the checkout."""
    folder = tmp_path_factory.mktemp("copy")
    skip = shutil.ignore_patterns(
        ".*", "build", "dist", "node_modules", "__pycache__", "*.egg-info"
    )
    shutil.copytree(root, folder, symlinks=True, ignore=skip, dirs_exist_ok=True)
    return folder


@pytest.fixture(scope="module")
def expected(copied):
    """Every file but C sources, by its path in a wheel."""
    found = {
        path.relative_to(copied).as_posix()
        for path in (copied / "aq_gym").rglob("*")
        if path.is_file() and "wrappers" not in path.parts
    }
    found |= {f"aq_gym/wrappers/{path.name}" for path in copied.glob("wrappers/*.py")}
    # A file of data can be of any kind.
    data = {name for name in found if "/data/" in name}
    return data | {name for name in found if Path(name).suffix not in SOURCES}


@pytest.mark.needs("module:setuptools")
@pytest.mark.slow
def test_a_wheel_holds_the_tree(copied, expected):
    assert files_in(build("wheel", copied)) == expected


@pytest.mark.slow
@pytest.mark.needs("module:setuptools")
def test_one_command_makes_every_link_absolute(copied, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(copied, folder, symlinks=True)
    command = [sys.executable, "tools/address.py", "https://example.org/me/aq_gym"]
    for _ in range(2):
        subprocess.run(command, cwd=folder, check=True)
    with zipfile.ZipFile(build("wheel", folder)) as opened:
        (name,) = (name for name in opened.namelist() if name.endswith("/METADATA"))
        metadata = opened.read(name).decode()
    assert metadata.count("Project-URL: Source, https://example.org/me/aq_gym\n") == 1
    assert "(https://example.org/me/aq_gym/raw/main/docs/pictures/" in metadata
    targets = re.findall(r"\]\(([^)]*)\)", metadata)
    targets += re.findall(r'\bsrc(?:set)?="([^"]*)"', metadata)
    assert targets
    assert all(target.startswith("https://") for target in targets)


@pytest.mark.slow
@pytest.mark.needs("module:setuptools")
def test_a_wheel_of_an_sdist_holds_the_same(copied, expected, tmp_path):
    with tarfile.open(build("sdist", copied)) as opened:
        opened.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.iterdir()
    assert (unpacked / "wrappers" / "__init__.py").exists()
    assert list(unpacked.rglob("*.c")), "the sources belong to an sdist"
    assert files_in(build("wheel", unpacked)) == expected


def test_importing_loads_no_engine():
    heavy = {"alfworld", "hypothesis", "jericho", "minigrid", "pddlgym", "pygame"}
    heavy |= {"pytest", "rapidfuzz", "rich", "textworld", "wasmtime"}
    code = "import sys, aq_gym; print(*{m.partition('.')[0] for m in sys.modules})"
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert not heavy & set(out.stdout.split())


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


def test_a_requirement_is_of_an_index_and_has_a_safe_lower_bound():
    for one in requirements():
        if one.name != "aq-gym":
            least = [s.version for s in one.specifier if s.operator in (">=", "==")]
            assert one.url is None and len(least) == 1, one
            assert Version(least[0]) >= Version(SAFE.get(one.name, "0.0.1")), one


def test_every_vendored_file_has_its_hash_in_the_notice():
    vendored = ROOT / "aq_gym" / "report" / "static" / "vendor"
    files = [path for path in vendored.iterdir() if not path.name.startswith("LICENSE")]
    assert files
    notice = (ROOT / "NOTICE").read_text()
    for path in files:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        assert f"SHA-256 of {path.name}:\n    {digest}\n" in notice
