"""Lets a program that has imported pytl import dpctl, dpnp and numba_dpex as they are.

The pinned wheels do not load by themselves (see bootstrap.py), and `import pytl` is not to load them either. So pytl
listens for their first import, and loads the run time before it goes on.
"""

from __future__ import annotations

import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_NAMES = frozenset({"dpctl", "dpnp", "numba_dpex"})


class _Imported(Loader):
    """Hands out a module that is imported already."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self.spec = module.__spec__

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self.module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.spec


class _Listener(MetaPathFinder):
    """Comes before the finders that look for files, and finds what loading the run time has imported."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if name not in _NAMES:
            return None
        remove()
        from .bootstrap import SyclUnavailable, load_sycl

        try:
            load_sycl()
        except SyclUnavailable as problem:
            raise ImportError(f"{problem.reason} {problem.remedy}", name=name) from None
        # loading imports dpctl: to import it a second time would make another module of it
        module = sys.modules.get(name)
        if module is None:
            return None
        spec = ModuleSpec(name, _Imported(module), is_package=True)
        module.__spec__ = spec  # the import machinery goes by this one where a module has appeared meanwhile
        return spec


_listener = _Listener()


def install() -> None:
    """Listen, unless one of the libraries has been imported already: then it has loaded."""
    if _listener not in sys.meta_path and not _NAMES & set(sys.modules):
        sys.meta_path.insert(0, _listener)


def remove() -> None:
    """Stop listening."""
    if _listener in sys.meta_path:
        sys.meta_path.remove(_listener)
