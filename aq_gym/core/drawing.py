"""Pictures of an environment as plain data, written as SVG."""

from __future__ import annotations

import re
from collections.abc import Sequence
from colorsys import hls_to_rgb, rgb_to_hls
from dataclasses import dataclass, field
from functools import cache
from html import escape
from math import hypot
from typing import Literal, NamedTuple

Anchor = Literal["start", "middle", "end"]
Theme = Literal["light", "dark", "auto"]

INK = "#1f2933"
MUTED = "#616e7c"
PAPER = "#ffffff"
# The first seven can be told apart by readers with colour blindness (Okabe and Ito).
PALETTE = (
    "#0072b2",
    "#e69f00",
    "#009e73",
    "#cc79a7",
    "#d55e00",
    "#56b4e9",
    "#f0e442",
    "#7462b8",
    "#8c564b",
    "#9aa5b1",
)
# The width of a character of the fonts below, as a share of their size.
ADVANCE = 0.602
_FONTS = "'DejaVu Sans Mono',Menlo,Consolas,monospace"
_COLOUR = re.compile("#[0-9a-f]{6}")
_PAINT = re.compile(rf' (fill|stroke)="({_COLOUR.pattern})"')
# A fill of at least this chroma, of such a lightness, or darker than this, is the same
# on a dark page: only paper and ink change.
_CHROMA, _MIDDLE, _BLACK = 0.3, (0.4, 0.66), 0.1
# The characters that XML 1.0 does not allow.
_INVALID = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Rect(NamedTuple):
    """A rectangle; ``x`` and ``y`` are its top left corner."""

    x: float
    y: float
    width: float
    height: float
    fill: str = PAPER
    stroke: str = ""
    radius: float = 0.0


class Circle(NamedTuple):
    """A disc, or a ring if there is no fill."""

    x: float
    y: float
    radius: float
    fill: str = INK
    stroke: str = ""


class Line(NamedTuple):
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    stroke: str = INK
    width: float = 1.0
    dashed: bool = False


class Polygon(NamedTuple):
    """A filled polygon."""

    points: tuple[tuple[float, float], ...]
    fill: str = INK


class Text(NamedTuple):
    """One line of text, centred vertically on its y."""

    x: float
    y: float
    text: str
    size: float = 16.0
    fill: str = INK
    anchor: Anchor = "middle"
    bold: bool = False


Shape = Rect | Circle | Line | Polygon | Text


@dataclass
class Drawing:
    """A picture: shapes on white paper, in the order in which they are drawn.

    The same shapes give the same bytes of SVG, which contain no links. The width of a
    character is 0.6 times the size of the text. In a terminal, a character stands for 7
    x 14 units, or for more units if the terminal is narrow.

    Args:
        width: The width.
        height: The height.
        title: What the picture shows, for readers who do not see it.
        shapes: The shapes.
    """

    width: float
    height: float
    title: str
    shapes: list[Shape] = field(default_factory=list)

    def add(self, *shapes: Shape) -> None:
        """Add shapes on top of the present ones."""
        self.shapes.extend(shapes)

    def fit(self, margin: float = 12) -> None:
        """Set the height to that of the rectangles and texts, and a margin."""
        self.height = margin + max(
            one.y + (one.height if isinstance(one, Rect) else one.size / 2)
            for one in self.shapes
            if isinstance(one, Rect | Text)
        )

    def svg(self, theme: Theme = "light") -> str:
        """Return the picture as an SVG document.

        Args:
            theme: "light", "dark", or "auto" for a document that a browser shows in the
                colour scheme of the page. In the dark one paper, texts and lines get
                the opposite lightness; coloured fills stay, with the texts on them,
                and a black rectangle, with all that is on it.
        """
        size = f"{_number(self.width)} {_number(self.height)}"
        paper = Rect(0, 0, self.width, self.height)
        shapes = [paper, *self.shapes]
        elements = [_element(shape) for shape in shapes]
        style = ""
        if theme != "light":
            style, elements = _adapted(shapes, elements, fixed=theme == "dark")
        parts = "".join((style, *elements))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" '
            f'width="{_number(self.width)}" height="{_number(self.height)}" '
            f'font-family="{_FONTS}" role="img">'
            f"<title>{_escaped(self.title)}</title>{parts}</svg>"
        )


def _adapted(
    shapes: Sequence[Shape], elements: Sequence[str], fixed: bool
) -> tuple[str, list[str]]:
    """Return elements in dark colours, or a style for a dark page and its elements."""
    rules: dict[str, None] = {}
    adapted = []
    grounds = [
        (at, shape)
        for at, shape in enumerate(shapes)
        if isinstance(shape, Rect)
        and _COLOUR.fullmatch(shape.fill)
        and max(_parts(shape.fill)) <= _BLACK
    ]
    for at, (shape, element) in enumerate(zip(shapes, elements, strict=True)):
        x, y = shape.points[0] if isinstance(shape, Polygon) else shape[:2]
        if any(n <= at and _is_in(ground, x, y) for n, ground in grounds) or (
            _is_on_a_colour(shapes, at)
        ):
            adapted.append(element.replace(" ", ' class="k" ', 1))
            continue
        dark = element
        for paint, colour in {found.group(1, 2) for found in _PAINT.finditer(element)}:
            if paint == "stroke" or isinstance(shape, Text) or not _stays(colour):
                tag, new = element[1:].split(" ", 1)[0], _opposite(colour)
                rules[f'{tag}[{paint}="{colour}"]:not(.k){{{paint}:{new}}}'] = None
                dark = dark.replace(f' {paint}="{colour}"', f' {paint}="{new}"')
        adapted.append(dark if fixed else element)
    style = f"@media (prefers-color-scheme:dark){{{''.join(sorted(rules))}}}"
    return "" if fixed else f"<style>{style}</style>", adapted


def _is_on_a_colour(shapes: Sequence[Shape], at: int) -> bool:
    """Return whether a shape is a text on a fill that stays on a dark page."""
    text = shapes[at]
    if not isinstance(text, Text):
        return False
    x = text.x + {"start": 0.3, "middle": 0.0, "end": -0.3}[text.anchor] * text.size
    fills = (
        one.fill
        for one in reversed(shapes[:at])
        if (isinstance(one, Rect) and _is_in(one, x, text.y))
        or (isinstance(one, Circle) and hypot(x - one.x, text.y - one.y) < one.radius)
    )
    return _stays(next(filter(_COLOUR.fullmatch, fills), PAPER))


def _is_in(one: Rect, x: float, y: float) -> bool:
    return 0 <= x - one.x <= one.width and 0 <= y - one.y <= one.height


@cache
def _stays(colour: str) -> bool:
    """Return whether a fill stays on a dark page: it is no paper and no ink."""
    low, *_, high = sorted(_parts(colour))
    is_grey = _MIDDLE[0] <= (low + high) / 2 <= _MIDDLE[1]
    return is_grey or high - low >= _CHROMA or high <= _BLACK


@cache
def _opposite(colour: str) -> str:
    hue, light, full = rgb_to_hls(*_parts(colour))
    # White becomes the dark grey of a page, not black.
    parts = hls_to_rgb(hue, 0.95 - 0.87 * light, full)
    return "#{:02x}{:02x}{:02x}".format(*(round(255 * part) for part in parts))


def _parts(colour: str) -> tuple[float, float, float]:
    red, green, blue = bytes.fromhex(colour[1:])
    return red / 255, green / 255, blue / 255


def fitted(text: str, width: float, size: float = 16.0) -> str:
    """Return a text on one line, cut with an ellipsis if it is too wide."""
    one_line = " ".join(text.split())
    most = max(1, int(width / (size * ADVANCE)))
    return one_line if len(one_line) <= most else f"{one_line[: most - 1]}…"


def wrapped(text: str, width: float, size: float = 16.0, lines: int = 100) -> list[str]:
    """Return the lines of a text that fit a width; the last one is cut if necessary."""
    most = max(1, int(width / (size * ADVANCE)))
    found: list[str] = []
    for word in text.split():
        if found and len(found[-1]) + 1 + len(word) <= most:
            found[-1] += f" {word}"
        else:
            found.append(word)
    if len(found) > lines:
        found[lines - 1 :] = [" ".join(found[lines - 1 :])]
    return [fitted(line, width, size) for line in found]


def _element(shape: Shape) -> str:
    if isinstance(shape, Text):
        return _text(shape)
    if isinstance(shape, Line):
        ends = zip(("x1", "y1", "x2", "y2"), shape[:4], strict=True)
        dashes = ' stroke-dasharray="4 4"' if shape.dashed else ""
        return (
            f"<line {_attributes(ends)} {_colour('stroke', shape.stroke)} "
            f'stroke-width="{_number(shape.width)}"{dashes}/>'
        )
    if isinstance(shape, Polygon):
        points = " ".join(f"{_number(x)},{_number(y)}" for x, y in shape.points)
        return f'<polygon points="{points}" {_colour("fill", shape.fill)}/>'
    stroke = f" {_colour('stroke', shape.stroke)}" if shape.stroke else ""
    paint = f"{_colour('fill', shape.fill or 'none')}{stroke}"
    if isinstance(shape, Circle):
        names = ("cx", "cy", "r")
        return f"<circle {_attributes(zip(names, shape[:3], strict=True))} {paint}/>"
    values = [*zip(("x", "y", "width", "height"), shape[:4], strict=True)]
    if shape.radius:
        values.append(("rx", shape.radius))
    return f"<rect {_attributes(values)} {paint}/>"


def _text(shape: Text) -> str:
    # Not the attribute dominant-baseline, which rasterisers interpret differently.
    baseline = shape.y + shape.size * 0.36
    bold = ' font-weight="bold"' if shape.bold else ""
    return (
        f'<text x="{_number(shape.x)}" y="{_number(baseline)}" '
        f'font-size="{_number(shape.size)}" text-anchor="{shape.anchor}" '
        f'{_colour("fill", shape.fill)}{bold} xml:space="preserve">'
        f"{_escaped(shape.text)}</text>"
    )


def _attributes(values: Sequence[tuple[str, float]] | zip[tuple[str, float]]) -> str:
    return " ".join(f'{name}="{_number(value)}"' for name, value in values)


def _colour(name: str, colour: str) -> str:
    return f'{name}="{_escaped(colour)}"'


def _number(value: float) -> str:
    return f"{round(float(value), 2):g}"


def _escaped(text: str) -> str:
    return escape(_INVALID.sub("\ufffd", text))
