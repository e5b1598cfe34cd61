"""How kernels travel: as their text, or by name where their text is not known yet.

A kernel is its text, so that is what pickle writes: it says all there is to launch, wherever the kernel was defined
(a script, a notebook, a function) and whatever the receiving process has imported. A kernel with open constexpr
parameters has no text before it is given their values; such a kernel travels by name, as Python's functions do.
"""

from __future__ import annotations

import importlib
import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from operator import attrgetter
from typing import Any, NoReturn
from weakref import WeakValueDictionary

from ..diagnostics import Location, PytlError, Rule
from ..ir.text import parse
from ..process import forks

BY_NAME = Rule(
    "PYTL-2042",
    "a kernel whose constexpr parameters have no values yet is pickled by the name that it has in its module",
    "Kernels",
    explanation="The process that reads it imports the module. Any other kernel is pickled as its text.",
)
MAX_KERNELS = 256
"""Kernels out of pickles that are kept: what was compiled for one serves the next that comes as the same text."""

_lock = forks.lock()
_Key = tuple[str, str, tuple[Any, ...], Hashable]
_known: WeakValueDictionary[_Key, Any] = WeakValueDictionary()
_latest: OrderedDict[_Key, Any] = OrderedDict()


def reduced(kernel: Any, location: Location | None) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """The pickled form of a `pytl.Kernel`; `location` is the user's line that pickles it."""
    missing = [parameter.name for parameter in kernel.call_signature.open]
    if missing:
        return by_name, (type(kernel), *_named(kernel, missing, location))
    text, defined, sizes = str(kernel), kernel.function.location, tuple(kernel.call_signature.sizes)
    origin = f"{kernel.name} of {defined.source.name}:{defined.line}" if defined is not None else kernel.name
    python = kernel.call_signature.python_of_arrays
    with _lock:
        _known[(text, origin, sizes, python)] = kernel
    return by_text, (type(kernel), text, origin, sizes, python)


def by_text(
    make: Callable[..., Any], text: str, origin: str, sizes: tuple[Any, ...] = (), python: Hashable = None
) -> Any:
    """The kernel with this text: the same object each time, and in the process that pickled it, that kernel.

    `sizes` is where sizes have names that launches check, and `python` says how arguments are passed and what their
    defaults are; the text does not.
    """
    key = (text, origin, sizes, python)
    with _lock:
        known = _known.get(key)
    if known is not None and str(known) == text:
        return known
    # there is none, or the names of its body are bound to other values since
    kernel = make(module=parse(text, f"<{origin}>"), symbols=sizes, python_signature=python)
    with _lock:
        if _known.get(key) is known:
            _known[key] = _latest[key] = kernel
            if len(_latest) > MAX_KERNELS:
                _latest.popitem(last=False)
        return _known.get(key, kernel)


def by_name(kind: Any, module: str, name: str, missing: list[str], values: Mapping[str, Any]) -> Any:
    """The kernel of this name in a module, with values for some of its constexpr parameters."""
    try:
        kernel = attrgetter(name)(importlib.import_module(module))
    except (ImportError, AttributeError) as problem:
        _refuse(f"{module}.{name} is not to be found where it is read: {problem}", name, missing, None)
    if not isinstance(kernel, kind):
        _refuse(f"{module}.{name} is not a kernel where it is unpickled", name, missing, None)
    return kernel.specialize(**values) if values else kernel


def _named(kernel: Any, missing: list[str], location: Location | None) -> tuple[Any, ...]:
    module, name = kernel.__module__, kernel.__qualname__
    try:
        bound_object = attrgetter(name)(sys.modules[module])
    except (KeyError, AttributeError):  # defined in a function, or its name was given to something else
        bound_object = None
    if (
        not isinstance(bound_object, type(kernel))
        or getattr(bound_object, "__wrapped__", None) is not kernel.__wrapped__
    ):
        _refuse(f"{kernel.name} is not what {module} has under the name {name}", kernel.name, missing, location)
    if module == "__main__" and not hasattr(sys.modules[module], "__file__"):
        _refuse(
            f"{kernel.name} is defined interactively, where no other process finds it", kernel.name, missing, location
        )
    values = {name: value for name, value in kernel.constexprs.items() if name not in bound_object.constexprs}
    return module, name, missing, values


def _refuse(message: str, name: str, missing: list[str], location: Location | None) -> NoReturn:
    values = ", ".join(f"{parameter}=…" for parameter in missing)
    raise PytlError.single(
        BY_NAME, message, location, f"pickle {name}.specialize({values}), which is pickled as its text"
    )
