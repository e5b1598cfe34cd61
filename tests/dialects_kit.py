"""The texts of texts.txt: what is said of each, and how it is printed; what a dialect can say of a module."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pytl.frontends.registry import find_frontend
from pytl.ir.operation import Operation
from pytl.ir.spelling import Table
from pytl.ir.types import DYNAMIC, GroupType
from pytl.ir.values import Module, Region, Value
from pytl.ir.verifier import find_problems
from pytl.ops import Yield

HEAD = (
    "func @f(%a: memref<f32x4>, %b: memref<f32x4>, %A: memref<f32x4x8>, %At: memref<f32x8x4>, %B: memref<f32x8x3>,"
    " %Bt: memref<f32x3x8>, %C: memref<f32x4x3>, %v: memref<f32x8>, %w: memref<f32x4>, %s: memref<f32>,"
    " %d: memref<f32x?>, %g: group<memref<f32x4>x?>, %H: memref<f16x64x64>, %x: f32, %y: f32, %i: i32, %k: i32,"
    " %j0: i32, %n: index, %m: index, %0: index, %p: bool, %q: bool, %c: c32) {"
    " %one = constant 1.0 : f32 store %x, %s[] "
)
"""In the same line as the text's first, so that lines are counted from the text on."""


@dataclass(frozen=True)
class Text:
    """A body with its verdict: `ok`, or `CODE line LINE: MESSAGE` of the first error."""

    verdict: str
    body: str
    canonical: str


def read_texts() -> Iterator[Text]:
    """In texts.txt, a block is the verdict above the indented text; `as` above the canonical form, where it differs."""
    for block in (
        (Path(__file__).parent / "frontends" / "dialects" / "texts.txt").read_text().rstrip("\n").split("\n\n")
    ):
        verdict, *lines = block.split("\n")
        split = lines.index("as") if "as" in lines else len(lines)
        body, canonical = ("\n".join(line[4:] for line in part) for part in (lines[:split], lines[split + 1 :]))
        yield Text(verdict, body, canonical or body)


def said_and_printed(body: str) -> tuple[str, str]:
    """The verdict on a body, and its canonical form; none where it has errors."""
    frontend = find_frontend("0.4", "")
    parsed = frontend.read(f"{HEAD}{body}\n}}", "<text>")
    found = [*parsed.diagnostics.errors, *find_problems(parsed.module).errors]
    if found:
        first = found[0]
        assert first.location is not None
        return f"{first.code} line {first.location.line}: {first.message}", ""
    printed = frontend.write(parsed.module)
    return "ok", re.sub("^    ", "", printed.partition("store %x, %s[]\n")[2].removesuffix("\n}"), flags=re.MULTILINE)


def restricted_to(module: Module, dialect: Table) -> Module:
    """What a dialect can say of a module: instructions that it has no form for are left out, with what uses them.

    Attributes that it has not are left out, too, and groups have any number of items where it has no other ones.
    """
    for function in module.functions:
        for parameter in function.parameters:
            if not dialect.says_attributes(parameter.attributes, of_function=False):
                parameter.attributes = {}
            if isinstance(parameter.type, GroupType) and not dialect.writes_type(parameter.type):
                parameter.type = GroupType(parameter.type.memref, DYNAMIC, parameter.type.offset)
        if not dialect.says_attributes(function.attributes, of_function=True):
            sizes = ("subgroup_size", "work_group_size")
            function.attributes = {name: value for name, value in function.attributes.items() if name in sizes}
        unsaid: set[Operation] = set()
        while _leave_out(function.body, None, dialect, unsaid, set()):
            pass
    return module


def _leave_out(
    region: Region, owner: Operation | None, dialect: Table, unsaid: set[Operation], gone: set[Value]
) -> bool:
    """Whether an instruction around the region has to be left out, too, so that the rest is looked at again."""
    kept, again = [], False
    for op in region.operations:
        is_said = dialect.in_place(op) is not None or dialect.spelling_of(op) is not None
        is_said = is_said and all(dialect.writes_type(value.type) for value in op.results)
        if is_said and op not in unsaid and gone.isdisjoint(op.operands):
            for inner in op.regions:
                again |= _leave_out(inner, op, dialect, unsaid, gone)
            kept.append(op)
        elif isinstance(op, Yield) and owner is not None:
            unsaid.add(owner)
            return True
        else:
            gone.update(op.results)
    region.operations = kept
    return again
