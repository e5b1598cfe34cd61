"""Which elements of a block the work-items of a sub-group have, and products of blocks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .layouts import Layout, Shape, Unfit
from .layouts import text as _text

NO_LAYOUT = Layout()


def parts(shape: Shape, vector: Shape, lanes: int, layout: Layout, bits: int) -> np.ndarray:
    """The flat numbers of the elements of a block that each work-item has: an array (lanes, numbers).

    Without a layout, work-item `l` has column `l`; where a row is wider, the neighbouring columns that fill 32 bits
    together.
    """
    if layout.sg_layout or layout.inst_data:
        raise Unfit("a layout of sub-groups, or of more than one block a work-item, has vectors of whole blocks")
    if layout.lane_layout:
        wide, data = layout.lane_layout, layout.lane_data or (1,) * len(layout.lane_layout)
    else:
        width = shape[-1]
        if width % lanes or (width // lanes > 1 and width // lanes * bits > 32):
            raise Unfit(f"rows of {width} elements of {bits} bits have no usual layout on {lanes} work-items")
        wide, data = (*(1,) * (len(shape) - 1), lanes), (*(1,) * (len(shape) - 1), width // lanes)
    if len(wide) != len(shape) or int(np.prod(wide)) != lanes:
        raise Unfit(f"the layout {list(wide)} is not one of {lanes} work-items for a block of {_text(shape)}")
    if any(size % (w * d) for size, w, d in zip(shape, wide, data)):
        raise Unfit(f"{_text(shape)} is no multiple of the layout {list(wide)} times the data {list(data)}")
    numbers = np.arange(int(np.prod(shape))).reshape(shape)
    split: list[int] = []
    for size, w, d in zip(shape, wide, data):
        split += [size // (w * d), w, d]
    modes = range(len(shape))
    order = [3 * m + 1 for m in layout.order[::-1] or modes] + [axis for m in modes for axis in (3 * m, 3 * m + 2)]
    owned = numbers.reshape(split).transpose(order).reshape(lanes, -1)
    if int(np.prod(vector)) != owned.shape[1]:
        raise Unfit(f"a work-item has {owned.shape[1]} elements of a block of {_text(shape)}, not {_text(vector)}")
    return owned


def dealt(block: np.ndarray, vector: Shape, lanes: int, layout: Layout) -> np.ndarray:
    """The vectors of the work-items, of a block that was loaded."""
    if vector == block.shape:
        return np.broadcast_to(block, (lanes, *vector))
    chosen = parts(block.shape, vector, lanes, layout, block.dtype.itemsize * 8)
    return block.reshape(-1)[chosen].reshape(lanes, *vector)


def gathered(values: np.ndarray, shape: Shape, layout: Layout) -> np.ndarray:
    """The block that the vectors of the work-items are parts of."""
    lanes, vector = values.shape[0], values.shape[1:]
    if vector == shape:
        if values.strides[0] == 0:
            return values[0]
        bits = np.ascontiguousarray(values).view(np.uint8)
        if (bits != bits[:1]).any():
            raise Unfit(f"the work-items have different vectors {_text(vector)} of one block")
        return values[0]
    chosen = parts(shape, vector, lanes, layout, values.dtype.itemsize * 8)
    block = np.empty(int(np.prod(shape)), values.dtype)
    block[chosen] = values.reshape(lanes, -1)
    return block.reshape(shape)


def packed(block: np.ndarray) -> np.ndarray:
    """A block as VNNI has it: rows that fill 32 bits together are neighbours."""
    height, width = block.shape
    each = 4 // block.dtype.itemsize
    if each < 2 or height % each:
        raise Unfit(f"a block of {_text(block.shape)} of {block.dtype.itemsize * 8} bits is not packed")
    return np.ascontiguousarray(block.reshape(height // each, each, width).transpose(0, 2, 1))


def product(operands: Sequence[np.ndarray], result: Shape, dtype: np.dtype) -> np.ndarray:
    """A B + C, of whole blocks or of parts of work-items; the result in the same form."""
    lanes = operands[0].shape[0]
    a, b = operands[0], operands[1]
    if _is_whole(a.shape[1:], b.shape[1:], result):
        wholes = [gathered(each, each.shape[1:], NO_LAYOUT) for each in operands]
        first, second = wholes[:2]
        if len(result) == 2:
            first, second = (each if each.ndim == 2 else _unpacked(each, side) for side, each in enumerate(wholes[:2]))
        third = wholes[2] if len(wholes) > 2 else None
        shape = result
    else:
        a, b, *c = (each.reshape(lanes, -1) for each in operands)
        each = 4 // a.dtype.itemsize
        deep = lanes * each // 2 if each > 1 else 8
        height = a.shape[1] * lanes // deep
        first = gathered(a, (height, deep), NO_LAYOUT)
        second = gathered(b, (deep, lanes), NO_LAYOUT)
        third = gathered(c[0], (height, lanes), NO_LAYOUT) if c else None
        if height != int(np.prod(result)):
            raise Unfit(f"the product has {height} rows, and the result {_text(result)}")
        shape = (height, lanes)
    wide = np.dtype(np.int64 if dtype.kind in "iu" else np.float64 if dtype.itemsize == 8 else np.float32)
    total = first.astype(wide) @ second.astype(wide)
    if third is not None:
        total = total + third.astype(wide)
    if total.shape != shape:
        raise Unfit(f"the product is {_text(total.shape)}, and the result {_text(result)}")
    return dealt(total.astype(dtype), result, lanes, NO_LAYOUT)


def _is_whole(a: Shape, b: Shape, result: Shape) -> bool:
    """Whether the shapes are those of a product of blocks, and not of the vectors of work-items."""
    if len(result) == 2 and len(a) in (2, 3) and len(b) in (2, 3):
        deep = int(np.prod(a[1:]))
        return (a[0], b[1]) == result and deep == int(np.prod(b)) // max(b[1], 1)
    return len(result) == len(a) == len(b) > 2 and (*a[:-1], b[-1]) == result and a[-1] == b[-2]


def _unpacked(block: np.ndarray, side: int) -> np.ndarray:
    """A matrix of its VNNI form: the last dimension are neighbours in a row of A, and in a column of B."""
    if side == 0:
        return block.reshape(block.shape[0], -1)
    return block.transpose(0, 2, 1).reshape(-1, block.shape[1])
