"""First names, for problems of our own and for twins of published ones."""

from importlib.resources import files

_FILE = files("aq_gym.envs.gsm8k") / "data" / "names.txt"
FEMALE, MALE = (
    tuple(names.split()) for names in _FILE.read_text("ascii").split("\n\n")
)
