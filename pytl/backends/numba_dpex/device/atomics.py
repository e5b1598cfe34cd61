"""Atomic loads, stores and updates, for every element type.

Their scope is that of all devices, which has every narrower one. Those of `store.atomic` and `store.atomic_add` are
relaxed; the others are told their order.

numba-dpex's AtomicRef knows i32, i64, f32 and f64. SPIR-V has no atomics on 8 and 16 bits for this device, so those
exchange the aligned 32-bit word that contains them; a complex number is updated part by part. Nobody else sees private
memory, so the plain operation suffices there.

At the end of an array the word may reach beyond it. The word is readable and writable there, since an aligned word
never crosses a page. The bytes beyond the array keep their value: the exchange takes place only if none of the four
bytes has changed. Memory that pytl itself allocates, for copies and as local memory, ends with a whole word.
"""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir
from numba.core import errors, types

from . import floats, integers
from .elements import I32, I64, Element, add, decode, encode, scale_add
from .pointers import Pointer, load, named_intrinsic, parts, store
from .signatures import join, split

RELAXED = "monotonic"
ORDERINGS = {
    "relaxed": RELAXED,
    "acquire": "acquire",
    "release": "release",
    "acquire_release": "acq_rel",
    "sequentially_consistent": "seq_cst",
}
"""LLVM's words for memory orders."""
_ON_FAILURE = {"release": RELAXED, "acq_rel": "acquire"}
"""The order of an exchange that does not take place, which writes nothing; it is its own where none is listed."""


NewOfOld = Callable[[ir.Value], ir.Value]
"""What an element becomes, of what it is."""


def _scalars(builder: ir.IRBuilder, element: Element, address: ir.Value, value: ir.Value):
    """The parts to update one by one: (element, address, value) of each."""
    if not element.is_complex:
        return [(element, address, value)]
    return [(element.part, *pair) for pair in zip(parts(builder, address), split(builder, value), strict=True)]


def _word_around(builder: ir.IRBuilder, address: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The aligned 32-bit word that contains an address, and by how many bits it is shifted there."""
    address_number = builder.ptrtoint(address, I64)
    word_address = builder.inttoptr(builder.and_(address_number, I64(-4)), I32.as_pointer(address.type.addrspace))
    return word_address, builder.trunc(builder.shl(builder.and_(address_number, I64(3)), I64(3)), I32)


def _exchange(builder: ir.IRBuilder, address: ir.Value, new_of_old, order: str) -> ir.Value:
    """Replace what an address of an integer holds by `new_of_old(it)`; gives what was replaced."""
    before = builder.block
    bits = address.type.pointee
    first = builder.load_atomic(address, RELAXED, bits.width // 8)
    loop, done = builder.append_basic_block("exchange"), builder.append_basic_block("exchanged")
    builder.branch(loop)
    builder.position_at_end(loop)
    old = builder.phi(bits)
    old.add_incoming(first, before)
    exchange = builder.cmpxchg(address, old, new_of_old(old), order, _ON_FAILURE.get(order, order))
    old.add_incoming(builder.extract_value(exchange, 0), builder.block)
    builder.cbranch(builder.extract_value(exchange, 1), done, loop)
    builder.position_at_end(done)
    return old


def _replace_in_word(
    builder: ir.IRBuilder, address: ir.Value, width: int, new_of_old, order: str = RELAXED
) -> ir.Value:
    """Replace an 8- or 16-bit value by `new_of_old(it)`, exchanging the word around it; gives what was replaced."""
    narrow = ir.IntType(width)
    word_address, shift = _word_around(builder, address)
    others = builder.not_(builder.shl(I32((1 << width) - 1), shift))

    def new_word(word: ir.Value) -> ir.Value:
        new = new_of_old(builder.trunc(builder.lshr(word, shift), narrow))
        return builder.or_(builder.and_(word, others), builder.shl(builder.zext(new, I32), shift))

    word = _exchange(builder, word_address, new_word, order)
    return builder.trunc(builder.lshr(word, shift), narrow)


def _load_scalar(builder: ir.IRBuilder, element: Element, address: ir.Value, order: str) -> ir.Value:
    width = 8 * element.size
    if width < 32:
        word_address, shift = _word_around(builder, address)
        word = builder.load_atomic(word_address, order, 4)
        return decode(builder, element, builder.trunc(builder.lshr(word, shift), ir.IntType(width)))
    bits = ir.IntType(width)
    bits_address = builder.bitcast(address, bits.as_pointer(address.type.addrspace))
    return builder.bitcast(builder.load_atomic(bits_address, order, element.size), element.storage)


def _store_scalar(
    builder: ir.IRBuilder, element: Element, address: ir.Value, value: ir.Value, order: str = RELAXED
) -> None:
    stored, width = encode(builder, element, value), 8 * element.size
    if width < 32:
        _replace_in_word(builder, address, width, lambda old: stored, order)
        return
    # SPIR-V's atomic store of a float is an atomic store of its bits.
    bits = ir.IntType(width)
    builder.store_atomic(
        builder.bitcast(stored, bits),
        builder.bitcast(address, bits.as_pointer(address.type.addrspace)),
        order,
        element.size,
    )


def _update_scalar(
    builder: ir.IRBuilder, element: Element, address: ir.Value, value: ir.Value, combines: str, order: str
) -> ir.Value:
    """Combine an element with a value; gives the element before."""
    operation = _AT_ONCE.get((combines, isinstance(element.register, types.Integer)))
    if operation is not None and element.size >= 4:
        return builder.atomic_rmw(operation, address, value, order)
    return _replace_scalar(
        builder, element, address, lambda old: _COMBINE[combines](builder, element, old, value), order
    )


def _replace_scalar(
    builder: ir.IRBuilder, element: Element, address: ir.Value, new_of_old: NewOfOld, order: str
) -> ir.Value:
    """Replace an element by `new_of_old(it)`, both in registers; gives the element before."""

    def stored(old: ir.Value) -> ir.Value:
        return encode(builder, element, new_of_old(decode(builder, element, old)))

    if element.size < 4:
        old = _replace_in_word(builder, address, 8 * element.size, stored, order)
        return decode(builder, element, old)
    bits = ir.IntType(8 * element.size)
    bits_address = builder.bitcast(address, bits.as_pointer(address.type.addrspace))

    def stored_bits(old: ir.Value) -> ir.Value:
        return builder.bitcast(stored(builder.bitcast(old, element.storage)), bits)

    return builder.bitcast(_exchange(builder, bits_address, stored_bits, order), element.storage)


_AT_ONCE = {("add", True): "add", ("min", True): "min", ("max", True): "max", ("add", False): "fadd"}
"""Updates that the device makes at once, by what is combined and whether the elements are integers."""


def _extreme(word: str):
    def combine(builder: ir.IRBuilder, element: Element, a: ir.Value, b: ir.Value) -> ir.Value:
        of_type = integers.EMIT if isinstance(element.register, types.Integer) else floats.EMIT
        return of_type[word](builder, a, b)

    return combine


_COMBINE = {"add": add, "min": _extreme("min"), "max": _extreme("max")}


def _check(name: str, pointer: types.Type, index: types.Type):
    if not isinstance(pointer, Pointer) or not isinstance(index, types.Integer):
        raise errors.TypingError(f"{name} takes a pointer and an index, not {pointer} and {index}")
    return types.void(pointer, types.int64, pointer.element.register)


def _joined(builder: ir.IRBuilder, element: Element, values: list[ir.Value]) -> ir.Value:
    return join(builder, *values) if element.is_complex else values[0]


def _load_in_order(name: str, order: str):
    def atomic_load(typing_context, pointer, index):
        """p[i], which is never half written (of a complex number: each part)."""
        element = _check(name, pointer, index).args[0].element

        def codegen(context, builder, sig, args):
            address = builder.gep(args[0], [args[1]])
            if pointer.space == "private":
                return load(builder, element, address)
            part_addresses = parts(builder, address) if element.is_complex else [address]
            scalar = element.part if element.is_complex else element
            loaded = [_load_scalar(builder, scalar, part_address, order) for part_address in part_addresses]
            return _joined(builder, element, loaded)

        return element.register(pointer, types.int64), codegen

    return named_intrinsic(name, atomic_load)


def _store_in_order(name: str, order: str):
    def atomic_store(typing_context, pointer, index, value):
        """p[i] = v, which other work-items never see half written (for a complex number: each part)."""
        signature = _check(name, pointer, index)

        def codegen(context, builder, sig, args):
            address = builder.gep(args[0], [args[1]])
            if pointer.space == "private":
                store(builder, pointer.element, address, args[2])
            else:
                for part, part_address, operand in _scalars(builder, pointer.element, address, args[2]):
                    _store_scalar(builder, part, part_address, operand, order)
            return context.get_dummy_value()

        return signature, codegen

    return named_intrinsic(name, atomic_store)


def _update_in_order(name: str, combines: str, order: str):
    def atomic_update(typing_context, pointer, index, value):
        """Combine p[i] with v, and give p[i] before; no update is lost (for a complex number: of each part)."""
        element = _check(name, pointer, index).args[0].element

        def codegen(context, builder, sig, args):
            address = builder.gep(args[0], [args[1]])
            before = []
            for part, part_address, operand in _scalars(builder, element, address, args[2]):
                if pointer.space == "private":
                    before.append(load(builder, part, part_address))
                    store(builder, part, part_address, _COMBINE[combines](builder, part, before[-1], operand))
                else:
                    before.append(_update_scalar(builder, part, part_address, operand, combines, order))
            return _joined(builder, element, before)

        return element.register(pointer, types.int64, element.register), codegen

    return named_intrinsic(name, atomic_update)


def _scale_add_in_order(name: str, order: str):
    def atomic_scale_add(typing_context, pointer, index, value, factor):
        """p[i] = value + factor * p[i], and give p[i] before; no update is lost (for a complex number: of each part).

        The imaginary part goes on from the real part that was replaced.
        """
        element = _check(name, pointer, index).args[0].element

        def codegen(context, builder, sig, args):
            address = builder.gep(args[0], [args[1]])
            scalar = element.part if element.is_complex else element

            def replace(part_address: ir.Value, new_of_old: NewOfOld) -> ir.Value:
                if pointer.space != "private":
                    return _replace_scalar(builder, scalar, part_address, new_of_old, order)
                before = load(builder, scalar, part_address)
                store(builder, scalar, part_address, new_of_old(before))
                return before

            def scaled(old: ir.Value, by: ir.Value, number: ir.Value) -> ir.Value:
                return scale_add(builder, scalar, old, by, number)

            if not element.is_complex:
                return replace(address, lambda old: scaled(old, args[3], args[2]))
            (re, im), (number_re, number_im), (by_re, by_im) = (
                parts(builder, address),
                split(builder, args[2]),
                split(builder, args[3]),
            )

            def other() -> ir.Value:
                if pointer.space == "private":
                    return load(builder, scalar, im)
                return _load_scalar(builder, scalar, im, RELAXED)

            minus = builder.fneg(by_im)
            first = replace(re, lambda old: scaled(old, by_re, scaled(other(), minus, number_re)))
            second = replace(im, lambda old: scaled(old, by_re, scaled(first, by_im, number_im)))
            return join(builder, first, second)

        return element.register(pointer, types.int64, element.register, element.register), codegen

    return named_intrinsic(name, atomic_scale_add)


ATOMICS = {
    "atomic_store": _store_in_order("atomic_store", RELAXED),
    "atomic_add": _update_in_order("atomic_add", "add", RELAXED),
    "atomic_scale_add": _scale_add_in_order("atomic_scale_add", RELAXED),
}
for _word, _order in ORDERINGS.items():
    ATOMICS[f"atomic_load_{_word}"] = _load_in_order(f"atomic_load_{_word}", _order)
    ATOMICS[f"atomic_store_{_word}"] = _store_in_order(f"atomic_store_{_word}", _order)
    ATOMICS[f"atomic_scale_add_{_word}"] = _scale_add_in_order(f"atomic_scale_add_{_word}", _order)
    for _combines in _COMBINE:
        _name = f"atomic_{_combines}_{_word}"
        ATOMICS[_name] = _update_in_order(_name, _combines, _order)
"""The functions by their names in generated source."""
