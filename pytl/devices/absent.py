"""A stand-in for dpnp while numba_dpex is imported where dpnp is not installed.

numba-dpex registers dpnp's functions and its class of arrays with its compiler, and so imports dpnp, which brings MKL
and half of the size of the SYCL stack. Kernels call none of these functions. A name of the stand-in is an object of its
own, which a registry can hold and nobody can call; outside of numba-dpex's modules the stand-in is not to be seen.
"""

from __future__ import annotations

import contextlib
import importlib.util
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

NAME = "dpnp"
REMEDY = "python3 install.py dpnp, or pip install 'pytl[dpnp]'"


class ndarray:
    """The type of dpnp's arrays, of which there are none."""


class _Function:
    """A name of dpnp's, for tables."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise ImportError(f"{NAME}.{self.__name__}: {NAME} is not installed; {REMEDY} installs it", name=NAME)


class _Module(ModuleType):
    """Its names come into being when they are asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        function = _Function(name)
        setattr(self, name, function)
        return function


def is_installed() -> bool:
    """Whether there is a dpnp, loaded or not."""
    return NAME in sys.modules or importlib.util.find_spec(NAME) is not None


@contextlib.contextmanager
def placeholder_installed() -> Iterator[None]:
    """A block in which `import dpnp` gives the stand-in, if there is no dpnp."""
    if is_installed():
        yield
        return
    package, arrays = _Module(NAME), ModuleType(f"{NAME}.dpnp_array")  # the latter for numba-dpex's own run time
    package.ndarray = arrays.dpnp_array = ndarray  # type: ignore[attr-defined]
    modules = {module.__name__: module for module in (package, arrays)}
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name in modules:
            del sys.modules[name]
