"""Loops and branches: the dialect scf."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir.types import Type
from ...ir.values import Value
from ...mlir.text import Operation
from ...ops import For, If, Yield
from ..composites import flattened, parts_of, rebuilt
from . import rules
from .types import shown
from .values import Compound, Given, Read
from .writer import Handler, Writer, type_or_index


def _like(to: Writer, values: Sequence[Value], types: Sequence[Type], place: Any) -> list[Any]:
    """What the arguments of a region are: types, and the values that stand for several."""
    for value, type_ in zip(values, types):
        if not to.fits(value, type_):
            message = f"{shown(value.type)} is carried, but {shown(type_)} is written"
            to.diagnostics.report(rules.ANNOTATED, message, place)
    return [value if isinstance(value, Compound) else type_ for value, type_ in zip(values, types)]


def _check_bases(to: Writer, values: Sequence[Value], given: Sequence[Value], place: Any) -> None:
    for a, b in zip(values, given):
        first, second = (v.base if isinstance(v, Compound) else None for v in (a, b))
        if first is not second or (isinstance(a, Compound) and len(parts_of(a)) != len(parts_of(b))):
            to.diagnostics.report(rules.BASE, "a descriptor of other memory is carried", place)


def _for(to: Writer, op: Operation) -> Read:
    if op.attributes:
        to.fail(rules.ATTRIBUTE, f"there is no attribute {next(iter(op.attributes))} here", op.location)
    start, stop, step, *inits = to.values(op)
    types: list[Any] = list(op.result_types)
    (variable, kind), *names = op.regions[0].blocks[0].arguments
    likes = _like(to, inits, types, op.location)
    to.yielded = []
    arguments = [(variable, type_or_index(kind)), *((name, like) for (name, _), like in zip(names, likes))]
    body = to.region(op, 0, "mixed", arguments)
    body.arguments = flattened(body.arguments)
    _check_bases(to, inits, to.yielded, op.location)
    flat = flattened(inits)
    made = For(op.location, [value.type for value in flat], start=start, stop=stop, step=step, inits=flat, body=body)
    if not any(isinstance(value, Compound) for value in inits):
        made.results = [Value(type_) for type_ in types]
        for value in made.results:
            value.owner = made
        return made
    to.insert(made)
    return Given(op.location, rebuilt(inits, made.results))


def _if(to: Writer, op: Operation) -> Read:
    (condition,) = to.values(op)
    types: list[Any] = list(op.result_types)
    to.yielded = []
    then_body = to.region(op, 0, "mixed", ())
    given, to.yielded = to.yielded, []
    else_body = to.region(op, 1, "mixed", ()) if len(op.regions) > 1 else None
    if len(given) == len(types) and any(isinstance(value, Compound) for value in given):
        _like(to, given, types, op.location)
        _check_bases(to, given, to.yielded, op.location)
        flat = [value.type for value in flattened(given)]
        made = If(op.location, flat, condition=condition, then_body=then_body, else_body=else_body)
        to.insert(made)
        return Given(op.location, rebuilt(given, made.results))
    return If(op.location, types, condition=condition, then_body=then_body, else_body=else_body)


def _yield(to: Writer, op: Operation) -> Read:
    to.yielded = to.operands(op)
    return Yield(op.location, yielded=flattened(to.yielded))


HANDLERS: dict[str, Handler] = {"scf.for": _for, "scf.if": _if, "scf.yield": _yield}
