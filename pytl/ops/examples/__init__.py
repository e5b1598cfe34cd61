"""An example of each instruction: a program that launches a kernel on the reference backend and checks what it did.

The files are named as the reference pages are, which show them.
"""

from __future__ import annotations

from importlib.resources import files

from ...ir.operation import Operation
from ..reference import page_name


def source_of(cls: type[Operation]) -> str:
    """The source of an instruction's example; raises FileNotFoundError where the instruction has none."""
    return files(__name__).joinpath(f"{page_name(cls)}.py").read_text(encoding="utf-8")


def path_of(cls: type[Operation]) -> str:
    """The file of the example."""
    return str(files(__name__).joinpath(f"{page_name(cls)}.py"))
