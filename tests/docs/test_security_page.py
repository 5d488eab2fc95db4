"""The page of trust names, for each promise, a test that attacks it."""

import re


def attacks(text):
    return re.findall(r"`((?:tests|benchmarks)/[^`]+)`", text)


def test_each_promise_names_a_test_that_exists(root):
    page = (root / "docs" / "security.md").read_text("utf-8")
    rows = re.findall(r"^\| .*\n(?!\|-)", page, re.M)
    promises = [row for row in rows if "run as your code" not in row]
    promises += re.findall(r"^- \*\*.*?(?=^-|^#|^Not|\Z)", page, re.M | re.S)
    assert len(promises) > 20
    for promise in promises:
        found = attacks(promise)
        assert any(path.startswith("tests/") for path in found), promise
        for path in found:
            tests = root / path
            if tests.is_dir():
                assert list(tests.glob("test_*.py")), path
            else:
                assert tests.suffix == ".py" and tests.exists(), path
