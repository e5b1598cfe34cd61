"""The functions of a text that pytl executes: those that become kernels by way of today's MLIR."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ...diagnostics import Diagnostics
from ...ir.values import Module
from ...mlir.text import Block, Operation, Region
from ..mlir.module import convert
from . import rules, tree
from .today.convert import to_function


def kernels_of(module: tree.Module, diagnostics: Diagnostics) -> Module:
    """Those functions of a checked tree that become kernels; of the others, a note says why not.

    A function that gives values is inlined where it is called, and is no kernel itself.
    """
    result = Module()
    converted: dict[str, tuple[Operation, Diagnostics]] = {}
    for function in module.functions:
        problems = Diagnostics()
        converted[function.name] = to_function(function, problems, is_executed=True), problems
    inlined = {name for each, _ in converted.values() for name in _callees(each) if name in converted}
    for function in module.functions:
        if function.blocks is None or (function.results and function.name in inlined):
            continue
        problems = Diagnostics()
        kernels = _kernel(function.name, converted, problems)
        if not problems.errors:
            result.functions += kernels.functions
        else:
            first = problems.errors[0]
            message = f"@{function.name} is no kernel: {first.message}"
            diagnostics.report(rules.NOT_EXECUTED, message, first.location or function.location, first.help)
    return result


def _kernel(name: str, converted: Mapping[str, tuple[Operation, Diagnostics]], problems: Diagnostics) -> Module:
    """The kernel of a function, with the functions that it calls inlined."""
    block = Block("")
    for number, each in enumerate(_reached(name, converted)):
        operation, own_problems = converted[each]
        problems.extend(own_problems.errors)
        if number:
            operation = replace(operation, attributes={**operation.attributes, "sym_visibility": "private"})
        block.operations.append(operation)
    if problems.errors:
        return Module()
    whole = Operation("builtin.module", [], [], [], [], {}, [Region([block])])
    return convert(whole, problems)


def _reached(name: str, converted: Mapping[str, tuple[Operation, Diagnostics]]) -> list[str]:
    """The function itself, and all that it calls."""
    names = [name]
    for each in names:
        names += [
            callee
            for callee in dict.fromkeys(_callees(converted[each][0]))
            if callee in converted and callee not in names
        ]
    return names


def _callees(function: Operation) -> Iterator[str]:
    return (each.callee for each in function.walk() if each.callee)
