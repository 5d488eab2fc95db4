"""The imports of this process, and of those that it starts."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType


def search_path() -> str:
    """Return the ``PYTHONPATH`` of a process that imports what this one can.

    The standard library comes first, so that no file beside a user's program hides one
    of its modules.
    """
    return os.pathsep.join([sysconfig.get_path("stdlib"), *filter(None, sys.path)])


def after_import(name: str, function: Callable[[], None]) -> None:
    """Call a function when a package is imported, immediately if it already is."""
    if name in sys.modules:
        function()
    else:
        sys.meta_path.insert(0, _Finder(name, function))


class _Finder(MetaPathFinder):
    """Finds one package, once, and delegates loading to its own loader."""

    def __init__(self, name: str, function: Callable[[], None]) -> None:
        self._name, self._function = name, function

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        if fullname != self._name:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self._function)
        return spec


class _Loader(Loader):
    """Loads a package with another loader, and calls a function afterwards."""

    def __init__(self, loader: Loader, function: Callable[[], None]) -> None:
        self._loader, self._function = loader, function

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None
        module.__spec__.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        self._function()
