"""Functions and modules, the containers of the IR, with the values and regions that they consist of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..diagnostics import Location
from .operation import Operation, Region, Value
from .printer import print_function

UNSIGNED = "unsigned"
"""The attribute of a parameter with unsigned integers: arguments are of NumPy's unsigned types, with the same bits.

Front ends of languages with unsigned types write it. Their allocas have it, too, and their loops, where it is the
number of bits of the loop variable. It means nothing to instructions.
"""
NOALIAS = "noalias"
"""The attribute of a parameter, or of a function for all of its parameters: no other parameter shares memory with it.

A launch refuses arrays that do. Between accesses to the memory of such parameters, no barrier is needed.
"""
MODES = "modes"
"""The attribute of a parameter of memref type whose arrays have their modes in another order: for each mode of the
memref, which one of the array it is. Front ends of languages with row-major memory write it.
"""
__all__ = ["Function", "Module", "Region", "Value"]


@dataclass(eq=False)
class Function:
    """A kernel: its parameters, its attributes (subgroup_size, work_group_size), its collective region."""

    name: str
    parameters: list[Value]
    body: Region
    attributes: dict[str, Any] = field(default_factory=dict)
    location: Location | None = None
    """Where the name stands."""

    def walk(self) -> Iterator[Operation]:
        return self.body.walk()

    def __str__(self) -> str:
        return print_function(self)


@dataclass(eq=False)
class Module:
    """A list of functions, as a text of the language defines them. `str(module)` is its canonical text."""

    functions: list[Function] = field(default_factory=list)

    def __getitem__(self, name: str) -> Function:
        for function in self.functions:
            if function.name == name:
                return function
        raise KeyError(name)

    def __contains__(self, name: str) -> bool:
        return any(function.name == name for function in self.functions)

    def __str__(self) -> str:
        return "\n\n".join(str(function) for function in self.functions)
