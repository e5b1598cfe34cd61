"""A collective loop over tiles of a range, each of which a sub-group executes.

The manual has none; the Tiny Tensor Compiler has it from its release 0.4 on, under the word behind `v04.`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..diagnostics.words import counted
from ..ir.assembly import RegionArgument
from ..ir.constraints import INTEGER
from ..ir.fields import ArgumentNames, Field, OperandList, RegionPart
from ..ir.operation import Operation, Problem, check
from ..ir.registry import instruction
from ..ir.types import ScalarType, Type, UnknownType, index
from ..ir.values import Value
from .constants import integer_bounds
from .workgroup import Barrier

SECTION = "Foreach tile"


class Integers(Field):
    """A list of integers that are part of the instruction."""

    @property
    def grammar(self) -> str:
        return "integer, …"

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        return parser.comma_separated(parser.integer, closing=")")

    def print(self, printer: Any, operation: Any) -> None:
        printer.separated(getattr(operation, self.name), lambda number: printer.write(str(number)))


def tile_arguments(parts: dict[str, Any]) -> list[RegionArgument]:
    """The variables of the modes, and then the sizes, each of the type of its mode's first bound."""
    types: list[Type] = [bound.type if isinstance(bound, Value) else index for bound in parts["start"]]

    def of_modes(names: list[tuple[str, Any]]) -> list[RegionArgument]:
        padded = [*types, *[UnknownType()] * len(names)]
        return [(name, location, type_) for (name, location), type_ in zip(names, padded)]

    return [*of_modes(parts["loop_variables"]), *of_modes(parts["tile_sizes"])]


@check("PYTL-0725", "a foreach_tile has as many variables, bounds, sizes and largest sizes", SECTION, is_basic=True)
def tile_lengths(op: ForeachTile) -> Iterator[Problem]:
    # how many names there are of each kind is known from the text alone
    modes, arguments = len(op.tile_shape), len(op.body.arguments)
    if modes == 0 or not (2 * modes == arguments and modes == len(op.start) == len(op.stop)):
        yield Problem(
            f"there are {arguments} variables and sizes, {len(op.start)} first and {len(op.stop)} last bounds, and "
            f"{counted(modes, 'largest size')}",
            "write (%i, %j) = (%a, %b), (%c, %d) as (%m, %n) <= (32, 16)",
        )


@check("PYTL-0726", "the bounds of a mode have the type of its variable and size", SECTION)
def tile_types(op: ForeachTile) -> Iterator[Problem]:
    for variable, size, start, stop in zip(op.variables, op.sizes, op.start, op.stop):
        differing = [value.type for value in (start, stop, size) if value.type != variable.type]
        if differing:
            yield Problem(f"the variable is {variable.type}, but a bound or size of its mode is {differing[0]}")


@check("PYTL-0727", "a largest size is at least 1, and a number of its mode's type", SECTION)
def largest_sizes(op: ForeachTile) -> Iterator[Problem]:
    for size, variable in zip(op.tile_shape, op.variables):
        type_ = variable.type
        maximum = integer_bounds(type_)[1] if isinstance(type_, ScalarType) and type_.is_integer else size
        if not 1 <= size <= maximum:
            yield Problem(f"a largest size is {size}, but the variable is {type_}", f"write one from 1 to {maximum}")


@check("PYTL-0728", "work-items do not wait for others in a foreach_tile", SECTION)
def tile_barriers(op: ForeachTile) -> Iterator[Problem]:
    for inner in op.body.walk():
        if isinstance(inner, Barrier):
            message = f"{inner.word} is in the region, which some sub-groups execute more often than others"
            yield Problem(message, "end the foreach_tile in front of it, or use parallel", location=inner.location)


@instruction
class ForeachTile(Operation):
    """Executes its region for every tile of a range, in any order, each by one sub-group as a whole.

    Tiles begin at the first bounds, and follow each other at the distance of the largest sizes. The region's arguments
    are the first index of the tile in each mode, and its size there, which is smaller at the end of the range.

    The sub-groups along the rows of the work-group share the tiles of the first mode, those along its columns the tiles
    of the second; one mode alone is shared by all. The work-items of a sub-group execute the region together, as they
    do that of `parallel`.
    """

    mnemonic = "v04.foreach_tile"
    kind = "collective"
    section = SECTION
    loop_variables: Any = ArgumentNames("%variable", lambda op: op.variables)
    start: Any = OperandList(INTEGER, "first indices")
    stop: Any = OperandList(INTEGER, "ends of the indices")
    tile_sizes: Any = ArgumentNames("%size", lambda op: op.sizes)
    tile_shape: Any = Integers("the largest sizes")
    body: Any = RegionPart("spmd", "what is done with a tile", arguments=tile_arguments)
    assembly = "` (` $loop_variables `) = (` $start `), (` $stop `) as (` $tile_sizes `) <= (` $tile_shape `) ` $body"
    rules = (tile_lengths, tile_types, largest_sizes, tile_barriers)

    @classmethod
    def literal_type(cls, part: str, parts: dict[str, Any]) -> Type | None:
        return index if part in ("start", "stop") else None

    @property
    def variables(self) -> list[Value]:
        """The first index of a tile in each mode, as the region sees it."""
        return self.body.arguments[: len(self.body.arguments) // 2]

    @property
    def sizes(self) -> list[Value]:
        """The size of a tile in each mode, as the region sees it."""
        return self.body.arguments[len(self.body.arguments) // 2 :]
