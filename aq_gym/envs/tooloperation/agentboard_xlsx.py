"""Reads the workbook of AgentBoard: values, formats, notes, merged and frozen cells."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from aq_gym.envs.tooloperation.logic.sheet.addresses import Position, read_rect
from aq_gym.envs.tooloperation.logic.sheet.workbook import Grid
from aq_gym.support.user_files import (
    DAMAGED_ARCHIVE,
    check_xml,
    open_zip,
    read_bytes,
)

_MOST_BYTES = 20_000_000
_MOST_UNPACKED = 100_000_000
_MOST_PARTS = 1_000
_MOST_SHEETS = 100
_MOST_CELLS = 200_000
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
# The numbers of built-in formats that such tables use.
_BUILT_IN = {1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 49: "@"}


class WorkbookError(ValueError):
    """A file that cannot be read as a workbook."""


class Table(NamedTuple):
    """A sheet of a file.

    Attributes:
        grid: Its cells, notes and merged ranges.
        formats: The number formats of cells that are not General.
        frozen: The number of frozen rows.
    """

    grid: Grid
    formats: Mapping[Position, str]
    frozen: int


def read_workbook(path: Path) -> dict[str, Table]:
    """Read the sheets of an xlsx file by their names.

    Args:
        path: The file.

    Raises:
        WorkbookError: If it is not such a file, is damaged or too large.
    """
    try:
        content = read_bytes(path, _MOST_BYTES)
        with open_zip(path.name, content, _MOST_UNPACKED, _MOST_PARTS) as archive:
            return dict(_Reader(archive).sheets())
    except (*DAMAGED_ARCHIVE, ElementTree.ParseError) as error:
        raise WorkbookError(f"{path} cannot be read as a workbook: {error}") from error


class _Reader:
    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._names = set(archive.namelist())
        self._left = _MOST_CELLS
        self._texts = [
            "".join(part.text or "" for part in item.iter(f"{_MAIN}t"))
            for item in self._parts("xl/sharedStrings.xml")
        ]
        self._styles = list(self._read_styles())

    def sheets(self) -> Iterator[tuple[str, Table]]:
        links = self._links("xl/workbook.xml")
        sheets = list(self._xml("xl/workbook.xml").iter(f"{_MAIN}sheet"))
        # Many sheets can refer to one part of the archive.
        if len(sheets) > _MOST_SHEETS:
            raise WorkbookError(f"it has more than {_MOST_SHEETS} sheets")
        for sheet in sheets:
            name = sheet.attrib["name"]
            yield name, self._table(name, links[sheet.attrib[_LINK]])

    def _table(self, name: str, part: str) -> Table:
        root = self._xml(part)
        cells: dict[Position, Any] = {}
        formats: dict[Position, str] = {}
        for cell in root.iter(f"{_MAIN}c"):
            self._left -= 1
            if self._left < 0:
                raise WorkbookError(f"it has more than {_MOST_CELLS:,} cells")
            position = _position(cell.attrib["r"])
            style = self._styles[int(cell.get("s", 0))] if self._styles else ""
            if style:
                formats[position] = style
            if (value := self._value(cell)) is not None:
                cells[position] = value
        rects = (read_rect(one.attrib["ref"]) for one in root.iter(f"{_MAIN}mergeCell"))
        merged = frozenset(one for one in rects if one is not None)
        panes = list(root.iter(f"{_MAIN}pane"))
        frozen = int(float(panes[0].get("ySplit", 0))) if panes else 0
        return Table(Grid(name, cells, self._notes(part), merged), formats, frozen)

    def _value(self, cell: ElementTree.Element) -> Any:
        formula = cell.find(f"{_MAIN}f")
        if formula is not None and formula.text:
            return f"={formula.text}"
        kind, found = cell.get("t", "n"), cell.findtext(f"{_MAIN}v")
        if kind == "inlineStr":
            return "".join(one.text or "" for one in cell.iter(f"{_MAIN}t")) or None
        if found is None:
            return None
        if kind == "s":
            return self._texts[int(found)] or None
        if kind != "n":
            return found
        number = float(found)
        return int(number) if number.is_integer() else number

    def _notes(self, part: str) -> dict[Position, str]:
        notes = {}
        for target in self._links(part).values():
            if "comments" in posixpath.basename(target).lower():
                for one in self._xml(target).iter(f"{_MAIN}comment"):
                    texts = (text.text or "" for text in one.iter(f"{_MAIN}t"))
                    notes[_position(one.attrib["ref"])] = "".join(texts)
        return notes

    def _read_styles(self) -> Iterator[str]:
        if "xl/styles.xml" not in self._names:
            return
        root = self._xml("xl/styles.xml")
        own = {
            int(one.attrib["numFmtId"]): one.attrib["formatCode"]
            for one in root.iter(f"{_MAIN}numFmt")
        }
        for group in root.iter(f"{_MAIN}cellXfs"):
            for one in group:
                number = int(one.get("numFmtId", 0))
                code = own.get(number, _BUILT_IN.get(number, ""))
                yield "" if code.lower() == "general" else code

    def _links(self, part: str) -> dict[str, str]:
        """Return the parts that a part names, by the ids of the relationships."""
        folder, name = posixpath.split(part)
        links = f"{folder}/_rels/{name}.rels"
        found = {}
        for one in self._parts(links):
            target = one.attrib["Target"]
            place = target.lstrip("/") if target[:1] == "/" else f"{folder}/{target}"
            found[one.attrib["Id"]] = posixpath.normpath(place)
        return found

    def _parts(self, part: str) -> list[ElementTree.Element]:
        return list(self._xml(part)) if part in self._names else []

    def _xml(self, part: str) -> ElementTree.Element:
        if self._archive.getinfo(part).file_size > _MOST_BYTES:
            raise WorkbookError(f"{part} has more than {_MOST_BYTES:,} bytes")
        data = self._archive.read(part)
        check_xml(part, data)
        return ElementTree.fromstring(data)


def _position(text: str) -> Position:
    rect = read_rect(text)
    if rect is None:
        raise WorkbookError(f"{text!r:.40} is not a cell")
    return rect.top, rect.left
