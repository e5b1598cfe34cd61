"""Objects of a kernel's source while it is traced, beside IR values and plain Python constants."""

from __future__ import annotations

import numbers
from typing import Any

from ...ir.types import GroupType, MemrefType, UnknownType
from ...ir.values import Value
from ...process.records import dataclass

Number = bool | int | float | complex


@dataclass(frozen=True)
class Transposed:
    """`A.T`: a transposed matrix, as an operand of a BLAS call."""

    matrix: Value


@dataclass(frozen=True)
class Element:
    """`A[i, j]` as a place to write to."""

    tensor: Value
    indices: tuple[Value, ...]


@dataclass(frozen=True, eq=False)
class Choice:
    """`1.0 if c else 0.0`: one of two literals, whose type is not known yet."""

    condition: Value
    then: Literal
    otherwise: Literal

    @property
    def numbers(self) -> tuple[Number, ...]:
        """All literals that this may be."""
        return tuple(
            number
            for item in (self.then, self.otherwise)
            for number in (item.numbers if isinstance(item, Choice) else (item,))
        )


Literal = Number | Choice


class Described:
    """An object of the front end, such as a function that the kernel defines, with the words that messages use."""

    @property
    def description(self) -> str:
        raise NotImplementedError


class _Absent:
    """The type of `ABSENT`."""


ABSENT = _Absent()
"""What a name is bound to that is read only where it has another value by then: any value of its type will do."""


@dataclass(frozen=True)
class Shape:
    """`A.shape`. Its entries are read one by one, so that no unused size is computed."""

    tensor: Value

    @property
    def extents(self) -> tuple[Any, ...]:
        type_ = self.tensor.type
        assert isinstance(type_, (MemrefType, GroupType))
        return type_.shape if isinstance(type_, MemrefType) else (type_.count,)


@dataclass(frozen=True)
class NamedSize:
    """A named size, `n` of `Memref[f32, "n"]`: that of a mode of some parameter, known at launch."""

    name: str
    tensor: Value
    mode: int | None
    """None for the number of memrefs of a group."""


def is_collection(item: Any) -> bool:
    """Whether something is a tuple, list, dictionary or set, whose length is known even where its items are not."""
    return isinstance(item, (tuple, list, dict, set, frozenset))


_COLLECTIONS: Any = (tuple, list, dict, slice, type({}.values()), type({}.items()))
"""Python's collections whose entries may be values of a kernel; keys and the items of sets are Python constants."""


def _entries(item: Any) -> Any:
    if isinstance(item, dict):
        return item.values()
    return (item.start, item.stop, item.step) if isinstance(item, slice) else item


def is_unknown(item: Any) -> bool:
    """Whether something is, or contains, the value of an expression that failed."""
    if isinstance(item, Value):  # as most
        return isinstance(item.type, UnknownType)
    if isinstance(item, _COLLECTIONS):
        return any(is_unknown(entry) for entry in _entries(item))
    return isinstance(item, Transposed) and is_unknown(item.matrix)


def is_python(item: Any) -> bool:
    """Whether something is a plain Python object, known while the kernel is traced."""
    if isinstance(item, _COLLECTIONS):
        return all(is_python(entry) for entry in _entries(item))
    return not isinstance(item, (Value, Transposed, Element, Choice, Shape, NamedSize))


def is_number(item: Any) -> bool:
    return isinstance(item, (bool, int, float, complex))


def is_literal(item: Any) -> bool:
    """Whether something is a number that takes its type from its use."""
    return is_number(item) or isinstance(item, Choice)


def plain_number(item: Any) -> Any:
    """A Python constant as one of Python's own numbers, where it is one of NumPy's or of an enumeration."""
    if isinstance(item, (Value, bool, str)) or type(item) in (int, float, complex):
        return item
    if isinstance(item, numbers.Integral):
        return int(item)
    if isinstance(item, numbers.Real):
        return float(item)
    if isinstance(item, numbers.Complex):
        return complex(item)
    return item


def show_number(number: Number) -> str:
    """A number as a kernel writes it: Python writes -1j, which is an expression, as (-0-1j)."""
    if isinstance(number, complex) and number.real == 0.0:
        return f"{number.imag:.17g}j"
    return str(number)


def describe(item: Any) -> str:
    """A description of something, for a message."""
    if isinstance(item, Value):
        return str(item.type)
    if isinstance(item, Transposed):
        return f"the transpose of {item.matrix.type}"
    if isinstance(item, NamedSize):
        return f"the size {item.name}"
    if isinstance(item, Shape):
        return f"the shape of {item.tensor.type}"
    if isinstance(item, Choice):
        return f"the literal {' or '.join(map(show_number, item.numbers))}"
    if type(item) is tuple:
        return "a tuple" if item else "an empty tuple"
    if isinstance(item, Described):
        return item.description
    if item is None:
        return "None"
    if item is ABSENT:
        return "nothing"
    if isinstance(item, bool) or is_number(item):
        return f"the Python {type(item).__name__} {show_number(item)}"
    if isinstance(item, str):
        return f"the Python string {item!r}"
    if isinstance(item, type):
        return f"the type {item.__name__}"
    return f"a Python {type(item).__name__}"


def advice_on_array(item: Any, name: str = "…") -> str | None:
    """What to write instead of an array of the host that a kernel finds under a name; None for anything else."""
    shape, dtype = getattr(item, "shape", None), getattr(item, "dtype", None)
    if not is_python(item) or not isinstance(shape, tuple) or dtype is None or not shape:
        return None
    element = ELEMENTS.get(str(dtype), "f32")
    return f"pass it as a parameter of the kernel, {name}: Memref[{', '.join([element, *map(str, shape)])}]"


ELEMENTS = {
    **{f"int{bits}": f"i{bits}" for bits in (8, 16, 32, 64)},
    **{f"float{bits}": f"f{bits}" for bits in (16, 32, 64)},
    "bfloat16": "bf16",
    "complex64": "c32",
    "complex128": "c64",
}
"""The names of element types by those of NumPy."""
