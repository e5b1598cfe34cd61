"""Views that split or join modes (manual: Expand, Fuse)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, TypeVar

from ..ir.constraints import INDEX, MEMREF
from ..ir.fields import Field, IntegerConstant, Operand, Result
from ..ir.operation import Operation, Problem, check
from ..ir.registry import instruction
from ..ir.types import DYNAMIC, Extent, MemrefType, Type, index
from ..ir.values import Value
from .constants import constant_bound
from .views import Bound, print_bound, view_element_check, view_shape_problems, view_stride_problems


def times(a: Extent, b: Extent) -> Extent:
    """The product of two sizes, unknown where one of them is."""
    return a * b if isinstance(a, int) and isinstance(b, int) else DYNAMIC


class ExpandShape(Field):
    """The sizes that a mode is expanded to: integers and values of index type, at least two."""

    constraint = INDEX

    @property
    def grammar(self) -> str:
        return "size x size x …"

    def values(self, stored: Any) -> Iterable[Value]:
        return tuple(bound for bound in stored if isinstance(bound, Value))

    def map(self, stored: Any, change: Callable[[Value], Value]) -> Any:
        return [change(bound) if isinstance(bound, Value) else bound for bound in stored]

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        def bound() -> Bound:
            return parser.value() if parser.at("%") else parser.integer_before_times()

        bounds = [bound()]
        while parser.accept_times():
            bounds.append(bound())
        if len(bounds) < 2:
            parser.fail("a mode is expanded to two modes or more, as in [0 -> 2 x 8]")
        return bounds

    def print(self, printer: Any, operation: Any) -> None:
        for position, bound in enumerate(operation.expand_shape):
            if position:
                printer.write(" x ")
            print_bound(printer, bound)


T = TypeVar("T")
Product = Callable[[Sequence[T]], T]
"""Of sizes and strides, as types, generated code, or an execution have them."""
Modes = tuple[tuple[T, ...], tuple[T, ...]]
"""The shape and the strides of a view."""


def expanded(shape: Sequence[T], strides: Sequence[T], mode: int, sizes: Sequence[T], product: Product[T]) -> Modes[T]:
    """A tensor's modes with one of them seen as several: the strides grow with the sizes."""
    grown = [strides[mode]]
    for size in sizes[:-1]:
        grown.append(product([grown[-1], size]))
    return (
        (*shape[:mode], *sizes, *shape[mode + 1 :]),
        (*strides[:mode], *grown, *strides[mode + 1 :]),
    )


def fused(shape: Sequence[T], strides: Sequence[T], first: int, last: int, product: Product[T]) -> Modes[T]:
    """A tensor's modes with some, from the first to the last, seen as one, which has the stride of the first."""
    return (
        (*shape[:first], product(shape[first : last + 1]), *shape[last + 1 :]),
        (*strides[: first + 1], *strides[last + 1 :]),
    )


def _known_product(factors: Sequence[Extent]) -> Extent:
    return reduce(times, factors)


def expand_type(tensor: MemrefType, mode: int, bounds: list[Bound]) -> MemrefType:
    """The type of the expanded view with every stride that is known."""
    sizes: list[Extent] = [bound if isinstance(bound, int) else DYNAMIC for bound in bounds]
    shape, strides = expanded(tensor.shape, tensor.strides, mode, sizes, _known_product)
    return replace(tensor, shape=shape, strides=strides)


def _has_mode(op: Expand) -> bool:
    return 0 <= op.mode < op.tensor.type.order


@check("PYTL-0470", "the expanded mode exists", "Expand")
def expand_mode(op: Expand) -> Iterator[Problem]:
    if not _has_mode(op):
        order = op.tensor.type.order
        yield Problem(f"{op.tensor.type} has no mode {op.mode}", f"modes are counted from 0 to {order - 1}", "tensor")


@check("PYTL-0471", "values in the expand shape are of index type", "Expand")
def expand_values(op: Expand) -> Iterator[Problem]:
    for bound in op.expand_shape:
        if isinstance(bound, Value) and bound.type != index:
            yield Problem(f"a size of the expand shape is {bound.type}", "cast it to index")


@check("PYTL-0472", "the sizes of the expand shape are positive", "Expand", of_values=True)
def expand_signs(op: Expand) -> Iterator[Problem]:
    for bound in op.expand_shape:
        size = constant_bound(bound)
        if size is not None and size < 1:
            yield Problem(f"the size {size} is not positive")


@check("PYTL-0473", "the product of the expand shape is the size of the expanded mode", "Expand", of_values=True)
def expand_product(op: Expand) -> Iterator[Problem]:
    if not _has_mode(op):
        return
    extent = op.tensor.type.shape[op.mode]
    sizes = [constant_bound(bound) for bound in op.expand_shape]
    known = [size for size in sizes if size is not None]
    if not isinstance(extent, int) or any(size < 1 for size in known):
        return
    product = math.prod(known)
    if len(known) == len(sizes) and product != extent:
        shown = " x ".join(map(str, sizes))
        yield Problem(f"{shown} is {product}, but mode {op.mode} has size {extent}", part="tensor")
    elif extent % product:
        yield Problem(f"mode {op.mode} has size {extent}, which is not a multiple of {product}", part="tensor")


expand_element = view_element_check("PYTL-0474", "Expand")


@check("PYTL-0475", "the mode's size is replaced with the expand shape; values in it are dynamic", "Expand")
def expand_result_shape(op: Expand) -> Iterator[Problem]:
    if _has_mode(op):
        yield from view_shape_problems(expand_type(op.tensor.type, op.mode, op.expand_shape), op)


@check(
    "PYTL-0476",
    "the strides of the new modes follow the canonical computation, the others stay; each may be replaced with ?",
    "Expand",
)
def expand_strides(op: Expand) -> Iterator[Problem]:
    if _has_mode(op):
        yield from view_stride_problems(expand_type(op.tensor.type, op.mode, op.expand_shape), op)


@instruction
class Expand(Operation):
    """A view on a tensor in which one mode is seen as several.

    Where a size is known at run time only, it is undefined behaviour if the product is not the mode's size.
    """

    mnemonic = "expand"
    section = "Expand"
    tensor: Any = Operand(MEMREF, "what is viewed")
    mode: Any = IntegerConstant("the mode, counted from 0")
    expand_shape: Any = ExpandShape("what the mode becomes")
    result: Any = Result(MEMREF)
    assembly = "` ` $tensor `[` $mode ` -> ` $expand_shape `]` ` : ` $result"
    rules = (
        expand_mode,
        expand_values,
        expand_signs,
        expand_product,
        expand_element,
        expand_result_shape,
        expand_strides,
    )
    pure = True
    view_of = "tensor"

    def infer_result_types(self) -> list[Type]:
        type_ = self.tensor.type
        return [expand_type(type_, self.mode, self.expand_shape) if _has_mode(self) else type_]


def fuse_type(tensor: MemrefType, first: int, last: int) -> MemrefType:
    """The type of the fused view with every stride that is known."""
    shape, strides = fused(tensor.shape, tensor.strides, first, last, _known_product)
    return replace(tensor, shape=shape, strides=strides)


def _has_modes(op: Fuse) -> bool:
    return 0 <= op.first < op.last < op.tensor.type.order


@check("PYTL-0480", "the fused modes exist: 0 ≤ from < to < order(tensor)", "Fuse")
def fuse_modes(op: Fuse) -> Iterator[Problem]:
    if not _has_modes(op):
        message = f"modes {op.first} to {op.last} of {op.tensor.type} are not two or more of its modes"
        yield Problem(message, "from is less than to, and both are counted from 0", "tensor")


@check("PYTL-0481", "fused modes are contiguous in memory: S_k s_k = S_{k+1}", "Fuse")
def fuse_compatible(op: Fuse) -> Iterator[Problem]:
    if not _has_modes(op):
        return
    type_ = op.tensor.type
    for k in range(op.first, op.last):
        expected, actual = times(type_.strides[k], type_.shape[k]), type_.strides[k + 1]
        if isinstance(expected, int) and isinstance(actual, int) and expected != actual:
            yield Problem(
                f"the stride of mode {k + 1} is {actual}, but mode {k} ends after {expected} elements", part="tensor"
            )


fuse_element = view_element_check("PYTL-0482", "Fuse")


@check("PYTL-0483", "the size of the fused mode is the product of the sizes, dynamic where one of them is", "Fuse")
def fuse_result_shape(op: Fuse) -> Iterator[Problem]:
    if _has_modes(op):
        yield from view_shape_problems(fuse_type(op.tensor.type, op.first, op.last), op)


@check("PYTL-0484", "strides remain unchanged or are replaced with ?", "Fuse")
def fuse_strides(op: Fuse) -> Iterator[Problem]:
    if _has_modes(op):
        yield from view_stride_problems(fuse_type(op.tensor.type, op.first, op.last), op)


@instruction
class Fuse(Operation):
    """A view on a tensor in which adjacent modes, from the first to the last one named, are seen as one.

    Where a size or stride is known at run time only, the behaviour is undefined if the modes are not contiguous in
    memory.
    """

    mnemonic = "fuse"
    section = "Fuse"
    tensor: Any = Operand(MEMREF, "what is viewed")
    first: Any = IntegerConstant("the first fused mode, counted from 0")
    last: Any = IntegerConstant("the last fused mode")
    result: Any = Result(MEMREF)
    assembly = "` ` $tensor `[` $first `, ` $last `]` ` : ` $result"
    rules = (fuse_modes, fuse_compatible, fuse_element, fuse_result_shape, fuse_strides)
    pure = True
    view_of = "tensor"

    def infer_result_types(self) -> list[Type]:
        type_ = self.tensor.type
        return [fuse_type(type_, self.first, self.last) if _has_modes(self) else type_]
