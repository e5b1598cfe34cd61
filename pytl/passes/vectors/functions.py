"""Functions that the library computes, as vectors have them: known by the digest of all of a function's text.

The library computes those of f32 in f64, without multiply-adds and without the bits of numbers, and each range in a
way of its own. Vectors compute one formula in all lanes. Where that does not hold for some lanes, as of very large
angles, these have what the text says, behind a branch that is hardly ever taken. Formulas of f32 are in f64, or are
sums of two numbers of f32, and within the library's bounds; with `fastmath` they are in f32 (`WITH_FASTMATH` of the
library). Those of f64 need multiply-adds that are rounded once, and are the same with `fastmath`.
"""

from __future__ import annotations

from collections.abc import Callable

from ...ir.operation import Operation
from ...ir.types import f32, f64
from ...ir.values import Region, Value
from ...ops.arith import ArithBinary, ArithUnary, Cast, Compare
from ...ops.control import If
from ...process.records import dataclass
from ..targets.machine import Machine
from .code import Code
from .error_function import error_function
from .inverse_trigonometry import arc_cosine, arc_sine, arc_tangent, wide_arc_cosine, wide_arc_sine
from .library import Known, digest_of, needless_for
from .logarithms import binary, natural
from .trigonometry import cosine, sine, tangent

Writer = Callable[[Code, Value, bool], tuple[Value, Value | None]]
"""Writes a function of a vector, with `fastmath` or without: the results, and which lanes have them, if not all do."""

WRITERS: dict[str, Writer] = {
    "04f537cc8beda954": sine,
    "573a2deed973f12f": cosine,
    "843e4c117ea05f85": tangent,
    "cfbfcafe6c7ebf19": natural,
    "5188cef55fad27c9": binary,
    "beb9033378fcdfda": arc_tangent,
    "6b542872821abe57": arc_sine,
    "327ba31cc176f322": arc_cosine,
    "86e963d44b33386c": error_function,
    "d3a761b5d43179f4": wide_arc_sine,
    "e3f8b0a3a2bfdca7": wide_arc_cosine,
}
"""By the digest of what the library computes of an f32, or of an f64."""


@dataclass(frozen=True)
class Function(Known):
    """A function that a region computes."""

    write: Writer


def functions(region: Region, machine: Machine | None) -> list[Function]:
    """Those that a region computes in the library's way; of f64, where multiply-adds are rounded once."""
    has_wide = machine is not None and machine.has_vector_extensions
    found = []
    for op in region.operations:
        argument = _argument(op)
        if argument is None or (argument.type == f64 and not has_wide):
            continue
        only, digest = digest_of(op.results[0], region, argument)
        if only is argument and digest in WRITERS:
            found.append(Function(argument, op, needless_for(region, op, argument), WRITERS[digest]))
    return found


def _argument(op: Operation) -> Value | None:
    """The f32 or f64 whose size decides what an instruction gives, if that is of its type, and one such number is the
    argument.
    """
    if len(op.results) != 1 or op.results[0].type not in (f32, f64):
        return None
    if op.results[0].type == f64:
        return _sized(op.condition) if isinstance(op, If) else None
    chosen = op.operand.owner if isinstance(op, Cast) and op.operand.type == f64 else op
    if not isinstance(chosen, If):
        return None
    compared, widened = [chosen.condition], set[Value]()
    while compared:
        owner = compared.pop().owner
        if isinstance(owner, Cast) and owner.operand.type == f32:
            widened.add(owner.operand)
        elif isinstance(owner, (ArithBinary, ArithUnary, Compare)):
            compared += owner.operands
    return widened.pop() if len(widened) == 1 else None


def _sized(condition: Value) -> Value | None:
    """The f64 whose size is compared."""
    compare = condition.owner
    size = compare.a.owner if isinstance(compare, Compare) else None
    if not isinstance(size, ArithUnary) or size.variant != "abs" or size.a.type != f64:
        return None
    return size.a
