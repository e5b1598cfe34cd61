"""MLIR as a front end."""

from __future__ import annotations

from ...ir.text import ParsedText
from ..base import Frontend
from . import rules  # noqa: F401  (which are known as soon as the language is)


class MlirFrontend(Frontend):
    """Modules of MLIR in custom and generic form."""

    name = "mlir"
    title = "MLIR"
    endings = (".mlir",)

    def read(self, text: str, name: str, *, strict: bool = False, internal: bool = False) -> ParsedText:
        from .module import read

        return read(text, name)
