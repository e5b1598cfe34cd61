"""Tensors: tensor_load, tensor_store, extract_element and the casts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....diagnostics.words import counted
from .. import rules
from ..tree import Operation
from ..types import UNKNOWN, Memref, Tensor, Type, Unknown, Vector, element_of, same
from .form import Form, check_indices, first_apart, indexed, indices_types
from .memory import memref_of

if TYPE_CHECKING:
    from ..findings import Findings
    from ..instruction_reader import InstructionReader


def _tensor_of(type_: Type) -> Type:
    return Tensor(type_.shape, type_.element) if isinstance(type_, Memref) else UNKNOWN


class TensorLoad(Form):
    """A tensor of what a memref has."""

    name = "tensor_load"

    def read(self, reader: InstructionReader) -> Operation:
        of = reader.use()
        reader.expect(":")
        type_ = reader.memref_type()
        return Operation(self.name, [of], [type_], None, [_tensor_of(type_)], groups=(1,))

    def write(self, operation: Operation) -> str:
        return f"tensor_load {operation.operands[0]} : {operation.operand_types[0]}"

    def counts(self, operation: Operation) -> tuple[int | None, int | None]:
        return 1, 1

    def check(self, operation: Operation, checker: Findings) -> None:
        type_ = memref_of(operation, 0, checker)
        if type_ is not None and not same(_tensor_of(type_), operation.result_types[0]):
            message = f"{type_} is loaded as {operation.result_types[0]}"
            checker.report(rules.TENSOR, message, operation.location)


class TensorStore(Form):
    """A tensor into a memref."""

    name = "tensor_store"

    def read(self, reader: InstructionReader) -> Operation:
        tensor = reader.use()
        start = reader.position
        if reader.take("to"):
            reader.report_spelling("a comma stands between the tensor and the memref", start)
        else:
            reader.expect(",")
        into = reader.use()
        reader.expect(":")
        type_ = reader.memref_type()
        return Operation(self.name, [tensor, into], [_tensor_of(type_), type_], groups=(1, 1))

    def groups_of(self, operation: Operation) -> tuple[int, ...]:
        return (1,) * len(operation.operands)

    def write(self, operation: Operation) -> str:
        return f"tensor_store {operation.operands[0]}, {operation.operands[1]} : {operation.operand_types[1]}"

    def counts(self, operation: Operation) -> tuple[int | None, int | None]:
        return 2, 0

    def check(self, operation: Operation, checker: Findings) -> None:
        type_ = memref_of(operation, 1, checker)
        if type_ is not None and not same(_tensor_of(type_), operation.operand_types[0]):
            message = f"{operation.operand_types[0]} is stored into {type_}"
            checker.report(rules.TENSOR, message, operation.location)


class ExtractElement(Form):
    """An element of a tensor or vector."""

    name = "extract_element"

    def read(self, reader: InstructionReader) -> Operation:
        of = reader.use()
        indices = reader.indices()
        reader.expect(":")
        type_ = reader.type()
        types = [type_, *indices_types(len(indices))]
        element = element_of(type_)
        return Operation(self.name, [of, *indices], types, None, [element], groups=(1, len(indices)))

    def groups_of(self, operation: Operation) -> tuple[int, ...]:
        return first_apart(operation)

    def write(self, operation: Operation) -> str:
        of, *indices = operation.operands
        return f"extract_element {indexed(of, indices)} : {operation.operand_types[0]}"

    def counts(self, operation: Operation) -> tuple[int | None, int | None]:
        return None, 1

    def check(self, operation: Operation, checker: Findings) -> None:
        type_ = operation.operand_types[0] if operation.operands else None
        if isinstance(type_, Unknown):
            return
        if not isinstance(type_, (Tensor, Vector)):
            checker.report(rules.EXTRACT, f"an element of {type_ or 'nothing'} is extracted", operation.location)
            return
        rank = None if type_.shape is None else len(type_.shape)
        check_indices(operation, rank, operation.operands[1:], checker)
        if not same(operation.result_types[0], type_.element):
            message = f"an element of {type_} is extracted as {operation.result_types[0]}"
            checker.report(rules.STORED, message, operation.location)


class _Cast(Form):
    """What is known about sizes changes."""

    def read(self, reader: InstructionReader) -> Operation:
        of = reader.use()
        reader.expect(":")
        source_type = reader.type()
        reader.expect("to")
        return Operation(self.name, [of], [source_type], None, [reader.type()], groups=(1,))

    def write(self, operation: Operation) -> str:
        return f"{self.name} {operation.operands[0]} : {operation.operand_types[0]} to {operation.result_types[0]}"

    def counts(self, operation: Operation) -> tuple[int | None, int | None]:
        return 1, 1

    def check(self, operation: Operation, checker: Findings) -> None:
        source, target = operation.operand_types[0], operation.result_types[0]
        if isinstance(source, Unknown) or isinstance(target, Unknown):
            return
        wrong = self.problem(source, target)
        if not wrong and same(source, target):
            wrong = f"both types are {target}"
        if not wrong and isinstance(source, (Tensor, Memref)) and isinstance(target, (Tensor, Memref)):
            wrong = _of_sizes(source, target)
        if wrong:
            checker.report(rules.CAST, wrong, operation.location)

    def problem(self, source: Type, target: Type) -> str | None:
        """What is wrong with the types, sizes apart."""
        raise NotImplementedError


def _of_sizes(source: Tensor | Memref, target: Tensor | Memref) -> str | None:
    if source.shape is None or target.shape is None:
        return None
    if len(source.shape) != len(target.shape):
        return f"{source} has {counted(len(source.shape), 'mode')}, and {target} has {len(target.shape)}"
    for mode, (left, right) in enumerate(zip(source.shape, target.shape)):
        if left is not None and right is not None and left != right:
            return f"mode {mode} has the size {left} of {source}, and {right} of {target}"
    return None


class MemrefCast(_Cast):
    """Of memrefs."""

    name = "memref_cast"

    def problem(self, source: Type, target: Type) -> str | None:
        for type_ in (source, target):
            if not isinstance(type_, Memref):
                return f"{type_} is no memref"
        assert isinstance(source, Memref) and isinstance(target, Memref)
        alike = Memref(source.shape, target.element, target.maps, target.space)
        return None if same(source, alike) else f"{target} has other elements, maps or memory than {source}"


class TensorCast(_Cast):
    """Of tensors."""

    name = "tensor_cast"

    def problem(self, source: Type, target: Type) -> str | None:
        for type_ in (source, target):
            if not isinstance(type_, Tensor):
                return f"{type_} is no tensor"
        return None if same(element_of(source), element_of(target)) else f"{target} has other elements than {source}"
