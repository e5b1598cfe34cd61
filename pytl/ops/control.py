"""Control flow (manual: For, If, Yield)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..diagnostics import Location
from ..diagnostics.words import counted
from ..ir.assembly import RegionArgument
from ..ir.constraints import BOOL, COOPMATRIX, INTEGER, SCALAR, TILE, VECTOR, VECTOR_TILE, Constraint
from ..ir.fields import (
    Attributes,
    Operand,
    OperandList,
    RegionPart,
    ResultList,
    SyntaxPart,
)
from ..ir.operation import Operation, Problem, check
from ..ir.registry import instruction
from ..ir.types import Type, UnknownType, index
from ..ir.values import Region, Value
from .constants import constant_of

_OF_USERS = BOOL | SCALAR | COOPMATRIX | TILE
ANY_ORDER = "any_order"
"""The attribute of a loop whose sums, or other results of one operation, may be computed in any order: it changes how
they are rounded alone."""
CARRIED = Constraint(_OF_USERS.name, (_OF_USERS | VECTOR | VECTOR_TILE).admits)
"""What regions take and give. Users have no vectors, so that the language's pages don't name them."""


@instruction
class Yield(Operation):
    """Returns values from a region of `if` or `for`, or from a function that is called."""

    mnemonic = "yield"
    section = "Yield"
    yielded: Any = OperandList(CARRIED, "the values that the region gives")
    assembly = "` (` $yielded `)`"


def terminator(region: Region) -> Yield | None:
    """The yield that ends a region, if one does."""
    last = region.operations[-1] if region.operations else None
    return last if isinstance(last, Yield) else None


def yield_problems(expected: Sequence[Type], region: Region, name: str) -> Iterator[Problem]:
    """Where a region's yield does not give values of the types that its instruction, or its function, returns."""
    last = terminator(region)
    if last is None:
        if expected and region.is_complete:
            yield Problem(
                f"the {name} does not end with yield", f"end it with a yield of {counted(len(expected), 'value')}"
            )
        return
    actual = [value.type for value in last.yielded]
    if any(isinstance(t, UnknownType) for t in actual):
        return
    if len(actual) != len(expected):
        yield Problem(f"the {name} yields {counted(len(actual), 'value')}, but {len(expected)} are returned")
    for position, (a, b) in enumerate(zip(actual, expected)):
        if a != b:
            yield Problem(f"value {position + 1} yielded by the {name} is {a}, but {b} is returned")


class LoopVariable(SyntaxPart):
    """The loop variable with its type, which is index where none is written."""

    @property
    def grammar(self) -> str:
        return "%variable[: integer-type]"

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        name, location = parser.local_name()
        type_ = parser.integer_type() if parser.accept(":") else index
        return (name, location, type_)

    def print(self, printer: Any, operation: Any) -> None:
        variable = operation.body.arguments[0]
        printer.value(variable)
        if variable.type != index:
            printer.write(f": {variable.type}")


class InitList(OperandList):
    """Carried values with what they are at first: `%carried=%initial, …`."""

    @property
    def grammar(self) -> str:
        return "%carried=%initial, …"

    def present(self, operation: Any) -> bool:
        return bool(operation.inits)

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        names: list[tuple[str, Location]] = []

        def entry() -> Any:
            names.append(parser.local_name())
            parser.expect("=")
            return parser.operand()

        inits = parser.comma_separated(entry, closing=")")
        parts["carried_names"] = names
        return inits

    def print(self, printer: Any, operation: Any) -> None:
        def entry(pair: tuple[Value, Value]) -> None:
            printer.value(pair[0])
            printer.write("=")
            printer.value(pair[1])

        printer.separated(zip(operation.body.arguments[1:], operation.inits), entry)


def loop_arguments(parts: dict[str, Any]) -> list[RegionArgument]:
    """The arguments of a loop's body: the loop variable, then the carried values."""
    types: Sequence[Type] = parts.get("result_types", ())
    names = parts.get("carried_names", [])
    padded = [*types, *[UnknownType()] * (len(names) - len(types))]
    return [parts["loop_variable"], *((name, location, t) for (name, location), t in zip(names, padded))]


@check("PYTL-0430", "the loop's bounds and step have the type of the loop variable", "For")
def loop_types(op: For) -> Iterator[Problem]:
    for name in ("start", "stop", "step"):
        value = getattr(op, name)
        if value is not None and value.type != op.variable.type:
            message = f"{name} is {value.type}, but the loop variable is {op.variable.type}"
            help = f"write the loop variable as %{op.variable.name or 'i'}: {value.type}"
            if op.start.type == op.variable.type:
                help = f"cast {name} to {op.variable.type}"
            yield Problem(message, help, name)


@check(
    "PYTL-0431",
    "the step of a loop is positive",
    "For",
    "The loop runs over from, from + step, … below to.",
    of_values=True,
)
def positive_step(op: For) -> Iterator[Problem]:
    step = constant_of(op.step)
    if step is not None and step <= 0:
        yield Problem(f"the step is {step}", "count upwards and derive the falling number in the body", "step")


@check("PYTL-0432", "the initial values have the types of the carried values", "For")
def init_types(op: For) -> Iterator[Problem]:
    if len(op.inits) != len(op.results):
        yield Problem(
            f"init names {counted(len(op.inits), 'value')}, but {counted(len(op.results), 'type')} are listed"
        )
    for value, result in zip(op.inits, op.results):
        if value.type != result.type:
            yield Problem(f"an initial value is {value.type}, but {result.type} is carried")


@check("PYTL-0433", "a loop with carried values ends with a yield of their number and types", "For")
def loop_yield(op: For) -> Iterator[Problem]:
    yield from yield_problems([value.type for value in op.results], op.body, "body")


@instruction
class For(Operation):
    """A loop over `[start, stop)`, whose iterations execute one after the other and may carry values on."""

    mnemonic = "for"
    section = "For"
    loop_variable: Any = LoopVariable()
    start: Any = Operand(INTEGER, "first trip count")
    stop: Any = Operand(INTEGER, "end of the trip counts")
    step: Any = Operand(INTEGER, "step, 1 where it is omitted", optional=True)
    inits: Any = InitList(CARRIED, "initial values of what is carried")
    returned: Any = ResultList(CARRIED)
    body: Any = RegionPart("mixed", arguments=loop_arguments)
    attributes: Any = Attributes({"unroll": "boolean or positive integer"})
    assembly = (
        "` ` $loop_variable ` = ` $start `, ` $stop (`, ` $step)? (` init(` $inits `) -> (` $returned `)`)? ` ` $body"
        " (` ` $attributes)?"
    )
    rules = (loop_types, positive_step, init_types, loop_yield)

    @property
    def variable(self) -> Value:
        """The trip count as the body sees it."""
        return self.body.arguments[0]

    @property
    def carried(self) -> list[Value]:
        """The carried values as the body sees them."""
        return self.body.arguments[1:]

    @property
    def bounds(self) -> list[Value]:
        """Where the variable starts and stops, and its step, if one is given."""
        return [value for value in (self.start, self.stop, self.step) if value is not None]

    @property
    def trips(self) -> int | None:
        """How often the body is executed; None where that is not known."""
        start, stop = constant_of(self.start), constant_of(self.stop)
        step = 1 if self.step is None else constant_of(self.step)
        if start is None or stop is None:
            return None
        if start >= stop:
            return 0
        return None if step is None else -(-(stop - start) // step)

    @property
    def yielded(self) -> list[Value]:
        """The values for the next iteration."""
        last = terminator(self.body)
        return last.yielded if last else []


@check(
    "PYTL-0440",
    "an if that returns values has an else, and both regions end with a yield of these types",
    "If",
)
def branch_yields(op: If) -> Iterator[Problem]:
    if op.results and op.else_body is None:
        yield Problem("values are returned, but there is no else", "add an else region that yields them, too")
    result_types = [value.type for value in op.results]
    yield from yield_problems(result_types, op.then_body, "then-region")
    if op.else_body is not None:
        yield from yield_problems(result_types, op.else_body, "else-region")


@instruction
class If(Operation):
    """Executes one of two regions; the regions may give values."""

    mnemonic = "if"
    section = "If"
    condition: Any = Operand(BOOL, "decides which region is executed")
    returned: Any = ResultList(CARRIED)
    then_body: Any = RegionPart("mixed")
    else_body: Any = RegionPart("mixed")
    assembly = "` ` $condition (` -> (` $returned `)`)? ` ` $then_body (` else ` $else_body)?"
    rules = (branch_yields,)
