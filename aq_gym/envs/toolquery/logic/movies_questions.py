"""The templates of questions about movies."""

from __future__ import annotations

from aq_gym.envs.toolquery.logic.movies import GENRES, TOOLS, MovieSession, build
from aq_gym.envs.toolquery.logic.names import COUNTRIES
from aq_gym.envs.toolquery.logic.question import (
    Builder,
    Question,
    Template,
    World,
    best_of_three,
    same_of_two,
    shared_by_two,
)

_YES_NO = (True, False)


def release_date(ask: Builder) -> Question:
    """When a movie was released; needs 2 calls."""
    key = ask.draw("movie")
    title = ask.search("movie", key)
    movie = ask.look("get_movie_details", "movie", key, "release_date")
    text = f'On which day was the movie "{title}" released?'
    return ask.question(text, movie["release_date"], "date")


def profit(ask: Builder) -> Question:
    """The revenue of a movie minus its budget."""
    key = ask.draw("movie")
    title = ask.search("movie", key)
    movie = ask.look("get_movie_finances", "movie", key, "budget", "revenue")
    text = f'By how many dollars is the revenue of "{title}" above its budget? (A loss '
    answer = movie["revenue"] - movie["budget"]
    return ask.question(f"{text}is a negative number.)", answer, "number")


def director_birthplace(ask: Builder) -> Question:
    """Where the director of a movie was born."""
    key = ask.draw("movie")
    title = ask.search("movie", key)
    director = _crew(ask, key, "director")
    person = ask.look("get_person_details", "person", director, "birthplace")
    text = f'Where was the director of "{title}" born?'
    return ask.question(text, person["birthplace"])


def crew_birthday(ask: Builder) -> Question:
    """When the composer, writer or editor of a movie was born."""
    key, job = ask.draw("movie"), ask.pick(("composer", "writer", "editor"))
    title = ask.search("movie", key)
    someone = _crew(ask, key, job)
    person = ask.look("get_person_details", "person", someone, "birthday")
    text = f'On which day was the {job} of "{title}" born?'
    return ask.question(text, person["birthday"], "date")


def actor_of_role(ask: Builder) -> Question:
    """Who played a role."""
    key = ask.draw("movie")
    title = ask.search("movie", key)
    movie = ask.look("get_movie_cast", "movie", key, "cast")
    part = ask.pick(movie["cast"])
    actor = ask.look("get_person_details", "person", part["person_id"], "name")
    text = f'Who played {part["role"]} in "{title}"?'
    return ask.question(text, actor["name"])


def rating_above(ask: Builder) -> Question:
    """Whether a movie has a higher rating than another."""
    (first, second), titles = ask.find("movie", 2)
    ratings = ask.each("get_movie_details", "movie", [first, second], "rating")
    ask.require(ratings[0] != ratings[1])
    text = f'Does "{titles[0]}" have a higher rating than "{titles[1]}"?'
    return ask.question(text, ratings[0] > ratings[1], "boolean")


def director_longest(ask: Builder) -> Question:
    """The longest of the movies that a person directed."""
    person, movies = _filmography(ask, "director")
    name = _search_crew(ask, person)
    runtimes = ask.each("get_movie_details", "movie", movies, "runtime")
    longest = ask.first(movies, runtimes, reverse=True)
    text = f"Which of the movies that {name} directed is the longest?"
    return ask.question(text, ask.data["movie"][longest]["title"])


def actor_first(ask: Builder) -> Question:
    """The first movie in which a person acted."""
    person, movies = _roles(ask)
    name = _search_cast(ask, person)
    dates = ask.each("get_movie_details", "movie", movies, "release_date")
    first = ask.first(movies, dates)
    text = f"In which movie did {name} act first, by release date?"
    return ask.question(text, ask.data["movie"][first]["title"])


def actor_total_runtime(ask: Builder) -> Question:
    """The sum of the runtimes of a person's movies."""
    person, movies = _roles(ask)
    name = _search_cast(ask, person)
    runtimes = ask.each("get_movie_details", "movie", movies, "runtime")
    text = f"How many minutes do all movies with {name} as an actor have together?"
    return ask.question(text, sum(runtimes), "number")


def roles_in_genre(ask: Builder) -> Question:
    """How many movies of a genre a person acted in."""
    person, movies = _roles(ask)
    genre = ask.pick(GENRES)
    name = _search_cast(ask, person)
    genres = ask.each("get_movie_genres", "movie", movies, "genres")
    text = f'In how many movies of the genre "{genre}" did {name} act?'
    return ask.question(text, sum(genre in one for one in genres), "number")


def movies_after(ask: Builder) -> Question:
    """How many movies a person made in one job after a year."""
    person, movies = _filmography(ask, "writer")
    year = 1970 + int(ask.rng.integers(45))
    name = _search_crew(ask, person)
    dates = ask.each("get_movie_details", "movie", movies, "release_date")
    text = f"How many of the movies that {name} wrote were released after {year}?"
    after = sum(int(date[:4]) > year for date in dates)
    return ask.question(text, after, "number")


def roles_of(ask: Builder) -> Question:
    """The titles of all movies in which a person acted, a set."""
    person, movies = _roles(ask)
    name = _search_cast(ask, person)
    titles = ask.each("get_movie_details", "movie", movies, "title")
    text = f"In which movies did {name} act? Give the set of their titles."
    return ask.question(text, titles, "set")


def company_country(ask: Builder) -> Question:
    """The country of the company that produced a movie."""
    key = ask.draw("movie")
    title = ask.search("movie", key)
    movie = ask.look("get_movie_companies", "movie", key, "companies")
    owner = movie["companies"][0]
    company = ask.look("get_company_details", "company", owner, "country")
    text = f'In which country is the company that produced "{title}"?'
    return ask.question(text, company["country"])


def company_of_director(ask: Builder) -> Question:
    """The headquarters of the company of a person's only movie as a director."""
    person, movies = _filmography(ask, "director", least=1)
    ask.require(len(movies) == 1)
    name = _search_crew(ask, person)
    movie = ask.look("get_movie_companies", "movie", movies[0], "companies")
    owner = movie["companies"][0]
    company = ask.look("get_company_details", "company", owner, "headquarters")
    text = (
        "Where are the headquarters of the company that produced the movie which "
        f"{name} directed?"
    )
    return ask.question(text, company["headquarters"])


def oldest_actor(ask: Builder) -> Question:
    """The oldest actor of a movie."""
    key = ask.draw("movie")
    title = ask.search("movie", key)
    movie = ask.look("get_movie_cast", "movie", key, "cast")
    people = [part["person_id"] for part in movie["cast"]]
    born = ask.each("get_person_details", "person", people, "birthday")
    oldest = ask.first(people, born)
    text = f'Who is the oldest actor of "{title}"?'
    return ask.question(text, ask.data["person"][oldest]["name"])


def award_year(ask: Builder) -> Question:
    """In which year the director of a movie received an award."""
    key = ask.draw("movie")
    title = ask.search("movie", key)
    director = _crew(ask, key, "director")
    person = ask.look("get_person_awards", "person", director, "awards")
    award = ask.pick(person["awards"])
    text = f'In which year did the director of "{title}" receive the {award["award"]}?'
    return ask.question(text, award["year"], "number")


def awards_of_cast(ask: Builder) -> Question:
    """The total number of awards of a movie's actors."""
    key = ask.draw("movie")
    title = ask.search("movie", key)
    movie = ask.look("get_movie_cast", "movie", key, "cast")
    people = [part["person_id"] for part in movie["cast"]]
    awards = ask.each("get_person_awards", "person", people, "awards")
    text = f'How many awards do the actors of "{title}" have together?'
    return ask.question(text, sum(map(len, awards)), "number")


def genres_of_first_role(ask: Builder) -> Question:
    """The genres of the movie in which a person played a role."""
    person, _ = _roles(ask, least=1)
    credit = ask.pick(ask.data["person"][person]["cast"])
    name = _search_cast(ask, person)
    movie = ask.look("get_movie_genres", "movie", credit["movie_id"], "genres")
    text = f"Of which genres is the movie in which {name} played {credit['role']}?"
    return ask.question(text, movie["genres"], "set")


def made_in(ask: Builder) -> Question:
    """Whether the movie that has a role was made in a country."""
    person, _ = _roles(ask, least=1)
    credit = ask.pick(ask.data["person"][person]["cast"])
    country = ask.pick(COUNTRIES)
    name = _search_cast(ask, person)
    movie = ask.look("get_movie_countries", "movie", credit["movie_id"], "countries")
    text = (
        f"Was the movie in which {name} played {credit['role']} made in {country}, "
        "alone or with other countries?"
    )
    return ask.question(text, country in movie["countries"], "boolean")


def _crew(ask: Builder, movie: str, job: str) -> str:
    """Add the call that finds the person with a job in a movie; return the id."""
    arguments = {"movie_id": movie, "job": job}
    ask.call("get_movie_crew", arguments, [f"movie {movie} {job}"])
    crew = ask.data["movie"][movie]["crew"]
    person: str = next(one["person_id"] for one in crew if one["job"] == job)
    return person


def _filmography(ask: Builder, job: str, least: int = 2) -> tuple[str, list[str]]:
    """Draw a person with some movies in a job, at most four."""
    movie = ask.data["movie"][ask.draw("movie")]
    person = next(one["person_id"] for one in movie["crew"] if one["job"] == job)
    entries = ask.data["person"][person]["crew"]
    movies = [one["movie_id"] for one in entries if one["job"] == job]
    ask.require(least <= len(movies) <= 4)
    return person, movies


def _roles(ask: Builder, least: int = 2) -> tuple[str, list[str]]:
    """Draw a person who acted in some movies, at most four."""
    person = ask.draw("person")
    movies = [one["movie_id"] for one in ask.data["person"][person]["cast"]]
    ask.require(least <= len(movies) <= 4)
    return person, movies


def _search_cast(ask: Builder, person: str) -> str:
    name = ask.search("person", person)
    ask.look("get_person_cast", "person", person, "cast")
    return name


def _search_crew(ask: Builder, person: str) -> str:
    name = ask.search("person", person)
    ask.look("get_person_crew", "person", person, "crew")
    return name


TEMPLATES = (
    Template("release-date", release_date),
    Template("profit", profit),
    Template("director-birthplace", director_birthplace),
    Template("crew-birthday", crew_birthday),
    Template("actor-of-role", actor_of_role),
    Template("rating-above", rating_above, _YES_NO),
    Template(
        "same-language",
        same_of_two(
            "movie",
            "get_movie_languages",
            "language",
            'Do "{}" and "{}" have the same original language?',
        ),
        _YES_NO,
    ),
    Template("director-longest", director_longest),
    Template("actor-first", actor_first),
    Template("actor-total-runtime", actor_total_runtime),
    Template("roles-in-genre", roles_in_genre, (0, 1, 2)),
    Template("movies-after", movies_after, (0, 1, 2)),
    Template("roles-of", roles_of),
    Template("company-country", company_country, COUNTRIES),
    Template("company-of-director", company_of_director),
    Template("oldest-actor", oldest_actor),
    Template("award-year", award_year),
    Template("awards-of-cast", awards_of_cast, (0, 1, 2, 3, 4)),
    Template(
        "common-keywords",
        shared_by_two(
            "movie",
            "get_movie_keywords",
            "keywords",
            'Which keywords do "{}" and "{}" share?',
        ),
    ),
    Template("genres-of-role", genres_of_first_role),
    Template(
        "higher-budget",
        best_of_three(
            "movie",
            "get_movie_finances",
            "budget",
            'Which movie had the highest budget: "{}", "{}" or "{}"?',
            reverse=True,
        ),
    ),
    Template("made-in", made_in, _YES_NO),
)
WORLD = World(build, MovieSession, TOOLS, TEMPLATES)
