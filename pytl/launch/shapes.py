"""The shape of a call: what of its arguments must be alike for a launch to go by the plan of an earlier one.

Of an array it is the data type, shape, strides, queue, and whether it is writable; of a number, its type. What may
differ are addresses and numbers. A function that reads both is generated for the types of a call's arguments: a loop
that asks for each how it is read takes more than twice as long. Lists of arrays and unknown kinds of arrays have no
shape.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any

from ..process.records import dataclass
from .arrays.groups import ArrayGroup, numpy_address, place_of_address, words_of_memory
from .arrays.scalars import PLAIN, python_number

Read = tuple[Hashable, list[Any]]
"""The shape of a call, equal for calls with the same plan, and the address or number of each argument."""
Reader = Callable[[Sequence[Any]], Read | None]
"""Reads the arguments of a call; None where they are not of the types that it was generated for."""
MAX_READERS = 1024
"""Combinations of types whose readers are kept."""


@dataclass(frozen=True)
class Kind:
    """How an argument of a type is read: expressions, in which {} is the argument."""

    value: str = "{}"
    """Its address or number."""
    shape: str = ""
    """What belongs to the shape, separated by commas."""
    instead: str = "{}"
    """What is read in its place."""
    is_number: bool = False
    library: str = ""
    """What tells the shape from others, in place of the type."""


_NUMBER = Kind(is_number=True)
_NUMPY_NUMBER = Kind(shape="type({})", instead="python_number({})", is_number=True)
_USM = Kind("{}._pointer", "{0}.dtype, {0}.shape, {0}.strides, {0}.flags.writable, {0}.sycl_queue", library="SYCL")
_DPNP = replace(_USM, instead="{}.get_array()")
_kinds: dict[type, Kind] = {
    **dict.fromkeys(PLAIN, _NUMBER),
    type(None): Kind(),
    ArrayGroup: Kind("{}.address", "{}.key"),
}
_readers: dict[tuple[type, ...], Reader] = {}
_read_as: dict[tuple[Any, ...], tuple[Any, ...]] = {}
"""One tuple for all that are equal: the same object is compared at once."""


def _numpy_kind() -> Kind:
    address = "numpy_address({})" if words_of_memory() is None else f"words[{place_of_address('{}')}]"
    return Kind(address, "{0}.dtype, {0}.shape, {0}.strides, {0}.flags.writeable")


def _kind_of(type_: type) -> Kind | None:
    """How arguments of a type are read, None where launches are checked in full."""
    kind = _kinds.get(type_)
    if kind is not None:
        return kind
    # another thread may be in the middle of importing them
    for module, name, make in (
        ("numpy", "ndarray", _numpy_kind),
        ("dpctl.tensor", "usm_ndarray", lambda: _USM),
        ("dpnp.tensor", "usm_ndarray", lambda: _USM),
        ("dpnp", "ndarray", lambda: _DPNP),
    ):
        if type_ is getattr(sys.modules.get(module), name, None):
            return _kinds.setdefault(type_, make())
    if issubclass(type_, getattr(sys.modules.get("numpy"), "generic", ())):
        return _kinds.setdefault(type_, _NUMPY_NUMBER)
    return None


def reader_of(arguments: Sequence[Any]) -> Reader | None:
    """What reads arguments of these types; None where one of them has no shape."""
    types = tuple(map(type, arguments))
    if types not in _readers:
        kinds = [kind for kind in map(_kind_of, types) if kind is not None]
        if len(kinds) < len(types):
            return None
        if len(_readers) >= MAX_READERS:
            _readers.clear()
            _read_as.clear()
        _readers.setdefault(types, _generated(types, kinds))
    return _readers.get(types)


def _generated(types: Sequence[type], kinds: Sequence[Kind]) -> Reader:
    names = [f"a{number}" for number in range(len(types))]
    lines = [f"if len(arguments) != {len(names)}: return None"]
    if names:
        wrong = " or ".join(f"type({name}) is not t{name}" for name in names)
        lines += [f"{', '.join(names)}, = arguments", f"if {wrong}: return None"]
    lines += [f"{name} = {kind.instead.format(name)}" for name, kind in zip(names, kinds) if kind.instead != "{}"]
    shape = ", ".join(["read_as", *(kind.shape.format(name) for name, kind in zip(names, kinds) if kind.shape)])
    values = ", ".join(kind.value.format(name) for name, kind in zip(names, kinds))
    lines.append(f"return ({shape},), [{values}]")
    read_as = tuple(kind.library or type_ for kind, type_ in zip(kinds, types))
    scope: dict[str, Any] = {f"t{name}": type_ for name, type_ in zip(names, types)}
    scope["read_as"] = _read_as.setdefault(read_as, read_as)
    scope.update(words=words_of_memory(), numpy_address=numpy_address, python_number=python_number)
    exec("def read(arguments):\n " + "\n ".join(lines), scope)
    made: Reader = scope["read"]
    return made


def reads_nothing(arguments: Sequence[Any]) -> None:
    """The reader before the first launch."""


def is_number(argument: Any) -> bool:
    """Whether what is read of an argument is a number of Python's."""
    kind = _kind_of(type(argument))
    return kind is not None and kind.is_number and type(python_number(argument)) in PLAIN
