"""The summary as a table for Markdown and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Sequence

from aq_gym.evaluation.metrics import format_estimate
from aq_gym.report.data import Run
from aq_gym.report.summary import OVERALL, SummaryRow, columns, summary_rows

__all__ = ["latex_table", "markdown_cell", "markdown_table"]

_LATEX = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}  # fmt: skip
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>|])")


def markdown_table(runs: Sequence[Run]) -> str:
    """Return the summary as a Markdown table, with the intervals.

    Args:
        runs: The runs.
    """
    rows = _rows(runs)
    names = columns(rows)
    heading = ["environment", "run", "episodes", *names]
    lines = [_line(heading), _line(["---", "---", *["---:"] * (len(heading) - 2)])]
    lines += [
        _line([markdown_cell(cell) for cell in _names(row)] + _cells(row, names))
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def markdown_cell(text: str) -> str:
    """Escape Markdown's special characters, and keep the text on one line."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def latex_table(runs: Sequence[Run]) -> str:
    r"""Return the summary as a LaTeX table; it needs ``\usepackage{booktabs}``.

    Args:
        runs: The runs.
    """
    rows = _rows(runs)
    names = columns(rows)
    heading = ["environment", "run", "episodes", *names]
    lines = [
        rf"\begin{{tabular}}{{ll{'r' * (len(heading) - 2)}}}",
        r"\toprule",
        _latex_line(heading),
        r"\midrule",
        *(_latex_line([*_names(row), *_cells(row, names)]) for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _rows(runs: Sequence[Run]) -> list[SummaryRow]:
    return [row for row in summary_rows(runs) if not row.by]


def _names(row: SummaryRow) -> list[str]:
    return [OVERALL.get(row.env, row.env), row.run]


def _cells(row: SummaryRow, names: Sequence[str]) -> list[str]:
    values = [format_estimate(name, row.estimates.get(name)) for name in names]
    return [str(row.episodes), *values]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _latex_line(cells: Sequence[str]) -> str:
    escaped = ("".join(_LATEX.get(sign, sign) for sign in cell) for cell in cells)
    return f"{' & '.join(escaped)} \\\\"
