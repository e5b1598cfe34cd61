"""Which instructions have vector code on a processor, and what may be the epilogue of a product."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...ir.operation import Operation
from ...ir.types import BoolType, MemrefType, ScalarType, bf16, compute_type, f32, i8, i16, i32
from ...ir.values import Region, Value
from ...ops.arith import ArithBinary, ArithUnary, Cast, Compare
from ...ops.blas import Axpby, Gemm, Gemv, Ger
from ...ops.constants import Constant, are_same, constant_of, is_constant
from ...ops.control import For, If, Yield
from ...ops.launch_defaults import DEFAULT_SUBGROUP_SIZE
from ...ops.math import Math
from ...ops.memory import Load, Store
from ...ops.regions import Foreach
from ...ops.reshape import Expand, Fuse
from ...ops.sums import Cumsum, Sum
from ...ops.updates import TRANSPOSES, Update, is_transposed
from ...ops.views import Size, Subview, root_of
from ..analysis.uniformity import Variation

if TYPE_CHECKING:
    from typing import TypeGuard

_NUMBERS = (Constant, ArithBinary, ArithUnary, Cast, Compare, Math)
_VIEWS = (Subview, Expand, Fuse, Size)
_EXPONENTIALS = ("exp", "native_exp", "exp2", "native_exp2")
MOST_FOR_ALL = 16
"""Instructions of a branch with others in it up to which all lanes execute it, and none asks whether one takes it."""
_FARTHEST = 2**62
"""Up to here, a 64-bit loop variable has room for one more step."""


def has_vector_points(op: Foreach | For, variation: Variation) -> bool:
    """Whether every instruction in a `foreach`, whose values vary as was found, has a form for vectors of points; or in
    a loop, of iterations.
    """
    return _is_legal(op.body, variation)


def _is_legal(region: Region, variation: Variation) -> bool:
    return all(_is_legal_operation(op, variation) for op in region.operations)


def _is_legal_operation(op: Operation, variation: Variation) -> bool:
    if any(not isinstance(v.type, (ScalarType, BoolType, MemrefType)) for v in (*op.operands, *op.results)):
        return False
    if op.differs:
        return False
    if isinstance(op, Store):
        return op.flag == ""
    if isinstance(op, _VIEWS):
        return not variation.vary(op.operands)
    if isinstance(op, For):
        return _has_room(op) and _is_legal(op.body, variation)
    if isinstance(op, If):
        return all(_is_legal(inner, variation) for inner in op.regions)
    return isinstance(op, (*_NUMBERS, Load, Yield))


def _has_room(op: For) -> bool:
    """Whether 64 bits hold the loop's variable, which takes one step beyond the end, and the step is known."""
    step = 1 if op.step is None else constant_of(op.step)
    if step is None or not 0 < step <= _FARTHEST:
        return False
    stop = constant_of(op.stop)
    return step == 1 or op.variable.type.size < 8 or (stop is not None and stop + step <= _FARTHEST)


def is_exponential(op: Math) -> bool:
    """Whether a function of numbers is written out for vectors of any length."""
    type_ = op.result.type
    return op.variant in _EXPONENTIALS and isinstance(type_, ScalarType) and type_.is_floating


def has_register_tiles(op: Gemm) -> bool:
    """Whether a product can be computed by vectors along the rows of its result."""
    return not op.atomic and op.C.type.strides[0] == 1


def pairs_for(op: Gemm) -> ScalarType | None:
    """The type of pairs of factors that an instruction could multiply at once; None where there is none.

    i32 are summed of factors that i16 holds, and f32 of bf16.
    """
    factors = {factor.type.element for factor in (op.A, op.B)}
    if op.C.type.element == i32 and factors <= {i8, i16}:
        return i16
    return bf16 if factors == {bf16} and compute_type(op.C.type.element) == f32 else None


def has_pairs(op: Gemm) -> bool:
    """Whether the numbers of a product's right factor lie in memory as pairs that could be multiplied at once."""
    is_in_columns = not TRANSPOSES[op.transpose_b] and op.B.type.element == pairs_for(op) and op.B.type.strides[0] == 1
    is_in_rows = not TRANSPOSES[op.transpose_a] and op.A.type.strides[0] == 1
    return is_in_columns and is_in_rows


def has_subgroup_blocks(op: Operation) -> TypeGuard[Gemm | Gemv | Ger]:
    """Whether many work-items compute an instruction by blocks, whose sums stay in registers of a sub-group."""
    return isinstance(op, (Gemm, Gemv, Ger)) and not op.atomic


def has_subgroup_sums(op: Operation) -> TypeGuard[Gemv | Sum | Cumsum]:
    """Whether the work-items of a sub-group add up an instruction's sums together: the numbers of each are contiguous,
    or, of cumulative sums, there are fewer of these than work-items.

    There are enough numbers for all work-items of a sub-group of the usual size.
    """
    if not isinstance(op, (Gemv, Sum, Cumsum)) or op.atomic:
        return False
    type_, mode = op.A.type, summed_mode(op)
    if isinstance(type_.shape[mode], int) and type_.shape[mode] < DEFAULT_SUBGROUP_SIZE:
        return False
    if isinstance(op, Cumsum):
        return bool(type_.strides[mode] == 1) or _has_few_lines(type_, mode)
    return (type_.order == 1 or is_transposed(op, "A")) and type_.strides[0] == 1


def _has_few_lines(type_: MemrefType, mode: int) -> bool:
    """Whether lines along a mode are too few to keep half of a sub-group busy, if work-items have one each."""
    known = [n for n in (*type_.shape[:mode], *type_.shape[mode + 1 :]) if isinstance(n, int)]
    return len(known) == type_.order - 1 and 2 * math.prod(known) < DEFAULT_SUBGROUP_SIZE


def summed_mode(op: Gemv | Sum | Cumsum) -> int:
    """The mode of a tensor along which the work-items of a sub-group add up numbers together."""
    return int(op.mode) if isinstance(op, Cumsum) else 0


def accumulates(before: Gemm, op: Gemm) -> bool:
    """Whether a product adds to the result of the product before it, so that both are summed in the same registers.

    f16 and bf16 are rounded in memory, and not in registers.
    """
    is_added = before.C is op.C and is_constant(op.beta, 1) and op.C.type.element.size > 2
    return is_added and are_same(op.alpha, before.alpha)


def covers(op: Foreach, tensor: Value) -> bool:
    """Whether a `foreach` runs over the elements of a tensor, of a size that is known."""
    bounds = [(constant_of(a), constant_of(b)) for a, b in zip(op.start, op.stop)]
    return bounds == [(0, extent) for extent in tensor.type.shape]


def is_epilogue(op: Foreach, product: Gemm) -> bool:
    """Whether a `foreach` is an epilogue of a product: it covers exactly the product's result, element by element.

    The `foreach` may read other arrays, and write elements of others at its own point, which it does not read
    elsewhere.
    """
    target = product.C
    if not covers(op, target):
        return False
    accesses = [inner for inner in op.body.walk() if isinstance(inner, (Load, Store))]
    own = {target, *written_by(op)}
    roots = [root_of(tensor) for tensor in own]
    for inner in op.body.walk():
        if not isinstance(inner, (Load, Store)):
            if not own.isdisjoint(inner.operands):
                return False
        elif list(inner.indices) != op.variables if inner.tensor in own else root_of(inner.tensor) in roots:
            return False
    has_columns = all(tensor.type.strides[0] == 1 for tensor in own)
    return has_columns and len({*roots}) == len(own) and any(inner.tensor is target for inner in accesses)


def written_by(op: Foreach) -> list[Value]:
    """What a `foreach` stores to, in order."""
    return [*dict.fromkeys(inner.tensor for inner in op.body.walk() if isinstance(inner, Store))]


def sums_rows(op: Gemv | Sum) -> bool:
    """Whether an instruction sums the rows of a matrix, in vectors of rows; else it sums columns, or a vector."""
    return bool(op.A.type.order == 2 and not TRANSPOSES[op.transpose])


def multiply_one_matrix(operations: Sequence[Operation]) -> bool:
    """Whether instructions sum the columns of one matrix, multiplied by a vector each, with results of one type."""
    products = [op for op in operations if isinstance(op, Gemv) and not sums_rows(op)]
    are_alike = len({(op.A, op.c.type.element) for op in products}) == 1
    return are_alike and len(products) == len(operations) and all(map(has_vector_code, operations))


def has_vector_code(op: Operation) -> TypeGuard[Update]:
    """Whether a collective instruction does not become a `foreach`, because it has better vector code of its own."""
    if isinstance(op, Axpby):
        is_transposed = TRANSPOSES[op.transpose] and op.A.type.order == 2
        return is_transposed and not op.atomic and op.A.type.strides[0] == 1 and op.B.type.strides[0] == 1
    if isinstance(op, Cumsum):
        return op.mode == 0 and not op.atomic and op.A.type.strides[0] == 1 and op.B.type.strides[0] == 1
    if isinstance(op, (Gemv, Sum)) and not op.atomic:
        contiguous = [op.A]
        if sums_rows(op):
            contiguous.append(op.updated)
        elif isinstance(op, Gemv):
            contiguous.append(op.b)
        return all(tensor.type.strides[0] == 1 for tensor in contiguous)
    return False
