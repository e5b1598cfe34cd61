"""The pages of the instructions: what their definitions say, with an example in Python and as text."""

from __future__ import annotations

import inspect
import runpy
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from types import ModuleType
from typing import Any

from ... import ops
from ...diagnostics import Rule
from ...frontends import lang
from ...frontends.lang.function import KernelFunction
from ...ir.operation import Operation
from ...ir.registry import all_instructions
from ...kernels.kernel import Kernel
from ...ops.examples import path_of, source_of
from ...ops.reference import KINDS, Page, Table, by_kind, kind_title, page_name, page_of
from .markdown import code, document, fence, plain, table
from .rules import link

_INTRODUCTION = """\
Each page is made of the instruction's definition, which also makes its printer, its parser and its checks. The example
on it is a program that runs, and the text is what its kernel prints; `pytl ops gemm` shows the same in a terminal.
[Types](types.md) has the types, their sizes and which is promotable to which; [Rules](../rules.md) has all rules."""
_NOTATION = """\
Operations on tensors of any order, with a letter for each mode. They are those of the immediate language of YATeTo; any
kernel may have them, and the pass `loop-over-gemm` turns them into instructions that are listed above."""
_TILES = """\
Rectangles that move over a memref, as the document on XeTile has them ([Tiles](../guide/tiles.md)). They stand in SPMD
regions; the pass `lower-tiles` makes loads, products and stores of cooperative matrices of them."""
_OF_03 = """\
What an atomic update with any beta does to an element. The release 0.3 has such updates, and the manual has not: they
are `gemm.n.n.atomic.v03`, `axpby.n.atomic.v03` and so on ([Dialects](../guide/dialects.md#release-03))."""
_SINCE_04 = """\
Instructions that the language has since release 0.4 of its compiler, and the manual has not. In texts of the dialect
0.4 their words are those behind `v04.` ([Dialects](../guide/dialects.md)); kernels in Python have them everywhere."""
_CALLS = """\
Functions that kernels call, of which the manual has none ([Functions](../guide/functions.md)). A function that is
called has the types of what it gives behind its parameters, `func @norm(%x: f32) -> (f32)`, and ends with a `yield`."""
_OTHERS = (
    ("Index notation", _NOTATION, "yateto"),
    ("Tiles", _TILES, "xetile"),
    ("Of release 0.3", _OF_03, "v03"),
    ("Since release 0.4", _SINCE_04, "v04"),
    ("Calls", _CALLS, "pytl"),
)
_TABLE_NAMES = {"name", "word", "part"}
_STATEMENTS: dict[type[Operation], tuple[tuple[str, str], ...]] = {
    ops.ArithBinary: (
        ("a + b, a - b, a * b, a / b, a // b, a % b", "`/` of floating and complex numbers, `//` of integers"),
        ("a << b, a >> b, a & b, a | b, a ^ b", ""),
        ("min(a, b), max(a, b)", ""),
    ),
    ops.MatrixUnary: (("abs(a), ~a", ""), ("a.conj(), a.imag, a.real", "")),
    ops.MatrixArithmetic: (("a % b, a << b, a >> b, a & b, a | b, a ^ b", ""), ("min(a, b), max(a, b)", "")),
    ops.ArithUnary: (("-a, abs(a), ~a, not a", ""), ("a.conj(), a.imag, a.real", "")),
    ops.Call: (("norm(x, y)", "where `norm` is a function under `@pytl.function`"),),
    ops.Cast: (("f32(x)", "and so on for every type"),),
    ops.Compare: (("a == b, a != b, a > b, a >= b, a < b, a <= b", ""),),
    ops.Constant: (
        ("x * 2", "a Python number, where another operand or a parameter gives the type"),
        ("f32(2)", "where nothing else does"),
    ),
    ops.For: (("for i in range(start, stop, step):", "with integers of Python, or values of one type"),),
    ops.If: (("if condition:", "with `elif` and `else`"), ("a if condition else b", ""), ("a and b, a or b", "")),
    **dict.fromkeys(
        (ops.IndexedAxpby, ops.IndexedProduct, ops.IndexedSum, ops.LoopOverGemm),
        (('contract("ik,kj->ij", A, B, out=C)', "where the operation is chosen by the indices"),),
    ),
    ops.CooperativeMatrixStoreTransposed: (("coop.store(A, M, x, y, transpose=True)", ""),),
    ops.Load: (("A[i, j]", "an element of a memref"), ("G[g]", "a memref of a group")),
    ops.Size: (("A.shape[mode]", ""), ("len(G)", "the size of a group")),
    ops.Store: (
        ("A[i, j] = x", ""),
        ("A[i, j] += x", "and so on for every operator, not atomic"),
        ("atomic.store(A[i, j], x)", ""),
        ("atomic.add(A[i, j], x)", ""),
    ),
    ops.Subview: (("A[start:stop, j]", "the size is stop - start"), ("A[:, j]", "a whole mode")),
    ops.Yield: (("x = …", "in both branches of an if, or in a loop's body: names that are bound again"),),
}
"""The Python form of instructions that are not function calls."""


def traced(cls: type[Operation]) -> str:
    """The text of the kernel in an instruction's example, which is executed for that."""
    kernels = [value for value in runpy.run_path(path_of(cls)).values() if isinstance(value, Kernel)]
    return "\n\n".join(map(str, kernels))


def text_page(cls: type[Operation], rules: Sequence[Rule]) -> str:
    """What `pytl ops` prints of an instruction."""
    program, text = (_indented(part) for part in (source_of(cls).rstrip(), traced(cls)))
    return f"{_page(cls, rules)}\n\nExample\n{program}\n\nThe kernel as text\n{text}"


def instruction_page(cls: type[Operation], rules: Sequence[Rule]) -> str:
    """The page of an instruction as Markdown."""
    page = _page(cls, rules)
    known = {rule.code: rule for rule in rules}
    kind = f"*{kind_title(page.kind)} instruction · manual: {page.section}*"
    return document(
        [
            f"# {_title(cls)}",
            kind,
            plain(page.meaning),
            fence(page.syntax),
            *(block for part in page.tables for block in _section(part, known)),
            "## Example",
            fence(source_of(cls).rstrip(), "python"),
            "The kernel as text:",
            fence(traced(cls)),
            "[All instructions](index.md)",
        ]
    )


def index_page() -> str:
    """The list of all instructions, by kind."""
    blocks = ["# Instructions", _INTRODUCTION]
    for kind, members in by_kind().items():
        sentence = KINDS[kind]
        rows = [(f"[{code(_title(cls))}]({page_name(cls)}.md)", plain(_first_sentence(cls))) for cls in members]
        blocks += [
            f"## {kind_title(kind)} instructions",
            f"{sentence[0].upper()}{sentence[1:]}.",
            table(["instruction", "meaning"], rows),
        ]
    for title, introduction, namespace in _OTHERS:
        members = sorted(all_instructions(namespace), key=lambda cls: cls.mnemonic)
        rows = [(f"[{code(cls.mnemonic)}]({page_name(cls)}.md)", plain(_first_sentence(cls))) for cls in members]
        blocks += [f"## {title}", introduction, table(["instruction", "meaning"], rows)]
    return document(blocks)


def _page(cls: type[Operation], rules: Sequence[Rule]) -> Page:
    """The page with the functions of Python that make the instruction."""
    page = page_of(cls, rules)
    calls = (_usage(function) for function in _functions() if function.operation is cls)
    rows = (*_STATEMENTS.get(cls, ()), *((usage, "") for usage in calls))
    return replace(page, tables=(Table("In Python", ("name", "…"), rows), *page.tables))


@cache
def _functions() -> list[KernelFunction]:
    """Every function of a kernel's body, in the order of their names."""
    return sorted(_functions_in(lang, set()), key=lambda function: function.name)


def _functions_in(holder: Any, seen: set[int]) -> Iterator[KernelFunction]:
    for name in lang.__all__ if holder is lang else vars(holder):  # what `lang` has is imported at its first use
        value = getattr(holder, name)
        own = value.__name__ if isinstance(value, ModuleType) else type(value).__module__
        if not own.startswith(f"{lang.__name__}.") or isinstance(value, type) or id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, KernelFunction):
            yield value
        elif hasattr(value, "__dict__"):
            yield from _functions_in(value, seen)


def _usage(function: KernelFunction) -> str:
    """How a function is called: its signature without annotations, which the tables of the page tell better."""
    if function.statement is not None:
        return function.statement
    parameters = [p.replace(annotation=p.empty) for p in function.signature.parameters.values()]
    return f"{function.name}{inspect.Signature(parameters)}"


def _title(cls: type[Operation]) -> str:
    """The word of an instruction; families that share one are told apart as in the manual."""
    family = page_name(cls).removeprefix(cls.mnemonic).strip("_")
    if not family:
        return cls.mnemonic
    return f"{cls.mnemonic} ({'SPMD' if family == 'spmd' else family})"


def _section(part: Table, rules: dict[str, Rule]) -> list[str]:
    columns = ["" if column == "…" else column for column in part.columns]
    rows = []
    for row in part.rows:
        cells = []
        for column, cell in zip(part.columns, row):
            if column == "code":
                cells.append(f"[{cell}](../{link(rules[cell])})" if cell in rules else cell)
            elif column in _TABLE_NAMES:
                cells.append(code(cell))
            else:
                cells.append(plain(cell))
        rows.append(cells)
    filled = [position for position in range(len(columns)) if any(row[position] for row in rows)]
    if len(filled) == 1:
        return [f"## {part.title}", "\n".join(f"- {row[filled[0]]}" for row in rows)]
    if part.title == "In Python":
        return [f"## {part.title}", "\n".join(f"- {', '.join(filter(None, row))}" for row in rows)]
    return [
        f"## {part.title}",
        table([columns[p] for p in filled], [[row[p] for p in filled] for row in rows]),
    ]


def _first_sentence(cls: type[Operation]) -> str:
    meaning = (cls.__doc__ or "").strip().split("\n\n")[0]
    return " ".join(meaning.split())


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.splitlines())
