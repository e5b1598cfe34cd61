"""Short vectors of floats: the device's compiler makes none of a loop, so generated source says where they are.

`load_f32x8(p, i)` reads 8 elements from `p[i]` on, which need not be aligned to more than an element; the widths
are powers of two up to 64 bytes.
"""

from __future__ import annotations

from llvmlite import ir
from numba.core import datamodel, errors, types
from numba.extending import intrinsic
from numba_dpex.core.descriptor import dpex_kernel_target

from .elements import ELEMENTS, I32
from .pointers import ADDRESS_SPACES, SPIRV, Pointer, named_intrinsic
from .signatures import call

WIDTHS = {"f32": (2, 4, 8, 16), "f64": (2, 4, 8)}


class Vector(types.Type):
    """Some floats in one register."""

    def __init__(self, dtype: str, lanes: int) -> None:
        self.dtype = dtype
        self.lanes = lanes
        super().__init__(name=f"Vector({dtype}, {lanes})")

    @property
    def scalar(self) -> types.Type:
        return ELEMENTS[self.dtype].register

    @property
    def llvm_type(self) -> ir.VectorType:
        return ir.VectorType(ELEMENTS[self.dtype].storage, self.lanes)


class VectorModel(datamodel.PrimitiveModel):
    def __init__(self, manager, vector: Vector) -> None:
        super().__init__(manager, vector, vector.llvm_type)


dpex_kernel_target.target_context.data_model_manager.register(Vector, VectorModel)


def _place(builder: ir.IRBuilder, pointer: Pointer, vector: Vector, address: ir.Value, index: ir.Value) -> ir.Value:
    target = vector.llvm_type.as_pointer(ADDRESS_SPACES[pointer.space])
    return builder.bitcast(builder.gep(address, [index]), target)


def _load(vector: Vector):
    def definition(typing_context, pointer, index):
        """Elements from an index on."""
        if not isinstance(pointer, Pointer) or pointer.dtype != vector.dtype:
            name = f"load_{vector.dtype}x{vector.lanes}"
            raise errors.TypingError(f"{name} takes a pointer to {vector.dtype}, not {pointer}")

        def codegen(context, builder, sig, args):
            return builder.load(_place(builder, pointer, vector, *args), align=pointer.element.size)

        return vector(pointer, types.int64), codegen

    return named_intrinsic(f"load_{vector.dtype}x{vector.lanes}", definition)


def _splat(vector: Vector):
    def definition(typing_context, value):
        """A vector that holds one number in every lane."""
        if value != vector.scalar:
            raise errors.TypingError(f"splat_{vector.dtype}x{vector.lanes} takes a {vector.scalar}, not {value}")

        def codegen(context, builder, sig, args):
            undefined = ir.Constant(vector.llvm_type, ir.Undefined)
            first = builder.insert_element(undefined, args[0], I32(0))
            lanes = ir.Constant(ir.VectorType(ir.IntType(32), vector.lanes), [0] * vector.lanes)
            return builder.shuffle_vector(first, undefined, lanes)

        return vector(value), codegen

    return named_intrinsic(f"splat_{vector.dtype}x{vector.lanes}", definition)


@intrinsic(target=SPIRV)
def store_vector(typing_context, pointer, index, vector):
    """Write a vector's elements from an index on."""
    if not (isinstance(pointer, Pointer) and isinstance(vector, Vector) and pointer.dtype == vector.dtype):
        raise errors.TypingError(f"store_vector takes a pointer to the vector's elements, not {pointer} and {vector}")

    def codegen(context, builder, sig, args):
        builder.store(args[2], _place(builder, pointer, vector, args[0], args[1]), align=pointer.element.size)
        return context.get_dummy_value()

    return types.none(pointer, types.int64, vector), codegen


def _arithmetic(name: str, operands, emit):
    vector = operands[0]
    if not isinstance(vector, Vector) or any(operand != vector for operand in operands):
        raise errors.TypingError(f"{name} takes vectors of one type, not {', '.join(map(str, operands))}")
    return vector(*operands), lambda context, builder, sig, args: emit(builder, *args)


@intrinsic(target=SPIRV)
def vector_mul(typing_context, a, b):
    """a * b, lane by lane."""
    return _arithmetic("vector_mul", (a, b), lambda builder, a, b: builder.fmul(a, b))


@intrinsic(target=SPIRV)
def vector_add(typing_context, a, b):
    """a + b, lane by lane."""
    return _arithmetic("vector_add", (a, b), lambda builder, a, b: builder.fadd(a, b))


@intrinsic(target=SPIRV)
def vector_fma(typing_context, a, b, c):
    """a * b + c, lane by lane, rounded once."""

    def emit(builder: ir.IRBuilder, a: ir.Value, b: ir.Value, c: ir.Value) -> ir.Value:
        bits = 32 if isinstance(a.type.element, ir.FloatType) else 64
        return call(builder, f"llvm.fma.v{a.type.count}f{bits}", a, b, c)

    return _arithmetic("vector_fma", (a, b, c), emit)


_TYPES = [Vector(dtype, lanes) for dtype, widths in WIDTHS.items() for lanes in widths]
VECTORS = {function._name: function for vector in _TYPES for function in (_load(vector), _splat(vector))}
