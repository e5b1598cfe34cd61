"""Assignments and expression statements."""

from __future__ import annotations

import ast
from typing import Any

from ...diagnostics import Label
from ...ir.types import BoolType, MemrefType, ScalarType
from ...ir.values import Value
from ...ops import Load, Store
from ..lang.annotations import ir_type_of
from ..lang.casts import cast_to
from ..lang.traced import Element, describe, is_literal, is_python, is_unknown
from .arithmetic import binary
from .containers import container_of, delete_item, item_at, new_container, set_item, updated
from .expressions import entries
from .frame import UNKNOWN, Failed, Frame, statement
from .mutations import KINDS
from .names import Names, target_names
from .products import is_tensor
from .reasons import STATEMENT_REASONS
from .rebinding import note_rebinding
from .rules import EXPRESSION, OPERAND_TYPES, OPERATOR, STATEMENT, TARGET
from .sequences import items_of
from .subscripts import element
from .tensors import assign_view, is_view, term, update_view


@statement(ast.Pass)
def _pass(frame: Frame, node: ast.Pass, live: Names) -> None:
    pass


@statement(ast.Expr)
def _expression(frame: Frame, node: ast.Expr, live: Names) -> None:
    if isinstance(node.value, ast.Constant):
        return  # a docstring, or ...
    frame.discarded = node.value
    item = frame.known(node.value)
    if callable(item) and is_python(item):
        name = ast.unparse(node.value)
        frame.fail(EXPRESSION, f"{name} is named, but not called", node, f"write {name}(…)")


@statement(ast.Assign)
def _assign(frame: Frame, node: ast.Assign, live: Names) -> None:
    to_views = all(is_view(target) for target in node.targets)
    item = term(frame, node.value) if to_views else frame.evaluate(node.value)
    for target in node.targets:
        assign(frame, target, item, node.value)


def assign(frame: Frame, target: ast.expr, item: Any, source: ast.expr) -> None:
    """Bind or store the value of an expression, item by item where it is unpacked."""
    if isinstance(target, ast.Name):
        note_rebinding(frame, target, item)
        frame.bind(target.id, UNKNOWN if _is_failed(item) else item, target)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(frame, target, item, source)
    elif isinstance(target, ast.Subscript) and (container := container_of(frame, target)) is not None:
        set_item(frame, container, target, item)
    elif is_view(target):
        assign_view(frame, target, item, source)
    elif isinstance(target, ast.Subscript):
        store(frame, element(frame, target), item, target, source)
    elif isinstance(target, ast.Starred):
        frame.fail(TARGET, "a * stands among other targets", target, "write *xs, = …, or xs = list(…)")
    else:
        frame.fail(TARGET, "an attribute can't be assigned to", target, "assign to a name, or to A[i, j]")


def _is_failed(item: Any) -> bool:
    return isinstance(item, Value) and is_unknown(item)


def _unpack(frame: Frame, target: ast.Tuple | ast.List, item: Any, source: ast.expr) -> None:
    try:
        starred = next((k for k, each in enumerate(target.elts) if isinstance(each, ast.Starred)), None)
        pieces = list(entries(frame, item, source))
        name_count = len(target.elts) - (starred is not None)
        if len(pieces) < name_count or (starred is None and len(pieces) > name_count):
            least = "at least " if starred is not None else ""
            frame.fail(TARGET, f"{least}{name_count} names are given for {len(pieces)} values", target)
    except Failed:
        for name, node in target_names(target).items():
            frame.bind(name, UNKNOWN, node)  # type: ignore[arg-type]
        return
    targets = list(target.elts)
    if starred is not None:
        end = len(pieces) - (name_count - starred)
        pieces[starred:end] = [new_container(frame, pieces[starred:end])]
        targets[starred] = targets[starred].value  # type: ignore[attr-defined]
    for piece_target, piece in zip(targets, pieces, strict=True):
        assign(frame, piece_target, piece, source)


def store(frame: Frame, destination: Element, item: Any, target: ast.expr, source: ast.expr) -> None:
    """Store a number in an element."""
    if is_unknown(item):
        return
    assert isinstance(destination.tensor.type, MemrefType)
    type_ = destination.tensor.type.element
    if isinstance(item, Value) and item.type != type_:
        tensor_location = frame.location_of(target)
        advice = f"cast it: {cast_to(type_, ast.unparse(source), item.type)}"
        if not isinstance(item.type, ScalarType):
            advice = f"choose a number: {type_}(1) if x else {type_}(0)"
            advice = advice if isinstance(item.type, BoolType) else "store its elements, or call axpby"
        frame.fail(
            OPERAND_TYPES,
            f"{describe(item)} is stored, but the elements are {type_}",
            source,
            advice,
            [Label(tensor_location, f"an element of {destination.tensor.type}")],
        )
    data = frame.typed(item, type_, source, f"cast it: {type_}({ast.unparse(source)})")
    spans = {"data": frame.location_of(source), "tensor": frame.location_of(target)}
    frame.emit(Store, target, spans=spans, data=data, tensor=destination.tensor, indices=destination.indices)


@statement(ast.AugAssign)
def _augmented(frame: Frame, node: ast.AugAssign, live: Names) -> None:
    if isinstance(node.target, ast.Name):
        name = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        old = frame.evaluate(name)
        if isinstance(node.op, ast.MatMult) and is_tensor(old):
            source = ast.unparse(node.value)
            frame.fail(OPERATOR, "@= is not defined on a tensor", node, f"write {name.id}[:] = {name.id} @ {source}")
        new = _combined(frame, old, node)
        frame.bind(node.target.id, new, node.target)
    elif isinstance(node.target, ast.Subscript) and (container := container_of(frame, node.target)) is not None:
        new = _combined(frame, item_at(frame, container, node.target), node)
        set_item(frame, container, node.target, new)
    elif is_view(node.target):
        update_view(frame, node)
    elif isinstance(node.target, ast.Subscript):
        destination = element(frame, node.target)
        old = frame.compute(Load, node.target, tensor=destination.tensor, indices=destination.indices)
        new = binary(frame, type(node.op), old, frame.evaluate(node.value), node)
        store(frame, destination, new, node.target, node.value)
    else:
        frame.fail(TARGET, "an attribute can't be assigned to", node.target, "assign to a name, or to A[i, j]")


def _combined(frame: Frame, old: Any, node: ast.AugAssign) -> Any:
    """What a name or an item is after `+=`: a list, dictionary or set is changed, and others make a new object."""
    if type(old) in KINDS:
        value = items_of(frame, node.value) if isinstance(old, list) else frame.evaluate(node.value)
        return updated(frame, type(node.op), old, value, node)
    return binary(frame, type(node.op), old, frame.evaluate(node.value), node)


@statement(ast.Delete)
def _delete(frame: Frame, node: ast.Delete, live: Names) -> None:
    for target in node.targets:
        container = container_of(frame, target) if isinstance(target, ast.Subscript) else None
        if not isinstance(target, ast.Subscript) or container is None:
            message, advice = STATEMENT_REASONS["Delete"]
            frame.fail(STATEMENT, message, node, advice)
        delete_item(frame, container, target)


@statement(ast.AnnAssign)
def _annotated(frame: Frame, node: ast.AnnAssign, live: Names) -> None:
    if not isinstance(node.target, ast.Name) or node.value is None:
        frame.fail(TARGET, "an annotated assignment has a name and a value", node, "write x: f32 = 0.0")
    annotation = frame.known(node.annotation)
    type_ = ir_type_of(annotation)
    if type_ is None and isinstance(node.value, (ast.List, ast.Dict, ast.Set, ast.Tuple, ast.ListComp, ast.DictComp)):
        frame.bind(node.target.id, frame.known(node.value), node.target)  # as list[float], which is for readers
        return
    if not isinstance(type_, (ScalarType, BoolType)):
        frame.fail(
            TARGET,
            f"{describe(annotation)} is not a number type",
            node.annotation,
            "write x: f32 = 0.0; a memref needs no annotation",
        )
    item = frame.known(node.value)
    if isinstance(item, Value) and item.type != type_:
        cast = f"cast it: {cast_to(type_, ast.unparse(node.value), item.type)}"
        frame.fail(
            OPERAND_TYPES,
            f"{node.target.id} is annotated {type_}, but its value is {item.type}",
            node.value,
            cast if isinstance(item.type, ScalarType) else None,
        )
    if is_literal(item):
        item = frame.typed(item, type_, node.value)
    elif not isinstance(item, Value):
        frame.fail(OPERAND_TYPES, f"{describe(item)} is not of type {type_}", node.value)
    frame.bind(node.target.id, item, node.target)
