"""Finds a function's source, and the places of its syntax tree in the source."""

from __future__ import annotations

import ast
import functools
import linecache
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from ...diagnostics import Location, PytlError, Source, TraceError
from .rules import KERNEL, SOURCE

Node = ast.stmt | ast.expr | ast.arg | ast.keyword
Positioned = Node | Location
"""A place, or a piece of the syntax tree that has one."""


@dataclass(frozen=True, eq=False)
class FunctionSource:
    """A Python function with its definition in the syntax tree of its file."""

    function: FunctionType
    definition: ast.FunctionDef
    source: Source

    def place(self, node: Node) -> Location:
        """The place of a piece of the syntax tree."""
        end_line = node.end_lineno or node.lineno
        end = node.end_col_offset if node.end_col_offset is not None else node.col_offset + 1
        return Location(
            self.source,
            node.lineno,
            self._column(node.lineno, node.col_offset),
            end_line,
            self._column(end_line, end),
        )

    @property
    def name_place(self) -> Location:
        """The place of the function's name in its `def`."""
        node = self.definition
        start = self._column(node.lineno, node.col_offset)
        line = self.source.line(node.lineno)
        column = line.index(node.name, start - 1 + len("def")) + 1 if node.name in line[start + 2 :] else start
        return Location(self.source, node.lineno, column, node.lineno, column + len(node.name))

    def argument_place(self, name: str) -> Location:
        """The place of a parameter's name, without its annotation."""
        arguments = self.definition.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        every += [a for a in (arguments.vararg, arguments.kwarg) if a]
        found = next(a for a in every if a.arg == name)
        place = self.place(found)
        return Location(self.source, place.line, place.column, place.line, place.column + len(name))

    def _column(self, line: int, offset: int) -> int:
        # the syntax tree counts the bytes of UTF-8
        text = self.source.line(line)
        if text.isascii():
            return offset + 1
        return len(text.encode(errors="surrogatepass")[:offset].decode(errors="replace")) + 1


@functools.lru_cache(maxsize=64)
def _read(filename: str, text: str) -> tuple[Source, ast.Module]:
    return Source(filename, text), ast.parse(text, filename)


def find_source(function: Callable[..., Any]) -> FunctionSource:
    """The source of a function, as the `inspect` module finds it: in the file, or in linecache.

    The whole file is parsed, so that lines and columns are the file's own wherever the function stands in it.
    Raises `pytl.diagnostics.TraceError` where it can't be found.
    """
    name = getattr(function, "__name__", repr(function))
    if not isinstance(function, FunctionType):
        raise TraceError.single(KERNEL, f"{name} is of type {type(function).__name__}", help=_plain_function(function))
    code = function.__code__
    linecache.checkcache(code.co_filename)
    text = "".join(linecache.getlines(code.co_filename, function.__globals__))
    if not text:
        raise _missing(name, code.co_filename)
    try:
        source, tree = _read(code.co_filename, text)
    except SyntaxError as error:
        raise _changed(name, code.co_filename) from error
    if name == "<lambda>":
        raise TraceError.single(KERNEL, "this function is a lambda", help="write it with def")
    found = [node for node in ast.walk(tree) if _is_definition(node, function)]
    if not found:
        raise _changed(name, code.co_filename)
    definition = found[0]
    if isinstance(definition, ast.AsyncFunctionDef):
        place = Location(source, definition.lineno, 1, definition.lineno, len(source.line(definition.lineno)) + 1)
        raise TraceError.single(KERNEL, f"{name} is written with async def", place, "write it with def")
    assert isinstance(definition, ast.FunctionDef)
    return FunctionSource(function, definition, source)


def _plain_function(given: Any) -> str:
    """What to write instead of something that is not a function."""
    if isinstance(given, (staticmethod, classmethod)):
        return "write @staticmethod above @pytl.kernel, not below it"
    if hasattr(given, "__wrapped__"):
        return "it is decorated already: decorate the plain function, once"
    if isinstance(given, (int, tuple)):
        return "the function's attributes are named: @pytl.kernel(subgroup_size=16, work_group_size=(16, 1))"
    return "write a function, with def"


def _missing(name: str, filename: str) -> PytlError:
    return TraceError.single(
        SOURCE,
        f"the source of {name} can't be found: its code comes from {filename}",
        help="Python's own prompt keeps source text since Python 3.13: use IPython, or put the function into a file"
        if filename == "<stdin>"
        else "put the function into a file or a notebook cell; register text before exec runs it:\n"
        "linecache.cache[name] = (len(text), None, text.splitlines(True), name)\n"
        'exec(compile(text, name, "exec"), …)',
    )


def _changed(name: str, filename: str) -> PytlError:
    if filename == "<string>":
        # since Python 3.13 that is what `python -c` runs, but every exec of a bare text has the name, too
        return _missing(name, filename)
    return TraceError.single(
        SOURCE,
        f"the definition of {name} is not where it was in {filename}",
        help="the file has changed since it was imported: import it again",
    )


def _is_definition(node: ast.AST, function: FunctionType) -> bool:
    code = function.__code__
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or node.name != code.co_name:
        return False
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    arguments = node.args
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    return first == code.co_firstlineno and tuple(names) == code.co_varnames[: len(names)]
