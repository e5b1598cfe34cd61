"""What a backend decides about execution on processors, as instructions of the namespace `cpu`.

Passes write them, so that every decision can be printed, checked and tested; a text of a user's can't have them. Each
means what its region means without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..ir.constraints import BOOL, MEMREF
from ..ir.fields import Attributes, Operand, RegionPart, SyntaxPart
from ..ir.operation import Operation, Problem, check
from ..ir.registry import instruction
from .memory import LocalMemref, local_alloca, static_alloca

SECTION = "Collective instructions"

VECTORS = "vectors"
"""Of a cpu.kernel: vectors of rows that a register tile has."""
COLUMNS = "columns"
"""Of a cpu.kernel: columns of the result that are summed at the same time."""
UNROLL = "unroll"
"""Of a cpu.kernel: how often the loop of the sum is unrolled."""
LANES = "lanes"
"""Of a cpu.kernel: elements of the result in a vector."""
COPIES = "copies"
"""Of a cpu.kernel: how many interleaved work-groups its instructions are written for, the same ones for each."""
APART = "apart"
"""Of a cpu.kernel: whether its code is a function of its own (outlined), with a register allocation of its own."""


@check("PYTL-3005", "a kernel's instructions are the same for each of its copies", "Passes")
def same_copies(op: Kernel) -> Iterator[Problem]:
    copies = op.copies
    words = [inner.word for inner in op.body.operations]
    if len(words) % copies or words != words[: len(words) // copies] * copies:
        yield Problem(f"its {len(words)} instructions are not {copies} times the same")


@instruction
class Kernel(Operation):
    """Executes its instructions, in order, as one piece of vector code.

    The rows of the results are divided into tiles of some vectors. All instructions are executed for one tile before
    the next tile begins. Results that are passed on in `cpu.registers` stay in registers.
    """

    mnemonic = "cpu.kernel"
    kind = "collective"
    section = SECTION
    attributes: Any = Attributes(
        {**dict.fromkeys((LANES, VECTORS, COLUMNS, UNROLL, COPIES), "integer"), APART: "boolean"}
    )
    body: Any = RegionPart("collective")
    assembly = "(` ` $attributes)? ` ` $body"
    rules = (same_copies,)

    @property
    def copies(self) -> int:
        return int(self.attributes.get(COPIES, 1))


@instruction
class Registers(Operation):
    """A tensor of a `cpu.kernel` that is never in memory: its elements are lanes of registers."""

    mnemonic = "cpu.registers"
    kind = "collective"
    section = SECTION
    result: Any = LocalMemref(MEMREF)
    assembly = "` : ` $result"
    rules = (static_alloca, local_alloca)


class RegionArguments(SyntaxPart):
    """The arguments of a region."""

    def __init__(self, region: str) -> None:
        super().__init__()
        self.region = region

    @property
    def grammar(self) -> str:
        return "%variable, …"

    def present(self, operation: Any) -> bool:
        return getattr(operation, self.region) is not None

    def print(self, printer: Any, operation: Any) -> None:
        printer.separated(getattr(operation, self.region).arguments, printer.value)


ITEMS = "items"
"""Of a cpu.items: the most work-groups that a work-item executes."""


@instruction
class Items(Operation):
    """Executes its region for each work-group that the work-item executes.

    The region's argument is the number of the work-group. A `body` with several arguments interleaves so many
    work-groups (unroll-and-jam), and `rest` executes one of the remainder. Where `far` is true, `ahead` is executed in
    place of `body`: it does the same, with software prefetch of what later work-groups use.
    """

    mnemonic = "cpu.items"
    kind = "collective"
    section = SECTION
    attributes: Any = Attributes({ITEMS: "integer"})
    groups: Any = RegionArguments("body")
    body: Any = RegionPart("collective")
    far: Any = Operand(BOOL, "whether the memory of all work-groups is more than a cache holds", optional=True)
    groups_ahead: Any = RegionArguments("ahead")
    ahead: Any = RegionPart("collective")
    group_left: Any = RegionArguments("rest")
    rest: Any = RegionPart("collective")
    assembly = (
        "(` ` $attributes)? ` ` $groups ` ` $body (` far ` $far ` ` $groups_ahead ` ` $ahead)?"
        " (` rest ` $group_left ` ` $rest)?"
    )

    @property
    def items(self) -> int:
        return int(self.attributes[ITEMS])

    @property
    def in_step(self) -> int:
        """How many work-groups the body interleaves."""
        return len(self.body.arguments)


@instruction
class Prefetch(Operation):
    """Software prefetch of a tensor, which may lie anywhere.

    In a `cpu.kernel`, the prefetches of its cache lines are distributed over the kernel's loops.
    """

    mnemonic = "cpu.prefetch"
    kind = "collective"
    section = SECTION
    tensor: Any = Operand(MEMREF, "what will be used")
    assembly = "` ` $tensor"
