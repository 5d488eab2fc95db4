"""The summary as a table for Markdown and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from aq_gym.evaluation.metrics import METRICS, format_estimate
from aq_gym.report.comparability import contrasts
from aq_gym.report.data import Run
from aq_gym.report.summary import (
    OVERALL,
    SummaryRow,
    columns,
    environments,
    summary_rows,
)

_LATEX = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}  # fmt: skip
_CERTAIN = 0.05
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>|])")


def markdown_table(runs: Sequence[Run], env: str | None = None) -> str:
    """Return the summary as a Markdown table, with the intervals.

    Args:
        runs: The runs.
        env: The benchmark to show; by default all, and the means over them.

    Raises:
        ValueError: If the runs do not have the benchmark.
    """
    rows = _rows(runs, env)
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


def latex_table(runs: Sequence[Run], env: str | None = None) -> str:
    r"""Return the summary as a LaTeX table; it needs ``\usepackage{booktabs}``.

    Each environment is a group of rows. The best values of a group are bold, and below
    it are the differences of the runs from the first one, paired by task, with a star
    where the p-value that Holm's method adjusts for the environments is below 0.05.

    Args:
        runs: The runs.
        env: The benchmark to show; by default all, and the means over them.

    Raises:
        ValueError: If the runs do not have the benchmark.
    """
    rows = _rows(runs, env)
    names = columns(rows)
    lines = [
        rf"\begin{{tabular}}{{l{'r' * (len(names) + 1)}}}",
        r"\toprule",
        _latex_line(["run", "episodes", *names]),
    ]
    for group, own in groupby(rows, key=lambda row: row.env):
        title = _latex(OVERALL.get(group, group))
        lines += [
            r"\midrule",
            rf"\multicolumn{{{len(names) + 2}}}{{l}}{{\emph{{{title}}}}} \\",
            *_group(list(own), names),
            *_differences(runs, group, names),
        ]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def _group(rows: Sequence[SummaryRow], names: Sequence[str]) -> Iterator[str]:
    best = {name: _best(rows, name) for name in names}
    for row in rows:
        cells = [str(row.episodes)]
        for name in names:
            estimate = row.estimates.get(name)
            value, gap, interval = format_estimate(name, estimate).partition(" ")
            bold = estimate is not None and value == best[name]
            value = rf"\textbf{{{value}}}" if bold else _latex(value)
            cells.append(value + gap + interval)
        yield _joined([_latex(row.run), *cells])


def _best(rows: Sequence[SummaryRow], name: str) -> str | None:
    """Return the best value of a metric as shown, None if none is better."""
    better = METRICS[name].higher_is_better
    found = [row.estimates[name] for row in rows if name in row.estimates]
    shown = {format_estimate(name, one).partition(" ")[0] for one in found}
    if better is None or len(shown) < 2:
        return None
    best = (max if better else min)(found, key=lambda estimate: estimate.value)
    return format_estimate(name, best).partition(" ")[0]


def _differences(runs: Sequence[Run], env: str, names: Sequence[str]) -> Iterator[str]:
    for contrast in contrasts(runs):
        if contrast.first != runs[0].label or contrast.env != env:
            continue
        cells = [str(max(c.pairs for c in contrast.metrics.values()))]
        for name in names:
            compared = contrast.metrics.get(name)
            difference = compared.difference if compared else None
            value, gap, interval = format_estimate(name, difference).partition(" ")
            if difference is not None and difference.value >= 0:
                value = f"+{value}"
            certain = compared is not None and compared.holm_p_value < _CERTAIN
            star = r"\textsuperscript{*}" if certain else ""
            cell = _latex(value) + star + gap + interval
            cells.append(cell.replace("-", "$-$") if compared else cell)
        label = f"{contrast.second} minus {contrast.first}"
        yield _joined([rf"\quad {_latex(label)}", *cells])


def _rows(runs: Sequence[Run], env: str | None) -> list[SummaryRow]:
    rows = [row for row in summary_rows(runs) if not row.by]
    if env is None:
        return rows
    own = [row for row in rows if row.env == env]
    if not own:
        raise ValueError(f"env={env!r} must be one of {environments(runs)}")
    return own


def _names(row: SummaryRow) -> list[str]:
    return [OVERALL.get(row.env, row.env), row.run]


def _cells(row: SummaryRow, names: Sequence[str]) -> list[str]:
    values = [format_estimate(name, row.estimates.get(name)) for name in names]
    return [str(row.episodes), *values]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _latex_line(cells: Sequence[str]) -> str:
    return _joined([_latex(cell) for cell in cells])


def _joined(cells: Sequence[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def _latex(text: str) -> str:
    return "".join(_LATEX.get(sign, sign) for sign in text)
