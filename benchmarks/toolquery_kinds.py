"""How many of the public questions of Tool-Query have a template here, by kind?

The questions are files that the user has: ``academia.jsonl``, ``movie.jsonl`` and
``weather.jsonl`` in one folder, as ``agentenv-tool/Toolusage/data`` of
https://github.com/WooooDyy/AgentGym has them: AgentBoard's questions, and more of the
same kinds. A question is of the first kind whose pattern is found in it. A kind has a
template if the template takes the same route, maybe to another field, a step further or
with another operation at the end, such as an average in place of a count.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from aq_gym.envs.toolquery.logic.worlds import WORLDS


class Kind(NamedTuple):
    """A kind of questions: a pattern, and templates of ours, which may be none."""

    name: str
    pattern: str
    templates: str = ""


KINDS = {
    "academia": (
        Kind(
            "the people with whom an author wrote, of a place",
            r"different org|same org.*him",
        ),
        Kind(
            "the people with whom one or two authors wrote",
            r"mutual coll|most coll",
            "coauthors shared-coauthors",
        ),
        Kind(
            "the paper of an author with the most citations",
            r"paper by .* most citations",
            "most-cited",
        ),
        Kind("the authors of that paper", r"co-authors with whom"),
        Kind(
            "what the papers of an author have most: venue, keyword",
            r"which venue|which keyword",
        ),
        Kind(
            "citations, of joint papers or of one",
            r"how many citations|how many papers",
            "citations total-citations",
        ),
        Kind(
            "where the authors of a paper work", r"organizations were", "organizations"
        ),
        Kind("where an author works", r"affiliated with\?", "organization"),
        Kind(
            "whether two authors work at the same place",
            r"same organization",
            "same-organization",
        ),
        Kind("the authors of a paper", r"who wrote", "authors"),
        Kind("whether two papers have an author in common", r"any overlap"),
        Kind(
            "two papers by year or citations",
            r"more citations|published first",
            "more-citations years-between",
        ),
        Kind(
            "whether two papers have the same venue, or kind of it",
            r"same (publication )?venue|both conf|same conf",
            "same-venue",
        ),
        Kind("the keywords of two papers", r"keyword", "common-keywords"),
    ),
    "movies": (
        Kind(
            "ids at other sites, biographies, translations, other titles",
            r"\bids?\b|biograph|translat|alternative|official \w+ title|description",
        ),
        Kind(
            "a person of a movie: birthday, birthplace",
            r"(birth|born).*(who|known|director of)|where was the director",
            "director-birthplace crew-birthday",
        ),
        Kind(
            "a person: birthday, birthplace",
            r"birth|born",
            "director-birthplace crew-birthday",
        ),
        Kind("awards", r"oscar|award|palme", "award-year awards-of-cast"),
        Kind(
            "the first movie of a person",
            r"first gain|directorial debut|debut",
            "actor-first director-longest",
        ),
        Kind(
            "the best or all movies of a director",
            r"movies directed by .* (one|highest)|of the movies directed",
            "director-longest",
        ),
        Kind(
            "whether an actor of a role is in another movie",
            r"also appear|appeared in any|same as the actress",
        ),
        Kind(
            "movies with two people, people with two movies",
            r"starred (together|in both|alongside)|both .* starred",
        ),
        Kind(
            "what the actor of a role played elsewhere",
            r"what role did (he|she)",
            "genres-of-role",
        ),
        Kind(
            "the movie of a role: budget, revenue, date, rating",
            r"movies? in which .* portrayed",
            "genres-of-role made-in",
        ),
        Kind(
            "who played a role, and the reverse",
            r"who played|what (role|character)|part of the cast|actor known"
            r"|actress won",
            "actor-of-role roles-of",
        ),
        Kind(
            "two movies: a larger number, an earlier date",
            r"higher|larger|more (revenue|prod|keywords)|versus|first[,?]|bigger"
            r"|earlier|better|compare (to|the release)",
            "rating-above higher-budget",
        ),
        Kind(
            "two movies: what they share",
            r"common|share|similar|same|between",
            "common-keywords same-language",
        ),
        Kind("profit", r"profit|generate revenue", "profit"),
        Kind(
            "the crew of a movie",
            r"direct(s|ed|or)|wrote|compos|producer|produced by",
            "company-of-director director-birthplace",
        ),
        Kind(
            "companies and countries of a movie",
            r"compan|countr|japanese",
            "company-country made-in",
        ),
        Kind(
            "a field of a movie",
            r"release date|budget|revenue|vote|genre|keyword|horror",
            "release-date common-keywords",
        ),
    ),
    "weather": (
        Kind(
            "height above another place",
            r"elevation|higher is its",
            "height-difference highest-place",
        ),
        Kind("distance", r"distance|how far", "distance-from-here distance"),
        Kind("air quality", r"\bair\b", "air-level best-air worst-air-level"),
        Kind(
            "two quantities on the same days",
            r"rain.*snow|snow.*rain|precip.*(rain|snow)|(rain|snow).*temp"
            r"|temp.*(rain|snow|precip)|rain showers",
            "wet-and-warm-days",
        ),
        Kind(
            "rain or snow: two places, or years",
            r"(rain|snow).*(which city|compared|difference between)|(which city"
            r"|which year|difference|much more).*(rain|snow)",
            "wetter-place",
        ),
        Kind(
            "rain or snow: a trend, consecutive days",
            r"(rain|snow).*(trend|pattern|consecutive|continuous|increase)"
            r"|(trend|pattern|consecutive|continuous|increas).*(rain|snow)"
            r"|sporadic",
        ),
        Kind(
            "rain or snow: two days",
            r"(rain|snow).*(which day|same day|yesterday|this day|last year"
            r"|comparison|average)|which day.*(rain|snow)|same week",
            "wetter-day",
        ),
        Kind(
            "rain or snow: the number of days",
            r"how many days.*(rain|snow)",
            "snowy-days",
        ),
        Kind(
            "rain or snow: whether there will be any",
            r"(rain|snow|umbrella|precip).*(any|chance|will be|need)|(any|chance"
            r"|will|need).*(rain|snow|umbrella|precip)",
            "snow-ahead rain-days-ago",
        ),
        Kind(
            "rain or snow: a day or a sum",
            r"rain|snow|precip",
            "rain-total snow-ahead rain-days-ago",
        ),
        Kind(
            "temperature: a time of the day",
            r"morning|sunrise|evening|night|afternoon|dinner",
        ),
        Kind(
            "temperature: advice, without a rule",
            r"should i|suitable|enough|hiking|camping|beach|outdoor",
        ),
        Kind("temperature: the day of a period", r"which day|coldest", "warmest-day"),
        Kind(
            "temperature: two days, a trend",
            r"today.*(yesterday|tomorrow)|tomorrow.*today|this day last|trend",
            "warming",
        ),
        Kind(
            "temperature: two places",
            r"compared to|between the|which city|(warmer|hotter|cooler) in"
            r"|higher than the aver|exceed|difference between|and",
            "warmer-than-here warmest-now",
        ),
        Kind(
            "temperature: two days, a trend",
            r"trend|drop|increas|rise|spike|higher than|compare|warmer or colder"
            r"|cooling|above|difference",
            "warming",
        ),
        Kind(
            "temperature: the average, highest or range of a period",
            r"week|next (\w+ )?days|next \d|month of|days|range",
        ),
        Kind(
            "temperature: a day",
            r"temperature",
            "low-on-day high-in-days fahrenheit-now",
        ),
    ),
}
FILES = {"academia": "academia", "movies": "movie", "weather": "weather"}


def kind_of(world: str, question: str) -> Kind:
    """Return the kind of a question."""
    for kind in KINDS[world]:
        if re.search(kind.pattern, question, re.IGNORECASE):
            return kind
    return Kind("others", "")


def asked(goal: str) -> str:
    """Return the sentence of a question that asks, without the form of the answer."""
    text = re.split(r" ?(?<!^)(Please|Answer|Tell me|Give me)\b", goal)[0]
    return re.split(r"(?<=[a-z]{3}[.?]) (?=[A-Z])", text.strip())[-1]


def main() -> None:
    """Print a Markdown table of the kinds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="the folder with the three files")
    parser.add_argument("--show", metavar="KIND", help="print questions of a kind")
    options = parser.parse_args()
    print("| world | kind | questions | templates of the kind |\n|---|---|---|---|")
    for world, file in FILES.items():
        known = {template.name for template in WORLDS[world].templates}
        lines = (options.data / f"{file}.jsonl").read_text("utf-8").splitlines()
        goals = [str(json.loads(line)["goal"]) for line in lines]
        kinds = [kind_of(world, asked(goal)) for goal in goals]
        for (name, templates), count in Counter(
            (kind.name, kind.templates) for kind in kinds
        ).most_common():
            names = templates.split()
            assert known.issuperset(names), names
            print(f"| {world} | {name} | {count} | {', '.join(names) or '-'} |")
        having = sum(bool(kind.templates) for kind in kinds)
        print(f"| {world} | **with a template** | {having} of {len(kinds)} | |")
        for kind, goal in zip(kinds, goals, strict=True):
            if kind.name == options.show:
                print(f"  {goal}")


if __name__ == "__main__":
    main()
