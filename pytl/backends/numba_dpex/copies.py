"""Factors that a lowering has to copy before their target is written, and those that it cannot copy."""

from __future__ import annotations

from ...diagnostics import PlatformError, Rule
from ...ir.values import Function
from ...ops import Update
from ...passes.analysis.overlap import Overlap, aliasing_factors, overlap_of

OVERLAP = Rule(
    "PYTL-3026",
    "a factor that the target of a collective instruction overlaps has a static size",
    "Collective instructions",
    explanation="It is copied before the target is written, and memory in a kernel has a size that is known before. "
    "axpby, where nothing is transposed, hadamard and cumsum may update a factor of any size in place.",
)


def refuse_overlap(function: Function) -> None:
    """Refuse a factor that the lowering could not copy though it certainly overlaps the target."""
    for op in (op for op in function.walk() if isinstance(op, Update)):
        for name in aliasing_factors(op):
            factor = getattr(op, name)
            if not factor.type.has_static_shape and overlap_of(factor, op.updated) is not Overlap.UNKNOWN:
                raise PlatformError.single(
                    OVERLAP,
                    f"{op.display_name}: {op.target} overlaps {name}, which is {factor.type}",
                    op.location,
                    "give the factor a static size, or copy it to another parameter in a launch before",
                )
