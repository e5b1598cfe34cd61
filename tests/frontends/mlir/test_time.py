"""Texts are read in time that is linear in the number of their operations."""

from __future__ import annotations

import sys
from typing import Any

import pytest

import pytl

MATRIX, LINE, PART = "tensor<64x64xf32>", "tensor<?xf32>", "tensor<8xf32>"
MEMREF, VECTOR = "memref<64x64xf32>", "vector<8xf32>"
REPEATED = {
    "operations behind each other": (
        f"%v0: {MATRIX}",
        MATRIX,
        f"%e# = tensor.empty() : {MATRIX}\n"
        f"%v+ = linalg.add ins(%v#, %v# : {MATRIX}, {MATRIX}) outs(%e# : {MATRIX}) -> {MATRIX}",
    ),
    "temporaries of sizes that are not known": (
        f"%v0: {LINE}, %n: index",
        LINE,
        f"%e# = tensor.empty(%n) : {LINE}\n%v+ = linalg.exp ins(%v# : {LINE}) outs(%e# : {LINE}) -> {LINE}",
    ),
    "sums in place": (
        f"%x: {MATRIX}, %v0: {MATRIX}",
        MATRIX,
        f"%v+ = linalg.matmul ins(%x, %x : {MATRIX}, {MATRIX}) outs(%v# : {MATRIX}) -> {MATRIX}",
    ),
    "parts in place": (
        f"%v0: {LINE}",
        LINE,
        f"%p# = tensor.extract_slice %v#[8] [8] [1] : {LINE} to {PART}\n"
        f"%q# = linalg.exp ins(%p# : {PART}) outs(%p# : {PART}) -> {PART}\n"
        f"%v+ = tensor.insert_slice %q# into %v#[8] [8] [1] : {PART} into {LINE}",
    ),
    "operations on memrefs": (
        f"%x: {MEMREF}, %y: {MEMREF}",
        "",
        f"linalg.add ins(%x, %x : {MEMREF}, {MEMREF}) outs(%y : {MEMREF})",
    ),
    "elements": ("%v0: f32", "f32", "%v+ = arith.addf %v#, %v0 : f32"),
}


def text(name: str, count: int) -> str:
    head, type_, repeated = REPEATED[name]
    lines = "\n".join(repeated.replace("#", f"{n}").replace("+", f"{n + 1}") for n in range(count))
    gives, returned = (f" -> {type_}", f" %v{count} : {type_}") if type_ else ("", "")
    return f"func.func @f({head}){gives} {{\n{lines}\nreturn{returned}\n}}"


def calls_of(given: str) -> int:
    """How many functions of Python are called while a text is read."""
    count = 0

    def called(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        pytl.from_mlir(given)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("name", REPEATED)
def test_time_is_linear(name: str) -> None:
    pytl.from_mlir(text(name, 2))  # with all that is imported once
    few, many = calls_of(text(name, 50)), calls_of(text(name, 400))
    assert many < 8.5 * few
