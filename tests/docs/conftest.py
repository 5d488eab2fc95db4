"""The built site."""

import subprocess
import sys

import pytest
from filelock import FileLock


@pytest.fixture(scope="session")
def site(root, tmp_path_factory, request):
    """The folder of the site, which is built once, whatever the number of workers."""
    folder = tmp_path_factory.getbasetemp()
    if hasattr(request.config, "workerinput"):
        folder = folder.parent
    out = folder / "site"
    with FileLock(f"{out}.lock"):
        if not (folder / "built").exists():
            tool = [sys.executable, root / "tools" / "build_site.py", "--out", out]
            done = subprocess.run(
                tool, capture_output=True, text=True, check=False, timeout=1_500
            )
            (folder / "built").write_text(done.stdout + done.stderr)
    # The folder is complete only where the build succeeded.
    printed = (folder / "built").read_text()
    assert " pages in " in printed, printed
    return out
