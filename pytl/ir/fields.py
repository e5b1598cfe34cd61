"""The parts an instruction is declared from: each knows how it is stored, printed, parsed and checked.

An instruction's class lists its parts as class attributes; `Operation` derives everything else from them. The values
and regions of parts are those of `ir/operation.py`, of which this module needs to know nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from .assembly import PartsPrinter, PartsReader, RegionArgument
from .constraints import Constraint
from .types import Kind


class Field:
    """Base of all parts. `grammar` is how the reference page writes the part."""

    default: Any = None
    is_stored: ClassVar[bool] = True
    """Whether instances hold something under the part's name."""
    is_modifier: ClassVar[bool] = False
    """Whether the part belongs to the instruction's word (`gemm.n.t`) rather than standing behind it."""

    def __init__(self, description: str = "") -> None:
        self.description = description
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @property
    def grammar(self) -> str:
        return self.name

    def present(self, operation: Any) -> bool:
        """Whether there is something to print; decides over an optional group of the textual form."""
        return getattr(operation, self.name) is not None

    def begins(self, parser: PartsReader) -> bool:
        """Whether the text continues with this part; decides over an optional group that begins with it."""
        raise NotImplementedError

    def values(self, stored: Any) -> Iterable[Any]:
        """The values used here."""
        return ()

    def map(self, stored: Any, change: Callable[[Any], Any]) -> Any:
        """What is stored, with every used value replaced by `change(value)`."""
        return stored

    def parse(self, parser: PartsReader, parts: dict[str, Any]) -> Any:
        """Read the part; `parts` holds those read before it."""
        raise NotImplementedError

    def print(self, printer: PartsPrinter, operation: Any) -> None:
        raise NotImplementedError


class Operand(Field):
    """One used value."""

    def __init__(self, constraint: Constraint, description: str = "", optional: bool = False) -> None:
        super().__init__(description)
        self.constraint = constraint
        self.optional = optional

    @property
    def grammar(self) -> str:
        return f"%{self.name}"

    def values(self, stored: Any) -> Iterable[Any]:
        return () if stored is None else (stored,)

    def map(self, stored: Any, change: Callable[[Any], Any]) -> Any:
        return None if stored is None else change(stored)

    def parse(self, parser: PartsReader, parts: dict[str, Any]) -> Any:
        return parser.operand()

    def print(self, printer: PartsPrinter, operation: Any) -> None:
        printer.value(getattr(operation, self.name))


class OperandList(Operand):
    """Used values separated by commas; may be empty."""

    default = ()

    @property
    def grammar(self) -> str:
        return f"[%{self.name}, …]"

    def values(self, stored: Any) -> Iterable[Any]:
        return tuple(stored)

    def map(self, stored: Any, change: Callable[[Any], Any]) -> Any:
        return [change(value) for value in stored]

    def parse(self, parser: PartsReader, parts: dict[str, Any]) -> Any:
        return parser.comma_separated(parser.operand, closing="])")

    def print(self, printer: PartsPrinter, operation: Any) -> None:
        printer.separated(getattr(operation, self.name), printer.value)


class Modifier(Field):
    """One word of a set after the mnemonic, as `.t` of `.n` / `.t`. With a default the word may be left out."""

    is_modifier = True

    def __init__(self, words: Mapping[str, str], default: str | None = None) -> None:
        super().__init__(" · ".join(f"`.{word}`: {meaning}" for word, meaning in words.items() if word))
        self.words = dict(words)
        self.default = default

    @property
    def grammar(self) -> str:
        choice = "|".join(f".{word}" for word in self.words if word)
        return f"[{choice}]" if self.default is not None else f"({choice})"


class Variant(Modifier):
    """The word after the dot of a family of instructions, as `add` in `arith.add`; it is part of the mnemonic."""


class Flag(Field):
    """A single optional word after the mnemonic, as `.atomic`."""

    is_modifier = True
    default = False

    def __init__(self, description: str = "", word: str | None = None) -> None:
        super().__init__(description)
        self._word = word

    @property
    def word(self) -> str:
        return self._word or self.name

    @property
    def grammar(self) -> str:
        return f"[.{self.word}]"


class IntegerConstant(Field):
    """An integer literal that is part of the instruction, not a value."""

    def parse(self, parser: PartsReader, parts: dict[str, Any]) -> Any:
        return parser.integer()

    def print(self, printer: PartsPrinter, operation: Any) -> None:
        printer.write(str(getattr(operation, self.name)))


class Attributes(Field):
    """A dictionary attribute; `known` maps the admitted names to what they take.

    That is "integer", "boolean", "boolean or positive integer", "integers" or "text".
    """

    def __init__(self, known: Mapping[str, str]) -> None:
        super().__init__()
        self.known = dict(known)

    @property
    def default(self) -> Any:
        return {}

    @property
    def grammar(self) -> str:
        return "{…}"

    def present(self, operation: Any) -> bool:
        return bool(getattr(operation, self.name))

    def begins(self, parser: PartsReader) -> bool:
        return parser.at("{") or parser.at_definition

    def parse(self, parser: PartsReader, parts: dict[str, Any]) -> Any:
        return parser.dictionary()

    def print(self, printer: PartsPrinter, operation: Any) -> None:
        printer.attributes(getattr(operation, self.name))


class SyntaxPart(Field):
    """Something written in the textual form that is not stored by itself, such as a loop variable's name."""

    is_stored = False


class ArgumentNames(SyntaxPart):
    """The names of some arguments of the region, which `of` gives; the text shows one of them as `word`."""

    def __init__(self, word: str, of: Callable[[Any], Sequence[Any]]) -> None:
        super().__init__()
        self._word, self._of = word, of

    @property
    def grammar(self) -> str:
        return f"{self._word}, …"

    def parse(self, parser: PartsReader, parts: dict[str, Any]) -> Any:
        return parser.comma_separated(parser.local_name, closing=")")

    def print(self, printer: PartsPrinter, operation: Any) -> None:
        printer.separated(self._of(operation), printer.value)


class RegionPart(Field):
    """A region. `arguments` derives its arguments (name, place, type) from the parts read before it."""

    def __init__(
        self,
        kind: Kind,
        description: str = "",
        arguments: Callable[[dict[str, Any]], list[RegionArgument]] = lambda parts: [],
    ) -> None:
        super().__init__(description)
        self.kind: Kind = kind
        self.arguments = arguments

    @property
    def grammar(self) -> str:
        return "{ … }"

    def parse(self, parser: PartsReader, parts: dict[str, Any]) -> Any:
        return parser.region(self.kind, self.arguments(parts))

    def print(self, printer: PartsPrinter, operation: Any) -> None:
        printer.region(getattr(operation, self.name))


class Result(Field):
    """The one value that an instruction gives; the textual form annotates its type.

    Where that is always the type of an operand, `like` names this.
    """

    is_stored = False

    def __init__(self, constraint: Constraint, description: str = "", like: str = "") -> None:
        super().__init__(description)
        self.constraint = constraint
        self.like = like

    def __get__(self, operation: Any, owner: type | None = None) -> Any:
        return self if operation is None else operation.results[0]

    @property
    def grammar(self) -> str:
        return str(self.constraint)

    def parse(self, parser: PartsReader, parts: dict[str, Any]) -> Any:
        parts["result_types"] = [parser.type()]
        return None

    def print(self, printer: PartsPrinter, operation: Any) -> None:
        printer.type(operation.results[0].type)


class ResultList(Result):
    """Any number of values; the textual form lists their types in parentheses. `like` names a list of operands."""

    def __get__(self, operation: Any, owner: type | None = None) -> Any:
        return self if operation is None else operation.results

    def present(self, operation: Any) -> bool:
        return bool(operation.results)

    @property
    def grammar(self) -> str:
        return f"{self.constraint}, …"

    def parse(self, parser: PartsReader, parts: dict[str, Any]) -> Any:
        parts["result_types"] = parser.comma_separated(parser.type, closing=")")
        return None

    def print(self, printer: PartsPrinter, operation: Any) -> None:
        printer.separated(operation.results, lambda value: printer.type(value.type))
