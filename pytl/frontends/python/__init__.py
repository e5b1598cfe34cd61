"""Translates Python functions into IR. The source is read as a syntax tree and never run.

To make a kernel takes little of it (`source_texts.py`, `annotations.py`); the tracer is imported at its first use.
"""

from ...process.on_demand import TYPE_CHECKING, on_demand

if TYPE_CHECKING:
    from . import names, source
    from .parameters import CONSTEXPR_PARAMETER, NO_DEFAULT, Parameter, signature
    from .tracer import Traced, trace, trace_function
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "parameters": "CONSTEXPR_PARAMETER NO_DEFAULT Parameter signature",
            "tracer": "Traced trace trace_function",
        },
    )

__all__ = [
    "CONSTEXPR_PARAMETER",
    "NO_DEFAULT",
    "Parameter",
    "Traced",
    "names",
    "signature",
    "source",
    "trace",
    "trace_function",
]
