"""Which types an instruction takes, found by asking its rules: what the tables of the reference pages are made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..diagnostics import Diagnostics
from ..ir.fields import Operand, Result, Variant
from ..ir.operation import Operation
from ..ir.types import SCALAR_TYPES, CoopMatrixType, ScalarType, Type, bool_
from ..ir.values import Value

KIND_NAMES = {"integer": "integer-type", "floating": "floating-type", "complex": "complex-type"}


def _classes() -> dict[str, list[Type]]:
    """The types by the words of the manual's grammar; a cooperative matrix of each component stands for its kind."""
    scalars = SCALAR_TYPES.values()
    types: dict[str, list[Type]] = {"boolean-type": [bool_]}
    for kind, name in KIND_NAMES.items():
        types[name] = [t for t in scalars if t.kind == kind]
    types["coopmatrix-type"] = [CoopMatrixType(t, 8, 8, "matrix_acc") for t in scalars]
    return types


def admits(cls: type[Operation], result: Type | None, **parts: Any) -> bool:
    """Whether an instruction with these parts breaks none of its rules. Operands are given by their types; without
    `result`, the result has the type that follows from them."""
    values: dict[str, Any] = {name: Value(part) if isinstance(part, Type) else part for name, part in parts.items()}
    diagnostics = Diagnostics()
    cls(None, None if result is None else [result], (), None, **values).verify(diagnostics)
    return not diagnostics.errors


def admitted_types(cls: type[Operation]) -> dict[str, str]:
    """The types on which each variant of an instruction is defined, in the words of the manual's tables; empty for
    instructions that have no variants or no operands.

    >>> from pytl.ops import ArithBinary
    >>> admitted_types(ArithBinary)["rem"]
    'integer-type / floating-type'
    """
    variant = next((part for part in cls.parts.values() if isinstance(part, Variant)), None)
    operands = [name for name, part in cls.parts.items() if isinstance(part, Operand)]
    if variant is None or not operands:
        return {}
    types_of_words = {}
    for word in variant.words:
        named = []
        for name, members in _classes().items():
            fitting = [t for t in members if admits(cls, None, **{variant.name: word}, **dict.fromkeys(operands, t))]
            named += [name] if fitting == members else [str(t) for t in fitting]
        types_of_words[word] = _joined(named)
    return types_of_words


def variant_results(cls: type[Operation]) -> dict[str, str]:
    """The result type of each variant of an instruction without operands."""
    variant = next((part for part in cls.parts.values() if isinstance(part, Variant)), None)
    if variant is None or any(isinstance(part, Operand) for part in cls.parts.values()):
        return {}
    operations = (cls(None, None, (), None, **{variant.name: word}) for word in variant.words)
    return {word: str(op.result.type) for word, op in zip(variant.words, operations)}


def cast_table(cls: type[Operation]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The columns and rows of a table from operand to result types of an instruction that converts."""
    (operand,) = (name for name, part in cls.parts.items() if isinstance(part, Operand))
    assert any(isinstance(part, Result) for part in cls.parts.values())
    kinds = {name: members for name, members in _classes().items() if isinstance(members[0], ScalarType)}
    rows = []
    for source, sources in kinds.items():
        row = [source]
        for targets in kinds.values():
            allowed = all(admits(cls, b, **{operand: a}) for a in sources for b in targets)
            row.append("yes" if allowed else "no")
        rows.append(tuple(row))
    return (("from / to", *kinds), tuple(rows))


def _joined(names: Iterable[str]) -> str:
    """The union of classes: all kinds of numbers together are scalar-type."""
    listed = list(names)
    if all(name in listed for name in KIND_NAMES.values()):
        position = listed.index("integer-type")
        listed = [name for name in listed if name not in KIND_NAMES.values()]
        listed.insert(position, "scalar-type")
    return " / ".join(listed) or "none"
