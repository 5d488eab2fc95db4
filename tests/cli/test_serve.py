"""``aq-gym serve`` without its extra; the others are in tests/integrations."""

import os
import sys

import pytest

from aq_gym.cli import main
from aq_gym.cli.serve_token import VARIABLE, read_token
from aq_gym.support import redaction
from aq_gym.support.redaction import redact

TOKEN = "0123456789abcdef-served"


@pytest.fixture(autouse=True)
def forgotten(monkeypatch):
    # Later tests in this process write texts that contain these tokens.
    monkeypatch.setattr(redaction, "_FORMS", ())


def test_the_extra_is_named(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "openenv", None)
    for name in [name for name in sys.modules if name.startswith("openenv.")]:
        monkeypatch.delitem(sys.modules, name)
    for name in [name for name in sys.modules if "integrations.openenv" in name]:
        monkeypatch.delitem(sys.modules, name)
    assert main(["serve", "aq/Mastermind-v0"]) == 1
    error = capsys.readouterr().err
    needs = "aq-gym: aq_gym.integrations.openenv needs openenv"
    assert error.startswith(f"{needs}: pip install 'aq-gym[")


def test_without_a_token_there_is_none(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert read_token(None) == ""


def test_a_token_is_read_once_and_kept_secret(monkeypatch):
    monkeypatch.setenv(VARIABLE, f"{TOKEN}\n")
    assert read_token(None) == TOKEN
    assert VARIABLE not in os.environ
    assert redact(f"it is {TOKEN}") == "it is ***"


def test_a_file_comes_before_the_variable(monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, "another-token-of-theirs")
    file = tmp_path / "token"
    file.write_text(f" {TOKEN}\n")
    assert read_token(str(file)) == TOKEN
    assert VARIABLE not in os.environ


@pytest.mark.parametrize(
    "token", ["", "short", "x" * 15, "x" * 5000, "a b" * 9, "é" * 20]
)
def test_what_is_not_a_token_is_refused_without_showing_it(tmp_path, token):
    file = tmp_path / "token"
    file.write_text(token)
    with pytest.raises(ValueError, match="must have a token of 16 to 4096") as error:
        read_token(str(file))
    assert not token or token not in str(error.value).replace("token", "")


def test_a_variable_that_is_not_a_token_is_refused(monkeypatch):
    monkeypatch.setenv(VARIABLE, "short")
    with pytest.raises(ValueError, match=VARIABLE):
        read_token(None)


def test_a_missing_file_is_an_error(tmp_path, capsys):
    missing = str(tmp_path / "none")
    assert main(["serve", "aq/Mastermind-v0", "--token-file", missing]) == 1
    assert "No such file" in capsys.readouterr().err
