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
    found = Module()
    made: dict[str, tuple[Operation, Diagnostics]] = {}
    for function in module.functions:
        problems = Diagnostics()
        made[function.name] = to_function(function, problems, is_executed=True), problems
    inlined = {name for each, _ in made.values() for name in _callees(each) if name in made}
    for function in module.functions:
        if function.blocks is None or (function.results and function.name in inlined):
            continue
        problems = Diagnostics()
        kernels = _kernel(function.name, made, problems)
        if not problems.errors:
            found.functions += kernels.functions
        else:
            first = problems.errors[0]
            message = f"@{function.name} is no kernel: {first.message}"
            diagnostics.report(rules.NOT_EXECUTED, message, first.location or function.location, first.help)
    return found


def _kernel(name: str, made: Mapping[str, tuple[Operation, Diagnostics]], problems: Diagnostics) -> Module:
    """The kernel of a function, with the functions that it calls inlined."""
    block = Block("")
    for number, each in enumerate(_reached(name, made)):
        operation, told = made[each]
        problems.extend(told.errors)
        if number:
            operation = replace(operation, attributes={**operation.attributes, "sym_visibility": "private"})
        block.operations.append(operation)
    if problems.errors:
        return Module()
    whole = Operation("builtin.module", [], [], [], [], {}, [Region([block])])
    return convert(whole, problems)


def _reached(name: str, made: Mapping[str, tuple[Operation, Diagnostics]]) -> list[str]:
    """The function itself, and all that it calls."""
    found = [name]
    for each in found:
        found += [callee for callee in dict.fromkeys(_callees(made[each][0])) if callee in made and callee not in found]
    return found


def _callees(function: Operation) -> Iterator[str]:
    return (each.callee for each in function.walk() if each.callee)
