"""Whole tensors on the left of an assignment: `A[:] = 0.0`, `A[:, j] = B[:, j]`, `C[:] += alpha * A @ B`.

In a collective region these become collective instructions. In an SPMD region each work-item loops over the elements.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...diagnostics import Label
from ...ir.types import BoolType, GroupType, MemrefType, ScalarType, index
from ...ir.values import Region, Value
from ...ops import Alloca, Axpby, For, Foreach, Hadamard, Load, Size, Store
from ...ops.updates import show_shape
from ...ops.views import root_of
from ...passes.analysis.overlap import Overlap, overlap_of
from ...process.records import dataclass
from ..lang.casts import cast_to
from ..lang.traced import Transposed, advice_on_array, describe, is_literal, is_python, is_unknown
from .arithmetic import BINARY, binary, fold, unary
from .frame import Failed, Frame
from .products import Product, is_tensor, memref_of, shape_of
from .rules import OPERAND_TYPES, OPERATOR, TARGET, VIEW_SHAPE
from .source import Positioned
from .subscripts import TRANSPOSED_ADVICE, index_nodes, is_whole, view

MAX_MODES = 2
"""The largest number of modes that the instructions on whole tensors take."""


@dataclass(frozen=True)
class Term:
    """A number times a tensor, times `A @ B`, or times `A * B`, element by element."""

    factor: Any
    tensors: tuple[Any, ...]
    product: Product | None = None


def is_view(target: ast.expr) -> bool:
    """Whether the target of an assignment is a slice of a memref."""
    return isinstance(target, ast.Subscript) and any(isinstance(entry, ast.Slice) for entry in index_nodes(target))


def term(frame: Frame, node: ast.expr) -> Any:
    """The value of an expression that is assigned to a view: a term, where it consists of tensors."""
    try:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = term(frame, node.operand)
            if isinstance(inner, Term):
                return replace(inner, factor=_negative(frame, inner.factor, node))
            return inner if is_unknown(inner) else _negative(frame, inner, node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.MatMult)):
            return _multiplied(frame, node, term(frame, node.left), term(frame, node.right))
        item = frame.known(node)
        return Term(1, (item,)) if is_tensor(item) else item
    except Failed:
        return Term(1, ())


def _negative(frame: Frame, item: Any, node: Positioned) -> Any:
    if is_python(item):
        return fold(frame, node, lambda: -item)
    return unary(frame, "-", "neg", item, node)


def _multiplied(frame: Frame, node: ast.BinOp, a: Any, b: Any) -> Any:
    if any(isinstance(item, Term) and not item.tensors for item in (a, b)):
        raise Failed
    if not isinstance(a, Term) and not isinstance(b, Term):
        return binary(frame, type(node.op), a, b, node)
    if isinstance(node.op, ast.MatMult):
        if not (isinstance(a, Term) and isinstance(b, Term)):
            other = next(item for item in (a, b) if not isinstance(item, Term))
            frame.fail(OPERATOR, f"@ is not defined on {describe(other)}", node, "it takes matrices and vectors")
        left, right = (_one_tensor(frame, item, node) for item in (a, b))
        product = Product(frame, left, right, node)
        return Term(_times(frame, a.factor, b.factor, node), (left, right), product)
    if isinstance(a, Term) and isinstance(b, Term):
        left, right = (_one_tensor(frame, item, node) for item in (a, b))
        if isinstance(left, Transposed) or isinstance(right, Transposed):
            frame.fail(OPERATOR, "* of a transposed matrix is not defined", node, "copy it first: T[:] = A.T")
        _check_shape(frame, shape_of(left), shape_of(right), node.left, node.right)
        return Term(_times(frame, a.factor, b.factor, node), (left, right))
    whole, number = (a, b) if isinstance(a, Term) else (b, a)
    if not is_literal(number) and not (isinstance(number, Value) and isinstance(number.type, ScalarType)):
        frame.fail(OPERATOR, f"* is not defined on {describe(number)}", node)
    return replace(whole, factor=_times(frame, whole.factor, number, node))


def _times(frame: Frame, a: Any, b: Any, node: Positioned) -> Any:
    if is_python(a) and a == 1:
        return b
    if is_python(b) and b == 1:
        return a
    return binary(frame, ast.Mult, a, b, node)


def _one_tensor(frame: Frame, item: Term, node: Positioned) -> Any:
    """A term as a tensor times its factor. A product is stored in temporary memory, without the factor."""
    if len(item.tensors) == 1:
        return item.tensors[0]
    if item.product is None:
        frame.fail(
            OPERATOR, "no single instruction multiplies three tensors", node, "assign the product of two factors first"
        )
    return item.product.temporary()


# The assignment.


def assign_view(frame: Frame, target: ast.expr, item: Any, source: ast.expr) -> None:
    """`A[:, j] = item`."""
    assert isinstance(target, ast.Subscript)
    _update(frame, target, item, source, None, target)


def update_view(frame: Frame, node: ast.AugAssign) -> None:
    """`A[:, j] += …`, and so with the other operators."""
    assert isinstance(node.target, ast.Subscript)
    if isinstance(node.op, ast.MatMult):
        text = ast.unparse(node.target)
        advice = f"write {text} = {ast.unparse(node.value)} with both factors of the product: {text} = A @ B"
        frame.fail(OPERATOR, "there is no @= on a view", node, advice)
    _update(frame, node.target, term(frame, node.value), node.value, type(node.op), node)


def _update(
    frame: Frame,
    target: ast.Subscript,
    item: Any,
    source: ast.expr,
    kind: type[ast.operator] | None,
    node: Positioned,
) -> None:
    memory = _target(frame, target)
    if isinstance(item, Value) and is_unknown(item):
        return
    if not isinstance(item, Term) and is_tensor(item):
        item = Term(1, (item,))
    if not isinstance(item, Term):
        _fill(frame, memory, item, source, kind, node, target)
        return
    if not item.tensors:
        return  # it failed
    shape = item.product.shape if item.product else shape_of(item.tensors[0])
    _check_shape(frame, memory.type.shape, shape, target, source, is_stored=True)
    _combine(frame, memory, item, source, kind, node)


def _target(frame: Frame, node: ast.Subscript) -> Value:
    item = frame.known(node.value)
    if not (isinstance(item, Value) and isinstance(item.type, MemrefType)):
        advice = TRANSPOSED_ADVICE if isinstance(item, Transposed) else None
        advice = advice or advice_on_array(item, ast.unparse(node.value))
        frame.fail(TARGET, f"nothing can be stored in {describe(item)}", node, advice)
    nodes = index_nodes(node)
    if len(nodes) == item.type.order and all(is_whole(entry) for entry in nodes):
        return item
    return view(frame, item, node)


def _check_shape(
    frame: Frame, left_shape: Any, right_shape: Any, left: ast.expr, right: ast.expr, *, is_stored: bool = False
) -> None:
    if left_shape == right_shape:
        return
    names = [ast.unparse(side) for side in (left, right)]
    advice = None
    if len(left_shape) == len(right_shape) == 2 and left_shape == right_shape[::-1]:
        advice = f"write {names[1].removesuffix('.T') if names[1].endswith('.T') else names[1] + '.T'}"
    elif len(right_shape) < len(left_shape):
        advice = "there is no broadcasting: assign column by column, for j in range(n): A[:, j] = b"
    elif len(right_shape) == len(left_shape) and "?" in {str(x) for x in (*right_shape, *left_shape)}:
        advice = "a static size never equals a dynamic size; a slice has a static size: A[0:4]"
    sides = ((left, left_shape), (right, right_shape))
    labels = [Label(frame.location_of(side), f"this is {show_shape(shape)}") for side, shape in sides]
    what = "is assigned to" if is_stored else "is multiplied by"
    first, second = (right_shape, left_shape) if is_stored else (left_shape, right_shape)
    frame.fail(VIEW_SHAPE, f"{_a_shape(first)} {what} {_a_shape(second)}", right if is_stored else left, advice, labels)


def _a_shape(shape: tuple[Any, ...]) -> str:
    kinds = {0: "a single element", 1: "a vector of", 2: "a matrix of"}
    kind = kinds.get(len(shape), "a tensor of")
    return f"{kind} {show_shape(shape)}" if shape else kind


def _combine(
    frame: Frame, memory: Value, item: Term, source: ast.expr, kind: type[ast.operator] | None, node: Positioned
) -> None:
    """Assign a term, or combine it with the present elements, as `+=` does."""
    is_sum = kind in (None, ast.Add, ast.Sub)
    if frame.builder.is_spmd:
        if len(item.tensors) > 1:
            advice = "compute it before the foreach or parallel region, or loop over the elements"
            frame.fail(OPERATOR, "a product of tensors is in an SPMD region", source, advice)
        _element_wise(frame, memory, item, source, kind, node)
        return
    factor = _negative(frame, item.factor, node) if kind is ast.Sub else item.factor
    beta = 0 if kind is None else 1
    element = memory.type.element
    if is_sum and item.product is not None:
        item.product.into(memory, factor, beta, node)
        return
    fits = memory.type.order <= MAX_MODES
    if is_sum and fits:
        tensors = [memref_of(tensor) for tensor in item.tensors]
        operation = Axpby if len(tensors) == 1 else Hadamard
        names = ("A", "B") if operation is Axpby else ("A", "B", "C")
        parts: dict[str, Any] = dict(zip(names, [*tensors, memory]))
        alpha_type = operation.literal_type("alpha", {**parts})
        parts["alpha"] = frame.typed(factor, alpha_type, node)
        parts["beta"] = frame.typed(beta, element, node)
        if operation is Axpby:
            parts["transpose"] = "t" if isinstance(item.tensors[0], Transposed) else "n"
        frame.emit(operation, node, atomic=False, **parts)
        return
    if len(item.tensors) > 1:
        sign = f"{BINARY[kind][0]}=" if kind else "="
        advice = "compute the right side in temporary memory first: T[:] = …"
        if not fits:
            advice = "loop over the last mode, for k in range(n): A[:, :, k] = …"
        frame.fail(
            OPERATOR, f"{sign} with a product of tensors on the right is not a single instruction", source, advice
        )
    _element_wise(frame, memory, item, source, kind, node)


def _element_wise(
    frame: Frame, memory: Value, item: Term, source: ast.expr, kind: type[ast.operator] | None, node: Positioned
) -> None:
    """Loop over the elements: of tensors of many modes, and for operators that no instruction on tensors has."""
    tensor = item.tensors[0]
    other = memref_of(tensor)
    if not memory.type.has_static_shape or not other.type.has_static_shape:
        frame.fail(
            VIEW_SHAPE,
            f"sizes of {_a_shape(other.type.shape)} are known at launch only",
            source,
            "write a foreach over the elements"
            if memory.type.order <= MAX_MODES
            else "loop over the last mode, for k in range(n): A[:, :, k] = B[:, :, k]",
        )
    if other.type.element != memory.type.element:
        frame.fail(
            OPERAND_TYPES,
            f"elements of {other.type.element} are assigned to elements of {memory.type.element}",
            source,
            f"cast them in a foreach: A[i] = {memory.type.element}(B[i])",
        )
    overlap = overlap_of(other, memory) if root_of(other) is root_of(memory) else Overlap.DISJOINT
    if overlap is not Overlap.DISJOINT and (overlap is not Overlap.SAME or isinstance(tensor, Transposed)):
        # the assigned elements are those from before the assignment
        if frame.builder.is_spmd:
            advice = "write a loop over the elements in the intended order"
            frame.fail(OPERATOR, "the view overlaps the memory that is assigned to it", node, advice)
        copy = frame.compute(Alloca, node, [MemrefType(other.type.element, other.type.shape).in_space("local")])
        _each(frame, copy, node, lambda indices: frame.compute(Load, node, tensor=other, indices=indices))
        other = copy

    def element(indices: list[Value]) -> Value:
        backwards = isinstance(tensor, Transposed)
        value = frame.compute(Load, source, tensor=other, indices=indices[::-1] if backwards else indices)
        value = _times(frame, item.factor, value, source)
        return _combined(frame, memory, indices, value, kind, node)

    _each(frame, memory, node, element)


def _fill(
    frame: Frame,
    memory: Value,
    item: Any,
    source: ast.expr,
    kind: type[ast.operator] | None,
    node: Positioned,
    target: ast.expr,
) -> None:
    """Assign one number to all elements, or combine each of them with it."""
    type_ = memory.type.element
    if not is_literal(item) and not (isinstance(item, Value) and isinstance(item.type, (ScalarType, BoolType))):
        is_group = isinstance(item, Value) and isinstance(item.type, GroupType)
        advice = f"take one of its memrefs: {ast.unparse(source)}[g]" if is_group else "assign a number or a tensor"
        advice = advice_on_array(item, ast.unparse(source)) or advice
        frame.fail(OPERAND_TYPES, f"{describe(item)} is assigned to a view", source, advice)
    if isinstance(item, Value) and item.type != type_:
        frame.fail(
            OPERAND_TYPES,
            f"{describe(item)} is stored, but the elements are {type_}",
            source,
            f"cast it: {cast_to(type_, ast.unparse(source), item.type)}",
            [Label(frame.location_of(target), f"elements of {memory.type}")],
        )
    number = item
    if kind is not ast.Pow:
        number = frame.typed(item, type_, source, f"cast it: {type_}({ast.unparse(source)})")
    _each(frame, memory, node, lambda indices: _combined(frame, memory, indices, number, kind, node))


def _combined(
    frame: Frame, memory: Value, indices: list[Value], item: Any, kind: type[ast.operator] | None, node: Positioned
) -> Value:
    if kind is None:
        assert isinstance(item, Value)
        return item
    result = binary(frame, kind, frame.compute(Load, node, tensor=memory, indices=indices), item, node)
    assert isinstance(result, Value)
    return result


def _each(frame: Frame, memory: Value, node: Positioned, element: Callable[[list[Value]], Value]) -> None:
    """Store in each element the value that `element` computes from its indices."""
    start, stop = [], []
    for mode, extent in enumerate(memory.type.shape):
        start.append(frame.constant(0, index, node))
        is_static = isinstance(extent, int)
        stop.append(
            frame.constant(extent, index, node) if is_static else frame.compute(Size, node, tensor=memory, mode=mode)
        )
    indices = [Value(index) for _ in start]
    region = Region("mixed" if frame.builder.is_spmd else "spmd")
    with frame.builder.into(region.operations):
        frame.emit(Store, node, data=element(indices), tensor=memory, indices=indices)
    if not frame.builder.is_spmd:
        region.arguments += indices
        frame.emit(Foreach, node, start=start, stop=stop, body=region)
        return
    # the first mode is contiguous, and so the innermost loop
    for mode, variable in enumerate(indices):
        region.arguments.append(variable)
        loop = For(
            frame.location_of(node), [], start=start[mode], stop=stop[mode], inits=[], body=region, attributes={}
        )
        region = Region("mixed", [], [loop])
    frame.builder.operations += region.operations
