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
from .values import Compound, Lowered, Results
from .writer import Handler, Writer, type_or_index


def _like(writer: Writer, values: Sequence[Value], types: Sequence[Type], location: Any) -> list[Any]:
    """What the arguments of a region are: types, and the values that stand for several."""
    for value, type_ in zip(values, types):
        if not writer.fits(value, type_):
            message = f"{shown(value.type)} is carried, but {shown(type_)} is written"
            writer.diagnostics.report(rules.ANNOTATED, message, location)
    return [value if isinstance(value, Compound) else type_ for value, type_ in zip(values, types)]


def _check_bases(writer: Writer, values: Sequence[Value], others: Sequence[Value], location: Any) -> None:
    for a, b in zip(values, others):
        first, second = (v.base if isinstance(v, Compound) else None for v in (a, b))
        if first is not second or (isinstance(a, Compound) and len(parts_of(a)) != len(parts_of(b))):
            writer.diagnostics.report(rules.BASE, "a descriptor of other memory is carried", location)


def _for(writer: Writer, op: Operation) -> Lowered:
    if op.attributes:
        writer.fail(rules.ATTRIBUTE, f"there is no attribute {next(iter(op.attributes))} here", op.location)
    start, stop, step, *inits = writer.values(op)
    types: list[Any] = list(op.result_types)
    (variable, kind), *names = op.regions[0].blocks[0].arguments
    likes = _like(writer, inits, types, op.location)
    writer.yielded = []
    arguments = [(variable, type_or_index(kind)), *((name, like) for (name, _), like in zip(names, likes))]
    body = writer.region(op, 0, "mixed", arguments)
    body.arguments = flattened(body.arguments)
    _check_bases(writer, inits, writer.yielded, op.location)
    flat = flattened(inits)
    made = For(op.location, [value.type for value in flat], start=start, stop=stop, step=step, inits=flat, body=body)
    if not any(isinstance(value, Compound) for value in inits):
        made.results = [Value(type_) for type_ in types]
        for value in made.results:
            value.owner = made
        return made
    writer.insert(made)
    return Results(op.location, rebuilt(inits, made.results))


def _if(writer: Writer, op: Operation) -> Lowered:
    (condition,) = writer.values(op)
    types: list[Any] = list(op.result_types)
    writer.yielded = []
    then_body = writer.region(op, 0, "mixed", ())
    then_values, writer.yielded = writer.yielded, []
    else_body = writer.region(op, 1, "mixed", ()) if len(op.regions) > 1 else None
    if len(then_values) == len(types) and any(isinstance(value, Compound) for value in then_values):
        _like(writer, then_values, types, op.location)
        _check_bases(writer, then_values, writer.yielded, op.location)
        flat = [value.type for value in flattened(then_values)]
        made = If(op.location, flat, condition=condition, then_body=then_body, else_body=else_body)
        writer.insert(made)
        return Results(op.location, rebuilt(then_values, made.results))
    return If(op.location, types, condition=condition, then_body=then_body, else_body=else_body)


def _yield(writer: Writer, op: Operation) -> Lowered:
    writer.yielded = writer.operands(op)
    return Yield(op.location, yielded=flattened(writer.yielded))


HANDLERS: dict[str, Handler] = {"scf.for": _for, "scf.if": _if, "scf.yield": _yield}
