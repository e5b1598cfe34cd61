"""Annotations of a kernel's parameters: `Memref[…]`, `Group[…]`, attributes, `constexpr`, and text."""

from __future__ import annotations

import copyreg
import operator
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeVar

from ...diagnostics import PytlError
from ...ir.types import DYNAMIC, SCALAR_TYPES, Extent, GroupType, MemrefType, ScalarType, Type, item_type
from ...process.records import dataclass
from .rules import TYPE_ARGUMENTS
from .scalars import KernelType, KernelValue
from .sizes import Size, Sizes

T = TypeVar("T")

_TEXT = re.compile(r"\s*(?:(?:memref|group|coopmatrix)\s*<|(?:i8|i16|i32|i64|index|bf16|f16|f32|f64|c32|c64|bool)\s*$)")


class _Constexpr:
    def __repr__(self) -> str:
        return "constexpr"

    def __reduce__(self) -> str:
        return "CONSTEXPR"  # it is recognised by identity


CONSTEXPR = _Constexpr()

constexpr = Annotated[T, CONSTEXPR]
"""A parameter that is a Python value, folded while tracing: `n: constexpr`, `n: constexpr[int]`."""


@dataclass(frozen=True)
class Strides:
    """The strides of a memref, in elements."""

    entries: tuple[Extent, ...]


@dataclass(frozen=True)
class Offset:
    """The offset in elements that is added to each pointer of a group."""

    entry: Extent


@dataclass(frozen=True)
class ParameterAttribute:
    """What `Annotated[Memref[…], …]` may say of a parameter."""

    name: str
    value: Any


def strides(*entries: Any) -> Strides:
    """The strides of a memref, one per mode, in elements; `...` for a stride that is known at run time only.

    >>> from pytl import Memref, f32, strides
    >>> str(Memref[f32, 16, 8, strides(1, 20)].ir_type)
    'memref<f32x16x8,strided<1,20>>'
    """
    return Strides(tuple(_extent(entry, "a stride") for entry in entries))


def offset(entry: Any) -> Offset:
    """The offset of a group, in elements; `...` where it is known at run time only."""
    return Offset(_extent(entry, "an offset", least=0))


def align(bytes: int) -> ParameterAttribute:
    """Asserts that the memory of a memref, or of each memref of a group, is aligned to this number of bytes."""
    return ParameterAttribute("alignment", bytes)


def shape_gcd(*divisors: int) -> ParameterAttribute:
    """Asserts that the sizes of the modes, the first one first, are multiples of these numbers."""
    return ParameterAttribute("shape_gcd", list(divisors))


def stride_gcd(*divisors: int) -> ParameterAttribute:
    """Asserts that the strides, the first one first, are multiples of these numbers."""
    return ParameterAttribute("stride_gcd", list(divisors))


def pattern(mask: Any) -> ParameterAttribute:
    """Asserts that entries of a memref are zero: those where the mask, an array of as many modes or fewer, is zero.

    The memory is that of a dense tensor. A kernel needs neither to read the entries outside of the pattern nor to
    multiply by them, and does not write to the parameter (PYTL-0111). Where such an entry is not zero, results may be
    those with it or with a zero; the reference backend refuses the launch (PYTL-2023). The modes of the mask are the
    leading ones of the memref, and have known sizes. The pattern of a group is that of each of its memrefs.

    >>> from pytl import Memref, f32, pattern
    >>> Memref[f32, 2, 3, ..., pattern([[1, 0, 0], [1, 1, 0]])].pattern.value
    ('xx', '.x', '..')
    """
    # few kernels have patterns
    import numpy as np

    from ...ir.patterns import NONZERO, PATTERN, ZERO

    try:
        entries = np.asarray(mask) != 0
        rows = entries.reshape(entries.shape[0], -1, order="F")
    except (TypeError, ValueError, IndexError):
        _refuse(f"{mask!r} is not the mask of a pattern", "write an array, which is not zero where an entry may not be")
    lines = tuple("".join(NONZERO if each else ZERO for each in line) for line in rows.T.tolist())
    return ParameterAttribute(PATTERN, lines)


def ir_type_of(annotation: Any) -> Type | None:
    """The type that an annotation stands for, None where it is not a type of the language.

    Raises `pytl.LanguageError` for a text that begins like a type, but is not a type.
    """
    if isinstance(annotation, KernelType):
        return annotation.ir_type
    if isinstance(annotation, str) and _TEXT.match(annotation):
        if annotation in SCALAR_TYPES:
            return SCALAR_TYPES[annotation]
        from ...ir.text import parse_type  # few kernels are annotated with other texts

        return parse_type(annotation)
    return annotation if isinstance(annotation, Type) else None


def _refuse(message: str, help: str | None = None) -> NoReturn:
    raise PytlError.single(TYPE_ARGUMENTS, message, help=help)


def _extent(entry: Any, what: str, least: int = 1) -> Extent:
    if entry is ...:
        return DYNAMIC
    if isinstance(entry, (str, Size)):
        _refuse(f"{what} is {entry!r}", "write an integer, or ...; sizes of modes and the number of memrefs have names")
    try:
        number = operator.index(entry)
    except TypeError:
        number = None
    if number is None or isinstance(entry, bool):
        _refuse(f"{entry!r} is not {what}", "write an integer, or ... for a number that is known at run time only")
    if number < least:
        _refuse(f"{what} is at least {least}, but {number} is given")
    return number


def _size_of(entry: Any) -> Size | None:
    """The size that an entry names, None where it is a number or `...`."""
    if isinstance(entry, Size):
        return entry
    return Size.read(entry) if isinstance(entry, str) else None


def _without_pattern(arguments: tuple[Any, ...]) -> tuple[tuple[Any, ...], Any]:
    """What stands in brackets before a pattern, and the pattern, if there is one."""
    last = arguments[-1] if arguments else None
    if not isinstance(last, ParameterAttribute):
        return arguments, None
    from ...ir.patterns import PATTERN

    if last.name != PATTERN:
        _refuse(f"{last.name} stands in brackets", "write Annotated[Memref[…], …] for it")
    return arguments[:-1], last


def _memref_type(arguments: tuple[Any, ...]) -> tuple[MemrefType, Sizes]:
    element, *sizes = arguments
    type_ = ir_type_of(element)
    if not isinstance(type_, ScalarType):
        _refuse(f"{element!r} is not an element type", "begin with one, as in Memref[f32, 16, 8]")
    layout: tuple[Extent, ...] = ()
    if sizes and isinstance(sizes[-1], Strides):
        layout = sizes.pop().entries
        if len(layout) != len(sizes):
            _refuse(f"{len(layout)} strides are given, but {len(sizes)} sizes")
    named = [_size_of(size) for size in sizes]
    extents = tuple(DYNAMIC if name else _extent(size, "a size") for size, name in zip(sizes, named))
    return MemrefType(type_, extents, layout), Sizes(tuple(named))


def _group_type(arguments: tuple[Any, ...]) -> tuple[GroupType, Sizes]:
    first, *rest = arguments
    shift = rest.pop().entry if rest and isinstance(rest[-1], Offset) else 0
    type_ = ir_type_of(first)
    if not isinstance(type_, MemrefType):
        type_, sizes = _memref_type((first, *rest))
        return GroupType(type_, DYNAMIC, shift), sizes
    if len(rest) > 1:
        _refuse(f"{rest[1]!r} follows the number of memrefs", "the form is Group[Memref[…], count, offset(…)]")
    modes = getattr(first, "sizes", None) or Sizes()
    count = _size_of(rest[0]) if rest else None
    extent = _extent(rest[0], "a count") if rest and count is None else DYNAMIC
    return GroupType(type_, extent, shift), Sizes(modes.modes, count)


_specialised: dict[tuple[type, Type, Sizes | None, Any], Any] = {}


def _specialise(base: type, type_: Type, sizes: Sizes | None = None, pattern: Any = None) -> Any:
    """The class for one type; the same each time, so that equal annotations are the same object."""
    sizes = sizes or None
    key = (base, type_, sizes, pattern)
    if key not in _specialised:
        parts: dict[str, Any] = {"ir_type": type_, "sizes": sizes, "pattern": pattern}
        _specialised[key] = KernelType(str(type_), (base,), {"__module__": base.__module__}, **parts)
    return _specialised[key]


def with_sizes(annotation: Any, values: Mapping[str, Any]) -> Any:
    """An annotation with numbers for the named sizes that these values give; the rest keeps its names."""
    sizes = getattr(annotation, "sizes", None)
    if not sizes:
        return annotation
    for name in dict.fromkeys(name for _, size in sizes for name in size.names if name in values):
        _extent(values[name], f"the size {name}", least=0)
    type_ = annotation.ir_type
    memref = item_type(type_)
    known = [size.value(values) if size else None for size in sizes.modes]
    shape = tuple(
        extent if size is None or value is None else _extent(value, f"the size {size}")
        for extent, size, value in zip(memref.shape, sizes.modes or (None,) * len(memref.shape), known)
    )
    # strides that follow from a size are those of the packed layout
    made: Type = MemrefType(memref.element, shape, () if memref.is_packed else memref.strides)
    count, name = None, sizes.count
    if isinstance(type_, GroupType):
        count = name.value(values) if name else None
        made = GroupType(made, type_.count if count is None else _extent(count, f"the count {name}"), type_.offset)  # type: ignore[arg-type]
    left = Sizes(tuple(s if v is None else None for s, v in zip(sizes.modes, known)), name if count is None else None)
    return _specialise(annotation.__mro__[1], made, left, annotation.pattern)


def _reduce_type(cls: KernelType) -> Any:
    """Pickle's recipe for a class: the class of a type with sizes has no name in a module."""
    base = cls.__mro__[1]
    key = (base, cls.ir_type, cls.sizes, cls.pattern)
    return (_specialise, key) if key in _specialised else cls.__qualname__


copyreg.pickle(KernelType, _reduce_type)


def _tuple(arguments: Any) -> tuple[Any, ...]:
    return arguments if isinstance(arguments, tuple) else (arguments,)


if TYPE_CHECKING:
    # Sizes are not types to a type checker; it reads `Memref[f32, 16, 8]` as f32 with metadata.
    from typing import Annotated as Group
    from typing import Annotated as Memref
else:

    class Memref(KernelValue):
        """A tensor in memory: `Memref[f32, 16, 8]`, with `...` for a size that is known at run time only.

        A named size, as in `Memref[f32, "n", "n + 1"]`, is known at launch. All sizes of one name in a kernel's
        parameters are equal (PYTL-2080). In the body, the name is the size. The name of a constexpr parameter is
        the parameter's value.
        `Memref[f32, 16, ..., strides(1, 20)]` gives the strides, in elements; without, the layout is packed and
        column-major. `pattern(mask)` at the end says which entries may be other than zero.
        `Memref[f32]` is a single number in memory; where a type checker reads the kernel, which
        wants a second entry, write `Memref[f32, strides()]`. Manual: Memref type.

        >>> from pytl import Memref, f32
        >>> str(Memref[f32, 16, ...].ir_type)
        'memref<f32x16x?>'
        """

        def __class_getitem__(cls, arguments: Any) -> Any:
            rest, pattern = _without_pattern(_tuple(arguments))
            return _specialise(Memref, *_memref_type(rest), pattern)

    class Group(KernelValue):
        """Pointers to memrefs anywhere in memory: `Group[f32, 16, 8]`, or `Group[Memref[f32, 16, 8], 12]`.

        The second form gives the number of memrefs (`...`, as in the first form: known at run time). `offset(n)`
        at the end adds n elements to each pointer. Manual: Group type.

        >>> from pytl import Group, Memref, f32, offset
        >>> str(Group[Memref[f32, 16, 8], 12, offset(...)].ir_type)
        'group<memref<f32x16x8>x12, offset: ?>'
        """

        def __class_getitem__(cls, arguments: Any) -> Any:
            rest, pattern = _without_pattern(_tuple(arguments))
            return _specialise(Group, *_group_type(rest), pattern or getattr(rest[0], "pattern", None))
