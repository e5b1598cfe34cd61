"""A lowered function as an MLIR module.

The function has been through the passes of `pipeline.py`: one agent executes a work-group, and what is left is scalar
code, memory, loops, and the collective instructions that a target has code for. Emitting needs none of MLIR's tools.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from ...diagnostics import Diagnostic, PytlError, Rule
from ...diagnostics.quoting import symbol
from ...ir.meanings import Meanings
from ...ir.operation import Operation
from ...ir.types import GroupType, MemrefType, ScalarType, Type, VectorType, bf16, i64, index
from ...ir.values import Function, Region, Value
from ...mlir.text import builder as mlir
from ...mlir.text import tree
from ...mlir.text.types import INDEX
from ...mlir.text.types import Type as MlirType
from ...ops import (
    Alloca,
    ArithBinary,
    ArithUnary,
    AtomicLoad,
    AtomicScaleAdd,
    AtomicStore,
    AtomicUpdate,
    Barrier,
    Bitcast,
    Builtin,
    Call,
    Cast,
    Compare,
    Constant,
    Expand,
    Expandc2r,
    For,
    Foreach,
    Fuse,
    If,
    LifetimeStop,
    Load,
    Math,
    MathSince04,
    Size,
    Store,
    Subview,
    Yield,
    preconditions,
)
from ...ops.atomics import ACCESSES
from ...ops.constants import constant_of
from ...ops.control import terminator
from ...ops.debug import Require
from ...ops.memory import local_alignment, own_memory
from ...ops.views import Bound
from ...passes.analysis.early_end import continue_condition
from ...passes.targets import cpu
from ...passes.targets.vector import VectorBinary, VectorCast, VectorCompare, VectorMath, VectorUnary
from . import loops, types
from .atomics import Atomics
from .memory import Index, Memory, Memref
from .numbers import Number, Numbers

NOT_EMITTED = Rule("PYTL-3070", "an instruction has a form in MLIR", "MLIR backends")

Code = Number | Memref | mlir.Value
"""What a value of the language is in MLIR: the parts of a number, a memref, or a group."""


class Emitter:
    """Writes one function. A target has a subclass, which adds its better code to `table`."""

    tells_unrolling = False
    """Whether loops that are not to be unrolled tell LLVM so."""
    extremes_of_llvm = False
    """Whether the language's minimum and maximum are LLVM's."""

    def __init__(self, function: Function, to: mlir.Builder | None = None, suffix: str = "") -> None:
        self.function = function
        self.to = to or mlir.Builder()
        self.numbers = Numbers(self.to, extremes_of_llvm=self.extremes_of_llvm)
        self.numbers.casts_integers = any(map(_casts_integer, function.walk_through_calls()))
        self.memory = Memory(self.to, self.numbers)
        self.atomics = Atomics(self.to, self.numbers, self.memory)
        self._code: dict[Value, Code] = {}
        entry = f"{symbol_of(function.name)}{suffix}"
        self.inner = f"{entry}_groups"
        """The name of the function that executes work-groups."""
        names = Counter([entry, self.inner])
        self._called: dict[Function, str] = {}
        """The functions that it calls, by their names in MLIR."""
        for callee in function.callees():
            name = f"{entry}_calls_{symbol(callee.name)}"
            names[name] += 1
            self._called[callee] = name if names[name] == 1 else f"{name}_{names[name]}"
        self._group_id: mlir.Value
        self._group_count: mlir.Value

    table: Mapping[type[Operation], Callable[[Any, Any], None]]
    """The method for each instruction."""

    @property
    def groups_attributes(self) -> dict[str, Any]:
        """Attributes of the function that executes work-groups."""
        return {}

    @property
    def called_attributes(self) -> dict[str, Any]:
        """Attributes of functions that it calls, which stay calls: code that is called often is there once."""
        return {"passthrough": ("noinline",)}

    # The module.

    def run(self) -> tree.Operation:
        """The module."""
        self.refuse_unknown()
        self.write_groups()
        self._entry()
        self.write_called()
        self.declare_called()
        return self.to.module()

    def write_called(self) -> None:
        """The functions that it calls."""
        for function in self._called:
            self._callee(function)

    def declare_called(self) -> None:
        for name, type_ in sorted(self.numbers.called.items()):
            self.to.declare(name, type_)

    def refuse_unknown(self) -> None:
        missing: dict[str, Operation] = {}
        for function in (self.function, *self._called):
            for op in function.walk():
                if type(op) not in self.table:
                    missing.setdefault(op.display_name, op)
        if missing:
            help = 'launch with backend="reference", which executes the whole language'
            raise PytlError(
                [
                    Diagnostic(NOT_EMITTED, f"{word} has no form in MLIR", op.location, help)
                    for word, op in missing.items()
                ]
            )

    def write_groups(self) -> None:
        """The function that executes the work-groups from %first to below %last."""
        self.to.comment("Executes the work-groups from %first to below %last, of so many %groups.")
        heads = [*_RANGE, *self._heads(self.function)]
        with self.to.function(self.inner, heads, private=True, **self.groups_attributes) as values:
            first, last, self._group_count, *rest = values
            self._begin(self.function, rest)
            self.work_groups(first, last, self._group_count)

    def work_groups(self, first: mlir.Value, last: mlir.Value, groups: mlir.Value) -> None:
        """Execute the function's body for the work-groups from `first` to below `last`, of so many."""
        with self.to.loop(first, last, self.to.constant(1), "group") as self._group_id:
            self.region(self.function.body)

    def _heads(self, function: Function) -> list[tuple[str, MlirType]]:
        return [part for value in function.parameters for part in parts_of(value)]

    def bind_parameters(self, function: Function, arguments: Sequence[mlir.Value]) -> Sequence[mlir.Value]:
        """Bind the parameters to what is given for them; what is given beyond that."""
        for value in function.parameters:
            count = len(parts_of(value))
            self.bind(value, self.code_of(value, arguments[:count]))
            arguments = arguments[count:]
        return arguments

    def _begin(self, function: Function, arguments: Sequence[mlir.Value]) -> None:
        """Bind the parameters, and allocate local memory."""
        self.bind_parameters(function, arguments)
        size = own_memory(function)
        if size:
            self.memory.begin(size, local_alignment(function))

    def _callee(self, function: Function) -> None:
        """A function that is called."""
        results = [text for type_ in function.results or () for text in self.parts(type_)]
        returned: list[mlir.Value] = []
        with self.to.function(
            self._called[function], self._heads(function), results, returned, private=True, **self.called_attributes
        ) as values:
            self._begin(function, values)
            self.region(function.body)
            returned += self._yielded(function.body)

    def _yielded(self, region: Region) -> list[mlir.Value]:
        """The parts of what the region's last instruction yields."""
        last = terminator(region)
        return [part for value in (last.yielded if last else ()) for part in self.number(value)]

    def code_of(self, value: Value, parts: Sequence[mlir.Value]) -> Code:
        if isinstance(value.type, MemrefType):
            return Memref(parts[0], value.type)
        return parts[0] if isinstance(value.type, GroupType) else tuple(parts)

    def _entry(self) -> None:
        """The entry point, whose parameters other than the range are memrefs."""
        heads = [*_RANGE, *((value.name or "p", types.argument(value.type)) for value in self.function.parameters)]
        self.to.comment("Called from outside: numbers lie in memory.")
        with self.to.function(symbol_of(self.function.name), heads, **_CALLED_FROM_C) as values:
            passed = values[:3]
            for argument, value in zip(values[3:], self.function.parameters):
                passed += [argument] if _is_memory(value) else self._read(argument, value)
            self.call_groups(passed)

    def call_groups(self, passed: Sequence[mlir.Value]) -> None:
        """Call the function that executes work-groups."""
        self.to.do("func.call", passed, callee=f"@{self.inner}")

    def _read(self, memref: mlir.Value, value: Value) -> list[mlir.Value]:
        """The parts of a number that is passed in memory."""
        hints = [hint for hint, _ in parts_of(value)]
        index_lists = [[]] if len(hints) == 1 else [[self.to.constant(part)] for part in range(len(hints))]
        parts = [self.to.op("memref.load", memref, indices, hint=hint) for indices, hint in zip(index_lists, hints)]
        if not isinstance(value.type, ScalarType):
            return parts
        return [self.numbers.loaded(part, value.type, hint) for part, hint in zip(parts, hints)]

    # Values.

    def bind(self, value: Value, code: Code) -> None:
        """Set the representation of a value in the text."""
        self._code[value] = code

    def parts(self, type_: Type) -> Sequence[MlirType]:
        """The types of the parts of a value that is no memory."""
        return types.parts(type_)

    def number(self, value: Value) -> Number:
        known = constant_of(value)
        if known is not None:
            return self.numbers.constant(known, value.type)
        return self.held(value)

    def held(self, value: Value) -> Number:
        """The parts of a value that is no constant."""
        code = self._code[value]
        assert isinstance(code, tuple) and not isinstance(code, mlir.Value)
        return code

    def single(self, value: Value) -> mlir.Value:
        """A real number."""
        return self.number(value)[0]

    def memref(self, value: Value) -> Memref:
        code = self._code[value]
        assert isinstance(code, Memref)
        return code

    def group(self, value: Value) -> mlir.Value:
        code = self._code[value]
        assert isinstance(code, mlir.Value)
        return code

    def bound(self, bound: Bound) -> Index:
        if isinstance(bound, int):
            return bound
        known = constant_of(bound)
        return known if known is not None else self.single(bound)

    def arithmetic(self, value: Value) -> Numbers:
        """The arithmetic of a number, or of a vector's lanes."""
        type_ = value.type
        return (
            self.numbers.of_vectors(type_.lanes, type_.is_scalable) if isinstance(type_, VectorType) else self.numbers
        )

    # Instructions.

    def region(self, region: Region) -> None:
        for op in region.operations:
            if not isinstance(op, (Constant, Yield, LifetimeStop)):
                self.to.set_location(op.location)
            self.table[type(op)](self, op)

    def nothing(self, op: Operation) -> None:
        """Writes nothing: the instruction was handled before, or means nothing to a single agent."""

    def alloca(self, op: Alloca) -> None:
        self.bind(op.result, self.memory.local(op))

    def binary(self, op: ArithBinary | VectorBinary) -> None:
        a, b, numbers = self.number(op.a), self.number(op.b), self.arithmetic(op.a)
        self.bind(op.result, numbers.binary(op.variant, a, b, element_of(op.a), hint_of(op.result)))

    def unary(self, op: ArithUnary | VectorUnary) -> None:
        a, numbers = self.number(op.a), self.arithmetic(op.a)
        self.bind(op.result, numbers.unary(op.variant, a, element_of(op.a), hint_of(op.result)))

    def cast(self, op: Cast | VectorCast) -> None:
        operand, source, target = self.number(op.operand), element_of(op.operand), element_of(op.result)
        self.bind(op.result, self.arithmetic(op.operand).cast(operand, source, target, hint_of(op.result)))

    def bitcast(self, op: Bitcast) -> None:
        operand = self.number(op.operand)
        self.bind(op.result, self.numbers.bitcast(operand, op.operand.type, op.result.type, hint_of(op.result)))

    def compare(self, op: Compare | VectorCompare) -> None:
        a, b, numbers = self.number(op.a), self.number(op.b), self.arithmetic(op.a)
        self.bind(op.result, numbers.compare(op.variant, a, b, element_of(op.a), hint_of(op.result)))

    def math(self, op: Math | VectorMath | cpu.Sqrt) -> None:
        a, numbers = self.number(op.a), self.arithmetic(op.a)
        self.bind(op.result, numbers.math(op.variant, a, element_of(op.a), hint_of(op.result)))

    def builtin(self, op: Builtin) -> None:
        attribute = Meanings("the mlir backend, builtin", {"group_id": "_group_id", "group_size": "_group_count"})
        self.bind(op.result, (getattr(self, attribute[op.variant]),))

    def load(self, op: Load) -> None:
        indices = [self.single(value) for value in op.indices]
        if op.is_item:
            hint = op.result.name or "item"
            self.bind(op.result, self.memory.item(self.group(op.tensor), indices[0], op.result.type, hint))
        else:
            self.bind(op.result, self.memory.load(self.memref(op.tensor), indices, hint_of(op.result)))

    def store(self, op: Store) -> None:
        memref, data = self.memref(op.tensor), self.number(op.data)
        indices = [self.single(value) for value in op.indices]
        if op.flag == "atomic_add" and memref.type.element == bf16:
            # where the processor converts to bf16, LLVM's own loop compares what is in memory with that converted: of
            # a subnormal number or a signaling nan, it never ends
            self.atomics.combine("add", data, memref, indices, "before")
        elif op.flag:
            self.memory.update(op.flag, data, memref, indices)
        else:
            self.memory.store(data, memref, indices)

    def atomic(self, op: AtomicLoad | AtomicStore | AtomicUpdate) -> None:
        memref, indices = self.memref(op.tensor), [self.single(value) for value in op.indices]
        if isinstance(op, AtomicLoad):
            self.bind(op.result, self.atomics.load(op, memref, indices, hint_of(op.result)))
        elif isinstance(op, AtomicStore):
            self.atomics.store(op, self.number(op.data), memref, indices)
        elif isinstance(op, AtomicScaleAdd):
            numbers = self.number(op.data), self.number(op.factor)
            self.bind(op.result, self.atomics.scale_add(op, *numbers, memref, indices, hint_of(op.result)))
        else:
            before = self.atomics.update(op, self.number(op.data), memref, indices, hint_of(op.result))
            self.bind(op.result, before)

    def subview(self, op: Subview) -> None:
        self.bind(op.result, self.memory.subview(op, self.memref(op.tensor), self.bound))

    def expand(self, op: Expand) -> None:
        self.bind(op.result, self.memory.expand(op, self.memref(op.tensor), self.bound))

    def size(self, op: Size) -> None:
        if isinstance(op.tensor.type, GroupType):
            size = self.to.op("memref.dim", self.group(op.tensor), self.to.constant(0), hint=hint_of(op.result))
        else:
            size = self.memory.size(self.memref(op.tensor), op.mode, hint_of(op.result))
        self.bind(op.result, (size,))

    def call(self, op: Call) -> None:
        passed: list[mlir.Value] = []
        for value, parameter in zip(op.arguments, op.callee.parameters):
            passed += [self._passed(value, parameter)] if _is_memory(value) else self.number(value)
        results = [part for value in op.results for part in self.parts(value.type)]
        hint = hint_of(op.results[0]) if op.results else ""
        parts = self.to.ops("func.call", passed, types=results, hint=hint, callee=f"@{self._called[op.callee]}")
        _deal_out(self, op.results, parts)

    def _passed(self, value: Value, parameter: Value) -> mlir.Value:
        """Memory as a parameter takes it, whose sizes may be less known."""
        expected = types.argument(parameter.type)
        code = self._code[value]
        memref = code.value if isinstance(code, Memref) else self.group(value)
        return (
            memref if memref.type == expected else self.to.op("memref.cast", memref, type=expected, hint=hint_of(value))
        )

    def report(self, op: preconditions.Report) -> None:
        status = self.memref(op.status)
        one, zero = (self.numbers.constant(number, i64)[0] for number in (1, 0))
        first = [self.to.constant(0)]
        before = self.to.op("memref.atomic_rmw", one, status.value, first, hint="before", kind="addi")
        is_first = self.to.op("arith.cmpi", before, zero, hint="first", predicate="eq")
        with self.to.branch(is_first):
            for at, said in op.written:
                number = self.to.constant(said) if isinstance(said, int) else self.single(said)
                self.memory.store(self.numbers.cast((number,), index, i64, "said"), status, [self.to.constant(at)])

    # Control flow.

    def for_(self, op: For) -> None:
        inits = [part for value in op.inits for part in self.number(value)]
        start, stop, step = loops.bounds(self.to, self.as_index, op)
        hint = op.variable.name or "i"
        flag = continue_condition(op)
        if flag is None:
            may_unroll = not self.tells_unrolling or op.attributes.get("unroll") is not False
            block = self.to.carrying(start, stop, step, inits, hint, None if may_unroll else mlir.NOT_UNROLLED)
        else:
            number = sum(len(self.parts(value.type)) for value in op.carried[: op.carried.index(flag)])
            block = self.to.carrying_while(number, start, stop, inits, hint)
        with block as loop:
            self.bind_variable(op.variable, loops.count(self.to, self.as_index, op, loop.variable))
            _deal_out(self, op.carried, loop.values)
            self.region(op.body)
            if inits:
                loop.give(self._yielded(op.body))
        _deal_out(self, op.results, loop.results)

    def as_index(self, value: Value) -> mlir.Value:
        known = constant_of(value)
        if known is not None:
            return self.to.constant(known)
        return self.numbers.cast(self.number(value), value.type, index)[0]

    def bind_variable(self, variable: Value, at: mlir.Value) -> None:
        self.bind(variable, self.numbers.cast((at,), index, variable.type, variable.name or "i"))

    def foreach(self, op: Foreach) -> None:
        with self.points(op) as point:
            for variable, at in zip(op.variables, point):
                self.bind_variable(variable, at)
            self.region(op.body)

    @contextmanager
    def points(self, op: Foreach) -> Iterator[list[mlir.Value]]:
        """Loops over the points of a foreach; the first variable, which is contiguous, is the innermost one."""
        one = self.to.constant(1)
        bounds = [(self.as_index(start), self.as_index(stop)) for start, stop in zip(op.start, op.stop)]
        with ExitStack() as loops:
            point = [
                loops.enter_context(self.to.loop(start, stop, one, variable.name or "i"))
                for variable, (start, stop) in reversed(list(zip(op.variables, bounds)))
            ]
            yield point[::-1]

    def if_(self, op: If) -> None:
        types_of_results = [part for value in op.results for part in self.parts(value.type)]
        hint = op.results[0].name or "chosen" if op.results else ""
        with self.to.branch(self.single(op.condition), types_of_results, hint) as branch:
            self._side(branch, op.then_body)
        if op.else_body is not None and (op.else_body.operations or op.results):
            with branch.otherwise():
                self._side(branch, op.else_body)
        _deal_out(self, op.results, branch.results)

    def _side(self, branch: mlir.Branch, region: Region) -> None:
        self.region(region)
        if branch.results:
            branch.give(self._yielded(region))


_CALLED_FROM_C: dict[str, Any] = {"llvm.emit_c_interface": True}
_RANGE: Sequence[tuple[str, MlirType]] = [(name, INDEX) for name in ("first", "last", "groups")]
"""The parameters of both functions that give the range of work-groups, and their total number."""


def symbol_of(name: str) -> str:
    """A function's name in MLIR and in the object file: a number is no symbol name, and `exp` is the C library's."""
    return f"pytl_{symbol(name)}"


def _casts_integer(op: Operation) -> bool:
    """Whether an instruction makes floats of integers."""
    if not isinstance(op, (Cast, VectorCast)):
        return False
    source, target = element_of(op.operand), element_of(op.result)
    # the components of matrices are no elements, and are cast by what computes with matrices
    return isinstance(source, ScalarType) and source.is_integer and not getattr(target, "is_integer", True)


def _is_memory(value: Value) -> bool:
    return isinstance(value.type, (MemrefType, GroupType))


def parts_of(value: Value) -> list[tuple[str, MlirType]]:
    """The parameters inside for one of the language's: a hint and a type per part."""
    name = value.name or "p"
    if _is_memory(value):
        return [(name, types.argument(value.type))]
    part_types: list[MlirType] = [*types.parts(value.type)]
    return list(zip([name] if len(part_types) == 1 else [f"{name}_re", f"{name}_im"], part_types))


def _deal_out(emitter: Emitter, values: Sequence[Value], parts: Sequence[mlir.Value]) -> None:
    """Bind values of the language to values in order, one per part."""
    rest = iter(parts)
    for value in values:
        emitter.bind(value, tuple(next(rest) for _ in emitter.parts(value.type)))


def element_of(value: Value) -> Any:
    """The type of a number, or of a vector's lanes."""
    return getattr(value.type, "element", value.type)


def hint_of(value: Value) -> str:
    return value.name or "v"


Emitter.table = {
    **dict.fromkeys(ACCESSES, Emitter.atomic),
    Alloca: Emitter.alloca,
    ArithBinary: Emitter.binary,
    ArithUnary: Emitter.unary,
    Barrier: Emitter.nothing,
    Bitcast: Emitter.bitcast,
    Builtin: Emitter.builtin,
    Call: Emitter.call,
    Cast: Emitter.cast,
    Compare: Emitter.compare,
    Constant: Emitter.nothing,
    Expand: Emitter.expand,
    Expandc2r: lambda to, op: to.bind(op.result, to.memory.expandc2r(op, to.memref(op.tensor))),
    For: Emitter.for_,
    Foreach: Emitter.foreach,
    Fuse: lambda to, op: to.bind(op.result, to.memory.fuse(op, to.memref(op.tensor))),
    If: Emitter.if_,
    LifetimeStop: Emitter.nothing,
    Require: Emitter.nothing,
    Load: Emitter.load,
    Math: Emitter.math,
    cpu.Sqrt: Emitter.math,
    MathSince04: Emitter.math,
    Size: Emitter.size,
    Store: Emitter.store,
    Subview: Emitter.subview,
    Yield: Emitter.nothing,
    preconditions.Report: Emitter.report,
}
