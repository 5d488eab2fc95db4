"""The summary as a table for Markdown and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import groupby
from textwrap import wrap

from aq_gym.evaluation import Estimate
from aq_gym.evaluation.metrics import METRICS, format_estimate
from aq_gym.report.comparability import compared_with, damaged
from aq_gym.report.data import Run
from aq_gym.report.summary import SummaryRow, columns, environments, summary_rows
from aq_gym.report.verdicts import paired

_LATEX = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}  # fmt: skip
_CERTAIN = 0.05
# The number of characters in a line of a note below a LaTeX table.
_NOTE = 80
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
        _line(
            [
                markdown_cell(row.name),
                markdown_cell(row.run),
                row.size,
                *(format_estimate(name, row.estimates.get(name)) for name in names),
            ]
        )
        for row in rows
    ]
    notes = [f"\n{markdown_cell(note)}" for note in damaged(runs)]
    return "\n".join([*lines, *notes]) + "\n"


def markdown_cell(text: str) -> str:
    """Escape Markdown's special characters, and keep the text on one line."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def latex_table(runs: Sequence[Run], env: str | None = None) -> str:
    r"""Return the summary as a LaTeX table; it needs ``\usepackage{booktabs}``.

    Each environment is a group of rows; ``n`` is the number of episodes, with that of
    their tasks if it is smaller. The ends of the 95% intervals are distances from the
    values. The best values of a group are bold, and below it are the differences of the
    runs from the first one, paired by task, bold where the p-value that Holm's method
    adjusts for the environments is below 0.05.

    Args:
        runs: The runs.
        env: The benchmark to show; by default all, and the means over them.

    Raises:
        ValueError: If the runs do not have the benchmark.
    """
    rows = _rows(runs, env)
    # Tokens, which the Markdown table has, would make the table wider than a page.
    names = [name for name in columns(rows) if name != "tokens"]
    heads = [r"\\".join(wrap(_latex(name), 10)) for name in names]
    lines = [
        r"{\footnotesize\setlength{\tabcolsep}{3pt}\renewcommand{\arraystretch}{1.3}",
        rf"\begin{{tabular}}{{l{'r' * (len(names) + 1)}}}",
        r"\toprule",
        _joined(["run", "$n$", *(rf"\shortstack[r]{{{h}}}" for h in heads)]),
    ]
    for group, found in groupby(rows, key=lambda row: row.env):
        own = list(found)
        titles = dict.fromkeys(row.name for row in own)
        lines += [
            r"\midrule",
            *(_title(rf"\emph{{{_latex(title)}}}", names) for title in titles),
            *_group(own, names),
            *_differences(runs, group, names),
        ]
    for note in damaged(runs):
        lines += (_title(_latex(line), names) for line in wrap(note, _NOTE))
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}}"]) + "\n"


def _title(text: str, names: Sequence[str]) -> str:
    return rf"\multicolumn{{{len(names) + 2}}}{{l}}{{{text}}} \\"


def _group(rows: Sequence[SummaryRow], names: Sequence[str]) -> Iterator[str]:
    best = {name: _best(rows, name) for name in names}
    for row in rows:
        found = ((name, row.estimates.get(name)) for name in names)
        cells = [
            _cell(name, one, bold=one is not None and _shown(name, one) == best[name])
            for name, one in found
        ]
        yield _joined([_latex(row.run), row.size, *cells])


def _best(rows: Sequence[SummaryRow], name: str) -> str | None:
    """Return the best value of a metric as it is shown, None if all are equal."""
    better = METRICS[name].higher_is_better
    found = [row.estimates[name] for row in rows if name in row.estimates]
    if better is None or len({_shown(name, one) for one in found}) < 2:
        return None
    best = (max if better else min)(found, key=lambda estimate: estimate.value)
    return _shown(name, best)


def _differences(runs: Sequence[Run], env: str, names: Sequence[str]) -> Iterator[str]:
    first, *others = paired(runs)
    own = [c for run in others for c in compared_with(first, run) if c.env == env]
    if own:
        yield _title(rf"\quad minus {_latex(first.label)}:", names)
    for contrast in own:
        cells = [str(max(c.pairs for c in contrast.metrics.values()))]
        for name in names:
            compared = contrast.metrics.get(name)
            certain = compared is not None and compared.holm_p_value < _CERTAIN
            difference = compared.difference if compared else None
            cells.append(_cell(name, difference, bold=certain, signed=True))
        yield _joined([rf"\quad {_latex(contrast.second)}", *cells])


def _shown(name: str, estimate: Estimate) -> str:
    return format_estimate(name, estimate).partition(" ")[0]


def _cell(
    name: str, estimate: Estimate | None, *, bold: bool, signed: bool = False
) -> str:
    r"""Return an estimate such as ``$0.95^{+.03}_{-.07}$``."""
    if estimate is None:
        return "--"
    value, *ends = (
        Decimal(_shown(name, Estimate(end, None, None)).replace(",", ""))
        for end in estimate
        if end is not None
    )
    text = f"{value:+,}" if signed else f"{value:,}"
    text = text.replace(",", "{,}")
    text = rf"\mathbf{{{text}}}" if bold else text
    if ends:
        up, down = (
            f"{end}".removeprefix("0") for end in (ends[1] - value, value - ends[0])
        )
        text += f"^{{+{up}}}_{{-{down}}}"
    return f"${text}$"


def _rows(runs: Sequence[Run], env: str | None) -> list[SummaryRow]:
    rows = [row for row in summary_rows(runs) if not row.by]
    if env is None:
        return rows
    own = [row for row in rows if row.env == env]
    if not own:
        raise ValueError(f"env={env!r} must be one of {environments(runs)}")
    return own


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _joined(cells: Sequence[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def _latex(text: str) -> str:
    return "".join(_LATEX.get(sign, sign) for sign in text)
