"""Turn the texts of one step into a graph of sentences and their shared words."""

import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

VOCABULARY = 4096  # rows of the hashed embedding tables
POSITIONS = 8  # positions of a sentence's content words that have features of their own
AGES = 16  # ages in steps that have features of their own
GOAL, OBSERVATION, PAST_OBSERVATION, PAST_ACTION, ACTION = KINDS = range(5)

_TOKEN = re.compile(r"[a-z]+\d+|[a-z]+|\d+")
_FUNCTION_WORD = re.compile(
    "an?|and|are|as|at|be|by|for|from|has|have|in|is|its?|of|on|or|that|the|there|they|"
    "this|to|will|with|your?"
)


@dataclass(frozen=True)
class Sentence:
    """A parsed sentence.

    Attributes:
        ngrams: The hashed words and pairs of words, without numbers of entities.
        words: The names, rows in the embedding table, and positions of its words.
    """

    ngrams: tuple[int, ...]
    words: tuple[tuple[str, int, int], ...]


@dataclass
class Graph:
    """The sentences and words of one step; the actions are the last sentences.

    Attributes:
        ngrams: For each sentence, its hashed n-grams.
        kinds: For each sentence, what it is: one of ``KINDS``.
        ages: For each sentence, how many steps ago it was read or done; 0 for never
            and now.
        words: For each word, its row in the embedding table.
        edges: Sentence, word, and position of the word in the sentence.
        actions: The number of admissible actions.
    """

    ngrams: list[tuple[int, ...]] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)
    ages: list[int] = field(default_factory=list)
    words: list[int] = field(default_factory=list)
    edges: list[tuple[int, int, int]] = field(default_factory=list)
    actions: int = 0


def sentences(text: str, commas: bool = False) -> list[str]:
    """Return the sentences of a text, optionally split at commas and colons too."""
    parts = re.split(r"[.\n;:,]+" if commas else r"[.\n]+", text)
    return [part.strip() for part in parts if _TOKEN.search(part.lower())]


@lru_cache(maxsize=100_000)
def parse(sentence: str) -> Sentence:
    """Parse a sentence; "drawer 3" and "ball1" are entities with kind and number."""
    tokens = _joined(_TOKEN.findall(sentence.lower()))
    plain = [kind or token for token, kind in tokens]
    pairs = [f"{first} {second}" for first, second in pairwise(plain)]
    words: list[tuple[str, int, int]] = []
    position = 0
    for token, kind in tokens:
        if _FUNCTION_WORD.fullmatch(token):
            continue
        words.append((token, _row(f"{kind} #" if kind else token), position))
        if kind:  # an entity also has the word of its kind: "drawer 3" has "drawer"
            words.append((kind, _row(kind), POSITIONS + position))
        position = min(position + 1, POSITIONS - 1)
    return Sentence(tuple(map(_row, plain + pairs)), tuple(words))


def graph_of(
    goal: str,
    observation: str,
    past: Iterable[tuple[int, int, str]],
    actions: Sequence[str],
    done: dict[str, int],
) -> Graph:
    """Return the graph of a step.

    Args:
        goal: The goal of the episode.
        observation: The newest observation, without the goal.
        past: Kind, age in steps, and text of each sentence that is remembered.
        actions: The admissible actions.
        done: The actions of the episode and how many steps ago each was last done.
    """
    graph = Graph(actions=len(actions))
    nodes: dict[str, int] = {}
    for part in sentences(goal, commas=True):
        _add(graph, nodes, part, GOAL, 0)
    for part in sentences(observation):
        _add(graph, nodes, part, OBSERVATION, 0)
    for kind, age, part in past:
        _add(graph, nodes, part, kind, age)
    for action in actions:
        _add(graph, nodes, action, ACTION, done.get(action, 0))
    return graph


def _add(graph: Graph, nodes: dict[str, int], text: str, kind: int, age: int) -> None:
    sentence = parse(text)
    number = len(graph.kinds)
    graph.ngrams.append(sentence.ngrams)
    graph.kinds.append(kind)
    graph.ages.append(min(age, AGES - 1))
    for name, row, position in sentence.words:
        node = nodes.setdefault(name, len(nodes))
        if node == len(graph.words):
            graph.words.append(row)
        graph.edges.append((number, node, position))


def _joined(tokens: list[str]) -> list[tuple[str, str]]:
    """Return tokens and the kind of each entity, joining a noun and its number."""
    joined: list[tuple[str, str]] = []
    for token in tokens:
        last = joined[-1] if joined else ("", "")
        noun = last[0].isalpha() and not _FUNCTION_WORD.fullmatch(last[0])
        if token.isdigit() and noun:
            joined[-1] = (f"{last[0]} {token}", last[0])
        elif token.isalnum() and not token.isalpha() and not token.isdigit():
            joined.append((token, token.rstrip("0123456789")))
        else:
            joined.append((token, ""))
    return joined


def _row(text: str) -> int:
    return zlib.crc32(text.encode()) % VOCABULARY
