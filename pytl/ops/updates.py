"""What the collective instructions of the form `target := alpha … + beta target` share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from ..ir.meanings import Meanings
from ..ir.operation import Check, Operation, Problem, check
from ..ir.types import Extent, MemrefType, ScalarType, Type, promotable, promote
from ..ir.values import Value
from .constants import is_constant

TRANSPOSE = {"n": "the operand as it is", "t": "the operand transposed"}
TRANSPOSES: Meanings[str, bool] = Meanings("op(X)", {"n": False, "t": True})
"""Whether op(X) exchanges the modes of a matrix."""

SINCE_03 = "v03"
"""The word of what the manual has not, and the Tiny Tensor Compiler's release 0.3 has."""
ANY_BETA = "behind `.atomic`: beta is any number, as in the release 0.3"


def transposed(shape: tuple[Extent, ...], transpose: str) -> tuple[Extent, ...]:
    """shape(op(X)): a matrix's shape with its modes exchanged for `t`; other orders as they are."""
    return shape[::-1] if TRANSPOSES[transpose] and len(shape) == 2 else shape


def order_check(
    code: str, section: str, orders: dict[str, tuple[int, ...]], fix: Callable[[Any], str | None] | None = None
) -> Check:
    """The rule on how many modes each operand of an instruction has. `fix(instruction)` may say what would help."""
    words = {0: "0", 1: "1", 2: "2"}
    text = ", ".join(f"order({name}) = {' or '.join(words[o] for o in allowed)}" for name, allowed in orders.items())

    @check(code, text, section, is_basic=True)
    def orders_match(op: Operation) -> Iterator[Problem]:
        for name, allowed in orders.items():
            type_ = getattr(op, name).type
            if type_.order not in allowed:
                yield Problem(f"{name} is {type_}, of order {type_.order}", fix(op) if fix else None, name)

    return orders_match


_TERM = re.compile(r"(rows|columns|shape)\((?:op\d?\()?(\w+)\)?\)")


def size_check(code: str, text: str, section: str, part: str, fix: Callable[[Any], str | None] | None = None) -> Check:
    """The rule that two sizes agree, evaluated as the manual writes it: `columns(op1(A)) = rows(op2(B))`.

    A static size never equals a dynamic one. `part` is the operand to point at; `fix(instruction)` may say what
    would help.
    """
    left, right = text.split(" = ")

    @check(code, text, section)
    def sizes_match(op: Operation) -> Iterator[Problem]:
        sizes = [_size(op, term) for term in (left, right)]
        if None not in sizes and sizes[0] != sizes[1]:
            yield Problem(f"{left} = {sizes[0]}, but {right} = {sizes[1]}", fix(op) if fix else None, part)

    return sizes_match


def modes_of(op: Operation, term: str) -> list[tuple[str, int]] | None:
    """The operand and its modes that `rows(op1(A))` or `shape(A)` names of an instruction; None for other texts."""
    match = _TERM.fullmatch(term)
    if match is None:
        return None
    extents, name = match.groups()
    modes = range(getattr(op, name).type.order)
    if len(modes) == 2 and "op" in term and is_transposed(op, name):
        modes = modes[::-1]
    selected = {"rows": slice(0, 1), "columns": slice(1, 2), "shape": slice(None)}[extents]
    return [(name, mode) for mode in modes[selected]]


def _size(op: Operation, term: str) -> Extent | None:
    """What `rows(op1(A))` is of an instruction; None where the operand has no such mode."""
    modes = modes_of(op, term)
    assert modes is not None, term
    return getattr(op, modes[0][0]).type.shape[modes[0][1]] if modes else None


def is_transposed(op: Any, name: str) -> bool:
    """Whether op(X) exchanges an operand's modes: `transpose_a` is for A, a lone `transpose` for the only factor."""
    for modifier in (f"transpose_{name.lower()}", "transpose"):
        if modifier in op.parts:
            return TRANSPOSES[getattr(op, modifier)]
    return False


def scalar_checks(
    code_alpha: str, code_beta: str, code_atomic: str | None, section: str, a: str, b: str | None, c: str
) -> tuple[Check, ...]:
    """The rules on types that all instructions of the form `c := alpha a b + beta c` share.

    Without `code_atomic`, the instruction has no atomic flag.
    """
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

    if code_atomic is None:
        return (alpha_promotes, beta_promotes)

    text = f"if the atomic flag is set, beta is constant and 0 or 1; behind the flag, {SINCE_03} allows any other"

    @check(code_atomic, text, section)
    def atomic_beta(op: Any) -> Iterator[Problem]:
        if op.any_beta and not op.atomic:
            yield Problem(f"{SINCE_03} is there, but no atomic flag", "beta may be any number without both")
        if op.atomic and not op.any_beta and op.atomic_flag is None:
            help = f'write .atomic.{SINCE_03} (in Python: any_beta=True), or read a text of 0.3 with language="0.3"'
            yield Problem("beta of an atomic update is not the constant 0 or 1", help, "beta")

    return (alpha_promotes, beta_promotes, atomic_beta)


class Update(Operation):
    """`target := alpha f(factors) + beta target`; the target is not read where beta is the constant 0.

    That holds where a factor overlaps the target, too: the right-hand side is that of the memory before.
    """

    kind = "collective"
    factors: ClassVar[tuple[str, ...]] = ()
    """The operands that the target is computed from."""
    target: ClassVar[str] = ""
    """The operand that is updated."""
    beta: Any
    atomic: Any = False
    """Whether each element is updated atomically; instructions without the flag have no such form."""
    any_beta: Any = False
    """Whether the rule on beta of atomic updates is left out."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.reads = (*cls.factors, cls.target)
        cls.writes = (cls.target,)

    @property
    def updated(self) -> Value:
        """The memref that is updated."""
        value: Value = getattr(self, self.target)
        return value

    @property
    def reads_target(self) -> bool:
        """Whether what the target holds may matter."""
        return not is_constant(self.beta, 0)

    @property
    def atomic_flag(self) -> str | None:
        """How a store updates an element atomically, by its flag; None where beta is neither the constant 0 nor 1."""
        if is_constant(self.beta, 0):
            return "atomic"
        return "atomic_add" if is_constant(self.beta, 1) else None

    def equal_terms(self) -> Iterator[list[tuple[str, list[tuple[str, int]]]]]:
        """The terms of each rule that says that sizes are equal, as `rows(C)`, with the modes that they name."""
        for rule_check in self.rules:
            named = [(term, modes_of(self, term)) for term in rule_check.rule.text.partition(";")[0].split(" = ")]
            terms = [(term, modes) for term, modes in named if modes is not None]
            if len(terms) == len(named) > 1:
                yield terms

    def equal_modes(self) -> Iterator[list[tuple[str, int]]]:
        """Modes of operands that have one size, as the rules say: each an operand's name and a mode."""
        for terms in self.equal_terms():
            for modes in zip(*(modes for _, modes in terms)):
                yield list(modes)

    def allows_in_place(self, factor: str) -> bool:
        """Whether a factor may be the target itself, element for element, in whatever order these are computed."""
        return False

    @classmethod
    def literal_type(cls, part: str, parts: dict[str, Any]) -> Type | None:
        if part == "beta":
            return _element(parts[cls.target])
        if part != "alpha":
            return None
        elements = [_element(parts[name]) for name in cls.factors]
        first, last = elements[0], elements[-1]
        # where promote fails, the rule on the types says so
        return promote(first, last) or first if first and last else first


def _element(tensor: Any) -> ScalarType | None:
    return tensor.type.element if isinstance(tensor, Value) and isinstance(tensor.type, MemrefType) else None


def show_shape(shape: tuple[Extent, ...]) -> str:
    return "x".join(map(str, shape)) if shape else "a scalar"
