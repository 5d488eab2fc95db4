"""Check the links of a built site, and that its pages load no external resources.

External links are not followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urldefrag, urlsplit

# The attributes that a browser loads by itself; others are links.
_LOADED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"),
           ("object", "data"), ("embed", "src"), ("link", "href")}  # fmt: skip
_LINKED = {("a", "href"), ("area", "href")} | _LOADED
_IN_CSS = re.compile(r"(?:url\(|@import)\s*['\"]?((?:https?:)?//[^'\")\s]+)")


class Link(NamedTuple):
    """A link of a page.

    Attributes:
        target: As it is written.
        loaded: Whether a browser loads it by itself.
    """

    target: str
    loaded: bool


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[Link] = []
        self.anchors: set[str] = {"", "top"}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a tag's link and anchor."""
        for attribute, value in attrs:
            if attribute == "id" or (tag, attribute) == ("a", "name"):
                self.anchors.add(value or "")
            elif (tag, attribute) in _LINKED and value:
                self.links.append(Link(value, (tag, attribute) in _LOADED))


def problems(site: Path) -> list[str]:
    """Return the problems of a site, one per line."""
    pages = {
        path.resolve(): Page(path.read_text("utf-8"))
        for path in sorted(site.rglob("*.html"))
    }
    found = [
        f"{path.relative_to(site.resolve())}: {problem}"
        for path, page in pages.items()
        for problem in _page_problems(path, page, pages)
    ]
    for path in sorted(site.rglob("*.css")):
        for url in _IN_CSS.findall(path.read_text("utf-8")):
            found.append(f"{path.relative_to(site)}: loads {url}")
    return found


def _page_problems(path: Path, page: Page, pages: Mapping[Path, Page]) -> Iterator[str]:
    for link in page.links:
        parts = urlsplit(link.target)
        if parts.scheme or parts.netloc:
            if link.loaded and parts.scheme != "data":
                yield f"loads {link.target}"
            continue
        file, fragment = urldefrag(link.target)
        target = path
        if file:
            target = (path.parent / unquote(file.partition("?")[0])).resolve()
        if not target.is_file():
            yield f"{link.target} does not exist"
        # "#name=value" is a state of a report, not an anchor.
        elif (
            target in pages
            and "=" not in fragment
            and unquote(fragment) not in pages[target].anchors
        ):
            yield f"{link.target} names an anchor that does not exist"
