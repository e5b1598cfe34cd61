"""Writing instructions, in passes and frontends: a growing list of instructions, with constants in front."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..diagnostics import Location
from ..ir.operation import Operation
from ..ir.types import MemrefType, ScalarType, Type, bool_, index
from ..ir.values import Region, Value
from .arith import ArithBinary, ArithUnary, Cast, Compare, unary_result
from .constants import Constant, one_of, zero_of
from .control import For, If, Yield
from .memory import Alloca, Load, Store
from .regions import Foreach
from .views import Size

Branch = Callable[["Builder"], Sequence[Value]]
LoopBody = Callable[["Builder", Value, list[Value]], Sequence[Value]]


class Builder:
    """Instructions that replace an instruction of the user, whose location they have.

    A builder of an inner region hands constants and sizes to the outermost builder, which puts them in front.
    """

    def __init__(self, location: Location | None, outer: Builder | None = None) -> None:
        self.location = location
        self._operations: list[Operation] = []
        self._outer = outer
        self._first: list[Operation] = []
        self._known: dict[Any, Value] = {}

    @property
    def operations(self) -> list[Operation]:
        """What was written."""
        return [*self._first, *self._operations]

    @property
    def outermost(self) -> Builder:
        return self if self._outer is None else self._outer.outermost

    @property
    def count(self) -> int:
        """How many instructions were written, without those in front of all others."""
        return len(self._operations)

    def forget(self, count: int) -> None:
        """Take back what was written since there were so many instructions; what stands in front is used again."""
        del self._operations[count:]

    def add(self, op: Operation) -> Operation:
        self._operations.append(op)
        return op

    # Values.

    def constant(self, type_: Type, literal: Any) -> Value:
        """A constant; each is made once."""
        return self.once(("constant", type_, repr(literal)), lambda: Constant(self.location, [type_], literal=literal))

    def zero(self, type_: Type) -> Value:
        return self.constant(type_, zero_of(type_))

    def one(self, type_: ScalarType) -> Value:
        return self.constant(type_, one_of(type_))

    def size(self, tensor: Value, mode: int) -> Value:
        """The size of a mode, a constant where it is static."""
        extent = tensor.type.shape[mode]
        if isinstance(extent, int):
            return self.constant(index, extent)
        return self.once(("size", tensor, mode), lambda: Size(self.location, [index], tensor=tensor, mode=mode))

    def once(self, key: Any, make: Callable[[], Operation]) -> Value:
        """The result of an instruction in front of all others, made at the first call with this key."""
        outermost = self.outermost
        if key not in outermost._known:
            op = make()
            outermost._first.append(op)
            outermost._known[key] = op.results[0]
        return outermost._known[key]

    def has(self, key: Any) -> bool:
        """Whether `once` has made something with a key."""
        return key in self.outermost._known

    def in_front(self, op: Operation) -> None:
        """An instruction in front of all others, behind those that `once` has made so far."""
        self.outermost._first.append(op)

    def arith(self, variant: str, a: Value, b: Value) -> Value:
        return self.add(ArithBinary(self.location, [a.type], variant=variant, a=a, b=b)).results[0]

    def unary(self, variant: str, a: Value) -> Value:
        op = ArithUnary(self.location, [unary_result(variant, a.type)], variant=variant, a=a)
        return self.add(op).results[0]

    def compare(self, variant: str, a: Value, b: Value) -> Value:
        return self.add(Compare(self.location, [bool_], variant=variant, a=a, b=b)).results[0]

    def cast(self, value: Value, type_: ScalarType) -> Value:
        """The value cast to a type; the value itself where it has that type."""
        if value.type == type_:
            return value
        return self.add(Cast(self.location, [type_], operand=value)).results[0]

    # Memory.

    def load(self, tensor: Value, indices: Sequence[Value]) -> Value:
        return self.add(Load(self.location, [tensor.type.element], tensor=tensor, indices=list(indices))).results[0]

    def allocate(self, element: ScalarType, shape: Sequence[int], name: str | None = None) -> Value:
        """Local memory of the work-group."""
        type_ = MemrefType(element, tuple(shape), space="local")
        return self.add(Alloca(self.location, [type_], [name], attributes={})).results[0]

    def store(self, data: Value, tensor: Value, indices: Sequence[Value], flag: str = "") -> None:
        self.add(Store(self.location, flag=flag, data=data, tensor=tensor, indices=list(indices)))

    # Regions.

    def branch(
        self, condition: Value, types: Sequence[Type], then: Branch, otherwise: Branch | None = None
    ) -> list[Value]:
        """An `if` whose regions give values of these types; without `otherwise` it gives none."""
        op = If(
            self.location,
            list(types),
            condition=condition,
            then_body=self._region([], lambda inner: then(inner), bool(types)),
            else_body=None if otherwise is None else self._region([], otherwise, bool(types)),
        )
        return self.add(op).results

    def loop(self, stop: Value, inits: Sequence[Value], body: LoopBody, name: str = "k", first: int = 0) -> list[Value]:
        """A `for` from `first` to an index, with carried values: `body(builder, variable, carried)` gives the next."""
        variable = Value(index, name, self.location)
        carried = [Value(value.type, None, self.location) for value in inits]
        region = self._region([variable, *carried], lambda inner: body(inner, variable, carried), bool(inits))
        types = [value.type for value in inits]
        start = self.constant(index, first)
        return self.add(For(self.location, types, start=start, stop=stop, inits=list(inits), body=region)).results

    def foreach(self, stops: Sequence[Value], body: Callable[[Builder, list[Value]], None]) -> None:
        """A `foreach` from 0 to these indices; without any, its body is executed once."""
        stops = list(stops) or [self.constant(index, 1)]
        names = [*"ijkl"] if len(stops) <= 4 else [f"i{mode}" for mode in range(len(stops))]
        variables = [Value(index, name, self.location) for name, _ in zip(names, stops)]

        def write(inner: Builder) -> Sequence[Value]:
            body(inner, variables)
            return ()

        region = self._region(variables, write, False)
        region.kind = "spmd"
        self.add(Foreach(self.location, start=[self.zero(index)] * len(stops), stop=stops, body=region))

    def _region(self, arguments: list[Value], write: Branch, yields: bool) -> Region:
        inner = Builder(self.location, self)
        values = list(write(inner))
        if yields:
            inner.add(Yield(self.location, yielded=values))
        return Region("mixed", arguments, inner.operations, self.location)
