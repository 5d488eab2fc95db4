"""Parts of trl_grpo.py: weights, missions, behaviour cloning, the learning curve."""

from importlib.util import find_spec

from aq_gym.support.extras import pip_command

for _name in ("torch", "trl", "gguf"):
    if find_spec(_name) is None:
        raise SystemExit(f"examples/trl_grpo.py needs {_name}: {pip_command('trl')}")
