"""xegpu, as MLIR 22 has it: blocks of memory, products of matrices, scattered accesses, fences and barriers."""

from __future__ import annotations

from ..custom import Form
from ..reader import Read

_AT = "[[ mixed:offsets:const_offsets ]]"
_BLOCK = ("source", "offsets", "shape", "strides")

FORMS: dict[str, Read] = {
    "xegpu.create_nd_tdesc": Form(
        f"$source {_AT} , shape : mixed:shape:const_shape , strides : mixed:strides:const_strides {{}} "
        ": type(source) -> type(result)",
        order=_BLOCK,
    ),
    "xegpu.update_nd_offset": Form("$block , mixed:offsets:const_offsets {} : type(block)", "block"),
    "xegpu.load_nd": Form(f"$block {_AT} <{{}}> : type(block) -> type(result)"),
    "xegpu.store_nd": Form(f"$value , $block {_AT} <{{}}> : type(value) , type(block)", ""),
    "xegpu.prefetch_nd": Form(f"$block {_AT} <{{}}> : type(block)", ""),
    "xegpu.dpas": Form("$a , $b , $sums {} : type(a) , type(b) , type(sums) -> type(result)", "sums"),
    "xegpu.load": Form("$source [ $offset ] , $mask <{}> : type(source) , type(offset) , type(mask) -> type(result)"),
    "xegpu.store": Form(
        "$value , $target [ $offset ] , $mask <{}> : type(value) , type(target) , type(offset) , type(mask)", ""
    ),
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
