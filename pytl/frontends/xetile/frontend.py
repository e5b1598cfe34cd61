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
        from .operations import READERS
        from .reader import XeTileReader

        return XeTileReader(Source(name, text), READERS).read(strict)
