"""`k.dpex(…)`: pytl's kernels launched by `numba_dpex.call_kernel`, and between a program's own kernels."""

import gc
import importlib.util
import weakref
from typing import Any

import numpy as np
import pytest
from launch_kit import column_major, has_sycl, needs_sycl
from sampling import at_night

import pytl
from pytl import Group, Memref, alloca, axpby, constexpr, f32, gemm, group_id, index, parallel, subgroup

pytestmark = [needs_sycl, pytest.mark.needs_numba_dpex]

if has_sycl and importlib.util.find_spec("numba_dpex") is not None:
    import dpctl
    import dpctl.memory
    import dpctl.tensor as dpt
    import numba_dpex
    from numba.core import errors
    from numba_dpex import kernel_api

    @numba_dpex.kernel
    def add_one(item: kernel_api.Item, x):
        i = item.get_id(0)
        x[i] = x[i] + 1.0

    @numba_dpex.kernel
    def double(item: kernel_api.Item, x):
        i = item.get_id(0)
        x[i] = x[i] * 2.0


STRATEGIES = ["one-item", "many-items"]
SIZES = {"i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "index": "i8"}
SIZES |= {"f16": "f2", "bf16": "u2", "f32": "f4", "f64": "f8", "c32": "c8", "c64": "c16"}


@pytl.kernel
def multiply(alpha: f32, A: Memref[f32, 4, 4, ...], B: Memref[f32, 4, 4], C: Memref[f32, 4, 4, ...]):
    """C += alpha A B, one item per work-group."""
    g = group_id()
    gemm(alpha, A[:, :, g], B, 1.0, C[:, :, g])


def refusal(*arguments: Any, kernel: pytl.Kernel = multiply, **named: Any) -> pytl.PytlError:
    with pytest.raises(pytl.PytlError) as caught:
        kernel.dpex(*arguments, **named)
    return caught.value


def device(array: np.ndarray, queue: Any = None) -> Any:
    return dpt.asarray(array, order="F", sycl_queue=queue)


# What k.dpex gives.


def test_call_kernel_takes_it_as_it_is() -> None:
    a, b, c = column_major(4, 4, 6), column_major(4, 4), column_major(4, 4, 6)
    A, B, C = map(device, (a, b, c))
    call = multiply.dpex(6, 2.0, A, B, C)
    numba_dpex.call_kernel(*call)
    expected = c + 2 * np.einsum("ikg,kj->ijg", a, b)
    np.testing.assert_allclose(dpt.asnumpy(C), expected)
    kernel, space, *arguments = call
    assert (call.kernel, call.index_space, call.arguments) == (kernel, space, tuple(arguments))
    assert type(kernel) is type(add_one)
    assert space == kernel_api.NdRange((6,), (1,))
    assert [type(argument).__name__ for argument in arguments] == [
        *("float32", "usm_ndarray", "int64"),
        *("usm_ndarray", "usm_ndarray", "int64"),
    ]
    assert [p for p in arguments if isinstance(p, np.int64)] == [6, 6]
    assert [a._pointer for a in arguments if hasattr(a, "_pointer")] == [A._pointer, B._pointer, C._pointer]
    assert repr(call) == f"DpexCall(kernel={kernel}, index_space=((6,), (1,)), 6 arguments)"
    # by name, in brackets, and with the same kernel each time, which numba-dpex has compiled
    again = multiply[3].dpex(C=C, B=B, A=A, alpha=1.0)
    assert again.kernel is kernel and again.index_space == kernel_api.NdRange((3,), (1,))


@pytest.fixture(scope="module")
def every_type() -> pytl.Kernel:
    parameters = ", ".join(f"%s_{t}: {t}, %a_{t}: memref<{t}x5x?>, %b_{t}: memref<{t}x5x?>" for t in SIZES)
    body = "\n".join(f"  axpby.n %s_{t}, %a_{t}, %s_{t}, %b_{t}" for t in SIZES)
    return pytl.compile(f"func @every({parameters}, %swap: bool) {{\n{body}\n}}")["every"]


@pytest.mark.at_night
@pytest.mark.parametrize("strategy", [STRATEGIES[0], *at_night(STRATEGIES[1:])])
def test_every_element_type(every_type: pytl.Kernel, strategy: str) -> None:
    def arguments() -> dict[str, Any]:
        found: dict[str, Any] = {"swap": True}
        for t, dtype in SIZES.items():
            a = (np.arange(20).reshape(5, 4) % 7 + (2j if t[0] == "c" else 0)).astype(dtype)
            if t == "bf16":
                a = (a.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
            found |= {f"s_{t}": 3 + 1j if t[0] == "c" else 3, f"a_{t}": device(a)[:, 1:], f"b_{t}": device(a)[:, :3]}
        return found

    ours, theirs = arguments(), arguments()
    numba_dpex.call_kernel(*every_type.dpex(1, **theirs, strategy=strategy))
    every_type[1, {"strategy": strategy}](**ours)
    for name, array in ours.items():
        if name[:2] in ("a_", "b_"):
            np.testing.assert_array_equal(dpt.asnumpy(theirs[name]), dpt.asnumpy(array), err_msg=name)
        if name[:2] == "b_":
            assert (dpt.asnumpy(array) != dpt.asnumpy(arguments()[name])).any()


@pytl.kernel
def add_items(x: Group[Memref[f32, ...]], y: Group[Memref[f32, ...]]):
    g = group_id()
    axpby(1.0, x[g], 1.0, y[g])


def test_groups_are_passed_as_addresses_and_kept_alive() -> None:
    whole, y = dpt.arange(40, dtype="f4"), dpt.zeros(16, dtype="f4")
    x = [whole[3:8], whole[20:28], dpt.full(2, 7.0, dtype="f4")]
    held = weakref.ref(x[2])
    call = add_items.dpex(3, x, [y[:5], y[5:13], y[13:15]])
    assert call.parameters[:2] == (
        "x_addresses: one-dimensional usm_ndarray of int64, the addresses of the items of x",
        "x_count: int64, the number of items of x",
    )
    assert dpt.asnumpy(call.arguments[0]).tolist() == [part._pointer for part in x]
    kernel, space, arguments = call.kernel, call.index_space, call.arguments
    del call, x
    gc.collect()
    assert held() is not None  # by the array of its address
    _, event = numba_dpex.call_kernel_async(kernel, space, (), *arguments)
    del arguments
    event.wait()
    assert dpt.asnumpy(y).tolist() == [*range(3, 8), *range(20, 28), 7, 7, 0]


def test_groups_of_one_array() -> None:
    x, y = dpt.reshape(dpt.arange(12, dtype="f4"), (3, 4), order="F"), dpt.zeros((3, 4), dtype="f4", order="F")
    numba_dpex.call_kernel(*add_items.dpex(2, x[:, 2:], y[:, 1:3]))
    assert dpt.asnumpy(y).T.tolist() == [[0, 0, 0], [6, 7, 8], [9, 10, 11], [0, 0, 0]]


def test_subgroups_have_the_size_that_the_function_has() -> None:
    @pytl.kernel(subgroup_size=8, work_group_size=(32, 1))
    def sums(x: Memref[f32, 32, ...], y: Memref[f32, 32, ...]):
        g = group_id()
        t = alloca(f32, 32)
        axpby(2.0, x[:, g], 0.0, t)
        with parallel():
            i = index(subgroup.id() * 8 + subgroup.local_id())
            y[i, g] = subgroup.add.reduce(t[i])

    x = column_major(32, 3)
    y = dpt.zeros((32, 3), dtype="f4", order="F")
    call = sums.dpex(3, device(x), y)
    assert call.index_space == kernel_api.NdRange((96,), (32,))
    numba_dpex.call_kernel(*call)
    expected = 2 * np.repeat(x.reshape(4, 8, 3).sum(1), 8, axis=0)
    np.testing.assert_array_equal(dpt.asnumpy(y), expected)


def test_arrays_begin_where_they_begin() -> None:
    """In the middle of an allocation, even at no multiple of the element's size."""

    class Foreign:
        def __init__(self, array: Any, skip: int, shape: tuple[int, ...], typestr: str) -> None:
            self.array = array
            self.__sycl_usm_array_interface__ = {
                "data": (array._pointer + skip, False),
                "shape": shape,
                "strides": None,
                "typestr": typestr,
                "version": 1,
                "syclobj": array.sycl_queue,
            }

    @pytl.kernel
    def scale(alpha: pytl.c64, x: Memref[pytl.c64, ...]):
        axpby(alpha, x, 0.0, x)

    memory = dpt.arange(10, dtype="f8")
    call = scale.dpex(1, 1j, Foreign(memory, 24, (3,), "<c16"))
    assert call.arguments[1]._pointer == memory._pointer + 24
    numba_dpex.call_kernel(*call)
    assert dpt.asnumpy(memory).tolist() == [0, 1, 2, -4, 3, -6, 5, -8, 7, 9]
    empty = scale.dpex(1, 1j, dpt.empty(0, dtype="c16"))
    numba_dpex.call_kernel(*empty)


# Without arguments.


def test_the_kernel_alone_says_what_it_takes() -> None:
    call = multiply.dpex(6)
    assert call.arguments == () and len(call) == 2
    assert call.parameters == (
        "alpha: float32, the number alpha",
        "A_array: one-dimensional usm_ndarray of float32, the memory of A from its first element",
        "A_size2: int64, the size of mode 2 of A",
        "B_array: one-dimensional usm_ndarray of float32, the memory of B from its first element",
        "C_array: one-dimensional usm_ndarray of float32, the memory of C from its first element",
        "C_size2: int64, the size of mode 2 of C",
    )
    a, b = column_major(4, 4, 6), column_major(4, 4)
    A, B, C = (dpt.reshape(device(x), -1, order="F") for x in (a, b, np.zeros_like(a)))
    numba_dpex.call_kernel(*call, 2.0, A, 6, B, C, 6)  # numbers of Python's are converted
    result = dpt.asnumpy(C).reshape(4, 4, 6, order="F")
    np.testing.assert_allclose(result, 2 * np.einsum("ikg,kj->ijg", a, b))
    for wrong, told in [
        ((2.0, A, 6, B, C), "@multiply is passed 5 arguments, but takes 6"),
        ((2.0, device(a), 6, B, C, 6), "passed an array of float32 with 3 modes and layout F for A_array"),
        ((2.0, dpt.astype(A, "f8"), 6, B, C, 6), "passed an array of float64 with 1 mode and layout C for A_array"),
        ((2j, A, 6, B, C, 6), "passed a value of type complex128 for alpha"),
        ((2.0, A, 6.0, B, C, 6), "passed a value of type float64 for A_size2"),
    ]:
        with pytest.raises(errors.TypingError, match="PYTL-2041") as caught:
            numba_dpex.call_kernel(*call, *wrong)
        assert told in str(caught.value)
    with pytest.raises(errors.TypingError, match=r"launched with an index space of Item<1>"):
        numba_dpex.call_kernel(call.kernel, kernel_api.Range(6), 2.0, A, 6, B, C, 6)


def test_constexpr_parameters() -> None:
    @pytl.kernel
    def fill(x: Memref[f32, ...], n: constexpr[int], strategy: f32):
        for k in range(n):
            x[k] = strategy

    x = dpt.zeros(6, dtype="f4")
    numba_dpex.call_kernel(*fill.dpex(1, x, 3, strategy=2.0))  # a parameter, and no option
    assert dpt.asnumpy(x).tolist() == [2, 2, 2, 0, 0, 0]
    assert refusal(1, x, strategy=2.0, kernel=fill).code == "PYTL-2020"
    assert len(fill.specialize(n=2).dpex(1).parameters) == 3


# What is refused.


def test_numpy_arrays_are_refused() -> None:
    a, b = column_major(4, 4, 2), column_major(4, 4)
    error = refusal(2, 1.0, device(a), b, device(a))
    assert error.diagnostics[0].headline == ("error[PYTL-2041]: B is a NumPy array, which call_kernel does not take")
    assert error.diagnostics[0].help == (
        "pass a device array, such as dpctl.tensor.asarray(…, order='F'), or launch with multiply[n](…)"
    )
    x = dpt.ones(8, dtype="f4")
    assert refusal(1, [x], [np.ones(8, "f4")], kernel=add_items).code == "PYTL-2041"


def test_arguments_are_checked_as_by_a_launch() -> None:
    A, B = device(column_major(4, 4, 2)), device(column_major(4, 4))
    for code, *arguments in [
        ("PYTL-2001", 1.0, A, B),
        ("PYTL-2002", "one", A, B, A),
        ("PYTL-2003", 1.0, A, dpt.astype(B, "f8"), A),
        ("PYTL-2006", 1.0, A, B.T, A),
        ("PYTL-2008", 1.0, A, device(column_major(4, 4), dpctl.SyclQueue()), A),
        ("PYTL-2009", 1e39, A, B, A),
    ]:
        error = refusal(2, *arguments)
        assert error.code == code
        with pytest.raises(pytl.LaunchError) as caught:
            multiply[2](*arguments)
        assert caught.value.diagnostics[0].headline == error.diagnostics[0].headline
    assert refusal(-1, 1.0, A, B, A).code == "PYTL-2016"
    assert refusal(2, 1.0, A, B, A, strategy="best").code == "PYTL-3012"
    assert refusal(2, 1.0, A, B, A, device="cuda:7").code == "PYTL-3014"


def test_what_call_kernel_cannot_launch() -> None:
    A, B = device(column_major(4, 4, 2)), device(column_major(4, 4))
    error = refusal(0, 1.0, A, B, A)
    assert error.diagnostics[0].headline == (
        "error[PYTL-2041]: there are 0 work-groups, and call_kernel does not know an empty index space"
    )
    assert error.diagnostics[0].location is not None
    error = refusal(2**31, 1.0, A, B, A)
    assert error.diagnostics[0].headline == (
        "error[PYTL-2041]: 2147483648 work-groups of 1 work-items are more than SYCL launches at once"
    )
    assert error.diagnostics[0].help == "launch with multiply[n](…), which does so in parts"
    nothing = pytl.compile("func @f(%n: i32) {}")["f"]
    assert refusal(1, 3, kernel=nothing).diagnostics[0].headline == (
        "error[PYTL-2041]: @f has no array, of which call_kernel would take the queue"
    )


# In a program of numba-dpex's.


@pytest.mark.parametrize("properties", [(), "in_order"])
def test_between_two_kernels_of_numba_dpex(properties: Any) -> None:
    queue = dpctl.SyclQueue(property=properties)
    a, b = column_major(4, 4, 50), column_major(4, 4)
    A, B = device(a, queue), device(b, queue)
    C = dpt.zeros((4, 4, 50), dtype="f4", order="F", sycl_queue=queue)
    flat_A, flat_C = (dpt.reshape(array, -1, order="F", copy=False) for array in (A, C))
    addresses = [array._pointer for array in (A, B, C)]
    everything = kernel_api.Range(800)
    expected = 2 * np.einsum("ikg,kj->ijg", a + 1, b)

    numba_dpex.call_kernel(add_one, everything, flat_A)
    call = multiply.dpex(50, 1.0, A, B, C)
    numba_dpex.call_kernel(*call)
    numba_dpex.call_kernel(double, everything, flat_C)
    np.testing.assert_allclose(dpt.asnumpy(C), expected)
    assert [array._pointer for array in (A, B, C)] == addresses
    assert [argument._pointer for argument in call.arguments if hasattr(argument, "_pointer")] == addresses

    # the same without waiting, by events; once by call_kernel_async, once by submit
    for ours in ("call_kernel_async", "submit"):
        C[...] = 0
        A[...] = device(a, queue)
        _, first = numba_dpex.call_kernel_async(add_one, everything, (), flat_A)
        if ours == "submit":
            second = multiply[50].submit(1.0, A, B, C, depends=[first])
        else:
            _, second = numba_dpex.call_kernel_async(call.kernel, call.index_space, (first,), *call.arguments)
        _, third = numba_dpex.call_kernel_async(double, everything, (second,), flat_C)
        third.wait()
        np.testing.assert_allclose(dpt.asnumpy(C), expected)
    queue.wait()


@pytest.mark.at_night
@pytest.mark.needs_dpnp
def test_dpnp_arrays_in_and_out() -> None:
    import dpnp

    a, b = column_major(4, 4, 9), column_major(4, 4)
    A = dpnp.asarray(np.ascontiguousarray(a.T)).T[:, :, ::3]  # of C order, transposed; every third item
    B, C = dpnp.asarray(b, order="F"), dpnp.zeros((4, 4, 3), dtype="f4", order="F")

    @pytl.kernel
    def third(A: Memref[f32, 4, 4, ..., pytl.strides(1, 4, ...)], B: Memref[f32, 4, 4], C: Memref[f32, 4, 4, ...]):
        g = group_id()
        gemm(1.0, A[:, :, g], B, 1.0, C[:, :, g])

    numba_dpex.call_kernel(*third.dpex(3, A, B, C))
    third[3](A, B, C)
    expected = 2 * np.einsum("ikg,kj->ijg", a[:, :, ::3], b)
    np.testing.assert_allclose(dpnp.asnumpy(C), expected)
    # results are dpnp's again, and feed it
    assert float(dpnp.sum(C)) == expected.sum()
    assert C.flags.f_contiguous
