"""Programs with calls, made of programs without: pieces of a function become functions of their own, and are called."""

from __future__ import annotations

from random import Random

from pytl.ir.clone import clone_function, clone_operation
from pytl.ir.operation import Operation
from pytl.ir.types import BoolType, GroupType, MemrefType, ScalarType
from pytl.ir.values import Function, Module, Region, Value
from pytl.ir.verifier import find_problems
from pytl.ops import Call, LifetimeStop, Yield

PASSED = (BoolType, GroupType, MemrefType, ScalarType)
GIVEN = (BoolType, ScalarType)


def outlined(function: Function, rng: Random, count: int = 4, longest: int = 8) -> Module:
    """A module of a copy of a function, of which up to so many pieces are functions that it calls.

    A piece may hold calls of others, so that calls are nested. Pieces that no function can be are left.
    """
    made = clone_function(function)
    for _ in range(3 * count):
        if len(made.callees()) == count:
            break
        owner = rng.choice([made, *made.callees()])
        regions = [owner.body, *(region for op in owner.walk() for region in op.regions)]
        region = rng.choice([each for each in regions if each.operations] or [owner.body])
        first = rng.randrange(len(region.operations) + 1)
        piece = region.operations[first : first + rng.randrange(1, longest + 1)]
        _outline(made, owner, region, first, piece, f"part{len(made.callees())}")
    return Module.of(made)


def _outline(made: Function, owner: Function, region: Region, first: int, piece: list[Operation], name: str) -> None:
    """Make a function of a piece of a region, if that is valid."""
    if not piece or any(isinstance(op, Yield) for op in piece):
        return
    inside = [op for each in piece for op in _with_regions(each)]
    defined = {value for op in inside for value in op.results}
    defined |= {value for op in inside for each in op.regions for value in each.arguments}
    used = dict.fromkeys(value for op in inside for value in op.operands if value not in defined)
    elsewhere = {value for op in owner.walk() if op not in inside for value in op.operands}
    given = [value for op in piece for value in op.results if value in elsewhere]
    stopped = {op.tensor for op in inside if isinstance(op, LifetimeStop)}
    if stopped - defined or not all(isinstance(value.type, PASSED) for value in used):
        return
    if not all(isinstance(value.type, GIVEN) for value in given):
        return
    mapping = {value: Value(value.type, value.name, value.location) for value in used}
    parameters = list(mapping.values())
    body = Region("mixed", operations=[clone_operation(op, mapping) for op in piece])
    if given:
        body.operations.append(Yield(piece[0].location, yielded=[mapping[value] for value in given]))
    callee = Function(name, parameters, body, results=tuple(value.type for value in given))
    types, names = [value.type for value in given], [value.name for value in given]
    call = Call(piece[0].location, types, names, callee=callee, arguments=list(used))
    before = list(region.operations)
    region.operations[first : first + len(piece)] = [call]
    replaced = dict(zip(given, call.results))
    _replace(owner, replaced)
    if find_problems(Module.of(made)).errors:  # as where work-items would get values of their own from it
        _replace(owner, {new: old for old, new in replaced.items()})
        region.operations[:] = before


def _with_regions(op: Operation) -> list[Operation]:
    return [op, *(inner for region in op.regions for inner in region.walk())]


def _replace(function: Function, values: dict[Value, Value]) -> None:
    for op in function.walk():
        op.replace_operands(lambda value: values.get(value, value))


def nameless(function: Function) -> str:
    """The text of a function whose values are numbered."""
    copy = clone_function(function)
    for value in (*copy.parameters, *_values(copy.body)):
        value.name = None
    return str(copy)


def _values(region: Region) -> list[Value]:
    found = list(region.arguments)
    for op in region.operations:
        found += op.results
        for inner in op.regions:
            found += _values(inner)
    return found
