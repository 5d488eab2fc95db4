"""Render the templates, with the style and the scripts joined into the page."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from aq_gym._version import __version__
from aq_gym.core.text import amount
from aq_gym.evaluation import Estimate
from aq_gym.evaluation.metrics import METRICS, decimals, format_estimate, shown_p
from aq_gym.report.ranking import MOST_COLORS
from aq_gym.report.summary import is_rate
from aq_gym.support.data import CANARY

if TYPE_CHECKING:
    import jinja2
    from markupsafe import Markup

# For the runs that have a mark, those of one colour unlike; the others are grey.
_DASHES = ("none", "8 4", "2 3", "10 3 2 3", "5 2", "12 5", "6 6", "6 2 1 2 1 2")
DASHES = (*_DASHES, *_DASHES[4:], *_DASHES[:4], "none")


class _Numbers:
    """The number formats of the templates."""

    is_rate = staticmethod(is_rate)
    amount = staticmethod(amount)

    @staticmethod
    def color(number: int) -> int:
        return number if 0 <= number < MOST_COLORS else MOST_COLORS

    @staticmethod
    def value(name: str, estimate: Estimate) -> str:
        return format_estimate(name, estimate).partition(" ")[0]

    @staticmethod
    def plain(name: str, value: float) -> str:
        return format_estimate(name, Estimate(value, None, None))

    @staticmethod
    def spread(name: str, value: float) -> str:
        shown = decimals(value, METRICS[name].digits)
        # What is not nought does not look like it.
        return shown if shown.strip("0.") or value < 1e-4 else f"{value:.1g}"

    @staticmethod
    def interval(name: str, estimate: Estimate) -> str:
        return format_estimate(name, estimate).partition(" ")[2]

    @staticmethod
    def signed(name: str, estimate: Estimate) -> str:
        value = _Numbers.value(name, estimate)
        return f"+{value}" if value.strip("0.") and value[0] != "-" else value

    @staticmethod
    def p(value: float) -> str:
        return shown_p(value).replace(" ", "\u00a0")


def render(template: str, *, mode: str = "", **values: Any) -> str:
    """Fill in a template; every value in it is escaped.

    Args:
        template: The template's file name.
        mode: See :func:`policy`.
        values: The variables of the template. ``data`` must be a return value of
            :func:`aq_gym.report.archive.dumps`.
    """
    text: str = (
        _environment()
        .get_template(template)
        .render(
            {
                **values,
                **_inlined(values),
                "policy": policy(mode),
                "canary": CANARY,
                "version": __version__,
                "dashes": DASHES,
                "numbers": _Numbers,
            }
        )
    )
    return text


def _inlined(values: Mapping[str, Any]) -> dict[str, Markup]:
    from markupsafe import Markup

    # Inserted unescaped: escaping would break scripts and styles, which are our own,
    # and JSON, which has no "<".
    inlined = {"script": Markup(script()), "css": Markup(style())}
    if "data" in values:
        inlined["data"] = Markup(values["data"])
    return inlined


def policy(mode: str = "", framed: bool = True) -> str:
    """Return the Content-Security-Policy of a page.

    It allows the page's own script and style, by their hashes, and no network address.
    Images are part of the page, and cannot run or load anything.

    Args:
        mode: "folder" if the page loads its trajectories from a folder next to it,
            "live" if it requests data from its own server, or "".
        framed: Whether another page may show it in a frame; only a header can forbid
            that.
    """
    scripts = digest(script())
    if mode == "folder":
        # The page's script may load the chunks beside it; nothing else may load a
        # script.
        scripts += " 'strict-dynamic'"
    connect = "'self'" if mode == "live" else "'none'"
    ancestors = "" if framed else "; frame-ancestors 'none'"
    return (
        f"default-src 'none'; script-src {scripts}; style-src {digest(style())}; "
        f"connect-src {connect}; img-src data:; base-uri 'none'; form-action 'none'"
        f"{ancestors}"
    )


def _environment() -> jinja2.Environment:
    import jinja2

    return jinja2.Environment(
        loader=jinja2.PackageLoader("aq_gym.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )


# Each module comes after the ones that it imports.
_MODULES = (
    "state",
    "text",
    "dom",
    "stuck",
    "choose",
    "repeats",
    "archive",
    "tables",
    "theme",
    "live",
    "svg",
    "curves",
    "map",
    "pictures",
    "timeline",
    "steps",
    "loops",
    "highlight",
    "copy",
    "beside",
    "episode",
    "list",
    "browse",
    "start",
    "main",
)
_IMPORT = re.compile(r"^import [^;]*;\n", re.M)
_COMMENT = re.compile(r"^ *(?:/\*.*?\*/|//[^\n]*)\n", re.M | re.S)
_EXPORT = re.compile(r"^export ((?:async )?(?:class|const|function)) (\w+)", re.M)


@cache
def script() -> str:
    """Return the charting library and the page's own modules as one script.

    A page that was opened from disk can't import modules, so they are joined: each is
    a function that returns its exports, so that other names do not clash. Comments are
    left out.
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
    body = _COMMENT.sub("", _EXPORT.sub(r"\1 \2", _IMPORT.sub("", module)))
    return f"const {{{names}}} = (() => {{\n{body}return {{{names}}};\n}})();"


def _read(*path: str) -> str:
    return files("aq_gym.report").joinpath("static", *path).read_text("utf-8")
