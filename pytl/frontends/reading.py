"""Texts of all languages: `pytl.parse`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..diagnostics import LanguageError
from ..ir.argument_checks import check_text, name_of_source
from ..ir.values import Module
from .registry import find_frontend


def parse(
    text: str,
    name: str = "<text>",
    strict: bool = False,
    *,
    language: str | None = None,
    definitions: Mapping[str, Any] | None = None,
) -> Module:
    """Read a text of the tensor language, or of another language that has a front end.

    Parameters: `text`, one or more functions; `name`, how diagnostics call the text, usually its file; `strict`
    makes errors of the accepted spellings that are not canonical (a literal as an operand, a bare `:`, …); `language`,
    such as `"tensor"` or `"0.4"`, is that of the text's first line (`; language: 0.4`) or of the ending of `name` where
    it is left out, and the tensor language where neither says any; `definitions` gives compile-time variables of the
    dialect 0.4 their values, `{"ty": "f32", "n": 64}` for `$ty` and `$n`, and wins over what the text says of them.

    Returns the module. Raises `pytl.LanguageError` with every syntax error found, and `pytl.PlatformError` for an
    unknown language; types and rules are checked by `pytl.verify`. Manual: Core rules to Instructions.

    >>> import pytl
    >>> print(pytl.parse("func @f(%a: memref<f32x4>) { parallel {} }"))
    func @f(%a: memref<f32x4>) {
      parallel {
      }
    }
    """
    check_text(text, "pytl.parse")
    called = name_of_source(name)
    parsed = find_frontend(language, called, text).read_with(text, called, definitions, strict=strict)
    if parsed.diagnostics.errors:
        raise LanguageError(parsed.diagnostics.in_order())
    return parsed.module
