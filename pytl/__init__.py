"""pytl: small tensor kernels in Python, compiled for SYCL devices."""

from . import ops as _ops  # makes the instructions known
from .ir.text import parse
from .ir.verifier import verify
from .runtime import import_hook as _import_hook

_import_hook.install()

__all__ = ["parse", "verify"]
