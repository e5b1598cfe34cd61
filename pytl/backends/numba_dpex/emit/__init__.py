"""From lowered IR to the Python source of a numba-dpex kernel."""

from .function import KernelParameter, KernelSource, emit
from .strategy import ManyItems, OneItem, Strategy

__all__ = ["KernelParameter", "KernelSource", "ManyItems", "OneItem", "Strategy", "emit"]
