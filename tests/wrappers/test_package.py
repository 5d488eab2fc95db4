import subprocess
import sys

import pytest

import aq_gym.wrappers


def test_names_are_sorted_and_exist():
    assert aq_gym.wrappers.__all__ == sorted(aq_gym.wrappers.__all__)
    for name in aq_gym.wrappers.__all__:
        assert getattr(aq_gym.wrappers, name).__name__ == name
    assert set(aq_gym.wrappers.__all__) <= set(dir(aq_gym.wrappers))
    with pytest.raises(AttributeError, match="Repetition"):
        _ = aq_gym.wrappers.Repetition


@pytest.mark.slow
def test_a_function_is_not_hidden_by_a_module_of_its_name():
    """Importing a submodule sets the package's attribute of its name."""
    code = """
import importlib, pkgutil
import aq_gym.wrappers
for module in pkgutil.iter_modules(aq_gym.wrappers.__path__):
    importlib.import_module(f"aq_gym.wrappers.{module.name}")
from aq_gym.wrappers import extract_action
assert extract_action("Action: look") == "look"
assert all(callable(getattr(aq_gym.wrappers, name)) for name in aq_gym.wrappers.__all__)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_rapidfuzz_is_not_imported_before_it_is_needed():
    code = """
import sys
import aq_gym.wrappers
history = aq_gym.wrappers.ActionHistory()
history.add("a"), history.add("b")
assert "rapidfuzz" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
