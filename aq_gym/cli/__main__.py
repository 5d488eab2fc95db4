"""``python -m aq_gym.cli`` is ``aq-gym``."""

import sys

from aq_gym.cli.main import main

sys.exit(main())
