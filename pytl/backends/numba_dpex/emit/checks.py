"""What a checked kernel reports, in generated source."""

from __future__ import annotations

from ....ops.demands import DEMAND, OPERATION, Report
from .writer import Writer


def report(writer: Writer, op: Report) -> None:
    """Record which demand was violated and by which numbers, if nothing was reported before."""
    status = writer.memref(op.status)
    said = [str(op.attributes[OPERATION]), str(op.attributes[DEMAND])]
    said += [writer.scalar(value) for value in (op.group, *op.numbers)]
    with writer.block(f"if claim_report({status.pointer}):"):
        for place, number in enumerate(said, 1):
            writer.line(f"{status.at(str(place))} = {number}")
