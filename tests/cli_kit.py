"""Texts and kernels for the tests of commands, and what runs a command in the process of the test."""

from __future__ import annotations

import re

import pytest

from pytl.tools.cli import main

GOOD = """\
func @scale(%alpha: f32, %x: memref<f32x8>) {
    %zero = constant 0.0 : f32
    axpby.n %alpha, %x, %zero, %x
}
func @copy(%a: memref<f64x4x?>, %b: memref<f64x4x?>) {
    %one = constant 1.0 : f64
    %zero = constant 0.0 : f64
    axpby.n.atomic %one, %a, %zero, %b
}
"""
BAD = """\
func @first(%x: memref<f32x8>) {
    axpby.n %alpha, %x, %alpha, %x
}
func @second(%A: memref<f32x4x8>, %B: memref<f32x4x8>, %C: memref<f32x4x4>, %a: f32) {
    gemm.n.n %a, %A, %B, %a, %C
}
"""
KERNELS = """\
import pytl
from pytl import Memref, axpby, constexpr, f32

@pytl.kernel
def good(x: Memref[f32, 8]):
    axpby(1.0, x, 1.0, x)

@pytl.kernel
def wrong(x: Memref[f32, 8]):
    y[0] = x[0]

@pytl.kernel
def sized(x: Memref[f32, ...], n: constexpr):
    for k in range(n):
        x[k] = 1.0
"""
PLACE = re.compile(r"^[^\s:][^:]*:\d+:\d+: (error|warning|note)\[PYTL-\d{4}\]: \S")


class Run:
    """Runs a command in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *arguments: str, code: int = 0) -> str:
        """The standard output of a command that ends with the code, and the standard error where it fails."""
        assert main(arguments) == code
        self.out, self.err = self.capsys.readouterr()
        return self.out

    def fails(self, *arguments: str) -> list[str]:
        """The headlines of a command that fails, from either stream."""
        self(*arguments, code=1)
        return [line for line in (self.out + self.err).splitlines() if re.search(r"(error|note|warning)\[PYTL", line)]
