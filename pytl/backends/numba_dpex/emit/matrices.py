"""Cooperative matrices as private arrays of generated source.

A value of coopmatrix type is the same for all work-items of a sub-group, so each may hold all of it: an array of
its entries, and arithmetic is a loop over them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....ir.types import CoopMatrixType, ScalarType, component_type
from ....ir.values import Value
from ....ops import ArithBinary, ArithUnary, Cast, Constant
from ....ops.memory import DEFAULT_ALIGNMENT
from . import scalars
from .writer import MatrixCode, Writer, device_name, literal


def is_matrix(value: Value) -> bool:
    return isinstance(value.type, CoopMatrixType)


class Matrices:
    """Writes what concerns matrices, and counts the private memory that they take."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.bytes = 0

    def new(self, value: Value) -> MatrixCode:
        """Memory for a value."""
        type_ = value.type
        assert isinstance(type_, CoopMatrixType)
        name = self.writer.names.of(value, "matrix")
        self.writer.line(f"{name} = private_{device_name(type_.component)}(matrices, {self.bytes})")
        entries = type_.rows * type_.columns
        size = entries * type_.component.size
        self.bytes += -(-size // DEFAULT_ALIGNMENT) * DEFAULT_ALIGNMENT
        code = MatrixCode(name, type_.component, entries)
        self.writer.bind(value, code)
        return code

    def copy(self, source: MatrixCode, target: MatrixCode) -> None:
        if source != target:
            self._fill(target, lambda e: f"{source.pointer}[{e}]")

    def assign_all(self, targets: Sequence[Value], sources: Sequence[Value]) -> None:
        """Give several matrices their values at once: a later one may be what an earlier target was."""
        codes = [self.writer.matrix(source) for source in sources]
        if len(codes) > 1:
            held = [self.new(Value(source.type, "held")) for source in sources]
            for code, holder in zip(codes, held):
                self.copy(code, holder)
            codes = held
        for code, target in zip(codes, targets):
            self.copy(code, self.writer.matrix(target))

    def constant(self, op: Constant) -> None:
        entry = literal(op.literal, component_type(op.result.type))
        self._fill(self.new(op.result), lambda e: entry)

    def binary(self, op: ArithBinary) -> None:
        a, b = self.writer.matrix(op.a), self.writer.matrix(op.b)

        def entry(e: str) -> str:
            return scalars.binary(op.variant, f"{a.pointer}[{e}]", f"{b.pointer}[{e}]", a.component)

        self._fill(self.new(op.result), entry)

    def unary(self, op: ArithUnary) -> None:
        a = self.writer.matrix(op.a)
        self._fill(self.new(op.result), lambda e: scalars.unary(op.variant, f"{a.pointer}[{e}]", a.component))

    def cast(self, op: Cast) -> None:
        a = self.writer.matrix(op.operand)
        target = component_type(op.result.type)
        assert isinstance(target, ScalarType)
        self._fill(self.new(op.result), lambda e: scalars.cast(f"{a.pointer}[{e}]", a.component, target))

    def _fill(self, target: MatrixCode, entry: Callable[[str], str]) -> None:
        e = self.writer.names.fresh("e")
        with self.writer.block(f"for {e} in range({target.entries}):"):
            self.writer.line(f"{target.pointer}[{e}] = {entry(e)}")
