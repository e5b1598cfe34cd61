"""Each operation of the document's texts, read into the instruction that it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ir.operation import Operation
from ...ir.text.literals import read_literal
from ...ir.types import CoopMatrixType, ScalarType, TileType, Type, UnknownType, index
from ...ir.values import Value
from ...ops import (
    ArithBinary,
    Builtin,
    Cast,
    Constant,
    For,
    If,
    InitTile,
    LoadTile,
    PrefetchTile,
    StoreTile,
    TileMma,
    UpdateTileOffset,
    Yield,
)
from . import rules
from .reader import XeTileReader
from .types import shown

_BINARY = {
    **{f"arith.{name}{kind}": name for name in ("add", "sub", "mul") for kind in "if"},
    "arith.divf": "div",
    "arith.divsi": "div",
    "arith.remsi": "rem",
    "arith.minsi": "min",
    "arith.maxsi": "max",
    "arith.minnumf": "min",
    "arith.maxnumf": "max",
    "arith.andi": "and",
    "arith.ori": "or",
    "arith.xori": "xor",
}
_CASTS = ("extf", "truncf", "extsi", "trunci", "sitofp", "fptosi", "index_cast")


def _of_type(reader: XeTileReader, kind: Any, what: str) -> Any:
    """The type that is written next."""
    start = reader.scanner.skip_blanks()
    type_ = reader.type()
    if not isinstance(type_, kind):
        reader.scanner.position = start
        reader.fail(f"expected the type of a {what}, but found {shown(type_)}", rules.ANNOTATED)
    return type_


def _known(reader: XeTileReader, value: Value, kind: Any, what: str) -> None:
    if not isinstance(value.type, (kind, UnknownType)):
        name = f"%{value.name}" if value.name else "the operand"
        message = f"{name} is {shown(value.type)}, but must be a {what}"
        reader.diagnostics.report(rules.ANNOTATED, message, reader.scanner.place(reader.scanner.last_end - 1))


def _becomes(reader: XeTileReader) -> None:
    """`into`, for which MLIR has an arrow today."""
    if not reader.accept("->"):
        reader.expect("into")


# xetile.


def _init_tile(reader: XeTileReader, start: int) -> Operation:
    base = reader.value()
    brackets: list[list[Value]] = []
    while reader.accept(",") or reader.at("["):
        reader.expect("[")
        at = reader.scanner.skip_blanks()
        brackets.append(_indices(reader))
        reader.expect("]")
        if len(brackets) == 2:
            place = reader.scanner.place(at)
            reader.diagnostics.report(
                rules.BASE, "the base matrix is given a shape of its own", place, "leave it out: the memref has it"
            )
    place = reader.scanner.place(start)
    reader.expect(":")
    at = reader.scanner.skip_blanks()
    type_ = reader.type()
    if isinstance(type_, ScalarType):
        message, where = f"the base matrix is an address, {type_}", reader.scanner.place(at)
        reader.diagnostics.report(rules.BASE, message, where, "make it a memref")
        base = Value(UnknownType())
    elif not isinstance(base.type, UnknownType) and type_ != base.type:
        message, where = (
            f"the base matrix is {shown(base.type)}, but {shown(type_)} is written here",
            reader.scanner.place(at),
        )
        reader.diagnostics.report(rules.ANNOTATED, message, where)
    _becomes(reader)
    tile = _of_type(reader, TileType, "tile")
    if not brackets or len(brackets[0]) != 2:
        message = "a tile begins at a row and a column"
        reader.diagnostics.report(rules.ANNOTATED, message, place, "write [%row, %column]")
        row = column = Value(UnknownType())
    else:
        row, column = brackets[0]
    return InitTile(place, [tile], M=base, x=column, y=row)


def _indices(reader: XeTileReader) -> list[Value]:
    """Values, or constants in their places."""
    found: list[Value] = []
    while True:
        at = reader.scanner.skip_blanks()
        if reader.scanner.text[at : at + 1] in "-0123456789":
            number = reader.integer()
            constant = Constant(reader.scanner.place(at), [index], literal=number)
            reader.insert(constant)
            found.append(constant.results[0])
        else:
            found += reader.one_or_more()
        if not reader.accept(","):
            return found


def _tile(reader: XeTileReader) -> Value:
    value = reader.value()
    _known(reader, value, TileType, "tile")
    return value


def _vector(reader: XeTileReader) -> Value:
    value = reader.value()
    _known(reader, value, CoopMatrixType, "vector")
    return value


def _load_tile(reader: XeTileReader, start: int) -> Operation:
    tile = _tile(reader)
    given: dict[str, Any] = {"transpose": "n", "padding": None}
    if reader.accept("{"):
        reader.comma_separated(lambda: _load_attribute(reader, given, tile), closing="}")
        reader.expect("}")
    place = reader.scanner.place(start)
    reader.expect(":")
    reader.named(tile)
    _becomes(reader)
    result = _of_type(reader, CoopMatrixType, "vector")
    return LoadTile(place, [result], tile=tile, **given)


def _load_attribute(reader: XeTileReader, given: dict[str, Any], tile: Value) -> None:
    if reader.accept("transpose"):
        reader.expect("=")
        reader.expect("[")
        order = reader.comma_separated(reader.integer, closing="]")
        reader.expect("]")
        if sorted(order) != [0, 1]:
            reader.fail(f"transpose is [1, 0] or [0, 1], and not {order}", rules.ANNOTATED)
        given["transpose"] = "t" if order == [1, 0] else "n"
    elif reader.accept("padding"):
        reader.expect("=")
        at = reader.scanner.skip_blanks()
        literal = read_literal(reader)
        if isinstance(tile.type, TileType):
            element = tile.type.element
            is_number = not isinstance(literal, (bool, complex))
            value = float(literal) if is_number and element.is_floating else literal  # type: ignore[arg-type]
            constant = Constant(reader.scanner.place(at), [element], literal=value)
            reader.insert(constant)
            given["padding"] = constant.results[0]
    else:
        reader.fail(f"expected transpose or padding, but found {reader.scanner.next_text()}")


def _store_tile(reader: XeTileReader, start: int) -> Operation:
    """The document's `%tile %vector : vector into tile`, and the order of its grammar, `%vector, %tile`."""
    first = reader.value()
    reader.accept(",")
    second = reader.value()
    place = reader.scanner.place(start)
    vector, tile = (second, first) if isinstance(first.type, TileType) else (first, second)
    _known(reader, vector, CoopMatrixType, "vector")
    _known(reader, tile, TileType, "tile")
    reader.expect(":")
    reader.named(vector)
    if not reader.accept(","):
        _becomes(reader)
    reader.named(tile)
    return StoreTile(place, A=vector, tile=tile)


def _prefetch_tile(reader: XeTileReader, start: int) -> Operation:
    tile = _tile(reader)
    place = reader.scanner.place(start)
    reader.expect(":")
    reader.named(tile)
    return PrefetchTile(place, tile=tile)


def _update_tile_offset(reader: XeTileReader, start: int) -> Operation:
    tile = _tile(reader)
    reader.expect(",")
    deltas = _indices(reader)
    place = reader.scanner.place(start)
    if len(deltas) != 2:
        reader.fail(f"a tile is moved by rows and columns, and {len(deltas)} values are given", rules.ANNOTATED)
    reader.expect(":")
    reader.named(tile)
    for _ in range(2):
        reader.expect(",")
        _of_type(reader, ScalarType, "index")
    _becomes(reader)
    reader.named(tile)
    return UpdateTileOffset(place, [tile.type], tile=tile, dx=deltas[1], dy=deltas[0])


def _tile_mma(reader: XeTileReader, start: int) -> Operation:
    """`%a, %b, %c`; the types stand in this order, or as the document prints them, with that of `%c` in front."""
    factors = [_vector(reader)]
    while reader.accept(","):
        factors.append(_vector(reader))
    place = reader.scanner.place(start)
    if len(factors) not in (2, 3):
        reader.fail(f"a product has two factors, and a matrix to add: {len(factors)} values are given")
    reader.expect(":")
    at = reader.scanner.skip_blanks()
    types: list[Type] = []

    def one() -> None:
        types.append(_of_type(reader, CoopMatrixType, "vector"))

    one()
    while reader.accept(","):
        one()
    written = reader.scanner.place(at)
    _becomes(reader)
    result = _of_type(reader, CoopMatrixType, "vector")
    wanted = [value.type for value in factors]
    orders = [wanted] if len(wanted) == 2 else [wanted, [wanted[2], *wanted[:2]]]
    if types not in orders and not any(isinstance(each, UnknownType) for each in wanted):
        listed = ", ".join(shown(each) for each in wanted)
        reader.diagnostics.report(rules.ANNOTATED, "the types are not those of the values", written, f"write {listed}")
    a, b, *rest = factors
    return TileMma(place, [result], A=b, B=a, C=rest[0] if rest else None)


# arith and gpu.


def _constant(reader: XeTileReader, start: int) -> Operation:
    is_dense = reader.accept("dense")
    if is_dense:
        reader.expect("<")
    literal = read_literal(reader)
    if is_dense:
        reader.expect(">")
    place = reader.scanner.place(start)
    reader.expect(":")
    type_: Any = _of_type(reader, CoopMatrixType, "vector") if is_dense else _of_type(reader, ScalarType, "number")
    return Constant(place, [type_], literal=literal)


def _binary(variant: str) -> Callable[[XeTileReader, int], Operation]:
    def read(reader: XeTileReader, start: int) -> Operation:
        a = reader.value()
        reader.expect(",")
        b = reader.value()
        place = reader.scanner.place(start)
        reader.expect(":")
        at = reader.scanner.position
        reader.named(a)
        reader.scanner.position = at
        reader.named(b)
        return ArithBinary(place, [a.type], variant=variant, a=a, b=b)

    return read


def _cast(reader: XeTileReader, start: int) -> Operation:
    value = reader.value()
    place = reader.scanner.place(start)
    reader.expect(":")
    reader.named(value)
    reader.expect("to")
    return Cast(place, [_of_type(reader, (ScalarType, CoopMatrixType), "number")], operand=value)


def _builtin(variant: str) -> Callable[[XeTileReader, int], Operation]:
    def read(reader: XeTileReader, start: int) -> Operation:
        if not reader.accept("x"):
            reader.fail(f"a launch has the dimension x alone, and not {reader.scanner.next_text()}")
        return Builtin(reader.scanner.place(start), [index], variant=variant)

    return read


# scf.


def _results(reader: XeTileReader) -> list[Type]:
    if not reader.accept("->"):
        return []
    if not reader.accept("("):
        return [reader.type()]
    types = reader.comma_separated(reader.type, closing=")")
    reader.expect(")")
    return types


def _for(reader: XeTileReader, start: int) -> Operation:
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
    arguments = [(name, place, kind), *((*argument, type_) for (argument, _), type_ in zip(carried, types))]
    body = reader.region("mixed", arguments)
    return For(where, types, start=first, stop=last, step=step, inits=inits, body=body)


def _if(reader: XeTileReader, start: int) -> Operation:
    condition = reader.value()
    types = _results(reader)
    where = reader.scanner.place(start)
    then_body = reader.region("mixed")
    else_body = reader.region("mixed") if reader.accept("else") else None
    return If(where, types, condition=condition, then_body=then_body, else_body=else_body)


def _yield(reader: XeTileReader, start: int) -> Operation:
    yielded = reader.values(":}")
    if yielded:
        reader.expect(":")
        reader.annotated(*yielded)
    return Yield(reader.scanner.place(start), yielded=yielded)


READERS: dict[str, Callable[[Any, int], Operation]] = {
    "xetile.init_tile": _init_tile,
    "xetile.load_tile": _load_tile,
    "xetile.store_tile": _store_tile,
    "xetile.prefetch_tile": _prefetch_tile,
    "xetile.update_tile_offset": _update_tile_offset,
    "xetile.tile_mma": _tile_mma,
    "arith.constant": _constant,
    **{name: _binary(variant) for name, variant in _BINARY.items()},
    **{f"arith.{name}": _cast for name in _CASTS},
    "gpu.block_id": _builtin("group_id"),
    "gpu.grid_dim": _builtin("group_size"),
    "scf.for": _for,
    "scf.if": _if,
    "scf.yield": _yield,
}
