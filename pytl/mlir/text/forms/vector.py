"""vector."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Any

from ...affine import AffineMap, Dimension
from ..custom import Form, Parts, Spelled, element_of, write_others
from ..reader import Read, Reader
from ..tree import Operation
from ..types import Tensor, Vector

_MAX_ELEMENTS = 1000


class _OuterProduct(Form):
    """Its result has as many rows as the first factor has elements, and as many columns as the second."""

    def __call__(self, reader: Reader, name: str) -> Operation:
        operation = super().__call__(reader, name)
        left, right = operation.operand_types[:2]
        if not isinstance(left, Vector):
            reader.fail("an outer product is of vectors")
        shape = (*left.shape, *(right.shape if isinstance(right, Vector) else ()))
        operation.result_types = [Vector(shape, left.element)]
        if len(operation.operands) > 2:
            operation.operand_types[2] = operation.result_types[0]
        return operation


class _Shuffle(Form):
    """Its result has an element, or a part, for each number of the mask."""

    def __call__(self, reader: Reader, name: str) -> Operation:
        operation = super().__call__(reader, name)
        first = operation.operand_types[0]
        if not isinstance(first, Vector):
            reader.fail("vectors are shuffled")
        shape = (len(operation.attributes["mask"]), *first.shape[1:])
        operation.result_types = [Vector(shape, first.element)]
        return operation


def order_of_mask(map_: AffineMap) -> list[int]:
    """The dimensions of a transferred vector that its mask has, in the order of memory, by the transfer's map."""
    moved = [(each.position, n) for n, each in enumerate(map_.results) if isinstance(each, Dimension)]
    return [n for _, n in sorted(moved)]


class _Transfer(Form):
    """Its mask is of the dimensions of memory. A write gives the tensor that it is written to."""

    def __call__(self, reader: Reader, name: str) -> Operation:
        operation = super().__call__(reader, name)
        mask, map_ = operation.operand_types[-1], operation.attributes.get("permutation_map")
        is_masked = operation.attributes["operandSegmentSizes"][-1] == 1
        if is_masked and isinstance(mask, Vector) and isinstance(map_, AffineMap):
            shape = tuple(mask.shape[n] for n in order_of_mask(map_) if n < len(mask.shape))
            operation.operand_types[-1] = Vector(shape or (1,), mask.element)
        if name == "vector.transfer_write":
            operation.result_types = [each for each in operation.operand_types[1:2] if isinstance(each, Tensor)]
        return operation


class _FromElements(Form):
    """Its operands are elements of its result."""

    def __call__(self, reader: Reader, name: str) -> Operation:
        operation = super().__call__(reader, name)
        operation.operand_types = [element_of(operation.result_types[0])] * len(operation.operands)
        return operation


class _ToElements(Form):
    """Its results are the elements of its operand."""

    def __call__(self, reader: Reader, name: str) -> Operation:
        operation = super().__call__(reader, name)
        source = operation.operand_types[0]
        if not isinstance(source, Vector) or prod(source.shape) > _MAX_ELEMENTS:
            reader.fail(f"the elements of a vector are given, at most {_MAX_ELEMENTS}")
        operation.result_types = [source.element] * prod(source.shape)
        return operation


def _mask(reader: Reader, name: str) -> Operation:
    """`%mask, %pass { vector.load … } : vector<4xi1> -> vector<4xf32>`."""
    parts = Parts()
    parts.operands["mask"] = [reader.operand()]
    if reader.take(","):
        parts.operands["pass"] = [reader.operand()]
    region = reader.region()
    if reader.peek() == "{":
        parts.attributes |= reader.dictionary()
    reader.expect(":")
    parts.types["mask"] = [reader.type()]
    results = reader.types() if reader.take("->") else []
    if "pass" in parts.operands:
        parts.types["pass"] = results[:1]
    if region.blocks and region.blocks[0].operations:
        # what the masked operation gives is what the mask gives
        last = region.blocks[0].operations[-1]
        if last.name != "vector.yield":
            names = [f"%masked_{number}" for number in range(len(last.result_types))]
            last.results = list(last.results) or names
            region.blocks[0].operations.append(
                Operation("vector.yield", list(last.results), [], list(last.result_types), [], {})
            )
    return parts.operation(name, results, regions=[region])


def _write_mask(operation: Operation, printer: Any) -> str | None:
    *inside, last = (each for block in operation.regions[0].blocks for each in block.operations)
    if len(inside) > 1 or (inside and list(inside[0].results) != list(last.operands)):
        return None
    body = printer.operation(replace(inside[0], results=[]) if inside else last)
    said = f" {', '.join(operation.operands)} {{ {body} }}{write_others(operation, printer, ())}"
    given = f" -> {', '.join(map(printer.type, operation.result_types))}" if operation.result_types else ""
    return f"{said} : {printer.type(operation.operand_types[0])}{given}"


def _print(reader: Reader, name: str) -> Operation:
    """`%x : f32 punctuation <no_punctuation>`, `str "text"`, or nothing but a punctuation."""
    parts = Parts()
    if reader.peek().startswith("%"):
        value = reader.operand()
        reader.expect(":")
        parts.add("source", [value], [reader.type()])
    elif reader.take("str"):
        parts.attributes["stringLiteral"] = reader.quoted()
    parts.attributes["punctuation"] = "newline"
    if reader.take("punctuation"):
        reader.expect("<")
        parts.attributes["punctuation"] = reader.word("a punctuation")
        reader.expect(">")
    if reader.peek() == "{":
        parts.attributes |= reader.dictionary()
    return parts.operation(name, [])


FORMS: dict[str, Read] = {
    "vector.transfer_read": _Transfer(
        "$base [ $indices* ] , $padding [[ , $mask ]] {} : type(base) , type(result)",
        order=("base", "indices", "padding", "mask"),
        known={"padding": "element of base", "mask": "i1 of result"},
    ),
    "vector.transfer_write": _Transfer(
        "$value , $base [ $indices* ] [[ , $mask ]] {} : type(value) , type(base)",
        "",
        order=("value", "base", "indices", "mask"),
        known={"mask": "i1 of value"},
    ),
    "vector.load": Form("$base [ $indices* ] {} : type(base) , type(result)"),
    "vector.store": Form("$value , $base [ $indices* ] {} : type(base) , type(value)", ""),
    "vector.maskedload": Form(
        "$base [ $indices* ] , $mask , $pass {} : type(base) , type(mask) , type(pass) into type(result)"
    ),
    "vector.maskedstore": Form("$base [ $indices* ] , $mask , $value {} : type(base) , type(mask) , type(value)", ""),
    "vector.broadcast": Form("$source {} : type(source) to type(result)"),
    "vector.splat": Form("$source {} : type(result)"),
    "vector.fma": Form("$a , $b , $c {} : type(a,b,c)", "a"),
    "vector.reduction": Form(
        "=kind:<> , $vector [[ , $acc ]] ~ {} : type(vector) into type(result)", known={"acc": "element of vector"}
    ),
    "vector.multi_reduction": Form(
        "=kind:<> , $source , $acc =reduction_dims:list {} : type(source) to type(acc)", "acc"
    ),
    "vector.extract": Form("$source mixed:position {} : type(result) from type(source)"),
    "vector.insert": Form("$value , $dest mixed:position {} : type(value) into type(dest)", "dest"),
    "vector.extract_strided_slice": Form("$source {} : type(source) to type(result)"),
    "vector.insert_strided_slice": Form("$value , $dest {} : type(value) into type(dest)", "dest"),
    "vector.shape_cast": Form("$source {} : type(source) to type(result)"),
    "vector.transpose": Form("$source , =permutation:list {} : type(source) to type(result)"),
    "vector.contract": Form("{} $lhs , $rhs , $acc : type(lhs) , type(rhs) into type(acc)", "acc"),
    "vector.outerproduct": _OuterProduct("$lhs , $rhs [[ , $acc ]] {} : type(lhs) , type(rhs)"),
    "vector.create_mask": Form("$sizes* {} : type(result)"),
    "vector.constant_mask": Form("=mask_dim_sizes:list {} : type(result)"),
    "vector.bitcast": Form("$source {} : type(source) to type(result)"),
    "vector.interleave": Form("$a , $b {} : type(a) -> type(result)", known={"b": "a"}),
    "vector.deinterleave": Form("$source {} : type(source) -> type(result)", "result, result"),
    "vector.scalable.insert": Form("$source , $dest [ =pos ] {} : type(source) into type(dest)", "dest"),
    "vector.scalable.extract": Form("$source [ =pos ] {} : type(result) from type(source)"),
    "vector.vscale": Form("{}", "index"),
    "vector.step": Form(": type(result)"),
    "vector.shuffle": _Shuffle("$a , $b =mask:list {} : type(a) , type(b)"),
    "vector.from_elements": _FromElements("$elements* {} : type(result)"),
    "vector.to_elements": _ToElements("$source {} : type(source)"),
    "vector.gather": Form(
        "$base [ $indices* ] [ $index_vec ] , $mask , $pass {} : "
        "type(base) , type(index_vec) , type(mask) , type(pass) into type(result)"
    ),
    "vector.scatter": Form(
        "$base [ $indices* ] [ $index_vec ] , $mask , $value {} "
        ": type(base) , type(index_vec) , type(mask) , type(value) [[ -> type(result) ]]"
    ),
    "vector.expandload": Form(
        "$base [ $indices* ] , $mask , $pass {} : type(base) , type(mask) , type(pass) into type(result)"
    ),
    "vector.compressstore": Form("$base [ $indices* ] , $mask , $value {} : type(base) , type(mask) , type(value)", ""),
    "vector.scan": Form("=kind:<> , $source , $initial {} : type(source) , type(initial)", "source, initial"),
    "vector.type_cast": Form("$source {} : type(source) to type(result)"),
    "vector.mask": Spelled(_mask, _write_mask),
    "vector.yield": Form("$a* {} [[ : types(a) ]]", ""),
    "vector.print": _print,
}
