"""The look of the figures for papers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The colours of the page, which readers with colour blindness can tell apart.
COLORS = (
    "#225db0", "#ff4000", "#009b81", "#9600ff", "#714300", "#bc74d8", "#aa106f",
    "#23272e",
)  # fmt: skip
MARKS = "osD^vPX*"
# The widths in inches of one column and of two, in the papers of most conferences.
ONE_COLUMN, TWO_COLUMNS = 3.3, 6.8
DASHES = (
    "-",
    "--",
    ":",
    "-.",
    (0, (5, 2)),
    (0, (8, 3)),
    (0, (1, 3)),
    (0, (6, 2, 1, 2)),
)
_STYLE: Any = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 9,
    "font.size": 8,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.5,
    "legend.frameon": False,
    "lines.linewidth": 1.5,
    # Text is embedded as text, as publishers require.
    "pdf.fonttype": 42,
    "savefig.dpi": 300,
    # A dollar sign in the name of a run does not begin a formula.
    "text.parse_math": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "aq_gym",
}


def new_figure(
    rows: int, columns: int, size: tuple[float, float]
) -> tuple[Figure, Any]:
    """Return a figure and its axes as a two-dimensional array.

    Args:
        rows: The number of rows.
        columns: The number of columns.
        size: Width and height in inches.
    """
    from matplotlib.figure import Figure

    with styled():
        figure = Figure(figsize=size, layout="constrained")
        axes = figure.subplots(rows, columns, squeeze=False)
    return figure, axes


def styled() -> Any:
    """Return a context in which matplotlib uses the style of the figures."""
    import matplotlib

    return matplotlib.rc_context(_STYLE)


def legend(figure: Figure) -> None:
    """Add a legend above a figure, if it has several names.

    Args:
        figure: The figure; on all its axes a name has one style.
    """
    named: dict[str, Any] = {}
    for axis in figure.axes:
        handles, labels = axis.get_legend_handles_labels()
        named = dict(zip(labels, handles, strict=True)) | named
    if len(named) > 1:
        wide = figure.get_figwidth() / (0.45 + 0.07 * max(map(len, named)))
        columns = max(1, min(len(named), 4, int(wide)))
        figure.legend(
            named.values(), named.keys(), loc="outside upper center", ncols=columns
        )
