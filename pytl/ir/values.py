"""Values, regions, functions and modules: the containers of the IR."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from ..diagnostics import Location
from .types import Type

if TYPE_CHECKING:
    from .operation import Operation

RegionKind = Literal["collective", "spmd", "mixed"]

UNSIGNED = "unsigned"
"""The attribute of a parameter with unsigned integers: arguments are of NumPy's unsigned types, with the same bits.

Front ends of languages with unsigned types write it. Their allocas have it, too, and their loops, where it is the
number of bits of the loop variable. It means nothing to instructions.
"""


class Value:
    """A result of an instruction, or an argument of a region or function.

    `name` is a wish: the printer keeps it where no other visible value has it. `attributes` belong to parameters
    of memref or group type (alignment, shape_gcd, stride_gcd) and to what is loaded from such a group.
    """

    __slots__ = ("attributes", "location", "name", "owner", "type")

    def __init__(
        self,
        type: Type,
        name: str | None = None,
        location: Location | None = None,
        attributes: dict[str, Any] | None = None,
    ) -> None:
        # any Type; what each operand may be is said by its constraint, which the verifier has checked
        self.type: Any = type
        self.name = name
        self.location = location
        self.attributes: dict[str, Any] = attributes or {}
        self.owner: Operation | None = None
        """The instruction that this is a result of; None for arguments."""

    def __repr__(self) -> str:
        return f"<%{self.name or '?'}: {self.type}>"


class Region:
    """An ordered list of instructions with the arguments that its owner defines (loop variables, carried values)."""

    __slots__ = ("arguments", "is_complete", "kind", "location", "operations")

    def __init__(
        self,
        kind: RegionKind = "mixed",
        arguments: list[Value] | None = None,
        operations: list[Operation] | None = None,
        location: Location | None = None,
    ) -> None:
        self.kind: RegionKind = kind
        self.arguments: list[Value] = arguments or []
        self.operations: list[Operation] = operations or []
        self.location = location
        self.is_complete = True
        """Whether all of its text could be read; where not, missing instructions are not reported again."""

    def walk(self) -> Iterator[Operation]:
        """Every instruction of the region and of the regions inside, each before what it contains."""
        for operation in self.operations:
            yield operation
            for region in operation.regions:
                yield from region.walk()


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
        from .text.printer import print_function

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
        from .text.printer import print_module

        return print_module(self)
