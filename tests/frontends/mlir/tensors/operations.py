"""The operations of MLIR 22's dialects of tensors, and those that are refused."""

from __future__ import annotations

from dataclasses import dataclass

_SPATIAL = """
conv_1d conv_1d_ncw_fcw conv_1d_nwc_wcf conv_2d conv_2d_nchw_fchw conv_2d_nchw_fchw_q conv_2d_ngchw_fgchw
conv_2d_ngchw_gfchw conv_2d_ngchw_gfchw_q conv_2d_nhwc_fhwc conv_2d_nhwc_fhwc_q conv_2d_nhwc_hwcf conv_2d_nhwc_hwcf_q
conv_2d_nhwgc_gfhwc conv_2d_nhwgc_gfhwc_q conv_3d conv_3d_ncdhw_fcdhw conv_3d_ndhwc_dhwcf conv_3d_ndhwc_dhwcf_q
depthwise_conv_1d_ncw_cw depthwise_conv_1d_nwc_wc depthwise_conv_1d_nwc_wcm depthwise_conv_2d_nchw_chw
depthwise_conv_2d_nhwc_hwc depthwise_conv_2d_nhwc_hwc_q depthwise_conv_2d_nhwc_hwcm depthwise_conv_2d_nhwc_hwcm_q
depthwise_conv_3d_ncdhw_cdhw depthwise_conv_3d_ndhwc_dhwc depthwise_conv_3d_ndhwc_dhwcm pooling_nchw_max
pooling_nchw_sum pooling_ncw_max pooling_ncw_sum pooling_ndhwc_max pooling_ndhwc_min pooling_ndhwc_sum pooling_nhwc_max
pooling_nhwc_max_unsigned pooling_nhwc_min pooling_nhwc_min_unsigned pooling_nhwc_sum pooling_nwc_max
pooling_nwc_max_unsigned pooling_nwc_min pooling_nwc_min_unsigned pooling_nwc_sum winograd_filter_transform
winograd_input_transform winograd_output_transform
"""
OPERATIONS = {
    "tensor": """
bitcast cast collapse_shape concat dim empty expand_shape extract extract_slice from_elements gather generate insert
insert_slice pad parallel_insert_slice rank reshape scatter splat yield
""".split(),
    "bufferization": """
alloc_tensor clone dealloc dealloc_tensor materialize_in_destination to_buffer to_tensor
""".split(),
    "linalg": f"""
abs add batch_matmul batch_matvec batch_mmt4d batch_reduce_matmul batch_vecmat broadcast ceil contract copy div
div_unsigned dot elementwise erf exp fill fill_rng_2d floor generic index log map matmul matvec max min mmt4d mul negf
pack powf quantized_batch_matmul quantized_matmul reciprocal reduce round rsqrt select softmax sqrt square sub tanh
transpose unpack vecmat yield {_SPATIAL}
""".split(),
}
"""As `libMLIR` has them."""


@dataclass(frozen=True)
class RefusedOperation:
    """An operation that is refused: why, and a program that has it."""

    why: str
    text: str


def _winograd(step: str, source: str, result: str) -> RefusedOperation:
    text = f"""
func.func @f(%x: tensor<{source}xf32>) -> tensor<{result}xf32> {{
  %e = tensor.empty() : tensor<{result}xf32>
  %r = linalg.winograd_{step}_transform fmr(F_2_3) ins(%x : tensor<{source}xf32>) outs(%e : tensor<{result}xf32>)
    -> tensor<{result}xf32>
  return %r : tensor<{result}xf32>
}}
"""
    why = "it is one step of a convolution by Winograd's transforms, which round otherwise than the convolution"
    return RefusedOperation(why, text)


REFUSED = {
    "linalg.winograd_filter_transform": _winograd("filter", "2x3x3x5", "4x4x5x2"),
    "linalg.winograd_input_transform": _winograd("input", "2x10x10x5", "4x4x4x4x2x5"),
    "linalg.winograd_output_transform": _winograd("output", "4x4x4x4x2x3", "2x8x8x3"),
}


@dataclass(frozen=True)
class RefusedForm:
    """What no operation is, and is refused: a program that has it, and what the message says of it."""

    what: str
    text: str
    code: str
    why: str


def _of_type(type_: str) -> str:
    return f"func.func @f(%x: {type_}) -> {type_} {{\n  return %x : {type_}\n}}\n"


_ITSELF = """func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
"""
_UPDATE = """func.func @f(%m: memref<8xi4>, %x: i4, %i: index) {
  %r = memref.atomic_rmw maxs %x, %m[%i] : (i4, memref<8xi4>) -> i4
  return
}
"""
_RESOURCE = """func.func @f() -> tensor<4xf32> {
  %r = arith.constant dense_resource<x> : tensor<4xf32>
  return %r : tensor<4xf32>
}
{-# dialect_resources: { builtin: { x: "0x040000000000803F0000803F0000803F0000803F" } } #-}
"""
REFUSED_FORMS = (
    RefusedForm("arguments of any rank, `tensor<*xf32>`", _of_type("tensor<*xf32>"), "PYTL-1304", "which has no rank"),
    RefusedForm("a function that calls itself", _ITSELF, "PYTL-1313", "is called within itself"),
    RefusedForm("`dense_resource`", _RESOURCE, "PYTL-1304", "dense_resource names a blob, which is not read"),
    *(
        RefusedForm(
            f"elements of {name}",
            _of_type(f"tensor<4x{name}>"),
            "PYTL-1303",
            f"a tensor has elements of {name}, of which there is no memory",
        )
        for name in ("f80", "f128", "i128")
    ),
    RefusedForm("an atomic maximum of numbers of few bits", _UPDATE, "PYTL-1303", "it is not read of i4"),
)
