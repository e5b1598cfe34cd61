"""The textual form: scanner and parser; `ir/printer.py` prints it. Instructions need the scanner; the parser waits."""

from ...process.on_demand import TYPE_CHECKING, on_demand

if TYPE_CHECKING:
    from .parser import parse, parse_text, parse_type
    from .structure import ParsedText
else:
    __getattr__, __dir__ = on_demand(__name__, {"parser": "parse parse_text parse_type", "structure": "ParsedText"})

__all__ = ["ParsedText", "parse", "parse_text", "parse_type"]
