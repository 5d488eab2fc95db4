"""Small files of the kinds that GAIA's questions have, for ``gaia_example.py``."""

from __future__ import annotations

import io
import re
import struct
import wave
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import docx
import openpyxl  # type: ignore[import-untyped]
import pptx
from openpyxl.styles import PatternFill  # type: ignore[import-untyped]

Rows = Sequence[Sequence[object]]
_DATE = (2026, 1, 1, 0, 0, 0)
_TIME = re.compile(rb"\d{4}-\d\d-\d\dT[\d:]+Z")


def table(rows: Rows, separator: str = ",") -> bytes:
    """Return rows as lines."""
    return "".join(f"{separator.join(map(str, row))}\n" for row in rows).encode()


def workbook(
    sheets: Mapping[str, Rows], fills: Mapping[str, str] | None = None
) -> bytes:
    """Return an .xlsx file; cells of the first sheet can have a colour."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(list(row))
    for place, color in (fills or {}).items():
        book.worksheets[0][place].fill = PatternFill("solid", fgColor=color)
    return _packed(book)


def letter(blocks: Sequence[str | Rows]) -> bytes:
    """Return a .docx file of paragraphs and tables."""
    document = docx.Document()
    for block in blocks:
        if isinstance(block, str):
            document.add_paragraph(block)
            continue
        grid = document.add_table(rows=0, cols=len(block[0]))
        for row in block:
            for cell, value in zip(grid.add_row().cells, row, strict=True):
                cell.text = str(value)
    # Most of the template is styles.
    for style in list(document.styles):
        if style.name != "Normal":
            style.delete()
    _drop(document.part.rels, "stylesWithEffects", "theme", "customXml")
    _drop(document.part.package.rels, "thumbnail")
    return _packed(document)


def slides(pages: Sequence[tuple[str, Sequence[str], str]]) -> bytes:
    """Return a .pptx file; each slide has a title, lines and notes."""
    show = pptx.Presentation()
    for title, lines, notes in pages:
        slide = show.slides.add_slide(show.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text_frame.text = "\n".join(lines)
        if notes:
            slide.notes_slide.notes_text_frame.text = notes
    for layout in list(show.slide_layouts):
        if not layout.used_by_slides:
            show.slide_layouts.remove(layout)
    _drop(show.part.rels, "printerSettings")
    _drop(show.part.package._rels, "thumbnail")
    return _packed(show)


def pdf(pages: Sequence[Sequence[str]]) -> bytes:
    """Return a .pdf file; each page has lines without parentheses."""
    count = len(pages)
    kids = " ".join(f"{4 + 2 * k} 0 R" for k in range(count))
    bodies = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for k, lines in enumerate(pages):
        drawn = " ".join(f"({line}) Tj T*" for line in lines)
        stream = f"BT /F1 11 Tf 60 780 Td 16 TL {drawn} ET".encode()
        bodies.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents "
            + f"{5 + 2 * k} 0 R /Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        bodies.append(
            f"<< /Length {len(stream)} >>\nstream\n".encode() + stream + b"\nendstream"
        )
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(bodies, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(bodies) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
    out += f"trailer << /Size {len(bodies) + 1} /Root 1 0 R >>\n".encode()
    return bytes(out + f"startxref\n{start}\n%%EOF\n".encode())


def archive(members: Mapping[str, bytes]) -> bytes:
    """Return a .zip file with a fixed date."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for name, content in members.items():
            member = zipfile.ZipInfo(name, _DATE)
            made.writestr(member, content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def picture() -> bytes:
    """Return a .png file of one red dot."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + body))
        return struct.pack(">I", len(body)) + kind + body + check

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    data = zlib.compress(b"\x00\xff\x00\x00")
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def sound() -> bytes:
    """Return a .wav file of a short silence."""
    out = io.BytesIO()
    with wave.open(out, "wb") as made:
        made.setnchannels(1)
        made.setsampwidth(1)
        made.setframerate(8_000)
        made.writeframes(b"\x80" * 400)
    return out.getvalue()


def _drop(relations: Any, *ends: str) -> None:
    """Leave out parts of a template by the ends of their kinds."""
    for key, one in list(relations.items()):
        if one.reltype.endswith(ends):
            relations.pop(key)


def _packed(document: Any) -> bytes:
    """Return a document of an office program, packed again with fixed dates."""
    out = io.BytesIO()
    document.save(out)
    with zipfile.ZipFile(out) as made:
        members = {name: made.read(name) for name in made.namelist()}
    # openpyxl writes the present time there.
    core = "docProps/core.xml"
    members[core] = _TIME.sub(b"2026-01-01T00:00:00Z", members[core])
    return archive(members)
