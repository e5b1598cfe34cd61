"""Launches through the compilation cache, with a record of what is compiled and what the driver is given."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

import pytest

from pytl.backends.numba_dpex import launch, toolchain
from pytl.backends.numba_dpex.vector import VectorKernel

TEXT = """\
func @add(%alpha: f32, %x: memref<f32x?>, %y: memref<f32x?>) {
  %one = constant 1.0 : f32
  axpby.n %alpha, %x, %one, %y
}
"""

_built: dict[Hashable, Any] = {}
"""What numba takes a second for is compiled once for all tests."""


def code_of(kernel: Any) -> Hashable:
    """What tells vector code from another; the source has its name alone."""
    if not isinstance(kernel, VectorKernel):
        return repr(kernel)
    numbers: dict[Any, int] = {}
    return tuple(
        (
            op.word,
            repr(getattr(op, "attributes", None)),
            repr(getattr(op, "literal", None)),
            *(numbers.setdefault(value, len(numbers)) for value in (*op.operands, *op.results)),
            *(str(value.type) for value in op.results),
        )
        for op in kernel.operation.body.walk()
    )


def recorded_calls(monkeypatch: pytest.MonkeyPatch, word_of: Callable[[Any], str]) -> list[str]:
    """ "build" for each compilation from now on, and a word for each kernel that the driver is given."""
    called: list[str] = []
    build, load = toolchain.build, launch.LoadedKernel.__init__

    def build_once(source: str, *rest: Any) -> Any:
        called.append("build")
        key = (source, *(code_of(each) for given in rest if isinstance(given, Mapping) for each in given.values()))
        if key not in _built:
            _built[key] = build(source, *rest)
        return _built[key]

    def counted(self: Any, queue: Any, kernel: Any) -> None:
        called.append(word_of(kernel))
        load(self, queue, kernel)

    monkeypatch.setattr(toolchain, "build", build_once)
    monkeypatch.setattr(launch.LoadedKernel, "__init__", counted)
    return called
