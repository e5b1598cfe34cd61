"""Loops in generated source: their ranges, and where they end early."""

from __future__ import annotations

from ....ops import For
from ....ops.constants import constant_of
from ....passes.analysis.early_end import continue_condition
from .writer import Writer


def bounds(writer: Writer, op: For) -> list[str]:
    """The arguments of the range of a loop."""
    arguments = list(map(writer.scalar, op.bounds))
    if not _is_wide(op):
        arguments = [f"cast_i64({bound})" for bound in arguments]
    if op.step is not None and constant_of(op.step) is None:
        # numba would count downwards, or raise; a loop of the language runs upwards or not at all
        start, stop, step = arguments
        arguments = [start, f"select({step} > 0, {stop}, {start})", f"select({step} > 0, {step}, 1)"]
    return arguments[1:] if arguments[0] == "0" and len(arguments) == 2 else arguments


def begin(writer: Writer, op: For, variable: str) -> None:
    """The first lines of a loop's body: the end of the loop, where nothing is left to do, and its variable."""
    flag = continue_condition(op)
    if flag is not None:
        with writer.block(f"if not {writer.scalar(flag)}:"):
            writer.line("break")
    if _is_wide(op):
        writer.bind(op.variable, variable)
    else:
        writer.assign(op.variable, f"cast_{op.variable.type}({variable})")


def _is_wide(op: For) -> bool:
    return bool(op.variable.type.size == 8)
