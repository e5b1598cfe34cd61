"""Typed pointers: numba-dpex has arrays only, with a shape, strides and one data type per argument."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, datamodel, errors, types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin

from ..spirv import ATOMIC_WORD
from .elements import ELEMENTS, I32, I64, Element, decode, encode
from .target import ARRAYS, SPIRV, register_model

ADDRESS_SPACES = {"private": 0, "global": 1, "local": 3}
ARENA_ALIGNMENT = 64


class Pointer(types.Type):
    """A pointer to elements in an address space: `p[i]`, `p[i] = v` and `p + k` count in elements."""

    def __init__(self, dtype: str, space: str) -> None:
        self.dtype = dtype
        self.space = space
        super().__init__(name=f"Pointer({dtype}, {space})")

    @property
    def element(self) -> Element:
        return ELEMENTS[self.dtype]

    @property
    def llvm_type(self) -> ir.PointerType:
        return self.element.storage.as_pointer(ADDRESS_SPACES[self.space])


class PointerModel(datamodel.PrimitiveModel):
    def __init__(self, manager, pointer: Pointer) -> None:
        super().__init__(manager, pointer, pointer.llvm_type)


register_model(Pointer, PointerModel)


def parts(builder: ir.IRBuilder, address: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The addresses of the real and imaginary part of a complex element."""
    return tuple(builder.gep(address, [I32(0), I32(k)], inbounds=True) for k in (0, 1))


def load(builder: ir.IRBuilder, element: Element, address: ir.Value) -> ir.Value:
    if not element.is_complex:
        return decode(builder, element, builder.load(address))
    # Part by part: the device's vectorizer gives up on loads and stores of structs.
    value = ir.Constant(element.storage, ir.Undefined)
    for k, part in enumerate(parts(builder, address)):
        value = builder.insert_value(value, builder.load(part), k)
    return value


def store(builder: ir.IRBuilder, element: Element, address: ir.Value, value: ir.Value) -> None:
    if not element.is_complex:
        builder.store(encode(builder, element, value), address)
        return
    for k, part in enumerate(parts(builder, address)):
        builder.store(builder.extract_value(value, k), part)


@infer_global(operator.getitem)
class PointerLoad(AbstractTemplate):
    def generic(self, args, kws):
        pointer, index = args
        if isinstance(pointer, Pointer) and isinstance(index, types.Integer):
            return signature(pointer.element.register, pointer, types.int64)


@lower_builtin(operator.getitem, Pointer, types.Integer)
def lower_load(context, builder, sig, args):
    return load(builder, sig.args[0].element, builder.gep(args[0], [args[1]]))


@infer_global(operator.setitem)
class PointerStore(AbstractTemplate):
    def generic(self, args, kws):
        pointer, index, _ = args
        if isinstance(pointer, Pointer) and isinstance(index, types.Integer):
            return signature(types.none, pointer, types.int64, pointer.element.register)


@lower_builtin(operator.setitem, Pointer, types.Integer, types.Any)
def lower_store(context, builder, sig, args):
    store(builder, sig.args[0].element, builder.gep(args[0], [args[1]]), args[2])
    return context.get_dummy_value()


@infer_global(operator.add)
class PointerOffset(AbstractTemplate):
    def generic(self, args, kws):
        if len(args) == 2 and isinstance(args[0], Pointer) and isinstance(args[1], types.Integer):
            return signature(args[0], args[0], types.int64)


@lower_builtin(operator.add, Pointer, types.Integer)
def lower_offset(context, builder, sig, args):
    return builder.gep(args[0], [args[1]])


def named_intrinsic(name: str, definition, **options):
    """A device function that exists once for every element type, under a name derived from the type."""
    definition.__name__ = definition.__qualname__ = name
    return intrinsic(target=SPIRV, **options)(definition)


def with_arity(definition: Callable[..., Any], count: int) -> Callable[..., Any]:
    """The same function with so many named parameters: numba packs star arguments into a tuple."""
    names = ", ".join(f"p{k}" for k in range(count))
    namespace: dict[str, Any] = {"definition": definition}
    exec(f"def function(typing_context, {names}):\n    return definition(typing_context, {names})", namespace)
    return namespace["function"]


def is_array(ty: types.Type) -> bool:
    """Whether a parameter is an array: numba-dpex's own type for `call_kernel`, a bare pointer in our builds.

    numba-dpex flattens an array into five arguments, of which a kernel needs one; each argument costs a launch 0.3 µs.
    """
    return isinstance(ty, ARRAYS) or (isinstance(ty, Pointer) and ty.space == "global")


def _data(context, builder: ir.IRBuilder, array: types.Type, value: ir.Value) -> ir.Value:
    if isinstance(array, Pointer):
        return value
    return cgutils.create_struct_proxy(array)(context, builder, value=value).data


def _global_pointer(dtype: str):
    result = Pointer(dtype, "global")

    def definition(typing_context, array):
        """The data of an array parameter, whatever its own data type."""
        if not is_array(array):
            raise errors.TypingError(f"global_{dtype} takes an array parameter of the kernel, not {array}")

        def codegen(context, builder, sig, args):
            return builder.bitcast(_data(context, builder, array, args[0]), result.llvm_type)

        return result(array), codegen

    return named_intrinsic(f"global_{dtype}", definition)


def _group_pointer(dtype: str):
    result = Pointer(dtype, "global")

    def definition(typing_context, addresses, index, offset):
        """Entry `index` of an int64 array of addresses, plus `offset` elements."""
        if not (is_array(addresses) and addresses.dtype in ("i64", types.int64)):
            raise errors.TypingError(f"group_{dtype} takes an int64 array of addresses, not {addresses}")

        def codegen(context, builder, sig, args):
            data = _data(context, builder, addresses, args[0])
            address = builder.load(builder.gep(data, [args[1]]))
            return builder.gep(builder.inttoptr(address, result.llvm_type), [args[2]])

        return result(addresses, types.int64, types.int64), codegen

    return named_intrinsic(f"group_{dtype}", definition)


def _arena_pointer(dtype: str, space: str):
    result, arena_type = Pointer(dtype, space), Pointer("i8", space)

    def definition(typing_context, arena, byte_offset):
        """A typed pointer to a place in an arena."""
        if arena != arena_type:
            raise errors.TypingError(f"{space}_{dtype} takes what {space}_memory returned, not {arena}")

        def codegen(context, builder, sig, args):
            return builder.bitcast(builder.gep(args[0], [args[1]]), result.llvm_type)

        return result(arena, types.int64), codegen

    return named_intrinsic(f"{space}_{dtype}", definition)


POINTERS = {
    function._name: function
    for dtype in ELEMENTS
    for function in (
        _global_pointer(dtype),
        _group_pointer(dtype),
        _arena_pointer(dtype, "private"),
        _arena_pointer(dtype, "local"),
    )
}


@intrinsic(target=SPIRV)
def parts_of(typing_context, pointer):
    """A pointer to complex elements as a pointer to their parts."""
    if not isinstance(pointer, Pointer) or not pointer.element.is_complex:
        raise errors.TypingError(f"parts_of takes a pointer to complex elements, not {pointer}")
    result = Pointer(pointer.element.part.name, pointer.space)

    def codegen(context, builder, sig, args):
        return builder.bitcast(args[0], result.llvm_type)

    return result(pointer), codegen


def _arena_size(name: str, nbytes: types.Type) -> int:
    if not isinstance(nbytes, types.IntegerLiteral) or nbytes.literal_value < 0:
        raise errors.TypingError(f"{name} takes its size as a literal number of bytes, not {nbytes}")
    # whole words, because atomic updates of narrow elements exchange words
    return max(-(-nbytes.literal_value // ATOMIC_WORD) * ATOMIC_WORD, ATOMIC_WORD)


@intrinsic(target=SPIRV, prefer_literal=True)
def private_memory(typing_context, nbytes):
    """An arena in the work-item's private memory."""
    arena = ir.ArrayType(ir.IntType(8), _arena_size("private_memory", nbytes))

    def codegen(context, builder, sig, args):
        # Not cgutils.alloca_once, which fills the arena with zeros at every start of the kernel.
        with builder.goto_entry_block():
            memory = builder.alloca(arena, name="private_memory")
            memory.align = ARENA_ALIGNMENT
            return builder.gep(memory, [I64(0), I64(0)], inbounds=True)

    return Pointer("i8", "private")(nbytes), codegen


@intrinsic(target=SPIRV, prefer_literal=True)
def local_memory(typing_context, nbytes):
    """An arena that the work-items of a work-group share.

    It is a variable of the module, not an argument: numba-dpex's LocalAccessor knows four data types and one queue, and
    a request beyond the device's local memory makes the launch vanish without an error.
    """
    arena = ir.ArrayType(ir.IntType(8), _arena_size("local_memory", nbytes))

    def codegen(context, builder, sig, args):
        name = builder.module.get_unique_name("local_memory")
        memory = cgutils.add_global_variable(builder.module, arena, name, addrspace=ADDRESS_SPACES["local"])
        memory.linkage = "internal"
        memory.align = ARENA_ALIGNMENT
        memory.initializer = ir.Constant(arena, ir.Undefined)
        return builder.gep(memory, [I64(0), I64(0)], inbounds=True)

    return Pointer("i8", "local")(nbytes), codegen


def _alignment(name, pointer, alignment):
    """The number that a function takes with a pointer."""
    if not (isinstance(pointer, Pointer) and isinstance(alignment, types.IntegerLiteral)):
        raise errors.TypingError(f"{name} takes a pointer and a literal number, not {pointer} and {alignment}")
    return I64(alignment.literal_value)


def _over(builder, pointer, unit):
    """How far an address lies behind a multiple of a number."""
    return builder.urem(builder.ptrtoint(pointer, unit.type), unit)


@intrinsic(target=SPIRV, prefer_literal=True)
def first_aligned(typing_context, arena, alignment):
    """The first place in an arena whose address is a multiple of a literal number."""
    unit = _alignment("first_aligned", arena, alignment)

    def codegen(context, builder, sig, args):
        over = _over(builder, args[0], unit)
        return builder.gep(args[0], [builder.urem(builder.sub(unit, over), unit)], inbounds=True)

    return arena(arena, alignment), codegen


@intrinsic(target=SPIRV, prefer_literal=True)
def begins_at(typing_context, pointer, alignment):
    """Whether an address is a multiple of a literal number."""
    unit = _alignment("begins_at", pointer, alignment)

    def codegen(context, builder, sig, args):
        return builder.icmp_unsigned("==", _over(builder, args[0], unit), I64(0))

    return types.boolean(pointer, alignment), codegen
