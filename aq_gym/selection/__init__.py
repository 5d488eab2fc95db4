"""Parse environments with arguments, and modules, given as text."""

from aq_gym.selection.env_selection import (
    EnvSelection,
    check_id,
    key_value,
    with_modules,
)
from aq_gym.selection.modules import (
    find_in_current_folder,
    import_benchmarks,
    import_named,
)

__all__ = [
    "EnvSelection",
    "check_id",
    "find_in_current_folder",
    "import_benchmarks",
    "import_named",
    "key_value",
    "with_modules",
]
