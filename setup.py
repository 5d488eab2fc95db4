"""The list of packages, and where they are built, which setup.cfg cannot say.

Without a temporary build folder, ``pip install .`` leaves one in a checkout, and the
next one also installs the modules in it that have been removed since then.
``packages = find:`` finds aq_gym.wrappers only through the symlink, and so not in a
source distribution or where Git makes no links: the wheel would silently lack it.
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
