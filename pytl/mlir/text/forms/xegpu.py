"""xegpu, as MLIR 22 has it: blocks of memory, products of matrices, scattered accesses, matrices in local memory,
fences and barriers."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ..custom import Form, Parts
from ..form_writer import FormWriter
from ..reader import Read, Reader
from ..tree import Operation
from ..types import Type

_AT = "[[ mixed:offsets:const_offsets ]]"
_BLOCK = ("source", "offsets", "shape", "strides")


class _Product(Form):
    """Its result has a type of its own, also where nothing is added."""

    def results_of(self, parts: Parts) -> list[Type]:
        return parts.types.get("result", [])


class _Scattered(Form):
    """Of a base and offsets, as the text says, or of a descriptor, which has both."""

    def __call__(self, reader: Reader, name: str) -> Operation:
        form = _of_descriptor(self.text, self.results)
        result = reader.either(lambda: Form.__call__(self, reader, name))
        return result or form(reader, name)

    @cached_property
    def writer(self) -> FormWriter:
        return _ScatteredWriter(self.text, _of_descriptor(self.text, self.results).writer)


class _ScatteredWriter(FormWriter):
    def __init__(self, text: str, of_descriptor: FormWriter) -> None:
        super().__init__(text, ())
        self._of_descriptor = of_descriptor

    def write(self, operation: Operation, printer: Any) -> str | None:
        if len(operation.operands) < len(self.groups):
            return self._of_descriptor.write(operation, printer)
        return super().write(operation, printer)


def _of_descriptor(text: str, results: str) -> Form:
    """The form without offsets."""
    return Form(text.replace(" [ $offset ]", "").replace(" , type(offset)", ""), results)


FORMS: dict[str, Read] = {
    "xegpu.create_nd_tdesc": Form(
        f"$source {_AT} [[ , shape : mixed:shape:const_shape , strides : mixed:strides:const_strides ]] {{}} "
        ": type(source) -> type(result)",
        order=_BLOCK,
    ),
    "xegpu.update_nd_offset": Form("$block , mixed:offsets:const_offsets {} : type(block)", "block"),
    "xegpu.load_nd": Form(f"$block {_AT} <{{}}> : type(block) -> type(result)"),
    "xegpu.store_nd": Form(f"$value , $block {_AT} <{{}}> : type(value) , type(block)", ""),
    "xegpu.prefetch_nd": Form(f"$block {_AT} <{{}}> : type(block)", ""),
    "xegpu.dpas": _Product("$a , $b [[ , $sums ]] {} : type(a) , type(b) [[ , types(sums) ]] -> type(result)", "sums"),
    "xegpu.load": _Scattered(
        "$source [ $offset ] , $mask <{}> : type(source) , type(offset) , type(mask) -> type(result)"
    ),
    "xegpu.store": _Scattered(
        "$value , $target [ $offset ] , $mask <{}> : type(value) , type(target) , type(offset) , type(mask)", ""
    ),
    "xegpu.prefetch": _Scattered("$source [ $offset ] <{}> : type(source) , type(offset)", ""),
    "xegpu.update_offset": Form("$block , $offsets {} : type(block) , type(offsets)", "block"),
    "xegpu.create_mem_desc": Form("$source {} : type(source) -> type(result)"),
    "xegpu.load_matrix": Form(
        "$memory mixed:offsets:const_offsets <{}> : type(memory) [[ , types(offsets) ]] -> type(result)"
    ),
    "xegpu.store_matrix": Form(
        "$value , $memory mixed:offsets:const_offsets <{}> : type(value) , type(memory) [[ , types(offsets) ]]", ""
    ),
    "xegpu.convert_layout": Form("$value <{}> : type(value)", "value"),
    "xegpu.create_tdesc": Form("$source , $offsets {} : type(source) , type(offsets) -> type(result)"),
    "xegpu.atomic_rmw": Form(
        "=kind:word $block , $mask , $value {} : type(block) , type(mask) , type(value) -> type(result)", "value"
    ),
    "xegpu.fence": Form("memory_kind = =memory_kind:word , fence_scope = =fence_scope:word {}", ""),
    "xegpu.alloc_nbarrier": Form("=nbarrier_num {}", ""),
    "xegpu.init_nbarrier": Form("$number , $count {} : type(number) , type(count) -> type(result)"),
    "xegpu.nbarrier_arrive": Form("$barrier {} : type(barrier)", ""),
    "xegpu.nbarrier_wait": Form("$barrier {} : type(barrier)", ""),
}
