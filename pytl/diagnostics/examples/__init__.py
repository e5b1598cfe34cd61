"""An example for each rule that breaks it, shown by `pytl explain CODE` and on the page of rules.

The examples are in the files beside this one, by family of codes. A line `PYTL-0100 text` heads an example, which
follows indented by four blanks; the word after the code says what it is:

- `text` of the language, as `pytl check` reads it,
- `python`, a whole program,
- `shell`, one command line, with standard input as a here-document.

The word `sycl` behind that says that the program breaks the rule only where numba-dpex is installed. A block headed
`all python` is what the programs below it begin with, up to the next such block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

Form = Literal["text", "python", "shell"]

_HEAD = re.compile(r"(PYTL-\d{4}|all) (text|python|shell)( sycl)?")
_INDENT = "    "


@dataclass(frozen=True)
class Example:
    """A text, program or command line that breaks the rule with this code."""

    code: str
    form: Form
    text: str
    needs_sycl: bool = False


def example_of(code: str) -> Example | None:
    """The example of a rule by its code, as `PYTL-0100`; None where the rule has no example.

    >>> print(example_of("PYTL-0108").text)
    func @f(%m: group<memref<f32x4>x?, offset: -1>) { }
    """
    return _examples().get(code)


@cache
def _examples() -> dict[str, Example]:
    examples: dict[str, Example] = {}
    for file in sorted(files(__name__).iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".txt"):
            for example in read_examples(file.read_text(encoding="utf-8"), file.name):
                if example.code in examples:
                    raise ValueError(f"{file.name}: {example.code} has two examples")
                examples[example.code] = example
    return examples


def read_examples(text: str, name: str) -> Iterator[Example]:
    """The examples of a file in order; raises ValueError where a line is neither head nor example."""
    beginning = ""
    for head, body in _blocks(text, name):
        code, form, sycl = head.groups()
        if code == "all":
            beginning = body
        else:
            whole = _joined(beginning, body) if form == "python" else body
            yield Example(code, form, whole, sycl is not None)  # type: ignore[arg-type]


def _joined(beginning: str, program: str) -> str:
    """The whole of a program, its imports in one piece."""
    if not beginning:
        return program
    imports = ("import ", "from ")
    one_piece = beginning.splitlines()[-1].startswith(imports) and program.startswith(imports)
    return beginning + ("\n" if one_piece else "\n\n") + program


def _blocks(text: str, name: str) -> Iterator[tuple[re.Match[str], str]]:
    head: re.Match[str] | None = None
    lines: list[str] = []
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if not line or line.startswith(_INDENT):
            lines.append(line.removeprefix(_INDENT))
            continue
        if head is not None:
            yield head, "\n".join(lines).strip("\n")
        head, lines = _HEAD.fullmatch(line), []
        if head is None:
            raise ValueError(f"{name}:{number}: {line!r} is neither the head of an example nor indented")
    if head is not None:
        yield head, "\n".join(lines).strip("\n")
