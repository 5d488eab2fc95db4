"""``python -m aq_gym`` is ``aq-gym``."""

import sys

from aq_gym.cli.main import entry

if not sys.flags.safe_path:
    # Python puts the current folder first in the path, where a file could replace a
    # package.
    del sys.path[0]
sys.exit(entry())
