"""Translates Python functions into IR. The source is read as a syntax tree and never run."""

from .parameters import CONSTEXPR_PARAMETER, NO_DEFAULT, Parameter, signature
from .tracer import Traced, trace, trace_function

__all__ = [
    "CONSTEXPR_PARAMETER",
    "NO_DEFAULT",
    "Parameter",
    "Traced",
    "signature",
    "trace",
    "trace_function",
]
