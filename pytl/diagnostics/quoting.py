"""Users' texts and names in generated source, in the input of tools, and on terminals.

A user's line, a file's name, a kernel's or a value's name reaches a language through the function here that quotes for
it, or not at all; tests/repository/test_house.py and tests/backends/test_quoting.py test that. Numbers need no quoting.
"""

from __future__ import annotations

import re

_NO_NAME = re.compile(r"[^A-Za-z0-9_]")
_CODING = re.compile(r"coding(?=[:=])")
_MLIR_NAME = re.compile(r"[A-Za-z_$.-][A-Za-z0-9_$.-]*|[0-9]+")


def visible(text: str, keep: str = "") -> str:
    r"""A text for people: what does not print is shown by its escape sequence in Python, but for what `keep` lists.

    So no line ends but those that are kept, nothing turns the direction of writing, and a terminal gets no commands.

    >>> visible("a\x1b[31m\r\n\u2028\u202e"), visible("a\tb", keep="\t")
    ('a\\x1b[31m\\r\\n\\u2028\\u202e', 'a\tb')
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in keep else _shown(char) for char in text)


def _shown(char: str) -> str:
    from unicodedata import category

    # the wide blank of Chinese and Japanese texts, say, which Python does not count among what prints
    return char if category(char) == "Zs" else char.encode("unicode_escape").decode()


# Python.


def python_comment(text: str) -> str:
    """A comment in Python with this text; it never declares the source's encoding.

    >>> python_comment("a\\rimport os"), python_comment("coding: utf-7")
    ('# a\\\\rimport os', '# coding : utf-7')
    """
    return f"# {_CODING.sub('coding ', visible(text))}"


def python_name(hint: str) -> str:
    """A Python name: the letters, digits and underscores of the wish, with a letter in front."""
    name = _NO_NAME.sub("", hint)
    return name if name[:1].isalpha() else f"v{name}"


# MLIR.


def mlir_comment(text: str) -> str:
    """A comment in MLIR with this text."""
    return f"// {visible(text)}"


def mlir_name(hint: str) -> str:
    """The name after the % of a value: the wish, or `v` where the wish is not a name."""
    return hint if _MLIR_NAME.fullmatch(hint) else "v"


def mlir_location(source: str, line: int, column: int) -> str:
    """A location that `mlir_source` of the source's name tells again; the name itself may be anything."""
    return f'loc("{mlir_source(source)}":{line}:{column})'


def mlir_source(name: str) -> str:
    """What a source is called in locations."""
    from zlib import crc32

    return f"source-{crc32(name.encode(errors='surrogatepass')):08x}"


# Objects: LLVM, C and linkers.


def symbol(name: str) -> str:
    """A part of a symbol's name that needs no quotes in MLIR, LLVM, C and a linker's options."""
    return _NO_NAME.sub(lambda match: f"_{ord(match[0]):x}_", name)
