"""Where arrays lie: for all variants alike, so that none is faster for its memory.

NumPy's own arrays begin 16 bytes behind a page, so that every load of a vector lies in two cache lines, and those of
more than 4 MB are in huge pages where Linux has them for who asks. dpctl's begin at pages, which are small ones.
"""

from __future__ import annotations

import ctypes
import mmap
from typing import Any, Literal

import numpy as np

HUGE = 1 << 21


def placed(array: np.ndarray, order: Literal["C", "F"] = "F") -> np.ndarray:
    """A contiguous copy that begins at a page."""
    memory = np.empty(array.nbytes + mmap.PAGESIZE, np.uint8)
    begin = -memory.ctypes.data % mmap.PAGESIZE
    copy = memory[begin : begin + array.nbytes].view(array.dtype).reshape(array.shape, order=order)
    copy[...] = array
    return copy


def on_device(array: np.ndarray) -> Any:
    """A copy where kernels run, column-major; devices have bfloat16 as its bits."""
    import pytl

    if pytl.default_backend() != "sycl":
        return placed(array)
    import dpctl.tensor as dpt

    bits = array.view(np.uint16) if array.dtype.name == "bfloat16" else array
    copy = dpt.empty(bits.shape, dtype=bits.dtype, order="F")
    _ask_for_huge_pages(copy.usm_data._pointer, bits.nbytes)
    copy[...] = dpt.asarray(bits, order="F")
    return copy


def on_host(array: Any) -> np.ndarray:
    """The contents of such an array; not for bfloat16."""
    if isinstance(array, np.ndarray):
        return array
    import dpctl.tensor as dpt

    return dpt.asnumpy(array)


def _ask_for_huge_pages(address: int, size: int) -> None:
    """As NumPy does for its arrays, before anything is written; Linux refuses addresses of no memory of the process."""
    begin, end = -(-address // HUGE) * HUGE, (address + size) // HUGE * HUGE
    if end > begin and hasattr(mmap, "MADV_HUGEPAGE"):
        ctypes.CDLL(None).madvise(ctypes.c_void_p(begin), ctypes.c_size_t(end - begin), mmap.MADV_HUGEPAGE)
