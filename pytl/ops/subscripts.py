"""Subscripts of contractions as Python has them, `ik,kj->ij`: those of numpy.einsum, with the modifiers of index maps.

`[k]` is looped over, `(jn)` are treated as one index, `_` and nothing at all stand for no index, `...` for the modes
that the letters leave. Without `->`, the output has the indices that occur once, in the order of the alphabet.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from ..diagnostics import Location, Rule
from ..diagnostics.words import counted
from ..ir.types import Extent
from ..process.records import dataclass
from .index_notation import Indices, Piece, unique

_SECTION = "Contractions"
SUBSCRIPTS = Rule(
    "PYTL-0690",
    "subscripts are those of numpy.einsum, as ik,kj->ij; [k] is looped over, and (jn) are one index",
    _SECTION,
)
OPERANDS = Rule("PYTL-0691", "each operand has its subscripts, with an index for each mode", _SECTION)
SIZES = Rule(
    "PYTL-0692", "modes with the same index have the same size; a static size never equals a dynamic one", _SECTION
)
Place = Callable[[int, int], "Location | None"]
"""The location of some characters of the subscripts."""
_TOKEN = re.compile(r"\s+|\.\.\.|[A-Za-z]|_|\[([A-Za-z])\]|\(([A-Za-z]+)\)")
_FORM = "write letters, as in ik,kj->ij; [k] is looped over, (jn) are one index, ... stands for all other modes"
ELLIPSIS = "..."


class SubscriptProblem(Exception):
    """What is wrong with subscripts, and where."""

    def __init__(self, rule: Rule, message: str, location: Location | None, help: str | None = None) -> None:
        super().__init__(message)
        self.rule, self.message, self.location, self.help = rule, message, location, help


@dataclass(frozen=True)
class Subscripts:
    """The indices of inputs and of an output.

    >>> subscripts = Subscripts.read("...k,kj", [3, 2])
    >>> [indices.names for indices in subscripts.inputs], subscripts.output.names
    (['ABk', 'kj'], 'ABj')
    """

    inputs: tuple[Indices, ...]
    output: Indices
    shown: Mapping[str, str | None] = field(default_factory=dict, compare=False, repr=False)
    """What the user calls an index that is not written as its letter; None where nothing is written, as under `...`."""

    @classmethod
    def read(
        cls,
        text: str,
        orders: Sequence[int],
        locate: Place = lambda start, end: None,
        shown: Mapping[str, str | None] | None = None,
    ) -> Subscripts:
        """Read subscripts for operands of these orders; raises a `SubscriptProblem`."""
        head, arrow, tail = text.partition("->")
        terms = []
        start = 0
        for part in head.split(","):
            terms.append(_Term(part, start, locate))
            start += len(part) + 1
        if len(terms) != len(orders):
            described = counted(len(terms), "operand")
            passed = counted(len(orders), "is", "are")
            message = f"the subscripts are for {described}, but {passed} given"
            raise SubscriptProblem(OPERANDS, message, terms[-1].location)
        written = "".join(term.letters for term in terms)
        rest = _rest(terms, orders, written + tail)
        shown = {**(shown or {}), **dict.fromkeys(rest)}
        inputs = tuple(term.indices(rest, order) for term, order in zip(terms, orders))
        if not arrow:
            counts = Counter(written)
            names = rest + "".join(sorted(name for name, count in counts.items() if count == 1))
            return cls(inputs, Indices.of(names), shown)
        output = _Term(tail, len(head) + len(arrow), locate)
        cls._check_output(output, written, shown)
        return cls(inputs, output.indices(rest, None), shown)

    @staticmethod
    def _check_output(output: _Term, written: str, shown: Mapping[str, str | None]) -> None:
        for number, (name, location) in enumerate(zip(output.letters, output.locations)):
            index = f"index {shown.get(name, name)}"
            if name not in written:
                raise SubscriptProblem(SUBSCRIPTS, f"{index} of the output is in no operand", location)
            if name in output.letters[:number]:
                message = f"{index} occurs twice in the output"
                raise SubscriptProblem(
                    SUBSCRIPTS, message, location, "an index that the inputs repeat takes their diagonal"
                )

    @property
    def has_modifiers(self) -> bool:
        return any(indices.has_modifiers for indices in (*self.inputs, self.output))

    def check_sizes(self, shapes: Sequence[tuple[Extent, ...]], repeats: bool = False) -> dict[str, Extent]:
        """The size of each index; raises a `SubscriptProblem` where one has two.

        The shapes are those of the inputs, and the output's where that is given, too. `repeats` says that a mode of
        size 1 stands for any size that another operand has, unless it is fused.

        >>> Subscripts.read("ij,jk", [2, 2]).check_sizes([(4, 1), (3, 5)], repeats=True)
        {'i': 4, 'j': 3, 'k': 5}
        """
        operands = (*self.inputs, self.output)
        fused = {name for indices in operands for group in indices.fused for name in group}
        sizes: dict[str, tuple[Extent, int, int]] = {}
        for number, (indices, shape) in enumerate(zip(operands, shapes)):
            own: dict[str, tuple[Extent, int, int]] = {}
            for mode, (name, size) in enumerate(zip(indices.names, shape)):
                use = (size, number, mode)
                may_repeat = repeats and name not in fused and name not in own
                before = own.get(name) or sizes.get(name, use)
                if before[0] != size and not (may_repeat and 1 in (before[0], size)):
                    raise SubscriptProblem(SIZES, self._two_sizes(name, before, use), indices.location_of(mode))
                own[name] = use
                if name not in sizes or sizes[name][0] == 1:
                    sizes[name] = use
        return {name: size for name, (size, _, _) in sizes.items()}

    def _two_sizes(self, name: str, first: tuple[Extent, int, int], second: tuple[Extent, int, int]) -> str:
        index = self.shown.get(name, name)
        sizes = []
        for size, number, mode in (first, second):
            operand = _ordinal(number, len(self.inputs))
            sizes.append(f"mode {mode} of {operand} has size {size}" if index is None else f"{size} in {operand}")
        return ", but ".join(sizes) if index is None else f"index {index} has size {', but '.join(sizes)}"

    def without_repeated(self, shapes: Sequence[tuple[Extent, ...]]) -> tuple[Subscripts, list[tuple[int, ...]]]:
        """The subscripts without modes of size 1 that are repeated, and the modes that each input keeps.

        >>> read, kept = Subscripts.read("ij,jk", [2, 2]).without_repeated([(4, 1), (3, 5)])
        >>> [indices.names for indices in read.inputs], kept
        (['i', 'jk'], [(0,), (0, 1)])
        """
        sizes = self.check_sizes(shapes, repeats=True)
        kept_modes = [
            tuple(mode for mode, (name, n) in enumerate(zip(indices.names, shape)) if n == sizes[name])
            for indices, shape in zip(self.inputs, shapes)
        ]
        if all(len(modes) == len(shape) for modes, shape in zip(kept_modes, shapes)):
            return self, kept_modes
        inputs = []
        for indices, modes in zip(self.inputs, kept_modes):
            names_left = {indices.names[mode] for mode in modes}
            pieces = tuple(piece for piece in indices.pieces if not piece.names or piece.names[0] in names_left)
            inputs.append(Indices(pieces, indices.location))
        return Subscripts(tuple(inputs), self.output, self.shown), kept_modes


class _Term:
    """The subscripts of one operand."""

    def __init__(self, text: str, start: int, locate: Place) -> None:
        self.pieces: list[Piece | str] = []
        self.location = locate(start, start + max(len(text), 1))
        position = 0
        while position < len(text):
            match = _TOKEN.match(text, position)
            location = locate(start + position, start + position + 1)
            if match is None:
                raise SubscriptProblem(SUBSCRIPTS, f"`{text[position]}` is no part of subscripts", location, _FORM)
            begin, token = start + position, match.group()
            if token == ELLIPSIS:
                if ELLIPSIS in self.pieces:
                    raise SubscriptProblem(SUBSCRIPTS, "... stands once in the subscripts of an operand", location)
                self.pieces.append(ELLIPSIS)
            elif match[1] or match[2]:
                names = match[1] or match[2]
                locations = tuple(locate(begin + 1 + k, begin + 2 + k) for k in range(len(names)))
                self.pieces.append(Piece(names, "loop" if match[1] else "fused", locations))  # type: ignore[arg-type]
            elif token.isalpha():
                self.pieces.append(Piece(token, "plain", (location,)))  # type: ignore[arg-type]
            position = match.end()

    @property
    def letters(self) -> str:
        return "".join(piece.names for piece in self.pieces if isinstance(piece, Piece))

    @property
    def locations(self) -> list[Location | None]:
        return [location for piece in self.pieces if isinstance(piece, Piece) for location in piece.locations]

    def indices(self, rest: str, order: int | None) -> Indices:
        """The indices, with the last letters of `rest` for the modes that the term leaves; all of them if no order."""
        left = len(rest) if order is None else order - len(self.letters)
        if order is not None and (left < 0 or (left and ELLIPSIS not in self.pieces)):
            index_count = counted(len(self.letters), "index", "indices")
            message = f"the operand has {counted(order, 'mode')}, but {index_count}"
            raise SubscriptProblem(OPERANDS, message, self.location)
        pieces: list[Piece] = []
        for piece in self.pieces:
            if isinstance(piece, Piece):
                pieces.append(piece)
            else:
                pieces += Indices.of(rest[len(rest) - left :]).pieces
        return Indices(tuple(pieces), self.location)


def _rest(terms: Sequence[_Term], orders: Sequence[int], taken: str) -> str:
    """Letters for the modes that stand behind `...`: the same ones from the last mode on in every operand."""
    modes = max((o - len(t.letters) for t, o in zip(terms, orders) if ELLIPSIS in t.pieces), default=0)
    free = [letter for letter in string.ascii_uppercase + string.ascii_lowercase if letter not in taken]
    if modes > len(free):
        message = f"... stands for {counted(modes, 'mode')}, but only {len(free)} of the 52 letters are left for them"
        raise SubscriptProblem(OPERANDS, message, next(t.location for t in terms if ELLIPSIS in t.pieces))
    return unique(free[: max(modes, 0)])


def _ordinal(number: int, inputs: int) -> str:
    return "the output" if number == inputs else f"operand {number}"
