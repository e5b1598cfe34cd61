"""Reading constants: booleans, integers, floating and complex numbers (manual: Constants)."""

from __future__ import annotations

from . import rules
from .reader import Reader
from .scanner import INTEGER, NUMBER

MAX_INTEGER = 2**63 - 1


def read_integer(reader: Reader) -> int:
    found = reader.scanner.match(INTEGER)
    if not found:
        reader.fail(f"expected an integer constant, but found {reader.scanner.next_text()}")
    return checked_integer(reader, int(found.group()))


def checked_integer(reader: Reader, value: int) -> int:
    if abs(value) > MAX_INTEGER:
        reader.scanner.position = reader.scanner.last_end
        reader.diagnostics.report(
            rules.LITERAL,
            f"{value} does not fit into 64 bits",
            reader.scanner.place(reader.scanner.last_end - 1),
        )
        return 0
    return value


def read_literal(reader: Reader) -> bool | int | float | complex:
    """A boolean, integer, floating or complex constant."""
    if reader.accept("true"):
        return True
    if reader.accept("false"):
        return False
    if reader.accept("["):
        real = _number(reader, floating=True)
        reader.expect(",")
        imaginary = _number(reader, floating=True)
        reader.expect("]")
        return complex(real, imaginary)
    return _number(reader)


def _number(reader: Reader, floating: bool = False) -> int | float:
    start = reader.scanner.skip_blanks()
    found = reader.scanner.match(NUMBER)
    if not found:
        reader.fail(
            f"expected a constant, but found {reader.scanner.next_text()}",
            help="a floating constant has a point or an exponent; there are no literals for inf and nan",
        )
    text = found.group().lower()
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
            help=f"write [{text}.0, …] with a point in both",
        )
    else:
        return checked_integer(reader, int(text))
    if value in (float("inf"), float("-inf")):
        reader.diagnostics.report(rules.LITERAL, f"{text} is beyond double precision", reader.scanner.place(start))
        return 0.0
    return value


def _hexadecimal(text: str) -> float:
    mantissa, _, exponent = text.partition("p")
    try:
        return float.fromhex(f"{mantissa}p{exponent or 0}")
    except OverflowError:
        return float("inf")
