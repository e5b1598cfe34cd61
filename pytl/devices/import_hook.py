"""Lets a program that has imported pytl import dpctl, dpnp and numba_dpex without further setup.

The pinned wheels do not load by themselves (see bootstrap.py), and `import pytl` is not to load them either. So pytl
listens for their first import, and makes them loadable just before it. Whether they are installed can be asked
(`importlib.util.find_spec`) without loading anything.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # `import pytl` imports this module, and does not take the time for `typing`
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

_NAMES = frozenset({"dpctl", "dpnp", "numba_dpex"})


class _Prepared:
    """The package's own loader, before which the libraries are loaded that the package needs.

    No `importlib.abc.Loader`, nor is the finder below a MetaPathFinder: to import these takes as long as `import pytl`.
    """

    def __init__(self, own: Any) -> None:
        self.own = own

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        from .bootstrap import prepare, prepare_dpnp

        if spec.name == "dpnp":
            prepare_dpnp()
        else:
            prepare()
        return self.own.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        from .bootstrap import initialize_devices

        # the module looks as if there were no hook
        module.__loader__ = self.own
        if module.__spec__ is not None:
            module.__spec__.loader = self.own
        if module.__name__ == "numba_dpex":
            from .absent import placeholder_installed

            with placeholder_installed():
                self.own.exec_module(module)
            return
        self.own.exec_module(module)
        if module.__name__ == "dpctl":
            initialize_devices(module)
        elif module.__name__ == "dpnp":  # which imports dpctl
            remove()


class _Listener:
    """Comes before the finders that look for files, and extends their results."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name not in _NAMES:
            return None
        others = [finder for finder in sys.meta_path if finder is not self]
        specs = (finder.find_spec(name, path, target) for finder in others if hasattr(finder, "find_spec"))
        spec = next((spec for spec in specs if spec is not None), None)
        if spec is not None and spec.loader is not None:
            spec.loader = _Prepared(spec.loader)  # type: ignore[assignment]
        return spec


_listener = _Listener()


def install() -> None:
    """Install the hook, unless what is listened for has been imported already."""
    if _listener not in sys.meta_path and not {"dpnp", "numba_dpex"} & set(sys.modules):
        sys.meta_path.insert(0, _listener)


def remove() -> None:
    """Stop listening."""
    if _listener in sys.meta_path:
        sys.meta_path.remove(_listener)
