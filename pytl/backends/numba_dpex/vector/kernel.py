"""A `vector.code` as a function of the device library: an intrinsic that writes LLVM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba.core import types

from ....ir.types import MemrefType
from ....ir.values import Value
from ....passes.targets.vector import OUTLINED
from ..device.pointers import named_intrinsic, with_arity
from .context import Context, Number, Tensor
from .emit import code
from .program import VectorKernel


def intrinsic(name: str, kernel: VectorKernel) -> Any:
    """The function that generated source calls."""

    def definition(typing_context: Any, *argument_types: types.Type) -> Any:
        def codegen(context: Any, builder: ir.IRBuilder, sig: Any, args: Sequence[ir.Value]) -> ir.Value:
            if kernel.operation.attributes.get(OUTLINED):
                _write_outlined(kernel, builder, args)
            else:
                code(_context(kernel, builder, args), kernel.operation)
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
    code(_context(kernel, inside, function.args), kernel.operation)
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
    context = Context(builder, subgroup_size=kernel.subgroup_size)
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
