"""Functions and modules, the containers of the IR, with the values and regions that they consist of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..diagnostics import Location
from .operation import Operation, Region, Value
from .printer import print_function
from .types import Kind, Type

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
    """A kernel: its parameters, its attributes (subgroup_size, work_group_size), its collective region.

    A function with `results`, of which there may be none, is no kernel: others call it, and nothing launches it.
    """

    name: str
    parameters: list[Value]
    body: Region
    attributes: dict[str, Any] = field(default_factory=dict)
    location: Location | None = None
    """Where the name stands."""
    results: tuple[Type, ...] | None = None
    """The types of what a call of it gives; None for a kernel."""
    calling: Any = None
    """What a front end knows of calls from Python that the parameters do not say, such as which are results."""

    @property
    def is_kernel(self) -> bool:
        return self.results is None

    def walk(self) -> Iterator[Operation]:
        return self.body.walk()

    def walk_through_calls(self) -> Iterator[Operation]:
        """Every instruction of the function and of all that it calls, each once."""
        for function in (self, *self.callees()):
            yield from function.walk()

    def calls(self) -> Iterator[Operation]:
        """The instructions that call a function."""
        return (op for op in self.walk() if op.callee is not None)

    def callees(self) -> list[Function]:
        """The functions that it calls, directly or through others, each once, in the order of their first calls."""
        functions: dict[Function, None] = {}
        todo: list[Function] = [self]
        while todo:
            function = todo.pop()
            if function is not self:
                if function in functions:
                    continue
                functions[function] = None
            todo += [op.callee for op in function.calls()][::-1]
        return list(functions)

    def callees_first(self) -> list[Function]:
        """The same, each after those that it calls itself. The verifier limits how deep calls are nested."""
        functions: dict[Function, None] = {}
        begun = {self}

        def add(function: Function) -> None:
            for op in function.calls():
                if op.callee not in begun:
                    begun.add(op.callee)
                    add(op.callee)
                    functions[op.callee] = None

        add(self)
        return list(functions)

    def __str__(self) -> str:
        return print_function(self)


@dataclass(eq=False)
class Module:
    """A list of functions, as a text of the language defines them. `str(module)` is its canonical text."""

    functions: list[Function] = field(default_factory=list)

    @classmethod
    def of(cls, function: Function) -> Module:
        """The module of a function and of all that it calls, itself first."""
        return cls([function, *function.callees()])

    @property
    def kernels(self) -> list[Function]:
        """The functions that can be launched."""
        return [function for function in self.functions if function.is_kernel]

    def update_functions(self) -> None:
        """Let the module have its kernels and what they call, after calls have changed."""
        called = dict.fromkeys(callee for kernel in self.kernels for callee in kernel.callees())
        used = [function for function in self.functions if function.is_kernel or function in called]
        self.functions = list(dict.fromkeys([*used, *called]))

    def __getitem__(self, name: str) -> Function:
        for function in self.functions:
            if function.name == name:
                return function
        raise KeyError(name)

    def __contains__(self, name: str) -> bool:
        return any(function.name == name for function in self.functions)

    def __str__(self) -> str:
        return "\n\n".join(str(function) for function in self.functions)


def kind_of(function: Function, known: dict[Function, Kind]) -> Kind:
    """The kind of region that a function may be called in; `known` keeps those of its callees.

    A kernel's body is collective. A function without collective and SPMD instructions may be called in any region. One
    that uses what differs among work-items is for SPMD regions, for in a collective one all have the same values.
    """
    if function not in known:
        known[function] = "collective"  # of one that calls itself, which is refused elsewhere
        if not function.is_kernel:
            kinds = set(_kinds_in(function.body, known, set()))
            known[function] = "collective" if "collective" in kinds else "spmd" if "spmd" in kinds else "mixed"
    return known[function]


def _kinds_in(region: Region, known: dict[Function, Kind], differing: set[Value]) -> Iterator[Kind]:
    for op in region.operations:
        yield op.kind if op.callee is None else kind_of(op.callee, known)
        if not differing.isdisjoint(op.operands):
            yield "spmd"
        if op.differs:
            differing.update(op.results)
        for inner in op.regions:
            if inner.kind == "mixed":
                yield from _kinds_in(inner, known, differing)
