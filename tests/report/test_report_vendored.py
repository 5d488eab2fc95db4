"""The charting library is the one that its package has."""

import json

import pytest


def test_the_vendored_library_is_unchanged(root):
    package = root / "node_modules" / "uplot"
    if not package.exists():
        pytest.skip("needs uplot: npm install")
    vendored = root / "aq_gym" / "report" / "static" / "vendor"
    for name in ("uPlot.iife.min.js", "uPlot.min.css"):
        assert (vendored / name).read_bytes() == (package / "dist" / name).read_bytes()
    licence = (vendored / "LICENSE-uplot").read_bytes()
    assert licence == (package / "LICENSE").read_bytes()


def test_the_notice_names_its_version(root):
    package = json.loads((root / "package.json").read_text())
    version = package["devDependencies"]["uplot"]
    assert f"uPlot {version} " in (root / "NOTICE").read_text()
