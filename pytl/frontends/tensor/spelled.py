"""What the tables of dialects are written with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from types import SimpleNamespace
from typing import Any

from ...ir.assembly import RegionArgument, read_template
from ...ir.fields import Field, RegionPart, SyntaxPart, Variant
from ...ir.operation import Operation
from ...ir.registry import all_instructions
from ...ir.spelling import Spelling
from ...ir.types import Type, index
from ...ir.values import Value
from ...ops.views import Slice, Slices

_FAMILIES = ("arith", "math")
"""Instructions of whose word the dialects write the variant only."""
_BRACKETS = re.compile(r"`\[`.*?`\]`")


def spelled(
    word: str,
    cls: type[Operation],
    assembly: str | None = None,
    *,
    modifiers: Sequence[str] | None = None,
    omitted: Mapping[str, str] | None = None,
    parts: Mapping[str, Field] | None = None,
    separator: str = ",",
    infers: bool = False,
    gives: str | None = None,
    is_legal: Callable[[Any], bool] | None = None,
    is_read: bool = True,
    form: str | None = None,
    fixed: Mapping[str, Any] | None = None,
) -> Spelling:
    """A line of a table: how the instruction is written whose parts have the values `fixed`.

    Where no textual form is given, it is that of the class, without blanks between the indices in brackets.
    """
    fixed = fixed or {}
    declared = tuple(name for name, part in cls.parts.items() if part.is_modifier and name not in fixed)
    for name, part in (parts or {}).items():
        part.name = name
    assembly = _BRACKETS.sub(
        lambda match: match[0].replace("`, `", "`,`"), cls.assembly if assembly is None else assembly
    )
    return Spelling(
        word,
        cls,
        fixed,
        declared if modifiers is None else tuple(modifiers),
        omitted or {},
        read_template(assembly),
        parts or {},
        separator,
        is_legal,
        infers,
        gives,
        is_read,
        form,
    )


def family(
    cls: type[Operation],
    word: Callable[[str], str],
    assembly: str | None = None,
    parts: Mapping[str, Field] | None = None,
    infers: bool = False,
) -> list[Spelling]:
    """The lines of all variants of an instruction."""
    name, part = next((name, part) for name, part in cls.parts.items() if isinstance(part, Variant))
    return [
        spelled(word(variant), cls, assembly, parts=parts, infers=infers, fixed={name: variant})
        for variant in part.words
    ]


def as_declared(
    listed: Sequence[Spelling], since: str, without: Set[type[Operation]] = frozenset()
) -> Iterator[Spelling]:
    """The lines of all instructions that the table has not listed, and that the dialect is not `without`.

    `since` is the namespace of those that the manual has not and the dialect has, without it.
    """
    known = {*without, *(spelling.cls for spelling in listed)}
    for cls in [*all_instructions(), *all_instructions(since)]:
        word = cls.mnemonic.removeprefix(f"{since}.")
        # the space between signs of the manual's textual forms is not in the dialects
        form = cls.assembly.replace("`) = `", "`)=`")
        if cls in known:
            continue
        if any(isinstance(part, Variant) for part in cls.parts.values()):
            head = "" if word in _FAMILIES else f"{word}."
            yield from family(cls, lambda variant, head=head: f"{head}{variant}", form)  # type: ignore[misc]
        else:
            yield spelled(word, cls, form)


class ElseRegion(RegionPart):
    """A region that is not written where nothing in it is; instructions of some classes never are."""

    def __init__(self, unwritten: tuple[type[Operation], ...] = ()) -> None:
        super().__init__("mixed")
        self.unwritten = unwritten

    def present(self, operation: Any) -> bool:
        region = getattr(operation, self.name)
        return region is not None and not all(isinstance(op, self.unwritten) for op in region.operations)


class Nowhere(SyntaxPart):
    """A sign of the manual's form that the dialect has not at this place, with what to write."""

    def __init__(self, sign: str, help: str) -> None:
        super().__init__()
        self.sign = sign
        self.help = help

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        if parser.at(self.sign):
            parser.fail(f"`{self.sign}` has no place here", help=self.help)

    def print(self, printer: Any, operation: Any) -> None:
        pass


class LoopName(SyntaxPart):
    """A loop variable, whose type follows from the bounds."""

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        return parser.local_name()

    def print(self, printer: Any, operation: Any) -> None:
        printer.value(operation.body.arguments[0])


class ResultTypeOf(SyntaxPart):
    """The type of what the dialect names as a result, and the instruction does not give."""

    def __init__(self, operand: str) -> None:
        super().__init__()
        self.operand = operand

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        return parser.type()

    def print(self, printer: Any, operation: Any) -> None:
        printer.write(str(getattr(operation, self.operand).type))


class WithoutEmpty(Slices):
    """Indices and slices; one of size 0, which drops the mode, is written as an index."""

    def print(self, printer: Any, operation: Any) -> None:
        slices = [Slice(piece.offset) if piece.size == 0 else piece for piece in operation.slices]
        super().print(printer, SimpleNamespace(slices=slices))


def type_of_bound(bound: Any) -> Type:
    """The type of a loop variable; index where the bound is a literal."""
    return bound.type if isinstance(bound, Value) else index


def inferred_argument(parts: dict[str, Any]) -> RegionArgument:
    """The argument of a loop whose bounds were read."""
    name, location = parts["loop_variable"]
    return name, location, type_of_bound(parts["start"])
