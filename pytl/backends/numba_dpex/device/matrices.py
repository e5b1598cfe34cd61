"""Whole matrices in private memory, as vectors of entries, for a work-item that executes a sub-group alone.

`matrix_layout` gives the layout. The padding beyond the last row takes part in the computation, which never traps.
"""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir
from numba.core import cgutils, errors, types

from ..matrix_layout import FLOATING, FUNCTIONS, HALVES, INTEGER, OPERATIONS, has_vector_cast, held_as, lanes_of_column
from . import floats, integers
from .casts import in_range_of_f16
from .elements import ELEMENTS, I32, I64, Element
from .lanes import element_address, literals, rounded, splat
from .math import exponential
from .pointers import Pointer, named_intrinsic
from .workitems import zero

UNROLLED = 8
"""Vectors, or steps of a sum, up to which code is unrolled; more are a loop."""


# Entry by entry.


def _for_each_vector(builder: ir.IRBuilder, vectors: int, body: Callable[[ir.Value], None], lanes: int = 0) -> None:
    """Code for each vector; with its lanes, if the code calls OpenCL's functions of them."""
    if vectors <= UNROLLED:
        for number in range(vectors):
            body(I64(number))
        return
    # `emit.hidden_counts` says why
    count = builder.add(I64(vectors), zero(builder)) if lanes == 1 else I64(vectors)
    with cgutils.for_range(builder, count, intp=I64) as loop:
        body(loop.index)


def parts_of(element: str) -> int:
    """How many numbers an element consists of."""
    return 2 if ELEMENTS[element].is_complex else 1


def components(element: str) -> Element:
    """The type of the single numbers that a matrix in private memory consists of."""
    kind = ELEMENTS[element]
    return kind.part if kind.is_complex else kind


def private(element: str) -> Pointer:
    """The form of an element type in private memory."""
    return Pointer(held_as(element), "private")


def numbers(builder: ir.IRBuilder, address: ir.Value, element: Element) -> ir.Value:
    """A pointer to single numbers: the parts of complex elements, or the elements themselves."""
    if isinstance(address.type.pointee, ir.LiteralStructType):
        return builder.bitcast(address, element.storage.as_pointer(address.type.addrspace))
    return address


Combine = Callable[[ir.IRBuilder, ir.Value, ir.Value], ir.Value]
_FLOATS: dict[str, Combine] = {
    "add": lambda b, x, y: b.fadd(x, y),
    "sub": lambda b, x, y: b.fsub(x, y),
    "mul": lambda b, x, y: b.fmul(x, y),
    "div": lambda b, x, y: b.fdiv(x, y),
    "min": floats.EMIT["min"],
    "max": floats.EMIT["max"],
}
_INTEGERS: dict[str, Combine] = {
    "add": lambda b, x, y: b.add(x, y),
    "sub": lambda b, x, y: b.sub(x, y),
    "mul": lambda b, x, y: b.mul(x, y),
    "min": integers.EMIT["min"],
    "max": integers.EMIT["max"],
}


def _operation(element: str, variant: str, combine: Combine, is_scaling: bool):
    name = f"matrix_{variant}_{element}"
    single, pointer = components(held_as(element)), private(element)

    def definition(typing_context, target, a, b, count):
        """`target := a variant b` for so many entries; b is a number where a matrix is scaled."""
        (entries,) = literals(name, count)
        b = types.unliteral(b)
        operand_type = pointer.element.register if is_scaling else pointer
        if (target, a, b) != (pointer, pointer, operand_type):
            raise errors.TypingError(f"{name} takes matrices of {pointer}, not {target}, {a} and {b}")
        lanes, total = _shares(element, entries)

        def codegen(context, builder, sig, args):
            ty = ir.VectorType(single.storage, lanes)
            into, left, right = (args[0], args[1], args[2])
            into, left = (numbers(builder, at, single) for at in (into, left))
            factor = splat(builder, right, lanes) if is_scaling else None
            right = None if is_scaling else numbers(builder, right, single)

            def body(number: ir.Value) -> None:
                at = builder.mul(number, I64(lanes))
                x = builder.load(element_address(builder, left, at, ty))
                y = factor if factor is not None else builder.load(element_address(builder, right, at, ty))
                z = combine(builder, x, y)
                z = rounded(builder, z, element) if element in HALVES else z
                builder.store(z, element_address(builder, into, at, ty))

            _for_each_vector(builder, total // lanes, body, lanes)
            return context.get_dummy_value()

        return types.void(target, a, b, count), codegen

    return named_intrinsic(name, definition, prefer_literal=True)


def _shares(element: str, entries: int) -> tuple[int, int]:
    """The lanes of the vectors that a whole matrix is divided into, and its single numbers, padding included.

    Vectors fill the matrix exactly. LLVM keeps a small matrix in registers, as one vector of everything that is
    accessed, and SPIR-V has no vector of twelve lanes, for example.
    """
    held, total = ELEMENTS[held_as(element)], entries * parts_of(element)
    return lanes_of_column(held.size // parts_of(element), total & -total), total


def _function(element: str, function: str):
    name, single, pointer = f"matrix_{function}_{element}", components(held_as(element)), private(element)

    def definition(typing_context, target, a, count):
        """`target := function(a)` for so many entries."""
        (entries,) = literals(name, count)
        if (target, a) != (pointer, pointer):
            raise errors.TypingError(f"{name} takes matrices of {pointer}, not {target} and {a}")
        lanes, total = _shares(element, entries)

        def codegen(context, builder, sig, args):
            ty = ir.VectorType(single.storage, lanes)

            def body(number: ir.Value) -> None:
                at = builder.mul(number, I64(lanes))
                value = exponential(builder, builder.load(element_address(builder, args[1], at, ty)), function)
                value = rounded(builder, value, element) if element in HALVES else value
                builder.store(value, element_address(builder, args[0], at, ty))

            _for_each_vector(builder, total // lanes, body, lanes)
            return context.get_dummy_value()

        return types.void(target, a, count), codegen

    return named_intrinsic(name, definition, prefer_literal=True)


def _fill(element: str):
    name, single, pointer = f"matrix_fill_{element}", components(held_as(element)), private(element)

    def definition(typing_context, target, value, count):
        """Sets so many entries to one number."""
        (entries,) = literals(name, count)
        value = types.unliteral(value)
        if (target, value) != (pointer, pointer.element.register):
            raise errors.TypingError(f"{name} takes a matrix of {pointer} and a number, not {target} and {value}")
        lanes, total = _shares(element, entries)

        def codegen(context, builder, sig, args):
            parts = [args[1]]
            if isinstance(args[1].type, ir.LiteralStructType):
                parts = [builder.extract_value(args[1], k) for k in (0, 1)]
            vector = ir.Constant(ir.VectorType(single.storage, lanes), ir.Undefined)
            for lane in range(lanes):
                vector = builder.insert_element(vector, parts[lane % len(parts)], I32(lane))
            into = numbers(builder, args[0], single)

            def body(number: ir.Value) -> None:
                builder.store(vector, element_address(builder, into, builder.mul(number, I64(lanes)), vector.type))

            _for_each_vector(builder, total // lanes, body)
            return context.get_dummy_value()

        return types.void(target, value, count), codegen

    return named_intrinsic(name, definition, prefer_literal=True)


def _copy(element: str):
    name, single, pointer = f"matrix_copy_{element}", components(held_as(element)), private(element)

    def definition(typing_context, target, source, count):
        """Copies so many entries."""
        (entries,) = literals(name, count)
        if (target, source) != (pointer, pointer):
            raise errors.TypingError(f"{name} takes matrices of {pointer}, not {target} and {source}")
        lanes, total = _shares(element, entries)

        def codegen(context, builder, sig, args):
            into, of = (numbers(builder, address, single) for address in args[:2])
            ty = ir.VectorType(single.storage, lanes)

            def body(number: ir.Value) -> None:
                at = builder.mul(number, I64(lanes))
                builder.store(
                    builder.load(element_address(builder, of, at, ty)), element_address(builder, into, at, ty)
                )

            _for_each_vector(builder, total // lanes, body)
            return context.get_dummy_value()

        return types.void(target, source, count), codegen

    return named_intrinsic(name, definition, prefer_literal=True)


def _convert(builder: ir.IRBuilder, value: ir.Value, target: ir.Type) -> ir.Value:
    """A vector converted to another type, but not from floats to integers, which is undefined for some values."""
    source, lanes = value.type.element, value.type.count
    result_type = ir.VectorType(target, lanes)
    if source == target:
        return value
    if isinstance(source, ir.IntType):
        if isinstance(target, ir.IntType):
            return (
                builder.trunc(value, result_type) if target.width < source.width else builder.sext(value, result_type)
            )
        return builder.sitofp(value, result_type)
    return (
        builder.fptrunc(value, result_type) if isinstance(target, ir.FloatType) else builder.fpext(value, result_type)
    )


def _cast(source: str, target: str):
    name, source_pointer, target_pointer = f"matrix_cast_{source}_{target}", private(source), private(target)

    def definition(typing_context, into, a, count):
        """Converts every entry to another type."""
        (entries,) = literals(name, count)
        if (into, a) != (target_pointer, source_pointer):
            raise errors.TypingError(
                f"{name} takes matrices of {target_pointer} and {source_pointer}, not {into} and {a}"
            )
        lanes = min(_shares(source, entries)[0], _shares(target, entries)[0])
        total = _shares(target, entries)[1]

        def codegen(context, builder, sig, args):
            before, after = (ir.VectorType(p.element.storage, lanes) for p in (source_pointer, target_pointer))

            def body(number: ir.Value) -> None:
                at = builder.mul(number, I64(lanes))
                value = builder.load(element_address(builder, args[1], at, before))
                value = in_range_of_f16(builder, value) if (source, target) == ("f32", "f16") else value
                value = _convert(builder, value, after.element)
                value = rounded(builder, value, target) if target in HALVES else value
                builder.store(value, element_address(builder, args[0], at, after))

            _for_each_vector(builder, total // lanes, body)
            return context.get_dummy_value()

        return types.void(into, a, count), codegen

    return named_intrinsic(name, definition, prefer_literal=True)


def _operations():
    for element, variants in OPERATIONS.items():
        table = _INTEGERS if element in INTEGER else _FLOATS
        for variant in variants:
            is_scaling = variant == "scale"
            yield _operation(element, variant, table["mul" if is_scaling else variant], is_scaling)


MATRICES = {
    function._name: function
    for function in (
        *_operations(),
        *(_function(element, function) for element in FLOATING for function in FUNCTIONS),
        *(function(element) for element in ELEMENTS for function in (_fill, _copy)),
        *(_cast(a, b) for a in ELEMENTS for b in ELEMENTS if a != b and has_vector_cast(a, b)),
    )
}
