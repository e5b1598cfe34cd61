"""`A[i, j]`, `A[2:6, i]`, `A[g]`: loads, places to store to, views; and indexing of Python constants."""

from __future__ import annotations

import ast
from typing import Any

from ...diagnostics.words import counted
from ...ir.types import GroupType, MemrefType, ScalarType, index
from ...ir.values import Region, Value
from ...ops import ArithBinary, Cast, Load, Size, Slice, Subview
from ...ops.constants import constant_of
from ..lang.traced import (
    Choice,
    Element,
    Shape,
    Transposed,
    advice_on_array,
    describe,
    is_collection,
    is_python,
    is_unknown,
)
from .arithmetic import fold
from .expressions import plain, shape_entry
from .frame import Failed, Frame, expression
from .linear import Bound, difference, needed
from .rules import INDEX, SLICE, TARGET
from .source import Positioned

TRANSPOSED_ADVICE = "exchange the indices: A.T[i, j] is A[j, i]"


def index_nodes(node: ast.Subscript) -> list[ast.expr]:
    return list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]


@expression(ast.Subscript)
def _subscript(frame: Frame, node: ast.Subscript) -> Any:
    _refuse_chains(frame, node)
    item = frame.evaluate(node.value)
    if isinstance(item, Value) and isinstance(item.type, (MemrefType, GroupType)):
        if any(isinstance(entry, ast.Slice) for entry in index_nodes(node)):
            return view(frame, item, node)
        element = element_of(frame, item, node)
        return frame.compute(
            Load, node, spans={"tensor": frame.location_of(node.value)}, tensor=item, indices=element.indices
        )
    key = frame.known(node.slice)
    if is_unknown(item) and not is_collection(item):
        raise Failed
    if isinstance(item, Shape):
        return shape_entry(frame, item, key, node)
    if is_collection(item) or is_python(item):
        if not is_python(key):
            frame.builder.require_static()
            known = "the index must be known while the kernel is traced; a loop over unroll(range(n)) has such an index"
            frame.fail(
                INDEX,
                f"a Python {type(item).__name__} can't be indexed with {describe(key)}",
                node,
                advice_on_array(item, ast.unparse(node.value)) or known,
            )
        entry = plain(fold(frame, node, lambda: item[key]))
        return frame.builder.containers.remember(entry, frame.builder.operations) if isinstance(key, slice) else entry
    advice = TRANSPOSED_ADVICE if isinstance(item, Transposed) else None
    frame.fail(INDEX, f"{describe(item)} can't be indexed", node, advice)


def is_whole(node: ast.expr) -> bool:
    """Whether an index is a bare colon."""
    return isinstance(node, ast.Slice) and node.lower is node.upper is node.step is None


@expression(ast.Slice)
def _python_slice(frame: Frame, node: ast.Slice) -> slice:
    return slice(*(frame.known(part) if part else None for part in (node.lower, node.upper, node.step)))


def element(frame: Frame, node: ast.expr) -> Element:
    """`A[i, j]` as a place to write to."""
    if not isinstance(node, ast.Subscript):
        frame.fail(TARGET, "this is not an element of a memref", node, _element_help(frame.evaluate(node), node))
    _refuse_chains(frame, node)
    item = frame.known(node.value)
    if not (isinstance(item, Value) and isinstance(item.type, MemrefType)):
        advice = TRANSPOSED_ADVICE if isinstance(item, Transposed) else None
        if isinstance(item, Value) and isinstance(item.type, GroupType):
            advice = f"load the memref first: {ast.unparse(node.value)}[i][j]"
        advice = advice or advice_on_array(item, ast.unparse(node.value))
        frame.fail(TARGET, f"nothing can be stored in {describe(item)}", node, advice)
    if any(isinstance(entry, ast.Slice) for entry in index_nodes(node)):
        frame.fail(
            TARGET,
            "this is a slice, not one element",
            node,
            "call axpby(1.0, source, 1.0, A[…], atomic=True) for a whole tensor, or write a foreach over the elements",
        )
    return element_of(frame, item, node)


def _element_help(item: Any, node: ast.expr) -> str:
    if isinstance(item, Value) and isinstance(item.type, MemrefType) and isinstance(node, ast.Name):
        indices = ", ".join("ijklmn"[: item.type.order]) or "()"
        return f"write {node.id}[{indices}]"
    return "write A[i, j]"


def element_of(frame: Frame, tensor: Value, node: ast.Subscript) -> Element:
    """The tensor with its indices as values."""
    nodes = index_nodes(node)
    _check_count(frame, tensor, nodes, node)
    bounds = [_bound(frame, entry) for entry in nodes]
    indices = tuple(frame.typed(bound, index, entry) for bound, entry in zip(bounds, nodes, strict=True))
    return Element(tensor, indices)


def _check_count(frame: Frame, tensor: Value, nodes: list[ast.expr], node: ast.Subscript) -> None:
    order = tensor.type.order if isinstance(tensor.type, MemrefType) else 1
    if len(nodes) != order:
        indices = f"{counted(len(nodes), 'index is', 'indices are')} given"
        what = f"{tensor.type} has {counted(order, 'mode')}" if order else f"{tensor.type} has no modes"
        advice = "write : for a whole mode" if 0 < len(nodes) < order else None
        if isinstance(tensor.type, GroupType):
            what, advice = "a group has one index", "load the memref first: A[g][i, j]"
        elif order == 0:
            advice = "the element of a memref without modes is A[()]"
        elif any(isinstance(each, ast.Constant) and each.value is None for each in nodes):
            advice = "None adds no mode: leave it out, and write a loop over the other mode"
        frame.fail(INDEX, f"{what}, but {indices}", node, advice)


def _refuse_chains(frame: Frame, node: ast.Subscript) -> None:
    """Report `A[i][j]` of a memref, which is not a tuple of rows, with the right spelling."""
    inner = node.value
    if not (isinstance(inner, ast.Subscript) and isinstance(inner.value, ast.Name)):
        return
    binding = frame.bound(inner.value.id)
    tensor = binding.value if binding else None
    nodes = [*index_nodes(inner), *index_nodes(node)]
    if not (isinstance(tensor, Value) and isinstance(tensor.type, MemrefType)) or len(nodes) != tensor.type.order:
        return
    if not any(isinstance(entry, ast.Slice) for entry in nodes):
        advice = f"write {inner.value.id}[{', '.join(map(ast.unparse, nodes))}]"
        frame.fail(INDEX, f"the indices of {tensor.type} are in one pair of brackets", node, advice)


def _bound(frame: Frame, node: ast.expr) -> Bound:
    """An index: a Python integer that isn't negative, or a value of index type."""
    item = frame.known(node)
    if isinstance(item, Value):
        if can_be_index(frame, item):
            return as_index(frame, item, node)
        if item.type != index:
            is_number = isinstance(item.type, ScalarType)
            advice = f"cast it: index({ast.unparse(node)})" if is_number else None
            why = ", which may be negative" if is_number and item.type.is_integer else ""
            frame.fail(INDEX, f"an index is {item.type}{why}", node, advice)
        return item
    if isinstance(item, Choice):
        return frame.typed(item, index, node)
    if isinstance(item, bool) or not isinstance(item, int):
        advice = "write : for a whole mode" if item is ... else None
        what = "..." if item is ... else describe(item)
        frame.fail(INDEX, f"an index is {what}", node, advice)
    if item < 0:
        frame.fail(
            INDEX,
            f"the index {item} is negative",
            node,
            f"indices are not counted from the end; write A.shape[mode] - {-item}",
        )
    return item


def can_be_index(frame: Frame, item: Value) -> bool:
    """Whether an integer of another type than index is certainly not negative."""
    is_integer = isinstance(item.type, ScalarType) and item.type.is_integer and item.type != index
    return is_integer and not frame.builder.intervals.may_be_negative(item)


def as_index(frame: Frame, item: Value, node: Positioned) -> Value:
    """An integer that is not negative, as an index."""
    constant = constant_of(item)
    if constant is not None:
        return frame.constant(constant, index, node)
    return frame.compute(Cast, node, [index], operand=item)


def view(frame: Frame, tensor: Value, node: ast.Subscript) -> Value:
    """`A[2:6, i]` of a memref. `A[:]` is the whole of it, however many modes it has."""
    if isinstance(tensor.type, GroupType):
        frame.fail(SLICE, "a group can't be sliced", node, "take one of its memrefs: A[g]")
    nodes = index_nodes(node)
    if len(nodes) == 1 and tensor.type.order > 1 and is_whole(nodes[0]):
        return tensor
    _check_count(frame, tensor, nodes, node)
    pieces = []
    failed = False
    for mode, entry in enumerate(nodes):
        try:
            if isinstance(entry, ast.Slice):
                pieces.append(_slice(frame, tensor, mode, entry, node))
            else:
                pieces.append(Slice(_bound(frame, entry)))
        except Failed:
            failed = True
    if failed:
        raise Failed
    return frame.compute(Subview, node, spans={"tensor": frame.location_of(node.value)}, tensor=tensor, slices=pieces)


def _slice(frame: Frame, tensor: Value, mode: int, node: ast.Slice, whole: ast.Subscript) -> Slice:
    assert isinstance(tensor.type, MemrefType)
    if node.step is not None:
        frame.fail(
            SLICE,
            "a slice has no step",
            node.step,
            "a view keeps the strides of its tensor; pass a memref that has the stride",
        )
    start = _bound(frame, node.lower) if node.lower else 0
    # Often only the distance of the end from the start is needed; instructions without a use are not kept.
    scratch = Region("mixed")
    with frame.builder.into(scratch.operations):
        if node.upper:
            stop = _bound(frame, node.upper)
        else:
            extent = tensor.type.shape[mode]
            stop = extent if isinstance(extent, int) else frame.compute(Size, whole, tensor=tensor, mode=mode)
        size = difference(stop, start)
        if size is None:
            first, last = (frame.typed(bound, index, whole) for bound in (start, stop))
            size = frame.compute(ArithBinary, whole, variant="sub", a=last, b=first)
    frame.builder.operations += needed(scratch.operations, [size])
    if isinstance(size, int) and size <= 0:
        shown = f"{ast.unparse(node.lower) if node.lower else ''}:{ast.unparse(node.upper) if node.upper else ''}"
        frame.fail(SLICE, f"the slice {shown} has {size} elements", node)
    return Slice(start, size)
