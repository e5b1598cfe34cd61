"""Memory (manual: Alloca, Load, Store, Additional instructions)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from ..diagnostics.words import counted
from ..ir.constraints import GROUP, INDEX, MEMREF, SCALAR
from ..ir.fields import Attributes, Modifier, Operand, OperandList, Result
from ..ir.operation import Check, Operation, Problem, check
from ..ir.patterns import PATTERN, modes_of_pattern
from ..ir.registry import instruction
from ..ir.text.rules import LOCAL_BY_DEFAULT
from ..ir.types import GroupType, MemrefType, Type
from ..ir.values import Function
from .constants import constant_of
from .result_types import result_type_check

DEFAULT_ALIGNMENT = 64
"""What local memory begins at a multiple of where no alloca asks for more, in bytes: a cache line."""

STACK_OFFSET = "stack.offset"
"""The attribute of an alloca that says where it lies in local memory, in bytes."""
STACK_SIZE = "stack.size"
"""The attribute of a function that says how much local memory it takes, in bytes; what aligning it costs included."""
STACK_CALLS = "stack.calls"
"""The attribute of a function that says where the local memory of what it calls begins, in bytes, behind its own."""
STACK_ALIGNMENT = "stack.alignment"
"""The attribute of a function that says what the first byte of local memory is a multiple of, if not of a line."""


STORE_FLAGS = {
    "": "",
    "atomic": "the store is atomic, relaxed; a complex value may be stored part by part",
    "atomic_add": "the value is added to the element atomically",
}
"""How a store may update an element."""
ACCUMULATING = ("atomic_add", "atomic_scale_add")
"""Flags of stores and of atomic updates, by which an element depends on how many work-items do them."""


class LocalMemref(Result):
    """The type of an alloca: a memref that is local where it names no address space."""

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        start = parser.scanner.skip_blanks()
        type_ = parser.type(default_space="local")
        text = parser.scanner.text[start : parser.scanner.last_end]
        if isinstance(type_, MemrefType) and "local" not in text and "global" not in text:
            parser.note(LOCAL_BY_DEFAULT, f"the type is read as {type_}", parser.scanner.location_from(start))
        parts["result_types"] = [type_]
        return None


@check("PYTL-0310", "the shape of an alloca has no dynamic modes", "Alloca")
def static_alloca(op: Alloca) -> Iterator[Problem]:
    if not op.result.type.is_static:
        yield Problem(f"the size of {op.result.type} is not known at compile time", "give every mode a number")


@check("PYTL-0311", "an alloca is local", "Alloca")
def local_alloca(op: Alloca) -> Iterator[Problem]:
    if op.result.type.space != "local":
        expected = op.result.type.in_space("local")
        yield Problem(f"{op.result.type} is in the global address space", f"write {expected}")


@check(
    "PYTL-0312",
    f"an alloca's alignment is a multiple of the element's size, and a power of two above {DEFAULT_ALIGNMENT} bytes",
    "Alloca",
    "Local memory has room for the alignment, too; how much there is depends on the device, which a launch asks.",
)
def alloca_alignment(op: Alloca) -> Iterator[Problem]:
    alignment = op.attributes.get("alignment")
    if isinstance(alignment, int) and not isinstance(alignment, bool):
        size = op.result.type.element.size
        if alignment < 1 or alignment % size:
            yield Problem(f"the alignment {alignment} is not a multiple of {size}, the size of an element")
        elif alignment > DEFAULT_ALIGNMENT and alignment & (alignment - 1):
            help = f"write {1 << (alignment.bit_length() - 1)} or {1 << alignment.bit_length()}"
            yield Problem(f"the alignment {alignment} is not a power of two", help)


@check(
    "PYTL-0316",
    "a pattern of an alloca has a text of x and . for each line along the first mode, over leading modes",
    "Alloca",
    "It says which entries may be other than zero. What fills the memory writes a zero to all others.",
)
def alloca_pattern(op: Alloca) -> Iterator[Problem]:
    lines = op.attributes.get(PATTERN)
    if lines is not None and modes_of_pattern(lines, op.result.type.shape) is None:
        texts = isinstance(lines, list) and lines and all(isinstance(line, str) for line in lines)
        shown = f"{counted(len(lines), 'line')} of {len(lines[0])}" if texts else "no list of texts"
        yield Problem(f"the pattern of {op.result.type} has {shown}")


@instruction
class Alloca(Operation):
    """Allocates temporary memory of the work-group, freed at the end of the region. Its content is undefined.

    A pattern says which entries the instructions that read it find other than zero.
    """

    mnemonic = "alloca"
    kind = "collective"
    section = "Alloca"
    attributes: Any = Attributes({"alignment": "integer"})
    result: Any = LocalMemref(MEMREF)
    assembly = "(` ` $attributes)? ` : ` $result"
    rules = (static_alloca, local_alloca, alloca_alignment, alloca_pattern)


@check("PYTL-0313", "lifetime_stop names an alloca of its own region", "Additional instructions")
def stops_alloca(op: LifetimeStop) -> Iterator[Problem]:
    if not isinstance(op.tensor.owner, Alloca):
        owner = "a parameter" if op.tensor.owner is None else f"the result of {op.tensor.owner.word}"
        yield Problem(f"the operand is {owner}, not an alloca", part="tensor")


def local_alignment(function: Function) -> int:
    """What the local memory of a function has to begin at a multiple of, in bytes."""
    alignment: int = function.attributes.get(STACK_ALIGNMENT, DEFAULT_ALIGNMENT)
    return alignment


def own_memory(function: Function) -> int:
    """The bytes of a function's local memory without that of what it calls."""
    calls_with_memory = any(op.callee.attributes.get(STACK_SIZE) for op in function.calls())
    size: int = function.attributes.get(STACK_CALLS if calls_with_memory else STACK_SIZE, 0)
    return size


def extent_of(alloca: Alloca) -> tuple[int, int]:
    """The bytes `[begin, end)` of local memory that an alloca takes once it has its place."""
    begin = alloca.attributes[STACK_OFFSET]
    return begin, begin + bytes_of(alloca.result.type)


def bytes_of(type_: MemrefType) -> int:
    """The size in bytes of a static memref, gaps between its columns included."""
    return type_.span * type_.element.size


@instruction
class LifetimeStop(Operation):
    """Says that the memory of an alloca is not used any more, so that later allocas may take its place."""

    mnemonic = "lifetime_stop"
    kind = "collective"
    section = "Additional instructions"
    tensor: Any = Operand(MEMREF, "what is not used any more")
    assembly = "` ` $tensor"
    rules = (stops_alloca,)


def index_problems(op: Any) -> Iterator[Problem]:
    """Where the list of an instruction's indices does not fit the tensor that it indexes."""
    type_ = op.tensor.type
    order = type_.order if isinstance(type_, MemrefType) else 1
    if len(op.indices) != order:
        what = "a group has one index" if isinstance(type_, GroupType) else f"{type_} has {counted(order, 'mode')}"
        yield Problem(f"{what}, but is given {counted(len(op.indices), 'index', 'indices')}", part="tensor")


def _index_checks(count_code: str, count_text: str, bounds_code: str, section: str) -> tuple[Check, Check]:
    """The rules that a list of indices fits what it indexes, and that those which are known lie within the modes."""

    @check(count_code, count_text, section)
    def has_indices(op: Load | Store) -> Iterator[Problem]:
        yield from index_problems(op)

    @check(bounds_code, "an index that is known lies within its mode", section, of_values=True)
    def lies_within(op: Load | Store) -> Iterator[Problem]:
        type_ = op.tensor.type
        shape = type_.shape if isinstance(type_, MemrefType) else (type_.count,)
        for mode, (value, extent) in enumerate(zip(op.indices, shape)):
            known = constant_of(value)
            if known is not None and (known < 0 or (isinstance(extent, int) and known >= extent)):
                yield Problem(f"index {known} is out of bounds in mode {mode}, whose size is {extent}", part="tensor")

    return has_indices, lies_within


load_indices = _index_checks(
    "PYTL-0410", "as many indices as the memref has modes; one index for a group", "PYTL-0414", "Load"
)


load_type = result_type_check(
    "PYTL-0411", "Load", "load gives the memref's element type, or the group's memref type", "tensor", "tensor"
)


@instruction
class Load(Operation):
    """Loads an element of a memref, or a memref out of a group."""

    mnemonic = "load"
    section = "Load"
    tensor: Any = Operand(MEMREF | GROUP, "what is loaded from")
    indices: Any = OperandList(INDEX, "one index a mode")
    result: Any = Result(SCALAR | MEMREF)
    assembly = "` ` $tensor `[` $indices `]` ` : ` $result"
    rules: ClassVar[tuple[Check, ...]] = (*load_indices, load_type)
    reads = ("tensor",)

    def infer_result_types(self) -> list[Type]:
        type_ = self.tensor.type
        return [type_.memref if isinstance(type_, GroupType) else type_.element]

    def pass_attributes_on(self) -> None:
        if self.is_item:
            self.results[0].attributes = dict(self.tensor.attributes)

    @property
    def is_item(self) -> bool:
        """Whether it finds an item of a group, which no instruction changes."""
        return isinstance(self.tensor.type, GroupType)


store_indices = _index_checks("PYTL-0412", "as many indices as the memref has modes", "PYTL-0415", "Store")


@check("PYTL-0413", "the stored value has the memref's element type", "Store")
def store_type(op: Store) -> Iterator[Problem]:
    if op.data.type != op.tensor.type.element:
        yield Problem(
            f"the value is {op.data.type}, but the elements of {op.tensor.type} are {op.tensor.type.element}",
            f"cast the value: cast %value : {op.tensor.type.element}",
            "data",
        )


@instruction
class Store(Operation):
    """Stores a value in a memref; in a collective region every work-item does."""

    mnemonic = "store"
    section = "Store"
    flag: Any = Modifier(STORE_FLAGS, default="")
    data: Any = Operand(SCALAR, "the value")
    tensor: Any = Operand(MEMREF, "where it is stored")
    indices: Any = OperandList(INDEX, "one index a mode")
    assembly = "` ` $data `, ` $tensor `[` $indices `]`"
    rules: ClassVar[tuple[Check, ...]] = (*store_indices, store_type)
    writes = ("tensor",)

    @classmethod
    def literal_type(cls, part: str, parts: dict[str, Any]) -> Type | None:
        if part != "data":
            return super().literal_type(part, parts)
        tensor = parts["tensor"]
        return tensor.type.element if isinstance(tensor.type, MemrefType) else None
