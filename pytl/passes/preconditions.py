"""What a function demands of its arguments wherever it is executed: indices within modes, and sizes that are equal.

Only instructions that every work-group executes are analysed. An instruction in an `if` depends on a condition, and
a value that depends on data is unknown beforehand; both are left to the checks during execution. An index is followed
back through integer arithmetic to what is known when arguments are bound: sizes and strides of the parameters, numbers
that are passed, the number of work-groups, and the work-group's own number. It may depend on the variables of loops
whose bounds are known likewise; then the demand has these loops.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, takewhile
from typing import Any

from ..diagnostics import Location
from ..ir.operation import Operation
from ..ir.types import GroupType, MemrefType, ScalarType
from ..ir.values import Function, Region, Value
from ..ops import (
    ArithBinary,
    ArithUnary,
    Associated,
    Builtin,
    Cast,
    Constant,
    Expand,
    Expandc2r,
    For,
    Foreach,
    ForeachTile,
    Fuse,
    If,
    LifetimeStop,
    Load,
    Size,
    Subview,
    Update,
)
from ..ops.preconditions import Number
from ..ops.preconditions import Size as Extent
from ..ops.preconditions import preconditions_of as demands_of
from ..ops.views import root_of, viewed_by, views_behind
from .precondition_terms import GROUP_ID, ONE, Equal, Expr, Guards, Loop, Loops, Precondition, Within, constant

MAX_NODES = 64
"""The largest number of parts of an expression; a longer one counts as unknown."""
MAX_LOOPS = 4
"""No demands are made on what varies in more loops than these."""
MAX_LOOPED = 256
"""Demands of a function that depend on loops; others are not made."""
_ARITHMETIC = frozenset({"add", "sub", "mul", "div", "rem", "min", "max"})


def preconditions_of(function: Function) -> dict[Precondition, Location | None]:
    """All demands of a function, each with the place of the first instruction that makes it."""
    finder = _Finder(function)
    finder.visit(function.body, ())
    return finder.preconditions


def distributed_iterations_of(function: Function) -> Expr | None:
    """Where a kernel's work-groups deal out the iterations of a loop among them, the number of iterations.

    None where there is no such loop, or the number of its iterations is unknown.
    """
    loop = distributed_loop(function)
    return None if loop is None else _Finder(function).number(loop.stop)


def distributed_loop(function: Function) -> For | None:
    """The first loop from a work-group's number on, by the number of work-groups."""
    for op in function.body.operations:
        if isinstance(op, For) and [_builtin(op.start), _builtin(op.step)] == ["group_id", "group_size"]:
            return op
    return None


def _builtin(value: Value | None) -> str | None:
    op = None if value is None else value.owner
    return op.variant if isinstance(op, Builtin) else None


class _Finder:
    """One walk through the instructions that every work-group executes."""

    def __init__(self, function: Function) -> None:
        self.preconditions: dict[Precondition, Location | None] = {}
        self._positions = {parameter: position for position, parameter in enumerate(function.parameters)}
        self._known: dict[Any, Expr | None] = {}
        self._variables = 0
        self._looped = 0
        self._accessed: set[Value] = set()
        self._accessed_in_branches: set[Value] = set()
        self._find_accessed(function.body, self._accessed)

    def _find_accessed(self, region: Region, accessed: set[Value]) -> None:
        """Find the memrefs that are accessed, also through views: by what no branch decides about, and in branches."""
        for op in region.operations:
            if op.view_of is None and not isinstance(op, (Size, LifetimeStop, Associated)):
                for value in op.operands:
                    if isinstance(value.type, MemrefType):
                        behind = chain([value], map(viewed_by, views_behind(value)))
                        accessed.update(takewhile(lambda memref: memref not in accessed, behind))
            for inner in op.regions:
                self._find_accessed(inner, self._accessed_in_branches if isinstance(op, If) else accessed)

    def visit(self, region: Region, guards: Guards, loops: Loops = ()) -> None:
        for op in region.operations:
            for value in op.results:  # so that no look-up recurses deeply
                if isinstance(value.type, ScalarType) and value.type.is_integer:
                    self.number(value)
                elif isinstance(value.type, MemrefType):
                    for mode in range(value.type.order):
                        self.size(value, mode), self.stride(value, mode)
            for precondition in self._of_operation(op):
                self._add(precondition, op, guards, loops)
            if isinstance(op, If):
                continue
            inner = self._guards(op)
            if inner is not None:
                within = loops + self._loops(op, is_outermost=not loops)
                for inside in op.regions:
                    self.visit(inside, guards + inner, within)

    def _add(self, precondition: Precondition, op: Operation, guards: Guards, loops: Loops) -> None:
        is_looped = any(
            e.in_loop for e in (*precondition.expressions, *(bound for loop in loops for bound in loop.bounds))
        )
        if not is_looped:
            self.preconditions.setdefault(replace(precondition, guards=guards), op.location)
            return
        if isinstance(op, Subview) and op.result not in self._accessed:
            return  # a view may be formed out of bounds
        bounds = (bound for loop in loops for bound in loop.bounds)
        read = {part.parts[0] for e in (*precondition.expressions, *bounds) for part in e.walk() if part.kind == "loop"}
        precondition = replace(
            precondition, loops=tuple(loop for loop in loops if loop.number in read or not loop.is_executed)
        )
        if len(read) > MAX_LOOPS or precondition in self.preconditions or self._looped >= MAX_LOOPED:
            return
        self._looped += 1
        self.preconditions[precondition] = op.location

    def _loops(self, op: Operation, is_outermost: bool) -> Loops:
        """The loops of an instruction, whose variables are known from now on."""
        if not isinstance(op, (For, Foreach)):
            return ()
        if isinstance(op, For):
            bounds = [(op.variable, op.start, op.stop, op.step)]
        else:
            bounds = [(*each, None) for each in zip(op.variables, op.start, op.stop)]
        loops = []
        for variable, *limits in bounds:
            start, stop, step = (self.number(1 if each is None else each) for each in limits)
            assert start is not None and stop is not None
            if is_outermost and start == GROUP_ID and step == Expr("group_size"):
                start, step = constant(0), ONE  # the work-groups share the iterations out
            if step is None:
                continue
            self._variables += 1
            self._known[variable] = Expr("loop", (self._variables,))
            loops.append(Loop(self._variables, start, stop, step))
        return tuple(loops)

    def _guards(self, op: Operation) -> Guards | None:
        """The bounds that decide whether a loop's body is executed at all; None where they are unknown."""
        if not isinstance(op, (For, Foreach, ForeachTile)):
            return ()
        starts, stops = ([op.start], [op.stop]) if isinstance(op, For) else (op.start, op.stop)
        bounds = [(self.number(start), self.number(stop)) for start, stop in zip(starts, stops)]
        known = []
        for start, stop in bounds:
            if start is None or stop is None:
                return None
            if start.constant is None or stop.constant is None:
                known.append((start, stop))
            elif start.constant >= stop.constant:
                return None
        return tuple(known)

    # What instructions demand.

    def _of_operation(self, op: Operation) -> Iterator[Precondition]:
        for demand in demands_of(op):
            if demand.test in ("index", "slice", "block"):
                first, *width, extent = demand.numbers
                assert isinstance(extent, Extent)
                for within in self._within(first, width[0] if width else 1, extent):
                    yield replace(within, view=self._view(op.result)) if isinstance(op, Subview) else within
        if isinstance(op, Update):
            yield from self._update(op)
        elif isinstance(op, Expand):
            yield from self._expand(op)
        elif isinstance(op, Fuse):
            yield from self._fuse(op)

    def _view(self, view: Value) -> str:
        if view in self._accessed:
            return "accessed"
        return "branch" if view in self._accessed_in_branches else "unused"

    def _within(self, index: Number, width: Number, extent: Extent) -> Iterator[Within]:
        first, count, size = self.number(index), self.number(width), self.number(extent)
        if first is None or count is None or size is None:
            return
        if None in (first.constant, count.constant, size.constant):  # else the instruction's own rules check it
            tensor, mode = extent.tensor, None if isinstance(extent.tensor.type, GroupType) else extent.mode
            yield Within(first, count, size, _name(tensor), mode, tensor in self._positions)

    def _update(self, op: Update) -> Iterator[Equal]:
        for modes in op.equal_modes():
            sizes = [(self.size(getattr(op, name), mode), name, mode) for name, mode in modes]
            first, *others = sizes
            for other in others:
                if first[0] is not None and other[0] is not None and first[0] != other[0]:
                    called = [_operand(op, name, mode) for _, name, mode in (first, other)]
                    yield from _equal(first[0], other[0], (called[0], called[1]), op.display_name)

    def _expand(self, op: Expand) -> Iterator[Equal]:
        product = self._product([self.number(bound) for bound in op.expand_shape])
        extent = self.size(op.tensor, op.mode)
        if product is not None and extent is not None:
            names = ("the product of the expand shape", f"the size of mode {op.mode} of {_name(op.tensor)}")
            yield from _equal(product, extent, names, op.display_name)

    def _fuse(self, op: Fuse) -> Iterator[Equal]:
        for mode in range(op.first, op.last):
            end = self._product([self.stride(op.tensor, mode), self.size(op.tensor, mode)])
            begin, size = self.stride(op.tensor, mode + 1), self.size(op.tensor, mode + 1)
            if end is not None and begin is not None and size is not None:
                names = (f"the end of mode {mode}", f"the stride of mode {mode + 1} of {_name(op.tensor)}")
                for precondition in _equal(end, begin, names, op.display_name):
                    yield replace(precondition, unless=size)

    # What is known.

    def number(self, value: Number) -> Expr | None:
        """The integer as an expression; None where it is unknown before the launch."""
        if isinstance(value, Extent):
            of_group = isinstance(value.tensor.type, GroupType)
            return self.count(value.tensor) if of_group else self.size(value.tensor, value.mode)
        if not isinstance(value, Value):
            return constant(value)
        if value not in self._known:
            self._known[value] = _short(self._follow(value))
        return self._known[value]

    def _follow(self, value: Value) -> Expr | None:
        op, type_ = value.owner, value.type
        if not (isinstance(type_, ScalarType) and type_.is_integer):
            return None
        if op is None:
            position = self._positions.get(value)
            return None if position is None else Expr("number", (position,))
        if isinstance(op, Constant):
            return constant(op.literal)
        if isinstance(op, Builtin) and op.variant in ("group_id", "group_size"):
            return Expr(op.variant)
        if isinstance(op, Size):
            return self.count(op.tensor) if isinstance(op.tensor.type, GroupType) else self.size(op.tensor, op.mode)
        if isinstance(op, Cast):
            inner = self.number(op.operand)
            return None if inner is None else _binary("add", inner, constant(0), type_.bits)
        if isinstance(op, ArithUnary) and op.variant == "neg":
            inner = self.number(op.a)
            return None if inner is None else _binary("sub", constant(0), inner, type_.bits)
        if isinstance(op, ArithBinary) and op.variant in _ARITHMETIC:
            left, right = self.number(op.a), self.number(op.b)
            return None if left is None or right is None else _binary(op.variant, left, right, type_.bits)
        return None

    def count(self, group: Value) -> Expr | None:
        """How many items a group has."""
        if isinstance(group.type.count, int):
            return constant(group.type.count)
        return Expr("count", (self._positions[group],)) if group in self._positions else None

    def size(self, tensor: Value, mode: int) -> Expr | None:
        """The size of a mode."""
        return self._of_mode(tensor, mode, "size", tensor.type.shape[mode])

    def stride(self, tensor: Value, mode: int) -> Expr | None:
        """The stride of a mode, in elements."""
        return self._of_mode(tensor, mode, "stride", tensor.type.strides[mode])

    def _of_mode(self, tensor: Value, mode: int, what: str, declared: Any) -> Expr | None:
        if isinstance(declared, int):
            return constant(declared)
        key = (tensor, mode, what)
        if key not in self._known:
            self._known[key] = _short(self._follow_mode(tensor, mode, what))
        return self._known[key]

    def _follow_mode(self, tensor: Value, mode: int, what: str) -> Expr | None:
        view = tensor.owner
        of = self.size if what == "size" else self.stride
        if view is None:
            return Expr(what, (self._positions[tensor], mode)) if tensor in self._positions else None
        if isinstance(view, Load) and view.is_item:
            item = self.number(view.indices[0])
            if item is None or view.tensor not in self._positions:
                return None
            return Expr(f"item_{what}", (self._positions[view.tensor], mode, item))
        if isinstance(view, Subview):
            modes = [number for number, piece in enumerate(view.slices) if piece.keeps_mode]
            size = view.slices[modes[mode]].size
            return self.number(size) if what == "size" else of(view.tensor, modes[mode])
        if isinstance(view, Expand):
            last = view.mode + len(view.expand_shape) - 1
            if not view.mode <= mode <= last:
                return of(view.tensor, mode if mode < view.mode else mode - last + view.mode)
            if what == "size":
                return self.number(view.expand_shape[mode - view.mode])
            inner = [self.number(bound) for bound in view.expand_shape[: mode - view.mode]]
            return self._product([of(view.tensor, view.mode), *inner])
        if isinstance(view, Expandc2r):
            expression = of(view.tensor, mode - 1) if mode else None
            return expression if what == "size" else self._product([expression, constant(2)])
        if isinstance(view, Fuse):
            if mode != view.first:
                return of(view.tensor, mode if mode < view.first else mode + view.last - view.first)
            if what == "stride":
                return of(view.tensor, mode)
            return self._product([of(view.tensor, m) for m in range(view.first, view.last + 1)])
        return None

    def _product(self, factors: Sequence[Expr | None]) -> Expr | None:
        product: Expr | None = ONE
        for factor in factors:
            if product is None or factor is None:
                return None
            product = _short(_binary("mul", product, factor, 64))
        return product


def _equal(left: Expr, right: Expr, names: tuple[str, str], word: str) -> Iterator[Equal]:
    if left != right and (left.constant is None or right.constant is None):
        yield Equal(left, right, names, word)


def _operand(op: Update, name: str, mode: int) -> str:
    """What a message calls the size of an operand's mode."""
    passed = _name(getattr(op, name))
    return f"mode {mode} of {name}" + ("" if passed == name else f" ({passed})")


def _binary(variant: str, left: Expr, right: Expr, bits: int) -> Expr:
    if (variant == "add" and right.constant == 0 and bits == 64) or (variant == "mul" and right.constant == 1):
        return left
    if variant == "mul" and left.constant == 1:
        return right
    return Expr(variant, (left, right), bits)


def _short(expression: Expr | None) -> Expr | None:
    """An expression, or None for one that is too large."""
    if expression is None or sum(1 for _ in expression.walk()) > MAX_NODES:
        return None
    return expression


def _name(tensor: Value) -> str:
    """What a message calls a tensor: the parameter, or a view on it."""
    root = root_of(tensor)
    name = root.name or "a parameter"
    if root is tensor:
        return name
    if isinstance(tensor.owner, Load):
        return f"an item of {name}"
    return f"a view on {name}"
