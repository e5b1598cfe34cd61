"""The page that follows one product from Python to the code of three machines. MLIR's tools make it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .markdown import document, fence

NEEDED = ("mlir", "arm_sme")
"""Backends without whose tools there is no page."""
SOURCE = """@pytl.kernel
def product(A: Memref[f32, 16, "k", "n"], B: Memref[f32, "k", 4], C: Memref[f32, 16, 4, "n"]):
    g = group_id()
    gemm(1.0, A[:, :, g], B, 0.0, C[:, :, g])"""
MACHINE = "avx2"
_FMA = {"llvm": r"@llvm\.fma", "x86": "vfmadd", "sme": "fmopa"}
_REMARK = {"llvm": r"\s+(;.*|#\d+$)", "x86": r"\s+#.*", "sme": r"\s+//.*"}


def walk_page() -> str:
    """The page as Markdown."""
    kernel = _kernel()
    decided, vector = kernel.ir("cpu-schedule", machine=MACHINE), kernel.ir("vector", machine=MACHINE)
    llvm = kernel.emit("numba_dpex", stage="llvm", machine=MACHINE)
    host, sme = kernel.emit("mlir", stage="asm", machine=MACHINE), kernel.emit("arm_sme", stage="asm")
    return document(
        [
            "# One product, from Python to three machines",
            "A small kernel is followed through the compiler: what each stage adds to the one before it, and what the "
            "inner loop is at last. Each text is what the named call gives; the vectors are those of the machine "
            f"`{MACHINE}`, whichever processor this page was made on.",
            "## Python",
            fence(SOURCE, "python"),
            "## The language",
            "The tracer reads the function's syntax tree. `print(product)`:",
            fence(str(kernel), "text"),
            "## What the passes for processors decide",
            "Everything that makes the product fast is written into the IR as attributes: the register tile of "
            "`vectors` times `lanes` rows and `columns` columns, the steps of the sum in an iteration (`unroll`), and "
            "which loop is the outer one. A thread executes many work-groups (`cpu.items`), and where all of them use "
            "more than a cache holds, another body has software prefetch of what a later work-group uses. "
            f'`product.ir("cpu-schedule", machine="{MACHINE}")`, from `cpu.items` on:',
            fence(_from(decided, "cpu.items"), "text"),
            "## Vector code",
            "The pass `vectorize` writes the decisions as loops and instructions on vectors, which the "
            "reference backend "
            "executes as well: register tiles are values that a loop carries. "
            f'`product.ir("vector", machine="{MACHINE}")`, the first loop over k:',
            fence(_loop_of(vector), "text"),
            "## SYCL: LLVM through numba",
            "The emitter has one function for each instruction, and decides nothing. LLVM assigns registers "
            "later; Intel's "
            f'driver makes machine code of it. `product.emit(stage="llvm", machine="{MACHINE}")`, the first two '
            "columns of the same loop:",
            fence(_first_columns(_inner_loop(llvm, "llvm")), "text"),
            "## The host: MLIR's vector dialect",
            "The same vector code through MLIR's tools. An iteration has four steps of the sum: 32 "
            "multiply-adds, 8 loads "
            "of the left factor and 16 broadcasts of the right one. "
            f'`product.emit("mlir", stage="asm", machine="{MACHINE}")`:',
            fence(_inner_loop(host, "x86"), "text"),
            "## Arm's matrix extension: outer products",
            "Where a machine has tiles, products are outer products of a column of A by a row of B. Vectors "
            "are as long as "
            "the machine has them, and masks cut what is left over. "
            '`product.emit("arm_sme", stage="asm")`:',
            fence(_inner_loop(sme, "sme"), "text"),
            "## What a machine makes of it",
            f'`print(product.explain(backend="mlir", machine="{MACHINE}"))` counts what the inner loops execute, and '
            "predicts cycles with what is known of the machine:",
            fence(str(kernel.explain(backend="mlir", machine=MACHINE)), "text"),
        ]
    )


def _kernel() -> Any:
    """The kernel of the page, whose source has no file."""
    import linecache

    import pytl

    file = "<product>"
    linecache.cache[file] = (len(SOURCE), None, SOURCE.splitlines(keepends=True), file)
    namespace: dict[str, Any] = {"pytl": pytl, **{name: getattr(pytl, name) for name in pytl.__all__}}
    exec(compile(SOURCE, file, "exec"), namespace)
    return namespace["product"]


def _from(text: str, word: str) -> str:
    """What stands from the line with a word on, with its indent taken away."""
    lines = text.split("\n")
    first = next(number for number, line in enumerate(lines) if word in line)
    indent = len(lines[first]) - len(lines[first].lstrip())
    behind = (number for number in range(first + 1, len(lines)) if lines[number][indent:] == "}")
    last = next(behind, len(lines) - 1)
    return "\n".join(line[indent:] for line in lines[first : last + 1])


def _loop_of(text: str) -> str:
    """The first loop of vector code, whose head is cut where it lists what it carries."""
    loop = _from(text, "for %i")
    head, *body = loop.split("\n")
    carried = re.match(r"(%\d+), .*?( = for .*? init\()(\S+) .*?(vector<\w+>),.*\) \{$", head)
    assert carried is not None, head
    return "\n".join([f"{carried[1]}, …{carried[2]}{carried[3]} …) -> ({carried[4]}, …) {{", *body])


def _inner_loop(text: str, kind: str) -> str:
    """The block with the most multiply-adds, without remarks."""
    blocks = re.split(r"\n(?=[^\s:]+:)", text)
    best = max(blocks, key=lambda block: len(re.findall(_FMA[kind], block)))
    lines = (re.sub(_REMARK[kind], "", line).rstrip() for line in best.split("\n"))
    return "\n".join(re.sub(r"^\t(\S+)\t?", _aligned, line) for line in lines if line)


def _aligned(instruction: re.Match[str]) -> str:
    """The name of an instruction of a processor, with the blanks in front of its operands."""
    return f"  {instruction[1]:13}"


def _first_columns(block: str) -> str:
    """LLVM's loop up to the multiply-adds of two columns, without what it carries and the suffixes of inlining."""
    lines = [re.sub(r"\.i\b", "", line) for line in block.split("\n")[1:] if " phi " not in line]
    ends = [number for number, line in enumerate(lines) if "@llvm.fma" in line]
    return "\n".join([*lines[: ends[3] + 1], "  …"])


PAGES: dict[str, Callable[[], str]] = {"walk.md": walk_page}
"""The pages that only MLIR's tools make, by their paths from docs/."""
