"""Index notation of tensors, as `{i[k]m, m(jn) to i(jn)[k]}`: one letter for each mode of each operand.

An index map has the indices of one or two inputs and of the output. Two modifiers say how a product is computed as a
loop over gemm: `[k]` is an index that is looped over, and `(jn)` are indices that are treated as a single one. `_`
stands for no index, as a scalar has none. It is the notation of the immediate language of YATeTo (Index notation).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any, Literal

from ..diagnostics import LanguageError, Location, Rule, Source
from ..ir.fields import Field
from ..ir.text.reader import Reader, SyntaxProblem
from ..process.records import dataclass

MAP = Rule(
    "PYTL-0600",
    "an index map is {indices to indices} or {indices, indices to indices}; an index is a letter, [k] is looped over, "
    "(jn) are fused, and _ stands for none",
    "Index notation",
)
ARROW = "to"
_LETTERS = re.compile(r"[A-Za-z]+")
_FORM = "indices are letters, as ik; [k] is looped over, (jn) are fused, _ stands for none"

Kind = Literal["plain", "loop", "fused"]
_BRACKETS: dict[Kind, tuple[str, str]] = {"plain": ("", ""), "loop": ("[", "]"), "fused": ("(", ")")}


@dataclass(frozen=True)
class Piece:
    """Some indices of an operand that one modifier is for: an index, `[k]` or `(jn)`."""

    names: str
    """The letters: one, but for fused indices."""
    kind: Kind = "plain"
    locations: tuple[Location, ...] = field(default=(), compare=False, repr=False)
    """Where each letter stands; empty if unknown."""

    def __str__(self) -> str:
        opening, closing = _BRACKETS[self.kind]
        return f"{opening}{self.names}{closing}"


@dataclass(frozen=True)
class Indices:
    """The indices of an operand, one for each mode.

    >>> indices = IndexMap.parse("{i[k]m, m(jn) to i(jn)[k]}").output
    >>> indices.names, indices.loops, indices.fused, str(indices)
    ('ijnk', 'k', ('jn',), 'i(jn)[k]')
    """

    pieces: tuple[Piece, ...] = ()
    location: Location | None = field(default=None, compare=False, repr=False)
    """Where all of them stand."""

    @classmethod
    def of(cls, names: Iterable[str]) -> Indices:
        """Indices without modifiers."""
        return cls(tuple(Piece(name) for name in names))

    def __str__(self) -> str:
        return "".join(map(str, self.pieces)) or "_"

    @cached_property
    def names(self) -> str:
        """The letters, one for each mode."""
        return "".join(piece.names for piece in self.pieces)

    @cached_property
    def loops(self) -> str:
        """The indices that are marked as looped over."""
        return "".join(piece.names for piece in self.pieces if piece.kind == "loop")

    @cached_property
    def fused(self) -> tuple[str, ...]:
        """The groups of fused indices."""
        return tuple(piece.names for piece in self.pieces if piece.kind == "fused")

    @property
    def has_modifiers(self) -> bool:
        return any(piece.kind != "plain" for piece in self.pieces)

    def location_of(self, mode: int) -> Location | None:
        """Where the index of a mode stands; where the operand's indices stand, if that is all that is known."""
        locations = [
            location for piece in self.pieces for location in piece.locations or (self.location,) * len(piece.names)
        ]
        return locations[mode] if mode < len(locations) else self.location


@dataclass(frozen=True)
class IndexMap:
    """The indices of one or two inputs and of an output.

    The index sets are texts of letters without repetition, each in the order in which the operands have the letters:
    the output's first, then those of the inputs.

    >>> map = IndexMap.parse("{ilk, klj to ij}")
    >>> map.m, map.n, map.k, map.common, str(map)
    ('i', 'j', 'lk', '', '{ilk, klj to ij}')
    """

    inputs: tuple[Indices, ...]
    output: Indices
    location: Location | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of(cls, *operands: str) -> IndexMap:
        """A map without modifiers, of letters; the output's come last.

        >>> str(IndexMap.of("ik", "k", "i"))
        '{ik, k to i}'
        """
        *inputs, output = map(Indices.of, operands)
        return cls(tuple(inputs), output)

    @classmethod
    def parse(cls, text: str, name: str = "<index map>") -> IndexMap:
        """Read a map; raises `pytl.LanguageError` with the place of what is wrong."""
        reader = Reader(Source(name, text))
        try:
            index_map = read_index_map(reader)
            if not reader.scanner.at_end:
                reader.fail(f"expected the end of the index map, but found {reader.scanner.next_text()}", MAP)
        except SyntaxProblem:
            raise LanguageError(reader.diagnostics.items) from None
        return index_map

    def __str__(self) -> str:
        return f"{{{', '.join(map(str, self.inputs))} {ARROW} {self.output}}}"

    @property
    def operands(self) -> tuple[Indices, ...]:
        """The indices of the inputs, then those of the output."""
        return (*self.inputs, self.output)

    @cached_property
    def names(self) -> str:
        """All indices, each once."""
        return unique(self.output.names + "".join(indices.names for indices in self.inputs))

    @cached_property
    def common(self) -> str:
        """The indices that all operands of a product have: always loops."""
        return self._in_all(self.operands)

    @cached_property
    def loops(self) -> str:
        """The indices of a product that are looped over: marked ones, and those that all operands have.

        Those of the output are outer loops, and the others loops that sum up.
        """
        marked = "".join(indices.loops for indices in self.operands)
        return "".join(name for name in self.names if name in marked or name in self.common)

    @cached_property
    def m(self) -> str:
        """The indices of A and C alone that are not looped over: rows of the matrix product."""
        return self._in_two(self.inputs[0], self.output)

    @cached_property
    def n(self) -> str:
        """The indices of B and C alone that are not looped over: columns of the matrix product."""
        return self._in_two(self.inputs[1], self.output)

    @cached_property
    def k(self) -> str:
        """The indices of A and B alone that are not looped over: those that the matrix product sums over."""
        return self._in_two(self.inputs[0], self.inputs[1])

    @cached_property
    def summed(self) -> str:
        """The indices of the inputs that the output has not."""
        return "".join(name for name in self.names if name not in self.output.names)

    @cached_property
    def fused(self) -> tuple[str, ...]:
        """The groups of fused indices, each once."""
        return tuple(dict.fromkeys(group for indices in reversed(self.operands) for group in indices.fused))

    def modes_of(self, name: str) -> list[tuple[int, int]]:
        """The places of an index: the number of an operand, the output's last, and the mode in it."""
        return [
            (number, mode)
            for number, indices in enumerate(self.operands)
            for mode, letter in enumerate(indices.names)
            if letter == name
        ]

    def _in_all(self, operands: Sequence[Indices]) -> str:
        return "".join(name for name in self.names if all(name in indices.names for indices in operands))

    def _in_two(self, *operands: Indices) -> str:
        return "".join(name for name in self._in_all(operands) if name not in self.loops)


def unique(names: Iterable[str]) -> str:
    """Letters without repetitions.

    >>> unique("ijiki")
    'ijk'
    """
    return "".join(dict.fromkeys(names))


# Reading.


def read_index_map(reader: Reader) -> IndexMap:
    """An index map in braces. Blanks separate tokens and mean nothing else, so that `to` is no index behind others."""
    scanner = reader.scanner
    start = scanner.skip_blanks()
    _expect(reader, "{")
    inputs = [_read_indices(reader)]
    if reader.accept(","):
        inputs.append(_read_indices(reader))
    if reader.at(","):
        reader.fail("an index map has one or two inputs", MAP, "compute a product of more factors in several steps")
    _expect(reader, ARROW)
    output = _read_indices(reader)
    _expect(reader, "}")
    return IndexMap(tuple(inputs), output, scanner.location_from(start))


def _expect(reader: Reader, token: str) -> None:
    if not reader.accept(token):
        reader.fail(f"expected `{token}` of an index map, but found {reader.scanner.next_text()}", MAP, _FORM)


def _read_indices(reader: Reader) -> Indices:
    start = reader.scanner.skip_blanks()
    pieces: list[Piece] = []
    if reader.accept("_"):
        return Indices((), reader.scanner.location_from(start))
    while True:
        if reader.accept("["):
            pieces.append(_marked(reader, "loop"))
        elif reader.accept("("):
            pieces.append(_marked(reader, "fused"))
        elif (letters := list(_letters(reader, not pieces))) != []:
            pieces += [Piece(name, "plain", (location,)) for name, location in letters]
        else:
            break
    if not pieces:
        reader.fail(f"expected indices or _, but found {reader.scanner.next_text()}", MAP, _FORM)
    return Indices(tuple(pieces), reader.scanner.location_from(start))


def _marked(reader: Reader, kind: Kind) -> Piece:
    closing = _BRACKETS[kind][1]
    letters: list[tuple[str, Location]] = []
    while run := list(_letters(reader, True)):
        letters += run
    if not letters:
        reader.fail(f"expected an index, but found {reader.scanner.next_text()}", MAP, _FORM)
    if kind == "loop" and len(letters) > 1:
        names = "".join(f"[{name}]" for name, _ in letters)
        location = letters[1][1]
        reader.diagnostics.report(MAP, "one index stands in [ ]", location, f"write {names}")
        raise SyntaxProblem
    _expect(reader, closing)
    return Piece("".join(name for name, _ in letters), kind, tuple(location for _, location in letters))


def _letters(reader: Reader, is_first: bool) -> Iterator[tuple[str, Location]]:
    """The indices that stand next to each other here, with their places."""
    scanner = reader.scanner
    before, last_end = scanner.position, scanner.last_end
    match = scanner.match(_LETTERS)
    if match is None:
        return
    if match.group() == ARROW and not is_first:
        scanner.position, scanner.last_end = before, last_end
        return
    for offset, name in enumerate(match.group(), match.start()):
        yield name, scanner.source.location(offset, offset + 1)


class IndexMapPart(Field):
    """The index map of an instruction with so many inputs."""

    def __init__(self, inputs: int, description: str) -> None:
        super().__init__(description)
        self.inputs = inputs

    @property
    def grammar(self) -> str:
        return f"{{{', '.join(['indices'] * self.inputs)} {ARROW} indices}}"

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        return read_index_map(parser)

    def print(self, printer: Any, operation: Any) -> None:
        printer.write(str(getattr(operation, self.name)))
