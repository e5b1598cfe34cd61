"""Functions of generated source that others call: compiled once on their own, and never inlined."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba.core import types

from .called import CALLED
from .elements import ELEMENTS
from .pointers import named_intrinsic, with_arity
from .target import compiler_module


def called(name: str, function: Callable[..., Any], results: Sequence[str]) -> Any:
    """What generated source calls in the place of one of its functions, whose results have these element types."""
    function.__module__ = CALLED
    result_types = [types.boolean if result == BOOLEAN else ELEMENTS[result].register for result in results]
    returned = (
        types.none if not result_types else result_types[0] if len(result_types) == 1 else types.Tuple(result_types)
    )
    compiled: dict[tuple[types.Type, ...], Any] = {}

    def definition(typing_context: Any, *argument_types: types.Type) -> Any:
        def codegen(context: Any, builder: ir.IRBuilder, sig: Any, args: Sequence[ir.Value]) -> ir.Value:
            if sig.args not in compiled:
                compiled[sig.args] = compiler_module().compile_called(function, sig.args, returned)
            callee = compiled[sig.args]
            context.add_linking_libs([callee.library])
            declared = context.declare_function(builder.module, callee.fndesc)
            # generated source raises nothing, so that there is no status to look at
            _, value = context.call_conv.call_function(builder, declared, returned, sig.args, args)
            return value

        return returned(*argument_types), codegen

    return named_intrinsic(name, with_arity(definition, len(inspect.signature(function).parameters)))


BOOLEAN = "bool"
"""The element type of truth values, which memory has not."""
