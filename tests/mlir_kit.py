"""Kernels in MLIR's text, written by hand, for the backends that execute MLIR: what they do is told apart from what is
emitted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

import pytl
from pytl.backends.mlir import artefacts
from pytl.backends.mlir.backend import MlirBackend
from pytl.backends.mlir.emit import symbol_of
from pytl.mlir.text import Operation, read_text
from pytl.mlir.text.printer import print_operation


def memref(element: str, *shape: int | str, strides: Sequence[int | str] | None = None) -> str:
    """MLIR's type of a memref, in MLIR's order of modes; where strides are left out, the last is 1 and others open."""
    modes = "".join(f"{size}x" for size in shape)
    if strides is None:
        strides = ["?"] * (len(shape) - 1) + [1] if shape else []
    return f"memref<{modes}{element}, strided<[{', '.join(map(str, strides))}], offset: ?>>"


def lines(operation: Operation, depth: int = 0) -> Iterator[str]:
    """All that an operation is, without its places in texts."""
    attributes = sorted((name, repr(value)) for name, value in operation.attributes.items())
    types = [*map(str, operation.operand_types), "->", *map(str, operation.result_types)]
    yield f"{depth} {list(operation.results)} {operation.name} {operation.operands} {types} {attributes}"
    for region in operation.regions:
        for block in region.blocks:
            if not (block.arguments or block.operations):
                continue  # a text tells no empty block from none
            yield f"{depth} {block.label} {[(name, str(type_)) for name, type_ in block.arguments]}"
            for inner in block.operations:
                yield from lines(inner, depth + 1)


def assert_is_read_back(module: Operation) -> None:
    text = print_operation(module, locations=True)
    found, problems = read_text(text)
    assert not problems.items, text
    if module.name == "gpu.module":
        (found,) = found.regions[0].blocks[0].operations
    assert list(lines(found)) == list(lines(module)), text
    for written, read in zip(module.walk(), found.walk(), strict=True):
        if written.location is not None:
            assert read.origin == (written.location.line, written.location.column)
    assert print_operation(found) == re.sub(r"^ *//.*\n", "", print_operation(module), flags=re.MULTILINE)


@dataclass(frozen=True)
class Written:
    """A kernel of the language, for its signature, and its body in MLIR by hand.

    `parameters` are name and type in MLIR of what the body takes: scalars as they are.
    """

    signature: str
    parameters: Mapping[str, str]
    body: str

    @property
    def name(self) -> str:
        return self.signature.partition("@")[2].partition("(")[0]

    def kernel(self) -> pytl.Kernel:
        return pytl.compile(self.signature)[self.name]

    @property
    def text(self) -> str:
        taken = "".join(f", %{name}: {type_}" for name, type_ in self.parameters.items())
        outside = {name: _outside(type_) for name, type_ in self.parameters.items()}
        given = "".join(f", %{name}: {type_}" for name, type_ in outside.items())
        loads, passed = [], []
        for name, type_ in self.parameters.items():
            passed.append(f"%{name}")
            if outside[name] != type_:
                loads.append(f"    %{name}_value = memref.load %{name}[] : {outside[name]}")
                passed[-1] += "_value"
        symbol = symbol_of(self.name)
        types = ", ".join(["index"] * 3 + list(self.parameters.values()))
        return f"""module {{
  func.func private @{symbol}_groups(%first: index, %last: index, %groups: index{taken}) {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %g = %first to %last step %c1 {{
{self.body}
    }}
    return
  }}
  func.func @{symbol}(%first: index, %last: index, %groups: index{given}) attributes {{llvm.emit_c_interface}} {{
{chr(10).join(loads)}
    call @{symbol}_groups(%first, %last, %groups{"".join(f", {name}" for name in passed)}) : ({types}) -> ()
    return
  }}
}}
"""


def _outside(type_: str) -> str:
    return type_ if type_.startswith("memref") else f"memref<{type_}, strided<[], offset: ?>>"


@pytest.fixture
def by_hand(monkeypatch: pytest.MonkeyPatch) -> Any:
    """`by_hand(written)` is a kernel whose text for MLIR's backends is that one."""
    texts: dict[str, str] = {}

    def text(self: MlirBackend, lowered: Any, options: Any, locations: bool = False, target: Any = None) -> str:
        return texts[lowered.original.name]

    key = artefacts.key

    def key_with_text(function: Any, options: Any, *rest: Any) -> str:
        return key(function, {**options, "by hand": texts[function.name]}, *rest)

    monkeypatch.setattr(artefacts, "key", key_with_text)  # which else is of what the text follows from
    monkeypatch.setattr(MlirBackend, "text", text)
    monkeypatch.setattr(MlirBackend, "passes", lambda self, options: ())

    def make(written: Written) -> pytl.Kernel:
        texts[written.name] = written.text
        return written.kernel()

    return make
