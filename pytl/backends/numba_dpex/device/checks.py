"""Decides which of all work-items reports a failed test: the first that comes."""

from __future__ import annotations

from llvmlite import ir
from numba.core import errors, types

from .elements import I32
from .pointers import Pointer, named_intrinsic


def _claim(typing_context, status):
    """Whether the number at a pointer was zero; it is set to one."""
    if status != Pointer("i64", "global"):
        raise errors.TypingError(f"claim_report takes a pointer to integers of 64 bits, not {status}")

    def codegen(context, builder: ir.IRBuilder, sig, args):
        # every device has atomics of 32 bits
        flag = builder.bitcast(args[0], I32.as_pointer(args[0].type.addrspace))
        exchange = builder.cmpxchg(flag, I32(0), I32(1), "monotonic", "monotonic")
        return builder.extract_value(exchange, 1)

    return types.boolean(status), codegen


CHECKS = {"claim_report": named_intrinsic("claim_report", _claim)}
