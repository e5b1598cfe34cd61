"""One module of several kernels, each of which may call functions whose names others have, too."""

from __future__ import annotations

from collections.abc import Iterable

from .clone import clone_module
from .values import Function, Module


def joined(kernels: Iterable[Function], taken: Iterable[str] = ()) -> Module:
    """A module of copies of kernels and of what they call. Equal functions are one; others get names of their own.

    Kernels keep their names, which the caller sees to; `taken` are further names that no function gets.
    """
    kernels = list(kernels)
    copies = clone_module(Module(kernels)).functions
    names = {*(kernel.name for kernel in kernels), *taken}
    equal: dict[str, Function] = {}
    for kernel in copies:
        representatives: dict[Function, Function] = {}
        for function in reversed(kernel.callees()):
            _find_representative(function, representatives, equal, names)
        _redirect(kernel, representatives)
    called = dict.fromkeys(function for kernel in copies for function in kernel.callees())
    return Module([*copies, *called])


def _find_representative(
    function: Function, representatives: dict[Function, Function], equal: dict[str, Function], names: set[str]
) -> None:
    """Find the function that stands for one, after those that it calls."""
    if function in representatives:
        return
    for op in function.calls():
        _find_representative(op.callee, representatives, equal, names)
    _redirect(function, representatives)
    text = str(function)
    representatives[function] = equal.setdefault(text, function)
    if representatives[function] is function:
        hint, number = function.name, 0
        while function.name in names:
            number += 1
            function.name = f"{hint}_{number}"
        names.add(function.name)


def _redirect(function: Function, representatives: dict[Function, Function]) -> None:
    for op in function.calls():
        op.callee = representatives[op.callee]
