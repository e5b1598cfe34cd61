"""A lowered function as the source of a numba-dpex kernel.

Each instruction is written by one small function, found by the instruction's class. The form of the source does
not depend on the device or the arguments, so emitting needs neither numba nor SYCL.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from ....diagnostics import PytlError, Rule
from ....ir.meanings import Meanings
from ....ir.operation import Operation
from ....ir.types import GroupType, MemrefType, ScalarType
from ....ir.values import Function, Region, Value
from ....ops import (
    Alloca,
    ArithBinary,
    ArithUnary,
    Barrier,
    Bitcast,
    Builtin,
    Call,
    Cast,
    Compare,
    Constant,
    Convert,
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
    MatrixArithmetic,
    MatrixUnary,
    Parallel,
    Size,
    Store,
    SubgroupAdd,
    SubgroupBroadcast,
    SubgroupBuiltin,
    SubgroupMax,
    SubgroupMin,
    SubgroupOperation,
    Subview,
    Yield,
    preconditions,
)
from ....ops.atomics import ACCESSES
from ....ops.constants import constant_of
from ....ops.control import terminator
from ....ops.coopmatrix import is_matrix
from ....ops.debug import Require
from ....ops.launch_defaults import IN_PARTS, NO_LOCK_STEP, subgroup_count, subgroup_size
from ....ops.memory import STACK_CALLS, STACK_OFFSET, STACK_SIZE, local_alignment
from ....passes.targets import cpu, vector
from ....passes.targets.amx import TILE_SHAPE
from ....passes.targets.matrix_units import MATRIX_TYPES
from ....process.records import dataclass
from ..element_names import device_name
from ..interface import KernelInterface
from . import atomics, calls, checks, kernels, loops, scalars, subgroups, views
from .calls import STACK, Called
from .counted_loops import with_counted_loops
from .hidden_counts import with_hidden_counts
from .matrices import MATRIX_INSTRUCTIONS, Matrices, MatrixInstruction
from .names import Names
from .parameters import Parameters
from .strategy import Strategy
from .unsupported import refuse_unsupported
from .writer import Known, MemrefCode, Writer, literal

if TYPE_CHECKING:
    from ..vector import VectorKernel

BARRIER_IN_FOREACH = Rule("PYTL-3017", "a barrier is met by all work-items of the work-group", "Barrier")


@dataclass(frozen=True, kw_only=True)
class KernelSource(KernelInterface):
    """Generated source, with what a launch has to know about it."""

    text: str
    is_scattered: bool
    """Whether it was written with `ManyItems.is_scattered`."""
    kernels: Mapping[str, VectorKernel]
    """Vector code that the source calls, by its name there."""
    functions: Mapping[str, Sequence[str]]
    """The functions of the source that others call, with the element types of what they give."""

    @property
    def to_build(self) -> tuple[Any, ...]:
        """What `toolchain.build` takes."""
        return self.text, self.entry, self.signature, self.subgroup_size, self.kernels, self.functions


def emit(function: Function, strategy: Strategy, title: str) -> KernelSource:
    """Write a function that has passed the lowering pipeline."""
    entry = Names().fresh(function.name if not function.name.isdigit() else f"k{function.name}")
    functions = Called(function, entry)
    for each in (function, *functions.names):
        refuse_unsupported(each, _WRITE)
    called = [_Emitter(each, strategy, functions).called() for each in functions.names]
    return _Emitter(function, strategy, functions).run("\n".join([title, *called]), entry)


def is_complex(value: Value) -> bool:
    return isinstance(value.type, ScalarType) and value.type.is_complex


class _Emitter:
    def __init__(self, function: Function, strategy: Strategy, functions: Called) -> None:
        self.function = function
        self.strategy = strategy
        self.functions = functions
        self.writer = Writer(functions.names.values())
        order = "subgroup_barrier()" if function.attributes.get(NO_LOCK_STEP) else "subgroup_fence()"
        types = function.attributes.get(MATRIX_TYPES, "").split(",")
        self.matrices = Matrices(self.writer, subgroup_size(function), order, types)
        self.parameters = Parameters(self.writer, strategy)
        self.groups_per_item = self.together = 1
        self.item_loop: kernels.ItemLoop
        self._variables: dict[Value, tuple[str, ...]] = {}
        self.group_id, self.group_count, self.share = "group_id()", "group_count()", "1"
        self.replicated = True
        """Whether every work-item of the language executes what is being written; false inside foreach."""

    def called(self) -> str:
        """The source of a function that others call."""
        names = calls.parameters(self.writer, self.function)
        self.region(self.function.body)
        last = terminator(self.function.body)
        if last is not None and last.yielded:
            self.writer.line(f"return {', '.join(map(self.writer.scalar, last.yielded))}")
        self.writer.end_body()
        head = f"def {self.functions.names[self.function]}({', '.join(names)}):"
        return f"{head}\n{self._with_workarounds(self.writer.text)}\n"

    def _with_workarounds(self, text: str) -> str:
        """Source that the device's compiler does not crash on."""
        text = with_hidden_counts(text)
        return with_counted_loops(text) if self.strategy.items > 1 else text

    def run(self, title: str, entry: str) -> KernelSource:
        """The whole source; `title` is what stands in front of the kernel."""
        writer = self.writer
        writer.names.fresh(entry)
        for position, value in enumerate(self.function.parameters):
            self.parameters.add(position, value)
        if self.function.attributes.get(IN_PARTS):
            first, self.group_count = self.parameters.add_first_group(), self.parameters.add_group_count()
            self.group_id = f"({first} + group_id())"
        elif any(isinstance(op, (cpu.Items, vector.SideBySide)) for op in self.function.body.operations):
            self.group_count = self.parameters.add_group_count()
            self.share = self.parameters.add_share()
        local_bytes = self.function.attributes.get(STACK_SIZE, 0)
        if local_bytes:
            writer.line(f"{STACK} = {self.strategy.memory(local_bytes, local_alignment(self.function))}")
        start = writer.mark()
        tiles = self.function.attributes.get(TILE_SHAPE)
        if tiles is not None:
            writer.line(f"configure_tiles({', '.join(map(str, tiles))})")
        self.region(self.function.body)
        if tiles is not None:
            writer.line("release_tiles()")
        if self.matrices.bytes:
            writer.line_at(start, f"matrices = private_memory({self.matrices.bytes})")
        writer.end_body()
        parameters = tuple(self.parameters.kernel_parameters)
        size = subgroups.required_size(self.function, self.strategy)
        head = f"{title}\ndef {entry}({', '.join(['item', *(p.name for p in parameters)])}):"
        text = f"{head}\n{self._with_workarounds(writer.text)}\n"
        interface = (entry, parameters, self.strategy.items, local_bytes, size, self.groups_per_item, self.together)
        scattered, private = self.strategy.is_scattered, self.strategy.space == "private"
        return KernelSource(
            *interface,
            private,
            text=text,
            is_scattered=scattered,
            kernels=self.functions.kernels,
            functions=self.functions.results,
        )

    # Instructions.

    def region(self, region: Region) -> None:
        for op in region.operations:
            write = _WRITE[type(op)]
            if not isinstance(op, (Constant, Yield, LifetimeStop)):
                self.writer.origin(op.location)
            write(self, op)

    def alloca(self, op: Alloca) -> None:
        type_: MemrefType = op.result.type
        name = self.writer.names.of(op.result, "local")
        offset = op.attributes[STACK_OFFSET]
        pointer = f"{self.strategy.space}_{device_name(type_.element)}({STACK}, {offset})"
        self.writer.line(f"{name} = {self.strategy.pointer(pointer)}")
        shape, strides = (tuple(map(Known, extents)) for extents in (type_.shape, type_.strides))
        self.writer.bind(op.result, MemrefCode(name, type_.element, shape, strides))

    def nothing(self, op: Operation) -> None:
        """Writes nothing: the instruction was handled before, or belongs to a larger construct."""

    def constant(self, op: Constant) -> None:
        if is_matrix(op.result):
            self.matrices.constant(op)
        # constants are written where they are used

    def binary(self, op: ArithBinary) -> None:
        if is_matrix(op.result):
            self.matrices.binary(op)
            return
        a, b = self.writer.scalar(op.a), self.writer.scalar(op.b)
        self.writer.assign(op.result, scalars.binary(op.variant, a, b, op.a.type))

    def unary(self, op: ArithUnary) -> None:
        if is_matrix(op.result):
            self.matrices.unary(op)
            return
        self.writer.assign(op.result, scalars.unary(op.variant, self.writer.scalar(op.a), op.a.type))

    def cast(self, op: Cast) -> None:
        if is_matrix(op.result):
            self.matrices.cast(op)
            return
        operand = self.writer.scalar(op.operand)
        self.writer.assign(op.result, scalars.cast(operand, op.operand.type, op.result.type))

    def bitcast(self, op: Bitcast) -> None:
        number = self.writer.scalar(op.operand)
        self.writer.assign(op.result, scalars.bitcast(number, op.operand.type, op.result.type))

    def math(self, op: Math | cpu.Sqrt) -> None:
        self.writer.assign(op.result, scalars.math(op.variant, self.writer.scalar(op.a), op.a.type))

    def compare(self, op: Compare) -> None:
        a, b = self.writer.scalar(op.a), self.writer.scalar(op.b)
        self.writer.assign(op.result, scalars.compare(op.variant, a, b))

    def builtin(self, op: Builtin) -> None:
        fixed = {"num_subgroups": subgroup_count, "subgroup_size": subgroup_size}.get(op.variant)
        if fixed is not None:
            self.writer.assign(op.result, literal(fixed(self.function), op.result.type))
        else:
            known = Meanings("generated source, builtin", {"group_id": self.group_id, "group_size": self.group_count})
            self.writer.assign(op.result, known[op.variant])

    def load(self, op: Load) -> None:
        indices = [self.writer.scalar(value) for value in op.indices]
        if isinstance(op.tensor.type, GroupType):
            views.item_of_group(self.writer, op, indices[0], self.strategy)
        else:
            self.writer.assign(op.result, self.writer.memref(op.tensor).at(*indices))

    def store(self, op: Store) -> None:
        tensor = self.writer.memref(op.tensor)
        indices = [self.writer.scalar(value) for value in op.indices]
        with self.by_each(op.flag == "atomic_add"):
            self.writer.store(op.flag, tensor, indices, self.writer.scalar(op.data))

    def by_each(self, adds: bool) -> AbstractContextManager[None]:
        """Around an access that each work-item makes, if it adds."""
        return self.strategy.replicated(self.writer) if adds and self.replicated else nullcontext()

    def size(self, op: Size) -> None:
        if isinstance(op.tensor.type, GroupType):
            self.writer.assign(op.result, self.writer.group(op.tensor).count)
        else:
            self.writer.assign(op.result, self.writer.memref(op.tensor).shape[op.mode])

    def for_(self, op: For) -> None:
        writer = self.writer
        for carried, initial in zip(op.carried, op.inits):
            if is_matrix(carried):
                self.matrices.copy(writer.matrix(initial), self.matrices.new(carried))
            else:
                variables = self._variables_of(carried)
                writer.line(f"{', '.join(variables)} = {', '.join(self._parts_of(initial))}")
        bounds = loops.bounds(writer, op)
        variable = writer.names.of(op.variable, "i")
        with writer.block(f"for {variable} in range({', '.join(bounds)}):"):
            loops.begin(writer, op, variable)
            for carried in filter(is_complex, op.carried):
                self._join(carried, self._variables[carried])
            self.region(op.body)
            self._assign_parallel(op.carried, op.yielded)
        for result, carried in zip(op.results, op.carried):
            if is_complex(result):
                self._join(result, self._variables[carried])
            else:
                writer.bind(result, writer.code(carried))

    def if_(self, op: If) -> None:
        writer = self.writer
        for value in op.results:
            if is_matrix(value):
                self.matrices.new(value)
            else:
                self._variables_of(value)
        with writer.block(f"if {writer.scalar(op.condition)}:"):
            self._branch(op.then_body, op.results)
        if op.else_body is not None and (op.else_body.operations or op.results):
            with writer.block("else:"):
                self._branch(op.else_body, op.results)
        for value in filter(is_complex, op.results):
            self._join(value, self._variables[value])

    def _branch(self, region: Region, targets: Sequence[Value]) -> None:
        self.region(region)
        last = terminator(region)
        self._assign_parallel(targets, last.yielded if last else [])

    def _assign_parallel(self, targets: Sequence[Value], values: Sequence[Value]) -> None:
        """Assign all values at once: a later one may be what an earlier target was."""
        matrices = [(t, v) for t, v in zip(targets, values) if is_matrix(t)]
        self.matrices.assign_all([t for t, _ in matrices], [v for _, v in matrices])
        pairs = [
            (variable, part)
            for target, value in zip(targets, values)
            if not is_matrix(target)
            for variable, part in zip(self._variables[target], self._parts_of(value))
            if variable != part
        ]
        if pairs:
            self.writer.line(f"{', '.join(t for t, _ in pairs)} = {', '.join(v for _, v in pairs)}")

    def _variables_of(self, value: Value) -> tuple[str, ...]:
        """The names to assign for a value that is assigned in several places: one per part of a complex number.

        Otherwise LLVM would join complex numbers, which are structs, by phis of structs, on which the device's compiler
        has crashed.
        """
        name = value.name or "v"
        variables: tuple[str, ...]
        if is_complex(value):
            variables = (self.writer.names.fresh(f"{name}_re"), self.writer.names.fresh(f"{name}_im"))
        else:
            variables = (self.writer.names.fresh(name),)
            self.writer.bind(value, variables[0])
        self._variables[value] = variables
        return variables

    def _parts_of(self, value: Value) -> tuple[str, ...]:
        """The expressions that are assigned to the names of `_places` to pass this value on."""
        if not is_complex(value):
            return (self.writer.scalar(value),)
        number = constant_of(value)
        if number is not None:
            part = value.type.component
            return (literal(number.real, part), literal(number.imag, part))
        name = self.writer.scalar(value)
        return (f"real({name})", f"imag({name})")

    def _join(self, value: Value, variables: tuple[str, ...]) -> None:
        self.writer.assign(value, f"make_complex({', '.join(variables)})")

    def foreach(self, op: Foreach) -> None:
        writer = self.writer
        type_ = op.variables[0].type
        wide = type_.size == 8

        def bounds(values: Sequence[Value]) -> list[str]:
            return [writer.scalar(v) if wide else f"cast_i64({writer.scalar(v)})" for v in values]

        names = [writer.names.of(value, "i") for value in op.variables]
        with self.strategy.points(writer, names, bounds(op.start), bounds(op.stop)) as indices:
            for value, name in zip(op.variables, indices):
                if wide:
                    writer.bind(value, name)
                else:
                    writer.assign(value, f"cast_{type_}({name})")
            outer, self.replicated = self.replicated, False
            self.region(op.body)
            self.replicated = outer

    def parallel(self, op: Parallel) -> None:
        looks = any(inner.kind == "spmd" for inner in op.body.walk())
        with self.strategy.subgroups(self.writer) if looks else nullcontext():
            self.region(op.body)

    def barrier(self, op: Barrier) -> None:
        if not self.replicated and self.strategy.items > 1:
            # the device would wait forever for work-items that have no iteration left
            raise PytlError.single(
                BARRIER_IN_FOREACH,
                "the iterations of a foreach are dealt out to the work-items, some of which may have none",
                op.location,
                "end the foreach in front of the barrier, or use parallel",
            )
        self.strategy.barrier(self.writer, op)

    def subgroup_builtin(self, op: SubgroupBuiltin) -> None:
        if op.variant == "subgroup_id":
            self.writer.assign(op.result, self.strategy.subgroup_id)
        else:
            subgroups.builtin(self.writer, op)

    def exchange(self, op: SubgroupBroadcast | SubgroupOperation) -> None:
        if not self.replicated:
            subgroups.refuse_in_foreach(op)
        subgroups.exchange(self.writer, op, subgroup_size(self.functions.kernel))

    def matrix(
        self,
        op: MatrixInstruction,
    ) -> None:
        if not self.replicated:
            subgroups.refuse_in_foreach(op)
        self.matrices.write(op, self.region)

    def call(self, op: Call) -> None:
        if not self.replicated:
            for inner in op.callee.walk_through_calls():
                if isinstance(inner, (SubgroupBroadcast, SubgroupOperation)):
                    subgroups.refuse_in_foreach(inner)
        frames = self.function.attributes.get(STACK_CALLS, 0)
        called = f"{self.functions.names[op.callee]}({', '.join(calls.arguments(self.writer, op, frames))})"
        names = list(map(self.writer.names.of, op.results))
        self.writer.line(f"{', '.join(names)} = {called}" if names else called)
        for value, name in zip(op.results, names):
            self.writer.bind(value, name)

    # Instructions that passes make for processors.

    def kernel(self, op: vector.Code | vector.WorkItems) -> None:
        name = self.writer.names.fresh("vector_kernel")
        while name in self.functions.kernels:
            name = self.writer.names.fresh("vector_kernel")
        self.functions.kernels[name] = kernels.kernel(self.writer, op, name, subgroup_size(self.functions.kernel))

    def side_by_side(self, op: vector.SideBySide) -> None:
        self.groups_per_item = self.together = op.items  # as many in each launched work-group
        for value, number in zip(op.body.arguments, (f"group_id() * {self.share}", self.group_count)):
            self.writer.assign(value, number)
        self.region(op.body)

    def items(self, op: cpu.Items) -> None:
        self.groups_per_item, self.together = op.items, op.interleave
        with kernels.item_loop(self.writer, op, self.share, self.group_count) as self.item_loop:
            kernels.items(self.writer, op, self.item_loop, self.region)


_WRITE: dict[type[Operation], Callable[[_Emitter, Any], None]] = {
    **dict.fromkeys(MATRIX_INSTRUCTIONS, _Emitter.matrix),
    **dict.fromkeys(ACCESSES, lambda emitter, op: atomics.write(emitter.writer, op, emitter.by_each)),
    Alloca: _Emitter.alloca,
    Bitcast: _Emitter.bitcast,
    Expandc2r: lambda emitter, op: views.expandc2r(emitter.writer, op),
    ArithBinary: _Emitter.binary,
    ArithUnary: _Emitter.unary,
    Barrier: _Emitter.barrier,
    Builtin: _Emitter.builtin,
    Call: _Emitter.call,
    Cast: _Emitter.cast,
    Convert: _Emitter.cast,
    Compare: _Emitter.compare,
    Constant: _Emitter.constant,
    Expand: lambda emitter, op: views.expand(emitter.writer, op),
    For: _Emitter.for_,
    Foreach: _Emitter.foreach,
    Fuse: lambda emitter, op: views.fuse(emitter.writer, op),
    If: _Emitter.if_,
    LifetimeStop: _Emitter.nothing,
    Require: _Emitter.nothing,
    Load: _Emitter.load,
    Math: _Emitter.math,
    cpu.Sqrt: _Emitter.math,
    MathSince04: _Emitter.math,
    MatrixUnary: _Emitter.unary,
    MatrixArithmetic: _Emitter.binary,
    Parallel: _Emitter.parallel,
    Size: _Emitter.size,
    Store: _Emitter.store,
    SubgroupAdd: _Emitter.exchange,
    SubgroupBroadcast: _Emitter.exchange,
    SubgroupBuiltin: _Emitter.subgroup_builtin,
    SubgroupMax: _Emitter.exchange,
    SubgroupMin: _Emitter.exchange,
    Subview: lambda emitter, op: views.subview(emitter.writer, op),
    Yield: _Emitter.nothing,
    preconditions.Report: lambda emitter, op: checks.report(emitter.writer, op),
    cpu.BeginsAtLine: lambda emitter, op: views.begins_at_line(emitter.writer, op),
    cpu.Items: _Emitter.items,
    vector.SideBySide: _Emitter.side_by_side,
    vector.Code: _Emitter.kernel,
    vector.Fence: lambda emitter, op: emitter.writer.line("memory_fence()"),
    vector.SubgroupBarrier: lambda emitter, op: emitter.writer.line("subgroup_barrier()"),
    vector.WorkItems: _Emitter.kernel,
    cpu.Later: lambda emitter, op: kernels.later(emitter.writer, op, emitter.item_loop),
    cpu.Registers: _Emitter.nothing,
}
