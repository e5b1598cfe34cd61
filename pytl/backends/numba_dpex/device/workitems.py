"""The work-item's place in a 1-D nd-range, and the barrier of its work-group."""

from __future__ import annotations

from functools import partial

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.extending import intrinsic

from .elements import I32, I64
from .pointers import ADDRESS_SPACES, SPIRV
from .signatures import of_nothing

WORK_GROUP_SCOPE = 2
DEVICE_SCOPE = 1
ACQUIRE_RELEASE, IN_ORDER, LOCAL_MEMORY, GLOBAL_MEMORY = 0x8, 0x10, 0x100, 0x200


def builtin(builder: ir.IRBuilder, name: str, type_: ir.Type) -> ir.Value:
    """A built-in variable of SPIR-V, by the name under which llvm-spirv knows it."""
    variable = builder.module.globals.get(name)
    if variable is None:
        variable = cgutils.add_global_variable(builder.module, type_, name, addrspace=ADDRESS_SPACES["global"])
        variable.linkage = "external"
        variable.global_constant = True
    return builder.load(variable)


def _first(builder: ir.IRBuilder, name: str) -> ir.Value:
    """The first of a built-in variable's three numbers."""
    return builder.extract_element(builtin(builder, name, ir.VectorType(I64, 3)), I32(0))


def zero(builder: ir.IRBuilder) -> ir.Value:
    """Zero, the same in all work-items, in a form in which no compiler knows it: the sign of the launch's offset."""
    return builder.ashr(_first(builder, "__spirv_BuiltInGlobalOffset"), I64(63))


PLACES = [
    of_nothing(name, types.int64, partial(_first, name=f"__spirv_BuiltIn{variable}"))
    for name, variable in (
        ("group_id", "WorkgroupId"),
        ("group_count", "NumWorkgroups"),
        ("local_id", "LocalInvocationId"),
        ("local_count", "WorkgroupSize"),
    )
]
"""The numbers of the work-group and of the work-item in it, and how many of both there are."""
uniform_zero = of_nothing("uniform_zero", types.int64, zero)


def convergent_call(builder: ir.IRBuilder, name: str, result: ir.Type, *arguments: ir.Value) -> ir.Value:
    """A call of a function of SPIR-V that work-items execute together."""
    signature = ir.FunctionType(result, [argument.type for argument in arguments])
    function = cgutils.get_or_insert_function(builder.module, signature, name)
    function.calling_convention = "spir_func"
    # Without it LLVM may move the call under a condition that not every work-item meets.
    function.attributes.add("convergent")
    call = builder.call(function, arguments)
    call.attributes.add("convergent")
    return call


@intrinsic(target=SPIRV)
def memory_fence(typing_context):
    """What was stored before is in memory when other work-items see what this one stores behind it.

    For stores past the caches that has to be a fence in the order of all threads: x86 has no instruction for others.
    """

    def codegen(context, builder, sig, args):
        numbers = [I32(DEVICE_SCOPE), I32(IN_ORDER | GLOBAL_MEMORY)]
        convergent_call(builder, "_Z21__spirv_MemoryBarrierjj", ir.VoidType(), *numbers)
        return context.get_dummy_value()

    return types.void(), codegen


@intrinsic(target=SPIRV, prefer_literal=True)
def barrier(typing_context, global_fence, local_fence):
    """Wait for all work-items of the work-group; their writes to the fenced address spaces are visible afterwards."""
    if not all(isinstance(fence, types.BooleanLiteral) for fence in (global_fence, local_fence)):
        raise errors.TypingError("barrier takes its fences as literals: barrier(True, False)")
    semantics = GLOBAL_MEMORY * global_fence.literal_value | LOCAL_MEMORY * local_fence.literal_value
    if semantics:
        semantics |= ACQUIRE_RELEASE

    def codegen(context, builder, sig, args):
        scopes = [I32(WORK_GROUP_SCOPE)] * 2
        convergent_call(builder, "_Z22__spirv_ControlBarrierjjj", ir.VoidType(), *scopes, I32(semantics))
        return context.get_dummy_value()

    return types.void(global_fence, local_fence), codegen
