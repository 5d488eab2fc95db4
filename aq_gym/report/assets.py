"""The page's style and scripts, joined into one text each."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files

__all__ = ["digest", "script", "style"]

# Each module after the ones that it imports.
_MODULES = (
    "state",
    "text",
    "choose",
    "repeats",
    "dom",
    "archive",
    "tables",
    "theme",
    "live",
    "curves",
    "map",
    "steps",
    "episode",
    "list",
    "browse",
    "main",
)
_IMPORT = re.compile(r"^import [^;]*;\n", re.M)
_EXPORT = re.compile(r"^export ((?:async )?(?:class|const|function)) (\w+)", re.M)


@cache
def script() -> str:
    """Return the charting library and the page's own modules as one script.

    A page that was opened from disk can't import modules, so they are joined: each is
    a function that returns what it exports, so that other names stay apart.
    """
    parts = [_read("vendor", "uPlot.iife.min.js"), '"use strict";']
    parts += [_joined(_read(f"{name}.js")) for name in _MODULES]
    return "\n".join(parts)


@cache
def style() -> str:
    """Return the charting library's style and the page's own."""
    return f"{_read('vendor', 'uPlot.min.css')}\n{_read('report.css')}"


def digest(text: str) -> str:
    """Return a hash of a text in the form of a Content-Security-Policy.

    Args:
        text: The content of a script or style element.
    """
    hashed = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(hashed).decode()}'"


def _joined(module: str) -> str:
    names = ", ".join(name for _, name in _EXPORT.findall(module))
    body = _EXPORT.sub(r"\1 \2", _IMPORT.sub("", module))
    return f"const {{{names}}} = (() => {{\n{body}return {{{names}}};\n}})();"


def _read(*path: str) -> str:
    return files("aq_gym.report").joinpath("static", *path).read_text("utf-8")
