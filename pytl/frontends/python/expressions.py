"""Names, constants, attributes, tuples and conditional expressions."""

from __future__ import annotations

import ast
import re
from types import BuiltinMethodType, ModuleType
from typing import Any

from ...ir.types import CoopMatrixType, GroupType, MemrefType, ScalarType, index
from ...ir.values import Value
from ...ops import Load
from ...ops import Size as SizeOf
from ...process.records import dataclass
from .. import lang
from ..lang.function import KernelFunction
from ..lang.subgroup import SubgroupFunctions
from ..lang.traced import NamedSize, Shape, Transposed, describe, is_collection, is_python, is_unknown, plain_number
from .arithmetic import fold, unary
from .branches import chosen, trace_branch
from .frame import UNKNOWN, Failed, Frame, expression
from .rules import ATTRIBUTE, FOLDING, TARGET
from .source import Positioned

plain = plain_number


@dataclass(frozen=True)
class Method:
    """`x.conj`, to be called."""

    value: Value
    name: str
    variant: str


_METHODS = {"conj": "conj"}
_PARTS = {"real": "re", "imag": "im"}


@expression(ast.Constant)
def _constant(frame: Frame, node: ast.Constant) -> Any:
    return node.value


@expression(ast.Name)
def _name(frame: Frame, node: ast.Name) -> Any:
    item = frame.lookup(node)
    return _size_of(frame, item, node) if isinstance(item, NamedSize) else plain(item)


def _size_of(frame: Frame, size: NamedSize, node: ast.Name) -> Value:
    """A size that is known at launch, where it is used."""
    tensor = size.tensor
    if size.mode is not None and isinstance(tensor.type, GroupType):
        first = frame.constant(0, index, node)  # all memrefs of the group have it
        tensor = frame.compute(Load, node, tensor=tensor, indices=[first])
    return frame.compute(SizeOf, node, tensor=tensor, mode=size.mode or 0)


@expression(ast.IfExp)
def _conditional(frame: Frame, node: ast.IfExp) -> Any:
    condition = frame.condition(node.test)
    if isinstance(condition, bool):
        return frame.evaluate(node.body if condition else node.orelse)
    then = trace_branch(frame, lambda: frame.evaluate(node.body))
    otherwise = trace_branch(frame, lambda: frame.evaluate(node.orelse))
    locations = frame.location_of(node.body), frame.location_of(node.orelse)
    return chosen(frame, node, condition, then, otherwise, locations)


@expression(ast.NamedExpr)
def _named(frame: Frame, node: ast.NamedExpr) -> Any:
    item = frame.evaluate(node.value)
    frame.binder.bind(node.target.id, UNKNOWN if is_unknown(item) else item, node.target)
    return item


@expression(ast.Attribute)
def _attribute(frame: Frame, node: ast.Attribute) -> Any:
    by_content = frame.computes_with(node)
    item = frame.object_of(node.value)
    name = node.attr
    if is_python(item) or is_collection(item):
        return python_attribute(frame, item, node, by_content)
    type_ = item.type if isinstance(item, Value) else None
    if isinstance(type_, MemrefType) and name == "T":
        if type_.order != 2:
            frame.fail(ATTRIBUTE, f"only a matrix has a transpose, but this is {type_}", node)
        return Transposed(item)
    if isinstance(item, Transposed) and name == "T":
        return item.matrix
    if isinstance(type_, (MemrefType, GroupType)) and name == "shape":
        return Shape(item)
    if isinstance(type_, (ScalarType, CoopMatrixType)) and name in _METHODS:
        return Method(item, name, _METHODS[name])
    if isinstance(type_, (ScalarType, CoopMatrixType)) and name in _PARTS:
        return unary(frame, f".{name}", _PARTS[name], item, node)
    frame.fail(ATTRIBUTE, f"{describe(item)} has no attribute {name}", node, _attributes_of(item, node))


def python_attribute(frame: Frame, item: Any, node: ast.Attribute, by_content: bool) -> Any:
    """The attribute of a Python object that a kernel names, which is noted with its content or as an object."""
    try:
        value = getattr(item, node.attr)
    except AttributeError:
        name = f"the module {item.__name__}" if isinstance(item, ModuleType) else describe(item)
        known = [word for word in dir(item) if not word.startswith("_")]
        from difflib import get_close_matches  # not at `import pytl`

        close = get_close_matches(node.attr, known, n=1)
        advice = f"did you mean {ast.unparse(node.value)}.{close[0]}?" if close else None
        if isinstance(item, ModuleType) and item.__name__.startswith(lang.__name__):
            name = ast.unparse(node.value)
            functions = [word for word in known if isinstance(getattr(item, word), (KernelFunction, SubgroupFunctions))]
            advice = advice or f"it has {', '.join(functions)}"
        frame.fail(ATTRIBUTE, f"{name} has no attribute {node.attr}", node, advice)
    except Exception as error:
        frame.fail(FOLDING, f"computing this gives {type(error).__name__}: {error}", node)
    if isinstance(value, BuiltinMethodType) and value.__self__ is item:
        # each read of a method makes another object: what the method is called on is noted
        if is_python(item) and not frame.builder.containers.has(item):
            frame.record_read(node, frame.captures.constant, item)
    elif is_python(item):
        frame.record_read(node, frame.captures.attribute, item, node.attr, value, by_content)
    return plain(value)


_OTHER_ATTRIBUTES = {
    "size": "write X.shape[0], for each mode, and multiply",
    "ndim": "write len(X.shape)",
    "dtype": "the element type stands in the annotation",
    "astype": "cast elements: f32(X[i])",
    **dict.fromkeys(("sum", "mean", "prod", "max", "min"), "write a loop over the elements: s = s + X[i]"),
    "fill": "assign to all elements: X[:] = 0.0",
    "copy": "assign to other memory: C[:] = X",
    **dict.fromkeys(("transpose", "t", "mT"), "the transpose of a matrix is X.T"),
    **dict.fromkeys(("reshape", "ravel", "flatten", "view"), "call fuse or expand, which give views"),
    **dict.fromkeys(("dot", "matmul", "mm"), "write X @ Y, or call gemm"),
    "at": "assign to the element, X[i] = x, or call atomic.add(X[i], x)",
}
"""What stands for attributes that arrays of other libraries have."""


def _attributes_of(item: Any, node: ast.Attribute) -> str | None:
    type_ = item.type if isinstance(item, Value) else None
    if isinstance(type_, MemrefType):
        name = ast.unparse(node.value)
        advice = _OTHER_ATTRIBUTES.get(node.attr, "a memref has .shape, and a matrix .T")
        return re.sub(r"\bX\b", lambda _: name, advice)
    if isinstance(type_, GroupType):
        return "a group has .shape; its memrefs are A[i]"
    if isinstance(type_, ScalarType):
        return "a number has .real, .imag and .conj()"
    if isinstance(type_, CoopMatrixType):
        return "a matrix of a sub-group has .real, .imag and .conj()"
    return None


def shape_entry(frame: Frame, shape: Shape, mode: Any, node: Positioned) -> Any:
    """One size of a shape, or a slice of them: a Python integer where it is static, else a value."""
    extents = shape.extents
    if isinstance(mode, slice):
        modes = fold(frame, node, lambda: range(len(extents))[mode])
        return tuple(shape_entry(frame, shape, one, node) for one in modes)
    if isinstance(mode, bool) or not isinstance(mode, int):
        frame.fail(
            FOLDING,
            f"the mode is {describe(mode)}, not a Python integer",
            node,
            "it must be known while the kernel is traced",
        )
    extent = fold(frame, node, lambda: extents[mode])
    if isinstance(extent, int):
        return extent
    return frame.compute(SizeOf, node, tensor=shape.tensor, mode=mode % len(extents))


def entries(frame: Frame, item: Any, node: Positioned) -> tuple[Any, ...]:
    """The items that are unpacked from a tuple or a shape."""
    if isinstance(item, Value) and is_unknown(item):
        raise Failed
    if isinstance(item, Shape):
        return tuple(shape_entry(frame, item, mode, node) for mode in range(len(item.extents)))
    if is_collection(item) or isinstance(item, (range, str)):
        return tuple(item)
    frame.fail(TARGET, f"{describe(item)} can't be unpacked", node)
