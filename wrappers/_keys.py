"""The names under which wrappers read and write the info dict."""

from __future__ import annotations

from collections.abc import Mapping


def rename(names: tuple[str, ...], keys: Mapping[str, str] | None) -> tuple[str, ...]:
    """Return the names, with those that ``keys`` lists replaced.

    Args:
        names: The wrapper's own names, in its order.
        keys: New names by old ones, or None.

    Raises:
        ValueError: If ``keys`` lists another name, or two names become the same.
    """
    keys = {} if keys is None else keys
    unknown = sorted(set(keys) - set(names))
    if unknown:
        raise ValueError(
            f"keys={dict(keys)!r} renames {unknown}; it may rename {list(names)}"
        )
    renamed = tuple(keys.get(name, name) for name in names)
    if len(set(renamed)) < len(renamed):
        raise ValueError(f"keys={dict(keys)!r} gives two keys of info the same name")
    return renamed
