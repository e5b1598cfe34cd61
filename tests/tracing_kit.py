"""Kernels from source texts, and what tracing them gives."""

from __future__ import annotations

import ast
import builtins
import itertools
import linecache
import textwrap
from collections.abc import Mapping
from typing import Any

import pytest

import pytl
from pytl.diagnostics import Diagnostic, TraceError
from pytl.frontends import lang
from pytl.frontends.lang.function import KernelFunction
from pytl.frontends.python import trace

_numbers = itertools.count()

SUBGROUP = lang.subgroup
SPACES = (lang.atomic, lang.coop, SUBGROUP, SUBGROUP.add, SUBGROUP.max, SUBGROUP.min)
ITEMS = (getattr(lang, name) for name in lang.__all__), *(vars(space).values() for space in SPACES)
FUNCTIONS = {item.name: item for items in ITEMS for item in items if isinstance(item, KernelFunction)}
"""What a kernel body may call, by its name there."""


def functions(source: str, name: str | None = None, **names: Any) -> dict[str, Any]:
    """Execute a text that linecache knows, with pytl's names that Python has not; gives what it defines."""
    text = textwrap.dedent(source).strip("\n") + "\n"
    name = name or f"<kernel {next(_numbers)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space: dict[str, Any] = {key: getattr(pytl, key) for key in pytl.__all__ if not hasattr(builtins, key)}
    space["pytl"] = pytl
    space.update(names)
    exec(compile(text, name, "exec", dont_inherit=True), space)
    return space


def function(source: str, name: str | None = None, **names: Any) -> Any:
    """The last function that a text defines."""
    space = functions(source, name, **names)
    tree = ast.parse(textwrap.dedent(source))
    last = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))][-1]
    return space[last.name]


def text(kernel: Any, **options: Any) -> str:
    """The text of a traced kernel, given as a function or as a source; it is read again to the same text."""
    if isinstance(kernel, str):
        kernel = function(kernel)
    result = str(trace(kernel, **options))
    module = pytl.parse(result)
    pytl.verify(module)
    assert str(module) == result
    return result


def body(source: str, parameters: str = "A: Memref[f32, 16, 8], i: index, j: index, x: f32") -> str:
    """The instructions that the statements of a kernel become."""
    statements = textwrap.indent(textwrap.dedent(source).strip("\n"), "    ")
    traced = text(f"def f({parameters}):\n{statements}\n")
    lines = traced[traced.index(") {\n") + 4 :].splitlines()[:-1]
    return textwrap.dedent("\n".join(lines))


def dedented(expected: str) -> str:
    return textwrap.dedent(expected).strip("\n")


def findings(kernel: Any, **options: Any) -> tuple[Diagnostic, ...]:
    """What is wrong with a kernel."""
    if isinstance(kernel, str):
        kernel = function(kernel, "<kernel>")
    with pytest.raises(TraceError) as caught:
        trace(kernel, **options)
    return caught.value.diagnostics


def message(kernel: Any, names: Mapping[str, Any] | None = None, **options: Any) -> str:
    """The whole text of the error that a kernel gives."""
    if isinstance(kernel, str):
        kernel = function(kernel, "<kernel>", **(names or {}))
    with pytest.raises(TraceError) as caught:
        trace(kernel, **options)
    return str(caught.value).strip("\n")
