"""Dialects: tables of how instructions are written, over what the instructions' classes declare.

The manual's spelling is what the classes say. A dialect says where its own differs: the word, the order of the
modifiers and which of them may be left out, the textual form, and parts that it writes in its own way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from typing import Any

from ..diagnostics import Location
from ..process.records import dataclass
from . import registry
from .assembly import Item, PartsReader
from .attributes import print_attribute
from .fields import Field, Flag, Modifier
from .operation import Operation
from .types import AddressSpace, Type


@dataclass(frozen=True, eq=False)
class Spelling:
    """How one instruction is written: `word` stands for the class with the values `fixed` of some of its parts."""

    word: str
    cls: type[Operation]
    fixed: Mapping[str, Any]
    modifiers: tuple[str, ...]
    """The parts that stand behind the word, in their order."""
    omitted: Mapping[str, str]
    """What a modifier is where it is left out; as declared, if it isn't listed."""
    template: tuple[Item, ...]
    parts: Mapping[str, Field]
    """Parts that are written otherwise than the class says."""
    separator: str = ", "
    """What stands between the items of a list."""
    is_legal: Callable[[Any], bool] | None = None
    """Whether the dialect can say an instruction with these parts; all, where there is none."""
    infers: bool = False
    """Whether the types of results are not written, but follow from the operands."""
    gives: str | None = None
    """The operand of whose type the dialect has a result where the instruction has none."""
    is_read: bool = True
    """Whether the word is read as this instruction; else it is another one's, and this one is only written so."""
    form: str | None = None
    """The modifiers that messages name, where others of the same word have more than this one."""

    @property
    def manual_word(self) -> str:
        """The manual's word for what is written so."""
        fixed = (value for value in self.fixed.values() if isinstance(value, str) and value)
        return ".".join([self.cls.mnemonic, *fixed])

    def part(self, name: str) -> Field:
        return self.parts.get(name) or self.cls.parts[name]

    def default_of(self, name: str) -> Any:
        """What a modifier is where it is left out; None where it has to be written."""
        return self.omitted.get(name, self.cls.parts[name].default)

    def modifiers_of(self, operation: Operation) -> str:
        """The modifiers behind the word, with their dots.

        One that is at its default is left out, but not in front of another of the same words: `gemm.n.t`.
        """
        shown: list[str] = []
        behind: Iterable[str] = ()
        for name in reversed(self.modifiers):
            part, value = self.cls.parts[name], getattr(operation, name)
            if isinstance(part, Flag):
                shown += [part.word] if value else []
            elif isinstance(part, Modifier) and (value != self.default_of(name) or part.words.keys() == behind):
                shown.append(value)
                behind = part.words.keys()
        return "".join(f".{word}" for word in reversed(shown))

    def fits(self, operation: Operation) -> bool:
        fits = all(getattr(operation, name) == value for name, value in self.fixed.items())
        return fits and (self.is_legal is None or self.is_legal(operation))


@dataclass(frozen=True)
class WordMatch:
    """What a word of a text stands for."""

    spelling: Spelling
    rest: str
    """The modifiers, with their dots."""
    canonical: str | None = None
    """The word that is canonical, where another one is read as it."""
    others: tuple[Spelling, ...] = ()
    """Instructions of the same word and parts on other operands, which are looked at first."""


@dataclass(eq=False)
class Dialect:
    """The manual's language. Other dialects are `Table`s."""

    name: str | None = None
    indent: int = 2
    between_functions: str = "\n\n"
    before_attributes: str = ""
    """What stands between the type and the attributes of a parameter."""
    sorts_attributes: bool = False
    has_definitions: bool = False
    """Whether texts have compile-time variables, as `$n = 4`."""
    numbers_arguments_first: bool = False
    """Whether a loop's unnamed variables are numbered before its results."""
    has_calls: bool = True
    """Whether texts have functions that are called."""

    def find(self, word: str) -> WordMatch | None:
        """The instruction that a word, with its modifiers, begins with."""
        entry = registry.find(word)
        if entry is None:
            return None
        cls, canonical, is_alias = entry
        return WordMatch(declared(cls), canonical.removeprefix(cls.mnemonic), canonical if is_alias else None)

    writes_constants_in_place: bool = False
    """Whether literals stand where constants are used, so that there is nothing to say of them."""
    literals_take_types: bool = False
    """Whether a literal in the place of a value has the type that the text lists: 1 may be a float or a truth value."""

    def help_for_word(self, word: str) -> str | None:
        """What may be written in the place of a word that begins no instruction."""
        for make in tables:
            match = make().find(word)
            if match is not None:
                return f'write {match.spelling.manual_word}, or read the text with language="{make().name}"'
        similar = next(iter(registry.close_words(word)), None)
        return f"did you mean {similar}?" if similar else None

    def help_for_modifiers(self, word: str) -> str | None:
        """What may be written in the place of a word whose last modifiers its instruction has not."""
        return None

    def spelling_of(self, operation: Operation) -> Spelling | None:
        """How an instruction is written; None where the dialect has no form for it."""
        return declared(type(operation))

    def writes_type(self, type_: Type) -> bool:
        """Whether the dialect has the type."""
        return True

    def text_of(self, type_: Type) -> str:
        return str(type_)

    def read_type(self, parser: Any, default_space: AddressSpace) -> Type | None:
        """Read a type that the dialect writes in its own way; None where another one is next."""
        return None

    def function_attributes(self, attributes: dict[str, Any]) -> str:
        """The text of a function's attributes."""
        return f"attributes{print_attribute(attributes, self.sorts_attributes)}"

    def read_function_attributes(self, parser: Any) -> dict[str, Any]:
        """Read a function's attributes."""
        attributes: dict[str, Any] = parser.dictionary() if parser.accept("attributes") else {}
        return attributes

    def says_attributes(self, attributes: dict[str, Any], of_function: bool) -> bool:
        """Whether the dialect has these attributes of a function, or of a parameter."""
        return True

    def in_place(self, operation: Operation | None) -> str | None:
        """What is written in the place of an instruction's value, where the instruction itself is not written."""
        return None

    def resolve(self, function: Any) -> None:
        """Change a function that was read, where its parts say only together what instructions stand for."""

    def replaced(self, word: str) -> Callable[[PartsReader, Location], Operation] | None:
        """What reads a word in whose place other instructions stand; the last of them gives the value."""
        return None


tables: list[Callable[[], Table]] = []
"""Makes each dialect but the manual's."""

_declared: dict[type[Operation], Spelling] = {}


def declared(cls: type[Operation]) -> Spelling:
    """The manual's spelling of an instruction."""
    if cls not in _declared:
        modifiers = tuple(name for name, part in cls.parts.items() if part.is_modifier)
        _declared[cls] = Spelling(cls.mnemonic, cls, {}, modifiers, {}, cls.template, {})
    return _declared[cls]


MANUAL = Dialect()


@dataclass(eq=False)
class Table(Dialect):
    """A dialect that is a table of spellings."""

    has_calls: bool = False
    spellings: list[Spelling] = field(default_factory=list)
    helps: Mapping[str, str] = field(default_factory=dict)
    """What to write in the place of instructions that have no form, by the manual's words for them."""

    def __post_init__(self) -> None:
        self._by_word: dict[str, list[Spelling]] = {}
        for spelling in filter(lambda each: each.is_read, self.spellings):
            self._by_word.setdefault(spelling.word, []).append(spelling)
        self._by_class: dict[type[Operation], list[Spelling]] = {}
        for spelling in self.spellings:
            self._by_class.setdefault(spelling.cls, []).append(spelling)

    @property
    def words(self) -> list[str]:
        """What instructions of texts begin with."""
        return list(self._by_word)

    def find(self, word: str) -> WordMatch | None:
        head, rest = word, ""
        while head:
            if head in self._by_word:
                first, *others = self._by_word[head]
                return WordMatch(first, rest, others=tuple(others))
            head, dot, last = head.rpartition(".")
            rest = f"{dot}{last}{rest}"
        return None

    def help_for_word(self, word: str) -> str | None:
        known = MANUAL.find(word)
        if known is not None and not registry.is_of_backend(known.spelling.cls):
            spelled = [s.word for s in self._by_class.get(known.spelling.cls, ()) if _is_meant(s, known)]
            if spelled:
                return f"did you mean {spelled[0]}?"
            other = f"the dialect {self.name} has none, but the manual's language has"
            return self.helps.get(known.canonical or word, other)
        variants = [s.word for s in self.spellings if s.cls.mnemonic == word]
        longer = variants or [w for w in self.words if w.startswith(f"{word}.") or w.endswith(f".{word}")]
        from difflib import get_close_matches

        similar = next(iter(longer or get_close_matches(word.split(".")[0], self.words, n=1)), None)
        return f"did you mean {similar}?" if similar else None

    def help_for_modifiers(self, word: str) -> str | None:
        known = MANUAL.find(word)
        if known is None:
            return None
        lines = (line for line in self._by_class.get(known.spelling.cls, ()) if any(line.fixed.values()))
        meant = next((line.word for line in lines if _is_meant(line, known)), None)
        return f"did you mean {meant}?" if meant else None

    def prepared(self, function: Any) -> tuple[Table, Any]:
        """The table by which a function is written, and the function as it is written."""
        return self, function

    def help_for(self, operation: Operation) -> str | None:
        """What may be written in the place of an instruction that has no form."""
        return self.helps.get(operation.word)

    def spelling_of(self, operation: Operation) -> Spelling | None:
        return next(self.spellings_of(operation), None)

    def spellings_of(self, operation: Operation) -> Iterator[Spelling]:
        """All ways to write an instruction, the one that is printed first."""
        return (spelling for spelling in self._by_class.get(type(operation), ()) if spelling.fits(operation))


def _is_meant(spelling: Spelling, known: WordMatch) -> bool:
    """Whether a spelling is of the instruction that the manual writes by a word."""
    words = known.rest.split(".")
    return all(value in words for value in spelling.fixed.values() if isinstance(value, str) and value)
