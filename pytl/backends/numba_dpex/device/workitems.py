"""The work-item's place in a 1-D nd-range, and the barrier of its work-group."""

from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.extending import intrinsic

from .elements import I32, I64
from .pointers import ADDRESS_SPACES, SPIRV

WORK_GROUP_SCOPE = 2
ACQUIRE_RELEASE, LOCAL_MEMORY, GLOBAL_MEMORY = 0x8, 0x100, 0x200


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


def _builtin(name: str):
    return types.int64(), lambda context, builder, sig, args: _first(builder, name)


def zero(builder: ir.IRBuilder) -> ir.Value:
    """Zero, the same in all work-items, in a form in which no compiler knows it: the sign of the launch's offset."""
    return builder.ashr(_first(builder, "__spirv_BuiltInGlobalOffset"), I64(63))


@intrinsic(target=SPIRV)
def group_id(typing_context):
    """The index of the work-group."""
    return _builtin("__spirv_BuiltInWorkgroupId")


@intrinsic(target=SPIRV)
def group_count(typing_context):
    """How many work-groups were launched."""
    return _builtin("__spirv_BuiltInNumWorkgroups")


@intrinsic(target=SPIRV)
def local_id(typing_context):
    """The index of the work-item in its work-group."""
    return _builtin("__spirv_BuiltInLocalInvocationId")


@intrinsic(target=SPIRV)
def local_count(typing_context):
    """How many work-items a work-group has."""
    return _builtin("__spirv_BuiltInWorkgroupSize")


@intrinsic(target=SPIRV)
def uniform_zero(typing_context):
    """Zero for all work-items, which no compiler knows."""
    return types.int64(), lambda context, builder, sig, args: zero(builder)


@intrinsic(target=SPIRV, prefer_literal=True)
def barrier(typing_context, global_fence, local_fence):
    """Wait for all work-items of the work-group; their writes to the fenced address spaces are visible afterwards."""
    if not all(isinstance(fence, types.BooleanLiteral) for fence in (global_fence, local_fence)):
        raise errors.TypingError("barrier takes its fences as literals: barrier(True, False)")
    semantics = GLOBAL_MEMORY * global_fence.literal_value | LOCAL_MEMORY * local_fence.literal_value
    if semantics:
        semantics |= ACQUIRE_RELEASE

    def codegen(context, builder, sig, args):
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.VoidType(), [I32] * 3), "_Z22__spirv_ControlBarrierjjj"
        )
        function.calling_convention = "spir_func"
        # Without it LLVM may move the call under a condition that not every work-item meets.
        function.attributes.add("convergent")
        call = builder.call(function, [I32(WORK_GROUP_SCOPE), I32(WORK_GROUP_SCOPE), I32(semantics)])
        call.attributes.add("convergent")
        return context.get_dummy_value()

    return types.void(global_fence, local_fence), codegen
