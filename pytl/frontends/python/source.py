"""Finds a function's source, and the places of its syntax tree in the source.

A file may have been edited since it was imported. So a text counts as the source of a function where it compiles to the
function's own code. `source_texts.py` has the texts.
"""

from __future__ import annotations

import ast
import functools
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.machinery import SourceFileLoader
from operator import attrgetter
from types import CodeType, FunctionType
from typing import Any

from ...diagnostics import Location, PytlError, Source, TraceError
from ...process.records import dataclass
from .content import content_key
from .jumps import Lowered, without_jumps
from .names import FUNCTIONS, Names, bound_names
from .rules import KERNEL, SOURCE
from .source_texts import lines_of, texts_of
from .without_match import body_of

LAMBDA = "<lambda>"
"""The name of a function that is a lambda."""
Node = ast.stmt | ast.expr | ast.arg | ast.keyword | ast.pattern
Positioned = Node | Location
"""A place, or a piece of the syntax tree that has one."""


@dataclass(frozen=True, eq=False)
class FunctionSource:
    """A Python function with its definition in the syntax tree of its file."""

    function: FunctionType
    definition: ast.FunctionDef
    source: Source

    @functools.cached_property
    def assigned(self) -> Names:
        """The names that the function binds."""
        return frozenset(bound_names(self.definition.body))

    @functools.cached_property
    def of_kernel(self) -> Lowered:
        """The function's body where it is a kernel: its jumps are flags and branches."""
        return without_jumps(body_of(self.definition), is_kernel=True)

    @functools.cached_property
    def of_called(self) -> Lowered:
        """The same where it is called."""
        return without_jumps(body_of(self.definition), is_kernel=False)

    def location_of(self, node: Node) -> Location:
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
    def name_location(self) -> Location:
        """The place of the function's name in its `def`."""
        node = self.definition
        start = self._column(node.lineno, node.col_offset)
        line = self.source.line(node.lineno)
        column = line.index(node.name, start - 1 + len("def")) + 1 if node.name in line[start + 2 :] else start
        return Location(self.source, node.lineno, column, node.lineno, column + len(node.name.strip("<>")))

    def argument_location(self, name: str) -> Location:
        """The place of a parameter's name, without its annotation."""
        arguments = self.definition.args
        parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        parameters += [a for a in (arguments.vararg, arguments.kwarg) if a]
        argument = next(a for a in parameters if a.arg == name)
        location = self.location_of(argument)
        return Location(self.source, location.line, location.column, location.line, location.column + len(name))

    def _column(self, line: int, offset: int) -> int:
        # the syntax tree counts the bytes of UTF-8
        text = self.source.line(line)
        if text.isascii():
            return offset + 1
        return len(text.encode(errors="surrogatepass")[:offset].decode(errors="replace")) + 1


_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@functools.lru_cache(maxsize=64)
def _read(filename: str, text: str) -> tuple[Source, list[_Definition], CodeType]:
    """A text with its definitions, and its code."""
    tree = ast.parse(text, filename)
    definitions = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]
    return Source(filename, text), definitions, compile(tree, filename, "exec", dont_inherit=True)


def find_source(function: Callable[..., Any]) -> FunctionSource:
    """The source of a function: the text that compiles to its code, or as the `inspect` module finds it.

    The whole file is parsed, so that lines and columns are the file's own wherever the function stands in it.
    Raises `pytl.diagnostics.TraceError` where it can't be found.
    """
    name = getattr(function, "__name__", repr(function))
    if not isinstance(function, FunctionType):
        raise TraceError.single(KERNEL, f"{name} is of type {type(function).__name__}", help=_plain_function(function))
    source, definition = _definition_of(function)
    if isinstance(definition, ast.AsyncFunctionDef):
        number, end = definition.lineno, len(source.line(definition.lineno).rstrip()) + 1
        location = Location(source, number, definition.col_offset + 1, number, end)
        raise TraceError.single(KERNEL, f"{name} is written with async def", location, "write it with def")
    assert isinstance(definition, ast.FunctionDef)
    return FunctionSource(function, definition, source)


def _definition_of(function: FunctionType) -> tuple[Source, ast.FunctionDef | ast.AsyncFunctionDef]:
    """The definition of a function with its text."""
    code, name = function.__code__, function.__name__
    by_position = None
    is_known = False
    of_file = "".join(lines_of(function))
    for text in (of_file, *texts_of(function)):
        if not text:
            continue
        is_known = True
        try:
            source, definitions, whole = _read(code.co_filename, text)
        except (SyntaxError, ValueError, RecursionError):
            continue
        # of functions that compute the same it is the one that stands where it did, if there is one
        equal_codes = [candidate for candidate in _codes_in(whole) if _computes_same(candidate, code)]
        for candidate in sorted(equal_codes, key=lambda candidate: candidate.co_firstlineno != code.co_firstlineno):
            definition = _definition_at(definitions, candidate, candidate.co_firstlineno)
            if definition is not None:
                return source, definition
        definition = _definition_at(definitions, code, code.co_firstlineno)
        if text == of_file and definition is not None:
            by_position = source, definition
    if by_position is not None and not _is_compiled_as_written(function):
        return by_position
    raise _changed(name, code.co_filename) if is_known else _missing(name, code.co_filename)


def _is_compiled_as_written(function: FunctionType) -> bool:
    """Whether a function is Python's own translation of a file; pytest, for one, translates another text."""
    return type(function.__globals__.get("__loader__")) is SourceFileLoader and os.path.exists(
        function.__code__.co_filename
    )


def _codes_in(code: CodeType) -> Iterator[CodeType]:
    """The code of all functions in a piece of code."""
    for item in code.co_consts:
        if isinstance(item, CodeType):
            yield item
            yield from _codes_in(item)


_PARTS = attrgetter(
    *("co_name", "co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_names", "co_varnames", "co_freevars"),
    *("co_cellvars", "co_code"),
)


def _computes_same(a: CodeType, b: CodeType) -> bool:
    """Whether two pieces of code are the same but for the lines that they stand in."""
    if _PARTS(a) != _PARTS(b) or len(a.co_consts) != len(b.co_consts):
        return False
    return all(
        _computes_same(x, y)
        if isinstance(x, CodeType) and isinstance(y, CodeType)
        else content_key(x) == content_key(y)
        for x, y in zip(a.co_consts, b.co_consts)
    )


def _plain_function(item: Any) -> str:
    """What to write instead of something that is not a function."""
    if isinstance(item, (staticmethod, classmethod)):
        return "write @staticmethod above @pytl.kernel, not below it"
    if hasattr(item, "__wrapped__"):
        return "it is decorated already: decorate the plain function, once"
    if isinstance(item, (int, tuple)):
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


def _definition_at(
    definitions: Sequence[_Definition], code: CodeType, line: int
) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The definition of a function with the code's name and parameters that begins in a line."""
    if code.co_name == LAMBDA:
        return _lambda_at(definitions, code, line)
    for node in definitions:
        if isinstance(node, ast.Lambda) or node.name != code.co_name:
            continue
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        arguments = node.args
        names = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        if first == line and tuple(names) == code.co_varnames[: len(names)]:
            return node
    return None


def definition_of(node: ast.Lambda) -> ast.FunctionDef:
    """A lambda as a function that returns its body."""
    body = ast.copy_location(ast.Return(node.body), node.body)
    return ast.copy_location(ast.FunctionDef(LAMBDA, node.args, [body], []), node)


def _lambda_at(definitions: Sequence[_Definition], code: CodeType, line: int) -> ast.FunctionDef | None:
    """The definition of a lambda: by its line and parameters, and where others stand there, by what it computes."""
    lambdas = [node for node in definitions if isinstance(node, ast.Lambda) and _may_be(node, code, line)]
    if len(lambdas) > 1:
        raise TraceError.single(KERNEL, "several lambdas stand in one line", help="give each a line of its own")
    return definition_of(lambdas[0]) if lambdas else None


def _may_be(node: ast.Lambda, code: CodeType, line: int) -> bool:
    parameters = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    names = tuple(a.arg for a in parameters)
    if line != node.lineno or names != code.co_varnames[: len(names)]:
        return False
    if len(names) != code.co_argcount + code.co_kwonlyargcount:
        return False
    positions: Iterable[Any] = getattr(code, "co_positions", tuple)()  # since Python 3.11
    starts = [(line, column) for line, _, column, end in positions if line is not None and column is not None and end]
    if starts:  # there are none where Python 3.12 returns a constant
        first = node.body.lineno, node.body.col_offset
        last = node.body.end_lineno or node.lineno, node.body.end_col_offset or 0
        return any(first <= location < last for location in starts)
    compiled = next(each for each in compile(ast.Expression(node), "", "eval").co_consts if isinstance(each, CodeType))
    words = [set(each.co_names) | set(each.co_freevars) | set(each.co_varnames) for each in (code, compiled)]
    values = [[value for value in each.co_consts if not isinstance(value, CodeType)] for each in (code, compiled)]
    return words[0] == words[1] and values[0] == values[1] and len(code.co_code) == len(compiled.co_code)
