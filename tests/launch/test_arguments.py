"""What a launch takes: arrays of every library and layout, groups, numbers; the same on both backends."""

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from launch_kit import BACKENDS, column_major, needs_sycl

import pytl
from pytl import (
    Group,
    Memref,
    axpby,
    bf16,
    bool_,
    c32,
    c64,
    cast,
    f16,
    f32,
    f64,
    foreach,
    group_id,
    i8,
    i16,
    i32,
    i64,
    index,
    offset,
    strides,
)

pytestmark = [pytest.mark.parametrize("backend", BACKENDS), pytest.mark.at_most(12)]


@pytl.kernel
def double(x: Memref[f32, ..., ...]):
    axpby(1.0, x, 1.0, x)


@pytl.kernel
def double_spread(x: Memref[f32, ..., ..., strides(..., ...)]):
    axpby(1.0, x, 1.0, x)


@pytl.kernel
def add(x: Memref[f32, 8, strides(...)], y: Memref[f32, 8, strides(...)]):
    axpby(1.0, x, 1.0, y)


@pytl.kernel
def double_items(G: Group[f32, 4, 3]):
    axpby(1.0, G[group_id()], 1.0, G[group_id()])


@pytl.kernel
def double_any_items(G: Group[f32, ..., ...]):
    axpby(1.0, G[group_id()], 1.0, G[group_id()])


# NumPy.


def test_column_major(backend: str) -> None:
    x = column_major(4, 3)
    double[1](x, backend=backend)
    np.testing.assert_array_equal(x, 2 * column_major(4, 3))


@pytest.mark.parametrize(
    "cut",
    [np.s_[::2, :], np.s_[1:4, 2:], np.s_[:, ::3], np.s_[2:3, :], np.s_[:, 5:6], np.s_[:0, :]],
)
def test_views_with_strides(cut: Any, backend: str) -> None:
    """What lies between the elements of a view stays as it is."""
    whole, expected = column_major(6, 8), column_major(6, 8)
    expected[cut] *= 2
    double_spread[1](whole[cut], backend=backend)
    np.testing.assert_array_equal(whole, expected)


def test_modes_of_one_entry_have_any_stride(backend: str) -> None:
    x = np.arange(4, dtype=np.float32)
    double[1](x[::-1][:1].reshape(1, 1), backend=backend)
    double[1](np.lib.stride_tricks.as_strided(x, (2, 1), (4, -400)), backend=backend)
    np.testing.assert_array_equal(x, [0, 2, 2, 6])


@pytest.mark.parametrize("kernel", [double, double_spread], ids=["packed", "strided"])
def test_arrays_whose_own_elements_overlap(kernel: Any, backend: str) -> None:
    memory = np.ones(12, np.float32)
    for shape, byte_strides in [((4, 3), (4, 12)), ((2, 3), (8, 8)), ((4, 2), (4, 4)), ((4, 2), (0, 16))]:
        with pytest.raises(pytl.LaunchError) as caught:
            kernel[1](np.lib.stride_tricks.as_strided(memory, shape, byte_strides), backend=backend)
        assert caught.value.code == "PYTL-2006"
    assert (memory == 1).all()


@pytl.kernel
def double_packed(x: Memref[f32, ..., ..., 21]):
    for i, j, k in foreach((0, 0, 0), (x.shape[0], x.shape[1], 21)):
        x[i, j, k] *= 2.0


@pytl.kernel
def double_static(x: Memref[f32, 1, 1, 21]):
    for k in foreach(21):
        x[0, 0, k] *= 2.0


@pytest.mark.parametrize("kernel", [double_packed, double_static], ids=["dynamic", "static"])
def test_libraries_fill_in_strides_of_modes_of_one_entry_as_they_like(kernel: Any, backend: str) -> None:
    plain = np.ones((1, 1, 21), np.float32)
    column = np.asfortranarray(plain)
    assert column.strides[0] != 4  # which says nothing of what lies where
    strange = np.lib.stride_tricks.as_strided(np.ones(21, np.float32), (1, 1, 21), (-7, 9, 4))
    for x in (column, plain, strange, np.empty((1, 1, 21), np.float32, order="F")):
        x[...] = np.arange(21)
        kernel[1](x, backend=backend)
        np.testing.assert_array_equal(x[0, 0], 2.0 * np.arange(21))
    kernel[0](column, backend=backend)


@needs_sycl
def test_modes_of_one_entry_of_dpctl(backend: str) -> None:
    from device_kit import dpt

    x = dpt.ones((1, 1, 21), dtype="f4", order="F")
    for made in (x, dpt.copy(dpt.ones((1, 1, 21), dtype="f4"), order="F"), dpt.ones((1, 1, 21), dtype="f4")):
        double_packed[1](made, backend=backend)
        assert (dpt.asnumpy(made) == 2).all()


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_empty_arrays(shape: tuple[int, int], order: Any, backend: str) -> None:
    double[2](np.zeros(shape, np.float32, order=order), backend=backend)


def test_an_array_without_modes(backend: str) -> None:
    @pytl.kernel
    def increment(x: Memref[f32]):
        x[()] = x[()] + 1.0

    x = np.zeros((), np.float32)
    increment[1](x, backend=backend)
    assert x == 1.0


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_subclasses_are_arrays(backend: str, tmp_path) -> None:
    with pytest.raises(pytl.LaunchError, match=r"\(3, 1\)"):
        double[1](np.matrix(np.ones((4, 3), np.float32)), backend=backend)
    mapped = np.memmap(tmp_path / "x", np.float32, "w+", shape=(4, 3), order="F")
    mapped[...] = 1.0
    double[1](mapped, backend=backend)
    assert (mapped == 2.0).all()
    transposed = np.matrix(np.ones((3, 4), np.float32)).T
    double[1](transposed, backend=backend)
    assert (transposed == 2.0).all()


def test_read_only_arrays_may_be_read(backend: str) -> None:
    x = np.frombuffer(np.arange(8, dtype=np.float32).tobytes(), np.float32)
    y = np.ones(8, np.float32)
    add[1](x, y, backend=backend)
    np.testing.assert_array_equal(y, 1 + np.arange(8))


def test_the_same_array_as_two_arguments(backend: str) -> None:
    x = np.arange(8, dtype=np.float32)
    add[1](x, x, backend=backend)
    np.testing.assert_array_equal(x, 2 * np.arange(8))


@pytest.mark.parametrize("copied", ["0", "1"])
def test_interleaved_arrays(copied: str, backend: str, monkeypatch) -> None:
    monkeypatch.setenv("PYTL_COPY_NUMPY", copied)
    whole = np.arange(24, dtype=np.float32)
    add[1](whole[0::3], whole[1::3], backend=backend)
    expected = np.arange(24, dtype=np.float32)
    expected[1::3] += expected[0::3]
    np.testing.assert_array_equal(whole, expected)


# Element types.

ELEMENTS = {
    "i8": (i8, np.int8),
    "i16": (i16, np.int16),
    "i32": (i32, np.int32),
    "i64": (i64, np.int64),
    "index": (index, np.int64),
    "bf16": (bf16, ml_dtypes.bfloat16),
    "bits of bf16": (bf16, np.uint16),
    "f16": (f16, np.float16),
    "f32": (f32, np.float32),
    "f64": (f64, np.float64),
    "c32": (c32, np.complex64),
    "c64": (c64, np.complex128),
}


@pytest.mark.at_most(3)
@pytest.mark.parametrize("copied", ["0", "1"])
@pytest.mark.parametrize("name", ELEMENTS)
def test_element_types(name: str, copied: str, backend: str, monkeypatch) -> None:
    monkeypatch.setenv("PYTL_COPY_NUMPY", copied)
    element, dtype = ELEMENTS[name]

    @pytl.kernel
    def move(x: Memref[element, 6], y: Memref[element, 6, strides(2)]):
        for k in range(6):
            y[k] = x[k]

    x = (np.arange(6) + (2j if "c" in name else 0)).astype(dtype)
    y = np.zeros(12, dtype)
    move[1](x, y[::2], backend=backend)
    assert y[::2].tobytes() == x.tobytes()
    assert not y[1::2].any()


def test_native_byte_order_by_another_name(backend: str) -> None:
    native = "<" if np.little_endian else ">"
    x = column_major(4, 3, dtype=np.dtype(f"{native}f4"))
    double[1](x, backend=backend)
    np.testing.assert_array_equal(x, 2 * column_major(4, 3))


def test_views_of_one_memory_with_items_of_two_sizes(backend: str, monkeypatch) -> None:
    """They begin at one address and have one shape, and are not the same elements."""
    monkeypatch.setenv("PYTL_COPY_NUMPY", "1")

    @pytl.kernel
    def read_both(x: Memref[f32, 4], z: Memref[c32, 4], r: Memref[f32, 2]):
        r[0] = x[3]
        r[1] = z[3].imag

    memory = np.arange(8, dtype=np.float32)
    r = np.zeros(2, np.float32)
    read_both[1](memory[:4], memory.view(np.complex64), r, backend=backend)
    np.testing.assert_array_equal(r, [3.0, 7.0])


# Groups.


def test_a_group_in_one_array(backend: str) -> None:
    whole, expected = column_major(4, 3, 10), column_major(4, 3, 10)
    double_items[5](whole[:, :, ::2], backend=backend)
    expected[:, :, ::2] *= 2
    np.testing.assert_array_equal(whole, expected)


@pytest.mark.parametrize("kind", [list, tuple])
def test_a_group_of_arrays(kind: Any, backend: str) -> None:
    arrays = [column_major(4, 3) + k for k in range(4)]
    double_items[3](kind(arrays), backend=backend)
    for k, array in enumerate(arrays):
        np.testing.assert_array_equal(array, (2 if k < 3 else 1) * (column_major(4, 3) + k))


def test_a_group_of_arrays_of_many_shapes(backend: str) -> None:
    arrays = [column_major(rows, columns) for rows, columns in [(4, 3), (1, 7), (5, 1), (2, 2)]]
    double_any_items[4](arrays, backend=backend)
    for array in arrays:
        np.testing.assert_array_equal(array, 2 * column_major(*array.shape))


def test_pointers_with_an_offset(backend: str) -> None:
    @pytl.kernel
    def double_behind(G: Group[f32, 4, offset(...)]):
        axpby(1.0, G[group_id()], 1.0, G[group_id()])

    memory = [np.ones(12, np.float32) for _ in range(2)]
    double_behind[2](pytl.pointers(memory, offset=3), backend=backend)
    for array in memory:
        np.testing.assert_array_equal(array, [1] * 3 + [2] * 4 + [1] * 5)
    columns = np.ones((9, 3), np.float32, order="F")
    double_behind[3](pytl.pointers(columns, np.int8(5)), backend=backend)
    np.testing.assert_array_equal(columns, np.repeat([1, 2], [5, 4])[:, None] * np.ones((1, 3)))


def test_a_group_without_items(backend: str) -> None:
    double_items[0]([], backend=backend)
    double_items[0](np.zeros((4, 3, 0), np.float32), backend=backend)


# Numbers.


@pytl.kernel
def numbers(a: i8, b: i16, c: i32, d: i64, e: index, t: bool_, r: Memref[i64, 6]):
    r[0] = cast(a, i64)
    r[1] = cast(b, i64)
    r[2] = cast(c, i64)
    r[3] = d
    r[4] = cast(e, i64)
    r[5] = i64(0)
    if t:
        r[5] = i64(1)


@pytest.mark.parametrize("end", [-1, 1])
@pytest.mark.parametrize("make", [int, lambda n: np.int64(n), lambda n: np.array(n)])
def test_integers(end: int, make: Any, backend: str) -> None:
    limits = [2 ** (n - 1) - 1 if end > 0 else -(2 ** (n - 1)) for n in (8, 16, 32, 64, 64)]
    r = np.zeros(6, np.int64)
    numbers[1](*map(make, limits), end > 0, r, backend=backend)
    assert r.tolist() == [*limits, end > 0]


@pytest.mark.parametrize("true", [True, np.True_, np.array(True)])
def test_truth_values(true: Any, backend: str) -> None:
    r = np.zeros(6, np.int64)
    numbers[1](0, 0, 0, 0, 0, true, r, backend=backend)
    assert r[5] == 1


@pytl.kernel
def reals(a: f16, b: bf16, c: f32, d: f64, r: Memref[f64, 4]):
    r[0] = cast(a, f64)
    r[1] = cast(b, f64)
    r[2] = cast(c, f64)
    r[3] = d


@pytest.mark.parametrize(
    "value",
    [
        *(1, -2.5, 0.1, 1e-40, 65504, -65504.0, True + 0.0, math.inf, -math.inf, math.nan),
        *(np.float32(0.1), np.float16(3), np.longdouble(0.25), np.int16(-7), np.array(0.1)),
        ml_dtypes.bfloat16(0.1),
    ],
    ids=repr,
)
def test_reals(value: Any, backend: str) -> None:
    r = np.zeros(4)
    reals[1](value, value, value, value, r, backend=backend)
    expected = [float(dtype(float(value))) for dtype in (np.float16, ml_dtypes.bfloat16, np.float32, np.float64)]
    np.testing.assert_array_equal(r, expected)


def test_the_largest_numbers(backend: str) -> None:
    r = np.zeros(4)
    largest = [65504.0, 3.3895313892515355e38, float(np.finfo(np.float32).max), 1.7976931348623157e308]
    reals[1](*largest, r, backend=backend)
    np.testing.assert_array_equal(r, largest)
    reals[1](65519.0, 3.396e38, 0.0, 0.0, r, backend=backend)
    assert r.tolist() == [*largest[:2], 0.0, 0.0]
    between = float(np.nextafter(np.float64(largest[2]), np.inf))  # rounds to the largest
    reals[1](0.0, 0.0, between, 0.0, r, backend=backend)
    assert r[2] == largest[2]
    with pytest.raises(pytl.LaunchError) as caught:
        reals[1](65520.0, 3.4e38, 3.4028235677973366e38, 10**309, r, backend=backend)
    assert [d.message for d in caught.value.diagnostics] == [
        "a is 65520.0, which is beyond the range of f16",
        "b is 3.4e+38, which is beyond the range of bf16",
        "c is 3.4028235677973366e+38, which is beyond the range of f32",
        "d is an integer of many digits, which is beyond the range of f64",
    ]


def test_narrow_numbers_are_rounded_once(backend: str) -> None:
    """Not by way of f32, where what is just above the middle of two numbers would become the middle."""
    r = np.zeros(4)
    reals[1](1 + 2.0**-11 + 2.0**-40, -1 - 2.0**-8 - 2.0**-40, 0.0, -0.0, r, backend=backend)
    assert r[:2].tolist() == [1 + 2.0**-10, -1 - 2.0**-7]
    reals[1](-(2.0**-30), -(2.0**-140), -(2.0**-160), -0.0, r, backend=backend)
    assert r.tolist() == [0.0] * 4 and np.signbit(r).all()


@pytl.kernel
def complexes(a: c32, b: c64, r: Memref[c64, 2]):
    r[0] = cast(a, c64)
    r[1] = b


@pytest.mark.parametrize(
    "value", [1, 2.5, 1 - 2j, np.complex64(3j), complex(math.inf, -1), np.clongdouble(1j)], ids=repr
)
def test_complex_numbers(value: Any, backend: str) -> None:
    r = np.zeros(2, np.complex128)
    complexes[1](value, value, r, backend=backend)
    np.testing.assert_array_equal(r, [complex(value)] * 2)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.float64(2.0), "a is a float 2.0, but the parameter is i8"),
        (1j, "a is a complex 1j, but the parameter is i8"),
        (np.timedelta64(5, "ns"), "a is a timedelta64, but the parameter is i8"),
        (np.ma.masked, "a is a MaskedConstant, but the parameter is i8"),
        (np.array([1]), "a is an ndarray, but the parameter is i8"),
        (True, "a is a bool, but the parameter is i8"),
        (b"1", "a is a bytes, but the parameter is i8"),
        (-129, "a is -129, but i8 holds -128 … 127"),
        (np.uint64(2**63), "a is 9223372036854775808, but i8 holds -128 … 127"),
    ],
)
def test_no_integers(value: Any, message: str, backend: str) -> None:
    r = np.zeros(6, np.int64)
    with pytest.raises(pytl.LaunchError) as caught:
        numbers[1](value, 0, 0, 0, 0, True, r, backend=backend)
    assert [d.message for d in caught.value.diagnostics] == [message]
    assert not r.any()


# The number of work-groups.


@pytest.mark.parametrize("groups", [0, 1, np.int8(2), np.uint64(2)])
def test_groups(groups: Any, backend: str) -> None:
    x = np.ones((4, 3, 2), np.float32, order="F")
    double_items[groups](x, backend=backend)
    assert x.sum() == 24 + 12 * int(groups)


def test_named_arguments(backend: str) -> None:
    x, y = np.ones(8, np.float32), np.ones(8, np.float32)
    add[1](y=y, x=x, backend=backend)
    add[1](x, y=y, backend=backend)
    assert (y == 3.0).all() and (x == 1.0).all()


# Device arrays, on both backends: reference copies them.


@needs_sycl
@pytest.mark.parametrize("memory", ["device", "shared", "host"])
def test_usm_arrays(memory: str, backend: str) -> None:
    from device_kit import dpt

    x = dpt.asarray(column_major(4, 3), order="F", usm_type=memory)
    double[1](x, backend=backend)
    np.testing.assert_array_equal(dpt.asnumpy(x), 2 * column_major(4, 3))


@needs_sycl
def test_views_of_usm_arrays(backend: str) -> None:
    from device_kit import dpt

    whole = dpt.asarray(column_major(6, 8), order="F")
    double_spread[1](whole[2:5, ::2], backend=backend)
    expected = column_major(6, 8)
    expected[2:5, ::2] *= 2
    np.testing.assert_array_equal(dpt.asnumpy(whole), expected)


@pytest.mark.needs_dpnp
def test_dpnp_arrays(backend: str) -> None:
    import dpnp

    x, y = dpnp.arange(8, dtype="f4"), dpnp.ones(16, dtype="f4")
    add[1](x, y[::2], backend=backend)
    np.testing.assert_array_equal(dpnp.asnumpy(y), np.stack([1 + np.arange(8), np.ones(8)], 1).ravel())


class _Foreign:
    """An array of yet another library."""

    def __init__(self, array: Any) -> None:
        self.array = array
        self.__sycl_usm_array_interface__ = array.__sycl_usm_array_interface__


@needs_sycl
def test_arrays_of_other_libraries(backend: str) -> None:
    from device_kit import dpt

    x = dpt.asarray(np.ones(8, np.float32))
    add[1](_Foreign(x), _Foreign(x[:]), backend=backend)
    np.testing.assert_array_equal(dpt.asnumpy(x), np.full(8, 2.0))


@needs_sycl
def test_numpy_and_usm_arrays_together(backend: str) -> None:
    from device_kit import dpt

    host, device = np.ones(8, np.float32), dpt.asarray(np.arange(8, dtype=np.float32))
    add[1](device, host, backend=backend)
    add[1](host, device, backend=backend)
    np.testing.assert_array_equal(host, 1 + np.arange(8))
    np.testing.assert_array_equal(dpt.asnumpy(device), 1 + 2 * np.arange(8))


@needs_sycl
def test_bits_of_bf16_on_the_device(backend: str) -> None:
    from device_kit import dpt

    @pytl.kernel
    def double_bf16(x: Memref[bf16, 8]):
        axpby(bf16(1.0), x, bf16(1.0), x)

    numbers = np.arange(8).astype(ml_dtypes.bfloat16)
    x = dpt.asarray(numbers.view(np.uint16))
    double_bf16[1](x, backend=backend)
    np.testing.assert_array_equal(dpt.asnumpy(x).view(ml_dtypes.bfloat16).astype(int), 2 * np.arange(8))


@needs_sycl
@pytest.mark.parametrize("whole", [True, False])
def test_groups_of_usm_arrays(whole: bool, backend: str) -> None:
    from device_kit import dpt

    x = dpt.asarray(column_major(4, 3, 5), order="F")
    given = x if whole else [x[:, :, k] for k in range(5)]
    double_items[5](given, backend=backend)
    np.testing.assert_array_equal(dpt.asnumpy(x), 2 * column_major(4, 3, 5))
