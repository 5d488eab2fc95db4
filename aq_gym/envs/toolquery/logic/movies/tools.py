"""The tools of the world of movies, modelled on AgentBoard's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from aq_gym.envs.toolquery.logic.session import Session, fact
from aq_gym.tools import Toolbox

_MOST_LISTED = 20


class MovieSession(Session):
    """The tools of the world of movies; each method is one."""

    names = {"movie": "title", "person": "name", "company": "name"}  # noqa: RUF012

    def search_movie(self, title: str) -> list[dict[str, str]]:
        """Search movies by title.

        Args:
            title: The title or a part of it.
        """
        return self.search("movie", title)

    def search_person(self, name: str) -> list[dict[str, str]]:
        """Search people by name.

        Args:
            name: The name or a part of it.
        """
        return self.search("person", name)

    def search_company(self, name: str) -> list[dict[str, str]]:
        """Search production companies by name.

        Args:
            name: The name or a part of it.
        """
        return self.search("company", name)

    def get_movie_details(self, movie_id: str) -> dict[str, Any]:
        """Get the title, release date, runtime in minutes and rating of a movie.

        Args:
            movie_id: The id, as search_movie returns it.
        """
        return self.show(
            "movie", movie_id, "title", "release_date", "runtime", "rating"
        )

    def get_movie_finances(self, movie_id: str) -> dict[str, Any]:
        """Get the budget and the revenue of a movie, in dollars.

        Args:
            movie_id: The id.
        """
        return self.show("movie", movie_id, "budget", "revenue")

    def get_movie_genres(self, movie_id: str) -> Sequence[str]:
        """Get the genres of a movie.

        Args:
            movie_id: The id.
        """
        return self.show_list("movie", movie_id, "genres")

    def get_movie_cast(self, movie_id: str) -> list[dict[str, str]]:
        """Get the ids of the actors of a movie, and their roles.

        Args:
            movie_id: The id.
        """
        return list(self.show_list("movie", movie_id, "cast"))

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

    def get_movie_keywords(self, movie_id: str) -> Sequence[str]:
        """Get the keywords of a movie.

        Args:
            movie_id: The id.
        """
        return self.show_list("movie", movie_id, "keywords")

    def get_movie_alternative_titles(self, movie_id: str) -> Sequence[str]:
        """Get the alternative titles of a movie.

        Args:
            movie_id: The id.
        """
        return self.show_list("movie", movie_id, "alternative_titles")

    def get_movie_languages(self, movie_id: str) -> dict[str, Any]:
        """Get the original language of a movie, and those it is translated to.

        Args:
            movie_id: The id.
        """
        return self.show("movie", movie_id, "language", "translations")

    def get_movie_countries(self, movie_id: str) -> Sequence[str]:
        """Get the countries in which a movie was made.

        Args:
            movie_id: The id.
        """
        return self.show_list("movie", movie_id, "countries")

    def get_movie_companies(self, movie_id: str) -> Sequence[str]:
        """Get the ids of the companies that produced a movie.

        Args:
            movie_id: The id.
        """
        return self.show_list("movie", movie_id, "companies")

    def get_person_details(self, person_id: str) -> dict[str, Any]:
        """Get the name, birthday and birthplace of a person.

        Args:
            person_id: The id, as search_person returns it.
        """
        return self.show("person", person_id, "name", "birthday", "birthplace")

    def get_person_cast(self, person_id: str) -> list[dict[str, str]]:
        """Get the ids of the movies in which a person acted, and the roles.

        Args:
            person_id: The id.
        """
        return list(self.show_list("person", person_id, "cast"))

    def get_person_crew(self, person_id: str) -> list[dict[str, str]]:
        """Get the ids of the movies in whose crew a person was, and the jobs.

        Args:
            person_id: The id.
        """
        return list(self.show_list("person", person_id, "crew"))

    def get_person_awards(self, person_id: str) -> list[dict[str, Any]]:
        """Get the awards of a person, with their years.

        Args:
            person_id: The id.
        """
        return list(self.show_list("person", person_id, "awards"))

    def get_company_details(self, company_id: str) -> dict[str, Any]:
        """Get the name, country, headquarters and founding year of a company.

        Args:
            company_id: The id, as search_company returns it.
        """
        return self.show(
            "company", company_id, "name", "country", "headquarters", "founded"
        )

    def get_company_movies(self, company_id: str) -> Sequence[str]:
        """Get the ids of the movies that a company produced, at most 20.

        Args:
            company_id: The id.
        """
        return self.show_list("company", company_id, "movies")[:_MOST_LISTED]


TOOLS = Toolbox.of(MovieSession)
