"""The list of packages, and where they are built; everything else is in setup.cfg.

``packages = find:`` would find aq_gym.wrappers through the symlink in a checkout and
not at all in a source distribution, which has no symlink: its wheel would silently
lack the wrappers. The build folder is a temporary one, so that ``pip install .`` leaves
none in a checkout, whose files could be of an earlier version.
"""

from tempfile import TemporaryDirectory

from setuptools import find_packages, setup

with TemporaryDirectory() as build_base:
    setup(
        packages=[
            *find_packages(
                include=["aq_gym", "aq_gym.*"], exclude=["aq_gym.wrappers*"]
            ),
            "aq_gym.wrappers",
        ],
        options={"build": {"build_base": build_base}},
    )
