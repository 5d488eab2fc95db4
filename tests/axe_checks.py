"""Check a page with axe-core, which ``npm install`` puts in the checkout."""

import os
from pathlib import Path

import pytest

AXE = Path(__file__).parents[1] / "node_modules" / "axe-core" / "axe.min.js"
# The rules that a theme can break.
COLOUR_RULES = ["color-contrast", "link-in-text-block"]


def serious_problems(page, theme, preload=True, alone=True):
    """Return the serious violations; in the dark theme those of the colours alone.

    Args:
        page: A page of Playwright.
        theme: "light" or "dark".
        preload: Whether axe may request style sheets, which a file may not.
        alone: Whether the test checks nothing else, so that it is skipped without axe.
    """
    if not AXE.exists():
        _without_axe(alone)
        return []
    options = {"preload": preload}
    if theme == "dark":
        options["runOnly"] = COLOUR_RULES
    # By the debugger, which a page's policy does not bind.
    page.evaluate(AXE.read_text())
    result = page.evaluate("options => axe.run(options)", options)
    assert len(result["passes"]) > (0 if theme == "dark" else 15)
    return [
        (one["id"], [node["html"][:120] for node in one["nodes"][:3]])
        for one in result["violations"]
        if one["impact"] in ("serious", "critical")
    ]


def _without_axe(alone):
    why = "needs axe-core: npm install"
    if os.environ.get("AQ_GYM_TEST_ALL") == "1":
        pytest.fail(why, pytrace=False)
    if alone:
        pytest.skip(why)
