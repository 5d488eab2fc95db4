"""Does a run that is killed, stopped or out of disk space end as an undisturbed one?

    unshare -rm python benchmarks/attacks/disturbances.py --executor threads

A model plays a suite. Each session is disturbed after some requests: killed (kill -9),
terminated, interrupted (Ctrl-C), or its disk gets full; the next session continues the
run. When it has ended, rows, trajectories and requests must equal those of an
undisturbed run. Only requests in flight, one for each worker and disturbance, may be
sent again or be missing in the usage. Needs Linux, for a disk of its own.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from aq_gym import trajectory
from aq_gym.evaluation import load_run

# The folder of the tests has a server of scripted answers.
sys.path.append(str(Path(__file__).parents[2] / "tests"))
scripted: Any = importlib.import_module("scripted_server")

IDS = ("aq/Mastermind-v0", "aq/BabyAI-text-v0", "aq/Wordle-v0", "aq/ToolQuery-v0")
MOST_REQUESTS = 25
SECONDS = 300
CODES = {
    "kill": -signal.SIGKILL,
    "terminate": -signal.SIGTERM,
    "Ctrl-C": 130,
    "full disk": 1,
}
ENDS_OF_RAY = (signal.SIGTERM, -signal.SIGABRT)
# The tokens of each scripted answer.
TOKENS = 107
# Fields that depend on the clock, or on how often an episode was continued.
UNEQUAL = {"usage", "latency", "calls", "tokens", "cost", "recalled",
           "prompt_tokens", "completion_tokens"}  # fmt: skip


class Model(scripted.ScriptedServer):  # type: ignore[misc]
    """An endpoint whose answer depends on the request alone.

    Attributes:
        asked: How often each request was answered.
        due: The number of answers after which ``moment`` is set.
        moment: Set when it is time for a disturbance.
    """

    def __init__(self) -> None:
        super().__init__()
        self.asked: Counter[str] = Counter()
        self.due = 0
        self.moment = threading.Event()

    def next(self, request: Any) -> Any:
        """Count a request and answer it."""
        digest = hashlib.sha256(json.dumps(request).encode()).hexdigest()
        with self._lock:
            self.asked[digest] += 1
            if self.asked.total() == self.due:
                self.moment.set()
        code = "".join(str(int(digit, 16) % 6 + 1) for digit in digest[:4])
        action = random.Random(digest).choice((f"Guess: {code}", "go forward", "help"))
        return scripted.answer(action)


def play(model: Model, disk: Path, options: list[str], kind: str = "") -> str:
    """Play or continue a run until its end, or until a disturbance ends it.

    Args:
        model: The endpoint, whose ``moment`` is that of the disturbance.
        disk: The folder of the run, a disk of its own.
        options: Further options of ``aq-gym run``.
        kind: One of CODES, or "" for none.

    Returns:
        "ended", "disturbed", or what is wrong.
    """
    command = [
        *(sys.executable, "-m", "aq_gym", "run", "--env", *IDS, "--episodes", "4"),
        *("--max-steps", "8", "--agent", "llm", "--model", "m", "--quiet", *options),
        *("--base-url", model.url, "--out", str(disk / "run")),
    ]
    model.moment.clear()
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True
        )
        while kind and process.poll() is None and not model.moment.wait(0.02):
            pass
        if kind and process.poll() is None:
            disturb(process, disk, kind)
        try:
            code = process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            return f"{kind}: does not end"
        resize(disk, "64m")
        errors.seek(0)
        said = errors.read()
    if code == 0:
        return "ended"
    # Ray has handlers of its own for SIGTERM.
    expected = [CODES.get(kind), *(ENDS_OF_RAY if "ray" in options else ())]
    if code in expected and "Traceback" not in said:
        return "disturbed"
    return f"{kind}: exit code {code}: {said[-2000:]}"


def disturb(process: subprocess.Popen[bytes], disk: Path, kind: str) -> None:
    """Disturb a process that writes to a disk."""
    if kind == "full disk":
        # Meanwhile the process writes more, and a disk cannot become smaller than its
        # contents.
        for pages in range(100):
            space = os.statvfs(disk)
            used = space.f_blocks - space.f_bfree + pages
            if resize(disk, str(used * space.f_frsize)):
                break
    elif kind == "Ctrl-C":
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.send_signal(-CODES[kind])


@contextmanager
def mounted(folder: Path) -> Iterator[Path]:
    """Make a folder a disk of its own."""
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def resize(disk: Path, size: str) -> bool:
    """Change the size of a disk, and return whether there was enough room."""
    command = ["mount", "-o", f"remount,size={size}", "tmpfs", str(disk)]
    done = subprocess.run(command, stderr=subprocess.DEVNULL, check=False)
    return done.returncode == 0


def content(disk: Path) -> Any:
    """Return the parts of a run that must equal those of an undisturbed run."""
    rows = [row.to_record() for row in load_run(disk / "run").episodes]
    files = sorted((disk / "run" / "trajectories").iterdir())
    steps = {file.name: trajectory.read(file).steps for file in files}
    return comparable({"rows": rows, "steps": steps})


def comparable(value: Any) -> Any:
    """Return a value of JSON without usage and times."""
    if isinstance(value, dict):
        return {k: comparable(v) for k, v in value.items() if k not in UNEQUAL}
    return [comparable(v) for v in value] if isinstance(value, list) else value


def counted(disk: Path) -> int:
    """Return how many answers are in the usage of a run."""
    summary = load_run(disk / "run").summary
    usage = [summary[name]["usage"] for name in ("overall", "superseded")]
    return round(float(sum(one.get("tokens", 0) for one in usage)) / TOKENS)


def main() -> int:
    """Disturb runs until there were enough disturbances, and print what was lost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--executor", default="inline", help="%(default)s")
    parser.add_argument("--workers", type=int, default=4, help="%(default)s")
    parser.add_argument("--times", type=int, default=100, help="%(default)s")
    parser.add_argument("--seed", type=int, default=0, help="%(default)s")
    given = parser.parse_args()
    rng, model, done = random.Random(given.seed), Model(), Counter[str]()
    options = ["--executor", given.executor, "--workers", str(given.workers)]
    runs = failures = again = missing = 0
    with tempfile.TemporaryDirectory() as folder, mounted(Path(folder)) as disk:
        play(model, disk, [])
        undisturbed, asked = content(disk), +model.asked
        while done.total() < given.times:
            shutil.rmtree(disk / "run")
            model.asked.clear()
            before, outcome = done.total(), ""
            while outcome in ("", "disturbed"):
                kind = rng.choice([*CODES]) if done.total() < given.times else ""
                model.due = model.asked.total() + rng.randint(1, MOST_REQUESTS)
                outcome = play(model, disk, options, kind)
                done[kind] += outcome == "disturbed"
            runs += 1
            problems = [] if outcome == "ended" else [outcome]
            if not problems:
                in_flight = (done.total() - before) * given.workers
                sent, noted = model.asked.total(), counted(disk)
                found = {**content(disk), "requests": {*model.asked}}
                expected = {**undisturbed, "requests": {*asked}}
                problems = [key for key in found if found[key] != expected[key]]
                problems += ["sent again"] * (sent - asked.total() > in_flight)
                problems += ["usage"] * (not sent - in_flight <= noted <= sent)
                again, missing = again + sent - asked.total(), missing + sent - noted
            if problems:
                failures += 1
                print(f"run {runs}: {', '.join(problems)}", flush=True)
    print(
        f"{given.executor}, seed {given.seed}: {done.total()} disturbances "
        f"({', '.join(f'{n} {kind}' for kind, n in done.items() if n)}) of {runs} runs "
        f"of {asked.total()} requests: {failures} failures; {again} requests were sent "
        f"again, {missing} are missing in the usage"
    )
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
