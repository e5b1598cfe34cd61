"""Annotations that Python 3.14 evaluates when they are read, so that reading them can fail.

Older Pythons run the same tests with a model of it: functions are compiled without evaluating annotations, reading
their values evaluates them, and the module `annotationlib` gives their texts.
"""

from __future__ import annotations

import enum
import inspect
import sys
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from tracing_kit import dedented, findings, functions

from pytl.frontends.python import annotations, trace

LAZY = sys.version_info >= (3, 14)


class Format(enum.IntEnum):
    VALUE = 1
    STRING = 4


def _evaluated(function: Callable[..., Any]) -> dict[str, Any]:
    texts = function.__annotations__
    return {name: eval(text, function.__globals__) for name, text in texts.items()}


def _signature(function: Any, *, follow_wrapped: bool = True, annotation_format: Format = Format.VALUE) -> Any:
    found = inspect.signature(function, follow_wrapped=follow_wrapped)
    if annotation_format is Format.STRING:
        return found
    values = _evaluated(function)
    return found.replace(parameters=[p.replace(annotation=values[p.name]) for p in found.parameters.values()])


@pytest.fixture(autouse=True)
def python(monkeypatch: pytest.MonkeyPatch) -> None:
    if not LAZY:
        library: Any = ModuleType("annotationlib")
        library.Format = Format
        library.get_annotations = lambda function, *, format: function.__annotations__
        monkeypatch.setitem(sys.modules, "annotationlib", library)
        monkeypatch.setattr(annotations, "inspect", SimpleNamespace(signature=_signature))
        monkeypatch.setattr(annotations, "_values", _evaluated)


def defined(source: str, **names: Any) -> dict[str, Any]:
    return functions(("" if LAZY else "from __future__ import annotations\n") + dedented(source), **names)


def test_the_annotations_of_a_kernel_are_objects_where_python_can_evaluate_them() -> None:
    kernel = defined("def f(x: Memref[f32, 3 + SIZE]): ...", SIZE=4)["f"]
    assert "memref<f32x7>" in str(trace(kernel))


def test_a_name_that_comes_into_being_after_the_kernel() -> None:
    space = defined("@pytl.kernel\ndef f(x: Memref[f32, SIZE], n: f32): ...")
    space["SIZE"] = 5
    assert "memref<f32x5>" in str(space["f"])


def test_a_size_that_is_a_constexpr_parameter_needs_no_quotes() -> None:
    space = defined("@pytl.kernel\ndef f(x: Memref[f32, M, 8], M: constexpr[int]): ...")
    assert "memref<f32x3x8>" in str(space["f"].specialize(M=3))


def test_what_an_annotation_lacks_is_reported_with_its_place() -> None:
    (found,) = findings(defined("def f(x: Memref[f32, UNKNOWN], y: f32): ...")["f"])
    assert (found.code, found.message) == ("PYTL-1012", "the annotation of x: name 'UNKNOWN' is not defined")
    (found,) = findings(defined("def f(x: f32, y: Memref[f32, 1 // 0]): ...")["f"])
    assert (found.code, found.message) == (
        "PYTL-1012",
        "the annotation of y gives ZeroDivisionError: integer division or modulo by zero",
    )


def test_a_plain_function_may_have_annotations_that_nobody_evaluates() -> None:
    space = defined(
        """
        def twice(x: f32, note: NOWHERE = 1):
            return x + x

        def f(A: Memref[f32]):
            A[()] = twice(A[()])
        """
    )
    assert "add" in str(trace(space["f"]))
