"""What analyses know of a function, as text: `pytl opt --dump gcd|alias|def-use|cfg`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from ..ir.operation import Operation
from ..ir.printer import names_of
from ..ir.types import MemrefType, ScalarType
from ..ir.values import Function, Region, Value
from ..ops import Alloca, For, If
from ..ops.memory import STACK_OFFSET, extent_of
from .analysis.accesses import noalias_parameters
from .analysis.divisors import UNSAID, Divisors, alignment_of, divisor_of_size, divisor_of_stride
from .analysis.uses import Roots, written_roots

Names = Mapping[Value, str]


def _defined(function: Function) -> Iterator[Value]:
    """Parameters, arguments of regions and results, in the order of the text."""
    yield from function.parameters

    def inside(region: Region) -> Iterator[Value]:
        yield from region.arguments
        for op in region.operations:
            yield from op.results
            for inner in op.regions:
                yield from inside(inner)

    yield from inside(function.body)


def _divisors(function: Function, names: Names) -> Iterator[str]:
    divisors = Divisors(function)
    for value in _defined(function):
        if isinstance(value.type, MemrefType):
            sizes, strides = (
                ",".join(str(of(value, mode)) for mode in range(value.type.order))
                for of in (divisor_of_size, divisor_of_stride)
            )
            aligned = alignment_of(value)
            of_memory = (
                ""
                if aligned == UNSAID or value.owner is not None
                else f"; its memory begins at a multiple of {aligned} bytes"
            )
            yield f"%{names[value]}: shape_gcd=[{sizes}], stride_gcd=[{strides}]{of_memory}"
        elif isinstance(value.type, ScalarType) and value.type.is_integer and divisors.of(value) != 1:
            number = divisors.of(value)
            yield f"%{names[value]}: {f'a multiple of {number}' if number else '0'}"


def _aliases(function: Function, names: Names) -> Iterator[str]:
    roots, written, noalias = Roots(), written_roots(function), noalias_parameters(function)
    memory = [v for v in _defined(function) if isinstance(v.type, MemrefType)]
    own = list(dict.fromkeys(roots.of(v) for v in memory))
    for root in own:
        views = [f"%{names[v]}" for v in memory if roots.of(v) is root and v is not root]
        state = "written" if root in written else "read only"
        yield f"%{names[root]}: {state}" + (f"; views on it: {', '.join(views)}" if views else "")
    for position, a in enumerate(own):
        for b in own[position + 1 :]:
            if not (isinstance(a.owner, Alloca) or isinstance(b.owner, Alloca)):
                if a not in noalias and b not in noalias:
                    yield f"%{names[a]} and %{names[b]} may alias"
            elif _share_stack(a.owner, b.owner):
                yield f"%{names[a]} and %{names[b]} share local memory"


def _share_stack(a: Operation | None, b: Operation | None) -> bool:
    if not (isinstance(a, Alloca) and isinstance(b, Alloca)):
        return False
    if STACK_OFFSET not in a.attributes or STACK_OFFSET not in b.attributes:
        return False
    (begin, end), (first, last) = extent_of(a), extent_of(b)
    return begin < last and first < end


def _def_use(function: Function, names: Names) -> Iterator[str]:
    uses: dict[Value, list[str]] = {}
    for op in function.walk():
        shown = _called(op, names)
        for value in dict.fromkeys(op.operands):
            uses.setdefault(value, []).append(shown)
    for value in _defined(function):
        definition = _called(value.owner, names) if value.owner is not None else "an argument"
        users = ", ".join(uses.get(value, [])) or "unused"
        yield f"%{names[value]} ({definition}): {users}"


def _called(op: Operation, names: Names) -> str:
    line = "" if op.location is None else f" in line {op.location.line}"
    results = ", ".join(f"%{names[value]}" for value in op.results)
    return f"{results + ' = ' if results else ''}{op.word}{line}"


class _Blocks:
    """Numbers the stretches of instructions between regions, and notes which one follows which."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.lines: list[list[str]] = []
        self.edges: list[set[int]] = []

    def new(self, *before: int) -> int:
        self.lines.append([])
        self.edges.append(set())
        for block in before:
            self.edges[block].add(len(self.lines) - 1)
        return len(self.lines) - 1

    def region(self, region: Region, block: int) -> int:
        """Go through a region that begins in a block; returns the block that it ends in."""
        for op in region.operations:
            self.lines[block].append(_called(op, self.names))
            if not op.regions:
                continue
            if isinstance(op, If):
                ends = [self.region(inner, self.new(block)) for inner in op.regions]
                block = self.new(*(ends if op.else_body is not None else [*ends, block]))
                continue
            for inner in op.regions:
                first = self.new(block)
                last = self.region(inner, first)
                if op.kind != "collective" or isinstance(op, For):
                    self.edges[last].add(first)  # the next iteration
                block = self.new(last) if not isinstance(op, For) else self.new(last, block)
        return block

    def shown(self) -> Iterator[str]:
        for number, (lines, edges) in enumerate(zip(self.lines, self.edges)):
            to = ", ".join(f"block {each}" for each in sorted(edges)) or "the end"
            yield f"block {number} -> {to}"
            yield from (f"  {line}" for line in lines)


def _control_flow(function: Function, names: Names) -> Iterable[str]:
    blocks = _Blocks(names)
    blocks.region(function.body, blocks.new())
    return blocks.shown()


DUMPS: Mapping[str, tuple[str, Callable[[Function, Names], Iterable[str]]]] = {
    "gcd": ("divisors of sizes, strides and integers", _divisors),
    "alias": ("memory, and what may be the same", _aliases),
    "def-use": ("values, and what uses them", _def_use),
    "cfg": ("blocks of instructions, and which follows which", _control_flow),
}
"""What each name shows."""


def dump(function: Function, what: str) -> str:
    """What an analysis knows of a function; `what` is a name of `DUMPS`."""
    title, lines = DUMPS[what]
    return "\n".join([f"@{function.name}: {title}", *(f"  {line}" for line in lines(function, names_of(function)))])
