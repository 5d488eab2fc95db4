"""AgentQuest's own drivers, as a child of ``harness.py``: CHECKOUT is its argument."""

from __future__ import annotations

import importlib
import sys
from typing import Any

from child import serve, stand_in

_NAMES = {"Mastermind": "MasterMind", "2048": "TTFE", "ALFWorld": "AlfWorld"}
_FOLDERS = {"2048": "twothousandfortyeight"}
_driver: Any = None


def make(name: str, arguments: list[Any], given: dict[str, Any]) -> Any:
    """Make the driver of a game, given what it would draw or look up itself."""
    folder = _FOLDERS.get(name, name.lower())
    module: Any = importlib.import_module(f"agentquest.benchmarks.{folder}.driver")
    if "words" in given:
        known = frozenset(given["words"])
        module.WordleUtils.is_valid_english_word = lambda word: word in known
    driver = getattr(module, f"{_NAMES.get(name, name)}Driver")(*arguments)
    if "key" in given:
        draw = staticmethod(lambda: given["key"])
        driver.cipher_class.generate_random_parameters = draw
    return driver


def facts(output: Any, acted: bool) -> dict[str, Any]:
    """Return the text of an observation, and the progress of the state."""
    progress = _driver.metrics.progress_function(_driver.current_state)
    return {
        "text": output.output,
        "success": output.success,
        "end": not output.can_proceed,
        "progress": round(float(progress), 9),
        "acted": acted,
    }


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Begin a game, take an action, or export its metrics."""
    global _driver
    if "make" in request:
        _driver = make(request["make"], request["arguments"], request.get("given", {}))
    if "board" in request:
        # The next new tile makes this board of 2048.
        _driver.place_random_tile = lambda: setattr(
            _driver.current_state, "value", request["board"]
        )
    if "make" in request:
        return facts(_driver.reset(), False)
    if "theta" in request:
        exported = _driver.metrics.export(
            repetition_function_kwargs={
                "theta_a": request["theta"],
                "num_execution_steps": request["steps"],
            }
        )
        return {"repetition_rate": exported["repetition_rate"]}
    before = len(_driver.metrics.interactions)
    output = _driver.step_raw(request["act"])
    return facts(output, len(_driver.metrics.interactions) > before)


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])
    # Wordle's dictionary, a library in C.
    stand_in("enchant")
    serve(answer)
