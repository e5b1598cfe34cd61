"""Collective instructions that open SPMD regions (manual: Foreach, Parallel)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..diagnostics.words import counted
from ..ir.assembly import RegionArgument
from ..ir.constraints import INTEGER
from ..ir.fields import ArgumentNames, OperandList, RegionPart, SyntaxPart
from ..ir.operation import Operation, Problem, check
from ..ir.registry import instruction
from ..ir.types import index
from ..ir.values import Value


class LoopType(SyntaxPart):
    """The integer type of loop variables and bounds, index where none is written; a list of them where they differ."""

    @property
    def grammar(self) -> str:
        return "integer-type[, …]"

    def present(self, operation: Any) -> bool:
        return any(value.type != index for value in operation.body.arguments)

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        types = [parser.integer_type()]
        while parser.accept(","):
            types.append(parser.integer_type())
        count = len(parts["loop_variables"])
        if len(types) not in (1, count):
            variables, type_count = counted(count, "variable"), counted(len(types), "type")
            parser.fail(
                f"foreach has {variables}, but {type_count}", help="write one type for all of them, or one for each"
            )
        return types if len(types) == count else types * count

    def print(self, printer: Any, operation: Any) -> None:
        types = [value.type for value in operation.body.arguments]
        printer.write(", ".join(map(str, types[:1] if len(set(types)) == 1 else types)))


def foreach_arguments(parts: dict[str, Any]) -> list[RegionArgument]:
    names = parts["loop_variables"]
    types = parts.get("loop_type", [index] * len(names))
    return [(name, location, type_) for (name, location), type_ in zip(names, types)]


@check(
    "PYTL-0340",
    "the lists of variables, first and last bounds of a foreach have the same length, at least 1",
    "Foreach",
)
def foreach_lengths(op: Foreach) -> Iterator[Problem]:
    lengths = (len(op.body.arguments), len(op.start), len(op.stop))
    if len(set(lengths)) != 1 or lengths[0] == 0:
        yield Problem(f"there are {lengths[0]} variables, {lengths[1]} first and {lengths[2]} last bounds")


@check("PYTL-0341", "the bounds of a foreach have the type of its variables", "Foreach")
def foreach_types(op: Foreach) -> Iterator[Problem]:
    for bounds in (op.start, op.stop):
        for value, variable in zip(bounds, op.body.arguments):
            if value.type != variable.type:
                yield Problem(f"a bound is {value.type}, but the variables are {variable.type}")


@instruction
class Foreach(Operation):
    """Executes its region for every point of a range, in any order, distributed over the work-items."""

    mnemonic = "foreach"
    kind = "collective"
    section = "Foreach"
    loop_variables: Any = ArgumentNames("%variable", lambda op: op.body.arguments)
    loop_type: Any = LoopType()
    start: Any = OperandList(INTEGER, "first trip counts")
    stop: Any = OperandList(INTEGER, "ends of the trip counts")
    body: Any = RegionPart("spmd", arguments=foreach_arguments)
    assembly = "` (` $loop_variables `)` (`: ` $loop_type)? ` = (` $start `), (` $stop `) ` $body"
    rules = (foreach_lengths, foreach_types)

    @property
    def variables(self) -> list[Value]:
        return self.body.arguments


@instruction
class Parallel(Operation):
    """Executes its region by every work-item of the work-group."""

    mnemonic = "parallel"
    kind = "collective"
    section = "Parallel"
    body: Any = RegionPart("spmd")
    assembly = "` ` $body"
