"""The world of movies: its generated records, and the tools that read them."""

from __future__ import annotations

import datetime
from typing import Any, Literal

import numpy as np

from aq_gym.envs.toolquery.logic.names import COUNTRIES, Names, draw_keys
from aq_gym.envs.toolquery.logic.session import (
    Session,
    Tables,
    fact,
    field_tool,
    fields_tool,
    search_tool,
)
from aq_gym.tools import Toolbox

_MOST_LISTED = 20

GENRES = (
    *("drama", "comedy", "thriller", "western", "romance", "horror", "fantasy"),
    *("musical", "satire", "epic"),
)
JOBS = ("director", "writer", "composer", "editor")
LANGUAGES = ("Norvish", "Talasian", "Ordic", "Keshi", "Luminese", "Varran")
KEYWORDS = (
    *("heist", "island", "inheritance", "chess", "smuggling", "rivalry", "storm"),
    *("orchestra", "desert", "robot", "trial", "lighthouse", "circus", "railway"),
    *("harvest", "twins", "forgery", "eclipse", "voyage"),
)
AWARDS = ("Golden Lantern", "Silver Reel", "Critics' Quill", "Harbour Prize")
_FIRST = [
    "Silent",
    "Last",
    "Broken",
    "Golden",
    "Distant",
    "Burning",
    "Hidden",
    "Paper",
    "Winter",
    "Crimson",
]
_SECOND = [
    "Harbour",
    "Garden",
    "Letter",
    "Mirror",
    "Crown",
    "Valley",
    "Bridge",
    "Shadow",
    "Orchard",
    "Signal",
]
_ROLES = [
    "Captain",
    "Doctor",
    "Judge",
    "Baron",
    "Sister",
    "Colonel",
    "Professor",
    "Inspector",
]
_FIRST_DAY = datetime.date(1961, 1, 1).toordinal()
_DAYS = 22_000


def build(seed: int, records: int) -> Tables:
    """Build the database of a seed.

    Args:
        seed: The seed.
        records: The number of movies; there are as many people, and a tenth as many
            companies.
    """
    rng = np.random.default_rng([seed, records, 1])
    names = Names(rng)
    keys = draw_keys(rng, 2 * records + records // 10 + 2)
    movies, people = keys[:records], keys[records : 2 * records]
    companies = keys[2 * records :]
    data: dict[str, dict[str, dict[str, Any]]] = {
        "person": {key: _person(names) for key in people},
        "company": {key: _company(names) for key in companies},
        "movie": {key: _movie(names, people, companies) for key in movies},
    }
    for key, movie in data["movie"].items():
        _credit(data["person"], key, movie)
        data["company"][movie["companies"][0]]["movies"].append(key)
    return data


def _person(names: Names) -> dict[str, Any]:
    return {
        "name": names.person(),
        "birthday": names.date(_FIRST_DAY - 12_000, 18_000),
        "birthplace": names.place(),
        "awards": [
            {"award": award, "year": 1980 + names.below(40)}
            for award in names.some(AWARDS, names.below(3))
        ],
        "cast": [],
        "crew": [],
    }


def _company(names: Names) -> dict[str, Any]:
    return {
        "name": f"{names.word()} Pictures",
        "country": names.pick(COUNTRIES),
        "founded": 1900 + names.below(100),
        "headquarters": names.place(),
        "movies": [],
    }


def _movie(names: Names, people: list[str], companies: list[str]) -> dict[str, Any]:
    cast = names.some(people, 2 + names.below(3))
    crew = names.some(people, len(JOBS))
    return {
        "title": f"The {names.pick(_FIRST)} {names.pick(_SECOND)} of {names.word()}",
        "release_date": names.date(_FIRST_DAY, _DAYS),
        "runtime": 70 + names.below(120),
        "budget": 100_000 * (1 + names.below(900)),
        "revenue": 100_000 * (1 + names.below(4_000)),
        "rating": round(1 + names.below(90) / 10, 1),
        "genres": names.some(GENRES, 1 + names.below(2)),
        "language": names.pick(LANGUAGES),
        "countries": names.some(COUNTRIES, 1 + names.below(2)),
        "keywords": names.some(KEYWORDS, 2 + names.below(2)),
        "alternative_titles": [names.word() for _ in range(1 + names.below(2))],
        "translations": names.some(LANGUAGES, names.below(4)),
        "companies": names.some(companies, 1),
        "cast": [
            {"person_id": key, "role": f"{names.pick(_ROLES)} {names.word()}"}
            for key in cast
        ],
        "crew": [
            {"person_id": key, "job": job} for key, job in zip(crew, JOBS, strict=True)
        ],
    }


def _credit(people: dict[str, dict[str, Any]], key: str, movie: dict[str, Any]) -> None:
    """Add a movie to the records of the people in it."""
    for part in movie["cast"]:
        credit = {"movie_id": key, "role": part["role"]}
        people[part["person_id"]]["cast"].append(credit)
    for part in movie["crew"]:
        credit = {"movie_id": key, "job": part["job"]}
        people[part["person_id"]]["crew"].append(credit)


class MovieSession(Session):
    """The world of movies during an episode."""

    names = {"movie": "title", "person": "name", "company": "name"}  # noqa: RUF012

    def get_movie_crew(
        self,
        movie_id: str,
        job: Literal["director", "writer", "composer", "editor"] | None = None,
    ) -> list[dict[str, str]]:
        """Get the ids of the crew of a movie, and their jobs.

        Args:
            movie_id: The id.
            job: One job, or null for all.
        """
        crew = self.record("movie", movie_id)["crew"]
        shown = [one for one in crew if job in (None, one["job"])]
        self.note(fact("movie", movie_id, one["job"]) for one in shown)
        return shown

    def get_company_movies(self, company_id: str) -> list[str]:
        """Get the ids of the movies that a company produced, at most 20.

        Args:
            company_id: The id.
        """
        listed: list[str] = self.show("company", company_id, "movies")["movies"]
        return listed[:_MOST_LISTED]


# The tools are modelled on AgentBoard's.
TOOLS = Toolbox(
    [
        search_tool("movie", "Search movies by title.", "title"),
        search_tool("person", "Search people by name."),
        search_tool("company", "Search production companies by name."),
        fields_tool(
            "get_movie_details",
            "Get the title, release date, runtime in minutes and rating of a movie.",
            "movie",
            "title release_date runtime rating",
            "The id, as search_movie returns it.",
        ),
        fields_tool(
            "get_movie_finances",
            "Get the budget and the revenue of a movie, in dollars.",
            "movie",
            "budget revenue",
        ),
        field_tool("get_movie_genres", "Get the genres of a movie.", "movie", "genres"),
        field_tool(
            "get_movie_cast",
            "Get the ids of the actors of a movie, and their roles.",
            "movie",
            "cast",
        ),
        MovieSession.get_movie_crew,
        field_tool(
            "get_movie_keywords", "Get the keywords of a movie.", "movie", "keywords"
        ),
        field_tool(
            "get_movie_alternative_titles",
            "Get the alternative titles of a movie.",
            "movie",
            "alternative_titles",
        ),
        fields_tool(
            "get_movie_languages",
            "Get the original language of a movie, and those it is translated to.",
            "movie",
            "language translations",
        ),
        field_tool(
            "get_movie_countries",
            "Get the countries in which a movie was made.",
            "movie",
            "countries",
        ),
        field_tool(
            "get_movie_companies",
            "Get the ids of the companies that produced a movie.",
            "movie",
            "companies",
        ),
        fields_tool(
            "get_person_details",
            "Get the name, birthday and birthplace of a person.",
            "person",
            "name birthday birthplace",
            "The id, as search_person returns it.",
        ),
        field_tool(
            "get_person_cast",
            "Get the ids of the movies in which a person acted, and the roles.",
            "person",
            "cast",
        ),
        field_tool(
            "get_person_crew",
            "Get the ids of the movies in whose crew a person was, and the jobs.",
            "person",
            "crew",
        ),
        field_tool(
            "get_person_awards",
            "Get the awards of a person, with their years.",
            "person",
            "awards",
        ),
        fields_tool(
            "get_company_details",
            "Get the name, country, headquarters and founding year of a company.",
            "company",
            "name country headquarters founded",
            "The id, as search_company returns it.",
        ),
        MovieSession.get_company_movies,
        Session.finish,
    ]
)
