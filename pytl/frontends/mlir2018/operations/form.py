"""What each standard operation says of itself: its custom form, read and written, and its rules."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from ....diagnostics.words import counted
from .. import rules
from ..tree import Operation, Successor, Use
from ..types import INDEX, MapUse, Type

if TYPE_CHECKING:
    from ..findings import Findings
    from ..instruction_reader import InstructionReader


class Form(ABC):
    """A standard operation."""

    name: ClassVar[str]
    attributes: ClassVar[tuple[str, ...]] = ()
    """The attributes that it has."""
    is_terminator: ClassVar[bool] = False
    is_affine: ClassVar[bool] = False
    """Whether operands are bound to dimensions and symbols, of which `affine_operands` tells."""

    @abstractmethod
    def read(self, reader: InstructionReader) -> Operation:
        """The operation, whose word has been read."""

    @abstractmethod
    def write(self, operation: Operation) -> str:
        """The custom form, without the result; the operation is as `read` gives it."""

    @abstractmethod
    def check(self, operation: Operation, checker: Findings) -> None:
        """Report what breaks the operation's rules; it has its attributes, and as many operands as `counts` says."""

    def counts(self, operation: Operation) -> tuple[int | None, int | None]:
        """How many operands and results it has; None where any number goes."""
        return None, None

    def groups_of(self, operation: Operation) -> tuple[int, ...]:
        """The lists of operands of the custom form, for an operation in the generic form."""
        return (len(operation.operands),)

    def affine_operands(self, operation: Operation) -> tuple[MapUse | None, Sequence[Use], Sequence[Use]]:
        """The map that is applied, and what its dimensions and symbols are bound to."""
        return None, (), ()


def first_apart(operation: Operation, count: int = 1) -> tuple[int, ...]:
    """So many operands that each stand alone, and the rest."""
    alone = min(count, len(operation.operands))
    return (*(1,) * alone, len(operation.operands) - alone)


def listed(uses: Sequence[Use]) -> str:
    return ", ".join(map(str, uses))


def indexed(use: Use, indices: Sequence[Use]) -> str:
    return f"{use}[{listed(indices)}]"


def bound(dimensions: Sequence[Use], symbols: Sequence[Use]) -> str:
    """Uses of dimensions and symbols, as they stand behind a map."""
    return f"({listed(dimensions)})" + (f"[{listed(symbols)}]" if symbols else "")


def target(successor: Successor) -> str:
    """A successor as it is written."""
    if not successor.uses:
        return f"^{successor.label}"
    return f"^{successor.label}({listed(successor.uses)} : {', '.join(map(str, successor.types))})"


def indices_types(count: int) -> list[Type]:
    return [INDEX] * count


def check_indices(operation: Operation, rank: int | None, uses: Sequence[Use], checker: Findings) -> None:
    """Report indices that are not one for each mode, or no indices; the rank may be unknown."""
    if rank is not None and len(uses) != rank:
        message = f"{counted(len(uses), 'index', 'indices')} of {counted(rank, 'mode')}"
        checker.report(rules.INDICES, message, operation.location)
    for use, type_ in zip(operation.operands, operation.operand_types):
        if any(use is each for each in uses) and type_ != INDEX:
            checker.report(rules.INDICES, f"{use} is of type {type_}", use.location)
