"""Products of matrices in private memory: vectors of the left factor's columns times elements of the right factor.

A register tile of the result is some vectors of some columns; it stays in registers during the whole sum. Complex
numbers are pairs of lanes: the products with real parts and with imaginary parts are summed separately, and combined at
the end.
"""

from __future__ import annotations

from llvmlite import ir
from numba.core import errors, types

from .elements import ELEMENTS, I32, I64
from .lanes import constant, element_address, literals, splat
from .matrices import UNROLLED, components, numbers, parts_of, private
from .pointers import Pointer, named_intrinsic
from .signatures import call

STEPS = 4
"""Terms of the sum per loop iteration."""


def _fused(builder: ir.IRBuilder, a: ir.Value, b: ir.Value, c: ir.Value) -> ir.Value:
    if isinstance(a.type.element, ir.IntType):
        return builder.add(c, builder.mul(a, b))
    bits = 32 if isinstance(a.type.element, ir.FloatType) else 64
    return call(builder, f"llvm.fma.v{a.type.count}f{bits}", a, b, c)


def _summed(builder: ir.IRBuilder, inner: int, sums: list[ir.Value], step) -> list[ir.Value]:
    """`step(k, sums)` for all terms of the sum: in a loop, or unrolled if they are few."""
    whole = inner // STEPS * STEPS if inner > 2 * UNROLLED else 0
    if whole:
        before, body, after = builder.block, *(builder.append_basic_block(name) for name in ("sum", "summed"))
        builder.branch(body)
        builder.position_at_end(body)
        k = builder.phi(I64)
        held = [builder.phi(value.type) for value in sums]
        results = held
        for step_number in range(STEPS):
            results = step(builder.add(k, I64(step_number)), results)
        following = builder.add(k, I64(STEPS))
        for phi, first, last in zip((k, *held), (I64(0), *sums), (following, *results)):
            phi.add_incoming(first, before)
            phi.add_incoming(last, builder.block)
        builder.cbranch(builder.icmp_signed("<", following, I64(whole)), body, after)
        builder.position_at_end(after)
        sums = results
    for k in range(whole, inner):
        sums = step(I64(k), sums)
    return sums


def _product(element: str):
    name, pointer = f"add_product_{element}", private(element)
    single = components(element)
    parts = parts_of(element)

    def definition(typing_context, c, a, b, next_of_a, row_of_b, column_of_b, lanes, vectors, columns, inner, rows):
        """`C += A B` for so many vectors of so many columns of C, with a stride of so many `rows`.

        The stride of A's columns is `next_of_a`; `row_of_b` and `column_of_b` are the strides of B. Both may be in any
        memory.
        """
        count, high, wide, depth, column_stride = literals(name, lanes, vectors, columns, inner, rows)
        if c != pointer or not all(isinstance(p, Pointer) and p.dtype == pointer.dtype for p in (a, b)):
            raise errors.TypingError(f"{name} takes matrices of {pointer}, not {c}, {a} and {b}")
        ty = ir.VectorType(single.storage, count)

        def codegen(context, builder, sig, args):
            C, A, B = (numbers(builder, address, single) for address in args[:3])
            next_column, down, right = (builder.mul(stride, I64(parts)) for stride in args[3:6])
            cells = [(v, j) for j in range(wide) for v in range(high)]

            def at(v: int, column: int) -> ir.Value:
                return element_address(builder, C, column * column_stride * parts + v * count, ty)

            def step(k: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
                first = builder.mul(k, next_column)
                there = (element_address(builder, A, builder.add(first, I64(v * count)), ty) for v in range(high))
                left = [builder.load(address, align=single.size) for address in there]
                next_sums = []
                for part in range(parts):
                    for j in range(wide):
                        index = builder.add(builder.mul(k, down), builder.mul(I64(j), right))
                        index = builder.add(index, I64(part))
                        factor = splat(builder, builder.load(builder.gep(B, [index])), count)
                        before = sums[(part * wide + j) * high :]
                        next_sums += [_fused(builder, left[v], factor, before[v]) for v in range(high)]
                return next_sums

            sums = [builder.load(at(v, j)) for v, j in cells]
            sums += [constant(ty, 0)] * (len(cells) * (parts - 1))
            sums = _summed(builder, depth, sums, step)
            for number, (v, j) in enumerate(cells):
                value = sums[number]
                if parts == 2:
                    value = builder.fadd(value, _times_i(builder, sums[len(cells) + number]))
                builder.store(value, at(v, j))
            return context.get_dummy_value()

        strides, sizes = [types.int64] * 3, (lanes, vectors, columns, inner, rows)
        return types.void(c, a, b, *strides, *sizes), codegen

    return named_intrinsic(name, definition, prefer_literal=True)


def _times_i(builder: ir.IRBuilder, value: ir.Value) -> ir.Value:
    """Pairs of real and imaginary parts, multiplied by the imaginary unit."""
    lanes = range(value.type.count)
    swapped = ir.Constant(ir.VectorType(I32, value.type.count), [I32(lane ^ 1) for lane in lanes])
    signs = ir.Constant(value.type, [value.type.element(-1.0 if lane % 2 == 0 else 1.0) for lane in lanes])
    return builder.fmul(builder.shuffle_vector(value, ir.Constant(value.type, ir.Undefined), swapped), signs)


# private memory holds f16 and bf16 as f32, in which their products are summed
PRODUCTS = {function._name: function for function in map(_product, (e for e in ELEMENTS if e not in ("f16", "bf16")))}
