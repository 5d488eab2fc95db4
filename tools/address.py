"""Write the repository's address into pyproject.toml and the links of README.md.

A package index shows the README without the repository, so that its relative links and
pictures lead nowhere there. Run it once, when the address is known::

    python tools/address.py https://HOST/OWNER/REPOSITORY
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
# A link or a picture whose target is a path.
RELATIVE = re.compile(r"(!?)(\[[^\]]*\])\((?![a-z]+:|#)([^)\s]+)\)")
SOURCE = re.compile(r'\b(src|srcset)="(?![a-z]+:)([^"]+)"')


def absolute(page: str, address: str) -> str:
    """Return a Markdown page whose links and pictures begin with an address."""

    def link(match: re.Match[str]) -> str:
        kind = "raw" if match[1] else "blob"
        return f"{match[1]}{match[2]}({address}/{kind}/main/{match[3]})"

    page = SOURCE.sub(rf'\1="{address}/raw/main/\2"', page)
    return RELATIVE.sub(link, page)


def with_urls(project: str, address: str) -> str:
    """Return pyproject.toml's text with the project's URLs in place of earlier ones."""
    urls = {
        "Source": address,
        "Documentation": f"{address}/tree/main/docs",
        "Changelog": f"{address}/blob/main/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }
    lines = "".join(f'{name} = "{url}"\n' for name, url in urls.items())
    project = re.sub(r"\[project\.urls\]\n(?:.+\n)+\n", "", project)
    return project.replace("[tool.ruff]", f"[project.urls]\n{lines}\n[tool.ruff]", 1)


def main() -> None:
    """Write both files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address", help="such as https://github.com/OWNER/REPOSITORY")
    address = parser.parse_args().address.rstrip("/")
    if not address.startswith("https://"):
        parser.error(f"address={address!r} must begin with https://")
    for name, written in (("README.md", absolute), ("pyproject.toml", with_urls)):
        path = ROOT / name
        path.write_text(written(path.read_text("utf-8"), address), "utf-8")


if __name__ == "__main__":
    main()
