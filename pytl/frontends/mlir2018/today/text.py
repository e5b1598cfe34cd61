"""The text of operations of today's MLIR, in the custom forms of their dialects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ....mlir.affine import AffineMap, IntegerSet
from ....mlir.affine.expressions import Constant, Symbol
from ....mlir.text import Operation, Region
from ....mlir.text.custom import DYNAMIC
from ....mlir.text.names import PREDICATES
from ....mlir.text.tree import Raw
from ....mlir.text.types import Scalar, Type, Vector
from .operations import float_text

_LISTS = {"operandSegmentSizes": "i32", "op_bundle_sizes": "i32"}
_TYPED = {"predicate": "i64", "step": "index"}


def print_today(module: Operation) -> str:
    """A module as MLIR 22 reads it.

    >>> from pytl.frontends.mlir2018.reader import read_text
    >>> from pytl.frontends.mlir2018.check import check_module
    >>> from pytl.frontends.mlir2018.today import to_operations
    >>> text = "func @f(%A: memref<8xf32>, %i: index) { %x = load %A[%i] : memref<8xf32> return }"
    >>> module, diagnostics = read_text(text)
    >>> check_module(module, diagnostics)
    >>> print(print_today(to_operations(module, diagnostics)))
    func.func @f(%A: memref<8xf32>, %i: index) {
      %x = affine.load %A[%i] : memref<8xf32>
      return
    }
    """
    functions = module.regions[0].blocks[0].operations
    return "\n\n".join("\n".join(_function(each)) for each in functions)


def _function(given: Operation) -> Iterator[str]:
    attributes = dict(given.attributes)
    name, type_ = attributes.pop("sym_name"), str(attributes.pop("function_type"))
    private = "private " if attributes.pop("sym_visibility", None) else ""
    blocks = given.regions[0].blocks
    if blocks:
        arguments = ", ".join(f"{each}: {of}" for each, of in blocks[0].arguments)
        type_ = f"({arguments}){_behind(type_)}"
    type_ = type_.removesuffix(" -> ()")
    extra = f" attributes {_dictionary(attributes)}" if attributes else ""
    head = f"func.func {private}@{name}{type_}{extra}"
    if not blocks:
        yield head
        return
    yield f"{head} {{"
    for number, block in enumerate(blocks):
        if number:
            taken = ", ".join(f"{each}: {of}" for each, of in block.arguments)
            yield f"{block.label}{f'({taken})' if taken else ''}:"
        yield from _lines(block.operations, 1)
    yield "}"


def _behind(type_: str) -> str:
    """What follows the arguments of a function type."""
    depth = 0
    for place, letter in enumerate(type_):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return type_[place + 1 :]
    return ""


def _lines(operations: Sequence[Operation], depth: int) -> Iterator[str]:
    indent = "  " * depth
    for each in operations:
        if each.name in _NESTED:
            yield from _NESTED[each.name](each, depth)
        elif each.name != "affine.yield":
            yield f"{indent}{_results(each)}{operation_text(each)}"


def _results(given: Operation) -> str:
    if not given.results:
        return ""
    first = given.results[0].partition("#")[0]
    return f"{first} = " if len(given.results) == 1 else f"{first}:{len(given.results)} = "


def _body(region: Region, depth: int) -> Iterator[str]:
    for block in region.blocks:
        yield from _lines(block.operations, depth + 1)


def _for(given: Operation, depth: int) -> Iterator[str]:
    indent = "  " * depth
    count = given.attributes["operandSegmentSizes"][0]
    lower = _bound(given.attributes["lowerBoundMap"], given.operands[:count], "max")
    upper = _bound(given.attributes["upperBoundMap"], given.operands[count:], "min")
    step = f" step {given.attributes['step']}" if given.attributes["step"] != 1 else ""
    (variable, _), *_ = given.regions[0].blocks[0].arguments
    yield f"{indent}affine.for {variable} = {lower} to {upper}{step} {{"
    yield from _body(given.regions[0], depth)
    yield f"{indent}}}"


def _if(given: Operation, depth: int) -> Iterator[str]:
    indent = "  " * depth
    condition = given.attributes["condition"]
    yield f"{indent}affine.if {_attribute(condition)}{_applied(condition, given.operands)} {{"
    yield from _body(given.regions[0], depth)
    if given.regions[1].blocks:
        yield f"{indent}}} else {{"
        yield from _body(given.regions[1], depth)
    yield f"{indent}}}"


_NESTED: Mapping[str, Callable[[Operation, int], Iterator[str]]] = {"affine.for": _for, "affine.if": _if}


def _applied(to: AffineMap | IntegerSet, operands: Sequence[str]) -> str:
    count = len(to.dimensions)
    symbols = f"[{', '.join(operands[count:])}]" if len(operands) > count else ""
    return f"({', '.join(operands[:count])}){symbols}"


def _bound(map_: AffineMap, operands: Sequence[str], word: str) -> str:
    """A bound, in the short form where it has one."""
    if len(map_.results) == 1 and not map_.dimensions:
        (result,) = map_.results
        if isinstance(result, Constant) and not operands:
            return str(result.value)
        if result == Symbol(0) and len(operands) == 1:
            return operands[0]
    return f"{f'{word} ' if len(map_.results) > 1 else ''}{_attribute(map_)}{_applied(map_, operands)}"


# Operations.


def operation_text(given: Operation) -> str:
    """An operation without its results: in the custom form, or in the generic one where it has more attributes."""
    if given.name in _FORMS:
        own, write = _FORMS[given.name]
        if set(given.attributes) <= {*own, "operandSegmentSizes"}:
            return write(given)
    return generic_text(given)


def generic_text(given: Operation) -> str:
    """An operation without regions in the generic form."""
    successors = f"[{', '.join(given.successors)}]" if given.successors else ""
    entries = {key: _typed(key, value, given) for key, value in given.attributes.items()}
    attributes = f" {{{', '.join(map(_entry, entries, entries.values()))}}}" if entries else ""
    return f'"{_escaped(given.name)}"({", ".join(given.operands)}){successors}{attributes} : {_types_text(given)}'


def _types_text(given: Operation, skipped: int = 0) -> str:
    made = list(map(_in_list, given.result_types))
    result = made[0] if len(made) == 1 else f"({', '.join(made)})"
    return f"({_listed(given.operand_types[skipped:])}) -> {result}"


def _in_list(type_: Type) -> str:
    text = str(type_)
    return f"({text})" if text.startswith("(") else text


def _listed(values: Sequence[Any]) -> str:
    return ", ".join(map(str, values))


def _entry(key: str, text: str) -> str:
    return key if text == "true" else f"{key} = {text}"


def _dictionary(attributes: Mapping[str, Any]) -> str:
    entries = (_entry(key, _attribute(value)) for key, value in attributes.items())
    return f"{{{', '.join(entries)}}}"


def _typed(key: str, value: Any, given: Operation) -> str:
    """An attribute of an operation, with the type that it has there."""
    if isinstance(value, tuple) and (key in _LISTS or key.startswith("static_") or key == "position"):
        numbers = f": {_listed(value)}" if value else ""
        return f"array<{_LISTS.get(key, 'i64')}{numbers}>"
    if key == "value" and given.name == "arith.constant":
        return f"{_attribute(value)} : {given.result_types[0]}"
    return f"{_attribute(value)} : {_TYPED[key]}" if key in _TYPED else _attribute(value)


def _attribute(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Raw):
        return value.text
    if isinstance(value, (AffineMap, IntegerSet)):
        return value.text("today")
    if isinstance(value, str):
        return value if value.startswith("@") else f'"{_escaped(value)}"'
    if isinstance(value, tuple):
        return f"[{', '.join(map(_attribute, value))}]"
    return float_text(value) if isinstance(value, float) else str(value)


def _escaped(text: str) -> str:
    """A text in the quotes of MLIR, which takes a backslash for the beginning of a byte."""
    plain = text.encode("utf-8")
    return "".join(chr(each) if 32 <= each < 127 and each not in b'"\\' else f"\\{each:02X}" for each in plain)


def _constant(given: Operation) -> str:
    value, (type_,) = given.attributes["value"], given.result_types
    return f"arith.constant {_attribute(value)}" + ("" if isinstance(value, bool) else f" : {type_}")


def _plain(given: Operation) -> str:
    return f"{given.name} {_listed(given.operands)} : {given.operand_types[0]}"


def _casting(given: Operation) -> str:
    return f"{_plain(given)} to {given.result_types[0]}"


def _select(given: Operation) -> str:
    condition, type_ = given.operand_types[:2]
    front = "" if condition == Scalar("i1") else f"{condition}, "
    return f"arith.select {_listed(given.operands)} : {front}{type_}"


def _cmpi(given: Operation) -> str:
    predicate = PREDICATES[given.attributes["predicate"]]
    return f"arith.cmpi {predicate}, {_listed(given.operands)} : {given.operand_types[0]}"


def _return(given: Operation) -> str:
    return f"return {_listed(given.operands)} : {_listed(given.operand_types)}" if given.operands else "return"


def _successor(label: str, operands: Sequence[str], types: Sequence[Type]) -> str:
    return f"{label}({_listed(operands)} : {_listed(types)})" if operands else label


def _br(given: Operation) -> str:
    return f"cf.br {_successor(given.successors[0], given.operands, given.operand_types)}"


def _cond_br(given: Operation) -> str:
    _, first, _ = given.attributes["operandSegmentSizes"]
    targets = [
        _successor(label, given.operands[part], given.operand_types[part])
        for label, part in zip(given.successors, (slice(1, 1 + first), slice(1 + first, None)))
    ]
    return f"cf.cond_br {given.operands[0]}, {', '.join(targets)}"


def _accessed(given: Operation, at: int) -> str:
    stored = f"{given.operands[0]}, " if at else ""
    return f"{given.name} {stored}{given.operands[at]}[{_listed(given.operands[at + 1 :])}] : {given.operand_types[at]}"


def _dma_start(given: Operation) -> str:
    ranks: list[tuple[int, int]] = []
    place = 0
    for number in range(3):
        place += number == 2  # the number of elements
        ranks.append((place, len(given.operand_types[place].shape)))  # type: ignore[union-attr, arg-type]
        place += 1 + ranks[-1][1]
    places = [
        f"{given.operands[begin]}[{_listed(given.operands[begin + 1 : begin + 1 + rank])}]" for begin, rank in ranks
    ]
    places.insert(2, given.operands[ranks[2][0] - 1])
    return f"memref.dma_start {', '.join(places)} : {_listed([given.operand_types[begin] for begin, _ in ranks])}"


def _dma_wait(given: Operation) -> str:
    tag, *at, count = given.operands
    return f"memref.dma_wait {tag}[{_listed(at)}], {count} : {given.operand_types[0]}"


def _alloc(given: Operation) -> str:
    count, symbols = given.attributes["operandSegmentSizes"]
    behind = f"[{_listed(given.operands[count:])}]" if symbols else ""
    return f"memref.alloc({_listed(given.operands[:count])}){behind} : {given.result_types[0]}"


def _mixed(given: Operation) -> list[str]:
    """Lists of numbers and operands, in brackets."""
    rest = iter(given.operands[1:])
    return [
        f"[{', '.join(next(rest) if each == DYNAMIC else str(each) for each in given.attributes[f'static_{key}'])}]"
        for key in ("offsets", "sizes", "strides")
    ]


def _subview(given: Operation) -> str:
    lists = "".join(_mixed(given))
    return f"memref.subview {given.operands[0]}{lists} : {given.operand_types[0]} to {given.result_types[0]}"


def _reinterpret(given: Operation) -> str:
    offset, sizes, strides = _mixed(given)
    lists = f"offset: {offset}, sizes: {sizes}, strides: {strides}"
    types = f"{given.operand_types[0]} to {given.result_types[0]}"
    return f"memref.reinterpret_cast {given.operands[0]} to {lists} : {types}"


def _called(given: Operation) -> str:
    return f"func.call {given.attributes['callee']}({_listed(given.operands)}) : {_types_text(given)}"


def _indirect(given: Operation) -> str:
    callee, *operands = given.operands
    return f"func.call_indirect {callee}({_listed(operands)}) : {_types_text(given, 1)}"


def _apply(given: Operation) -> str:
    map_ = given.attributes["map"]
    return f"affine.apply {_attribute(map_)}{_applied(map_, given.operands)}"


def _extract(given: Operation) -> str:
    of, *indices = given.operands
    type_ = given.operand_types[0]
    if isinstance(type_, Vector):
        return f"vector.extract {of}[{_listed(indices)}] : {given.result_types[0]} from {type_}"
    return f"tensor.extract {of}[{_listed(indices)}] : {type_}"


def _intrinsic(given: Operation) -> str:
    name = given.attributes["intrin"]
    return f'llvm.call_intrinsic "{_escaped(name)}"({_listed(given.operands)}) : {_types_text(given)}'


_ARITHMETIC = ("addi", "addf", "mulf", "muli", "divsi", "divui", "remsi", "remui")
_Write = Callable[[Operation], str]
_FORMS: Mapping[str, tuple[tuple[str, ...], _Write]] = {
    **{f"arith.{name}": ((), _plain) for name in _ARITHMETIC},
    **dict.fromkeys(("memref.dealloc", "memref.dim", "tensor.dim"), ((), _plain)),
    **dict.fromkeys(("memref.cast", "tensor.cast"), ((), _casting)),
    "arith.constant": (("value",), _constant),
    "arith.select": ((), _select),
    "arith.cmpi": (("predicate",), _cmpi),
    "func.return": ((), _return),
    "func.call": (("callee",), _called),
    "func.call_indirect": ((), _indirect),
    "func.constant": (("value",), lambda op: f"func.constant {op.attributes['value']} : {op.result_types[0]}"),
    "cf.br": ((), _br),
    "cf.cond_br": ((), _cond_br),
    "affine.apply": (("map",), _apply),
    "affine.load": (("map",), lambda op: _accessed(op, 0)),
    "affine.store": (("map",), lambda op: _accessed(op, 1)),
    "memref.load": ((), lambda op: _accessed(op, 0)),
    "memref.store": ((), lambda op: _accessed(op, 1)),
    "memref.alloc": ((), _alloc),
    "memref.copy": ((), lambda op: f"memref.copy {_listed(op.operands)} : {' to '.join(map(str, op.operand_types))}"),
    "memref.subview": (("static_offsets", "static_sizes", "static_strides"), _subview),
    "memref.reinterpret_cast": (("static_offsets", "static_sizes", "static_strides"), _reinterpret),
    "memref.dma_start": ((), _dma_start),
    "memref.dma_wait": ((), _dma_wait),
    "tensor.extract": ((), _extract),
    "vector.extract": (("static_position",), _extract),
    "bufferization.to_tensor": (
        ("restrict",),
        lambda op: f"bufferization.to_tensor {op.operands[0]} restrict : {op.operand_types[0]} to {op.result_types[0]}",
    ),
    "bufferization.materialize_in_destination": (
        ("writable",),
        lambda op: (
            f"bufferization.materialize_in_destination {op.operands[0]} in writable {op.operands[1]} : "
            f"({_listed(op.operand_types)}) -> ()"
        ),
    ),
    "llvm.call_intrinsic": (("intrin", "op_bundle_sizes"), _intrinsic),
    "llvm.extractvalue": (
        ("position",),
        lambda op: f"llvm.extractvalue {op.operands[0]}[{_listed(op.attributes['position'])}] : {op.operand_types[0]}",
    ),
}
"""The attributes that the custom form of an operation has, and what writes it."""
