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
from ...ir.types import GroupType, MemrefType, ScalarType, Type, i64, index
from ...ir.values import Function, Region, Value
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
from . import loops, types
from .atomics import Atomics
from .builder import Builder
from .memory import Index, Memory, Memref
from .numbers import Number, Numbers

NOT_EMITTED = Rule("PYTL-3070", "an instruction has a form in MLIR", "MLIR backends")

Code = Number | Memref | str
"""The representation of a value in the text: a number's names, a memref, or the name of a group."""


class Emitter:
    """Writes one function. A target has a subclass, which adds its better code to `table`."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.to = Builder()
        self.numbers = Numbers(self.to)
        self.memory = Memory(self.to, self.numbers)
        self.atomics = Atomics(self.to, self.numbers, self.memory)
        self._code: dict[Value, Code] = {}
        entry = symbol_of(function.name)
        names = Counter([entry, f"{entry}_groups"])
        self._called: dict[Function, str] = {}
        """The functions that it calls, by their names in MLIR."""
        for callee in function.callees():
            name = f"{entry}_calls_{symbol(callee.name)}"
            names[name] += 1
            self._called[callee] = name if names[name] == 1 else f"{name}_{names[name]}"
        self._group_id = self._group_count = ""

    table: Mapping[type[Operation], Callable[[Any, Any], None]]
    """The method for each instruction."""

    @property
    def groups_attributes(self) -> str:
        """Attributes of the function that executes work-groups."""
        return ""

    @property
    def called_attributes(self) -> str:
        """Attributes of functions that it calls, which stay calls: code that is called often is there once."""
        return 'passthrough = ["noinline"]'

    # The module.

    def run(self) -> str:
        """The text of the module, without locations; `self.to.text(locations=True)` has them."""
        self.refuse_unknown()
        with self.to.block("module"):
            self._groups()
            self._entry()
            for function in self._called:
                self._callee(function)
            for name, type_ in sorted(self.numbers.called.items()):
                self.to.line(f"func.func private @{name}{type_}")
        return self.to.text()

    def refuse_unknown(self) -> None:
        missing: dict[str, Operation] = {}
        for op in self.function.walk_through_calls():
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

    def _groups(self) -> None:
        """The function that executes the work-groups from %first to below %last."""
        self.to.comment("Executes the work-groups from %first to below %last, of so many %groups.")
        given = [(value, parts_of(value)) for value in self.function.parameters]
        heads = [*_RANGE, *((hint, type_) for _, parts in given for hint, type_ in parts)]
        with self.to.function(self._inner, heads, "private", self.groups_attributes) as names:
            first, last, self._group_count, *rest = names
            for value, parts in given:
                here, rest = rest[: len(parts)], rest[len(parts) :]
                self.bind(value, self.code_of(value, here))
            self._begin_memory(self.function)
            with self.to.loop(first, last, self.to.constant(1), "group") as self._group_id:
                self.region(self.function.body)

    def _begin_memory(self, function: Function) -> None:
        size = own_memory(function)
        if size:
            self.memory.begin(size, local_alignment(function))

    def _callee(self, function: Function) -> None:
        """A function that is called."""
        given = [(value, parts_of(value)) for value in function.parameters]
        heads = [part for _, parts in given for part in parts]
        results = [text for type_ in function.results or () for text in self.parts(type_)]
        returned: list[str] = []
        named = self.to.function(
            self._called[function], heads, "private", self.called_attributes, results=results, returned=returned
        )
        with named as rest:
            for value, parts in given:
                here, rest = rest[: len(parts)], rest[len(parts) :]
                self.bind(value, self.code_of(value, here))
            self._begin_memory(function)
            self.region(function.body)
            last = terminator(function.body)
            returned += [name for value in (last.yielded if last else ()) for name in self.number(value)]

    def code_of(self, value: Value, names: list[str]) -> Code:
        if isinstance(value.type, MemrefType):
            return Memref(names[0], value.type)
        return names[0] if isinstance(value.type, GroupType) else tuple(names)

    def _entry(self) -> None:
        """The entry point, whose parameters other than the range are memrefs."""
        heads = [*_RANGE, *((value.name or "p", types.argument(value.type)) for value in self.function.parameters)]
        self.to.comment("Called from outside: numbers lie in memory.")
        with self.to.function(symbol_of(self.function.name), heads, attributes="llvm.emit_c_interface") as names:
            passed, signature = names[:3], [type_ for _, type_ in _RANGE]
            for name, value in zip(names[3:], self.function.parameters):
                parts = parts_of(value)
                signature += [type_ for _, type_ in parts]
                passed += [name] if _is_memory(value) else self._read(name, value, [hint for hint, _ in parts])
            self.to.line(f"func.call @{self._inner}({', '.join(passed)}) : ({', '.join(signature)}) -> ()")

    def _read(self, name: str, value: Value, hints: Sequence[str]) -> list[str]:
        """The parts of a number that is passed in memory."""
        places = [""] if len(hints) == 1 else [self.to.constant(part) for part in range(len(hints))]
        text = types.argument(value.type)
        found = [self.to.op(f"memref.load {name}[{place}] : {text}", hint) for place, hint in zip(places, hints)]
        if not isinstance(value.type, ScalarType):
            return found
        return [self.numbers.loaded(part, value.type, hint) for part, hint in zip(found, hints)]

    @property
    def _inner(self) -> str:
        return f"{symbol_of(self.function.name)}_groups"

    # Values.

    def bind(self, value: Value, code: Code) -> None:
        """Set the representation of a value in the text."""
        self._code[value] = code

    def parts(self, type_: Type) -> list[str]:
        """The types of the parts of a value that is no memory."""
        return types.parts(type_)

    def number(self, value: Value) -> Number:
        known = constant_of(value)
        if known is not None:
            return self.numbers.constant(known, value.type)
        code = self._code[value]
        assert isinstance(code, tuple)
        return code

    def single(self, value: Value) -> str:
        """The name of a real number."""
        return self.number(value)[0]

    def memref(self, value: Value) -> Memref:
        code = self._code[value]
        assert isinstance(code, Memref)
        return code

    def group(self, value: Value) -> str:
        code = self._code[value]
        assert isinstance(code, str)
        return code

    def bound(self, bound: Bound) -> Index:
        if isinstance(bound, int):
            return bound
        known = constant_of(bound)
        return known if known is not None else self.single(bound)

    # Instructions.

    def region(self, region: Region) -> None:
        for op in region.operations:
            if not isinstance(op, (Constant, Yield, LifetimeStop)):
                self.to.origin(op.location)
            self.table[type(op)](self, op)

    def nothing(self, op: Operation) -> None:
        """Writes nothing: the instruction was handled before, or means nothing to a single agent."""

    def alloca(self, op: Alloca) -> None:
        self.bind(op.result, self.memory.local(op))

    def binary(self, op: ArithBinary) -> None:
        a, b = self.number(op.a), self.number(op.b)
        self.bind(op.result, self.numbers.binary(op.variant, a, b, op.a.type, hint_of(op.result)))

    def unary(self, op: ArithUnary) -> None:
        self.bind(op.result, self.numbers.unary(op.variant, self.number(op.a), op.a.type, hint_of(op.result)))

    def cast(self, op: Cast) -> None:
        operand = self.number(op.operand)
        self.bind(op.result, self.numbers.cast(operand, op.operand.type, op.result.type, hint_of(op.result)))

    def bitcast(self, op: Bitcast) -> None:
        operand = self.number(op.operand)
        self.bind(op.result, self.numbers.bitcast(operand, op.operand.type, op.result.type, hint_of(op.result)))

    def compare(self, op: Compare) -> None:
        a, b = self.number(op.a), self.number(op.b)
        self.bind(op.result, self.numbers.compare(op.variant, a, b, op.a.type, hint_of(op.result)))

    def math(self, op: Math) -> None:
        self.bind(op.result, self.numbers.math(op.variant, self.number(op.a), op.a.type, hint_of(op.result)))

    def builtin(self, op: Builtin) -> None:
        known = Meanings("the mlir backend, builtin", {"group_id": self._group_id, "group_size": self._group_count})
        self.bind(op.result, (known[op.variant],))

    def load(self, op: Load) -> None:
        indices = [self.single(value) for value in op.indices]
        if op.is_item:
            group = op.tensor
            hint = op.result.name or "item"
            item = self.memory.item(self.group(group), types.argument(group.type), indices[0], op.result.type, hint)
            self.bind(op.result, item)
        else:
            self.bind(op.result, self.memory.load(self.memref(op.tensor), indices, hint_of(op.result)))

    def store(self, op: Store) -> None:
        memref, data = self.memref(op.tensor), self.number(op.data)
        indices = [self.single(value) for value in op.indices]
        if op.flag:
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
            zero, text = self.to.constant(0), types.argument(op.tensor.type)
            size = self.to.op(f"memref.dim {self.group(op.tensor)}, {zero} : {text}", hint_of(op.result))
        else:
            size = self.memory.size(self.memref(op.tensor), op.mode, hint_of(op.result))
        self.bind(op.result, (size,))

    def call(self, op: Call) -> None:
        passed: list[str] = []
        for value, parameter in zip(op.arguments, op.callee.parameters):
            passed += self._passed(value, parameter) if _is_memory(value) else self.number(value)
        signature = [text for parameter in op.callee.parameters for _, text in parts_of(parameter)]
        results = [text for value in op.results for text in self.parts(value.type)]
        text = f"func.call @{self._called[op.callee]}({', '.join(passed)}) : ({', '.join(signature)})"
        text += f" -> ({', '.join(results)})"
        names: list[str] = []
        if len(results) == 1:
            names = [self.to.op(text, hint_of(op.result))]
        elif results:
            names = self.to.ops(text, hint_of(op.results[0]), len(results))
        else:
            self.to.line(text)
        _deal_out(self, op.results, names)

    def _passed(self, value: Value, parameter: Value) -> list[str]:
        """Memory as a parameter takes it, whose sizes may be less known."""
        wanted = types.argument(parameter.type)
        code = self._code[value]
        name, text = (code.name, code.text) if isinstance(code, Memref) else (str(code), types.argument(value.type))
        return [name if text == wanted else self.to.op(f"memref.cast {name} : {text} to {wanted}", hint_of(value))]

    def report(self, op: preconditions.Report) -> None:
        status = self.memref(op.status)
        one = self.numbers.constant(1, i64)[0]
        place = f"{status.name}[{self.to.constant(0)}]"
        before = self.to.op(f"memref.atomic_rmw addi {one}, {place} : (i64, {status.text}) -> i64", "before")
        is_first = self.to.op(f"arith.cmpi eq, {before}, {self.numbers.constant(0, i64)[0]} : i64", "first")
        with self.to.block(f"scf.if {is_first}"):
            for at, said in op.written:
                number = self.to.constant(said) if isinstance(said, int) else self.single(said)
                self.memory.store(self.numbers.cast((number,), index, i64, "said"), status, [self.to.constant(at)])

    # Control flow.

    def for_(self, op: For) -> None:
        inits = [name for value in op.inits for name in self.number(value)]
        texts = [text for value in op.carried for text in self.parts(value.type)]
        start, stop, step = loops.bounds(self.to, self.as_index, op)
        hint = op.variable.name or "i"
        if not inits:
            with self.to.loop(start, stop, step, hint) as at:
                self.bind_variable(op.variable, loops.count(self.to, self.as_index, op, at))
                self.region(op.body)
            return
        flag = continue_condition(op)
        if flag is None:
            block = self.to.carrying(start, stop, step, inits, texts, hint)
        else:
            number = sum(len(self.parts(value.type)) for value in op.carried[: op.carried.index(flag)])
            block = self.to.carrying_while(number, start, stop, inits, texts, hint)
        with block as loop:
            self.bind_variable(op.variable, loops.count(self.to, self.as_index, op, loop.variable))
            _deal_out(self, op.carried, loop.values)
            self.region(op.body)
            last = terminator(op.body)
            assert last is not None
            loop.give([name for value in last.yielded for name in self.number(value)])
        _deal_out(self, op.results, loop.results)

    def as_index(self, value: Value) -> str:
        known = constant_of(value)
        if known is not None:
            return self.to.constant(known)
        return self.numbers.cast(self.number(value), value.type, index)[0]

    def bind_variable(self, variable: Value, at: str) -> None:
        self.bind(variable, self.numbers.cast((at,), index, variable.type, variable.name or "i"))

    def foreach(self, op: Foreach) -> None:
        with self.points(op) as names:
            for variable, name in zip(op.variables, names):
                self.bind_variable(variable, name)
            self.region(op.body)

    @contextmanager
    def points(self, op: Foreach, step: str | None = None) -> Iterator[list[str]]:
        """Loops over the points of a foreach; the first variable, which is contiguous, is the innermost one.

        Its increment is `step`, where that is given.
        """
        one = self.to.constant(1)
        steps = [step or one, *[one] * (len(op.start) - 1)]
        bounds = [(self.as_index(start), self.as_index(stop)) for start, stop in zip(op.start, op.stop)]
        with ExitStack() as loops:
            names = [
                loops.enter_context(self.to.loop(start, stop, step, variable.name or "i"))
                for variable, (start, stop), step in reversed(list(zip(op.variables, bounds, steps)))
            ]
            yield names[::-1]

    def if_(self, op: If) -> None:
        condition = self.single(op.condition)
        texts = [text for value in op.results for text in self.parts(value.type)]
        results: list[str] = []
        head = f"scf.if {condition}"
        if texts:
            name = self.to.fresh(op.results[0].name or "chosen")
            results = [name] if len(texts) == 1 else [f"{name}#{number}" for number in range(len(texts))]
            head = f"{name}{f':{len(texts)}' if len(texts) > 1 else ''} = {head} -> ({', '.join(texts)})"
        with self.to.block(head):
            self._branch(op.then_body, texts)
            if op.else_body is not None and (op.else_body.operations or texts):
                self.to.otherwise()
                self._branch(op.else_body, texts)
        _deal_out(self, op.results, results)

    def _branch(self, region: Region, texts: Sequence[str]) -> None:
        self.region(region)
        last = terminator(region)
        if texts and last is not None:
            names = [name for value in last.yielded for name in self.number(value)]
            self.to.line(f"scf.yield {', '.join(names)} : {', '.join(texts)}")


_RANGE = [("first", "index"), ("last", "index"), ("groups", "index")]
"""The parameters of both functions that give the range of work-groups, and their total number."""


def symbol_of(name: str) -> str:
    """A function's name in MLIR and in the object file: a number is no symbol name, and `exp` is the C library's."""
    return f"pytl_{symbol(name)}"


def _is_memory(value: Value) -> bool:
    return isinstance(value.type, (MemrefType, GroupType))


def parts_of(value: Value) -> list[tuple[str, str]]:
    """The parameters inside for one of the language's: a hint and a type per part."""
    name = value.name or "p"
    if _is_memory(value):
        return [(name, types.argument(value.type))]
    found = types.parts(value.type)
    return list(zip([name] if len(found) == 1 else [f"{name}_re", f"{name}_im"], found))


def _deal_out(emitter: Emitter, values: Sequence[Value], names: Sequence[str]) -> None:
    """Bind values to names in order, one name per part."""
    rest = iter(names)
    for value in values:
        emitter.bind(value, tuple(next(rest) for _ in emitter.parts(value.type)))


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
    MathSince04: Emitter.math,
    Size: Emitter.size,
    Store: Emitter.store,
    Subview: Emitter.subview,
    Yield: Emitter.nothing,
    preconditions.Report: Emitter.report,
}
