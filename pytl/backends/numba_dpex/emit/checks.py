"""What a checked kernel reports, in generated source."""

from __future__ import annotations

from ....ops.preconditions import Report
from .writer import Writer


def report(writer: Writer, op: Report) -> None:
    """Record which demand was violated and by which numbers, if nothing was reported before."""
    status = writer.memref(op.status)
    with writer.block(f"if claim_report({status.pointer}):"):
        for place, said in op.written:
            number = str(said) if isinstance(said, int) else writer.scalar(said)
            writer.line(f"{status.at(str(place))} = {number}")
