"""What tells Python values apart: their types and contents, never how they print.

A kernel is traced for the values of its constexpr parameters and of the names that it uses. Whether a launch finds the
same values again is asked by the keys of this module.
"""

from __future__ import annotations

import copyreg
import enum
import sys
from collections.abc import Callable, Hashable, Iterator
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

_PACKAGE = __package__.partition(".")[0]

_IMMUTABLE: tuple[type, ...] = (
    *(type(None), type(Ellipsis), type(NotImplemented), bool, int, float, complex, str, bytes),
    *(type, ModuleType, CodeType),
)


class Incomparable(Exception):
    """The value, or a part of it, has neither a visible content nor an equality. The argument names its type."""


class Same:
    """The key of an object that equals itself alone. It keeps the object, so that no other takes its address."""

    __slots__ = ("item",)

    def __init__(self, item: Any) -> None:
        self.item = item

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.item is self.item

    def __hash__(self) -> int:
        return hash((Same, id(self.item)))


class Equal:
    """The key of an object by the equality that its class defines."""

    __slots__ = ("item",)

    def __init__(self, item: Any) -> None:
        self.item = item

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Equal) or type(other.item) is not type(self.item):
            return False
        try:
            return bool(other.item == self.item)
        except Exception:  # an equality of the user's that fails tells nothing
            return False

    def __hash__(self) -> int:
        return hash((Equal, type(self.item)))


def is_immutable(value: Any) -> bool:
    """Whether the same object has the same content for ever."""
    kind = type(value)
    if kind is tuple:
        return all(map(is_immutable, value))
    return kind in _IMMUTABLE or isinstance(value, (type, ModuleType)) or _is_ours(kind)


def content_key(value: Any) -> Hashable:
    """A key that is equal for values of one type with equal contents.

    Numbers differ by type and by bits, so that 1, 1.0 and True are three values, and so are 0.0 and -0.0. Arrays differ
    by type, shape and bytes; tuples, lists, sets, dictionaries and functions by what they consist of. An object of
    another class differs by what it is pickled as, which for classes in Python is their attributes; where it has no
    such content, by the equality of its class. Modules, classes and functions of C are themselves.

    Raises `Incomparable` for a value that has neither, such as a generator or an open file.

    >>> content_key((1, [2.0])) == content_key((1, [2.0]))
    True
    >>> content_key(0.0) == content_key(-0.0)
    False
    """
    return _Keys().of(value)


class _Keys:
    """The keys of a value and of its parts; a part that contains itself is told by its depth."""

    def __init__(self) -> None:
        self._open: dict[int, int] = {}

    def of(self, value: Any) -> Hashable:
        kind = type(value)
        content = _KEYS.get(kind)
        if content is not None:
            return kind, content(value)
        if isinstance(value, (type, ModuleType, enum.Enum)):
            return Same(value)
        if id(value) in self._open:
            return kind, "itself", self._open[id(value)]
        self._open[id(value)] = len(self._open)
        try:
            return self._of_parts(kind, value)
        except RecursionError:
            raise Incomparable(kind.__name__) from None
        finally:
            del self._open[id(value)]

    def _of_parts(self, kind: type, value: Any) -> Hashable:
        if kind in (tuple, list):
            return kind, *map(self.of, value)
        if kind is dict:
            return kind, *((self.of(name), self.of(entry)) for name, entry in value.items())
        if kind in (set, frozenset):
            return kind, frozenset(map(self.of, value))
        if kind is FunctionType:
            return self._of_function(value)
        if kind is MethodType:
            return kind, self.of(value.__func__), self.of(value.__self__)
        if kind is BuiltinFunctionType:
            owner = value.__self__
            is_free = owner is None or isinstance(owner, ModuleType)
            return Same(value) if is_free else (kind, value.__name__, self.of(owner))
        if kind is CellType:
            return kind, *(self.of(entry) for entry in _entry(value))
        array = self._of_array(kind, value)
        return array if array is not None else self._of_object(kind, value)

    def _of_function(self, function: FunctionType) -> Hashable:
        cells = map(self.of, function.__closure__ or ())
        named = function.__kwdefaults__, function.__dict__
        return (FunctionType, function.__code__, Same(function.__globals__), self.of(function.__defaults__)) + (
            *map(self.of, named),
            *cells,
        )

    def _of_array(self, kind: type, value: Any) -> Hashable | None:
        """The key of an array or scalar of NumPy's; None of anything else."""
        numpy = sys.modules.get("numpy")
        if numpy is None or not isinstance(value, (numpy.ndarray, numpy.generic)):
            return None
        if value.dtype.hasobject:
            content: Hashable = self.of(value.tolist())
        else:
            content = value.tobytes()
        return kind, value.dtype, value.shape, content, self.of(getattr(value, "__dict__", None))

    def _of_object(self, kind: type, value: Any) -> Hashable:
        if _is_ours(kind):
            return Same(value) if kind.__hash__ is object.__hash__ else Equal(value)
        try:
            return kind, *self._content(kind, value)
        except Incomparable:
            if not _defines_equality(kind):
                raise
        return Equal(value)

    def _content(self, kind: type, value: Any) -> Iterator[Hashable]:
        """What an object is pickled as; of a class in Python all attributes, whatever its pickles leave out."""
        is_plain = kind.__reduce_ex__ is object.__reduce_ex__ and kind.__reduce__ is object.__reduce__
        if kind is object:
            yield Same(value)  # a mark, such as the default that stands for nothing
            return
        try:
            registered = copyreg.dispatch_table.get(kind)
            reduced: Any = value.__reduce_ex__(2) if registered is None else registered(value)
        except Exception:
            raise Incomparable(kind.__name__) from None
        if isinstance(reduced, str):  # the name of a global
            yield Same(value)
            return
        make, arguments, state, entries, items = (*reduced, None, None, None)[:5]
        yield self.of(arguments if is_plain else (make, arguments))
        yield self.of(_attributes(value) if is_plain else state)
        yield self.of(list(entries or ()))
        yield self.of(list(items or ()))


def _is_ours(kind: type) -> bool:
    """Whether a class is pytl's own: types, functions of kernels, kernels, which nothing changes."""
    return kind.__module__.partition(".")[0] == _PACKAGE


def _entry(cell: CellType) -> tuple[Any, ...]:
    try:
        return (cell.cell_contents,)
    except ValueError:  # the enclosing function has not assigned the name yet
        return ()


def _attributes(value: Any) -> dict[str, Any]:
    """The attributes of an object of a class in Python, those in slots included."""
    attributes = dict(getattr(value, "__dict__", {}))
    for kind in type(value).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name.startswith("__") and not name.endswith("__"):
                name = f"_{kind.__name__.lstrip('_')}{name}"
            if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                attributes[name] = getattr(value, name)
    return attributes


def _defines_equality(kind: type) -> bool:
    """Whether objects of a class are compared by content, and keep it: what can't be hashed may change."""
    return kind.__eq__ is not object.__eq__ and kind.__hash__ is not None


_KEYS: dict[type, Callable[[Any], Hashable]] = {
    **dict.fromkeys((type(None), type(Ellipsis), type(NotImplemented)), lambda value: None),
    **dict.fromkeys((bool, int, str, bytes, CodeType), lambda value: value),
    float: float.hex,  # tells zeros by their signs, and finds a NaN again
    complex: lambda value: (value.real.hex(), value.imag.hex()),
    range: lambda value: (value.start, value.stop, value.step),
    bytearray: bytes,
}
"""The contents of values that have no parts."""
