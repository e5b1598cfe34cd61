"""Collective instructions (manual: Axpby, GEMM, Foreach, Parallel)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..ir.constraints import INTEGER, MEMREF, SCALAR
from ..ir.fields import Flag, Modifier, Operand, OperandList, RegionArgument, RegionPart, SyntaxPart
from ..ir.operation import Check, Operation, Problem, check
from ..ir.registry import instruction
from ..ir.types import Extent, MemrefType, ScalarType, Type, index, promotable, promote
from ..ir.values import Value
from .constants import is_constant

TRANSPOSE = {"n": "the operand as it is", "t": "the operand transposed"}


def transposed(shape: tuple[Extent, ...], transpose: str) -> tuple[Extent, ...]:
    """shape(op(X)): a matrix's shape with its modes exchanged for `t`; other orders as they are."""
    return shape[::-1] if transpose == "t" and len(shape) == 2 else shape


def order_check(code: str, section: str, orders: dict[str, tuple[int, ...]]) -> Check:
    """The rule on how many modes each operand of an instruction has."""
    words = {0: "0", 1: "1", 2: "2"}
    text = ", ".join(f"order({name}) = {' or '.join(words[o] for o in allowed)}" for name, allowed in orders.items())

    @check(code, text, section)
    def orders_match(op: Operation) -> Iterator[Problem]:
        for name, allowed in orders.items():
            type_ = getattr(op, name).type
            if type_.order not in allowed:
                yield Problem(f"{name} is {type_}, of order {type_.order}", part=name)

    return orders_match


def has_orders(op: Operation, **orders: int) -> bool:
    return all(getattr(op, name).type.order == order for name, order in orders.items())


def scalar_checks(
    code_alpha: str, code_beta: str, code_atomic: str, section: str, a: str, b: str | None, c: str
) -> tuple[Check, ...]:
    """The rules on types that all instructions of the form `c := alpha a b + beta c` share."""
    product = f"promote(element_type({a}), element_type({b}))" if b else f"element_type({a})"

    @check(code_alpha, f"type(alpha) ⪯ {product} ⪯ element_type({c})", section)
    def alpha_promotes(op: Any) -> Iterator[Problem]:
        left = getattr(op, a).type.element
        result = getattr(op, c).type.element
        inner: ScalarType | None = left
        if b is not None:
            right = getattr(op, b).type.element
            inner = promote(left, right)
            if inner is None:
                yield Problem(f"promote({left}, {right}) fails: neither represents the other exactly", part=b)
                return
        assert inner is not None
        if not promotable(op.alpha.type, inner):
            yield Problem(f"alpha is {op.alpha.type}, which is not promotable to {inner}", part="alpha")
        if not promotable(inner, result):
            yield Problem(f"{inner} is not promotable to {result}, the element type of {c}", part=c)

    @check(code_beta, f"type(beta) ⪯ element_type({c})", section)
    def beta_promotes(op: Any) -> Iterator[Problem]:
        result = getattr(op, c).type.element
        if not promotable(op.beta.type, result):
            yield Problem(f"beta is {op.beta.type}, which is not promotable to {result}", part="beta")

    @check(code_atomic, "if the atomic flag is set, beta is constant and 0 or 1", section)
    def atomic_beta(op: Any) -> Iterator[Problem]:
        if op.atomic and not (is_constant(op.beta, 0) or is_constant(op.beta, 1)):
            yield Problem("beta of an atomic update is not the constant 0 or 1", part="beta")

    return (alpha_promotes, beta_promotes, atomic_beta)


def literal_of_update(part: str, parts: dict[str, Any], factor: str, target: str) -> Type | None:
    """The type of a literal alpha or beta: the element type of the factor, or of the target."""
    tensor = parts[{"alpha": factor, "beta": target}.get(part, "")] if part in ("alpha", "beta") else None
    return tensor.type.element if isinstance(tensor, Value) and isinstance(tensor.type, MemrefType) else None


@check("PYTL-0320", "shape(B) = shape(op(A)); a static size never equals a dynamic one", "Axpby")
def axpby_shapes(op: Axpby) -> Iterator[Problem]:
    wanted = transposed(op.A.type.shape, op.transpose)
    if op.B.type.shape != wanted:
        yield Problem(f"op(A) is {show_shape(wanted)}, but B is {show_shape(op.B.type.shape)}", part="B")


def show_shape(shape: tuple[Extent, ...]) -> str:
    return "x".join(map(str, shape)) if shape else "a scalar"


@instruction
class Axpby(Operation):
    """`B := alpha op(A) + beta B` for scalars, vectors and matrices; B is not read where beta is the constant 0."""

    mnemonic = "axpby"
    kind = "collective"
    section = "Axpby"
    transpose: Any = Modifier(TRANSPOSE)
    atomic: Any = Flag("B is updated atomically")
    alpha: Any = Operand(SCALAR, "factor of A")
    A: Any = Operand(MEMREF, "what is added")
    beta: Any = Operand(SCALAR, "factor of B")
    B: Any = Operand(MEMREF, "what is updated")
    assembly = "` ` $alpha `, ` $A `, ` $beta `, ` $B"
    rules = (
        order_check("PYTL-0321", "Axpby", {"B": (0, 1, 2)}),
        axpby_shapes,
        *scalar_checks("PYTL-0322", "PYTL-0323", "PYTL-0324", "Axpby", "A", None, "B"),
    )
    reads = ("A", "B")
    writes = ("B",)

    @classmethod
    def literal_type(cls, part: str, parts: dict[str, Any]) -> Type | None:
        return literal_of_update(part, parts, "A", "B")


@check("PYTL-0330", "columns(op1(A)) = rows(op2(B))", "GEMM")
def gemm_inner(op: Gemm) -> Iterator[Problem]:
    if has_orders(op, A=2, B=2, C=2):
        a, b = transposed(op.A.type.shape, op.transpose_a), transposed(op.B.type.shape, op.transpose_b)
        if a[1] != b[0]:
            fix = _transpose_that_fits(op)
            yield Problem(f"columns(op1(A)) = {a[1]}, but rows(op2(B)) = {b[0]}", fix, "B")


@check("PYTL-0331", "rows(C) = rows(op1(A))", "GEMM")
def gemm_rows(op: Gemm) -> Iterator[Problem]:
    if has_orders(op, A=2, B=2, C=2):
        rows = transposed(op.A.type.shape, op.transpose_a)[0]
        if op.C.type.shape[0] != rows:
            yield Problem(f"rows(C) = {op.C.type.shape[0]}, but rows(op1(A)) = {rows}", part="C")


@check("PYTL-0332", "columns(C) = columns(op2(B))", "GEMM")
def gemm_columns(op: Gemm) -> Iterator[Problem]:
    if has_orders(op, A=2, B=2, C=2):
        columns = transposed(op.B.type.shape, op.transpose_b)[1]
        if op.C.type.shape[1] != columns:
            yield Problem(f"columns(C) = {op.C.type.shape[1]}, but columns(op2(B)) = {columns}", part="C")


def _transpose_that_fits(op: Gemm) -> str | None:
    """Which transposes would make all three shapes fit, in the words of text and Python."""
    for ta in "nt":
        for tb in "nt":
            a, b = transposed(op.A.type.shape, ta), transposed(op.B.type.shape, tb)
            if a[1] == b[0] and (a[0], b[1]) == op.C.type.shape:
                operands = f"{'A.T' if ta == 't' else 'A'} and {'B.T' if tb == 't' else 'B'}"
                return f"gemm.{ta}.{tb} fits (in Python: pass {operands})"
    return None


@instruction
class Gemm(Operation):
    """`C := alpha op1(A) op2(B) + beta C`; C is not read where beta is the constant 0."""

    mnemonic = "gemm"
    kind = "collective"
    section = "GEMM"
    transpose_a: Any = Modifier(TRANSPOSE)
    transpose_b: Any = Modifier(TRANSPOSE)
    atomic: Any = Flag("C is updated atomically")
    alpha: Any = Operand(SCALAR, "factor of the product")
    A: Any = Operand(MEMREF, "left factor")
    B: Any = Operand(MEMREF, "right factor")
    beta: Any = Operand(SCALAR, "factor of C")
    C: Any = Operand(MEMREF, "what is updated")
    assembly = "` ` $alpha `, ` $A `, ` $B `, ` $beta `, ` $C"
    rules = (
        order_check("PYTL-0333", "GEMM", {"A": (2,), "B": (2,), "C": (2,)}),
        gemm_inner,
        gemm_rows,
        gemm_columns,
        *scalar_checks("PYTL-0334", "PYTL-0335", "PYTL-0336", "GEMM", "A", "B", "C"),
    )
    reads = ("A", "B", "C")
    writes = ("C",)

    @classmethod
    def literal_type(cls, part: str, parts: dict[str, Any]) -> Type | None:
        if part == "alpha":
            a, b = (literal_of_update("alpha", parts, name, "C") for name in ("A", "B"))
            if isinstance(a, ScalarType) and isinstance(b, ScalarType):
                return promote(a, b) or a  # where that fails, the rule on the types says so
        return literal_of_update(part, parts, "A", "C")


class Names(SyntaxPart):
    """The loop variables."""

    @property
    def grammar(self) -> str:
        return "%variable, …"

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        return parser.comma_separated(parser.local_name, closing=")")

    def print(self, printer: Any, operation: Any) -> None:
        printer.separated(operation.body.arguments, printer.value)


class LoopType(SyntaxPart):
    """The integer type of loop variables and bounds, index where none is written."""

    @property
    def grammar(self) -> str:
        return "integer-type"

    def present(self, operation: Any) -> bool:
        return any(value.type != index for value in operation.body.arguments)

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        return parser.integer_type()

    def print(self, printer: Any, operation: Any) -> None:
        printer.write(str(operation.body.arguments[0].type))


def foreach_arguments(parts: dict[str, Any]) -> list[RegionArgument]:
    type_ = parts.get("loop_type", index)
    return [(name, place, type_) for name, place in parts["loop_variables"]]


@check("PYTL-0340", "the lists of variables, first and last bounds of a foreach have the same length", "Foreach")
def foreach_lengths(op: Foreach) -> Iterator[Problem]:
    lengths = (len(op.body.arguments), len(op.start), len(op.stop))
    if len(set(lengths)) != 1 or lengths[0] == 0:
        yield Problem(f"there are {lengths[0]} variables, {lengths[1]} first and {lengths[2]} last bounds")


@check("PYTL-0341", "the bounds of a foreach have the type of its variables", "Foreach")
def foreach_types(op: Foreach) -> Iterator[Problem]:
    for bounds in (op.start, op.stop):
        for value, variable in zip(bounds, op.body.arguments):
            if value.type != variable.type:
                yield Problem(f"a bound is {value.type}, but the variables are {variable.type}")


@instruction
class Foreach(Operation):
    """Executes its region for every point of a range, in any order, spread over the work-items."""

    mnemonic = "foreach"
    kind = "collective"
    section = "Foreach"
    loop_variables: Any = Names()
    loop_type: Any = LoopType()
    start: Any = OperandList(INTEGER, "first trip counts")
    stop: Any = OperandList(INTEGER, "ends of the trip counts")
    body: Any = RegionPart("spmd", arguments=foreach_arguments)
    assembly = "` (` $loop_variables `)` (`: ` $loop_type)? ` = (` $start `), (` $stop `) ` $body"
    rules = (foreach_lengths, foreach_types)

    @property
    def variables(self) -> list[Value]:
        return self.body.arguments

    @classmethod
    def literal_type(cls, part: str, parts: dict[str, Any]) -> Type | None:
        return parts.get("loop_type", index)


@instruction
class Parallel(Operation):
    """Executes its region by every work-item of the work-group."""

    mnemonic = "parallel"
    kind = "collective"
    section = "Parallel"
    body: Any = RegionPart("spmd")
    assembly = "` ` $body"
