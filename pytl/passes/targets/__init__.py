"""Machines that kernels are compiled for: which instructions have code there, and in which sizes; the dialects `cpu`
and `vector`.

Importing this package registers the instructions of both, and the check of a function's strategy.
"""

from . import cpu, outer_products, strategies, vector, vector_tiles

__all__ = ["cpu", "outer_products", "strategies", "vector", "vector_tiles"]
