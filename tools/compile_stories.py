"""Rebuild Jericho's adventures: ``python tools/compile_stories.py [--check] [NAME]``.

Needs Debian's ``inform6-compiler`` and ``inform6-library`` (6.41 and 6.12.6), whose
output is the same byte for byte wherever it runs. ``--check`` compares instead of
writing, and fails where a story or its symbols differ from what its source compiles to.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from aq_gym.support.data import CANARY

_JERICHO = Path(__file__).parents[1] / "aq_gym" / "envs" / "jericho"
STORIES, DATA = _JERICHO / "stories", _JERICHO / "data"
_COMPILER = "inform6"
_SWITCHES = ("-v5", "-~S", "$OMIT_UNUSED_ROUTINES=1", "-k")
# The compiler numbers the files it reads from 0.
_OWN_SOURCE = "0"
_LIBRARIES = ("/usr/share/inform6/library", "/usr/share/inform/6.12.6/library")


def build(source: Path, library: str | None = None) -> tuple[bytes, str]:
    """Compile one adventure.

    Args:
        source: The Inform 6 source.
        library: The folder of Inform's library; Debian's place if not given.

    Returns:
        The story file and its symbols as JSON.

    Raises:
        FileNotFoundError: If the compiler is not installed.
        RuntimeError: If it reports an error.
    """
    compiler = shutil.which(_COMPILER)
    if compiler is None:
        raise FileNotFoundError(
            f"{_COMPILER} is not installed: apt-get install inform6-compiler "
            "inform6-library"
        )
    library = library or next(filter(_is_folder, _LIBRARIES), _LIBRARIES[0])
    with tempfile.TemporaryDirectory() as folder:
        include = f"+include_path={library},{source.parent.resolve()}"
        command = [compiler, *_SWITCHES, include, str(source.resolve()), "story.z5"]
        run = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False
        )
        story = Path(folder, "story.z5")
        if run.returncode or not story.exists():
            raise RuntimeError(f"{source.name} does not compile:\n{run.stdout}")
        debug = Path(folder, "gameinfo.dbg").read_text(encoding="utf-8")
        return story.read_bytes(), _symbols(debug)


def main(arguments: list[str] | None = None) -> int:
    """Rebuild or check every adventure; return how many differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="adventures; all if none is named")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args(arguments)
    names = options.names or sorted(path.stem for path in STORIES.glob("*.inf"))
    different = 0
    for name in names:
        story, symbols = build(STORIES / f"{name}.inf")
        targets = ((f"{name}.z5", story), (f"{name}.symbols.json", symbols.encode()))
        for target, content in targets:
            path = DATA / target
            if path.exists() and path.read_bytes() == content:
                continue
            different += 1
            sys.stdout.write(f"{target} differs\n" if options.check else f"{target}\n")
            if not options.check:
                path.write_bytes(content)
    return different if options.check else 0


def _is_folder(path: str) -> bool:
    return Path(path).is_dir()


def _symbols(debug: str) -> str:
    """Return the numbers of named things in the compiler's debugging information."""
    tree = ElementTree.fromstring(debug)
    first = min(_address(node) for node in tree.iter("global-variable"))
    variables = {
        _name(node): (_address(node) - first) // 2
        for node in tree.iter("global-variable")
    }
    symbols = {
        "canary": CANARY,
        "objects": {_name(n): _value(n) for n in tree.iter("object") if _named(n)},
        "attributes": {_name(n): _value(n) for n in tree.iter("attribute")},
        "actions": {_name(n).lstrip("#"): _value(n) for n in tree.iter("action")},
        "properties": {_name(n): _value(n) for n in tree.iter("property") if _named(n)},
        "globals": variables,
        "own": {
            _name(node): variables[_name(node)]
            for node in tree.iter("global-variable")
            if node.findtext("source-code-location/file-index") == _OWN_SOURCE
        },
    }
    return json.dumps(symbols, indent=1, sort_keys=True) + "\n"


def _named(node: ElementTree.Element) -> bool:
    identifier = node.find("identifier")
    return identifier is not None and not identifier.get("artificial")


def _name(node: ElementTree.Element) -> str:
    return (node.findtext("identifier") or "").strip()


def _value(node: ElementTree.Element) -> int:
    return int(node.findtext("value") or 0)


def _address(node: ElementTree.Element) -> int:
    return int(node.findtext("address") or 0)


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
