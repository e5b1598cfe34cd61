"""From lowered IR to the Python source of a numba-dpex kernel."""

from .function import KernelSource, emit
from .parameters import KernelParameter
from .strategy import ManyItems, OneItem, Strategy

__all__ = ["KernelParameter", "KernelSource", "ManyItems", "OneItem", "Strategy", "emit"]
