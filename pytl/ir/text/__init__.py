"""The textual form: scanner and parser; `ir/printer.py` prints it."""

from .parser import parse, parse_text, parse_type
from .structure import ParsedText

__all__ = ["ParsedText", "parse", "parse_text", "parse_type"]
