"""How functions are declared that generated source calls, and that stay calls."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

CALLED = "pytl.called"
"""The module that numba takes such functions to be of."""


def declared(context: Any, module: ir.Module, fndesc: Any) -> ir.Function:
    """The declaration of such a function, which numba's targets would have inlined."""
    kind = context.call_conv.get_function_type(fndesc.restype, fndesc.argtypes)
    function = module.globals.get(fndesc.mangled_name)
    if function is None:
        function = ir.Function(module, kind, name=fndesc.mangled_name)
    context.call_conv.decorate_function(function, fndesc.args, fndesc.argtypes, noalias=False)
    function.calling_convention = "spir_func"
    function.attributes.add("noinline")
    return function
