"""canonicalize: constant folding, common subexpressions, dead code, and loops and branches that are known.

An iteration goes through the function once, in order, with the table of what is computed already, and then removes dead
code. Iterations follow until one changes nothing; code without loops and branches is settled by the first. `fold` gives
the constant that an instruction becomes, `identities` the simpler value or instruction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..ir.operation import Operation
from ..ir.types import ScalarType, Type, component_type
from ..ir.values import Function, Region, Value
from ..ops import ArithBinary, ArithUnary, Constant, For, If, Load, Store, SubgroupBroadcast, SubgroupOperation, Yield
from ..ops.constants import constant_of
from ..ops.control import terminator
from ..process.records import dataclass
from .analysis.uses import replace_uses
from .deadcode import remove_dead
from .fold import fold
from .identities import simpler
from .manager import Pass, register


@register
@dataclass(frozen=True)
class Canonicalize(Pass):
    """Folds with the language's own widths, merges common subexpressions, removes what has no effect.

    A load of what was stored just before it is the number that was stored.

    With `unsafe_fp_math`, floating and complex numbers are treated as real ones: sums and products are regrouped,
    a division by a constant becomes a product, and results that differ only in a nan, an infinity or the sign of a zero
    count as equal.
    """

    name = "canonicalize"
    of_called = True
    unsafe_fp_math: bool = False

    def run(self, function: Function) -> None:
        changed = True
        while changed:
            round_ = _Sweep(self.unsafe_fp_math)
            round_.simplify(function.body)
            replace_uses(function.body, round_.replaced)
            removed = remove_dead(function)
            changed = round_.changed or removed


class _Known:
    """The pure instructions whose results are visible, by what they compute; scopes open and close with regions."""

    def __init__(self) -> None:
        self._table: dict[Any, Operation] = {}
        self._scopes: list[list[Any]] = []

    def enter(self) -> None:
        self._scopes.append([])

    def leave(self) -> None:
        for key in self._scopes.pop():
            del self._table[key]

    def first(self, op: Operation) -> Operation:
        """The earlier instruction that computes the same; else this one, which is remembered."""
        key = _key(op)
        if isinstance(op, (SubgroupBroadcast, SubgroupOperation)):
            # the result of an exchange depends on which work-items take part; another region may change that
            key = (len(self._scopes), *key)
        twin = self._table.setdefault(key, op)
        if twin is op:
            self._scopes[-1].append(key)
        return twin


def _key(op: Operation) -> tuple[Any, ...]:
    if isinstance(op, ArithBinary) and _commutes(op):
        return (ArithBinary, op.variant, frozenset((op.a, op.b)), op.result.type)
    return op.key()


def _commutes(op: ArithBinary) -> bool:
    # which zero min(-0.0, 0.0) gives may depend on the order
    type_ = component_type(op.a.type)
    exact = not isinstance(type_, ScalarType) or type_.is_integer
    return op.variant in ("add", "mul") or (exact and op.variant in ("and", "or", "xor", "min", "max"))


class _Sweep:
    """One iteration over a function."""

    def __init__(self, unsafe: bool) -> None:
        self.unsafe = unsafe
        self.changed = False
        self.replaced: dict[Value, Value] = {}
        """The replacements of values that are no longer computed."""
        self._known = _Known()
        self._stored: dict[tuple[Value, ...], Value] = {}
        """What was stored last, by the tensor and the indices; nothing where memory may have another value by now."""
        self._output: list[Operation] = []

    def simplify(self, region: Region) -> None:
        outer, self._output = self._output, []
        self._known.enter()
        self._stored = {}
        for op in region.operations:
            self._visit(op)
        self._known.leave()
        self._stored = {}
        region.operations, self._output = self._output, outer

    def constant(self, source: Operation, type_: Type, literal: Any, name: str | None = None) -> Value:
        """A constant in front of the next instruction."""
        return self.emit(Constant(source.location, [type_], [name], literal=literal))

    def emit(self, op: Operation) -> Value:
        """The result of an instruction that is put in front of the next one, after simplification."""
        self._visit(op)
        return self._now(op.results[0])

    def _now(self, value: Value) -> Value:
        while value in self.replaced:
            value = self.replaced[value]
        return value

    def _replace(self, values: Sequence[Value], by: Sequence[Value]) -> None:
        self.replaced.update((value, self._now(other)) for value, other in zip(values, by))
        self.changed = True

    def _visit(self, op: Operation) -> None:
        if self.replaced:
            op.replace_operands(self._now)
        if isinstance(op, If) and constant_of(op.condition) is not None:
            self._inline(op, op.then_body if constant_of(op.condition) else op.else_body)
        elif isinstance(op, For) and op.trips == 0:
            self._replace(op.results, op.inits)
        elif isinstance(op, For) and op.trips == 1:
            self._replace(op.body.arguments, [op.start, *op.inits])
            self._inline(op, op.body)
        elif op.pure or (isinstance(op, Load) and op.is_item):
            self._compute(op)
        elif isinstance(op, Load) and (op.tensor, *op.indices) in self._stored:
            self._replace([op.result], [self._stored[(op.tensor, *op.indices)]])
        else:
            if not isinstance(op, Load):
                is_plain = isinstance(op, Store) and op.flag == ""
                self._stored = {(op.tensor, *op.indices): op.data} if is_plain else {}  # type: ignore[attr-defined]
            if isinstance(op, For):
                self._resolve_carried(op)
            self._output.append(op)
            for inner in op.regions:
                self.simplify(inner)
            if isinstance(op, If):
                self._resolve_yields(op)

    def _inline(self, op: Operation, region: Region | None) -> None:
        """Inline a region of an instruction in its place."""
        self.changed = True
        for inner in region.operations if region is not None else ():
            if isinstance(inner, Yield):
                self._replace(op.results, inner.operands)
            else:
                self._visit(inner)

    def _compute(self, op: Operation) -> None:
        literal = None if isinstance(op, Constant) else fold(op)
        if literal is not None:
            result = op.results[0]
            self._replace([result], [self.constant(op, result.type, literal, result.name)])
            return
        same = simpler(op, self.unsafe, self)
        if same is not None:
            self._replace(op.results, [same])
            return
        twin = self._known.first(op)
        if twin is op:
            self._output.append(op)
        else:
            _prefer_name(twin.results[0], op.results[0])
            self._replace(op.results, twin.results)

    def _resolve_carried(self, op: For) -> None:
        """Replace what a loop carries without ever changing it by its initial value."""
        for carried, result, init, yielded in zip(op.carried, op.results, op.inits, op.yielded):
            if self._now(yielded) in (carried, init):
                self._replace([carried, result], [init, init])

    def _resolve_yields(self, op: If) -> None:
        """Replace a result that both branches give alike: a value from outside, a constant, or the condition itself."""
        if not op.results or op.else_body is None:
            return
        last = terminator(op.then_body), terminator(op.else_body)
        assert last[0] is not None and last[1] is not None, "branches that return values yield"
        for result, a, b in zip(op.results, last[0].yielded, last[1].yielded):
            known, other = constant_of(a), constant_of(b)
            if a is b:
                self._replace([result], [a])
            elif known is None or other is None:
                continue
            elif repr(known) == repr(other):  # 0.0 and -0.0 are equal, but not the same
                self._replace([result], [self.constant(op, result.type, known, result.name)])
            elif known is True:
                self._replace([result], [op.condition])
            elif known is False:
                negated = ArithUnary(op.location, [result.type], [result.name], variant="not", a=op.condition)
                self._replace([result], [self.emit(negated)])


def _prefer_name(remaining: Value, dropped: Value) -> None:
    if remaining.name is None:
        remaining.name = dropped.name
