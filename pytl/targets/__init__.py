"""Machines that kernels are compiled for: which instructions have code there, in which sizes, and the dialect `cpu`.

Importing this package registers the instructions of `cpu`.
"""

from . import cpu

__all__ = ["cpu"]
