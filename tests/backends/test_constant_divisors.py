"""Integers divided by constants: toward zero, the remainder with the sign of the dividend."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

import pytl
from pytl.backends.numba_dpex.device import integers

RNG = np.random.default_rng(5)
DTYPES = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}


def edges(bits: int) -> list[int]:
    """Divisors of which some need an addition, some a shift alone, and those at the ends of the type."""
    small = [1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 25, 64, 100, 125, 127]
    if bits > 8:
        small += [128, 255, 256, 641, 1000, 6700, 32767]
    if bits > 16:
        small += [32768, 65535, 10**9 + 7, (1 << 30) + 1, (1 << 31) - 1]
    found = [sign * number for number in small for sign in (1, -1)]
    return [*found, -(1 << (bits - 1)), 1 - (1 << (bits - 1)), 2 - (1 << (bits - 1)), (1 << (bits - 1)) - 2]


def dividends(bits: int) -> np.ndarray:
    """All numbers of up to 16 bits; of others those around powers of two and multiples, and some at random."""
    least, most = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    if bits <= 16:
        return np.arange(least, most + 1).astype(f"i{bits // 8}")
    around = [sign * (1 << k) + near for k in range(bits) for sign in (1, -1) for near in range(-3, 4)]
    multiples = [d * k + near for d in edges(bits) for k in (1, 2, 3, 1000, most // d) for near in (-1, 0, 1)]
    chosen = [number for number in (*around, *multiples, least, most) if least <= number <= most]
    return np.array([*chosen, *RNG.integers(least, most, 20_000, dtype=np.int64)]).astype(f"i{bits // 8}")


def expected(a: np.ndarray, divisor: int) -> tuple[np.ndarray, np.ndarray]:
    """Quotients and remainders in Python's integers, wrapped to the type."""
    if a.itemsize < 8:
        wide = a.astype(np.int64)
        quotient = np.sign(wide) * np.sign(divisor) * (np.abs(wide) // abs(divisor))
        remainder = wide - quotient * divisor
        return quotient.astype(a.dtype), remainder.astype(a.dtype)
    numbers = [int(number) for number in a]
    quotients = [abs(n) // abs(divisor) * (1 if (n < 0) == (divisor < 0) else -1) for n in numbers]
    remainders = [n - q * divisor for n, q in zip(numbers, quotients)]
    wrapped = [(q + (1 << 63)) % (1 << 64) - (1 << 63) for q in quotients]
    return np.array(wrapped, np.int64), np.array(remainders, np.int64)


def divided(a: np.ndarray, divisors: list[int]) -> np.ndarray:
    """Quotients and remainders by each divisor, as the processor computes them with what `integers` writes."""
    from llvmlite import binding, ir

    bits = 8 * a.itemsize
    element, index = ir.IntType(bits), ir.IntType(64)
    module = ir.Module()
    pointer = element.as_pointer()
    for number, divisor in enumerate(divisors):
        type_ = ir.FunctionType(ir.VoidType(), [pointer, pointer, pointer, index])
        function = ir.Function(module, type_, f"divide_{number}")
        source, quotients, remainders, count = function.args
        entry, loop, end = (function.append_basic_block() for _ in range(3))
        ir.IRBuilder(entry).branch(loop)
        builder = ir.IRBuilder(loop)
        at = builder.phi(index)
        following = builder.add(at, index(1))
        at.add_incoming(index(0), entry)
        at.add_incoming(following, loop)
        x = builder.load(builder.gep(source, [at]))
        builder.store(integers.quotient_by(builder, x, divisor), builder.gep(quotients, [at]))
        builder.store(integers.remainder_by(builder, x, divisor), builder.gep(remainders, [at]))
        builder.cbranch(builder.icmp_signed("<", following, count), loop, end)
        ir.IRBuilder(end).ret_void()
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    parsed = binding.parse_assembly(str(module))
    engine = binding.create_mcjit_compiler(parsed, binding.Target.from_default_triple().create_target_machine())
    engine.finalize_object()
    results = np.zeros((len(divisors), 2, a.size), a.dtype)
    for number in range(len(divisors)):
        call = ctypes.CFUNCTYPE(None, *(ctypes.c_void_p,) * 3, ctypes.c_int64)
        code = call(engine.get_function_address(f"divide_{number}"))
        code(a.ctypes.data, results[number, 0].ctypes.data, results[number, 1].ctypes.data, a.size)
    return results


@pytest.mark.parametrize("bits", [8, 16, 32])
def test_products_with_reciprocals_are_quotients(bits: int) -> None:
    """Of i8 by all divisors, of i16 by some at random, too."""
    drawn = RNG.integers(-(1 << (bits - 1)), 1 << (bits - 1), 60).tolist()
    every = range(-128, 128) if bits == 8 else [*edges(bits), *drawn]
    a, divisors = dividends(bits), [divisor for divisor in every if divisor]
    for divisor, (quotient, remainder) in zip(divisors, divided(a, divisors)):
        of_python = expected(a, divisor)
        np.testing.assert_array_equal(quotient, of_python[0], f"{divisor}")
        np.testing.assert_array_equal(remainder, of_python[1], f"{divisor}")


@pytest.mark.parametrize("type_", DTYPES)
@pytest.mark.parametrize("backend", ["sycl", pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))])
@pytest.mark.parametrize("tail", [0, 5])
def test_points_are_divided_by_constants(type_: str, backend: str, tail: int) -> None:
    """Also under a condition."""
    bits = 8 * np.dtype(DTYPES[type_]).itemsize
    a = dividends(bits)
    a = a[: a.size - a.size % 16 + tail - (16 if tail else 0)]
    least = max(-(1 << (bits - 1)), 1 - (1 << 63))  # the language has no constant for the least i64
    divisors = [*(d for d in RNG.permutation(edges(bits))[:14].tolist() if d >= least), least, -1, 7, 10]
    lines = "".join(
        f"""%d{n} = constant {divisor} : {type_} %n{n} = constant {n} : index
        %q{n} = arith.div %x, %d{n} : {type_} store %q{n}, %q[%i, %n{n}]
        %r{n} = arith.rem %x, %d{n} : {type_} if %c {{ store %r{n}, %r[%i, %n{n}] }} """
        for n, divisor in enumerate(divisors)
    )
    kernel = pytl.compile(f"""func @f(%a: memref<{type_}x?>, %q: memref<{type_}x?x?>, %r: memref<{type_}x?x?>) {{
      %first = constant 0 : index %end = size %a[0] : index %zero = constant 0 : {type_}
      foreach (%i) = (%first), (%end) {{ %x = load %a[%i] : {type_} %c = cmp.ne %x, %zero : bool {lines} }}
    }}""")["f"]
    found = [np.zeros((a.size, len(divisors)), a.dtype, order="F") for _ in range(2)]
    kernel[1](a, *found, backend=backend)
    for n, divisor in enumerate(divisors):
        quotient, remainder = expected(a, divisor)
        np.testing.assert_array_equal(found[0][:, n], quotient, f"{divisor}")
        np.testing.assert_array_equal(found[1][:, n], remainder, f"{divisor}")
    of_oracle = [np.zeros((50, len(divisors)), a.dtype, order="F") for _ in range(2)]
    kernel[1](a[-50:], *of_oracle, backend="reference")
    for part, oracle in zip(found, of_oracle):
        np.testing.assert_array_equal(part[-50:], oracle)


def test_the_driver_gets_no_division_of_i32() -> None:
    """Its own division is a call; i64 by what is no constant is left to it."""
    text = """func @f(%a: memref<i32x64>, %b: memref<i32x64>) {
      %first = constant 0 : index %end = constant 64 : index %d = DIVISOR
      foreach (%i) = (%first), (%end) { %x = load %a[%i] : i32 %y = arith.div %x, %d : i32 store %y, %b[%i] }
    }"""
    codes = [
        pytl.compile(each)["f"].emit("numba_dpex", stage="llvm")
        for each in (
            text.replace("DIVISOR", "constant 7 : i32"),
            text.replace("DIVISOR", "load %b[%first] : i32").replace("i32", "i64"),
        )
    ]
    assert ["sdiv" in each for each in codes] == [False, True]
    assert "fdiv" not in codes[0]
