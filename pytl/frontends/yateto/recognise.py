"""What values of the IR are in the immediate language, for the printer: types, items of groups, indices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from ...diagnostics import Location
from ...ir.operation import Operation
from ...ir.types import DYNAMIC, GroupType, MemrefType, ScalarType, i64, index
from ...ir.values import UNSIGNED, Function, Value
from ...ops import ArithBinary, Builtin, Cast, Expand, For, Load, Subview
from ...ops.constants import constant_of
from ...ops.views import root_of
from .types import SCALARS, DraftType, Group, LoopVariable, Memref, Scalar


class NoForm(Exception):
    """Something has no form in the immediate language."""

    def __init__(self, message: str, location: Location | None = None, help: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.location = location
        self.help = help


def refuse(message: str, location: Location | None = None, help: str | None = None) -> NoReturn:
    raise NoForm(message, location, help)


class Recognised:
    """The values of a function as the immediate language has them."""

    def __init__(self, function: Function) -> None:
        self.users: dict[Value, list[Operation]] = {}
        self.loops: dict[Value, For] = {}
        for op in function.walk():
            for value in op.operands:
                self.users.setdefault(value, []).append(op)
            if isinstance(op, For):
                self.loops[op.variable] = op
        self.items: dict[Operation, tuple[Value, Value | None]] = {}
        """Instructions that give an item: the group, and the offset as an index."""
        self.helpers: set[Operation] = set()
        """Instructions that only help to take an item, and are not printed."""
        self.groups: dict[Value, Group] = {}
        for parameter in function.parameters:
            if _is_memory(parameter.type):
                self._find_memory(parameter)
            elif isinstance(parameter.type, GroupType):
                self._find_pointers(parameter)
            elif isinstance(parameter.type, MemrefType) and _is_distance(parameter.type):
                self._find_distance(parameter)

    # Types.

    def type_of(self, value: Value) -> DraftType:
        """The type of a value; raises NoForm where it has none."""
        if value in self.groups:
            return self.groups[value]
        unsigned = bool(self._owner_of(value).get(UNSIGNED))
        if isinstance(value.type, MemrefType):
            return memref_of(value.type, unsigned)
        if value in self.loops:
            bits = self.loops[value].attributes.get(UNSIGNED)
            scalar = Scalar(i64) if value.type == index else scalar_of(value.type, False)
            if bits is not None:
                scalar = next((each for each in SCALARS if each.unsigned and each.bits.bits == bits), scalar)
            if value.type not in (index, LoopVariable(scalar).ir):
                refuse(f"a loop over {value.type} has the attribute {UNSIGNED}={bits}", value.location)
            return scalar
        return scalar_of(value.type, unsigned)

    def _owner_of(self, value: Value) -> dict[str, Any]:
        """The attributes that say whether a value's integers are unsigned: of a parameter, or of an alloca."""
        root = root_of(value)
        return root.attributes if root.owner is None else getattr(root.owner, "attributes", {})

    def index_text(self, value: Value, name: Callable[[Value], str]) -> str:
        """An index as it is written in a subview or behind a group: a constant, or `i32 %i`."""
        constant = constant_of(value)
        if constant is not None:
            return str(constant)
        if value in self.loops:
            return f"{self.type_of(value)} {name(value)}"
        if isinstance(value.owner, Cast):
            source = value.owner.operand
            masked = source.owner
            if isinstance(masked, ArithBinary) and masked.variant == "and" and isinstance(masked.a.owner, Cast):
                source = masked.a.owner.operand
                if constant_of(masked.b) != 2 ** getattr(source.type, "bits", 0) - 1:
                    refuse("an index is computed")
            type_ = self.type_of(source) if source.owner is None else None
            if isinstance(type_, Scalar) and type_.bits.is_integer:
                is_extended = masked is not None and isinstance(masked, ArithBinary)
                if is_extended == (type_.unsigned and source.type == type_.bits != i64):
                    return f"{type_} {name(source)}"
        refuse("an index is computed", None, "the indices of the immediate language are integers as they are")

    # Items of groups.

    def _find_pointers(self, group: Value) -> None:
        type_ = group.type
        if type_.count is not DYNAMIC or type_.offset != 0:
            return
        unsigned = bool(group.attributes.get(UNSIGNED))
        try:
            self.groups[group] = Group(memref_of(type_.memref, unsigned))
        except NoForm:
            return
        for op in self.users.get(group, ()):
            if isinstance(op, Load) and is_group_id(op.indices[0]):
                self.items[op] = (group, None)

    def _find_distance(self, group: Value) -> None:
        type_ = group.type
        unsigned = bool(group.attributes.get(UNSIGNED))
        item = MemrefType(type_.element, type_.shape[:-1], type_.strides[:-1])
        self.groups[group] = Group(memref_of(item, unsigned), type_.strides[-1])
        for op in self.users.get(group, ()):
            if isinstance(op, Subview) and op.result.type.shape == item.shape:
                *slices, last = op.slices
                whole = [(piece.offset, piece.size) for piece in slices] == [(0, size) for size in item.shape]
                if whole and isinstance(last.offset, Value) and is_group_id(last.offset):
                    self.items[op] = (group, None)

    def _find_memory(self, group: Value) -> None:
        """Items that are taken from plain memory: chains of views, all of which end with the same type."""
        unsigned = bool(group.attributes.get(UNSIGNED))
        memories = [(group, None)] if isinstance(group.type, MemrefType) else []
        helpers: set[Operation] = set()
        if isinstance(group.type, GroupType):
            for load in self.users.get(group, ()):
                if isinstance(load, Load) and is_group_id(load.indices[0]):
                    helpers.add(load)
                    memories.append((load.result, None))
        chains = [self._chain(op) for memory, _ in memories for op in self.users.get(memory, ())]
        types = [{str(op.result.type): op for op in chain} for chain in chains]
        common = [name for name in (types[0] if types else {}) if all(name in each for each in types)]
        if not common or any(not chain for chain in chains):
            return
        memref = types[0][common[-1]].result.type
        begins = [self._begin(group, chain[0]) for chain in chains]
        distances = {distance for distance, _ in begins}
        if len(distances) != 1:
            return
        self.groups[group] = Group(memref_of(memref, unsigned), distances.pop())
        for chain, each, (_, offset) in zip(chains, types, begins):
            last = each[common[-1]]
            self.items[last] = (group, offset)
            helpers.update(chain[: chain.index(last)])
        self.helpers |= helpers

    def _chain(self, op: Operation) -> list[Operation]:
        """A view on plain memory and the views that only this one is used for."""
        if not isinstance(op, Subview) or len(op.slices) != 1:
            return []
        chain: list[Operation] = [op]
        while len(users := self.users.get(chain[-1].results[0], [])) == 1:
            (user,) = users
            is_next = isinstance(user, Expand) if len(chain) == 1 else len(chain) == 2 and _keeps_begin(user)
            if not is_next:
                break
            chain.append(user)
        return [each for each in chain if each.results[0].type.is_static]

    def _begin(self, group: Value, op: Operation) -> tuple[int | None, Value | None]:
        """The distance of items and the offset that a view on memory begins at."""
        assert isinstance(op, Subview)
        begin = op.slices[0].offset
        if isinstance(group.type, GroupType):
            return None, begin if isinstance(begin, Value) else None
        offset = None
        if isinstance(begin, Value) and isinstance(begin.owner, ArithBinary) and begin.owner.variant == "add":
            begin, offset = begin.owner.a, begin.owner.b
        if isinstance(begin, Value) and isinstance(begin.owner, ArithBinary) and begin.owner.variant == "mul":
            distance = constant_of(begin.owner.b)
            if is_group_id(begin.owner.a) and distance is not None:
                return distance, offset
        return -1, None


def is_group_id(value: Value) -> bool:
    return isinstance(value.owner, Builtin) and value.owner.variant == "group_id"


def scalar_of(type_: Any, unsigned: bool) -> Scalar:
    """A scalar type of the IR."""
    scalar = Scalar(type_, unsigned) if isinstance(type_, ScalarType) else None
    if scalar not in SCALARS:
        refuse(f"{type_} is no type of the immediate language")
    assert scalar is not None
    return scalar


def memref_of(type_: MemrefType, unsigned: bool) -> Memref:
    """A memref of the IR."""
    element = scalar_of(type_.element, unsigned)
    if not type_.is_static:
        refuse(f"{type_} has sizes that are known at run time only")
    return Memref(element, type_.shape, type_.strides)  # type: ignore[arg-type]


def _is_memory(type_: Any) -> bool:
    """Whether a parameter is memory of one mode, of which items are views."""
    if isinstance(type_, GroupType):
        return type_.count is DYNAMIC and type_.offset == 0 and _is_memory(type_.memref)
    return isinstance(type_, MemrefType) and type_.shape == (DYNAMIC,) and type_.strides == (1,)


def _is_distance(type_: MemrefType) -> bool:
    """Whether a parameter is a tensor whose last mode counts items at a fixed distance."""
    *shape, last = type_.shape or (0,)
    return last is DYNAMIC and all(isinstance(n, int) for n in (*shape, *type_.strides))


def _keeps_begin(op: Operation) -> bool:
    """Whether a view begins where its operand does."""
    return isinstance(op, Subview) and all(piece.offset == 0 for piece in op.slices)
