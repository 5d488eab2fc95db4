"""The figures for papers."""

import dataclasses
import itertools

import pytest
from report_runs import MASTERMIND

from aq_gym.cli import main
from aq_gym.report import load_runs

pytestmark = [pytest.mark.slow, pytest.mark.needs("module:matplotlib")]


@pytest.fixture(scope="module")
def loaded(runs):
    return load_runs(runs)


@pytest.fixture(scope="module")
def figures():
    from aq_gym.report import figures

    return figures


def test_curves_have_a_line_for_each_run(figures, loaded):
    figure = figures.curves(loaded, MASTERMIND)
    left, right = figure.axes
    assert [line.get_label() for line in left.lines] == [
        "random",
        "expert (privileged)",
    ]
    # Every line goes from step 0 to the end of the longest episode of all runs.
    assert {len(line.get_xdata()) for line in left.lines + right.lines} == {13}
    left.set_xlim(0, 1)
    assert set(left.get_xticks()) == {0, 1}
    with pytest.raises(ValueError, match="must be one of"):
        figures.curves(loaded, "aq/None-v0")


def test_figures_of_many_environments_fit_on_a_page(figures, loaded):
    many = [
        dataclasses.replace(e, env=f"{e.env}-{n}")
        for n in range(5)
        for e in loaded[0].episodes
    ]
    runs = [dataclasses.replace(loaded[0], episodes=many)]
    for width in (figures.ONE_COLUMN, figures.TWO_COLUMNS):
        for draw in (figures.curves, figures.dots):
            assert draw(runs, None, width).get_figheight() <= 9


def test_a_map_is_symmetric_and_marks_repeats(figures, stubborn):
    run = load_runs([stubborn])[0]
    figure = figures.repetition_map(run, run.episodes[0].task)
    axis = figure.axes[0]
    assert (axis.images[0].get_array() == 1).all()
    assert list(axis.lines[0].get_xdata()) == list(range(2, 13))
    with pytest.raises(ValueError, match="no trajectory"):
        figures.repetition_map(run, "nothing")


def test_dots_have_every_run(figures, loaded):
    axes = figures.dots(loaded).axes
    assert [axis.get_title() for axis in axes][:3] == [
        "success rate",
        "progress rate",
        "final progress",
    ]
    dots = [line for line in axes[0].lines if line.get_marker() != "None"]
    assert [line.get_label() for line in dots] == ["random", "expert (privileged)"]
    # Each dot has its interval: three environments, two runs.
    assert len(axes[0].lines) == 2 + 6


def test_no_label_is_printed_over_another(figures, loaded):
    many = [
        dataclasses.replace(e, env=f"{e.env}-{n}", setting=f"{e.setting}-{n}")
        for n in range(4)
        for e in loaded[0].episodes
    ]
    runs = [dataclasses.replace(loaded[0], episodes=many), loaded[1]]
    for width in (figures.ONE_COLUMN, figures.TWO_COLUMNS):
        figure = figures.dots(runs, None, width)
        figure.draw_without_rendering()
        for axis in figure.axes:
            labels = [*axis.get_xticklabels(), *axis.get_yticklabels()]
            boxes = [t.get_window_extent() for t in labels if t.get_text()]
            assert not any(a.overlaps(b) for a, b in itertools.combinations(boxes, 2))


def test_figures_are_as_wide_as_the_columns_of_a_paper(runs, loaded, tmp_path):
    from PIL import Image

    for columns, inches in (("1", 3.3), ("2", 6.8)):
        out = tmp_path / columns
        asked = ["--env", MASTERMIND, "--columns", columns, "--format", "png"]
        paths = [str(run) for run in runs]
        assert main(["report", *paths, "--figures", str(out), *asked]) == 0
        # A map for each run, of this environment.
        names = {file.name.split("-")[0] for file in out.iterdir()}
        assert names == {"curves.png", "dots.png", "map"}
        assert len(list(out.iterdir())) == 4
        for name in ("curves", "dots"):
            with Image.open(out / f"{name}.png") as image:
                assert image.width == pytest.approx(300 * inches, abs=1)


def test_a_dollar_in_a_name_is_no_formula(figures, loaded, tmp_path):
    named = [dataclasses.replace(loaded[0], label="$x^{$ a"), loaded[1]]
    figures.curves(named).savefig(tmp_path / "x.png")


def test_the_command_writes_files_that_are_equal_each_time(runs, tmp_path):
    paths = [str(run) for run in runs]
    for name in ("a", "b"):
        out = str(tmp_path / name)
        assert main(["report", *paths, "--figures", out, "--format", "svg"]) == 0
    files = sorted((tmp_path / "a").iterdir())
    assert {"curves.svg", "dots.svg"} <= {f.name for f in files}
    for file in files:
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes()


def test_an_unknown_format_is_refused(figures, loaded, tmp_path):
    with pytest.raises(ValueError, match="gif"):
        figures.write_figures(loaded, tmp_path, ["gif"])


def test_runs_with_errors_alone_have_no_figure(figures, loaded):
    failed = [dataclasses.replace(e, error="engine died") for e in loaded[0].episodes]
    runs = [dataclasses.replace(loaded[0], episodes=failed)]
    for draw in (figures.curves, figures.dots):
        with pytest.raises(ValueError, match="ended without an error"):
            draw(runs)
    assert figures.dots([*runs, loaded[1]]).axes


def test_the_legend_names_the_runs_of_every_environment(figures, loaded):
    first = [e for e in loaded[0].episodes if e.env == MASTERMIND]
    second = [e for e in loaded[1].episodes if e.env != MASTERMIND]
    runs = [
        dataclasses.replace(run, episodes=own)
        for run, own in zip(loaded, (first, second), strict=True)
    ]
    (legend,) = figures.curves(runs).legends
    assert {text.get_text() for text in legend.texts} == {
        "random",
        "expert (privileged)",
    }
