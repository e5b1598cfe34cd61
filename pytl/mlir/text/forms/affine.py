"""affine: loops over affine bounds, accesses by affine maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...affine import AffineMap, Constant, Expression, IntegerSet, Symbol
from ...affine.reader import ValueNames
from ..custom import (
    INDEX,
    Form,
    Parts,
    Spelled,
    affine_indices,
    branches,
    element_of,
    map_and_operands,
    mixed,
    prefetched,
    variable,
    write_applied,
    write_branches,
    write_others,
    write_prefetched,
)
from ..form_writer import SEGMENTS
from ..reader import Read, Reader
from ..scanner import NUMBER
from ..tree import Operation
from ..types import Type
from .scf import carried

_OF_A_SYMBOL = AffineMap((), ("s0",), (Symbol(0),))


def _bound(reader: Reader, word: str) -> tuple[Any, list[str]]:
    """A bound of a loop: a number, a value, or a map, whose largest or smallest result counts."""
    if NUMBER.match(reader.peek()):
        return AffineMap((), (), (Constant(reader.integer()),)), []
    if reader.peek().startswith("%"):
        return _OF_A_SYMBOL, [reader.operand()]
    if reader.take("symbol"):
        reader.expect("(")
        name = reader.operand()
        reader.expect(")")
        return _OF_A_SYMBOL, [name]
    reader.take(word)
    return map_and_operands(reader)


def _for(reader: Reader, name: str) -> Operation:
    parts = Parts()
    counter = variable(reader)
    reader.expect("=")
    parts.attributes["lowerBoundMap"], parts.operands["lower"] = _bound(reader, "max")
    reader.expect("to")
    parts.attributes["upperBoundMap"], parts.operands["upper"] = _bound(reader, "min")
    parts.attributes["step"] = reader.integer() if reader.take("step") else 1
    names, inits, types = carried(reader) if reader.take("iter_args") else ([], [], [])
    parts.add("inits", inits, types)
    region = reader.region([(counter, INDEX), *zip(names, types)])
    if reader.peek() == "{":
        parts.attributes |= reader.dictionary()
    return parts.operation(name, types, ("lower", "upper", "inits"), regions=[region])


def _write_for(operation: Operation, printer: Any) -> str:
    attributes, operands = operation.attributes, operation.operands
    first, second, _ = attributes[SEGMENTS]
    (counter, _), *carried = operation.regions[0].blocks[0].arguments
    lower = _bound_text(attributes["lowerBoundMap"], operands[:first], "max", printer)
    upper = _bound_text(attributes["upperBoundMap"], operands[first : first + second], "min", printer)
    text = f" {counter} = {lower} to {upper}"
    if attributes["step"] != 1:
        text += f" step {attributes['step']}"
    if carried:
        pairs = ", ".join([f"{name} = {init}" for (name, _), init in zip(carried, operands[first + second :])])
        text += f" iter_args({pairs}) -> ({', '.join(map(printer.type, operation.result_types))})"
    others = write_others(operation, printer, ("lowerBoundMap", "upperBoundMap", "step"))
    return f"{text} {printer.region(operation.regions[0])}{others}"


def _bound_text(map_: AffineMap, operands: Sequence[str], word: str, printer: Any) -> str:
    """A bound, in the short form where it has one."""
    if len(map_.results) == 1 and not map_.dimensions:
        (result,) = map_.results
        if isinstance(result, Constant) and not operands:
            return str(result.value)
        if result == Symbol(0) and len(operands) == 1:
            return operands[0]
    return f"{f'{word} ' if len(map_.results) > 1 else ''}{write_applied(map_, operands, printer)}"


def _parallel(reader: Reader, name: str) -> Operation:
    parts = Parts()
    reader.expect("(")
    variables = reader.read_list(")", lambda: variable(reader))
    for side, separator, word in (("lower", "=", "max"), ("upper", "to", "min")):
        reader.expect(separator)
        begin = reader.position
        groups, map_, operands = _grouped(reader, word)
        if len(groups) != len(variables):
            reader.fail(f"there are {len(variables)} variables, but {len(groups)} bounds", begin=begin)
        parts.attributes |= {f"{side}BoundsMap": map_, f"{side}BoundsGroups": groups}
        parts.operands[side] = operands
    parts.attributes["steps"] = (1,) * len(variables)
    if reader.take("step"):
        reader.expect("(")
        parts.attributes["steps"] = tuple(reader.read_list(")", reader.integer))
    types: list[Type] = []
    parts.attributes["reductions"] = ()
    if reader.take("reduce"):
        reader.expect("(")
        parts.attributes["reductions"] = tuple(reader.read_list(")", reader.attribute))
        reader.expect("->")
        types = reader.types()
    region = reader.region([(each, INDEX) for each in variables])
    if reader.peek() == "{":
        parts.attributes |= reader.dictionary()
    return parts.operation(name, types, regions=[region])


def _grouped(reader: Reader, word: str) -> tuple[tuple[int, ...], AffineMap, list[str]]:
    """`(a, min(b, c))`: how many results each bound has, the map of all of them, and its operands."""
    names = ValueNames()
    results: list[Expression] = []

    def group() -> int:
        if reader.take(word):
            reader.expect("(")
            expressions = reader.read_list(")", lambda: reader.expression_of_values(names))
        else:
            expressions = [reader.expression_of_values(names)]
        results.extend(expressions)
        return len(expressions)

    reader.expect("(")
    groups = tuple(reader.read_list(")", group))
    return groups, names.map(results), names.operands


def _if(reader: Reader, name: str) -> Operation:
    parts = Parts()
    parts.attributes["condition"], parts.operands["operands"] = map_and_operands(reader, IntegerSet)
    return branches(reader, parts, name)


def _write_if(operation: Operation, printer: Any) -> str:
    condition = write_applied(operation.attributes["condition"], operation.operands, printer)
    return f" {condition}{write_branches(operation, printer, ('condition',))}"


def _access(reader: Reader, name: str) -> Operation:
    """Loads and stores of elements and of vectors."""
    parts = Parts()
    if name in ("affine.store", "affine.vector_store"):
        parts.operands["value"] = [reader.operand()]
        reader.expect(",")
    parts.operands["memref"] = [reader.operand()]
    reader.expect("[")
    parts.attributes["map"], parts.operands["indices"] = affine_indices(reader, "]")
    if reader.peek() == "{":
        parts.attributes |= reader.dictionary()
    reader.expect(":")
    memref = reader.type()
    parts.types["memref"] = [memref]
    element = element_of(memref)
    if name.startswith("affine.vector"):
        reader.expect(",")
        element = reader.type()
    if "value" in parts.operands:
        parts.types["value"] = [element]
        return parts.operation(name, [])
    return parts.operation(name, [element])


def _write_access(operation: Operation, printer: Any) -> str:
    at = operation.name in ("affine.store", "affine.vector_store")
    indices = operation.attributes["map"].of_values(operation.operands[at + 1 :])
    stored = f" {operation.operands[0]}," if at else ""
    types = printer.type(operation.operand_types[at])
    if operation.name.startswith("affine.vector"):
        types += f", {printer.type(operation.operand_types[0] if at else operation.result_types[0])}"
    others = write_others(operation, printer, ("map",))
    return f"{stored} {operation.operands[at]}[{', '.join(indices)}]{others} : {types}"


def _applied(reader: Reader, name: str) -> Operation:
    map_, operands = map_and_operands(reader)
    attributes = {"map": map_}
    if reader.peek() == "{":
        attributes |= reader.dictionary()
    return Operation(name, operands, [], [INDEX] * len(operands), [INDEX], attributes)


def _write_applied(operation: Operation, printer: Any) -> str:
    applied = write_applied(operation.attributes["map"], operation.operands, printer)
    return f" {applied}{write_others(operation, printer, ('map',))}"


def _prefetch(reader: Reader, name: str) -> Operation:
    """`affine.prefetch %memref[%i + 1], read, locality<3>, data : memref<4xf32>`."""
    parts = Parts()
    parts.operands["memref"] = [reader.operand()]
    reader.expect("[")
    parts.attributes["map"], parts.operands["indices"] = affine_indices(reader, "]")
    return prefetched(reader, parts, name)


def _write_prefetch(operation: Operation, printer: Any) -> str:
    indices = operation.attributes["map"].of_values(operation.operands[1:])
    return write_prefetched(operation, indices, printer, ("map",))


def _split(reader: Reader, name: str) -> Operation:
    """`affine.delinearize_index %i into (2, %n, 3) : index, index, index`."""
    operands = [reader.operand()]
    reader.expect("into")
    basis, dynamic = mixed(reader, "(", ")")
    attributes: dict[str, Any] = {"static_basis": basis}
    if reader.peek() == "{":
        attributes |= reader.dictionary()
    reader.expect(":")
    types = reader.read_separated(reader.type)
    return Operation(name, [*operands, *dynamic], [], [INDEX] * (1 + len(dynamic)), types, attributes)


def _joined(reader: Reader, name: str) -> Operation:
    """`affine.linearize_index [%i, %j] by (2, %n) : index`."""
    disjoint = reader.take("disjoint")
    reader.expect("[")
    operands = reader.read_list("]", reader.operand)
    reader.expect("by")
    basis, dynamic = mixed(reader, "(", ")")
    attributes: dict[str, Any] = {"static_basis": basis}
    if disjoint:
        attributes["disjoint"] = True
    if reader.peek() == "{":
        attributes |= reader.dictionary()
    reader.expect(":")
    reader.expect("index")
    attributes["operandSegmentSizes"] = (len(operands), len(dynamic))
    return Operation(name, [*operands, *dynamic], [], [INDEX] * (len(operands) + len(dynamic)), [INDEX], attributes)


FORMS: dict[str, Read] = {
    "affine.for": Spelled(_for, _write_for),
    "affine.parallel": _parallel,
    "affine.if": Spelled(_if, _write_if),
    **dict.fromkeys(
        ("affine.load", "affine.store", "affine.vector_load", "affine.vector_store"), Spelled(_access, _write_access)
    ),
    **dict.fromkeys(("affine.apply", "affine.min", "affine.max"), Spelled(_applied, _write_applied)),
    "affine.prefetch": Spelled(_prefetch, _write_prefetch),
    "affine.delinearize_index": _split,
    "affine.linearize_index": _joined,
    "affine.yield": Form("$a* {} [[ : types(a) ]]", ""),
}
