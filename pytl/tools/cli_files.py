"""The files that commands read: texts of the language, and Python files, which are imported for their kernels."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import re
import sys
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set, ValuesView
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from ..diagnostics import Diagnostic, Diagnostics, LanguageError, Location, PytlError, Rule, Source
from ..frontends.python.source import find_source
from ..frontends.registry import find_frontend
from ..ir.linking import joined
from ..ir.values import Function, Module
from ..ir.verifier import find_problems
from ..kernels.kernel import CONSTEXPR, Kernel
from ..kernels.kernel import compile as compile_module
from ..kernels.recording import recorded
from ..process.records import dataclass

FILE = Rule("PYTL-3030", "a file can be read or written, and holds what the command works on", "Command line")

_INSTALLED = {"site-packages", "dist-packages"}
_ARGUMENT = "<argument>"
"""Stands for the name of a file where an expression of the command line is shown."""


@dataclass(frozen=True)
class File:
    """What a command reads, with all that is to say about it."""

    name: str
    module: Module
    diagnostics: Diagnostics

    def check_names(self, functions: Iterable[Function]) -> None:
        """Raise a `PytlError` where two of the functions have one name, as kernels of different factories may."""
        name, times = Counter(function.name for function in functions).most_common(1)[0]
        if times > 1:
            path = _split(self.name)[0]
            raise problem_of(
                path,
                f"{path} has {times} kernels named {name}",
                help=f"name the one that is meant by an expression of Python: {path}:EXPRESSION",
            )


def read_file(
    name: str,
    *,
    strict: bool = False,
    internal: bool = False,
    language: str | None = None,
    definitions: Mapping[str, Any] | None = None,
    text: str | None = None,
) -> File:
    """A text, `-`, `FILE.py`, or `FILE.py:EXPRESSION`. Raises `PytlError` where it can't be read.

    `text` is that of the file where it has been read already. An `internal` text may have the instructions that passes
    write. The ending of a text's name tells its language where none is given.
    """
    path, expression = _split(name)
    if path.endswith(".py"):
        return _read_python(path, expression)
    called = _called(name)
    text = _text_of(name) if text is None else text
    parsed = find_frontend(language, called, text).read_with(
        text, called, definitions, strict=strict, internal=internal
    )
    diagnostics = parsed.diagnostics
    diagnostics.extend(d for d in find_problems(parsed.module).items if d not in diagnostics.items)
    return File(name, parsed.module, diagnostics)


def text_of(name: str) -> str | None:
    """The text that a command reads, and None of Python files. Raises `PytlError` where it can't be read."""
    return None if _split(name)[0].endswith(".py") else _text_of(name)


def translate(text: str, name: str, to: str, language: str | None = None) -> tuple[str, Diagnostics] | None:
    """A text in another language, where its front end translates it without IR, with what there is to say."""
    called = _called(name)
    return find_frontend(language, called, text).translate(text, called, to)


def _called(name: str) -> str:
    return "<stdin>" if name == "-" else name


def problem_of(name: str, message: str, line: int = 1, text: str = "", help: str | None = None) -> PytlError:
    """The error of a file as a whole, at its first line where no other line is known."""
    source = Source(name, text)
    return PytlError.single(FILE, message, Location(source, line, 1, line, len(source.line(line)) + 1), help)


def _split(name: str) -> tuple[str, str | None]:
    """A path, and the expression that follows it; both may have colons. An existing file's name has no expression."""
    if Path(name).is_file():
        return name, None
    ends = [match.start() + len(".py") for match in re.finditer(r"\.py:", name)]
    for end in ends:
        if Path(name[:end]).is_file():
            return name[:end], name[end + 1 :]
    return (name[: ends[0]], name[ends[0] + 1 :]) if ends else (name, None)


def _text_of(name: str) -> str:
    try:
        if name == "-":
            if sys.stdin is None:
                raise problem_of(name, "standard input is closed")
            return sys.stdin.buffer.read().decode("utf-8-sig")
        return Path(name).read_bytes().decode("utf-8-sig")  # some editors put a mark in front
    except OSError as error:
        raise problem_of(name, f"{name} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise problem_of(name, f"{name} is not a text in UTF-8") from None


# Python files.


def read_kernels(name: str, language: str | None = None, definitions: Mapping[str, Any] | None = None) -> list[Kernel]:
    """The kernels of `MODULE:EXPRESSION`, `MODULE`, `FILE.py`, `FILE.py:EXPRESSION`, or a text.

    A module is found from the current folder on, and then as Python finds it. Raises `PytlError` where there are none.
    """
    path, expression = _split(name)
    if path.endswith(".py"):
        kernels, text = _python_kernels(path, expression)
    elif Path(path).is_file() or path == "-":
        read = read_file(path, language=language, definitions=definitions)
        if read.diagnostics.errors:
            raise LanguageError(read.diagnostics.in_order())
        return list(compile_module(read.module).values())
    else:
        path, _, expression = name.partition(":")
        kernels, text = _module_kernels(path, expression or None), ""
    if not kernels:
        raise PytlError(_without_kernels(path, text))
    return kernels


def _module_kernels(name: str, expression: str | None) -> list[Kernel]:
    """The kernels of a module that Python finds by its name."""
    with _importable(str(Path.cwd())):
        try:
            module = importlib.import_module(name)
        except PytlError:
            raise
        except (Exception, SystemExit) as error:
            message = f"importing {name} gives {type(error).__name__}: {error}"
            raise problem_of(name, message, help="name a module, or a file, such as kernels.py:scale") from None
        kernels = _distinct(list(_kernels_in(vars(module).values())))
        return kernels if expression is None else _named(name, "", module, expression, kernels)


def _python_kernels(path: str, expression: str | None) -> tuple[list[Kernel], str]:
    """The kernels of a Python file, and the file's text."""
    text = _text_of(path)
    folder, module_name = _place_of(path)
    # what is imported beside the file is found by the expression, too, and by what it calls
    with _importable(folder), recorded() as recorded_kernels:
        module = _import(path, text, module_name)
        kernels = _distinct([*(k for k in recorded_kernels if _is_of_program(k)), *_kernels_in(vars(module).values())])
        return (kernels if expression is None else _named(path, text, module, expression, kernels)), text


def _read_python(path: str, expression: str | None) -> File:
    kernels, text = _python_kernels(path, expression)
    read = File(path if expression is None else f"{path}:{expression}", Module(), Diagnostics())
    if not kernels:
        read.diagnostics.extend(_without_kernels(path, text))
    texts = set()
    for kernel in kernels:
        try:
            function = kernel.function
        except PytlError as error:
            read.diagnostics.extend(_of_kernel(kernel, d, expression is not None) for d in error.diagnostics)
            continue
        shown = str(kernel)
        if shown not in texts:  # a factory gives the same kernel for the same values
            texts.add(shown)
            read.module.functions.append(function)
    read.module.functions[:] = joined(read.module.functions).functions
    read.diagnostics.extend(find_problems(read.module).items)
    return read


def _of_kernel(kernel: Kernel, diagnostic: Diagnostic, is_required: bool) -> Diagnostic:
    """A finding of a kernel, with its place. A kernel that waits for constexpr values is not an error."""
    if diagnostic.rule is not CONSTEXPR:
        return diagnostic
    source = find_source(kernel.__wrapped__)
    placed = replace(diagnostic, location=source.name_location.within(kernel.name, None))
    return placed if is_required else placed.with_severity("note")


def _without_kernels(path: str, text: str) -> list[Diagnostic]:
    """The message for a file without kernels; a file whose functions make kernels is not an error."""
    factories = list(_factories(ast.parse(text)))
    if not factories:
        return list(
            problem_of(path, f"{path} has no kernels", help="decorate a function with @pytl.kernel").diagnostics
        )
    return [
        diagnostic.with_severity("note")
        for name, line in factories
        for diagnostic in problem_of(
            path,
            f"the kernels of {name} are made when it is called",
            line,
            text,
            f"name it after the file: {path}:{name}(…)",
        ).diagnostics
    ]


def _factories(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The functions of a file in which kernels are defined, with their lines."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and any(
            ast.unparse(decorator).partition("(")[0].rpartition(".")[2] == "kernel"
            for inner in ast.walk(node)
            if isinstance(inner, ast.FunctionDef) and inner is not node
            for decorator in inner.decorator_list
        ):
            yield node.name, node.lineno


# Importing.


def _place_of(path: str) -> tuple[str, str]:
    """The folder to import a file from, and its module's name.

    The name is its own where the file is part of a package, so that it may import relatively; else one that no other
    module has, for the file might be called random.py.
    """
    file = Path(path).resolve()
    folder, parts = file.parent, [file.stem]
    while (folder / "__init__.py").is_file() and folder.name.isidentifier():
        parts.insert(0, folder.name)
        folder = folder.parent
    return str(folder), ".".join(parts) if len(parts) > 1 else f"<{file.stem}>"


@contextmanager
def _importable(folder: str) -> Iterator[None]:
    """While a file is read: what lies beside it can be imported, and isn't taken for what lies beside a later file."""
    before = set(sys.modules)
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        if folder in sys.path:
            sys.path.remove(folder)
        for name in set(sys.modules) - before:
            origin = Path(getattr(sys.modules[name], "__file__", None) or "")
            if origin.is_relative_to(folder) and not _INSTALLED & set(origin.parts):
                del sys.modules[name]


def _import(path: str, text: str, name: str) -> ModuleType:
    """The module of a Python file."""
    specification = importlib.util.spec_from_file_location(name, path)
    assert specification is not None and specification.loader is not None
    try:
        package = name.rpartition(".")[0]
        if package and str(Path(path).resolve().parent) not in map(str, importlib.import_module(package).__path__):
            name = f"<{Path(path).stem}>"  # something else has the package's name
        if name in sys.modules:  # which the package has imported itself
            return sys.modules[name]
        specification.name = specification.loader.name = name  # type: ignore[attr-defined]
        imported = importlib.util.module_from_spec(specification)
        sys.modules[name] = imported
        specification.loader.exec_module(imported)
        return imported
    except PytlError as error:
        raise _placed(error, path, text, specification.origin) from None
    except (Exception, SystemExit) as error:
        # without a name where the text could not be read as one, which NUL bytes prevent
        if isinstance(error, SyntaxError) and error.filename in (specification.origin, None):
            raise problem_of(path, f"{path} is not valid Python: {error.msg}", error.lineno or 1, text) from None
        if isinstance(error, ValueError) and "\0" in text:  # what Python 3.10 makes of them
            raise problem_of(path, f"{path} is not valid Python: {error}", 1, text) from None
        message = f"importing {path} gives {type(error).__name__}: {error}"
        raise problem_of(path, message, _line_in(specification.origin, error) or 1, text) from None


def _line_in(path: str | None, error: BaseException) -> int | None:
    """The line of a file at which an exception arose, or what it called."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return frames[-1].lineno if frames else None


def _placed(error: PytlError, path: str, text: str, imported: str | None) -> PytlError:
    """The error with the line of the file where it arose, if it has no place of its own."""
    line = _line_in(imported, error)
    if line is None:
        return error
    source = Source(path, text)
    location = Location(source, line, 1, line, len(source.line(line)) + 1)
    return type(error)([d if d.location else replace(d, location=location) for d in error.diagnostics])


# Finding kernels.


def _kernels_in(values: Iterable[Any]) -> Iterator[Kernel]:
    """The kernels among values, and in containers among them."""
    waiting, seen = [*values][::-1], set()
    while waiting:
        value = waiting.pop()
        if isinstance(value, Kernel):
            yield value
        elif isinstance(value, (Mapping, list, tuple, Set)) and id(value) not in seen:
            seen.add(id(value))
            waiting += [*(value.values() if isinstance(value, Mapping) else value)][::-1]


def _distinct(kernels: Iterable[Kernel]) -> list[Kernel]:
    return list({id(kernel): kernel for kernel in kernels}.values())


def _is_of_program(kernel: Kernel) -> bool:
    """Whether a kernel is the user's own, and not one that an installed package makes for itself."""
    function = getattr(kernel, "__wrapped__", None)
    return not (isinstance(function, FunctionType) and _INSTALLED & set(Path(function.__code__.co_filename).parts))


def _named(path: str, text: str, module: ModuleType, expression: str, candidates: Sequence[Kernel]) -> list[Kernel]:
    """The kernels that an expression gives; also the one kernel of that name, wherever the file has it."""
    shown = expression.strip()
    if shown.isidentifier() and not hasattr(module, shown):
        of_this_name = [kernel for kernel in candidates if kernel.name == shown]
        if len(of_this_name) == 1:
            return of_this_name
        known = ", ".join(dict.fromkeys(kernel.name for kernel in candidates)) or "none"
        raise problem_of(path, f"{path} has no kernel {shown}", help=f"its kernels are: {known}")
    value = _evaluate(path, text, module, shown)
    if isinstance(value, (Iterator, ValuesView)):
        value = list(value)
    kernels = _distinct(_kernels_in([value]))
    if not kernels:
        is_call = callable(value) and not isinstance(value, type)
        raise _problem_in(
            shown,
            f"{shown} of {path} is of type {type(value).__name__}, and not a kernel",
            help=f"call it: {path}:{shown}(…)" if is_call else "give a kernel, or a list, tuple or dict of kernels",
        )
    return kernels


def _evaluate(path: str, text: str, module: ModuleType, expression: str) -> Any:
    """What an expression of the command line gives among the names of a module."""
    try:
        return eval(compile(expression, _ARGUMENT, "eval", dont_inherit=True), vars(module))
    except PytlError as error:
        raise _placed(error, path, text, module.__file__) from None
    except (Exception, SystemExit) as error:
        if isinstance(error, SyntaxError) and error.filename == _ARGUMENT:
            raise _problem_in(expression, f"this is not a Python expression: {error.msg}", error.offset) from None
        message = f"{expression} gives {type(error).__name__}: {error}"
        line = _line_in(module.__file__, error)
        if line is not None:
            raise problem_of(path, message, line, text) from None
        raise _problem_in(expression, message) from None


def _problem_in(expression: str, message: str, column: int | None = None, help: str | None = None) -> PytlError:
    """What is wrong with an expression of the command line: at a column, or as a whole."""
    source = Source(_ARGUMENT, expression)
    end = len(source.line(1)) + 1
    start = min(column or 1, end)
    location = Location(source, 1, start, 1, end if column is None else start + 1)
    return PytlError.single(FILE, message, location, help)
