"""Texts in custom and generic form."""

from __future__ import annotations

import functools

from ...diagnostics import Diagnostics, Source
from .forms import FORMS
from .reader import Reader
from .tree import Operation
from .types import Type


def read_text(text: str, name: str = "<text>") -> tuple[Operation, Diagnostics]:
    """The module of a text in custom and generic form, and all that is wrong with its spelling.

    Operations outside of a module are in a module of their own. An operation that could not be read is broken, and the
    text goes on behind it.

    >>> module, problems = read_text("func.func @f(%a: i32) { %b = arith.addi %a, %a : i32  return }")
    >>> [op.name for op in module.walk()]
    ['builtin.module', 'func.func', 'arith.addi', 'func.return']
    """
    reader = Reader(Source(name, text), FORMS)
    return reader.module(), reader.diagnostics


@functools.lru_cache(maxsize=4096)
def read_type(text: str) -> Type:
    """The type of a text that has nothing else. Raises `pytl.LanguageError` (PYTL-1220) at what is not understood.

    >>> read_type("vector<8x16xbf16>")
    Vector(shape=(8, 16), element=Scalar(name='bf16'))
    >>> read_type("memref<4x?xf32, strided<[?, 1]>>").strides
    (None, 1)
    """
    return Reader(Source("<type>", text), {}).whole_type()
