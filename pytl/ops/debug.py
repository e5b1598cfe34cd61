"""Seeing values while a kernel is executed, and requiring what should hold, as instructions of the namespace `debug`.

The language has none of these. A user's text may have them, since a kernel is kept and sent as its text. The
reference backend executes them. Others refuse a function that shows values (`launch/debugging.py`), and see to what it
requires in checked mode only.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ..diagnostics import Rule
from ..ir.constraints import BOOL, MEMREF, SCALAR
from ..ir.fields import Field, Operand, OperandList
from ..ir.operation import Operation, Problem, check
from ..ir.registry import instruction, is_for_debugging
from ..process.records import dataclass

SECTION = "Debugging"
SHOWN = BOOL | SCALAR | MEMREF
"""What can be shown."""
PLACE = re.compile(r"\{\{|\}\}|\{(?::([^{}]*))?\}")
"""In a template: a doubled brace, which stands for one, or a value's place with a format as Python has it."""


FORMAT = re.compile(r"(?:[<>^])?[+ -]?0?[0-9]{0,3},?(?:\.[0-9]{1,2})?[bcdeEfFgGnoxX%]?")
"""The number formats that a text may use; none of them takes much memory."""
_ENCODED = re.compile(r"(?:[^\\]|\\(?:[nrt\\]|x[0-9a-f]{2}|u[0-9a-f]{4}|U000[0-9a-f]{5}|U0010[0-9a-f]{4}))*")


def without_values(template: str) -> str:
    """A text with … in the places of its values, where these are not known.

    >>> without_values("{{x}} is {:.3f}")
    '{x} is …'
    """
    return PLACE.sub(lambda match: match[0][0] if match[0] in ("{{", "}}") else "…", template)


class Text(Field):
    """A text between quotes. Characters that a string of the language has not are written as Python escapes them."""

    @property
    def grammar(self) -> str:
        return '"…"'

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        return decoded(parser.string())

    def print(self, printer: Any, operation: Any) -> None:
        printer.write(f'"{encoded(getattr(operation, self.name))}"')


def encoded(text: str) -> str:
    r"""A text in the characters that a string of the language may have.

    >>> encoded('say "é"\n')
    'say \\x22\\xe9\\x22\\n'
    """
    return text.encode("unicode_escape").decode().replace('"', "\\x22")


def decoded(text: str) -> str:
    """The text that was encoded; one that no text is encoded as stays as it is."""
    return text.encode().decode("unicode_escape") if _ENCODED.fullmatch(text) else text


@check("PYTL-1083", "a text that is printed has a place, {}, for each value", SECTION)
def places_match(op: Print | Assert) -> Any:
    place_count = sum(match[0] not in ("{{", "}}") for match in PLACE.finditer(op.text))
    if place_count != len(op.shown):
        yield Problem(f"the text has {place_count} places, but {len(op.shown)} values are given")


@instruction
class Print(Operation):
    """Prints a text with values, each in the place of a `{}`; work-items that are active do it one after the other."""

    mnemonic = "debug.print"
    section = SECTION
    text: Any = Text("the text")
    shown: Any = OperandList(SHOWN, "the values")
    assembly = "` ` $text ` (` $shown `)`"
    rules = (places_match,)


@dataclass(frozen=True)
class PythonFunction:
    """What a `debug.call` calls. Text keeps the name alone; without the function, the values are printed."""

    name: str
    function: Callable[..., Any] | None = None


class FunctionName(Text):
    """The name of a Python function."""

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        return PythonFunction(super().parse(parser, parts))

    def print(self, printer: Any, operation: Any) -> None:
        printer.write(f'"{encoded(getattr(operation, self.name).name)}"')


@instruction
class Call(Operation):
    """Calls a function of the Python program with values, for each active work-item."""

    mnemonic = "debug.call"
    section = SECTION
    function: Any = FunctionName("the function")
    shown: Any = OperandList(SHOWN, "the values")
    assembly = "` ` $function ` (` $shown `)`"


ASSERTED = Rule(
    "PYTL-1094",
    "what a kernel asserts of its values is true",
    SECTION,
    explanation="The reference backend tests it, and a compiled kernel with checks on the device (PYTL_CHECKS=device). "
    "Without checks an assertion is left out, and its condition is computed only if something else needs it.",
)


@instruction
class Assert(Operation):
    """Reports a text with values where a condition does not hold, by the reference backend and in checked mode."""

    mnemonic = "debug.assert"
    section = SECTION
    text: Any = Text("the text")
    holds: Any = Operand(BOOL, "what is asserted")
    shown: Any = OperandList(SHOWN, "the values")
    assembly = "` ` $text `, ` $holds ` (` $shown `)`"
    display_name = "assert"
    rules = (places_match,)

    @property
    def problem(self) -> str:
        """The text, where the values are not known."""
        return without_values(self.text)


@instruction
class Require(Operation):
    """Reports a text where a condition does not hold, by the reference backend and in checked mode."""

    mnemonic = "debug.require"
    section = SECTION
    holds: Any = Operand(BOOL, "the condition")
    text: Any = Text("what requires it, and what is wrong where it does not hold: `while: …`")
    assembly = "` ` $holds `, ` $text"

    @property
    def display_name(self) -> str:
        """What requires the condition."""
        return str(self.text).partition(": ")[0]

    @property
    def problem(self) -> str:
        """What is wrong where the condition does not hold."""
        return str(self.text).partition(": ")[2]


def shows(op: Operation) -> bool:
    """Whether an instruction shows values."""
    return is_for_debugging(type(op)) and not isinstance(op, (Assert, Require))
