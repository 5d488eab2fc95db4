"""Build the site from docs/, with warnings, such as dead links, as errors.

The extra ``docs`` has what it needs::

    python tools/build_site.py [--out build/site]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def build(out: Path) -> None:
    """Build the site.

    Args:
        out: The folder that gets the pages.

    Raises:
        SystemExit: If Sphinx has a warning.
    """
    from sphinx.cmd.build import build_main

    strict = ["--fail-on-warning", "--keep-going", "--quiet"]
    doctrees = ["--doctree-dir", str(out.with_name(f"{out.name}-doctrees"))]
    if build_main([*strict, *doctrees, str(ROOT / "docs"), str(out)]):
        raise SystemExit("the site was built with warnings")
    sys.stdout.write(f"{len(list(out.rglob('*.html')))} pages in {out}\n")


def main() -> None:
    """Build the site."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "site")
    build(parser.parse_args().out)


if __name__ == "__main__":
    main()
