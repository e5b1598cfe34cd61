"""The page of pytl's public names, made of their signatures and docstrings."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import textwrap
from collections.abc import Iterator
from itertools import pairwise
from types import ModuleType
from typing import Any

import pytl

from ...frontends.lang.function import CalledFunction, KernelFunction
from ...frontends.lang.subgroup import SubgroupFunctions
from ...kernels.launcher import Launcher
from ...ops.reference import page_name
from .markdown import code, document, fence, plain, table

_INTRODUCTION = """\
Every name that programs may use, as `import pytl` brings it. The [guide](guide/quickstart.md) says how they are used
together, the [instructions](reference/index.md) what they become. What takes part in a kernel can be called in a kernel
only."""

SECTIONS = {
    "Kernels and launches": ("kernels", "launch", "tools"),
    "The language as text": ("ir", "frontends.reading", "kernels.mlir_texts"),
    "Number types": ("frontends.lang.scalars",),
    "Annotations of parameters": ("frontends.lang.annotations",),
    "Memory and views": ("frontends.lang.memory", "frontends.lang.reshape"),
    "Numbers": tuple(
        f"frontends.lang.{name}" for name in ("arith", "math", "library.elementary", "library.power_function")
    ),
    "Collective instructions": ("frontends.lang.collective",),
    "Contractions": ("frontends.lang.contraction", "kernels.einsum"),
    "Loops and work-groups": ("frontends.lang.loops", "frontends.lang.workgroup"),
    "Atomic stores": ("frontends.lang.atomic",),
    "Sub-groups": ("frontends.lang.subgroup",),
    "Cooperative matrices": ("frontends.lang.coop",),
    "Tiles": ("frontends.lang.tile",),
    "Debugging": ("frontends.lang.debugging",),
    "Errors": ("",),
}
"""The modules and folders that public names come from, by their section; errors pass for pytl's own."""


def api_page() -> str:
    """The page as Markdown."""
    blocks = ["# Python names", _INTRODUCTION]
    # names that Python has, too, are left out of __all__
    shadowing = [name for name in dir(pytl) if hasattr(builtins, name) and not name.startswith("_")]
    homes = {name: _home(getattr(pytl, name)) for name in sorted([*pytl.__all__, *shadowing], key=_order)}
    for title, modules in SECTIONS.items():
        names = [name for name, home in homes.items() if home in modules or home.partition(".")[0] in modules]
        blocks.append(f"## {title}")
        if modules == ("frontends.lang.scalars",):
            blocks.append(table(["name", ""], [[code(name), plain(getattr(pytl, name).__doc__)] for name in names]))
            continue
        for name in names:
            blocks += _entries(name, getattr(pytl, name))
    return document(blocks)


def _order(name: str) -> tuple[bool, str]:
    return not name[0].isupper(), name


def _home(value: Any) -> str:
    """The module that a public name is defined in, as it is called inside of pytl."""
    if isinstance(value, ModuleType):
        return value.__name__.removeprefix("pytl.")
    if not hasattr(value, "__module__") or value.__module__ == "typing":  # constexpr
        return "frontends.lang.annotations"
    return value.__module__.removeprefix("pytl").removeprefix(".")


def _entries(name: str, value: Any) -> Iterator[str]:
    """A name with its text, and what it holds."""
    if isinstance(value, ModuleType):
        yield from _text(value.__doc__)
        yield from _members(name, value)
        return
    yield f"### {name}"
    if isinstance(value, KernelFunction):
        yield from _function(name, value)
        return
    if isinstance(value, CalledFunction):  # of no instruction
        yield fence(value.statement or f"{name}{_signature(inspect.unwrap(value))}", "python")
        yield from _text(value.__doc__)
        return
    documentation = value.__doc__
    if isinstance(value, type):
        yield from _text(documentation)
        yield from _methods(name, value)
        if value is pytl.Kernel:
            yield "#### `Kernel[n]`"
            yield from _text(Launcher.__doc__)
            yield from _methods("Kernel[n]", Launcher)
        return
    if inspect.isfunction(value):
        yield fence(f"{name}{_signature(value)}", "python")
    else:
        documentation = _variables(inspect.getmodule(pytl.Memref))[name]
    yield from _text(documentation)


def _function(name: str, value: KernelFunction) -> Iterator[str]:
    """What a kernel calls; its declaration says it, and its instruction has a page."""
    yield fence(value.statement or f"{name}{_signature(inspect.unwrap(value))}", "python")
    yield from _text(inspect.unwrap(value).__doc__)
    yield _instruction(value)


def _instruction(value: KernelFunction) -> str:
    return f"Instruction: [`{value.operation.mnemonic}`](reference/{page_name(value.operation)}.md)."


def _members(name: str, module: ModuleType) -> Iterator[str]:
    """The functions of a module that is a public name, and of objects in it that hold several."""
    texts = _variables(module)
    for member, value in vars(module).items():
        if isinstance(value, KernelFunction) and value.__module__ == module.__name__:
            yield f"### {value.name}"
            yield from _function(value.name, value)
        elif isinstance(value, SubgroupFunctions):
            held = [function for function in vars(value).values() if isinstance(function, KernelFunction)]
            yield f"### {name}.{member}"
            yield from _text(texts[member])
            yield fence("\n".join(f"{one.name}{_signature(inspect.unwrap(one))}" for one in held), "python")
            yield _instruction(held[0])


def _methods(name: str, value: type) -> Iterator[str]:
    """The public methods and properties of a class that programs hold objects of, with those of its other bases."""
    # bases that are public have entries of their own
    bases = [base for base in value.__mro__[:-1] if base is value or base.__name__ not in dir(pytl)]
    members = {member: getattr(value, member) for base in bases for member in vars(base)}
    for member, method in members.items():
        if (member.startswith("_") and member != "__call__") or not getattr(method, "__doc__", None):
            continue
        if isinstance(method, property):
            yield f"#### {code(f'{name}.{member}')}"
            yield from _text(method.__doc__)
        elif inspect.isfunction(method):
            called = name if member == "__call__" else f"{name}.{member}"
            yield f"#### {code(f'{called}()')}"
            yield fence(f"{called}{_signature(method)}", "python")
            yield from _text(method.__doc__)


def _signature(function: Any) -> str:
    """The parameters as the source has them; what is returned is said by the text."""
    signature = inspect.signature(function)
    parameters = [one for one in signature.parameters.values() if one.name != "self"]
    shown = str(signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty))
    return re.sub(r"(?<=: )'([^']+)'", r"\1", shown)  # annotations are texts in pytl's modules


def _variables(module: ModuleType | None) -> dict[str, str]:
    """The texts below the variables of a module, which Python itself doesn't keep."""
    assert module is not None
    body = ast.parse(inspect.getsource(module)).body
    texts: dict[str, str] = {}
    for statement, text in pairwise(body):
        match statement, text:
            case ast.Assign(targets=[ast.Name(id=name)]), ast.Expr(value=ast.Constant(value=str(written))):
                texts[name] = written
    return texts


def _text(docstring: str | None) -> Iterator[str]:
    """A docstring as Markdown: its examples are blocks of code."""
    for paragraph in re.split(r"\n\n+", inspect.cleandoc(docstring or "")):
        if paragraph.startswith(">>>"):
            yield fence(paragraph, "pycon")
        elif paragraph.startswith("    "):
            yield fence(textwrap.dedent(paragraph), "python")
        else:
            yield plain(paragraph)
