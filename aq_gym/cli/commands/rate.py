"""``aq-gym rate``."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.markup import escape

from aq_gym.cli.options import natural, positive
from aq_gym.cli.output import make_console
from aq_gym.cli.table import plain_table
from aq_gym.cli.user_errors import UserError, interruptible, user_errors
from aq_gym.evaluation import LimitReachedError
from aq_gym.models import EndpointError
from aq_gym.ratings import Criterion, Judge, Settings, assess, load_criteria, plan
from aq_gym.ratings.first_bad_step import FIRST_BAD_STEP
from aq_gym.selection import key_value

_SAME = "the same command continues it"
_NAMED = ("model", "base_url")
_ARGUMENTS = [f.name for f in dataclasses.fields(Judge) if f.name not in _NAMED]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.description = (
        "Let models rate the episodes of a run on criteria that they suggest, or that "
        "you give, and find the criteria that are worth something. Every answer is "
        "kept in ratings/journal.jsonl; the same command continues. The result is "
        "ratings.json, which the report shows."
    )
    parser.epilog = (
        "example: aq-gym rate runs/a --model NAME --base-url "
        "http://localhost:8000/v1 --dry-run"
    )
    parser.add_argument("run", metavar="RUN", help="a run, or a folder of trajectories")
    several: dict[str, Any] = {"action": "append", "default": []}
    parser.add_argument(
        "--model", required=True, help="a judge's model; can be repeated", **several
    )
    parser.add_argument(
        "--base-url",
        help="the endpoint: one for all judges, or one for each",
        **several,
    )
    parser.add_argument(
        "--judge-arg",
        metavar="KEY=VALUE",
        help=f"an argument of the judges: {', '.join(_ARGUMENTS)}; can be repeated",
        **several,
    )
    parser.add_argument(
        "--criteria",
        metavar="FILE",
        help="the criteria; by default they are suggested. first-bad-step tests the "
        "judges: they name the step that the steps to go show (aq-gym score)",
    )
    parser.add_argument("--labels", metavar="CSV", help="ratings by people")
    parser.add_argument("--limit", type=positive, help="rate the first N episodes only")
    parser.add_argument("--workers", type=positive, default=1, help="parallel calls")
    parser.add_argument(
        "--max-cost", type=float, help="stop when it has cost this much"
    )
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="print how many calls and tokens it will take, and send nothing",
    )
    _add_settings(parser)


def _add_settings(parser: argparse.ArgumentParser) -> None:
    default = Settings()
    parser.add_argument("--task", default="", help="a description of the agents' task")
    parser.add_argument(
        "--based-on",
        choices=("auto", "task", "episodes"),
        default=default.based_on,
        help="what the critic sees (default: episodes if some succeed and some fail)",
    )
    for flag, kind, about in (
        ("seeds", positive, "how often criteria are suggested"),
        ("number", positive, "how many criteria are kept"),
        ("repeats", positive, "how often each episode is rated"),
        ("retries", natural, "how often a request with an invalid answer is repeated"),
    ):
        value = getattr(default, flag)
        parser.add_argument(
            f"--{flag}", type=kind, default=value, help=f"{about} (default: {value})"
        )
    parser.add_argument(
        "--asking",
        choices=("all", "one"),
        default=default.asking,
        help="all criteria in a request (the default), or one in each",
    )
    parser.add_argument(
        "--disturb",
        action="append",
        metavar="KIND[:SHARE]",
        help="rate copies without a share of the sentences, words or steps, with "
        "the steps shuffled, with the end of another episode (other-end), or with an "
        "appeal to the judge; can be repeated; none for no copies (default: "
        f"{' '.join(default.disturbances)})",
    )


def command(options: argparse.Namespace) -> int:
    """Rate a run and print what the criteria are worth."""
    with user_errors():
        judges, settings = _judges(options), _settings(options)
        criteria = _criteria(options.criteria)
        given: dict[str, Any] = {
            "criteria": criteria,
            "labels": options.labels,
            "limit": options.limit,
            "max_cost": options.max_cost,
        }
        if options.dry_run:
            _print_plan(plan(options.run, judges, settings, **given))
            return 0
        try:
            with interruptible():
                results = assess(
                    options.run,
                    judges,
                    settings,
                    workers=options.workers,
                    **given,
                )
        except LimitReachedError as error:
            raise UserError(f"{error}; raise the limit to continue") from error
        except EndpointError as error:
            raise UserError(f"{error}; {_SAME}") from error
    _print(results, Path(options.run))
    return 0


def _criteria(given: str | None) -> Sequence[Criterion]:
    if given == "first-bad-step":
        return (FIRST_BAD_STEP,)
    return load_criteria(Path(given)) if given else ()


def _judges(options: argparse.Namespace) -> list[Judge]:
    urls: list[str | None] = options.base_url or [None]
    if len(urls) not in (1, len(options.model)):
        raise ValueError(
            f"--base-url is given {len(urls)} times: give one, or one for each --model"
        )
    urls = urls * len(options.model) if len(urls) == 1 else urls
    params = dict(map(key_value, options.judge_arg))
    if unknown := sorted(params.keys() - set(_ARGUMENTS)):
        raise ValueError(
            f"--judge-arg {unknown[0]}: choose one of {', '.join(_ARGUMENTS)}"
        )
    return [
        Judge(**{"model": model, "base_url": url, **params})
        for model, url in zip(options.model, urls, strict=True)
    ]


def _settings(options: argparse.Namespace) -> Settings:
    names = {field.name for field in dataclasses.fields(Settings)}
    given = {name: value for name, value in vars(options).items() if name in names}
    if options.disturb:
        kinds = tuple(one for one in options.disturb if one != "none")
        given["disturbances"] = kinds
    return Settings(**given)


def _print_plan(planned: Mapping[str, float]) -> None:
    console = make_console()
    console.print(
        f"{planned['calls']:,.0f} calls, about {planned['tokens_read']:,.0f} tokens "
        f"read, at most {planned['tokens_written']:,.0f} written, at most "
        f"{planned['cost']:g} in the unit of the price; nothing was sent"
    )


def _print(results: Mapping[str, Any], run: Path) -> None:
    console = make_console()
    table = plain_table(
        "criterion", "decision", "alpha", "entropy", "area", "tau", "missing"
    )
    for one in results["criteria"]:
        tau = one.get("tau", {}).get("progress rate")
        figures = (one["alpha"], one["entropy"], one.get("success_area"), tau)
        shown = [_number(figure) for figure in figures]
        missing = f"{one['missing']}/{one['ratings']}"
        table.add_row(escape(one["name"]), one["decision"], *shown, missing)
    console.print(table)
    for one in results["criteria"]:
        if (share := one["agreement"].get("people_share")) is not None:
            console.print(
                f"{one['name']}: equal to {share:.0%} of {one['agreement']['labels']} "
                f"labels, kappa {_number(one['agreement']['people_kappa'])}",
                markup=False,
            )
        for text in (*one["reasons"], *one["flags"]):
            console.print(f"{one['name']}: {text}", markup=False)
    for note in results["notes"]:
        console.print(f"note: {note}", markup=False)
    console.print(f"\n{run / 'ratings.json'}", markup=False, soft_wrap=True)


def _number(figure: Any) -> str:
    value = figure["value"] if isinstance(figure, dict) else figure
    return "-" if value is None else f"{value:.2f}"
