"""Loops in assembly: what an iteration executes, in the text of LLVM's tools or of a disassembler, for x86 and Arm."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..process.records import dataclass

_LABEL = re.compile(r"^\s*(?:([.\w$]+):|([0-9a-f]+) <[^>]*>:)\s*(?:[#/;].*)?$")
_INSTRUCTION = re.compile(r"^\s+(?:([0-9a-f]+):\s+)?([a-z][\w.]*)\s*(.*)$")
_TARGET = re.compile(r"(?:0x)?([0-9a-f]+)(?:\s+<[^>]*>)?$|([.\w$]+)$")
_JUMP = re.compile(r"j[a-z]+|b(?:\.[a-z]+)?|cbn?z|tbn?z")
_FMA = re.compile(r"vfn?m(?:add|sub)[0-9a-z]*|fml[as]|fn?m(?:add|sub)|fmopa|bfdot|bfmmla|vpdpwssd|vdpbf16ps")
_X86_MEMORY = re.compile(r"\(%[a-z0-9]+|\(,%[a-z0-9]+|%rip\)")
_ARM_LOAD, _ARM_STORE = re.compile(r"ld[a-z0-9]+"), re.compile(r"st[a-z0-9]+")
_STACK = re.compile(r"^-?(?:0x)?[0-9a-f]*\(%r[sb]p\)$|\[(?:sp|x29)(?:, *#?-?\w+)?(?:, mul vl)?\]!?$")
_NO_LOAD = ("lea", "prefetch", "nop", "prfm", "prfd", "prfw")
_MOVES = re.compile(r"v?p?mov|vextract|v?pextr|vmaskmov|vpmaskmov|vcvtps2ph|vcompress|vscatter|vpscatter|set")


@dataclass(frozen=True)
class AssemblyLoop:
    """Instructions of an iteration of a loop without loops inside."""

    instructions: int
    fmas: int
    """Multiply-adds."""
    loads: int
    """Instructions that read memory, reloads included."""
    stores: int
    """Instructions that write memory, spills included."""
    spills: int
    """Stores of registers to the stack."""
    reloads: int
    """Loads of what was spilled."""


@dataclass(frozen=True)
class _Line:
    name: str
    operands: str
    address: str | None


def loops_of(text: str) -> list[AssemblyLoop]:
    """The inner loops of a text of assembly, in its order.

    >>> loops_of("f:\\n.L1:\\n  vmovups (%rdi), %ymm1\\n  vfmadd231ps %ymm1, %ymm2, %ymm3\\n  jne .L1\\n  retq\\n")
    [AssemblyLoop(instructions=3, fmas=1, loads=1, stores=0, spills=0, reloads=0)]
    """
    lines, places = _read(text)
    ends: dict[int, int] = {}
    for number, line in enumerate(lines):
        if _JUMP.fullmatch(line.name):
            begin = _target(line.operands, places)
            if begin is not None and begin <= number:
                ends[begin] = max(ends.get(begin, 0), number)
    spans = list(ends.items())
    inner = [
        (begin, end)
        for begin, end in spans
        if not any(begin <= first and last <= end for first, last in spans if (first, last) != (begin, end))
    ]
    return [_counted(lines[begin : end + 1]) for begin, end in sorted(inner)]


def _read(text: str) -> tuple[list[_Line], dict[str, int]]:
    """The instructions, and the number of the instruction at each label or address."""
    lines: list[_Line] = []
    places: dict[str, int] = {}
    for line in text.splitlines():
        label = _LABEL.match(line)
        if label is not None:
            places[label[1] or label[2].lstrip("0")] = len(lines)
            continue
        found = _INSTRUCTION.match(re.split(r"\s+(?:# |//|;)", line)[0])
        if found is not None and not found[2].startswith("."):
            if found[1] is not None:
                places[found[1].lstrip("0")] = len(lines)
            lines.append(_Line(found[2], found[3].strip(), found[1]))
    return lines, places


def _target(operands: str, places: dict[str, int]) -> int | None:
    found = _TARGET.match(operands.rpartition(",")[2].strip())
    if found is None:
        return None
    return places.get((found[1] or "").lstrip("0"), places.get(found[1] or found[2] or ""))


def _counted(lines: Sequence[_Line]) -> AssemblyLoop:
    kinds = [kind for line in lines for kind in _kinds(line)]
    names = ("fmas", "loads", "stores", "spills", "reloads")
    return AssemblyLoop(len(lines), **{name: kinds.count(name) for name in names})


def _kinds(line: _Line) -> Iterator[str]:
    if _FMA.fullmatch(line.name):
        yield "fmas"
    if line.name.startswith(_NO_LOAD) or _JUMP.fullmatch(line.name):
        return
    operands = re.split(r",\s*(?![^(\[{]*[)\]}])", line.operands)
    memory = next((operand for operand in operands if _X86_MEMORY.search(operand)), None)
    is_stored = memory is not None and memory == operands[-1] and bool(_MOVES.match(line.name))
    if memory is None and "[" in line.operands:
        memory = next(operand for operand in operands if "[" in operand)
        is_stored = bool(_ARM_STORE.fullmatch(line.name))
        if not is_stored and not _ARM_LOAD.fullmatch(line.name):
            return
    if memory is None:
        return
    is_stack = bool(_STACK.search(memory.split("{")[0].strip()))
    yield "stores" if is_stored else "loads"
    if is_stack:
        yield "spills" if is_stored else "reloads"
