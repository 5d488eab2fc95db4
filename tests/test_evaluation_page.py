"""Every snippet of docs/evaluation.md runs, one after the other in one folder."""

import os
import re
import subprocess
import sys
from pathlib import Path

PAGE = (Path(__file__).parents[1] / "docs" / "evaluation.md").read_text()
SNIPPET = re.compile(r"^```(python|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_page_runs(tmp_path):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for language, code in SNIPPET.findall(PAGE):
        command = ["sh", "-ec", code]
        if language == "python":
            command = [sys.executable, "-W", "error", "-c", code]
        done = subprocess.run(
            command, cwd=tmp_path, env={**os.environ, "PATH": path},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert done.stdout, code
