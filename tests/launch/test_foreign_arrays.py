"""Arrays of other libraries: none is copied, and none that can't be had is a riddle."""

import gc
import re
import weakref
from enum import Enum
from typing import Any

import numpy as np
import pytest
from launch_kit import BACKENDS, column_major, needs_sycl

import pytl
from pytl import Group, Memref, axpby, f32, group_id


class Tensor:
    """An array of another library, as the oldest form of the protocol has it: torch's before 2.9, for one."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __dlpack__(self, stream: Any = None) -> Any:
        assert stream is None
        return self.array.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()


class Versioned(Tensor):
    """The same, as the protocol is since 2023."""

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)


class Elsewhere(Tensor):
    """On some other device."""

    def __init__(self, device: Any) -> None:
        self.device = device

    def __dlpack__(self, **options: Any) -> Any:
        raise AssertionError("nobody can take it")

    def __dlpack_device__(self) -> Any:
        if isinstance(self.device, Exception):
            raise self.device
        return self.device


@pytl.kernel
def add(x: Memref[f32, 4, ...], y: Memref[f32, 4, ...]):
    axpby(1.0, x, 1.0, y)


@pytl.kernel
def add_items(x: Group[f32, 4], y: Group[f32, 4]):
    axpby(1.0, x[group_id()], 1.0, y[group_id()])


def refusal(x: Any, y: Any, kernel: pytl.Kernel = add) -> pytl.PytlError:
    with pytest.raises(pytl.LaunchError) as caught:
        kernel[1](x, y, backend="reference")
    return caught.value


@pytest.mark.at_most(2)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("kind", [Tensor, Versioned])
def test_memory_of_the_host(backend: str, kind: type) -> None:
    x, y = column_major(4, 6), column_major(4, 6)
    before = y.copy()
    add[1](kind(x), kind(y), backend=backend)
    np.testing.assert_array_equal(y, before + x)
    add[1](Tensor(x[:, :2]), y[:, 3:5], backend=backend)
    np.testing.assert_array_equal(y[:, 3:5], before[:, 3:5] + x[:, 3:5] + x[:, :2])


@pytest.mark.parametrize("backend", BACKENDS)
def test_items_of_groups(backend: str) -> None:
    x, y = column_major(4, 3), column_major(4, 3)
    expected = x + y
    add_items[3]([Tensor(x[:, 0]), x[:, 1], Tensor(x[:, 2])], Tensor(y), backend=backend)
    np.testing.assert_array_equal(y, expected)


@needs_sycl
@pytest.mark.needs_tensors
def test_memory_of_a_device() -> None:
    from device_kit import dpt

    x, y = (dpt.asarray(column_major(4, 6), order="F") for _ in range(2))
    for kind in (Tensor, Versioned):
        add[1](kind(x), kind(y), backend="sycl")
    event = add[1].submit(Tensor(x), y, backend="sycl")
    event.wait()
    np.testing.assert_array_equal(dpt.asnumpy(y), 4 * column_major(4, 6))
    add[1](Tensor(x[:, 2:4]), Tensor(y[:, :2]), backend="reference")
    np.testing.assert_array_equal(dpt.asnumpy(y)[:, :2], 4 * column_major(4, 6)[:, :2] + column_major(4, 6)[:, 2:4])


@needs_sycl
@pytest.mark.needs_numba_dpex
def test_call_kernel_takes_imported_arrays() -> None:
    from device_kit import dpt

    x = dpt.asarray(column_major(4, 6), order="F")
    call = add.dpex(1, Tensor(x), Versioned(x))
    assert [argument._pointer for argument in call.arguments[::2]] == [x._pointer] * 2
    with pytest.raises(pytl.LaunchError, match="x is a NumPy array, which call_kernel does not take"):
        add.dpex(1, Tensor(column_major(4, 6)), x)


@pytest.mark.at_night
def test_memory_lives_as_long_as_it_is_used_and_no_longer() -> None:
    from pytl.launch.arrays.arrays import describe

    class Memory(np.ndarray):
        pass

    memory = np.zeros((4, 6), np.float32).view(Memory)
    gone = weakref.ref(memory)
    described = describe(Tensor(memory))
    assert described is not None and described.writable
    del memory
    gc.collect()
    assert gone() is not None
    del described
    gc.collect()
    assert gone() is None


def test_read_only_memory() -> None:
    x, y = column_major(4, 6), column_major(4, 6)
    x.flags.writeable = False
    with pytest.raises(pytl.LaunchError) as caught:
        add[1](y, Versioned(x), backend="reference")
    # NumPy 1 refuses to export it at all, NumPy 2 says that it is read-only
    assert caught.value.code in ("PYTL-2040", "PYTL-2007")
    assert "only" in caught.value.diagnostics[0].message

    class Immutable(bytes):
        """Says by its buffer what its capsule cannot say."""

        def __dlpack__(self, stream: Any = None) -> Any:
            return column_major(4, 6).__dlpack__()

        def __dlpack_device__(self) -> tuple[int, int]:
            return 1, 0

    fixed = Immutable(b"...")
    error = refusal(y, fixed)
    assert error.diagnostics[0].headline == "error[PYTL-2007]: y is read-only, but the kernel writes it"
    add[1](fixed, y, backend="reference")
    np.testing.assert_array_equal(y, 2 * column_major(4, 6))


class Device(Enum):
    ROCM = 10


@pytest.mark.parametrize(
    ("device", "message"),
    [
        ((2, 1), "x is on CUDA, device 1, which pytl does not support"),
        ((Device.ROCM, 0), "x is on ROCm, device 0, which pytl does not support"),
        ((99, 0), "x is on a device of DLPack's type 99, device 0, which pytl does not support"),
        (RuntimeError("no device\nfor you"), "x does not report its device: no device"),
        (None, "x does not report its device: cannot unpack non-iterable NoneType object"),
    ],
)
def test_other_devices(device: Any, message: str) -> None:
    y = column_major(4, 6)
    error = refusal(Elsewhere(device), y)
    assert error.diagnostics[0].headline == f"error[PYTL-2040]: {message}"
    error = refusal([Elsewhere(device)], [y[:, 0]], add_items)
    assert error.diagnostics[0].headline == f"error[PYTL-2040]: {message.replace('x', 'x[0]', 1)}"
    if device == (2, 1):
        assert error.diagnostics[0].help == "copy it to the host, as with .cpu(), or to a oneAPI device"


def test_what_a_library_refuses() -> None:
    class NeedsGradient(Tensor):
        def __dlpack__(self, stream: Any = None) -> Any:
            raise BufferError("Can't export tensors that require gradient, use tensor.detach()")

    class Broken(Tensor):
        def __dlpack__(self, stream: Any = None) -> Any:
            return None

    x, y = column_major(4, 6), column_major(4, 6)
    (found,) = refusal(NeedsGradient(x), y).diagnostics
    assert found.headline == (
        "error[PYTL-2040]: x is not exported: Can't export tensors that require gradient, use tensor.detach()"
    )
    assert found.help is not None and found.help.endswith("says so; a copy as a NumPy array will do")
    assert refusal(Broken(x), y).code == "PYTL-2040"


def test_imported_arrays_are_checked_like_others() -> None:
    x, y = column_major(4, 6), column_major(4, 6)
    assert refusal(Tensor(x.astype(np.float64)), y).code == "PYTL-2003"
    assert refusal(Tensor(np.ascontiguousarray(x)), y).code == "PYTL-2006"
    assert refusal(Tensor, y).code == "PYTL-2002"  # the class


def test_a_wrong_interface() -> None:
    class Wrong:
        __sycl_usm_array_interface__ = {"data": (1, False)}

    (found,) = refusal(Wrong(), column_major(4, 6)).diagnostics
    assert found.code == "PYTL-2040"
    assert re.match("x is not exported: __sycl_usm_array_interface__ is malformed|x has a __sycl_usm", found.message)
