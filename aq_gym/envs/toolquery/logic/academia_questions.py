"""The templates of questions about papers and authors."""

from __future__ import annotations

from aq_gym.envs.toolquery.logic.academia import (
    KEYWORDS,
    TOOLS,
    VENUES,
    AcademiaSession,
    build,
    draw_author,
)
from aq_gym.envs.toolquery.logic.question import (
    Builder,
    Question,
    Template,
    World,
    about_one,
    best_listed,
    best_of_three,
    same_of_two,
    shared_by_two,
    total_listed,
)
from aq_gym.envs.toolquery.logic.session import fact

_YES_NO = (True, False)
_DETAILS = "get_paper_details"


def venue(ask: Builder) -> Question:
    """The venue of the only joint paper of two authors."""
    joint, names = _only_joint(ask)
    paper = ask.look(_DETAILS, "paper", joint, "venue")
    text = f"At which venue did {names[0]} and {names[1]} publish their joint paper?"
    return ask.question(text, paper["venue"])


def joint_year(ask: Builder) -> Question:
    """The year of the only joint paper of two authors."""
    joint, names = _only_joint(ask)
    paper = ask.look(_DETAILS, "paper", joint, "year")
    text = f"In which year did {names[0]} and {names[1]} publish their joint paper?"
    return ask.question(text, paper["year"], "number")


def joint_title(ask: Builder) -> Question:
    """The title of the only joint paper of two authors."""
    joint, names = _only_joint(ask)
    paper = ask.look(_DETAILS, "paper", joint, "title")
    text = f"What is the title of the paper that {names[0]} wrote with {names[1]}?"
    return ask.question(text, paper["title"])


def organization(ask: Builder) -> Question:
    """The organization where the first author of a paper works."""
    (key,), (title,) = ask.find("paper", 1)
    writers = ask.look("get_paper_authors", "paper", key, "authors")["authors"]
    tool = "get_author_details"
    author = ask.look(tool, "author", writers[0], "organization")
    text = f'In which organization is the first author of "{title}"?'
    return ask.question(text, author["organization"])


def organizations(ask: Builder) -> Question:
    """The organizations where the authors of a paper work, a set."""
    (key,), (title,) = ask.find("paper", 1)
    writers = ask.look("get_paper_authors", "paper", key, "authors")["authors"]
    ask.require(len(writers) > 1)
    found = ask.each("get_author_details", "author", writers, "organization")
    text = f'In which organizations are the authors of "{title}"? Give the set.'
    return ask.question(text, sorted(set(found)), "set")


def authors(ask: Builder) -> Question:
    """The authors of a paper, a list in order."""
    (key,), (title,) = ask.find("paper", 1)
    writers = ask.look("get_paper_authors", "paper", key, "authors")["authors"]
    ask.require(len(writers) > 1)
    found = ask.each("get_author_details", "author", writers, "name")
    text = f'Who are the authors of "{title}"? Give the list in their order.'
    return ask.question(text, found, "list")


def oldest_reference(ask: Builder) -> Question:
    """The oldest paper that a paper cites."""
    title, cited = _references(ask)
    oldest = ask.first(cited, ask.each(_DETAILS, "paper", cited, "year"))
    text = f'Which of the papers that "{title}" cites is the oldest?'
    return ask.question(text, ask.data["paper"][oldest]["title"])


def references_at(ask: Builder) -> Question:
    """How many of the papers that a paper cites appeared at a venue."""
    title, cited = _references(ask)
    place = ask.pick(VENUES)
    found = ask.each(_DETAILS, "paper", cited, "venue")
    text = f'How many of the papers that "{title}" cites appeared at {place}?'
    return ask.question(text, found.count(place), "number")


def references_after(ask: Builder) -> Question:
    """How many of the papers that a paper cites appeared after a year."""
    title, cited = _references(ask)
    limit = 1990 + int(ask.rng.integers(30))
    found = ask.each(_DETAILS, "paper", cited, "year")
    text = f'How many of the papers that "{title}" cites appeared after {limit}?'
    return ask.question(text, sum(one > limit for one in found), "number")


def author_of_cited(ask: Builder) -> Question:
    """The first author of the most cited reference of a paper, with up to 7 calls."""
    title, cited = _references(ask, most=3)
    counts = ask.each(_DETAILS, "paper", cited, "citations")
    best = ask.first(cited, counts, reverse=True)
    writer = ask.look("get_paper_authors", "paper", best, "authors")["authors"][0]
    author = ask.look("get_author_details", "author", writer, "name")
    text = (
        f'Who is the first author of that paper, of all that "{title}" cites, which '
        "has the most citations?"
    )
    return ask.question(text, author["name"])


def does_cite(ask: Builder) -> Question:
    """Whether a paper cites another."""
    key = ask.draw("paper")
    cited = ask.data["paper"][key]["references"]
    near = bool(ask.rng.integers(2))
    other = ask.pick(cited) if near else ask.draw("paper")
    ask.require(other != key)
    titles = [ask.search("paper", one) for one in (key, other)]
    ask.look("get_paper_references", "paper", key, "references")
    text = f'Does "{titles[0]}" cite "{titles[1]}"?'
    return ask.question(text, other in cited, "boolean")


def cites_author(ask: Builder) -> Question:
    """Whether a paper cites a paper of an author."""
    key = ask.draw("paper")
    cited = ask.data["paper"][key]["references"]
    near = bool(ask.rng.integers(2))
    shown = ask.pick(cited) if near else ask.draw("paper")
    writer = ask.pick(ask.data["paper"][shown]["authors"])
    title = ask.search("paper", key)
    ask.look("get_paper_references", "paper", key, "references")
    name = ask.search("author", writer)
    author = ask.look("get_author_papers", "author", writer, "papers")
    text = f'Does "{title}" cite a paper of {name}?'
    return ask.question(text, bool(set(author["papers"]) & set(cited)), "boolean")


def coauthors(ask: Builder) -> Question:
    """The number of people with whom an author wrote."""
    key = ask.draw("author")
    name = ask.search("author", key)
    author = ask.look("get_author_coauthors", "author", key, "coauthors")
    text = f"With how many people did {name} write papers?"
    return ask.question(text, len(author["coauthors"]), "number")


def shared_coauthors(ask: Builder) -> Question:
    """The people with whom both of two authors wrote, a set."""
    between = ask.draw("author")
    pair = ask.sample(ask.data["author"][between]["coauthors"], 2)
    names = [ask.search("author", key) for key in pair]
    found = ask.each("get_author_coauthors", "author", pair, "coauthors")
    both = [key for key in found[0] if key in found[1]]
    ask.require(len(both) <= 3)
    people = ask.each("get_author_details", "author", both, "name")
    text = f"Who wrote papers with both {names[0]} and {names[1]}? Give the set."
    return ask.question(text, people, "set")


def papers_of(ask: Builder) -> Question:
    """The titles of the papers of an author, a set."""
    name, keys = ask.some_of("author", "papers")
    titles = ask.each(_DETAILS, "paper", keys, "title")
    return ask.question(f"Which papers did {name} write?", titles, "set")


def years_between(ask: Builder) -> Question:
    """How many years lie between two papers."""
    keys, titles = ask.find("paper", 2)
    found = ask.each(_DETAILS, "paper", keys, "year")
    text = f'How many years lie between "{titles[0]}" and "{titles[1]}"?'
    return ask.question(text, abs(found[0] - found[1]), "number")


def has_keyword(ask: Builder) -> Question:
    """Whether a paper has a keyword."""
    (key,), (title,) = ask.find("paper", 1)
    word = ask.pick(KEYWORDS)
    paper = ask.look(_DETAILS, "paper", key, "keywords")
    text = f'Is "{word}" one of the keywords of "{title}"?'
    return ask.question(text, word in paper["keywords"], "boolean")


def _references(ask: Builder, most: int = 4) -> tuple[str, list[str]]:
    """Draw a paper, and find what it cites; return its title and the ids."""
    (key,), (title,) = ask.find("paper", 1)
    tool = "get_paper_references"
    cited: list[str] = ask.look(tool, "paper", key, "references")["references"]
    ask.require(2 <= len(cited) <= most)
    return title, cited


def _only_joint(ask: Builder) -> tuple[str, list[str]]:
    """Draw two authors with one joint paper, and find it; return its id and names."""
    first = ask.draw("author")
    second = ask.pick(ask.data["author"][first]["coauthors"])
    works = [ask.data["author"][key]["papers"] for key in (first, second)]
    joint = [key for key in works[0] if key in works[1]]
    ask.require(len(joint) == 1)
    names = [ask.search("author", key) for key in (first, second)]
    found = fact("joint", " ".join(sorted((first, second))), "papers")
    arguments = {"author_id": first, "other_author_id": second}
    ask.call("get_joint_papers", arguments, [found])
    return joint[0], names


TEMPLATES = (
    Template(
        "year",
        about_one(
            "paper", _DETAILS, "year", 'In which year was "{}" published?', "number"
        ),
    ),
    Template(
        "citations",
        about_one(
            "paper",
            _DETAILS,
            "citations",
            'How many citations does "{}" have?',
            "number",
        ),
    ),
    Template("joint-venue", venue, VENUES),
    Template("joint-year", joint_year),
    Template("joint-title", joint_title),
    Template("organization", organization),
    Template("organizations", organizations),
    Template("authors", authors),
    Template("oldest-reference", oldest_reference),
    Template("references-at", references_at, (0, 1)),
    Template("references-after", references_after, (0, 1, 2)),
    Template("author-of-cited", author_of_cited),
    Template("does-cite", does_cite, _YES_NO),
    Template("cites-author", cites_author, _YES_NO),
    Template("coauthors", coauthors, (1, 2, 3, 4, 5)),
    Template("shared-coauthors", shared_coauthors),
    Template(
        "most-cited",
        best_listed(
            "author",
            "papers",
            _DETAILS,
            "citations",
            "Which of the papers of {} has the most citations?",
            reverse=True,
        ),
    ),
    Template(
        "total-citations",
        total_listed(
            "author",
            "papers",
            _DETAILS,
            "citations",
            "How many citations do the papers of {} have together?",
        ),
    ),
    Template(
        "first-paper",
        best_listed(
            "author",
            "papers",
            _DETAILS,
            "year",
            "Which paper of {} was published first?",
        ),
    ),
    Template("papers-of", papers_of),
    Template(
        "same-organization",
        same_of_two(
            "author",
            "get_author_details",
            "organization",
            "Are {} and {} in the same organization?",
        ),
        _YES_NO,
    ),
    Template(
        "same-venue",
        same_of_two(
            "paper",
            _DETAILS,
            "venue",
            'Were "{}" and "{}" published at the same venue?',
        ),
        _YES_NO,
    ),
    Template(
        "more-citations",
        best_of_three(
            "paper",
            _DETAILS,
            "citations",
            'Which paper has the most citations: "{}", "{}" or "{}"?',
            reverse=True,
        ),
    ),
    Template("years-between", years_between),
    Template(
        "common-keywords",
        shared_by_two(
            "paper", _DETAILS, "keywords", 'Which keywords do "{}" and "{}" share?'
        ),
    ),
    Template("has-keyword", has_keyword, _YES_NO),
)
WORLD = World(
    build, AcademiaSession, TOOLS, TEMPLATES, {"other_author_id": draw_author}
)
