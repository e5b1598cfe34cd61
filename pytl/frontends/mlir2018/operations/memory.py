"""Memory operations: alloc, alloc_static, dealloc, load, store, dma_start, dma_wait."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....diagnostics.words import counted
from .. import rules
from ..tree import Number, Operation, Use
from ..types import INDEX, UNKNOWN, MapUse, Memref, Type, Unknown, same
from .core import check_sizes
from .form import Form, bound, check_indices, first_apart, indexed, indices_types

if TYPE_CHECKING:
    from ..findings import Findings
    from ..instruction_reader import InstructionReader


def memref_of(operation: Operation, position: int, checker: Findings) -> Memref | None:
    """The memref that an operand is; what is none is reported."""
    type_ = operation.operand_types[position]
    if isinstance(type_, Memref):
        return type_
    if not isinstance(type_, Unknown):
        message = f"{operation.operands[position]} is of type {type_}"
        checker.report(rules.MEMREF, message, operation.location)
    return None


def rank_of(type_: Type) -> int | None:
    return len(type_.shape) if isinstance(type_, Memref) else None


class Alloc(Form):
    """New memory."""

    name = "alloc"
    is_affine = True

    def read(self, reader: InstructionReader) -> Operation:
        start = reader.position
        early = None if reader.begins("(") else reader.memref_type()
        if early is not None:
            reader.report_spelling("the type of alloc stands behind a colon at its end", start, reader.last_end)
        dimensions: list[Use] = []
        symbols: list[Use] = []
        if early is None or reader.begins("("):
            dimensions, symbols = reader.dimensions_and_symbols()
        if early is None:
            reader.expect(":")
            early = reader.memref_type()
        operands = [*dimensions, *symbols]
        groups = (len(dimensions), len(symbols))
        return Operation(self.name, operands, indices_types(len(operands)), None, [early], groups=groups)

    def write(self, operation: Operation) -> str:
        return f"alloc{bound(operation.group(0), operation.group(1))} : {operation.result_types[0]}"

    def counts(self, operation: Operation) -> tuple[int | None, int | None]:
        return None, 1

    def groups_of(self, operation: Operation) -> tuple[int, ...]:
        result = operation.result_types[0] if operation.result_types else UNKNOWN
        count = len(operation.operands)
        sizes = min(result.shape.count(None), count) if isinstance(result, Memref) else count
        return sizes, count - sizes

    def affine_operands(self, operation: Operation) -> tuple[MapUse | None, Sequence[Use], Sequence[Use]]:
        return None, operation.group(0), operation.group(1)

    def check(self, operation: Operation, checker: Findings) -> None:
        result = operation.result_types[0]
        if isinstance(result, Memref):
            check_sizes(operation, result, checker)
        elif not isinstance(result, Unknown):
            checker.report(rules.MEMREF, f"{result} is no memref", operation.location)


class AllocStatic(Form):
    """Memory at an address."""

    name = "alloc_static"
    attributes = ("base",)

    def read(self, reader: InstructionReader) -> Operation:
        reader.expect("(")
        address = Number(reader.natural("an address"))
        reader.expect(")")
        reader.expect(":")
        return Operation(self.name, [], [], None, [reader.memref_type()], {"base": address}, groups=())

    def write(self, operation: Operation) -> str:
        address = operation.attributes["base"]
        assert isinstance(address, Number) and isinstance(address.value, int)
        return f"alloc_static({address.value:#x}) : {operation.result_types[0]}"

    def counts(self, operation: Operation) -> tuple[int | None, int | None]:
        return 0, 1

    def groups_of(self, operation: Operation) -> tuple[int, ...]:
        return ()

    def check(self, operation: Operation, checker: Findings) -> None:
        address, result = operation.attributes["base"], operation.result_types[0]
        if not isinstance(address, Number) or not isinstance(address.value, int) or address.value < 0:
            checker.report(rules.ATTRIBUTE, "base is no address", operation.location)
        if isinstance(result, Memref) and (None in result.shape or result.symbols):
            checker.report(rules.STATIC, f"{result} has what is known at run time only", operation.location)
        elif not isinstance(result, (Memref, Unknown)):
            checker.report(rules.MEMREF, f"{result} is no memref", operation.location)


class Dealloc(Form):
    """The end of a memref's memory."""

    name = "dealloc"

    def read(self, reader: InstructionReader) -> Operation:
        of = reader.use()
        reader.expect(":")
        return Operation(self.name, [of], [reader.memref_type()], groups=(1,))

    def write(self, operation: Operation) -> str:
        return f"dealloc {operation.operands[0]} : {operation.operand_types[0]}"

    def counts(self, operation: Operation) -> tuple[int | None, int | None]:
        return 1, 0

    def check(self, operation: Operation, checker: Findings) -> None:
        memref_of(operation, 0, checker)


class Load(Form):
    """An element of a memref."""

    name = "load"

    def read(self, reader: InstructionReader) -> Operation:
        of = reader.use()
        indices = reader.indices()
        reader.expect(":")
        type_ = reader.memref_type()
        types = [type_, *indices_types(len(indices))]
        return Operation(self.name, [of, *indices], types, None, [type_.element], groups=(1, len(indices)))

    def groups_of(self, operation: Operation) -> tuple[int, ...]:
        return first_apart(operation)

    def write(self, operation: Operation) -> str:
        of, *indices = operation.operands
        return f"load {indexed(of, indices)} : {operation.operand_types[0]}"

    def counts(self, operation: Operation) -> tuple[int | None, int | None]:
        return None, 1

    def check(self, operation: Operation, checker: Findings) -> None:
        if not operation.operands:
            checker.report(rules.COUNT, "load has no memref", operation.location)
            return
        type_ = memref_of(operation, 0, checker)
        if type_ is None:
            return
        check_indices(operation, rank_of(type_), operation.operands[1:], checker)
        if not same(operation.result_types[0], type_.element):
            message = f"an element of {type_} is loaded as {operation.result_types[0]}"
            checker.report(rules.STORED, message, operation.location)


class Store(Form):
    """A value into an element of a memref."""

    name = "store"

    def read(self, reader: InstructionReader) -> Operation:
        value = reader.operand()
        start = reader.position
        if reader.take("to"):
            reader.report_spelling("a comma stands between the value and the memref", start)
        else:
            reader.expect(",")
        into = reader.use()
        indices = reader.indices()
        reader.expect(":")
        type_ = reader.memref_type()
        types = [type_.element, type_, *indices_types(len(indices))]
        return Operation(self.name, [value, into, *indices], types, groups=(1, 1, len(indices)))

    def groups_of(self, operation: Operation) -> tuple[int, ...]:
        return first_apart(operation, 2)

    def write(self, operation: Operation) -> str:
        value, into, *indices = operation.operands
        return f"store {value}, {indexed(into, indices)} : {operation.operand_types[1]}"

    def counts(self, operation: Operation) -> tuple[int | None, int | None]:
        return None, 0

    def check(self, operation: Operation, checker: Findings) -> None:
        if len(operation.operands) < 2:
            checker.report(rules.COUNT, "store has a value and a memref", operation.location)
            return
        type_ = memref_of(operation, 1, checker)
        if type_ is None:
            return
        check_indices(operation, rank_of(type_), operation.operands[2:], checker)
        if not same(operation.operand_types[0], type_.element):
            message = f"{operation.operands[0]} is stored as {operation.operand_types[0]} into {type_}"
            checker.report(rules.STORED, message, operation.location)


class DmaStart(Form):
    """Begins to move elements from one memref to another."""

    name = "dma_start"

    def read(self, reader: InstructionReader) -> Operation:
        source, from_ = reader.use(), reader.indices()
        reader.expect(",")
        target, to = reader.use(), reader.indices()
        reader.expect(",")
        size = reader.operand()
        reader.expect(",")
        tag, at = reader.use(), reader.indices()
        reader.expect(":")
        types: list[Memref] = []
        for number in range(3):
            if number:
                reader.expect(",")
            types.append(reader.layout_behind(reader.memref_type()))
        operands = [source, *from_, target, *to, size, tag, *at]
        of = [
            *(types[0], *indices_types(len(from_)), types[1], *indices_types(len(to))),
            *(INDEX, types[2], *indices_types(len(at))),
        ]
        return Operation(self.name, operands, of, groups=(1, len(from_), 1, len(to), 1, 1, len(at)))

    def write(self, operation: Operation) -> str:
        source, from_, target, to, size, tag, at = (operation.group(number) for number in range(7))
        types = [type_ for type_ in operation.operand_types if isinstance(type_, Memref)]
        parts = [indexed(source[0], from_), indexed(target[0], to), str(size[0]), indexed(tag[0], at)]
        return f"dma_start {', '.join(parts)} : {', '.join(map(str, types))}"

    def counts(self, operation: Operation) -> tuple[int | None, int | None]:
        return None, 0

    def groups_of(self, operation: Operation) -> tuple[int, ...]:
        """By the ranks of the memrefs, where they are known; else one list."""
        sizes: list[int] = []
        rest = list(operation.operand_types)
        for number in range(3):
            if number == 2:
                sizes.append(1)
                rest = rest[1:]
            rank = rank_of(rest[0]) if rest else None
            if rank is None:
                return (len(operation.operands),)
            sizes += [1, rank]
            rest = rest[1 + rank :]
        return tuple(sizes) if sum(sizes) == len(operation.operands) else (len(operation.operands),)

    def check(self, operation: Operation, checker: Findings) -> None:
        if len(operation.groups) != 7:
            message = "dma_start has a memref with its indices, another one, a number, and a tag with its indices"
            checker.report(rules.DMA, message, operation.location)
            return
        positions = [sum(operation.groups[:number]) for number in (0, 2, 5)]
        types = [memref_of(operation, position, checker) for position in positions]
        for type_, number in zip(types, (1, 3, 6)):
            if type_ is not None:
                check_indices(operation, rank_of(type_), operation.group(number), checker)
        source, target = types[:2]
        if source and target and not same(source.element, target.element):
            message = f"elements of {source} are moved into {target}"
            checker.report(rules.DMA, message, operation.location)
        size = operation.operand_types[positions[2] - 1]
        if not same(size, INDEX):
            checker.report(rules.DMA, f"the number of elements is of type {size}", operation.location)


class DmaWait(Form):
    """Waits until what a tag stands for has been moved."""

    name = "dma_wait"

    def read(self, reader: InstructionReader) -> Operation:
        tag, at = reader.use(), reader.indices()
        reader.expect(",")
        size = reader.operand()
        reader.expect(":")
        types = [reader.memref_type(), *indices_types(len(at) + 1)]
        return Operation(self.name, [tag, *at, size], types, groups=(1, len(at), 1))

    def write(self, operation: Operation) -> str:
        tag, *at, size = operation.operands
        return f"dma_wait {indexed(tag, at)}, {size} : {operation.operand_types[0]}"

    def counts(self, operation: Operation) -> tuple[int | None, int | None]:
        return None, 0

    def groups_of(self, operation: Operation) -> tuple[int, ...]:
        return (1, max(len(operation.operands) - 2, 0), 1)

    def check(self, operation: Operation, checker: Findings) -> None:
        if len(operation.operands) < 2:
            message = f"dma_wait has a tag and a number, and not {counted(len(operation.operands), 'operand')}"
            checker.report(rules.COUNT, message, operation.location)
            return
        type_ = memref_of(operation, 0, checker)
        if type_ is not None:
            check_indices(operation, rank_of(type_), operation.operands[1:-1], checker)
        if not same(operation.operand_types[-1], INDEX):
            message = f"the number of elements is of type {operation.operand_types[-1]}"
            checker.report(rules.DMA, message, operation.location)
