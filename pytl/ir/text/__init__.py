"""The textual form: scanner, parser, printer."""

from .parser import parse, parse_text, parse_type
from .printer import print_function, print_module
from .structure import ParsedText

__all__ = ["ParsedText", "parse", "parse_text", "parse_type", "print_function", "print_module"]
