"""linalg's named products, convolutions and poolings: one row of a table each."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from ...process.records import dataclass
from ..affine import AffineMap
from ..affine.expressions import Binary, Constant, Dimension, Expression

Body = Literal["product", "quantized", "sum", "max", "min", "max_unsigned", "min_unsigned"]


@dataclass(frozen=True)
class Named:
    """An operation: the indices of each operand, the output last, and how elements are accumulated.

    `oh+kh` is an index that moves by the stride of its dimension for each `oh`, and by its dilation for each `kh`. The
    shape of a pooling's second operand is all that is read of it. A quantized product subtracts a zero point from each
    factor; these are the operands between the factors and the output.
    """

    indices: tuple[tuple[str, ...], ...]
    body: Body = "product"

    @cached_property
    def iterations(self) -> list[str]:
        """All iterations, those of the output first."""
        letters = [part for operand in reversed(self.indices) for index in operand for part in index.split("+")]
        return list(dict.fromkeys(letters))

    @cached_property
    def iterators(self) -> list[str]:
        return ["parallel" if each in self.indices[-1] else "reduction" for each in self.iterations]

    @cached_property
    def moving(self) -> int:
        """How many dimensions have strides and dilations."""
        return sum("+" in index for index in self.indices[0])

    def maps(self, strides: tuple[int, ...], dilations: tuple[int, ...]) -> list[AffineMap]:
        """The map of each operand."""
        names = tuple(f"d{number}" for number in range(len(self.iterations)))
        maps = []
        for operand in self.indices:
            results: list[Expression] = []
            steps = iter(zip(strides, dilations))
            for index in operand:
                places: list[Expression] = [Dimension(self.iterations.index(part)) for part in index.split("+")]
                if len(places) == 2:
                    scaled = [Binary("*", place, Constant(step)) for place, step in zip(places, next(steps))]
                    results.append(Binary("+", *scaled))
                else:
                    results += places
            maps.append(AffineMap(names, (), tuple(results)).simplified())
        return maps


def _rows(text: str, body: Body = "product") -> dict[str, Named]:
    """Rows of `name: indices; indices; …`, of which those of products are letters, and others are words."""
    rows: dict[str, Named] = {}
    for line in text.strip().splitlines():
        name, _, operands = line.strip().partition(":")
        rows[name] = Named(tuple(tuple(each.split()) for each in operands.split(";")), body)
    return rows


def _quantized(rows: dict[str, Named]) -> dict[str, Named]:
    return {name: Named((*row.indices[:2], (), (), row.indices[2]), "quantized") for name, row in rows.items()}


_PRODUCTS = """
matmul: m k; k n; m n
matmul_transpose_a: k m; k n; m n
matmul_transpose_b: m k; n k; m n
batch_matmul: b m k; b k n; b m n
batch_matmul_transpose_a: b k m; b k n; b m n
batch_matmul_transpose_b: b m k; b n k; b m n
batch_reduce_matmul: b m k; b k n; m n
matvec: m k; k; m
vecmat: k; k n; n
batch_matvec: b m k; b k; b m
batch_vecmat: b k; b k n; b n
dot: k; k;
mmt4d: m k x z; n k y z; m n x y
batch_mmt4d: b m k x z; b n k y z; b m n x y
"""
_CONVOLUTIONS = """
conv_1d: ow+kw; kw; ow
conv_2d: oh+kh ow+kw; kh kw; oh ow
conv_3d: od+kd oh+kh ow+kw; kd kh kw; od oh ow
conv_1d_ncw_fcw: n c ow+kw; f c kw; n f ow
conv_1d_nwc_wcf: n ow+kw c; kw c f; n ow f
conv_2d_nchw_fchw: n c oh+kh ow+kw; f c kh kw; n f oh ow
conv_2d_nhwc_hwcf: n oh+kh ow+kw c; kh kw c f; n oh ow f
conv_2d_nhwc_fhwc: n oh+kh ow+kw c; f kh kw c; n oh ow f
conv_2d_ngchw_fgchw: n g c oh+kh ow+kw; f g c kh kw; n g f oh ow
conv_2d_ngchw_gfchw: n g c oh+kh ow+kw; g f c kh kw; n g f oh ow
conv_2d_nhwgc_gfhwc: n oh+kh ow+kw g c; g f kh kw c; n oh ow g f
conv_3d_ncdhw_fcdhw: n c od+kd oh+kh ow+kw; f c kd kh kw; n f od oh ow
conv_3d_ndhwc_dhwcf: n od+kd oh+kh ow+kw c; kd kh kw c f; n od oh ow f
depthwise_conv_1d_ncw_cw: n c ow+kw; c kw; n c ow
depthwise_conv_1d_nwc_wc: n ow+kw c; kw c; n ow c
depthwise_conv_1d_nwc_wcm: n ow+kw c; kw c m; n ow c m
depthwise_conv_2d_nchw_chw: n c oh+kh ow+kw; c kh kw; n c oh ow
depthwise_conv_2d_nhwc_hwc: n oh+kh ow+kw c; kh kw c; n oh ow c
depthwise_conv_2d_nhwc_hwcm: n oh+kh ow+kw c; kh kw c m; n oh ow c m
depthwise_conv_3d_ncdhw_cdhw: n c od+kd oh+kh ow+kw; c kd kh kw; n c od oh ow
depthwise_conv_3d_ndhwc_dhwc: n od+kd oh+kh ow+kw c; kd kh kw c; n od oh ow c
depthwise_conv_3d_ndhwc_dhwcm: n od+kd oh+kh ow+kw c; kd kh kw c m; n od oh ow c m
"""
_POOLINGS = {
    "ncw": "n c ow+kw; kw; n c ow",
    "nwc": "n ow+kw c; kw; n ow c",
    "nchw": "n c oh+kh ow+kw; kh kw; n c oh ow",
    "nhwc": "n oh+kh ow+kw c; kh kw; n oh ow c",
    "ndhwc": "n od+kd oh+kh ow+kw c; kd kh kw; n od oh ow c",
}
_POOLED: dict[str, tuple[Body, ...]] = {
    "ncw": ("sum", "max"),
    "nwc": ("sum", "max", "max_unsigned", "min", "min_unsigned"),
    "nchw": ("sum", "max"),
    "nhwc": ("sum", "max", "max_unsigned", "min", "min_unsigned"),
    "ndhwc": ("sum", "max", "min"),
}
_products, _convolutions = _rows(_PRODUCTS), _rows(_CONVOLUTIONS)
_WITH_ZERO_POINTS = (
    "conv_2d_nchw_fchw",
    "conv_2d_nhwc_hwcf",
    "conv_2d_nhwc_fhwc",
    "conv_2d_ngchw_gfchw",
    "conv_2d_nhwgc_gfhwc",
    "conv_3d_ndhwc_dhwcf",
    "depthwise_conv_2d_nhwc_hwc",
    "depthwise_conv_2d_nhwc_hwcm",
)

NAMED: dict[str, Named] = {
    **_products,
    **_quantized({f"quantized_{name}": _products[name] for name in ("matmul", "batch_matmul")}),
    **_convolutions,
    **_quantized({f"{name}_q": _convolutions[name] for name in _WITH_ZERO_POINTS}),
    **{
        name: row
        for layout, indices in _POOLINGS.items()
        for body in _POOLED[layout]
        for name, row in _rows(f"pooling_{layout}_{body}: {indices}", body).items()
    },
}
"""The operations by their names in linalg."""
