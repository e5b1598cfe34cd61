"""Loops and branches: the dialect scf."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...ir.types import Type, index
from ...ir.values import Value
from ...ops import For, If, Yield
from ..composites import flattened, rebuilt
from . import rules
from .reader import XeTileReader
from .types import shown
from .values import Compound, Given, Read


def _results(reader: XeTileReader) -> list[Type]:
    if not reader.accept("->"):
        return []
    if not reader.accept("("):
        return [reader.type()]
    types = reader.comma_separated(reader.type, closing=")")
    reader.expect(")")
    return types


def _like(reader: XeTileReader, values: Sequence[Value], types: Sequence[Type], place: Any) -> list[Any]:
    """What the arguments of a region are: types, and the values that stand for several."""
    for value, type_ in zip(values, types):
        if not reader.fits(value, type_):
            message = f"{shown(value.type)} is carried, but {shown(type_)} is written"
            reader.diagnostics.report(rules.ANNOTATED, message, place)
    return [value if isinstance(value, Compound) else type_ for value, type_ in zip(values, types)]


def _check_bases(reader: XeTileReader, values: Sequence[Value], given: Sequence[Value], place: Any) -> None:
    for a, b in zip(values, given):
        first, second = (v.base if isinstance(v, Compound) else None for v in (a, b))
        if first is not second or (isinstance(a, Compound) and len(flattened([a])) != len(flattened([b]))):
            reader.diagnostics.report(rules.BASE, "a descriptor of other memory is carried", place)


def _for(reader: XeTileReader, start: int) -> Read:
    name, place = reader.local_name()
    reader.expect("=")
    first = reader.value()
    reader.expect("to")
    last = reader.value()
    reader.expect("step")
    step = reader.value()
    carried: list[tuple[Any, Value]] = []
    if reader.accept("iter_args"):
        reader.expect("(")

        def one() -> None:
            argument = reader.local_name()
            reader.expect("=")
            carried.append((argument, reader.value()))

        reader.comma_separated(one, closing=")")
        reader.expect(")")
    types = _results(reader)
    inits = [value for _, value in carried]
    if len(types) != len(inits):
        reader.fail(f"{len(inits)} values are carried, but {len(types)} types are written", rules.ANNOTATED)
    kind: Any = index
    if reader.accept(":"):
        kind = reader.type()
    where = reader.scanner.place(start)
    likes = _like(reader, inits, types, where)
    arguments = [(name, place, kind), *((*argument, like) for (argument, _), like in zip(carried, likes))]
    reader.yielded = []
    body = reader.region("mixed", arguments)
    body.arguments = flattened(body.arguments)
    _check_bases(reader, inits, reader.yielded, where)
    flat = flattened(inits)
    op = For(where, [value.type for value in flat], start=first, stop=last, step=step, inits=flat, body=body)
    if not any(isinstance(value, Compound) for value in inits):
        op.results = [Value(type_) for type_ in types]
        for value in op.results:
            value.owner = op
        return op
    reader.insert(op)
    return Given(where, rebuilt(inits, op.results))


def _if(reader: XeTileReader, start: int) -> Read:
    condition = reader.value()
    types = _results(reader)
    where = reader.scanner.place(start)
    reader.yielded = []
    then_body = reader.region("mixed")
    given = reader.yielded
    reader.yielded = []
    else_body = reader.region("mixed") if reader.accept("else") else None
    if len(given) == len(types) and any(isinstance(value, Compound) for value in given):
        _like(reader, given, types, where)
        _check_bases(reader, given, reader.yielded, where)
        flat = [value.type for value in flattened(given)]
        op = If(where, flat, condition=condition, then_body=then_body, else_body=else_body)
        reader.insert(op)
        return Given(where, rebuilt(given, op.results))
    return If(where, types, condition=condition, then_body=then_body, else_body=else_body)


def _yield(reader: XeTileReader, start: int) -> Read:
    yielded = reader.values(":}")
    if yielded:
        reader.expect(":")
        reader.annotated(*yielded)
    reader.yielded = yielded
    return Yield(reader.scanner.place(start), yielded=flattened(yielded))


READERS: dict[str, Callable[[Any, int], Read]] = {
    "scf.for": _for,
    "scf.if": _if,
    "scf.yield": _yield,
}
