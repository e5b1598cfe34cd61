"""memref."""

from __future__ import annotations

from typing import Any

from ..custom import Form, Parts, Spelled, element_of, in_place, prefetched, write_prefetched
from ..reader import Read, Reader
from ..tree import Operation

_SEGMENTS = ("dynamicSizes", "symbolOperands")
_ALLOCATION = Form("( $dynamicSizes* ) [[ [ $symbolOperands* ] ]] {} : type(result)", order=_SEGMENTS)
_VIEW_SEGMENTS = ("source", "offsets", "sizes", "strides")


def _updated_by_region(reader: Reader, name: str) -> Operation:
    parts = Parts()
    parts.operands["memref"] = [reader.operand()]
    reader.expect("[")
    parts.operands["indices"] = reader.read_list("]", reader.operand)
    reader.expect(":")
    memref = reader.type()
    parts.types["memref"] = [memref]
    region = reader.region()
    if reader.peek() == "{":
        parts.attributes |= reader.dictionary()
    return parts.operation(name, [element_of(memref)], regions=[region])


def _global(reader: Reader, name: str) -> Operation:
    attributes: dict[str, Any] = {}
    if reader.peek().startswith('"'):
        attributes["sym_visibility"] = reader.quoted()
    if reader.take("constant"):
        attributes["constant"] = True
    attributes["sym_name"] = reader.symbol()[1:]
    reader.expect(":")
    type_ = attributes["type"] = reader.type()
    if reader.take("=") and not reader.take("uninitialized"):
        element = element_of(type_)
        attributes["initial_value"] = reader.dense(type_, element)
    if reader.peek() == "{":
        attributes |= reader.dictionary()
    return Operation(name, [], [], [], [], attributes)


def _prefetch(reader: Reader, name: str) -> Operation:
    """`memref.prefetch %memref[%i], read, locality<3>, data : memref<4xf32>`."""
    parts = Parts()
    parts.operands["memref"] = [reader.operand()]
    reader.expect("[")
    parts.operands["indices"] = reader.read_list("]", reader.operand)
    return prefetched(reader, parts, name)


def _write_prefetch(operation: Operation, printer: Any) -> str:
    return write_prefetched(operation, operation.operands[1:], printer)


FORMS: dict[str, Read] = {
    "memref.alloc": _ALLOCATION,
    "memref.alloca": _ALLOCATION,
    "memref.dealloc": Form("$a {} : type(a)", ""),
    "memref.load": Form("$memref [ $indices* ] {} : type(memref)", "element of memref"),
    "memref.store": Form("$value , $memref [ $indices* ] {} : type(memref)", "", known={"value": "element of memref"}),
    "memref.atomic_rmw": Form(
        "=kind:word $value , $memref [ $indices* ] {} : ( type(value) , type(memref) ) -> type(result)", "value"
    ),
    "memref.generic_atomic_rmw": _updated_by_region,
    "memref.atomic_yield": Form("$a {} : type(a)", ""),
    "memref.global": _global,
    "memref.get_global": Form("=name:symbol {} : type(result)"),
    "memref.alloca_scope": in_place,
    "memref.alloca_scope.return": Form("$a* {} [[ : types(a) ]]", ""),
    "memref.prefetch": Spelled(_prefetch, _write_prefetch),
    "memref.dim": Form("$source , $index {} : type(source)", "index"),
    "memref.extract_aligned_pointer_as_index": Form("$source {} : type(source) -> index", "index"),
    "memref.rank": Form("$source {} : type(source)", "index"),
    "memref.cast": Form("$source {} : type(source) to type(result)"),
    "memref.memory_space_cast": Form("$source {} : type(source) to type(result)"),
    "memref.copy": Form("$source , $target {} : type(source) to type(target)", ""),
    "memref.subview": Form(
        "$source mixed:offsets mixed:sizes mixed:strides {} : type(source) to type(result)", order=_VIEW_SEGMENTS
    ),
    "memref.reinterpret_cast": Form(
        "$source to offset : mixed:offsets , sizes : mixed:sizes , strides : mixed:strides {} "
        ": type(source) to type(result)",
        order=_VIEW_SEGMENTS,
    ),
    "memref.collapse_shape": Form("$source =reassociation {} : type(source) into type(result)"),
    "memref.expand_shape": Form(
        "$source =reassociation [[ output_shape mixed:output_shape ]] {} : type(source) into type(result)"
    ),
    "memref.reshape": Form("$source ( $shape ) {} : ( type(source) , type(shape) ) -> type(result)"),
    "memref.transpose": Form("$source =permutation:map {} : type(source) to type(result)"),
    "memref.view": Form("$source [ $byte_shift ] [ $sizes* ] {} : type(source) to type(result)"),
    "memref.extract_strided_metadata": Form("$source {} : type(source) -> types(result)"),
    "memref.assume_alignment": Form("$source , =alignment:number {} : type(source)", "source"),
    "memref.distinct_objects": Form("$source* {} : types(source)", "source*"),
}
