"""What becomes plainer operations before anything of a module is read, whoever executes it.

Memrefs of vectors, `memref<4xvector<8xf32>>`, are those of the vectors' elements, `memref<4x8xf32>`. A value that may
be anything (ub.poison) is zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from math import prod
from typing import Any

from ...diagnostics import Diagnostics
from ...mlir.text import Function, Memref, Operation, Scalar, Tensor, Vector
from ...mlir.text.tree import Dense
from ...mlir.text.types import INDEX, contiguous
from . import rules

_ACCESSES = {f"{dialect}.{word}": f"vector.{word}" for dialect in ("memref", "vector") for word in ("load", "store")}
"""What loads and stores the vectors, and what does so with elements."""
_SAME = {
    *("func.func", "func.call", "func.return", "scf.for", "scf.if", "scf.yield", "scf.while", "scf.condition"),
    *("gpu.func", "gpu.launch_func", "memref.alloc", "memref.alloca", "memref.dealloc", "memref.cast", "memref.copy"),
    *("memref.dim", "memref.view", "memref.memory_space_cast", "memref.assume_alignment", "vector.type_cast"),
}
"""Operations that mean the same for memory of the elements."""


def make_plain(module: Operation, diagnostics: Diagnostics) -> None:
    """Rewrite the operations of a module. Those that can't be rewritten are reported."""
    for op in module.walk():
        if op.name == "ub.poison" and (zero := _zero(op.result_types[0])) is not None:
            op.name, op.attributes = "arith.constant", {"value": zero}
    if not any(_is_concerned(op) for op in module.walk()):
        return
    taken = {name for op in module.walk() for name in op.results}
    zeros = (name for number in count() if (name := f"%zero_{number}") not in taken)
    for op in module.walk():
        for region in op.regions:
            for block in region.blocks:
                block.arguments = [(name, _plain(type_)) for name, type_ in block.arguments]
                block.operations = [
                    made
                    for each in block.operations
                    for made in (_rewritten(each, zeros, diagnostics) if _is_concerned(each) else [each])
                ]


def _is_concerned(op: Operation) -> bool:
    return any(map(_has_vectors, (*op.operand_types, *op.result_types, *op.attributes.values()))) and not op.is_broken


def _zero(type_: Any) -> Any:
    """The zero of a type of numbers, or of vectors or tensors of such; None of all others."""
    if isinstance(type_, (Vector, Tensor)):
        zero = _zero(type_.element)
        return None if zero is None or None in (type_.shape or (None,)) else Dense(zero, type_)
    return None if not isinstance(type_, Scalar) else 0.0 if type_.is_float else 0


def _has_vectors(type_: Any) -> bool:
    if isinstance(type_, Function):
        return any(map(_has_vectors, (*type_.inputs, *type_.results)))
    return isinstance(type_, Memref) and isinstance(type_.element, Vector) and type_.layout is None


def _plain(type_: Any) -> Any:
    """The type of memory of a vector's elements, which lie behind each other."""
    if isinstance(type_, Function):
        return Function(tuple(map(_plain, type_.inputs)), tuple(map(_plain, type_.results)))
    if not _has_vectors(type_):
        return type_
    inner, size = type_.element, prod(type_.element.shape)
    strides = tuple(None if each is None else each * size for each in type_.strides)
    return Memref(
        (*type_.shape, *inner.shape),
        inner.element,
        (*strides, *contiguous(inner.shape)),
        None if type_.offset is None else type_.offset * size,
        type_.space,
        has_explicit_strides=type_.has_explicit_strides,
    )


def _accessed(op: Operation) -> Vector | None:
    """The vector of memory that an operation loads or stores."""
    types = op.operand_types if op.name.endswith("store") else [*op.result_types, *op.operand_types]
    match types:
        case [Vector() as vector, Memref(element=element), *_] if element == vector and op.name in _ACCESSES:
            return vector
    return None


def _rewritten(op: Operation, zeros: Iterator[str], diagnostics: Diagnostics) -> list[Operation]:
    vector = _accessed(op)
    if vector is not None:
        zero, rank = next(zeros), len(vector.shape)
        constant = Operation("arith.constant", [], [zero], [], [INDEX], {"value": 0}, location=op.location)
        constant.origin, constant.made_of = op.origin, op.name
        types: list[Any] = [*map(_plain, op.operand_types), *[INDEX] * rank]
        made = replace(op, name=_ACCESSES[op.name], operands=[*op.operands, *[zero] * rank], operand_types=types)
        return [constant, made]
    if op.name not in _SAME:
        diagnostics.report(
            rules.TYPE,
            f"{op.name}: it is of a memref of vectors, which are loaded and stored as a whole",
            op.location,
            "use memref.load and memref.store, or give it a memref of numbers",
        )
        return [replace(op, is_broken=True)]
    operands, results = list(map(_plain, op.operand_types)), list(map(_plain, op.result_types))
    attributes = {name: _plain(value) for name, value in op.attributes.items()}
    return [replace(op, operand_types=operands, result_types=results, attributes=attributes)]
