"""The program of a process that owns a Java virtual machine with ScienceWorld.

It is run as a file, imports neither aq_gym nor gymnasium, and answers requests in JSON,
one a line. The virtual machine always ends with this process: it reads its standard
input, which only this process holds, and stops when that closes. This process stops
when its own input closes, when its parent is gone, and after some idle minutes.
"""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

_IDLE_SECONDS = 300.0
_WATCH_SECONDS = 0.5
_OPENING = "look around"
# An action that lists the valid actions instead of taking a step.
LIST = "\0"
# Requests that must not change the episode. ScienceWorld draws random numbers for them,
# which would change what animals do later, so the random state is restored.
_QUERIES = ("actions", "objects", "inventory")


def main() -> None:
    """Answer requests until the input ends."""
    java, jar, *options = sys.argv[1:]
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    # Only answers may be written to this stream, so other output goes to stderr.
    os.dup2(2, 1)
    parent = os.getppid()
    machine = Machine(java, jar, options)
    threading.Thread(target=_watch, args=(parent, machine), daemon=True).start()
    _write(answers, {"ready": machine.version()})
    try:
        _serve(machine, answers)
    finally:
        machine.stop()


def _serve(machine: Machine, answers: Any) -> None:
    with os.fdopen(0, "rb", buffering=0) as requests:
        while line := _next_line(requests):
            request = json.loads(line)
            try:
                answer = machine.answer(request)
            except Exception as error:  # noqa: BLE001 (whatever it is, the parent hears it)
                answer = {"error": f"{type(error).__name__}: {error}"[:2000]}
                answer["dead"] = not machine.alive()
            _write(answers, answer)
            if answer.get("dead"):
                return


def _next_line(requests: Any) -> bytes:
    """Return the next request, or nothing at the end of the input or when idle."""
    ready, _, _ = select.select([requests], [], [], _IDLE_SECONDS)
    if not ready:
        return b""
    parts = [requests.read(1 << 16)]
    while parts[-1] and not parts[-1].endswith(b"\n"):
        parts.append(requests.read(1 << 16))
    return b"".join(parts) if parts[-1] else b""


def _write(answers: Any, answer: dict[str, Any]) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


def _watch(parent: int, machine: Machine) -> None:
    """Stop with the parent, even if a process forked from it keeps our input open."""
    while os.getppid() == parent:
        time.sleep(_WATCH_SECONDS)
    machine.stop()
    # The folder that the parent made for this process.
    shutil.rmtree(os.getcwd(), ignore_errors=True)
    os._exit(1)


class Machine:
    """A Java virtual machine with ScienceWorld.

    Args:
        java: The path of ``java``.
        jar: The path of ScienceWorld's archive.
        options: The options of the virtual machine.
    """

    def __init__(self, java: str, jar: str, options: list[str]) -> None:
        from py4j.java_gateway import GatewayParameters, JavaGateway, launch_gateway

        # The token keeps other users of this computer from running Java code as this
        # user.
        port, token, self._process = launch_gateway(
            classpath=jar,
            javaopts=options,
            java_path=java,
            die_on_exit=True,
            enable_auth=True,
            return_proc=True,
            redirect_stderr=sys.stderr,
        )
        parameters = GatewayParameters(port=port, auth_token=token, auto_field=True)
        self._gateway = JavaGateway(
            gateway_parameters=parameters, java_process=self._process
        )
        java_vm = self._gateway.jvm
        # ScienceWorld prints several lines per step.
        nowhere = java_vm.java.io.OutputStream.nullOutputStream()
        java_vm.java.lang.System.setOut(java_vm.java.io.PrintStream(nowhere))
        scala = java_vm.java.lang.Class.forName("scala.util.Random$")
        self._random = scala.getField("MODULE$").get(None).self()
        plain = java_vm.java.lang.Class.forName("java.util.Random")
        self._seed = plain.getDeclaredField("seed")
        self._seed.setAccessible(True)
        self._server = java_vm.scienceworld.runtime.pythonapi.PythonInterface()
        self._paths = java_vm.scienceworld.goldagent.PathFinder
        self._requests: dict[str, Callable[..., dict[str, Any]]] = {
            "load": self._load,
            "step": self._step,
            "gold": self._gold,
            "actions": self._actions,
            "objects": self._objects,
            "inventory": self._inventory,
            "match": self._match,
        }
        # Warms up the virtual machine, because code that it runs for the first time
        # takes ten times as long.
        self._load("boil", 0, "")
        for _ in range(3):
            self._step("wait")

    def version(self) -> str:
        """Return the version of Java."""
        return str(self._gateway.jvm.java.lang.System.getProperty("java.version"))

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Carry out a request: ``do`` is its name, the other items its arguments."""
        what = request.pop("do")
        if what not in _QUERIES:
            return self._requests[what](**request)
        before = self._seed.get(self._random)
        answer = self._requests[what](**request)
        # setSeed of java.util.Random scrambles the seed with this number.
        self._random.setSeed(before ^ 0x5DEECE66D)
        return answer

    def alive(self) -> bool:
        """Return whether the virtual machine still answers."""
        try:
            self.version()
        except Exception:  # noqa: BLE001 (py4j raises several kinds)
            return False
        return True

    def stop(self) -> None:
        """Kill the virtual machine."""
        self._process.kill()
        self._process.wait()

    def _load(self, task: str, variation: int, simplifications: str) -> dict[str, Any]:
        self._begin(task, variation, simplifications, gold=False)
        status = self._step(_OPENING)
        return {**status, "description": str(self._server.getTaskDescription())}

    def _begin(
        self, task: str, variation: int, simplifications: str, gold: bool
    ) -> None:
        problem = self._server.load(task, variation, simplifications, gold)
        if problem:
            raise ValueError(str(problem))

    def _step(self, text: str) -> dict[str, Any]:
        if text == LIST:
            observation = "\n".join(self._actions()["actions"])
        else:
            observation = str(self._server.step(text))
        episode = self._server.agentInterface().get()
        if episode.isInErrorState():
            raise RuntimeError(f"ScienceWorld: {episode.getErrorStateMessage()}")
        parser = episode.inputParser()
        place = self._server.agent().get().getContainer().get()
        return {
            "observation": observation,
            "score": float(self._server.getScore()),
            "completed": bool(self._server.getCompleted()),
            "choices": int(parser.getNumAmbiguousMatches())
            if parser.isInAmbiguousState()
            else 0,
            "location": str(place.name()),
            "goals": str(self._server.getGoalProgressStr()),
        }

    def _gold(self, task: str, variation: int, simplifications: str) -> dict[str, Any]:
        # ScienceWorld caches the exits of rooms, in a random order, across solutions.
        self._paths.precomputedExhaustivePaths().clear()
        self._begin(task, variation, simplifications, gold=True)
        return {"actions": [str(a) for a in self._server.getGoldActionSequence()]}

    def _actions(self) -> dict[str, Any]:
        listed = self._server.getValidActionObjectCombinations()
        return {"actions": [str(action) for action in listed]}

    def _inventory(self) -> dict[str, Any]:
        return {"text": str(self._server.freeActionInventory())}

    def _objects(self) -> dict[str, Any]:
        return {"objects": [str(name) for name in self._server.getPossibleObjects()]}

    def _match(self, patterns: list[str], text: str) -> dict[str, Any]:
        return {"found": [re.search(one, text) is not None for one in patterns]}


if __name__ == "__main__":
    main()
