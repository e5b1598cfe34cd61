"""Reading constants: booleans, integers, floating and complex numbers (manual: Constants)."""

from __future__ import annotations

from . import rules
from .reader import Reader
from .scanner import INTEGER, NOT_FINITE, NUMBER

MAX_INTEGER = 2**63 - 1
_MAX_DIGITS = len(str(MAX_INTEGER))


def read_integer(reader: Reader) -> int:
    if reader.at_definition:
        return int(reader.defined(int))
    match = reader.scanner.match(INTEGER)
    if not match:
        reader.fail(f"expected an integer constant, but found {reader.scanner.next_text()}")
    return checked_integer(reader, match.group())


def checked_integer(reader: Reader, text: str) -> int:
    """The integer that was just read, in the language's range."""
    digits = text.lstrip("+-").lstrip("0") or "0"
    # counted first: Python refuses to convert texts of thousands of digits
    value = int(digits) if len(digits) <= _MAX_DIGITS else MAX_INTEGER + 1
    if value > MAX_INTEGER:
        start = reader.scanner.last_end - len(text)
        reader.diagnostics.report(
            rules.LITERAL, f"{shortened(text)} does not fit into 64 bits", reader.scanner.location_from(start)
        )
        return 0
    return -value if text.startswith("-") else value


def shortened(text: str) -> str:
    """A literal as a message shows it: no longer than a line."""
    return text if len(text) <= 40 else f"{text[:20]}…{text[-10:]}"


def read_literal(reader: Reader) -> bool | int | float | complex:
    """A boolean, integer, floating or complex constant."""
    if reader.accept("true"):
        return True
    if reader.accept("false"):
        return False
    if reader.at_definition:
        value: bool | float = reader.defined(bool, int, float)
        return value
    if reader.accept("["):
        real = _number(reader, floating=True)
        reader.expect(",")
        imaginary = _number(reader, floating=True)
        reader.expect("]")
        return complex(real, imaginary)
    return _number(reader)


def read_floating(reader: Reader) -> float:
    """A floating constant."""
    start = reader.scanner.skip_blanks()
    value = _number(reader)
    if isinstance(value, int):
        text = reader.scanner.text[start : reader.scanner.last_end]
        reader.scanner.position = start
        reader.fail(f"expected a floating constant, but found {shortened(text)}", help=f"write {shortened(text)}.0")
    return value


def _number(reader: Reader, floating: bool = False) -> int | float:
    start = reader.scanner.skip_blanks()
    if reader.at_definition:
        return float(reader.defined(float)) if floating else reader.defined(int, float)
    match = reader.scanner.match(NOT_FINITE)
    if match:
        return float(match.group())
    match = reader.scanner.match(NUMBER)
    if not match:
        reader.fail(
            f"expected a constant, but found {reader.scanner.next_text()}",
            help="a floating constant has a point or an exponent, or is inf, -inf or nan",
        )
    text = match.group().lower()
    if "x" in text:
        if "." not in text and "p" not in text:
            reader.scanner.position = start
            reader.fail("a hexadecimal constant is a floating constant: it has a point or an exponent p")
        value = _hexadecimal(text)
    elif "." in text or "e" in text:
        value = float(text)
    elif floating:
        reader.scanner.position = start
        reader.fail(
            "a complex constant has two floating constants",
            help="write a point in both parts, as in [1.0, 0.0]",
        )
    else:
        return checked_integer(reader, text)
    if value in (float("inf"), float("-inf")):
        message = f"{shortened(text)} is beyond double precision"
        reader.diagnostics.report(rules.LITERAL, message, reader.scanner.location_from(start))
        return 0.0
    return value


def _hexadecimal(text: str) -> float:
    mantissa, _, exponent = text.partition("p")
    try:
        return float.fromhex(f"{mantissa}p{exponent or 0}")
    except OverflowError:
        return float("inf")
