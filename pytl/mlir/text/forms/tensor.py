"""tensor and bufferization."""

from __future__ import annotations

from typing import Any

from ..custom import Form, Parts, element_of, mixed
from ..reader import Read, Reader
from ..tree import Operation
from ..types import I1, INDEX, Type

_SLICE = ("source", "offsets", "sizes", "strides")
_INSERTED = ("source", "dest", "offsets", "sizes", "strides")
_INSERT = "$source into $dest mixed:offsets mixed:sizes mixed:strides {} : type(source) into type(dest)"


def _pad(reader: Reader, name: str) -> Operation:
    parts = Parts()
    parts.operands["source"] = [reader.operand()]
    if reader.take("nofold"):
        parts.attributes["nofold"] = True
    for word in ("low", "high"):
        reader.expect(word)
        parts.attributes[f"static_{word}"], parts.operands[word] = mixed(reader, "[", "]")
    region = reader.region()
    if reader.peek() == "{":
        parts.attributes |= reader.dictionary()
    reader.expect(":")
    parts.types["source"] = [reader.type()]
    reader.expect("to")
    return parts.operation(name, [reader.type()], ("source", "low", "high"), regions=[region])


def _generate(reader: Reader, name: str) -> Operation:
    sizes = reader.read_separated(reader.operand) if reader.peek().startswith("%") else []
    region = reader.region()
    attributes = reader.dictionary() if reader.peek() == "{" else {}
    reader.expect(":")
    return Operation(name, sizes, [], [INDEX] * len(sizes), [reader.type()], attributes, [region])


def _from_elements(reader: Reader, name: str) -> Operation:
    elements = reader.read_separated(reader.operand) if reader.peek().startswith("%") else []
    attributes = reader.dictionary() if reader.peek() == "{" else {}
    reader.expect(":")
    type_ = reader.type()
    return Operation(name, elements, [], [element_of(type_)] * len(elements), [type_], attributes)


def _materialize(reader: Reader, name: str) -> Operation:
    operands = [reader.operand()]
    reader.expect("in")
    attributes: dict[str, Any] = {word: True for word in ("restrict", "writable") if reader.take(word)}
    operands.append(reader.operand())
    if reader.peek() == "{":
        attributes |= reader.dictionary()
    reader.expect(":")
    reader.expect("(")
    types: list[Type] = reader.read_list(")", reader.type)
    reader.expect("->")
    return Operation(name, operands, [], types, reader.types(), attributes)


def _dealloc(reader: Reader, name: str) -> Operation:
    parts = Parts()
    if reader.take("("):
        _typed(reader, parts, "memrefs")
        reader.expect("if")
        reader.expect("(")
        parts.operands["conditions"] = reader.read_list(")", reader.operand)
        parts.types["conditions"] = [I1] * len(parts.operands["conditions"])
    if reader.take("retain"):
        reader.expect("(")
        _typed(reader, parts, "retained")
    if reader.peek() == "{":
        parts.attributes |= reader.dictionary()
    results: list[Type] = [I1] * len(parts.operands.get("retained", []))
    return parts.operation(name, results, ("memrefs", "conditions", "retained"))


def _typed(reader: Reader, parts: Parts, group: str) -> None:
    names = reader.read_separated(reader.operand)
    reader.expect(":")
    parts.add(group, names, reader.read_list(")", reader.type))


_TO_BUFFER = Form("$tensor [[ read_only ]] {} : type(tensor) to type(result)")

FORMS: dict[str, Read] = {
    "tensor.empty": Form("( $sizes* ) {} : type(result)"),
    "tensor.dim": Form("$source , $index {} : type(source)", "index"),
    "tensor.rank": Form("$source {} : type(source)", "index"),
    "tensor.extract": Form("$tensor [ $indices* ] {} : type(tensor)", "element of tensor"),
    "tensor.insert": Form(
        "$scalar into $dest [ $indices* ] {} : type(dest)", "dest", known={"scalar": "element of dest"}
    ),
    "tensor.extract_slice": Form(
        "$source mixed:offsets mixed:sizes mixed:strides {} : type(source) to type(result)", order=_SLICE
    ),
    "tensor.insert_slice": Form(_INSERT, "dest", order=_INSERTED),
    "tensor.parallel_insert_slice": Form(_INSERT, "", order=_INSERTED),
    "tensor.collapse_shape": Form("$source =reassociation {} : type(source) into type(result)"),
    "tensor.expand_shape": Form(
        "$source =reassociation [[ output_shape mixed:output_shape ]] {} : type(source) into type(result)"
    ),
    "tensor.reshape": Form("$source ( $shape ) {} : ( type(source) , type(shape) ) -> type(result)"),
    "tensor.cast": Form("$source {} : type(source) to type(result)"),
    "tensor.bitcast": Form("$source {} : type(source) to type(result)"),
    "tensor.pad": _pad,
    "tensor.concat": Form("dim ( =dim ) $inputs* {} : ( types(inputs) ) -> type(result)"),
    "tensor.generate": _generate,
    "tensor.splat": Form("$input [[ [ $sizes* ] ]] {} : type(result)", known={"input": "element of result"}),
    "tensor.from_elements": _from_elements,
    "tensor.gather": Form(
        "$source [ $indices ] gather_dims ( =gather_dims:list ) [[ unique ]] {} "
        ": ( type(source) , type(indices) ) -> type(result)"
    ),
    "tensor.scatter": Form(
        "$source into $dest [ $indices ] scatter_dims ( =scatter_dims:list ) [[ unique ]] {} "
        ": ( type(source) , type(dest) , type(indices) ) -> type(result)"
    ),
    "tensor.yield": Form("$a {} : type(a)", ""),
    "bufferization.to_tensor": Form("$source [[ restrict ]] [[ writable ]] {} : type(source) to type(result)"),
    "bufferization.to_buffer": _TO_BUFFER,
    "bufferization.to_memref": _TO_BUFFER,
    "bufferization.alloc_tensor": Form(
        "( $sizes* ) [[ copy ( $copy ) ]] [[ size_hint = $size_hint ]] {} : type(result)",
        order=("sizes", "copy", "size_hint"),
        known={"copy": "result"},
    ),
    "bufferization.dealloc_tensor": Form("$tensor {} : type(tensor)", ""),
    "bufferization.dealloc": _dealloc,
    "bufferization.materialize_in_destination": _materialize,
    "bufferization.clone": Form("$source {} : type(source) to type(result)"),
}
