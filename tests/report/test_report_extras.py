"""Without what the extra installs, a command prints the line that installs it."""

import pytest
from report_runs import MASTERMIND, play

from aq_gym.cli import main


@pytest.mark.parametrize(
    ("command", "options", "module"),
    [
        ("watch", (), "jinja2"),
        ("report", (), "jinja2"),
        ("report", ("--figures", "figures"), "matplotlib"),
    ],
)
def test_the_extra_is_named(tmp_path, monkeypatch, capsys, command, options, module):
    run = play(tmp_path / "run", ids=(MASTERMIND,), episodes=1, max_steps=2)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("aq_gym.support.extras.find_spec", lambda name: None)
    assert main([command, str(run), *options]) == 1
    printed = capsys.readouterr().err
    assert f"needs {module}: pip install 'aq-gym[report]'" in printed
    assert "Traceback" not in printed
