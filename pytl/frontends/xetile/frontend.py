"""The document's XeTile as a front end."""

from __future__ import annotations

from ...diagnostics import Source
from ...ir.text import ParsedText
from ..base import Frontend
from . import rules  # noqa: F401  (which are known as soon as the language is)


class XeTileFrontend(Frontend):
    """XeTile as the document writes it."""

    name = "xetile"
    title = "the document's XeTile"
    endings = (".xetile",)

    def read(self, text: str, name: str, *, strict: bool = False, internal: bool = False) -> ParsedText:
        from .forms import FORMS
        from .operations import HANDLERS
        from .reader import XeTileReader
        from .writer import write_module

        source = Source(name, text)
        reader = XeTileReader(source, FORMS)
        module = write_module(reader.module(), HANDLERS, reader.diagnostics)
        diagnostics = reader.diagnostics
        if strict:
            diagnostics.make_errors()
        return ParsedText(module, diagnostics, source)
