"""What pytl prints as MLIR is read again, and computes what the kernel computes that was printed."""

from __future__ import annotations

import copy
import re
from math import prod
from typing import Any

import numpy as np
import pytest
from differential.cases import NEEDS_SYCL
from forms.rows import Row, wide
from forms.table import all_rows
from forms.test_sycl import sample
from sampling import at_night

import pytl
from pytl.ir.types import BoolType, GroupType, MemrefType, ScalarType

pytestmark = pytest.mark.at_most(4)

LLVM = re.compile(r"llvm\.(?!emit_c_interface|loop_annotation)")
"""What is printed of accesses that are ordered, and of zeros that hide from LLVM, in its own dialect, which is not read."""


def tried(first: int, step: int = 1) -> list[Any]:
    """A row of each form, or of every so many forms; all rows at night."""
    rows = {row.name: row for row in (*list(sample(first))[::step], *at_night(all_rows()))}
    return [pytest.param(row, id=name) for name, row in rows.items()]


@pytest.mark.parametrize("row", tried(3))
def test_a_printed_kernel_is_read(row: Row) -> None:
    read_and_computed(row, "reference")


@pytest.mark.at_most(1)
@NEEDS_SYCL
@pytest.mark.parametrize("row", tried(5, step=6))
def test_a_printed_kernel_computes_the_same_on_a_device(row: Row) -> None:
    read_and_computed(row, "sycl")


def read_and_computed(row: Row, backend: str) -> None:
    try:
        text = pytl.compile(row.module_text)["f"].emit("mlir")
    except pytl.PytlError:
        pytest.skip("work-items that talk to each other have no form in MLIR without a GPU")
    if LLVM.search(text):
        with pytest.raises(pytl.LanguageError) as caught:
            pytl.from_mlir(text)
        assert {d.code for d in caught.value.diagnostics} <= {"PYTL-1301", "PYTL-1302", "PYTL-1309"}
        return
    kernels = pytl.from_mlir(text)
    (kernel,) = kernels.values()
    own = pytl.compile(row.module_text)["f"].function.parameters
    arguments = row.arguments()
    expected = copy.deepcopy(arguments) | row.expected(copy.deepcopy(arguments))
    passed = [
        _addresses(arguments[value.name])
        if isinstance(value.type, GroupType) and isinstance(read.type, MemrefType)
        else _passed(value.type, arguments[value.name])
        for value, read in zip(own, kernel.function.parameters[3:])
    ]
    sizes = row.groups if isinstance(row.groups, tuple) else (row.groups,)
    places = {f"groups_{axis}": np.array(size) for axis, size in zip("xyz", (*sizes, 1, 1))}
    named = {value.name: places[value.name] for value in kernel.function.parameters if value.name in places}
    kernel[1](0, prod(sizes), prod(sizes), *passed, backend=backend, **named)
    for name, value in arguments.items():
        for actual, wanted in zip(*((v if isinstance(v, list) else [v]) for v in (value, expected[name])), strict=True):
            if isinstance(actual, np.ndarray):
                _same(actual, wanted, row.tolerance)


def _passed(type_: Any, given: Any) -> Any:
    """An argument as the printed function takes it: modes in reverse order, numbers in memory, complex ones as two."""
    if isinstance(type_, BoolType):
        return np.array(given, np.int8)
    if isinstance(type_, ScalarType):
        dtype = pytl.launch.arrays.arrays.dtype_names(type_)[0]
        if dtype == "bfloat16":
            import ml_dtypes

            return np.array(given, ml_dtypes.bfloat16)
        return _parts(np.array(given, dtype))
    if isinstance(type_, MemrefType):
        return _parts(given.T)
    assert isinstance(type_, GroupType)
    given, offset = (
        (given.arrays, given.offset) if isinstance(given, pytl.launch.arrays.arguments.Pointers) else (given, 0)
    )
    offset = offset or (type_.offset if isinstance(type_.offset, int) else 0)
    # items have the language's order of modes
    items = given if isinstance(given, (list, tuple)) else [given[..., n] for n in range(given.shape[-1])]
    if offset:
        items = [item[offset : offset + type_.memref.count] for item in items]
    return [_parts(item.T).T for item in items]


def _addresses(given: Any) -> np.ndarray:
    """A group whose items nobody accesses: as nothing says what they are, what was printed is an array of numbers."""
    items = given if isinstance(given, (list, tuple)) else [given[..., n] for n in range(given.shape[-1])]
    return np.array([item.ctypes.data for item in items], np.int64)


def _parts(array: np.ndarray) -> np.ndarray:
    """Complex numbers as a last mode of two."""
    if array.dtype.kind != "c":
        return array
    return _reinterpreted(array, np.float32 if array.dtype == np.complex64 else np.float64)


def _reinterpreted(array: np.ndarray, part: Any) -> np.ndarray:
    interface = dict(array.__array_interface__)
    interface["typestr"] = np.dtype(part).str
    interface["descr"] = [("", interface["typestr"])]
    interface["shape"] = (*array.shape, 2)
    interface["strides"] = (*array.strides, np.dtype(part).itemsize)

    class Holder:
        __array_interface__ = interface
        base = array

    return np.asarray(Holder())


def _same(actual: np.ndarray, wanted: Any, tolerance: float | None) -> None:
    wanted = np.asarray(wanted).astype(actual.dtype)
    if tolerance is None:
        np.testing.assert_array_equal(wide(actual), wide(wanted))
    else:
        np.testing.assert_allclose(wide(actual), wide(wanted), rtol=tolerance)
