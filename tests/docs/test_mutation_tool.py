"""The tool for mutation testing: its changes, and the tests that it names."""

import ast
import json

import pytest
from mutations import mutations_of

SOURCE = """
def f(a, b: int = 1):
    if a - b <= 0 and "é" not in a:
        a += -b
        return f"{a - 1}"
    return any([True])
"""


def test_each_place_is_changed_alone():
    changed = [mutation.apply(SOURCE) for mutation in mutations_of(SOURCE)]
    for text in changed:
        ast.parse(text)
    lines = [
        text.splitlines()[mutation.line - 1].strip()
        for text, mutation in zip(changed, mutations_of(SOURCE), strict=True)
    ]
    assert lines == [
        "def f(a, b: int = 0):",
        'if (b) - (a) <= 0 and "é" not in a:',
        'if a + b <= 0 and "é" not in a:',
        'if a - b < 0 and "é" not in a:',
        'if a - b > 0 and "é" not in a:',
        'if a - b <= 1 and "é" not in a:',
        'if a - b <= 0 or "é" not in a:',
        'if a - b <= 0 and "é" in a:',
        "a -= -b",
        "a += (b)",
        "return all([True])",
        "return any([False])",
    ]


def test_what_type_checkers_read_is_left_alone():
    source = "if TYPE_CHECKING:\n    x: Literal[1] = 1\ny: Literal[1]\n"
    assert mutations_of(source) == []


@pytest.mark.parametrize("name", ["mutation_tests", "mutation_equivalents"])
def test_the_files_that_it_names_are_there(root, name):
    data = json.loads((root / "tools" / f"{name}.json").read_text())
    if name == "mutation_equivalents":
        assert all((root / one["path"]).exists() for one in data)
        return
    for files in data.values():
        for pattern, tests in files.items():
            assert list(root.glob(pattern)), pattern
            for test in tests:
                path, _, option = test.partition("::")
                assert not path.startswith("tests/") or (root / path).exists(), option
