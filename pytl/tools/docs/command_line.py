"""The page of commands and environment variables, made of the parser and of the settings."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ...process.settings import Setting, all_settings
from .markdown import code, document, fence, plain, table

_INTRODUCTION = """\
`pytl`, or `python -m pytl`, works on the language's text and on kernels in Python files. Where a command takes `FILE`,
that is a text of the language, `-` for standard input, a Python file with kernels, or `FILE.py:EXPRESSION`. A Python
file is imported, and all kernels are found that the import makes; the expression is Python, evaluated among the names
of the file, and gives one or more kernels: `FILE.py:scale`, `FILE.py:make(16)`, `FILE.py:kernels["large"]`. The
exit code is 0, or 1 if there was an error; errors are printed as `FILE:LINE:COL: error[CODE]: message`."""
_SETTINGS = """\
A launch reads them each time. A value that a variable does not take is an error
([PYTL-3020](rules.md#pytl-3020)), and an empty value counts as unset."""


def command_line_page(parser: argparse.ArgumentParser) -> str:
    """The page as Markdown."""
    blocks = ["# Commands and environment variables", _INTRODUCTION]
    for name, command in _commands(parser):
        blocks += list(_entry(f"{parser.prog} {name}", command, 2))
    rows = [[code(s.variable), plain(s.description), plain(s.admits), _default(s)] for s in all_settings()]
    blocks += ["## Environment variables", _SETTINGS, table(["variable", "what it does", "takes", "default"], rows)]
    return document(blocks)


def _commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _entry(words: str, command: argparse.ArgumentParser, level: int) -> Iterator[str]:
    yield f"{'#' * level} {words}"
    yield plain(command.description or "")
    arguments = [action for action in command._actions if not isinstance(action, argparse._HelpAction)]
    own = [action for action in arguments if not isinstance(action, argparse._SubParsersAction)]
    yield fence(" ".join([words, *(_in_usage(action) for action in arguments)]), "sh")
    if own:
        yield table(["argument", ""], [[code(_in_table(action)), plain(action.help or "")] for action in own])
    for name, inner in _commands(command):
        yield from _entry(f"{words} {name}", inner, level + 1)


def _value(action: argparse.Action) -> str:
    """What stands for the value of an argument; nothing for a flag."""
    if action.nargs == 0:
        return ""
    return str(action.metavar or ("|".join(map(str, action.choices)) if action.choices else action.dest.upper()))


def _in_usage(action: argparse.Action) -> str:
    value = _value(action)
    shown = f"{action.option_strings[0]} {value}".rstrip() if action.option_strings else value
    optional = action.nargs in ("?", "*") or (bool(action.option_strings) and not action.required)
    more = "…" if action.nargs in ("+", "*") or isinstance(action, argparse._AppendAction) else ""
    return f"[{shown}]{more}" if optional else f"{shown}{more}"


def _in_table(action: argparse.Action) -> str:
    return f"{', '.join(action.option_strings)} {_value(action)}".strip()


def _default(setting: Setting[object]) -> str:
    if setting.default is None:
        return ""
    return code(str(int(setting.default)) if isinstance(setting.default, bool) else str(setting.default))
