"""The reference page of an instruction, made of its definition: for `pytl ops gemm` and for docs/reference."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Sequence

from ..diagnostics import Rule
from ..ir.assembly import Item, Optional_, Part, Token
from ..ir.fields import Attributes, Flag, Modifier, Operand, Result, ResultList, Variant
from ..ir.operation import Operation
from ..ir.registry import all_instructions
from ..ir.types import Kind
from ..process.records import dataclass
from .admitted import admitted_types, cast_table, variant_results

KINDS: dict[Kind, str] = {
    "collective": "the work-items of the work-group share the work; they are allowed in collective regions",
    "mixed": "they are allowed in regions of either kind",
    "spmd": "each work-item executes them for itself; they are allowed in the regions of foreach and parallel",
}
"""What the kinds of instructions are, in the order of the manual."""


@dataclass(frozen=True)
class Table:
    """What a page tells in rows. Columns that are named `…` hold words, the others code."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def is_matrix(self) -> bool:
        """Whether the columns' names are needed to read the rows."""
        return "…" not in self.columns and len(self.columns) > 2


@dataclass(frozen=True)
class Page:
    """What there is to say of an instruction."""

    name: str
    word: str
    kind: Kind
    section: str
    syntax: str
    meaning: str
    tables: tuple[Table, ...]

    def __str__(self) -> str:
        """The page as plain text."""
        article = "An" if self.kind == "spmd" else "A"
        kind = self.kind.upper() if self.kind == "spmd" else self.kind
        lines = [self.syntax, "", self.meaning, "", f"{article} {kind} instruction; manual: {self.section}."]
        for table in self.tables:
            lines += [
                "",
                table.title,
                *_aligned(table.rows if len(table.columns) < 4 else [table.columns, *table.rows]),
            ]
        return "\n".join(line.rstrip() for line in lines)


def page_of(cls: type[Operation], catalogue: Iterable[Rule] = ()) -> Page:
    """The page of an instruction. `catalogue` may hold rules that are declared elsewhere, such as those of execution;
    of these, the ones of the instruction's section are listed behind its own."""
    own = [check.rule for check in cls.rules]
    rules = own + [rule for rule in catalogue if rule.section == cls.section and rule not in own]
    tables = [
        Table("Operands", ("name", "type", "…"), tuple(_operands(cls))),
        Table("Also written", ("part", "…"), tuple(_further_parts(cls))),
        _results(cls),
        *_modifiers(cls),
        Table("Attributes", ("name", "type"), tuple(_attributes(cls))),
        *cast_tables(cls),
        Table("Other spellings", ("word", "…"), tuple(_spellings(cls))),
        Table("Rules", ("code", "…"), tuple((rule.code, rule.text) for rule in rules)),
    ]
    return Page(
        page_name(cls),
        cls.mnemonic,
        cls.kind,
        cls.section,
        syntax(cls),
        inspect.cleandoc(cls.__doc__ or ""),
        tuple(table for table in tables if table.rows),
    )


def page_name(cls: type[Operation]) -> str:
    """The name of an instruction's page: its mnemonic; families that share one go by their sections, too.

    >>> from pytl.ops import ArithUnary, Gemm
    >>> page_name(Gemm), page_name(ArithUnary)
    ('gemm', 'arith_unary')
    """
    family = re.search(r"\((\w+)\)", cls.section)
    name = cls.mnemonic.replace(".", "_")
    return f"{name}_{family[1].lower()}" if family else name


def instructions_with_pages() -> list[type[Operation]]:
    """The instructions of the manual, and those of other documents that a user's text may have, as `yateto.log`."""
    others = (cls for namespace in ("yateto", "xetile", "v03", "v04", "pytl") for cls in all_instructions(namespace))
    return [*all_instructions(), *others]


def by_kind() -> dict[Kind, list[type[Operation]]]:
    """The instructions of each kind, in the order of their words."""
    instructions: dict[Kind, list[type[Operation]]] = {kind: [] for kind in KINDS}
    for cls in sorted(all_instructions(), key=lambda cls: (cls.mnemonic, cls.section)):
        instructions[cls.kind].append(cls)
    return instructions


def kind_title(kind: Kind) -> str:
    """A kind as the manual writes it at the beginning of a sentence."""
    return kind.upper() if kind == "spmd" else kind.capitalize()


def overview() -> str:
    """The syntax of each instruction on a line, by kind."""
    blocks = []
    for kind, members in by_kind().items():
        lines = [f"{kind_title(kind)} instructions: {KINDS[kind]}", "", *(f"  {syntax(cls)}" for cls in members)]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def syntax(cls: type[Operation]) -> str:
    """The textual form: `gemm(.n|.t)(.n|.t)[.atomic] %alpha, %A, %B, %beta, %C`."""
    modifiers = "".join(part.grammar for part in cls.parts.values() if part.is_modifier)
    results = [part for part in cls.parts.values() if isinstance(part, Result)]
    head = "".join("[%result, … = ]" if isinstance(part, ResultList) else "%result = " for part in results)
    return f"{head}{cls.mnemonic}{modifiers}{_items(cls, cls.template)}"


def python_signature(cls: type[Operation]) -> inspect.Signature:
    """The parameters that building the instruction in Python takes: operands, then modifiers by keyword."""
    parameters = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        for name, part in cls.parts.items()
        if isinstance(part, Operand)
    ]
    parameters += [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=part.default if part.default is not None else inspect.Parameter.empty,
        )
        for name, part in cls.parts.items()
        if part.is_modifier
    ]
    return inspect.Signature(parameters)


def _operands(cls: type[Operation]) -> Iterable[tuple[str, str, str]]:
    for part in cls.parts.values():
        if isinstance(part, Operand):
            yield part.name, str(part.constraint), part.description


def _further_parts(cls: type[Operation]) -> Iterable[tuple[str, str]]:
    """What the textual form has besides operands, modifiers and types: integers, slices, shapes."""
    for part in cls.parts.values():
        if part.description and not part.is_modifier and not isinstance(part, (Operand, Result, Attributes)):
            yield part.grammar, part.description


def _results(cls: type[Operation]) -> Table:
    results = [part for part in cls.parts.values() if isinstance(part, Result)]
    title = "Results" if any(isinstance(part, ResultList) for part in results) else "Result"
    rows = tuple((str(part.constraint), part.description) for part in results)
    return Table(title, ("type", "…"), rows)


def _modifiers(cls: type[Operation]) -> Iterable[Table]:
    rows: list[tuple[str, ...]] = []
    admitted = admitted_types(cls)
    results = variant_results(cls)
    for part in cls.parts.values():
        if isinstance(part, Variant):
            words = [(f".{word}", meaning) for word, meaning in part.words.items()]
            if admitted:
                types = [admitted[word.removeprefix(".")] for word, _ in words]
                columns: tuple[str, ...] = ("word", "allowed types", "…")
            else:
                types = [results[word.removeprefix(".")] for word, _ in words]
                columns = ("word", "type", "…")
            yield Table("Variants", columns, tuple((w, t, m) for (w, m), t in zip(words, types)))
        elif isinstance(part, Modifier):
            listed = [(f".{word}", meaning) for word, meaning in part.words.items() if word]
            rows += [row for row in listed if row not in rows]
        elif isinstance(part, Flag):
            rows.append((f".{part.word}", part.description))
    yield Table("Modifiers", ("word", "…"), tuple(rows))


def _attributes(cls: type[Operation]) -> Iterable[tuple[str, str]]:
    for part in cls.parts.values():
        if isinstance(part, Attributes):
            yield from part.known.items()


def cast_tables(cls: type[Operation]) -> Iterable[Table]:
    """The table of casts, on the page of cast."""
    if cls.mnemonic == "cast":
        columns, rows = cast_table(cls)
        yield Table("Allowed types", columns, rows)


def _spellings(cls: type[Operation]) -> Iterable[tuple[str, str]]:
    for spelling in cls.spellings:
        yield spelling, f"read as {cls.mnemonic}"
    for alias in cls.aliases:
        word = next((word for word in cls.words() if word.endswith(f".{alias}")), cls.mnemonic)
        yield alias, f"read as {word}, with a note"


def _items(cls: type[Operation], items: Sequence[Item]) -> str:
    text = ""
    for item in items:
        if isinstance(item, Token):
            text += item.spellings[0]
        elif isinstance(item, Part):
            text += cls.parts[item.name].grammar
        elif isinstance(item, Optional_):
            inner = _items(cls, item.items)
            lead = inner[: len(inner) - len(inner.lstrip())]
            text += f"{lead}[{inner.strip()}]"
    return text


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  " + "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths)).rstrip() for row in rows]
