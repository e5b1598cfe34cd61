"""Core operations: affine_apply, call, call_indirect, dim, reshape and view."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from ....diagnostics.words import counted
from .. import rules
from ..tree import FunctionName, Number, Operation, Use
from ..types import INDEX, UNKNOWN, Function, MapUse, Memref, Tensor, Type, Unknown, same
from .form import Form, bound, first_apart, indices_types, listed

if TYPE_CHECKING:
    from ..findings import Findings
    from ..instruction_reader import InstructionReader


class AffineApply(Form):
    """The results of a map."""

    name = "affine_apply"
    attributes = ("map",)
    is_affine = True

    def read(self, reader: InstructionReader) -> Operation:
        map_ = reader.map_use()
        dimensions, symbols = reader.dimensions_and_symbols()
        operands = [*dimensions, *symbols]
        results = indices_types(len(map_.map.results))
        groups = (len(dimensions), len(symbols))
        types = indices_types(len(operands))
        return Operation(self.name, operands, types, None, results, {"map": map_}, groups=groups)

    def write(self, operation: Operation) -> str:
        uses = bound(operation.group(0), operation.group(1))
        return f"affine_apply {operation.attributes['map']}{uses}"

    def counts(self, operation: Operation) -> tuple[int | None, int | None]:
        map_ = operation.attributes.get("map")
        return None, len(map_.map.results) if isinstance(map_, MapUse) else None

    def groups_of(self, operation: Operation) -> tuple[int, ...]:
        map_ = operation.attributes.get("map")
        count = len(operation.operands)
        dimensions = min(len(map_.map.dimensions), count) if isinstance(map_, MapUse) else count
        return dimensions, count - dimensions

    def affine_operands(self, operation: Operation) -> tuple[MapUse | None, Sequence[Use], Sequence[Use]]:
        map_ = operation.attributes.get("map")
        return map_ if isinstance(map_, MapUse) else None, operation.group(0), operation.group(1)

    def check(self, operation: Operation, checker: Findings) -> None:
        if not isinstance(operation.attributes["map"], MapUse):
            checker.report(rules.ATTRIBUTE, "map is no affine map", operation.location)
        for type_ in operation.result_types:
            if not same(type_, INDEX):
                checker.report(rules.TYPES, f"a result of a map is index, and not {type_}", operation.location)


class Call(Form):
    """A call of a function by its name."""

    name = "call"
    attributes = ("callee",)

    def read(self, reader: InstructionReader) -> Operation:
        start = reader.position
        name = reader.function_name()
        end = reader.last_end
        reader.expect("(")
        operands = reader.read_list(")", reader.operand)
        if reader.take(":"):
            type_ = reader.function_type()
            return _call(self.name, operands, operands, type_, {"callee": FunctionName(name, type_)}, reader)
        reader.report_spelling(f"the type of @{name} is missing", start, end)
        type_ = Function((UNKNOWN,) * len(operands), (UNKNOWN,))
        made = _call(self.name, operands, operands, type_, {"callee": FunctionName(name)}, reader)
        reader.untyped_calls.append(made)
        return made

    def write(self, operation: Operation) -> str:
        callee = operation.attributes["callee"]
        assert isinstance(callee, FunctionName)
        return f"call @{callee.name}({listed(operation.operands)}) : {_type_of(operation.operand_types, operation)}"

    def check(self, operation: Operation, checker: Findings) -> None:
        callee = operation.attributes["callee"]
        if not isinstance(callee, FunctionName):
            checker.report(rules.ATTRIBUTE, "callee is no function", operation.location)
            return
        function = checker.find_function(callee.name, operation.location)
        if function:
            of = Function(tuple(function.inputs), tuple(function.results))
            check_call(f"@{callee.name}", of, operation.operand_types, operation, checker)


class CallIndirect(Form):
    """A call of a value of function type."""

    name = "call_indirect"

    def read(self, reader: InstructionReader) -> Operation:
        callee = reader.use()
        reader.expect("(")
        operands = reader.read_list(")", reader.operand)
        reader.expect(":")
        type_ = reader.function_type()
        made = _call(self.name, [callee, *operands], operands, type_, {}, reader)
        made.operand_types.insert(0, type_)
        made.groups = (1, len(operands))
        return made

    def groups_of(self, operation: Operation) -> tuple[int, ...]:
        return first_apart(operation)

    def write(self, operation: Operation) -> str:
        callee, *operands = operation.operands
        return f"call_indirect {callee}({listed(operands)}) : {_type_of(operation.operand_types[1:], operation)}"

    def check(self, operation: Operation, checker: Findings) -> None:
        if not operation.operands:
            checker.report(rules.COUNT, "call_indirect has no operand that is called", operation.location)
            return
        callee, type_ = operation.operands[0], operation.operand_types[0]
        if isinstance(type_, Function):
            check_call(str(callee), type_, operation.operand_types[1:], operation, checker)
        elif not isinstance(type_, Unknown):
            checker.report(rules.CALL, f"{callee} is of type {type_}, and no function", callee.location)


def _call(
    name: str,
    operands: list[Use],
    passed: list[Use],
    type_: Function,
    attributes: dict[str, FunctionName],
    reader: InstructionReader,
) -> Operation:
    if len(type_.inputs) != len(passed):
        message = f"{len(passed)} values are passed, and {len(type_.inputs)} types are written"
        reader.report(rules.COUNT, message, reader.location_from(reader.last_end))
    types = [*type_.inputs, *[UNKNOWN] * len(passed)][: len(passed)]
    return Operation(name, operands, types, None, list(type_.results), {**attributes}, groups=(len(operands),))


def _type_of(inputs: Sequence[Type], operation: Operation) -> Function:
    return Function(tuple(inputs), tuple(operation.result_types))


def check_call(name: str, of: Function, inputs: Sequence[Type], operation: Operation, checker: Findings) -> None:
    """Report a call whose types are not those of the function."""
    written = Function(tuple(inputs), tuple(operation.result_types))
    if not same(of, written) and not _fits(of, written):
        checker.report(rules.CALL, f"{name} is {of}, and is called as {written}", operation.location)


def _fits(left: Function, right: Function) -> bool:
    """Whether two types are one where nothing is unknown."""
    pairs = [(left.inputs, right.inputs), (left.results, right.results)]
    return all(len(a) == len(b) and all(map(same, a, b)) for a, b in pairs)


class Dim(Form):
    """The size of a mode."""

    name = "dim"
    attributes = ("index",)

    def read(self, reader: InstructionReader) -> Operation:
        of = reader.use()
        reader.expect(",")
        number = Number(reader.natural("the number of a mode"))
        reader.expect(":")
        return Operation(self.name, [of], [reader.type()], None, [INDEX], {"index": number}, groups=(1,))

    def write(self, operation: Operation) -> str:
        number = operation.attributes["index"]
        assert isinstance(number, Number)
        return f"dim {operation.operands[0]}, {number.value} : {operation.operand_types[0]}"

    def counts(self, operation: Operation) -> tuple[int | None, int | None]:
        return 1, 1

    def check(self, operation: Operation, checker: Findings) -> None:
        number, type_ = operation.attributes["index"], operation.operand_types[0]
        if not isinstance(number, Number) or not isinstance(number.value, int):
            checker.report(rules.ATTRIBUTE, "index is no integer", operation.location)
        elif not isinstance(type_, (Memref, Tensor, Unknown)):
            checker.report(rules.DIM, f"{operation.operands[0]} is of type {type_}", operation.location)
        elif isinstance(type_, (Memref, Tensor)) and number.value not in range(len(type_.shape or "?" * 64)):
            message = f"{type_} has no mode {number.value}: the first one is 0"
            checker.report(rules.DIM, message, operation.location)
        if not same(operation.result_types[0], INDEX):
            checker.report(rules.DIM, f"the size is index, and not {operation.result_types[0]}", operation.location)


class _OfBase(Form):
    """What reshape and view have in common: a memref, sizes, and symbols of the maps of the memref that they give."""

    is_affine = True

    def counts(self, operation: Operation) -> tuple[int | None, int | None]:
        return None, 1

    def groups_of(self, operation: Operation) -> tuple[int, ...]:
        result = operation.result_types[0] if operation.result_types else UNKNOWN
        rest = max(len(operation.operands) - 1, 0)
        sizes = min(result.shape.count(None), rest) if isinstance(result, Memref) else rest
        return min(1, len(operation.operands)), sizes, rest - sizes

    def affine_operands(self, operation: Operation) -> tuple[MapUse | None, Sequence[Use], Sequence[Use]]:
        return None, operation.group(1), operation.group(2)

    def check(self, operation: Operation, checker: Findings) -> None:
        if not operation.operands:
            checker.report(rules.COUNT, f"{operation.name} has no memref", operation.location)
            return
        base, result = operation.operand_types[0], operation.result_types[0]
        for type_ in (base, result):
            if not isinstance(type_, (Memref, Unknown)):
                checker.report(rules.MEMREF, f"{type_} is no memref", operation.location)
        if isinstance(base, Memref) and isinstance(result, Memref):
            check_sizes(operation, result, checker)
            self.check_memrefs(base, result, operation, checker)

    def check_memrefs(self, base: Memref, result: Memref, operation: Operation, checker: Findings) -> None:
        raise NotImplementedError

    @staticmethod
    def build(
        name: str, base: Use, base_type: Memref, result_type: Memref, uses: tuple[list[Use], list[Use]]
    ) -> Operation:
        dimensions, symbols = uses
        operands = [base, *dimensions, *symbols]
        types = [base_type, *indices_types(len(operands) - 1)]
        return Operation(name, operands, types, None, [result_type], groups=(1, len(dimensions), len(symbols)))


def check_sizes(operation: Operation, result: Memref, checker: Findings) -> None:
    """Report a memref that is given other than a size for each `?`, and a value for each symbol."""
    dimensions, symbols = operation.groups[-2:]
    for actual, expected, what in (
        (dimensions, result.shape.count(None), "dynamic size"),
        (symbols, result.symbols, "symbol"),
    ):
        if actual != expected:
            message = f"{result} has {counted(expected, what)}, and {counted(actual, 'value')} for them"
            checker.report(rules.ALLOC, message, operation.location)


class Reshape(_OfBase):
    """The elements of a memref in another shape."""

    name = "reshape"

    def read(self, reader: InstructionReader) -> Operation:
        base = reader.use()
        reader.expect(":")
        base_type = reader.memref_type()
        uses = reader.dimensions_and_symbols()
        start = reader.position
        if reader.take("to"):
            reader.report_spelling("the memref's type stands behind a colon", start)
            reader.expect("(")
            again = reader.memref_type()
            reader.expect("->")
            result_type = reader.memref_type()
            reader.expect(")")
            if not same(again, base_type):
                reader.report(rules.TYPES, f"{base} is {base_type}, and {again} here", reader.location_from(start))
        else:
            reader.expect(":")
            result_type = reader.memref_type()
        return self.build(self.name, base, base_type, result_type, uses)

    def write(self, operation: Operation) -> str:
        uses = bound(operation.group(1), operation.group(2))
        return f"reshape {operation.operands[0]} : {operation.operand_types[0]} {uses} : {operation.result_types[0]}"

    def check_memrefs(self, base: Memref, result: Memref, operation: Operation, checker: Findings) -> None:
        if not same(base.element, result.element) or base.space != result.space:
            message = f"{base} has other elements or another memory space than {result}"
            checker.report(rules.RESHAPE, message, operation.location)
        sizes = [[size for size in each.shape if size is not None] for each in (base, result)]
        if None not in (*base.shape, *result.shape) and prod(sizes[0]) != prod(sizes[1]):
            message = f"{base} has {prod(sizes[0])} elements, and {result} has {prod(sizes[1])}"
            checker.report(rules.RESHAPE, message, operation.location)


class View(_OfBase):
    """A memref that is seen by other indices."""

    name = "view"

    def read(self, reader: InstructionReader) -> Operation:
        start = reader.position
        result_type = reader.memref_type()
        of = None
        if reader.take("->"):
            of, result_type = result_type, reader.memref_type()
            reader.report_spelling("the type in front is that of the view alone", start)
        uses = reader.dimensions_and_symbols()
        base = reader.use()
        reader.expect(":")
        base_type = reader.memref_type()
        if of is not None and not same(of, base_type):
            reader.report(rules.TYPES, f"{base} is {base_type}, and {of} here", reader.location_from(start))
        return self.build(self.name, base, base_type, result_type, uses)

    def write(self, operation: Operation) -> str:
        uses = bound(operation.group(1), operation.group(2))
        return f"view {operation.result_types[0]} {uses} {operation.operands[0]} : {operation.operand_types[0]}"

    def check_memrefs(self, base: Memref, result: Memref, operation: Operation, checker: Findings) -> None:
        if not same(base.element, result.element) or base.space != result.space:
            message = f"{base} has other elements or another memory space than {result}"
            checker.report(rules.VIEW, message, operation.location)
        rank = len(result.maps[0].map.results) if result.maps else len(result.shape)
        if rank != len(base.shape):
            message = f"the index map leads to {counted(rank, 'mode')}, but {base} has {len(base.shape)}"
            checker.report(rules.VIEW, message, operation.location)
            return
        outside = _outside(base, result)
        if outside:
            checker.report(rules.VIEW, outside, operation.location)


def _outside(base: Memref, result: Memref) -> str | None:
    """Where a view leaves its base, as far as its corners tell: those of constant sizes, of a map without symbols."""
    if None in result.shape or 0 in result.shape or (result.maps and result.maps[0].map.symbols):
        return None
    corner = tuple((size or 1) - 1 for size in result.shape)
    for index in (tuple(0 for _ in corner), corner):
        image = result.maps[0].map(*index) if result.maps else index
        for position, (at, size) in enumerate(zip(image, base.shape)):
            if at < 0 or (size is not None and at >= size):
                return f"the view's {list(index)} is {list(image)} of the base, which is outside in mode {position}"
    return None
