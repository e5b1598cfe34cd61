"""pytl: small tensor kernels in Python, compiled for SYCL devices."""

from . import ops as _ops  # makes the instructions known
from .ir.text import parse
from .ir.verifier import verify

__all__ = ["parse", "verify"]
