"""The checks of what `pytl.parse`, `pytl.verify` and `pytl.compile` are given."""

from __future__ import annotations

import os
from typing import Any

from ..diagnostics import LanguageError, Rule, call_site
from .values import Function, Module

ARGUMENT_TYPE = Rule(
    "PYTL-3082", "pytl.parse is given a text, pytl.verify a module, and pytl.compile one of them", "Python front end"
)


def check_text(argument: Any, function: str) -> None:
    """Refuse arguments that are not text."""
    if isinstance(argument, str):
        return
    help = "pass a text of the language"
    if isinstance(argument, (bytes, bytearray, memoryview)):
        help = "decode it first: text.decode()"
    elif isinstance(argument, os.PathLike):
        help = "read the file first: pathlib.Path(…).read_text()"
    elif isinstance(argument, (Module, Function)):
        help = "it is IR already: pytl.compile takes a module"
    _refuse(argument, function, help)


def check_module(argument: Any, function: str) -> None:
    """Refuse arguments that are not modules."""
    if isinstance(argument, Module) and all(isinstance(each, Function) for each in argument.functions):
        return
    help = "pass a module"
    if isinstance(argument, str):
        help = "read it first: pytl.parse(text)"
    elif hasattr(argument, "module"):
        help = "pass its module: kernel.module"
    elif isinstance(argument, Function):
        help = "pass a module: pytl.Module([function])"
    _refuse(argument, function, help)


def name_of_source(name: Any) -> str:
    """What diagnostics call a text: its file's path, most often, in whatever form paths have."""
    return os.fsdecode(name) if isinstance(name, (str, bytes, os.PathLike)) else str(name)


def _refuse(argument: Any, function: str, help: str) -> None:
    what = "None" if argument is None else f"an object of type {type(argument).__name__}"
    raise LanguageError.single(ARGUMENT_TYPE, f"{function} is given {what}", call_site(), help)
