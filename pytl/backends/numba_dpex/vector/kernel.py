"""A `cpu.kernel` as a function of the device library: an intrinsic that writes LLVM."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from llvmlite import ir
from numba.core import types

from ....ir.meanings import Meanings, no_meaning
from ....ir.operation import Operation
from ....ir.types import MemrefType
from ....ir.values import Value
from ....ops import Foreach, Gemm
from ....passes.targets.cpu import Kernel, Prefetch, Registers
from ....passes.targets.cpu_attributes import OUTLINED, UNROLL_TILES, decided, schedule_alone
from ....passes.targets.vector import Code
from ..device.pointers import named_intrinsic, with_arity
from . import points
from .context import Context, Number, Tensor
from .emit import code
from .products import Products
from .program import VectorKernel

AnyOperation = TypeVar("AnyOperation", bound=Operation)

_ALONE: Meanings[type[Operation], Callable[[Context, Any, Kernel], None]] = Meanings(
    "vector code, a kernel without products",
    {
        Foreach: points.foreach,
    },
)
"""Instructions with vector code of their own, with the functions that write it."""


def intrinsic(name: str, kernel: VectorKernel) -> Any:
    """The function that generated source calls."""

    def definition(typing_context: Any, *argument_types: types.Type) -> Any:
        def codegen(context: Any, builder: ir.IRBuilder, sig: Any, args: Sequence[ir.Value]) -> ir.Value:
            if kernel.operation.attributes.get(OUTLINED):
                _write_outlined(kernel, builder, args)
            else:
                write(_context(kernel, builder, args), kernel.operation)
            return context.get_dummy_value()

        return types.none(*argument_types), codegen

    return named_intrinsic(name, with_arity(definition, len(kernel.arguments)))


def _write_outlined(kernel: VectorKernel, builder: ir.IRBuilder, arguments: Sequence[ir.Value]) -> None:
    """Write a kernel's code as an outlined function, which is never inlined, and call it."""
    module = builder.module
    kind = ir.FunctionType(ir.VoidType(), [value.type for value in arguments])
    function = ir.Function(module, kind, module.get_unique_name("vector_code"))
    function.linkage = "internal"
    function.calling_convention = "spir_func"
    function.attributes.add("noinline")
    function.attributes.add("nounwind")
    inside = ir.IRBuilder(function.append_basic_block("entry"))
    write(_context(kernel, inside, function.args), kernel.operation)
    inside.ret_void()
    builder.call(_once(function), arguments, cconv="spir_func")


def _once(function: ir.Function) -> ir.Function:
    """An outlined function, or an equal one of the module: products repeat, in interleaved loops and remainders."""
    module = function.module
    known: dict[str, ir.Function] = module.__dict__.setdefault("pytl_vector_code", {})
    code = str(function).replace(function.name, "", 1)
    first = known.setdefault(code, function)
    if first is not function:
        del module.globals[function.name]
    return first


def _context(kernel: VectorKernel, builder: ir.IRBuilder, arguments: Sequence[ir.Value]) -> Context:
    divisors = {v: a.divisor for a, v in zip(kernel.arguments, arguments, strict=True) if a.kind == "size"}
    context = Context(builder, divisors=divisors)
    passed = {(a.value, a.kind, a.mode): value for a, value in zip(kernel.arguments, arguments, strict=True)}

    def known(value: Value, kind: Any, numbers: Sequence[int | None]) -> tuple[Number, ...]:
        return tuple(n if n is not None else passed[value, kind, mode] for mode, n in enumerate(numbers))

    for argument in kernel.arguments:
        value = argument.value
        if argument.kind == "number":
            context.values[value] = passed[value, "number", 0]
        elif argument.kind == "pointer":
            assert isinstance(value.type, MemrefType)
            shape, strides = kernel.layouts[value]
            context.values[value] = Tensor(
                passed[value, "pointer", 0],
                value.type.element,
                known(value, "size", shape),
                known(value, "stride", strides),
            )
    return context


def write(context: Context, op: Kernel | Code) -> None:
    """Write the code of a kernel."""
    if isinstance(op, Code):
        code(context, op)
        return
    products = [i for i in op.body.operations if isinstance(i, Gemm)]
    if not products:
        alone, *others = op.body.operations
        if others:
            no_meaning("vector code, a kernel without products", others[0].word)
        write_alone = _ALONE[type(alone)]
        if UNROLL_TILES in schedule_alone(alone):
            context.unroll_tiles = decided(op, UNROLL_TILES)
        write_alone(context, alone, op)
        return
    for inner in op.body.operations:
        if not isinstance(inner, (Registers, Gemm, Foreach, Prefetch)):
            no_meaning("vector code, a kernel with products", inner.word)
    points_after = [i for i in op.body.operations if isinstance(i, Foreach)]
    context.unroll_tiles = decided(op, UNROLL_TILES)
    Products(context, op, _by_work_group(op, products), _by_work_group(op, points_after)).write()


def _by_work_group(op: Kernel, inner: Sequence[AnyOperation]) -> list[Sequence[AnyOperation]]:
    """Instructions of a kernel, each once per interleaved work-group; those of a work-group follow each other."""
    of_a_group = len(inner) // op.interleave
    return [inner[k::of_a_group] for k in range(of_a_group)]
