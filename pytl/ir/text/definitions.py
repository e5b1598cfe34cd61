"""Compile-time variables of the dialect 0.4: `$ty = f32`, `$n = !calc($a 2 *)`.

A variable stands for a constant, a type or an attribute. It is replaced while the text is read; each place where it was
replaced is noted at the source, so that what is said there shows what stands for it.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from numbers import Integral, Real
from typing import Any

from ...diagnostics import Label, LanguageError, Location, Source
from ...process.records import dataclass
from ..attributes import print_attribute
from ..types import MemrefType, ScalarType, Type
from . import rules
from .literals import MAX_INTEGER
from .reader import Reader, SyntaxProblem

NAME = re.compile(r"\$([0-9]+|[A-Za-z][A-Za-z0-9_]*)")
_TERM = re.compile(r"[+-]?[0-9]+(?![\w.])|(?:min|max|shl)\b|[\^*/%+-]")
MAX_DEEP = 32
"""How deep the attributes are nested that a variable stands for."""
MAX_ENTRIES = 1_000_000
"""Entries of arrays and dictionaries, and characters of strings, that all uses of variables in a text may give."""
_SMALL = 128
"""The most bits of a power's base, times its exponent, that is computed at all."""
_UNKNOWN: Any = object()
"""The value of a variable whose definition could not be read."""


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _power(a: int, b: int) -> int:
    if b < 0 or (a not in (-1, 0, 1) and a.bit_length() * b > _SMALL):
        raise OverflowError
    return int(a ** (b if a not in (-1, 0, 1) else b % 2 + 2 * (b > 1)))


def _shift(a: int, b: int) -> int:
    if not 0 <= b < 64:
        raise OverflowError
    return a << b


_OPERATORS: Mapping[str, Callable[[int, int], int]] = {
    "^": _power,
    "-": operator.sub,
    "+": operator.add,
    "*": operator.mul,
    "/": _quotient,
    "%": lambda a, b: a - b * _quotient(a, b),
    "min": min,
    "max": max,
    "shl": _shift,
}
_KINDS: dict[Any, str] = {
    bool: "a boolean constant",
    int: "an integer constant",
    float: "a floating constant",
    ScalarType: "a scalar type",
    MemrefType: "a memref type",
    Type: "a type",
    dict: "a dictionary attribute",
    list: "an array attribute",
    str: "a string attribute",
}


def _kind(value: Any) -> str:
    return next(words for cls, words in _KINDS.items() if isinstance(value, cls))


@dataclass(frozen=True)
class Definition:
    """What a variable stands for, and where it is defined; None for one that the caller gives."""

    value: Any
    location: Location | None

    def __str__(self) -> str:
        text = str(self.value) if isinstance(self.value, Type) else print_attribute(self.value)
        return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


_MAX_SUGGESTED = 20
"""Names of variables that a help lists, and helps that list them: each looks at every name."""
_SHOWN = 60
"""Characters that a message shows of what a variable stands for."""


class _Sizes:
    """How large values are: entries, and how deep they are nested. Parts that variables stand for are measured once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[int, int]] = {}

    def of(self, value: Any) -> tuple[int, int]:
        if not isinstance(value, (list, dict)):
            return (1 + len(value), 0) if isinstance(value, str) else (1, 0)
        if id(value) in self._known:
            return self._known[id(value)]
        parts = [*map(self.of, value.values() if isinstance(value, dict) else value)]
        return 1 + sum(entries for entries, _ in parts), 1 + max((depth for _, depth in parts), default=0)

    def keep(self, value: Any) -> tuple[int, int]:
        """The size of a value that a variable stands for, which lives as long as this."""
        size = self.of(value)
        if isinstance(value, (list, dict)):
            self._known[id(value)] = size
        return size


class Definitions:
    """The variables that are visible at the reader's place."""

    def __init__(self, reader: Any, values: Mapping[str, Any]) -> None:
        self._reader: Reader = reader
        self._read_value: Callable[[], Any] = reader.defined_value
        self._scopes: list[dict[str, Definition]] = [{name: Definition(v, None) for name, v in values.items()}]
        self._sizes = _Sizes()
        self._entries = 0
        """Of what uses of variables gave until now."""
        self._suggested_count = 0

    def open_scope(self) -> None:
        self._scopes.append({})

    def close_scope(self) -> None:
        self._scopes.pop()

    def define(self) -> None:
        """Read `$name = …`."""
        reader = self._reader
        name, location = self._name()
        before = next((scope[name] for scope in self._scopes if name in scope), None)
        reader.expect("=")
        try:
            value = self._calculated() if reader.accept("!calc") else self._value()
            if self._sizes.keep(value)[1] > MAX_DEEP:
                message = f"${name} stands for attributes that are nested more than {MAX_DEEP} deep"
                reader.diagnostics.report(rules.LARGE_DEFINITION, message, location)
                raise SyntaxProblem
        except SyntaxProblem:
            self._scopes[-1].setdefault(name, Definition(_UNKNOWN, location))
            raise
        if before is None:
            self._scopes[-1][name] = Definition(value, location)
        elif before.location is not None:
            message = f"${name} is already defined in line {before.location.line}"
            reader.diagnostics.report(rules.DEFINED_ONCE, message, location, "choose another name")
        elif len(self._scopes) > 1:
            message = f"${name} is given by the caller, for the whole text"
            reader.diagnostics.report(rules.DEFINED_ONCE, message, location, "choose another name")

    def use(self, *kinds: type) -> Any:
        """The value of the variable that is next, which is of one of the kinds."""
        name, location = self._name()
        definition = next((scope[name] for scope in reversed(self._scopes) if name in scope), None)
        reader = self._reader
        if definition is None:
            reader.diagnostics.report(
                rules.UNKNOWN_DEFINITION, f"${name} is not defined here", location, self._known_names(name)
            )
            raise SyntaxProblem
        if definition.value is _UNKNOWN:
            raise SyntaxProblem  # what is wrong with the definition has been said
        self._entries += self._sizes.of(definition.value)[0]
        if self._entries > MAX_ENTRIES:
            message = f"with ${name}, compile-time variables stand for more than {MAX_ENTRIES} entries"
            reader.diagnostics.report(rules.LARGE_DEFINITION, message, location)
            raise SyntaxProblem
        origin = "the caller says" if definition.location is None else f"line {definition.location.line} says"
        location.source.remarks.append(Label(location, f"{origin} ${name} = {definition}"))
        fits = isinstance(definition.value, kinds) and (
            bool in kinds or object in kinds or not isinstance(definition.value, bool)
        )
        if not fits:
            is_any = set(kinds) == {bool, int, float}
            expected = "a constant" if is_any else " or ".join(_KINDS[kind] for kind in kinds)
            message = f"${name} is {_kind(definition.value)}, but {expected} is wanted here"
            reader.diagnostics.report(rules.KIND_OF_DEFINITION, message, location)
            raise SyntaxProblem
        return definition.value

    def _known_names(self, name: str) -> str | None:
        """What may be written in the place of an unknown variable; the first ones are told."""
        if self._suggested_count == _MAX_SUGGESTED:
            return None
        self._suggested_count += 1
        known = sorted({f"${known}" for scope in self._scopes for known in scope})
        if len(known) > _MAX_SUGGESTED:
            return f"known are {', '.join(known[:_MAX_SUGGESTED])} and {len(known) - _MAX_SUGGESTED} more"
        return f"known are {', '.join(known)}" if known else f"write ${name} = … before it"

    def _name(self) -> tuple[str, Location]:
        scanner = self._reader.scanner
        start = scanner.skip_blanks()
        match = scanner.match(NAME)
        if not match:
            self._reader.fail(f"expected a name such as $n, but found {scanner.next_text()}")
        return match[1], scanner.location_from(start)

    def _value(self) -> Any:
        return self.use(object) if self._reader.at("$") else self._read_value()

    def _calculated(self) -> int:
        reader = self._reader
        reader.expect("(")
        stack: list[int] = []
        start = reader.scanner.skip_blanks()
        while not reader.at(")"):
            begin = reader.scanner.skip_blanks()
            if reader.at("$"):
                stack.append(self.use(int))
                continue
            match = reader.scanner.match(_TERM)
            if not match:
                reader.fail(f"expected an integer, a variable or an operator, but found {reader.scanner.next_text()}")
            if match[0] not in _OPERATORS:
                stack.append(int(match[0]) if len(match[0]) < 40 else MAX_INTEGER + 1)
            elif len(stack) < 2:
                self._fail_calculation(f"{match[0]} has no two numbers in front of it", begin)
            else:
                b, a = stack.pop(), stack.pop()
                stack.append(self._apply(match[0], a, b, begin))
            if abs(stack[-1]) > MAX_INTEGER:
                self._fail_calculation("the number does not fit into 64 bits", begin)
        if len(stack) != 1:
            self._fail_calculation(f"{len(stack)} numbers are left, and not one", start)
        reader.expect(")")
        return stack[0]

    def _apply(self, sign: str, a: int, b: int, begin: int) -> int:
        try:
            return _OPERATORS[sign](a, b)
        except ZeroDivisionError:
            self._fail_calculation(f"{a} is divided by zero", begin)
        except OverflowError:
            self._fail_calculation(f"{a} {b} {sign} is not an integer of 64 bits", begin)
        raise AssertionError

    def _fail_calculation(self, message: str, start: int) -> None:
        reader = self._reader
        help = "operands come first: !calc($a 1 - $b / 1 +) is (a - 1) / b + 1"
        reader.diagnostics.report(rules.CALCULATION, message, reader.scanner.location_from(start), help)
        raise SyntaxProblem


def definition_values(definitions: Mapping[str, Any], make: Callable[[Source], Any]) -> dict[str, Any]:
    """What a caller gives variables: numbers, truth values and types as they are, texts as they are read."""
    if not isinstance(definitions, Mapping):
        message = f"definitions is an object of type {type(definitions).__name__}"
        help = 'pass names with their values, as {"n": 64, "ty": "f32"}'
        raise LanguageError.single(rules.KIND_OF_DEFINITION, message, None, help)
    values: dict[str, Any] = {}
    for name, value in definitions.items():
        value = _of_python(value)
        if not NAME.fullmatch(f"${name}"):
            raise LanguageError.single(rules.UNKNOWN_DEFINITION, f"no variable is called {name!r}")
        if isinstance(value, str):
            reader = make(Source(f"<${name}>", value))
            try:
                values[name] = reader.defined_value()
                if not reader.scanner.at_end:
                    reader.fail(f"expected the end of the value, but found {reader.scanner.next_text()}")
            except SyntaxProblem:
                pass
            if reader.diagnostics.errors:
                raise LanguageError(reader.diagnostics.items)
        elif isinstance(value, int) and abs(value) > MAX_INTEGER:
            raise LanguageError.single(rules.LITERAL, f"${name} is given an integer that does not fit into 64 bits")
        elif isinstance(value, (bool, int, float, Type)):
            values[name] = value
        else:
            message = f"${name} is given an object of type {type(value).__name__}"
            help = 'pass a number, a type, or a text such as "f32"'
            raise LanguageError.single(rules.KIND_OF_DEFINITION, message, None, help)
    return values


def _of_python(value: Any) -> Any:
    """Numbers of NumPy as those of Python, and types of kernels' annotations as those of the language."""
    if isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, Real):
        return int(value) if isinstance(value, Integral) else float(value)
    meant = getattr(value, "ir_type", None)
    return meant if isinstance(meant, Type) else value
