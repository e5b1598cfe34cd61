"""gemm as loops of generated source."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....ir.types import ScalarType, compute_type
from ....ir.values import Value
from ....ops import Gemm
from ....ops.constants import is_constant, zero_of
from ....ops.updates import TRANSPOSES
from . import scalars
from .strategy import Strategy
from .writer import MemrefCode, Writer, literal


def gemm(writer: Writer, strategy: Strategy, op: Gemm) -> None:
    """Every entry of C as a sum of products, kept in a register."""
    A, B, C = (_operand(writer, value) for value in (op.A, op.B, op.C))
    if TRANSPOSES[op.transpose_a]:
        A = _transposed(A)
    if TRANSPOSES[op.transpose_b]:
        B = _transposed(B)
    total = compute_type(C.element)
    with strategy.entries(writer, C.shape, ("i", "j")) as (i, j):
        k = writer.names.fresh("k")

        def factors() -> tuple[str, str]:
            return scalars.cast(A.at(i, k), A.element, total), scalars.cast(B.at(k, j), B.element, total)

        if total.is_complex:
            sum_ = _complex_sum(writer, k, A.shape[1], factors, total)
        else:
            sum_ = writer.names.fresh("sum")
            writer.line(f"{sum_} = {literal(zero_of(total), total)}")
            with writer.block(f"for {k} in range({A.shape[1]}):"):
                writer.line(f"{sum_} = {scalars.multiply_add(*factors(), sum_, total)}")
        _update(writer, op, sum_, C, (i, j))


def _complex_sum(writer: Writer, k: str, count: str, factors: Callable[[], tuple[str, str]], total: ScalarType) -> str:
    """The sum of `count` products, kept as separate parts: the device's compiler crashes on some phis of structs."""
    re, im, a, b = (writer.names.fresh(name) for name in ("sum_re", "sum_im", "a", "b"))
    zero = literal(0.0, total.component)
    writer.line(f"{re}, {im} = {zero}, {zero}")
    with writer.block(f"for {k} in range({count}):"):
        writer.line(f"{a}, {b} = {', '.join(factors())}")
        writer.line(f"{re} = fma(real({a}), real({b}), fma(neg(imag({a})), imag({b}), {re}))")
        writer.line(f"{im} = fma(real({a}), imag({b}), fma(imag({a}), real({b}), {im}))")
    return f"make_complex({re}, {im})"


def _update(writer: Writer, op: Gemm, term: str, target: MemrefCode, indices: Sequence[str]) -> None:
    """`target := alpha * term + beta * target` at one entry; with beta = 0 the target is not read."""
    element, total = target.element, compute_type(target.element)
    if not is_constant(op.alpha, 1):
        alpha = scalars.cast(writer.scalar(op.alpha), _scalar_type(op.alpha.type), total)
        term = scalars.binary("mul", alpha, term, total)
    target_element = target.at(*indices)
    if op.atomic and op.atomic_flag:
        writer.store(op.atomic_flag, target, indices, scalars.rounded(term, element))
        return
    if is_constant(op.beta, 0):
        writer.line(f"{target_element} = {scalars.rounded(term, element)}")
        return
    before = scalars.cast(target_element, element, total)
    if is_constant(op.beta, 1):
        writer.line(f"{target_element} = {scalars.rounded(scalars.binary('add', term, before, total), element)}")
        return
    beta = scalars.cast(writer.scalar(op.beta), _scalar_type(op.beta.type), total)
    # evaluated once, so that the branch below does not duplicate the arithmetic
    name = writer.names.fresh("term")
    writer.line(f"{name} = {term}")
    with writer.block(f"if {writer.scalar(op.beta)} == 0:"):
        writer.store("atomic" if op.atomic else "", target, indices, scalars.rounded(name, element))
    with writer.block("else:"):
        if op.atomic:
            writer.line(f"atomic_scale_add({target.pointer}, {target.offset(indices)}, {name}, {beta})")
        else:
            updated = scalars.multiply_add(beta, before, name, total)
            writer.line(f"{target_element} = {scalars.rounded(updated, element)}")


def _operand(writer: Writer, value: Value) -> MemrefCode:
    return writer.memref(value)


def _transposed(matrix: MemrefCode) -> MemrefCode:
    return MemrefCode(matrix.pointer, matrix.element, matrix.shape[::-1], matrix.strides[::-1])


def _scalar_type(type_: object) -> ScalarType:
    assert isinstance(type_, ScalarType)
    return type_
