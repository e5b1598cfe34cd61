"""Copies of device arrays in memory of the host, for backends that execute there."""

from __future__ import annotations

import numpy as np

from ..devices.usm import on_host
from .base import ArrayView


def elements(span: np.ndarray, view: ArrayView) -> np.ndarray:
    """The elements of a view in its span."""
    strides = tuple(stride * view.item_size for stride in view.strides)
    return np.lib.stride_tricks.as_strided(span, view.shape, strides)


def copy_of(view: ArrayView) -> np.ndarray:
    """A copy in host memory of the span of a device array, from its first to its last element."""
    span = np.zeros(view.span, view.array.dtype)
    elements(span, view)[...] = on_host(view.array)
    return span
