"""The tensor language as a front end."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from ...ir.spelling import Table, tables
from ...ir.text import ParsedText, parse_text
from ...ir.values import Module
from ..base import Frontend
from . import rules  # noqa: F401  (which are known as soon as the languages are)


def _table_04() -> Table:
    from .dialect_04 import table

    return table()


def _table_03() -> Table:
    from .dialect_03 import table

    return table()


tables[:] = [_table_04, _table_03]


class TensorFrontend(Frontend):
    """The language of the manual."""

    name = "tensor"
    title = "the tensor language"
    endings = (".tl",)

    def read(self, text: str, name: str, *, strict: bool = False, internal: bool = False) -> ParsedText:
        return parse_text(text, name, strict, internal)

    def write(self, module: Module) -> str:
        return str(module)


class DialectFrontend(Frontend):
    """A dialect of the tensor language: a table of spellings."""

    @abstractmethod
    def table(self) -> Table:
        """How instructions are written."""

    def read(
        self,
        text: str,
        name: str,
        *,
        strict: bool = False,
        internal: bool = False,
        definitions: Mapping[str, Any] | None = None,
    ) -> ParsedText:
        return parse_text(text, name, strict, internal, self.table(), definitions)

    def write(self, module: Module) -> str:
        from .writing import write_module

        return write_module(module, self.table())


class Dialect04Frontend(DialectFrontend):
    """The dialect of the Tiny Tensor Compiler's release 0.4."""

    name = "0.4"
    title = "the dialect 0.4"
    takes_definitions = True
    endings = (".tinytc",)

    def table(self) -> Table:
        return _table_04()


class Dialect03Frontend(DialectFrontend):
    """The dialect of the Tiny Tensor Compiler's release 0.3, which YATeTo prints for SeisSol."""

    name = "0.3"
    title = "the dialect 0.3"

    def table(self) -> Table:
        return _table_03()
