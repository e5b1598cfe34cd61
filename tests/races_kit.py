"""Kernels that race, and where the reference backend says so."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import numpy as np
import pytest
from reference_kit import run

from pytl.diagnostics import ExecutionError

ITEMS, GROUPS = "PYTL-4030", "PYTL-4031"

PREAMBLE = """\
%0 = constant 0 : index
%1 = constant 1 : index
%n = constant 16 : index
%c = constant 1 : i32
%g = group_id : index
%t = alloca : memref<i32x16,local>
foreach (%i) = (%0), (%n) { store %c, %t[%i] }
"""
ITEM = """\
%l = builtin.subgroup_local_id : i32
%i = cast %l : index
"""


def kernel(body: str, attributes: str = "") -> str:
    """A function on global memory %r and %s; %t is local. Its body begins in line 10."""
    head = "func @f(%r: memref<i32x16>, %s: memref<i32x16x?>, %h: group<memref<i32x16>x?>)"
    return f"{head} {attributes} {{\n{PREAMBLE}\n{dedent(body)}\n}}"


def arguments(groups: int = 1) -> list[Any]:
    return [np.zeros(16, np.int32), np.zeros((16, groups), np.int32, order="F"), [np.zeros(16, np.int32)] * groups]


def race(text: str, code: str = ITEMS, groups: int = 1, *given: Any) -> tuple[int, int, str]:
    """The lines of a text at which the two accesses stand, counted from its body, and the message."""
    with pytest.raises(ExecutionError) as caught:
        run(text, *(given or arguments(groups)), groups=groups)
    (found,) = caught.value.diagnostics
    (label,) = found.labels
    assert found.code == code
    assert label.text == "the other access is here"
    first = text.split("\n").index("") + 1 if not given else 0
    return found.location.line - first, label.location.line - first, found.message


def parallel(body: str) -> str:
    return f"parallel {{\n{ITEM}{dedent(body).strip()}\n}}"
