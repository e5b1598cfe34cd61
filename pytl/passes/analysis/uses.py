"""Who uses a value, what memory it lies in, and what memrefs an instruction touches."""

from __future__ import annotations

from ...ir.operation import Operation
from ...ir.types import MemrefType
from ...ir.values import Function, Region, Value
from ...ops import For, If, StoreTile, Yield
from ...ops.views import root_of
from ...ops.xetile import memref_of


class Roots:
    """The alloca, parameter or group that each memref is a view on, looked up once for each view on the way."""

    def __init__(self) -> None:
        self._roots: dict[Value, Value] = {}

    def of(self, value: Value) -> Value:
        """`root_of`, remembered."""
        way: list[Value] = []
        while value not in self._roots:
            way.append(value)
            owner = value.owner
            if owner is None or owner.view_of is None:
                self._roots[value] = root_of(value)
            else:
                value = getattr(owner, owner.view_of)
        root = self._roots[value]
        self._roots.update((passed, root) for passed in way)
        return root


def operations_for(value: Value, region: Region) -> list[Operation]:
    """The instructions of a region, without those of regions in it, that a value follows from."""
    needed, found = {value}, list[Operation]()
    for op in reversed(region.operations):
        if needed.intersection(op.results):
            needed.update(op.operands)
            found.append(op)
    return found[::-1]


def replace_uses(region: Region, replacements: dict[Value, Value]) -> None:
    """Replace values everywhere in the region by others, which may be replaced themselves."""
    if not replacements:
        return

    def final(value: Value) -> Value:
        while value in replacements:
            value = replacements[value]
        return value

    for op in region.walk():
        op.replace_operands(final)


def computes_alone(op: If) -> bool:
    """Whether a branch computes its results and does nothing else: it neither stores nor loads."""
    inside = (inner for part in op.regions for inner in part.walk())
    return bool(op.results) and all(inner.pure or isinstance(inner, (If, For, Yield)) for inner in inside)


def memrefs_used(op: Operation) -> list[Value]:
    """The memref values that an instruction, or what it contains, uses."""
    inner = [used for region in op.regions for inside in region.walk() for used in inside.operands]
    return [value for value in (*op.operands, *inner) if isinstance(value.type, MemrefType)]


def written_roots(function: Function) -> set[Value]:
    """The allocas, parameters and groups whose memory some instruction may write."""
    written: set[Value] = set()
    tiles: list[Value] = []
    carried: dict[Value, Value] = {}
    for op in function.walk():
        written.update(op.written_memory())
        if isinstance(op, For):
            carried.update(zip(op.carried, op.inits))
        elif isinstance(op, StoreTile):
            tiles.append(op.tile)
    return set(map(root_of, (*written, *(memref_of(tile, carried) for tile in tiles))))
