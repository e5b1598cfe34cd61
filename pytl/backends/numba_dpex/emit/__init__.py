"""From lowered IR to the Python source of a numba-dpex kernel."""

from .function import KernelSource, emit
from .strategy import ManyItems, OneItem, Strategy

__all__ = ["KernelSource", "ManyItems", "OneItem", "Strategy", "emit"]
