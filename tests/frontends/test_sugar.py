"""Powers, ranges that fall, guards, numbers of truth values, and integers that are indices."""

import numpy as np
import pytest
from launch_kit import BACKENDS
from tracing_kit import body, dedented, findings, function, message

import pytl

HEAD = "v: Memref[f32, 16], x: f32, n: index, i: i32, b: bool_, data: Memref[i32, 16]"

INSTRUCTIONS = {
    "y = x ** 5": """
        %0 = arith.mul %x, %x : f32
        %1 = arith.mul %0, %0 : f32
        %y = arith.mul %x, %1 : f32""",
    "y = x ** 0": "%y = constant 0x1p+0 : f32",
    "y = x ** -2": """
        %0 = constant 0x1p+0 : f32
        %1 = arith.mul %x, %x : f32
        %y = arith.div %0, %1 : f32""",
    "y = f32(b)": """
        %y = if %b -> (f32) {
          %0 = constant 0x1p+0 : f32
          yield (%0)
        } else {
          %1 = constant 0x0p+0 : f32
          yield (%1)
        }""",
    "for k in range(n - 1, -1, -1):\n    v[k] = x": """
        %0 = constant 1 : index
        %1 = arith.sub %n, %0 : index
        %2 = constant 0 : index
        for %3 = %2, %n {
          %k = arith.sub %1, %3 : index
          store %x, %v[%k]
        }""",
    "for k in reversed(range(4)):\n    v[k] = x": """
        %0 = constant 3 : index
        %1 = constant 0 : index
        %2 = constant 4 : index
        for %3 = %1, %2 {
          %k = arith.sub %0, %3 : index
          store %x, %v[%k]
        }""",
    "for k in unroll(range(9, 0, -4)):\n    v[k] = x": """
        %0 = constant 9 : index
        %1 = constant 0 : index
        %2 = constant 3 : index
        for %3 = %1, %2 {
          %4 = constant 4 : index
          %5 = arith.mul %3, %4 : index
          %k = arith.sub %0, %5 : index
          store %x, %v[%k]
        } {unroll=true}""",
    "for k in range(3):\n    if b:\n        continue\n    v[k] = x": """
        %0 = constant 0 : index
        %1 = constant 3 : index
        for %k = %0, %1 {
          if %b {
          } else {
            store %x, %v[%k]
          }
        }""",
    "if b:\n    return\nv[0] = x": """
        if %b {
        } else {
          %0 = constant 0 : index
          store %x, %v[%0]
        }""",
    "v[0] = x\nreturn\nv[1] = x": """
        %0 = constant 0 : index
        store %x, %v[%0]""",
    "for k in range(0, i):\n    v[k] = x": """
        %0 = constant 0 : i32
        for %k: i32 = %0, %i {
          %1 = cast %k : index
          store %x, %v[%1]
        }""",
    "v[i32(3)] = x": """
        %0 = constant 3 : i32
        %1 = constant 3 : index
        store %x, %v[%1]""",
}


@pytest.mark.parametrize("statements", INSTRUCTIONS)
def test_instructions(statements):
    assert body(statements, HEAD) == dedented(INSTRUCTIONS[statements])


MESSAGES = {
    "y = i ** x": """
        error[PYTL-1002]: x of pow is i32, and the other is a floating point number
          --> <kernel>:2:9 in kernel
           |
         2 |     y = i ** x
           |         ^
           = rule: an argument is of the kind that the function's parameter takes
           = help: cast it: f32(i)""",
    "y = x ** n": """
        error[PYTL-1002]: n of pow is index, not a real number, or an integer up to i32
          --> <kernel>:2:14 in kernel
           |
         2 |     y = x ** n
           |              ^
           = rule: an argument is of the kind that the function's parameter takes
           = help: cast it: i32(n)""",
    "y = 3 ** i": """
        error[PYTL-1051]: ** is not defined on the Python int 3 and i32
          --> <kernel>:2:9 in kernel
           |
         2 |     y = 3 ** i
           |         ^^^^^^
           = rule: an operator is applied to the numbers that it is defined on
           = help: give the base a type: f64(3) ** i""",
    "y = i ** -1": """
        error[PYTL-1051]: i32 to the power -1 is not an integer
          --> <kernel>:2:9 in kernel
           |
         2 |     y = i ** -1
           |         ^^^^^^^
           = rule: an operator is applied to the numbers that it is defined on
           = help: take the power of a floating point number: f64(i) ** -1""",
    "v[data[0]] = x": """
        error[PYTL-1053]: an index is i32, which may be negative
          --> <kernel>:2:7 in kernel
           |
         2 |     v[data[0]] = x
           |       ^^^^^^^
           = rule: an index is an integer from 0 on, or a value of type index; there is one for each mode
           = help: cast it: index(data[0])""",
    "for k in reversed(v): pass": """
        error[PYTL-1033]: v can't be looped over
          --> <kernel>:2:23 in kernel
           |
         2 |     for k in reversed(v): pass
           |                       ^
           = rule: a for loop runs over range(…), foreach(…), or a sequence that is known while tracing
           = help: write for i in range(v.shape[0]), and take v[i]""",
    "for k in foreach(3):\n        if b: return": """
        error[PYTL-1088]: return would leave the foreach, whose work-items go on together
          --> <kernel>:3:15 in kernel
           |
         3 |         if b: return
           |               ^^^^^^
           = rule: break and return leave no foreach and no parallel region, and continue leaves no parallel region
           = help: put the statements that follow it into an if, or into a function that the kernel calls""",
    "for k in range(3):\n        with parallel():\n            if b: continue": """
        error[PYTL-1088]: continue would leave the parallel region, whose work-items go on together
          --> <kernel>:4:19 in kernel
           |
         4 |             if b: continue
           |                   ^^^^^^^^
           = rule: break and return leave no foreach and no parallel region, and continue leaves no parallel region
           = help: put the statements that follow it into an if, or into a function that the kernel calls""",
}


def test_what_follows_branches_is_not_repeated_without_end():
    """Each `if` of which one branch goes on and another one jumps, or doesn't, repeats what follows it."""
    guard = "        if x > {0}.5:\n            v[{0}] = x\n        elif b:\n            continue\n"
    few, many = ("".join(guard.format(k) for k in range(count)) for count in (4, 6))
    assert body(f"for k in range(3):\n{few}        v[9] = x", HEAD).count("if %b {") == 15
    # further ones have a flag
    flagged = body(f"for k in range(3):\n{many}        v[9] = x", HEAD)
    assert flagged.count("if %b") < 40 and "if %goes_on" in flagged


@pytest.mark.parametrize("statement", MESSAGES)
def test_messages(statement):
    assert message(f"def kernel({HEAD}):\n    {statement}\n") == dedented(MESSAGES[statement])


INDICES = {
    "data[0]": False,
    "i": False,
    "i8(x)": False,
    "i32(7)": True,
    "i32(-1)": False,
    "data[0] & 15": True,
    "data[0] % 16": False,
    "(data[0] & 255) % 16": True,
    "(data[0] & 255) // 16": True,
    "(data[0] & 255) // i": False,
    "data[0] >> 28": False,
    "(data[0] & 255) >> 4": True,
    "(data[0] & 15) - 15": False,
    "15 - (data[0] & 15)": True,
    "max(data[0], 0)": True,
    "min(data[0], 0)": False,
    "abs(data[0])": False,
    "abs(data[0] % 16)": True,
    "data[0] % 16 + 15": True,
    "-(data[0] % 16)": False,
    "(data[0] & 65535) * 4": True,
    "(data[0] & 65535) * 65536": False,
    "i8(data[0] & 127)": True,
    "i8(data[0] & 255)": False,
    "i64(data[0] & 127)": True,
    "(data[0] & 7) | (data[1] & 8)": True,
    "(data[0] & 7) << 1": False,
    "i32(b)": True,
    "3 if b else data[0]": False,
    "(data[0] & 3) if b else 4": True,
    "subgroup.size()": True,
    "subgroup.count() * subgroup.size() + 7": True,
    "i32(group_id())": False,
    "~(data[0] & 7)": False,
}


@pytest.mark.parametrize("index", INDICES)
def test_which_integers_are_indices(index):
    kernel = function(f"def kernel({HEAD}):\n    y = v[{index}]\n", "<kernel>")
    if INDICES[index]:
        pytl.frontends.python.trace(kernel)
        return
    (found,) = findings(kernel)
    assert found.code == "PYTL-1053"


def test_integers_that_are_proven_do_not_wrap():
    """What is taken for an index is not negative for any number that it is computed from."""
    proven = [index for index, holds in INDICES.items() if holds and "data[0]" in index]
    stores = "\n".join(f"    R[{k}] = i64({index})" for k, index in enumerate(proven))
    kernel = pytl.kernel(function(f"def kernel({HEAD}, R: Memref[i64, {len(proven)}]):\n{stores}\n"))
    v, data = np.zeros(16, np.float32), np.zeros(16, np.int32)
    for number in (-(2**31), -256, -17, -1, 0, 1, 15, 16, 127, 128, 255, 65535, 2**31 - 1):
        data[:2] = number
        result = np.full(len(proven), -1, np.int64)
        kernel[1](v, 1.0, 0, 0, number % 2 == 0, data, result, backend="reference")
        assert (result >= 0).all(), (number, dict(zip(proven, result)))


KERNEL = """
def kernel(a: Memref[i32, 8, ...], sums: Memref[i32, 6, ...], x: f64, powers: Memref[f64, 4, ...], n: i8):
    g = group_id()
    if g == 2:
        return
    s = t = i32(0)
    for i in range(7, -1, -1):
        if a[i, g] % 2 == 0:
            continue
        s = s * 3 + a[i, g]
        if s > 1000:
            s -= 1000
        elif s > 500:
            continue
        t += i32(s > 100)
    sums[0, g] = s
    sums[1, g] = t
    u = i32(1)
    for i in reversed(range(n, 8, 2)):
        u = u * 5 + i32(i)
    sums[2, g] = u
    w = i32(1)
    for k in range(i8(100), i8(-101), -20):
        w = w * 3 + i32(k)
    sums[3, g] = w
    for i in foreach(8):
        if a[i, g] < 3:
            continue
        atomic.add(sums[4, g], a[i, g])
    powers[0, g] = x**2
    powers[1, g] = x**7
    powers[2, g] = x**-3
    powers[3, g] = (x**0) * (x**1)
"""


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
def test_results(backend):
    kernel = pytl.kernel(function(KERNEL))
    a = np.asfortranarray(np.random.default_rng(2).integers(0, 10, (8, 4)).astype(np.int32))
    sums = np.zeros((6, 4), np.int32, order="F")
    powers = np.zeros((4, 4), order="F")
    kernel[4](a, sums, 1.7, powers, 1, backend=backend)
    want = np.zeros((6, 4), np.int32)
    for g in (0, 1, 3):
        s = t = 0
        for i in range(7, -1, -1):
            if a[i, g] % 2 == 0:
                continue
            s = s * 3 + int(a[i, g])
            if s > 1000:
                s -= 1000
            elif s > 500:
                continue
            t += s > 100
        u = w = 1
        for i in reversed(range(1, 8, 2)):
            u = u * 5 + i
        for k in range(100, -101, -20):
            w = w * 3 + k
        want[:5, g] = s, t, u, (w + 2**31) % 2**32 - 2**31, a[:, g][a[:, g] >= 3].sum()
    np.testing.assert_array_equal(sums, want)
    columns = np.array([1.7**2, 1.7**7, 1.7**-3, 1.7])
    np.testing.assert_allclose(powers, columns[:, None] * (np.arange(4) != 2), rtol=1e-14)


def test_a_work_group_size_of_one_number_is_one_of_rows():
    kernel = pytl.kernel(work_group_size=32)(function("def kernel(v: Memref[f32, 16]): v[:] = 0.0"))
    assert str(kernel).startswith("func @kernel(%v: memref<f32x16>) attributes{work_group_size=[32,1]} {")
