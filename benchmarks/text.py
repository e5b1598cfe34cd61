"""How long texts of the language take to be read, checked and printed, and whether that grows with their size only.

    python benchmarks/text.py

Prints processor seconds for texts of a quarter, a half and a whole megabyte, of several kinds. The bar: a megabyte is
read and verified in under 10 s, and four times the text takes about four times as long.
"""

from __future__ import annotations

import itertools
import time

from pytl.ir.text import parse_text
from pytl.ir.verifier import find_problems

FUNCTION = """func @f{n}(%alpha: f32, %A: group<memref<f32x16x8>x?>, %B: memref<f32x8x8>, %C: memref<f32x8x16>,
  %D: memref<f32x16x16x?>) {{
  %0 = builtin.group_id : index
  %1 = load %A[%0] : memref<f32x16x8>
  %2 = subview %D[0:16, 0:16, %0] : memref<f32x16x16>
  %t = alloca : memref<f32x16x8,local>
  %zero = constant 0.0 : f32
  %one = constant 1.0 : f32
  gemm.n.t %one, %1, %B, %zero, %t
  gemm.n.n %alpha, %t, %C, %one, %2
}}
"""
HEAD = "func @f(%x: f32, %v: memref<f32x64>, %n: index, %p: bool) {\n"
STRAIGHT = """  %a{n} = arith.add %x, %x : f32
  %b{n} = load %v[%n] : f32
  store %a{n}, %v[%n]
"""
BRANCHES = """  %a{n} = if %p -> (f32) {{
    %c = arith.mul %x, %x : f32
    yield (%c)
  }} else {{
    yield (%x)
  }}
  store %a{n}, %v[%n]
"""
LOOPS = """  parallel {{
    %i = builtin.subgroup_local_id : i32
    %s{n} = for %j = %n, %n init(%s=%x) -> (f32) {{
      %r = subgroup_add.reduce %s : f32
      yield (%r)
    }}
    %k = cast %i : index
    store %s{n}, %v[%k]
  }}
"""
MISTAKES = "  %a{n} = arith.ad %x, %x : f32\n  %b{n} = arith.add %x, %n : f32\n"

KINDS = {
    "functions": lambda size: repeated(FUNCTION, size, "", ""),
    "one long function": lambda size: repeated(STRAIGHT, size, HEAD, "}\n"),
    "branches": lambda size: repeated(BRANCHES, size, HEAD, "}\n"),
    "SPMD loops": lambda size: repeated(LOOPS, size, HEAD, "}\n"),
    "mistakes": lambda size: repeated(MISTAKES, size, HEAD, "}\n"),
}
SIZES = (250_000, 500_000, 1_000_000)


def repeated(pattern: str, size: int, head: str, tail: str) -> str:
    """A text of about `size` characters."""
    parts = [head]
    length = len(head)
    while length < size:
        parts.append(pattern.format(n=len(parts)))
        length += len(parts[-1])
    return "".join([*parts, tail])


def measure(text: str) -> tuple[float, float, float]:
    """Seconds of the processor to read, to verify and to print."""
    times = [time.process_time()]
    module = parse_text(text).module
    times.append(time.process_time())
    find_problems(module)
    times.append(time.process_time())
    str(module)
    times.append(time.process_time())
    read, verified, printed = (b - a for a, b in itertools.pairwise(times))
    return read, verified, printed


def main() -> None:
    print(f"{'text':20}{'size':>10}{'read':>9}{'verify':>9}{'print':>9}{'both':>9}{'per MB':>9}")
    for kind, made in KINDS.items():
        for size in SIZES:
            text = made(size)
            read, verified, printed = measure(text)
            both = read + verified
            row = f"{read:9.2f}{verified:9.2f}{printed:9.2f}{both:9.2f}{both / len(text) * 1e6:9.2f}"
            print(f"{kind:20}{len(text):10}{row}", flush=True)


if __name__ == "__main__":
    main()
