"""The shop of WebShop's files; products stay in their file, the index is cached."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, overload
from zipfile import BadZipFile

import numpy as np

from aq_gym.core.text import listing
from aq_gym.envs.webshop.logic.product import Product
from aq_gym.envs.webshop.logic.shop import Index, Shop, document
from aq_gym.envs.webshop.official_files import (
    DataError,
    Place,
    objects,
    parse,
    product_of,
    read_object,
    texts_of,
)
from aq_gym.support.data import cache_folder
from aq_gym.support.user_files import check_file, read_bytes

# Smaller indexes are not cached, because making them is faster than reading them.
_CACHED = 20_000
_VERSION = 2
_SMALL = 1_000
_PATTERNS = ("items_shuffle*.json", "items_ins_v2*.json", "items_human_ins*.json")
_ASIN = 10
_UNKNOWN = ("DUMMY_ATTR",)


class Files(NamedTuple):
    """The files in WebShop's folder that every kind of goal needs.

    Attributes:
        products: ``items_shuffle*.json``.
        attributes: ``items_ins_v2*.json``.
    """

    products: Path
    attributes: Path


def find_files(folder: str | Path, products: int) -> Files:
    """Return WebShop's files, preferring the set with enough products.

    Args:
        folder: The folder.
        products: The number of products to read, 0 for all.

    Raises:
        DataError: If the folder lacks one of the files.
        UserFileError: If a file is a link that leads out of the folder, or is too
            large.
    """
    return Files(*(_find(folder, products, one) for one in _PATTERNS[:2]))


def find_human(folder: str | Path, products: int) -> Path:
    """Return the file of people's goals, chosen as by :func:`find_files`."""
    return _find(folder, products, _PATTERNS[2])


def _find(folder: str | Path, products: int, pattern: str) -> Path:
    given = Path(folder).expanduser().glob(pattern)
    # Other kinds of files can't be read, or never end.
    names = sorted(one for one in given if one.is_file())
    if not names:
        wanted = listing(_PATTERNS)
        raise DataError(
            f"data_dir={str(folder)!r} has no {pattern}; give {wanted}, which "
            "setup.sh of https://github.com/princeton-nlp/WebShop downloads"
        )
    small = [one for one in names if one.stem.endswith(f"_{_SMALL}")]
    large = [one for one in names if one not in small]
    order = (*small, *large) if 0 < products <= _SMALL else (*large, *small)
    check_file(order[0], Path(folder).expanduser())
    return order[0]


@lru_cache(maxsize=4)
def entries(path: Path) -> Mapping[str, Any]:
    """Return a JSON object of at most 2 GB.

    Args:
        path: The file.

    Raises:
        UserFileError: If the file is larger.
        DataError: If the file is not a JSON object.
    """
    content = read_bytes(path)
    try:
        value = parse(content)
    except ValueError as error:
        raise DataError(f"{path.name} is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise DataError(f"{path.name} must be a JSON object")
    return value


class _Products(Sequence[Product]):
    """The products of a file; each is read when it is needed."""

    def __init__(self, files: Files, places: Sequence[Place]) -> None:
        self._files = files
        self._places = places
        self._read = lru_cache(maxsize=4096)(self._product)

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> Product: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Product]: ...
    def __getitem__(self, place: int | slice) -> Product | Sequence[Product]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        return self._read(place)

    def _product(self, place: int) -> Product:
        return _made(
            self._files, read_object(self._files.products, self._places[place])
        )


def _made(files: Files, item: dict[str, Any]) -> Product:
    has = entries(files.attributes).get(str(item.get("asin")))
    known = has.get("attributes") if isinstance(has, dict) else None
    return product_of(item, texts_of(known) if isinstance(known, list) else _UNKNOWN)


@lru_cache(maxsize=2)
def official_shop(files: Files, count: int) -> Shop:
    """Return the shop of WebShop's files.

    Args:
        files: The files.
        count: The number of products to read from the start of the file, 0 for all.

    Raises:
        DataError: If a file is not WebShop's.
    """
    places: list[Place] = []
    numbers: dict[str, int] = {}

    def texts() -> Iterator[str]:
        for item, place in _items(files, count):
            numbers[item["asin"]] = len(places)
            places.append(place)
            yield document(_made(files, item))

    cache = _cache_file(files, count)
    loaded = _load(cache)
    if loaded is None:
        index = Index.build(texts())
        if len(places) >= _CACHED:
            _save(cache, index, places, numbers)
    else:
        index, places, numbers = loaded
    if not places:
        raise DataError(f"{files.products.name} has no product")
    return Shop(
        _Products(files, places), index, numbers, (official_shop, (files, count))
    )


def _items(files: Files, count: int) -> Iterator[tuple[dict[str, Any], Place]]:
    """Yield the objects that WebShop reads: the first object with each valid asin."""
    seen = set()
    for number, place in enumerate(objects(files.products)):
        if count and number == count:
            return
        item = read_object(files.products, place)
        asin = item.get("asin")
        if not isinstance(asin, str) or asin == "nan" or len(asin) > _ASIN:
            continue
        if asin not in seen:
            seen.add(asin)
            yield item, place


def _cache_file(files: Files, count: int) -> Path:
    with files.products.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return cache_folder("webshop") / f"{digest[:32]}-{count}-v{_VERSION}.npz"


def _save(
    path: Path, index: Index, places: Sequence[Place], numbers: Mapping[str, int]
) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Written to another name first, because another process may write it too.
    part = path.with_name(f".{path.stem}.{hash(path) & 0xFFFF:x}.part.npz")
    np.savez(
        part,
        starts=index.starts,
        documents=index.documents,
        scores=index.scores,
        places=np.array(places, dtype=np.int64),
        vocabulary=_packed(index.vocabulary),
        asins=_packed(numbers),
    )
    part.replace(path)


def _load(path: Path) -> tuple[Index, list[Place], dict[str, int]] | None:
    """Return the saved index, or None if there is none or it is damaged."""
    try:
        with np.load(path, allow_pickle=False) as saved:
            places = [Place(*map(int, row)) for row in saved["places"]]
            index = Index(
                _unpacked(saved["vocabulary"]),
                saved["starts"],
                saved["documents"],
                saved["scores"],
                len(places),
            )
            return index, places, _unpacked(saved["asins"])
    except (OSError, KeyError, TypeError, ValueError, BadZipFile):
        return None


def _packed(numbered: Mapping[str, int]) -> Any:
    return np.frombuffer(json.dumps([*numbered]).encode(), dtype=np.uint8)


def _unpacked(packed: Any) -> dict[str, int]:
    return {word: number for number, word in enumerate(json.loads(packed.tobytes()))}
