"""Arrays that are passed for two parameters, where a collective instruction computes one from the other.

Backends assume that the memory of different parameters is disjoint there, since a kernel cannot know. Overlaps that
depend on the execution, such as those of views with computed offsets, are left to the reference backend (PYTL-4019).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..backends import rules
from ..backends.base import Argument, GroupArgument, MemrefArgument
from ..backends.overlap import key_of, share, views_of
from ..diagnostics import Diagnostic, Label, LaunchError, Location
from ..ir.types import GroupType, MemrefType
from ..ir.values import Function
from ..ops import Alloca, CooperativeMatrixLoad, CooperativeMatrixMulAdd, Gemm, InitTile, TileMma, Update
from ..ops.launch_defaults import RAISE_LOOPS
from ..ops.views import root_of
from ..passes.analysis.accesses import has_loop_with_stores, noalias_parameters, stores_between_accesses
from ..passes.analysis.overlap import Overlap, is_aliasing_factor, overlap_of
from ..passes.analysis.uses import written_roots
from ..process.records import dataclass
from .arrays.parameters import Parameter

MemoryRange = tuple[int, int, int, int]
"""The positions of two parameters, and for each the number of bytes from its address that must not be shared."""


@dataclass(frozen=True)
class Pair:
    """An instruction that updates the memory of one parameter, and computes it from the memory of another one."""

    op: Update
    factor_name: str
    target: int
    factor: int
    as_one: Overlap
    """The overlap of the operands where the same array is passed for both parameters."""
    are_whole: bool
    """Whether the operands are the parameters themselves, not views of them."""

    def is_undefined(self, arguments: Sequence[Argument]) -> bool:
        target, factor = arguments[self.target], arguments[self.factor]
        if _is_one(target, factor):
            return self.as_one is not Overlap.UNKNOWN and is_aliasing_factor(self.op, self.factor_name, self.as_one)
        if not (self.are_whole and isinstance(target, MemrefArgument) and isinstance(factor, MemrefArgument)):
            return False
        return bool(target.view.span and factor.view.span) and share(target.view, factor.view)

    def diagnostic(self, names: Sequence[str]) -> Diagnostic:
        """What is said of such arguments for the parameters of these names."""
        message = f"the arrays of {names[0]} and {names[1]} share elements, but {self.op.display_name} "
        message += f"updates {names[0]} and computes it from {names[1]}"
        labels = () if self.op.location is None else (Label(self.op.location, "the instruction"),)
        return Diagnostic(rules.ALIASING, message, None, "pass a copy of one of them", labels)


@dataclass(frozen=True)
class Asserted:
    """Two parameters, one of which is said to share memory with no other, and one of which is written."""

    target: int
    factor: int
    noalias_position: int
    """The one that says so."""
    location: Location | None
    are_whole: bool = True

    def is_undefined(self, arguments: Sequence[Argument]) -> bool:
        a, b = arguments[self.target], arguments[self.factor]
        assert isinstance(a, MemrefArgument) and isinstance(b, MemrefArgument)
        return bool(a.view.span and b.view.span) and share(a.view, b.view)

    def diagnostic(self, names: Sequence[str]) -> Diagnostic:
        noalias_name = names[(self.target, self.factor).index(self.noalias_position)]
        message = f"the arrays of {names[0]} and {names[1]} share elements, but {noalias_name} is noalias"
        remark = f"{noalias_name} is said to share memory with no other"
        labels = () if self.location is None else (Label(self.location, remark),)
        return Diagnostic(rules.NOALIAS, message, None, "pass a copy of one of them", labels)


def _asserted(function: Function) -> list[Asserted]:
    positions = {p: position for position, p in enumerate(function.parameters) if isinstance(p.type, MemrefType)}
    written, pairs = written_roots(function), dict[Parameters, Asserted]()
    for asserted in noalias_parameters(function):
        for other in positions:
            if asserted is not other and (asserted in written or other in written):
                first, second = sorted((positions[asserted], positions[other]))
                pairs.setdefault((first, second), Asserted(first, second, positions[asserted], asserted.location))
    return list(pairs.values())


def pairs_of(function: Function) -> list[Pair | Asserted]:
    """The parameters of a function for which overlapping arrays may not be passed."""
    positions = {parameter: position for position, parameter in enumerate(function.parameters)}
    pairs: list[Pair | Asserted] = [*_asserted(function)]
    for op in function.walk():
        if not isinstance(op, Update):
            continue
        target = root_of(op.updated)
        for name in op.factors:
            factor = root_of(getattr(op, name))
            if target in positions and factor in positions and target is not factor:
                as_one = overlap_of(getattr(op, name), op.updated, one=(target, factor))
                are_whole = getattr(op, name) is factor and op.updated is target
                if are_whole or (as_one is not Overlap.UNKNOWN and is_aliasing_factor(op, name, as_one)):
                    pairs.append(Pair(op, name, positions[target], positions[factor], as_one, are_whole))
    return pairs


Parameters = tuple[int, int]
"""The positions of two parameters."""


def aliasing_matrices(function: Function) -> list[Parameters]:
    """The parameters to which sums of matrices are stored, each with one whose matrices may be factors of them; and
    those to which elements are stored in loops, or before others are accessed: accesses are moved past each other.

    For overlapping arrays, which a launch may pass for them, other code is right than for others.
    """
    is_raised = function.attributes.get(RAISE_LOOPS) is True
    if is_raised or has_loop_with_stores(function) or stores_between_accesses(function):
        return _written_with_others(function)
    if not any(isinstance(op, (CooperativeMatrixMulAdd, TileMma)) for op in function.walk()):
        return []
    positions = {parameter: position for position, parameter in enumerate(function.parameters)}
    operations, written = list(function.walk()), written_roots(function)
    loaded = {root_of(op.M) for op in operations if isinstance(op, (CooperativeMatrixLoad, InitTile))}
    return [
        (positions[stored], positions[factor])
        for stored in positions
        for factor in positions
        if stored in written and factor in loaded and stored is not factor
    ]


def _written_with_others(function: Function) -> list[Parameters]:
    """The parameters that are written, each with another one."""
    positions = {p: position for position, p in enumerate(function.parameters) if isinstance(p.type, MemrefType)}
    written = written_roots(function)
    return [(positions[a], positions[b]) for a in positions for b in positions if a in written and a is not b]


def products_apart(function: Function) -> list[Parameters]:
    """The parameters that are written, each with another one, where products may be executed in another order: several
    instructions compute matrices, and a local one is computed by one and used by another.

    Code for arrays that are known to lie apart is faster then than code that is right for all.
    """
    updates = [op for op in function.walk() if isinstance(op, Update)]
    local = {root_of(op.updated) for op in updates if isinstance(root_of(op.updated).owner, Alloca)}
    products = [op for op in updates if isinstance(op, Gemm)]
    if not any(root_of(factor) in local for op in products for factor in (op.A, op.B)):
        return []
    positions = {p: n for n, p in enumerate(function.parameters) if isinstance(p.type, (MemrefType, GroupType))}
    written = written_roots(function)
    return [(positions[a], positions[b]) for a in positions for b in positions if a in written and a is not b]


def are_apart(pairs: Sequence[Parameters], arguments: Sequence[Argument]) -> bool:
    """Whether these arrays are known to share no memory, those of groups too."""
    addresses = [_address(argument) for argument in arguments]
    ends = {position: bytes_of(arguments[position]) for pair in pairs for position in pair}
    if not pairs or None in ends.values():
        return False
    return not may_overlap(ranges_apart(pairs, arguments), addresses)


def ranges_apart(pairs: Sequence[Parameters], arguments: Sequence[Argument]) -> tuple[MemoryRange, ...]:
    """The part of arguments that are apart that `may_overlap` needs."""
    ends = {position: bytes_of(arguments[position]) or 0 for pair in pairs for position in pair}
    return tuple((target, other, ends[target], ends[other]) for target, other in pairs)


def overlap(pairs: Sequence[Parameters], arguments: Sequence[Argument]) -> bool:
    """Whether two of these arrays share memory; of groups nothing depends on it."""
    for target, factor in pairs:
        a, b = arguments[target], arguments[factor]
        if not (isinstance(a, MemrefArgument) and isinstance(b, MemrefArgument)):
            continue
        if a.view.span and b.view.span and share(a.view, b.view):
            return True
    return False


def whole_memory_ranges(pairs: Sequence[Parameters], arguments: Sequence[Argument]) -> tuple[MemoryRange, ...]:
    """The same for `may_overlap`."""
    return tuple(
        (target, factor, _whole(arguments[target]), _whole(arguments[factor]))
        for target, factor in pairs
        if isinstance(arguments[target], MemrefArgument) and isinstance(arguments[factor], MemrefArgument)
    )


def check_apart(
    pairs: Sequence[Pair | Asserted], arguments: Sequence[Argument], parameters: Sequence[Parameter]
) -> None:
    """Refuse arguments that make the result of an instruction undefined."""
    if not may_overlap(memory_ranges(pairs, arguments), [_address(argument) for argument in arguments]):
        return
    for pair in pairs:
        if pair.is_undefined(arguments):
            names = [parameters[position].name for position in (pair.target, pair.factor)]
            raise LaunchError([pair.diagnostic(names)])


def memory_ranges(pairs: Sequence[Pair | Asserted], arguments: Sequence[Argument]) -> tuple[MemoryRange, ...]:
    """The part of the arguments that `may_overlap` needs; equal for all arguments with the same layouts."""
    ranges = {}
    for pair in pairs:
        ends = (_shared_bytes_of(arguments[pair.target], pair), _shared_bytes_of(arguments[pair.factor], pair))
        ranges[pair.target, pair.factor] = (pair.target, pair.factor, *ends)
    return tuple(ranges.values())


def may_overlap(memory_ranges: Sequence[MemoryRange], addresses: Sequence[Any]) -> bool:
    """Whether arguments have to be checked again, because they begin close to each other.

    `addresses` has one for each array, and anything for other arguments.
    """
    for target, factor, target_bytes, factor_bytes in memory_ranges:
        distance = addresses[target] - addresses[factor]
        if -target_bytes < distance < factor_bytes:
            return True
    return False


def _shared_bytes_of(argument: Argument, pair: Pair | Asserted) -> int:
    if pair.are_whole and isinstance(argument, MemrefArgument):
        return _whole(argument)
    return 1  # it only matters whether both begin at the same address


def _whole(argument: Argument) -> int:
    assert isinstance(argument, MemrefArgument)
    return argument.view.span * argument.view.item_size


def bytes_of(argument: Argument) -> int | None:
    """The bytes of an array, or of that in which all items of a group lie; None where these are several arrays, or
    other memory is reached by an offset.
    """
    if isinstance(argument, MemrefArgument):
        return _whole(argument)
    if not isinstance(argument, GroupArgument) or not argument.strided or argument.offset:
        return None
    return argument.views[0].span * argument.views[0].item_size


def _address(argument: Argument) -> int:
    if isinstance(argument, GroupArgument):
        return argument.views[0].address if len(argument.views) else 0
    return argument.view.address if isinstance(argument, MemrefArgument) else 0


def _is_one(a: Argument, b: Argument) -> bool:
    """Whether two arguments are the same memory in the same layout, and not empty."""

    def layout(argument: Argument) -> tuple[object, ...]:
        if isinstance(argument, GroupArgument):
            return (argument.strided, argument.count, argument.step, argument.offset, argument.shapes, argument.strides)
        assert isinstance(argument, MemrefArgument)
        return (argument.shape, argument.strides)

    first, second = ([view for view, _ in views_of([argument])] for argument in (a, b))
    return (
        type(a) is type(b)
        and all(view.span for view in first)
        and layout(a) == layout(b)
        and list(map(key_of, first)) == list(map(key_of, second))
    )
