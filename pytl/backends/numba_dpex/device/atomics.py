"""Relaxed atomic stores and additions, for every element type.

numba-dpex's AtomicRef knows i32, i64, f32 and f64. SPIR-V has no atomics on 8 and 16 bits for this device, so those
exchange the aligned 32-bit word that contains them; a complex number is updated part by part. Nobody else sees private
memory, so the plain operation suffices there.

At the end of an array the word may reach beyond it. The word is readable and writable there, since an aligned word
never crosses a page. The bytes beyond the array keep their value: the exchange takes place only if none of the four
bytes has changed. Memory that pytl itself allocates, for copies and as local memory, ends with a whole word.
"""

from __future__ import annotations

from llvmlite import ir
from numba.core import errors, types
from numba.extending import intrinsic

from .elements import I32, I64, Element, add, decode, encode
from .pointers import SPIRV, Pointer, load, parts, store
from .signatures import split

RELAXED = "monotonic"


def _scalars(builder: ir.IRBuilder, element: Element, address: ir.Value, value: ir.Value):
    """The parts to update one by one: (element, address, value) of each."""
    if not element.is_complex:
        return [(element, address, value)]
    return [(element.part, *pair) for pair in zip(parts(builder, address), split(builder, value), strict=True)]


def _replace_in_word(builder: ir.IRBuilder, address: ir.Value, width: int, new_of_old) -> None:
    """Replace an 8- or 16-bit value by `new_of_old(it)`, exchanging the word around it."""
    space, narrow = address.type.addrspace, ir.IntType(width)
    place = builder.ptrtoint(address, I64)
    word_address = builder.inttoptr(builder.and_(place, I64(-4)), I32.as_pointer(space))
    shift = builder.trunc(builder.shl(builder.and_(place, I64(3)), I64(3)), I32)
    others = builder.not_(builder.shl(I32((1 << width) - 1), shift))

    before = builder.block
    first = builder.load_atomic(word_address, RELAXED, 4)
    loop, done = builder.append_basic_block("exchange"), builder.append_basic_block("exchanged")
    builder.branch(loop)
    builder.position_at_end(loop)
    word = builder.phi(I32)
    word.add_incoming(first, before)
    new = new_of_old(builder.trunc(builder.lshr(word, shift), narrow))
    new_word = builder.or_(builder.and_(word, others), builder.shl(builder.zext(new, I32), shift))
    exchange = builder.cmpxchg(word_address, word, new_word, RELAXED, RELAXED)
    word.add_incoming(builder.extract_value(exchange, 0), builder.block)
    builder.cbranch(builder.extract_value(exchange, 1), done, loop)
    builder.position_at_end(done)


def _store_scalar(builder: ir.IRBuilder, element: Element, address: ir.Value, value: ir.Value) -> None:
    stored, width = encode(builder, element, value), 8 * element.size
    if width < 32:
        _replace_in_word(builder, address, width, lambda old: stored)
        return
    # SPIR-V's atomic store of a float is an atomic store of its bits.
    bits = ir.IntType(width)
    builder.store_atomic(
        builder.bitcast(stored, bits),
        builder.bitcast(address, bits.as_pointer(address.type.addrspace)),
        RELAXED,
        element.size,
    )


def _add_scalar(builder: ir.IRBuilder, element: Element, address: ir.Value, value: ir.Value) -> None:
    if element.size < 4:
        _replace_in_word(
            builder,
            address,
            8 * element.size,
            lambda old: encode(builder, element, add(builder, element, decode(builder, element, old), value)),
        )
        return
    operation = "add" if isinstance(element.register, types.Integer) else "fadd"
    builder.atomic_rmw(operation, address, value, RELAXED)


def _check(name: str, pointer: types.Type, index: types.Type):
    if not isinstance(pointer, Pointer) or not isinstance(index, types.Integer):
        raise errors.TypingError(f"{name} takes a pointer and an index, not {pointer} and {index}")
    return types.void(pointer, types.int64, pointer.element.register)


@intrinsic(target=SPIRV)
def atomic_store(typing_context, pointer, index, value):
    """p[i] = v, which other work-items never see half written (for a complex number: each part)."""
    signature = _check("atomic_store", pointer, index)
    element = pointer.element

    def codegen(context, builder, sig, args):
        address = builder.gep(args[0], [args[1]])
        if pointer.space == "private":
            store(builder, element, address, args[2])
        else:
            for scalar in _scalars(builder, element, address, args[2]):
                _store_scalar(builder, *scalar)
        return context.get_dummy_value()

    return signature, codegen


@intrinsic(target=SPIRV)
def atomic_add(typing_context, pointer, index, value):
    """p[i] += v; no update is lost (for a complex number: of each part)."""
    signature = _check("atomic_add", pointer, index)
    element = pointer.element

    def codegen(context, builder, sig, args):
        address = builder.gep(args[0], [args[1]])
        for part, place, increment in _scalars(builder, element, address, args[2]):
            if pointer.space == "private":
                store(builder, part, place, add(builder, part, load(builder, part, place), increment))
            else:
                _add_scalar(builder, part, place, increment)
        return context.get_dummy_value()

    return signature, codegen
