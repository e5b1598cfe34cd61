"""scf: loops, branches and reductions."""

from __future__ import annotations

from typing import Any

from ..custom import Form, Parts, Spelled, branches, in_place, mixed, variable, write_branches, write_others
from ..reader import Read, Reader
from ..tree import Operation, Region
from ..types import I1, INDEX, Type


def _variables(reader: Reader) -> list[str]:
    reader.expect("(")
    return reader.read_list(")", lambda: variable(reader))


def _bounds(reader: Reader) -> list[str]:
    reader.expect("(")
    return reader.read_list(")", reader.operand)


def carried(reader: Reader) -> tuple[list[str], list[str], list[Type]]:
    """`iter_args(%x = %first, …) -> (types)`: names in the body, initial values, types."""
    reader.expect("(")
    names: list[str] = []

    def entry() -> str:
        names.append(variable(reader))
        reader.expect("=")
        return reader.operand()

    inits = reader.read_list(")", entry)
    reader.expect("->")
    types = reader.types()
    if len(types) != len(inits):
        reader.fail(f"{len(inits)} values are carried, and {len(types)} types are written")
    return names, inits, types


def _for(reader: Reader, name: str) -> Operation:
    parts = Parts()
    if reader.take("unsigned"):
        parts.attributes["unsignedCmp"] = True
    counter = variable(reader)
    for word, group in (("=", "lowerBound"), ("to", "upperBound"), ("step", "step")):
        reader.expect(word)
        parts.operands[group] = [reader.operand()]
    names, inits, types = carried(reader) if reader.take("iter_args") else ([], [], [])
    type_ = reader.type() if reader.take(":") else INDEX
    for group in ("lowerBound", "upperBound", "step"):
        parts.types[group] = [type_]
    parts.add("initArgs", inits, types)
    region = reader.region([(counter, type_), *zip(names, types)])
    if reader.peek() == "{":
        parts.attributes |= reader.dictionary()
    return parts.operation(name, types, regions=[region])


def _write_for(operation: Operation, printer: Any) -> str:
    lower, upper, step, *inits = operation.operands
    (counter, type_), *carried = operation.regions[0].blocks[0].arguments
    unsigned = " unsigned" if operation.attributes.get("unsignedCmp") else ""
    text = f"{unsigned} {counter} = {lower} to {upper} step {step}"
    if inits:
        pairs = ", ".join([f"{name} = {init}" for (name, _), init in zip(carried, inits)])
        text += f" iter_args({pairs}) -> ({', '.join(map(printer.type, operation.result_types))})"
    if type_ != INDEX:
        text += f" : {printer.type(type_)}"
    return f"{text} {printer.region(operation.regions[0])}{write_others(operation, printer, ('unsignedCmp',))}"


def _parallel(reader: Reader, name: str) -> Operation:
    parts = Parts()
    variables = _variables(reader)
    for word, group in (("=", "lowerBound"), ("to", "upperBound"), ("step", "step")):
        reader.expect(word)
        parts.operands[group] = _bounds(reader)
        if len(parts.operands[group]) != len(variables):
            reader.fail(f"there are {len(variables)} variables, but other numbers of bounds and steps")
    types: list[Type] = []
    if reader.take("init"):
        inits = _bounds(reader)
        reader.expect("->")
        types = reader.types()
        parts.add("initVals", inits, types)
        if len(types) != len(inits):
            reader.fail(f"{len(inits)} values are reduced to, and {len(types)} types are written")
    region = reader.region([(each, INDEX) for each in variables])
    if reader.peek() == "{":
        parts.attributes |= reader.dictionary()
    return parts.operation(name, types, ("lowerBound", "upperBound", "step", "initVals"), regions=[region])


def _reduce(reader: Reader, name: str) -> Operation:
    parts = Parts()
    regions: list[Region] = []
    if reader.take("("):
        operands = reader.read_separated(reader.operand) if reader.peek() != ")" else []
        types = reader.read_separated(reader.type) if reader.take(":") else []
        reader.expect(")")
        if len(operands) != len(types):
            reader.fail("there are as many types as values")
        parts.add("operands", operands, types)
        if operands:
            regions = reader.read_separated(reader.region)
    if len(regions) != len(parts.operands.get("operands", [])):
        reader.fail("there is a region for each value")
    return parts.operation(name, [], regions=regions)


def _forall(reader: Reader, name: str) -> Operation:
    parts = Parts()
    variables = _variables(reader)
    if reader.take("in"):
        upper, dynamic = mixed(reader, "(", ")")
        lower: tuple[int, ...] = (0,) * len(upper)
        steps: tuple[int, ...] = (1,) * len(upper)
        parts.operands = {"dynamicLowerBound": [], "dynamicUpperBound": dynamic, "dynamicStep": []}
    else:
        reader.expect("=")
        lower, parts.operands["dynamicLowerBound"] = mixed(reader, "(", ")")
        reader.expect("to")
        upper, parts.operands["dynamicUpperBound"] = mixed(reader, "(", ")")
        reader.expect("step")
        steps, parts.operands["dynamicStep"] = mixed(reader, "(", ")")
    if not len(variables) == len(lower) == len(upper) == len(steps):
        reader.fail(f"there are {len(variables)} variables, but other numbers of bounds and steps")
    names, inits, types = carried(reader) if reader.take("shared_outs") else ([], [], [])
    parts.add("outputs", inits, types)
    parts.attributes |= {"staticLowerBound": lower, "staticUpperBound": upper, "staticStep": steps}
    region = reader.region([*((each, INDEX) for each in variables), *zip(names, types)])
    if reader.peek() == "{":
        parts.attributes |= reader.dictionary()
    return parts.operation(
        name, types, ("dynamicLowerBound", "dynamicUpperBound", "dynamicStep", "outputs"), regions=[region]
    )


def _in_parallel(reader: Reader, name: str) -> Operation:
    return Operation(name, [], [], [], [], {}, [reader.region()])


def _while(reader: Reader, name: str) -> Operation:
    parts = Parts()
    names: list[str] = []

    def entry() -> str:
        names.append(variable(reader))
        reader.expect("=")
        return reader.operand()

    inits = reader.read_list(")", entry) if reader.take("(") else []
    reader.expect(":")
    reader.expect("(")
    types = reader.read_list(")", reader.type)
    reader.expect("->")
    results = reader.types()
    if len(types) != len(names):
        reader.fail(f"{len(names)} values are carried, and {len(types)} types are written")
    parts.add("inits", inits, types)
    before = reader.region(list(zip(names, types)))
    reader.expect("do")
    after = reader.region()
    if reader.take("attributes"):
        parts.attributes |= reader.dictionary()
    return parts.operation(name, results, regions=[before, after])


def _write_while(operation: Operation, printer: Any) -> str:
    before, after = operation.regions
    names = [name for name, _ in before.blocks[0].arguments]
    pairs = ", ".join([f"{name} = {init}" for name, init in zip(names, operation.operands)])
    inputs, outputs = (
        ", ".join(map(printer.type, types)) for types in (operation.operand_types, operation.result_types)
    )
    text = f"{f' ({pairs})' if pairs else ''} : ({inputs}) -> ({outputs})"
    behind = f" attributes {printer.dictionary(operation.attributes)}" if operation.attributes else ""
    return f"{text} {printer.region(before)} do {printer.region(after, labels=True)}{behind}"


def _execute_region(reader: Reader, name: str) -> Operation:
    reader.take("no_inline")
    return in_place(reader, name)


def _index_switch(reader: Reader, name: str) -> Operation:
    parts = Parts()
    parts.operands["arg"] = [reader.operand()]
    if reader.peek() == "{":
        parts.attributes |= reader.dictionary()
    types = reader.types() if reader.take("->") else []
    cases: list[int] = []
    regions: list[Region] = []
    while reader.take("case"):
        cases.append(reader.integer())
        regions.append(reader.region())
    reader.expect("default")
    parts.attributes["cases"] = tuple(cases)
    return parts.operation(name, types, regions=[reader.region(), *regions])


def _if(reader: Reader, name: str) -> Operation:
    parts = Parts()
    parts.operands["condition"] = [reader.operand()]
    parts.types["condition"] = [I1]
    return branches(reader, parts, name)


def _write_if(operation: Operation, printer: Any) -> str:
    return f" {operation.operands[0]}{write_branches(operation, printer)}"


FORMS: dict[str, Read] = {
    "scf.for": Spelled(_for, _write_for),
    "scf.parallel": _parallel,
    "scf.reduce": _reduce,
    "scf.reduce.return": Form("$a {} : type(a)", ""),
    "scf.forall": _forall,
    "scf.forall.in_parallel": _in_parallel,
    "scf.if": Spelled(_if, _write_if),
    "scf.while": Spelled(_while, _write_while),
    "scf.condition": Form("( $condition ) {} [[ $args* : types(args) ]]", "", known={"condition": "i1"}),
    "scf.execute_region": _execute_region,
    "scf.index_switch": _index_switch,
    "scf.yield": Form("$a* {} [[ : types(a) ]]", ""),
}
