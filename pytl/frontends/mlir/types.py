"""MLIR's types as the language's, and how the memory of an argument lies."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ...ir.types import DYNAMIC, SCALAR_TYPES, Extent, MemrefType, ScalarType, Type, bool_, c32, c64, i8
from ...mlir.affine import AffineMap
from ...mlir.affine.expressions import Binary, Constant, Dimension, Expression
from ...mlir.text import Block, Complex, Function, Memref, Opaque, Scalar, Tensor, Vector, read_type
from ...mlir.text import Type as MlirType
from ...mlir.text.types import contiguous
from ...process.records import dataclass

COMPLEX = {"f32": c32, "f64": c64}


def element_type(type_: MlirType) -> ScalarType | None:
    """The type of elements of memory, None for those that the language has not."""
    if type_ == Scalar("i1"):
        return i8  # 0 or 1
    if isinstance(type_, Complex):
        return COMPLEX.get(type_.part.name)
    return SCALAR_TYPES.get(type_.name) if isinstance(type_, Scalar) else None


def number_type(type_: MlirType) -> Type | None:
    """The type of a number or truth value, None for others."""
    if type_ == Scalar("i1"):
        return bool_
    return element_type(type_) if isinstance(type_, (Scalar, Complex)) else None


@dataclass(frozen=True)
class Placement:
    """How a memref lies in memory of the language.

    `type` is the language's type, whose mode `modes[d]` is the dimension d. A `map` gives indices of that memory, in
    the order of its dimensions, for those of the memref.
    """

    type: MemrefType
    modes: tuple[int, ...]
    map: AffineMap | None = None


def placement_of(type_: Memref, element: ScalarType) -> Placement | None:
    """The placement of a memref type; None where its layout has symbols, or no bounds."""
    shape, strides = type_.shape, type_.strides
    if type_.layout is None:
        return _strided(shape, strides, element) or _flat(shape, strides, element)
    map_ = type_.layout.simplified()
    if map_.symbols or len(map_.dimensions) != len(shape):
        return None
    sizes = [_upper_bound(result, shape) for result in map_.results]
    offset_and_strides = (
        map_.strides([size if size is not None else 1 for size in sizes]) if None not in sizes[1:] else None
    )
    if offset_and_strides is not None:
        steps = [each.value if isinstance(each, Constant) else None for each in offset_and_strides[1]]
        strided = _strided(shape, tuple(steps), element) if None not in steps else None
        if strided is not None:
            return strided
    if None in sizes:
        return None
    physical = tuple(size for size in sizes if size is not None)
    return Placement(MemrefType(element, tuple(reversed(physical))), _turned(len(physical)), map_)


def row_major(shape: tuple[int | None, ...], element: ScalarType) -> Placement:
    """Memory whose last dimension is contiguous."""
    placement = _strided(shape, contiguous(shape), element)
    assert placement is not None
    return placement


def _turned(rank: int) -> tuple[int, ...]:
    return tuple(reversed(range(rank)))


def _strided(shape: tuple[int | None, ...], strides: tuple[int | None, ...], element: ScalarType) -> Placement | None:
    """Dimensions in the order of their strides; None where elements would share memory."""
    order = list(range(len(shape)))
    if None not in strides:
        # dimensions of one element lie anywhere
        wide = [d for d in order if shape[d] != 1]
        order = sorted(wide, key=lambda d: (-(strides[d] or 0), d))
        for d in (d for d in range(len(shape)) if shape[d] == 1):
            order.insert(next((at for at, other in enumerate(order) if other > d), len(order)), d)
    sizes = [_extent(shape[d]) for d in reversed(order)]
    steps = _steps(sizes, [_extent(strides[d]) for d in reversed(order)])
    if steps is None:
        return None
    modes = tuple(len(order) - 1 - order.index(d) for d in range(len(order)))
    return Placement(MemrefType(element, tuple(sizes), tuple(steps)), modes)


def _steps(sizes: list[Extent], strides: list[Extent]) -> list[Extent] | None:
    """The strides of modes from the first on, with those of one element made to fit."""
    least, steps = 1, list[Extent]()
    for size, stride in zip(sizes, strides):
        if not isinstance(stride, int):
            steps.append(DYNAMIC)
            least = 1
            continue
        if size == 1:
            stride = max(stride, least)
        if stride < least:
            return None
        steps.append(stride)
        least = stride * max(size if isinstance(size, int) else 1, 1)
    return steps


def _flat(shape: tuple[int | None, ...], strides: tuple[int | None, ...], element: ScalarType) -> Placement | None:
    """Elements that share memory: a line of it, and where each element is."""
    if None in strides or any(step < 0 for step in strides if step is not None) or None in shape:
        return None
    total: Expression = Constant(0)
    last = 0
    for d, (size, step) in enumerate(zip(shape, strides)):
        assert size is not None and step is not None
        total = Binary("+", total, Binary("*", Constant(step), Dimension(d)))
        last += max(size - 1, 0) * step
    names = tuple(f"d{d}" for d in range(len(shape)))
    return Placement(MemrefType(element, (last + 1,)), (0,), AffineMap(names, (), (total,)).simplified())


def _extent(size: int | None) -> Extent:
    return DYNAMIC if size is None else size


def _upper_bound(expression: Expression, shape: tuple[int | None, ...]) -> int | None:
    """One more than the largest value over indices of a shape; None where it is unknown."""
    bounds = _bounds(expression, shape)
    return None if bounds is None or bounds[0] < 0 else bounds[1] + 1


def _bounds(e: Expression, shape: tuple[int | None, ...]) -> tuple[int, int] | None:
    if isinstance(e, Constant):
        return e.value, e.value
    if isinstance(e, Dimension):
        size = shape[e.position]
        return None if size is None else (0, max(size - 1, 0))
    if not isinstance(e, Binary):
        return None
    a, b = _bounds(e.left, shape), _bounds(e.right, shape)
    if e.operator == "mod" and b is not None and b[0] == b[1] > 0:
        return a if a is not None and a[0] >= 0 and a[1] < b[0] else (0, b[0] - 1)
    if a is None or b is None:
        return None
    if e.operator == "+":
        return a[0] + b[0], a[1] + b[1]
    if e.operator == "*":
        products = [x * y for x in a for y in b]
        return min(products), max(products)
    if b[0] != b[1] or b[0] <= 0:
        return None
    if e.operator == "floordiv":
        return a[0] // b[0], a[1] // b[0]
    return (-(-a[0] // b[0]), -(-a[1] // b[0])) if e.operator == "ceildiv" else None


SMALL = ("i2", "i4", "f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E4M3", "f8E4M3B11FNUZ", "f8E4M3FN",
         "f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU")  # fmt: skip
"""Numbers of few bits."""


def dtype_name(type_: MlirType) -> str:
    """NumPy's name of the elements of a type of few bits, which ml_dtypes has; "" for other types.

    >>> dtype_name(Scalar("f8E4M3FN")), dtype_name(Scalar("i4")), dtype_name(Scalar("i8"))
    ('float8_e4m3fn', 'int4', '')
    """
    name = type_.name if isinstance(type_, Scalar) else ""
    float_ = re.fullmatch(r"f([468])(E\w+)", name)
    return f"float{float_[1]}_{float_[2].lower()}" if float_ else {"i2": "int2", "i4": "int4"}.get(name, "")


def is_unranked(type_: object) -> bool:
    """Whether it is a memref or a tensor without a rank."""
    if isinstance(type_, Tensor):
        return type_.shape is None
    return isinstance(type_, Opaque) and type_.text.startswith("memref<*")


def line_of(type_: object) -> Memref | None:
    """What a kernel is passed for a memref without a rank: the elements in a line, from which exporters' kernels make
    views by offsets and strides. None for all other types."""
    if not is_unranked(type_) or isinstance(type_, Tensor):
        return None
    line = read_type(str(type_).replace("*", "?", 1))
    return line if isinstance(line, Memref) else None


def ranked_by_casts(block: Block, name: str) -> MlirType | None:
    """The type that an argument of a function without a rank is cast to; None where it is not, or something else is
    done with it: then it may have any rank."""
    users = [op for each in block.operations for op in each.walk() if name in op.operands]
    casts = [op for op in users if op.name in ("tensor.cast", "memref.cast") and not is_unranked(op.result_types[0])]
    types = {op.result_types[0] for op in casts}
    # in a region, it may be cast for some ranks alone
    is_always = any(op is each for op in casts for each in block.operations)
    return types.pop() if is_always and len(types) == 1 and len(casts) == len(users) else None


def kept_dimensions(sizes: Sequence[object], shape: Sequence[int | None]) -> list[int] | None:
    """The dimensions of a part of memory that its type has, which may leave out some of size 1; None where it is none.

    >>> kept_dimensions((1, "%n", 1), (None, 1)), kept_dimensions((2, 3), (2,))
    ([1, 2], None)
    """
    dropped, kept, left = len(sizes) - len(shape), list[int](), list(shape)
    for d, size in enumerate(sizes):
        fits = bool(left) and (left[0] is None or not isinstance(size, int) or left[0] == size)
        if size == 1 and dropped > 0 and (not fits or (len(left) < len(sizes) - d and left[:1] != [1])):
            dropped -= 1
        elif not fits:
            return None
        else:
            kept.append(d)
            left.pop(0)
    return None if left else kept


def with_elements(type_: Any, of: Callable[[Any], Any]) -> Any:
    """A type with what a function gives for its elements; of a function, those of its inputs and results."""
    if isinstance(type_, (Memref, Vector, Tensor)) or (isinstance(type_, Opaque) and type_.element is not None):
        element = with_elements(type_.element, of)
        return type_ if element == type_.element else replace(type_, element=element)
    if isinstance(type_, Function):
        inputs, results = ([with_elements(each, of) for each in types] for types in (type_.inputs, type_.results))
        return Function(tuple(inputs), tuple(results))
    return of(type_)


def is_tensor(type_: MlirType) -> bool:
    return isinstance(type_, Tensor)
