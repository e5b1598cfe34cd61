"""Machines that kernels are compiled for: which instructions have code there, in which sizes, and the dialect `cpu`.

Importing this package registers the instructions of `cpu`, and the check of a function's strategy.
"""

from . import cpu, strategies

__all__ = ["cpu", "strategies"]
