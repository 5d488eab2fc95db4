"""Parsers of WebShop's files: JSON, products and goals."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from aq_gym.envs.webshop.logic.product import Goal, Product

_CHUNK = 1 << 20
_LONGEST = 1 << 24
_BETWEEN = " \t\r\n,"
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class DataError(ValueError):
    """A user's file that does not have the expected content."""


class Place(NamedTuple):
    """The position of an object in its file, in bytes."""

    start: int
    length: int


def parse(content: bytes) -> Any:
    """Return a JSON value, with "?" in place of lone surrogates.

    JSON can contain lone surrogates, but UTF-8 cannot encode them.

    Args:
        content: The JSON.

    Raises:
        ValueError: If the content is not JSON in UTF-8, or is nested too deeply.
    """
    text = content.decode("utf-8-sig")
    try:
        value = json.loads(text)
        if _SURROGATE.search(text):
            plain = json.dumps(value, ensure_ascii=False).encode(errors="replace")
            value = json.loads(plain)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    return value


def objects(path: Path) -> Iterator[Place]:
    """Yield the place of each object of an array.

    Args:
        path: A file with a JSON array, in UTF-8.

    Raises:
        DataError: If the file is not an array, or has an object of more than 16 MB.
    """
    with path.open("rb") as file:
        yield from _objects(file, path)


def _objects(file: BinaryIO, path: Path) -> Iterator[Place]:
    decoder = json.JSONDecoder()
    # Read as Latin-1, with one character per byte; this works because separators are
    # ASCII.
    text, start, place = "", 0, 0
    wanted = "["
    while True:
        while place < len(text) and text[place] in _BETWEEN:
            place += 1
        if wanted and place < len(text):
            if text[place] != wanted:
                raise DataError(f"{path.name} must be a JSON array")
            wanted, place = "", place + 1
            continue
        if text[place : place + 1] == "]":
            return
        try:
            _, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            more = file.read(_CHUNK).decode("latin-1")
            if not more or len(text) - place > _LONGEST:
                raise DataError(
                    f"{path.name} has no complete object at byte {start + place}"
                ) from error
            text, start, place = text[place:] + more, start + place, 0
            continue
        yield Place(start + place, end - place)
        place = end


def read_object(path: Path, place: Place) -> dict[str, object]:
    """Return an object of an array.

    Args:
        path: The file.
        place: The object's place, from :func:`objects`.

    Raises:
        DataError: If there is another value at the place, or it is not UTF-8.
    """
    with path.open("rb") as file:
        file.seek(place.start)
        content = file.read(place.length)
    try:
        value = parse(content)
    except ValueError as error:
        raise DataError(
            f"{path.name} has no object at byte {place.start}: {error}"
        ) from error
    if not isinstance(value, dict):
        raise DataError(
            f"{path.name}: {value!r:.60} at byte {place.start} must be an object"
        )
    return value


_NOT_IN_A_PRICE = re.compile(r"[^\d.]")
_NO_PRICE = (100.0,)
_LIMITS = [10.0 * k for k in range(1, 100)]
_NO_LIMIT = 1_000_000.0
_LONGEST_TEXT = 20_000
_MOST_OPTIONS = 20
_MOST_VALUES = 1_000


def product_of(item: Mapping[str, Any], attributes: Sequence[str]) -> Product:
    """Return a product of ``items_shuffle*.json``.

    If a price is a range, WebShop draws the price without a seed; here the asin is the
    seed.

    Args:
        item: The JSON object. A value that should be text, but is not, counts as
            absent.
        attributes: Its attributes, from ``items_ins_v2*.json``.
    """
    asin = _text(item, "asin")
    prices = _prices(_text(item, "pricing"))
    price = prices[0]
    if len(prices) == 2:
        price = random.Random(f"webshop price {asin}").uniform(*prices)
    small = item.get("small_description")
    return Product(
        asin,
        _text(item, "name"),
        _text(item, "full_description"),
        tuple(texts_of(small if isinstance(small, list) else [small])),
        _text(item, "query").lower().strip(),
        _text(item, "product_category"),
        tuple(attributes),
        _options(item.get("customization_options")),
        price,
        " to ".join(f"${one}" for one in prices),
    )


def options_of(given: object) -> list[Any]:
    """Return the options of a person's goal: values, or pairs of a name and a value.

    Args:
        given: Any JSON value; only arrays and objects have options. At most 20 options
            are read, because a product has at most 20.
    """
    if isinstance(given, dict):
        pairs = [(name, one) for name, v in given.items() for one in texts_of([v])]
        return pairs[:_MOST_OPTIONS]
    return texts_of(given)[:_MOST_OPTIONS]


def texts_of(given: object) -> list[str]:
    """Return a JSON array's texts and numbers, each cut to 20,000 characters."""
    if not isinstance(given, list):
        return []
    plain = (one for one in given if isinstance(one, str | int | float))
    return [str(one)[:_LONGEST_TEXT] for one in plain]


def _text(item: Mapping[str, Any], key: str) -> str:
    return "".join(texts_of([item.get(key)]))


def _prices(tag: str) -> tuple[float, ...]:
    numbers = (_NOT_IN_A_PRICE.sub("", one) for one in tag.split("$")[1:])
    prices = [float(one) for one in numbers if re.fullmatch(r"\d{1,9}(\.\d*)?", one)]
    return tuple(prices[:2]) or _NO_PRICE


def _options(given: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(given, dict):
        return ()
    options: dict[str, tuple[str, ...]] = {}
    for name, contents in [*given.items()][:_MOST_OPTIONS]:
        if isinstance(contents, list):
            found = (one.get("value") for one in contents if isinstance(one, dict))
            options[name.lower()] = tuple(
                text.strip().replace("/", " | ").lower()
                for text in texts_of([*found])[:_MOST_VALUES]
            )
    return tuple(options.items())


def combinations(product: Product) -> int:
    """Return the number of choices of all options."""
    count = 1
    for _, values in product.options:
        count *= len(values)
    return count


def combination(product: Product, index: int) -> tuple[tuple[str, str], ...]:
    """Return one choice of all options, in the order of WebShop's synthetic goals.

    Args:
        product: The product.
        index: The number of the choice, from 0.
    """
    chosen: list[tuple[str, str]] = []
    for name, values in sorted(product.options, reverse=True):
        index, place = divmod(index, len(values))
        chosen.append((name, values[place]))
    return tuple(reversed(chosen))


def goal_of(
    product: Product,
    index: int,
    instruction: str,
    attributes: Sequence[str],
    options: Sequence[str | tuple[str, str]],
) -> Goal:
    """Return a goal; its price limit is drawn by asin and index.

    Args:
        product: The product.
        index: The number of the goal among those of the product.
        instruction: Its text, without a price.
        attributes: The attributes.
        options: The options.
    """
    instruction = instruction[:_LONGEST_TEXT]
    above = [limit for limit in _LIMITS if limit > product.price][:4]
    upper = _NO_LIMIT
    if len(above) >= 2:
        rng = random.Random(f"webshop limit {product.asin} {index}")
        upper = max(rng.sample(above, 2))
        instruction += f", and price lower than {upper:.2f} dollars"
    return Goal(
        product.asin,
        product.query,
        product.title,
        product.product_category,
        tuple(attributes),
        tuple(options),
        upper,
        instruction,
    )
