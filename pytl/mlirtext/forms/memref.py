"""memref."""

from __future__ import annotations

from ..custom import Form, Read

_SEGMENTS = ("dynamicSizes", "symbolOperands")
_ALLOCATION = Form("( $dynamicSizes* ) [[ [ $symbolOperands* ] ]] {} : type(result)", order=_SEGMENTS)
_VIEW_SEGMENTS = ("source", "offsets", "sizes", "strides")

FORMS: dict[str, Read] = {
    "memref.alloc": _ALLOCATION,
    "memref.alloca": _ALLOCATION,
    "memref.dealloc": Form("$a {} : type(a)", ""),
    "memref.load": Form("$memref [ $indices* ] {} : type(memref)", "element of memref"),
    "memref.store": Form("$value , $memref [ $indices* ] {} : type(memref)", "", known={"value": "element of memref"}),
    "memref.dim": Form("$source , $index {} : type(source)", "index"),
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
    "memref.transpose": Form("$source =permutation:map {} : type(source) to type(result)"),
    "memref.view": Form("$source [ $byte_shift ] [ $sizes* ] {} : type(source) to type(result)"),
    "memref.extract_strided_metadata": Form("$source {} : type(source) -> types(result)"),
    "memref.assume_alignment": Form("$source , =alignment {} : type(source)", "source"),
    "memref.distinct_objects": Form("$source* {} : types(source)"),
}
