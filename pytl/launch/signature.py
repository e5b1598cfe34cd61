"""What launches know of a kernel's function once and for all."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.values import Function
from ..passes.analysis.accesses import only_written
from ..passes.analysis.uses import written_roots
from ..passes.flat_groups import grid_parameters, takes_grid
from ..passes.inline_calls import inlined
from ..passes.present import optional_parameters, uses_associated
from ..process.once import once
from ..process.records import dataclass
from . import aliasing
from .arrays.parameters import Parameter
from .bounds import Bounds
from .symbols import SizeUse


@dataclass(frozen=True, eq=False)
class Signature:
    """A function as it was traced or written, and what follows from it. Each fact is found at its first use."""

    function: Function
    sizes: Sequence[SizeUse]
    """Where sizes have names that launches give numbers."""

    @property
    def name(self) -> str:
        return self.function.name

    @once
    def names(self) -> Sequence[str]:
        """The names of the parameters for which a call has arguments; those that are told the grid are not."""
        names = [value.name or str(position) for position, value in enumerate(self.function.parameters)]
        return names[: len(names) - len(grid_parameters(self.function))]

    @once
    def whole(self) -> Function:
        """The function with what it calls in the places of the calls: what launches look at."""
        return inlined(self.function)

    @once
    def parameters(self) -> Sequence[Parameter]:
        return parameters_of(self.whole)

    @once
    def apart(self) -> Sequence[aliasing.Pair | aliasing.Asserted]:
        """The parameters that overlapping arrays may not be passed for."""
        return aliasing.pairs_of(self.whole)

    @once
    def matrices(self) -> Sequence[aliasing.Parameters]:
        """The parameters for which overlapping arrays may be passed, and take code of their own."""
        return aliasing.aliasing_matrices(self.whole)

    @once
    def products(self) -> Sequence[aliasing.Parameters]:
        """The parameters for which arrays that lie apart take code of their own."""
        return aliasing.products_apart(self.whole)

    @once
    def only_written(self) -> Sequence[int]:
        """The positions of the parameters whose elements are written and never read."""
        written = only_written(self.whole)
        return [position for position, each in enumerate(self.whole.parameters) if each in written]

    @once
    def optional(self) -> frozenset[int]:
        """The parameters for which None may be passed."""
        return optional_parameters(self.whole)

    @once
    def has_optional(self) -> bool:
        """Whether the function asks which arguments are there, so that a launch has to tell it."""
        return uses_associated(self.whole)

    @once
    def has_grid(self) -> bool:
        """Whether launches have to tell the numbers of work-groups along x and y."""
        return takes_grid(self.whole)

    def bounds(self, is_checked: bool) -> Bounds:
        """What indices and sizes keep to; where the execution looks at each access itself, what it does not see."""
        return self._checked_bounds if is_checked else self._bounds

    @once
    def _bounds(self) -> Bounds:
        return Bounds(self.whole)

    @once
    def _checked_bounds(self) -> Bounds:
        return Bounds(self.whole, is_checked=True)


def parameters_of(function: Function) -> list[Parameter]:
    """The information about a function's parameters that a launch needs."""
    written = written_roots(function)
    return [
        Parameter(value.name or f"argument {position + 1}", value.type, value.attributes, value in written)
        for position, value in enumerate(function.parameters)
    ]
