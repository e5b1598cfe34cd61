"""Where the device has the work-items of a work-group in its sub-groups."""

import numpy as np
import pytest

import pytl
from pytl.launch.binding import bound_to

SOURCE = """
def places(item, id_array, local_array):
    i = group_id() * local_count() + local_id()
    global_i32(id_array)[i] = subgroup_id()
    global_i32(local_array)[i] = subgroup_local_id()
"""


@pytest.mark.at_most(1)
@pytest.mark.parametrize("shape", [(1, 1), (3, 1), (1, 4), (2, 3)])
def test_subgroups_are_filled_one_after_the_other(device, shape):
    """The ids are quotient and remainder of the work-item's number, the first mode of a work-group being fastest.

    A work-group of two modes is launched as one of one mode with as many work-items.
    """
    for size in device.queue.sycl_device.sub_group_sizes:
        items = size * shape[0] * shape[1]
        ids, locals_ = np.zeros((2, items), np.int32), np.zeros((2, items), np.int32)
        flat = [ids.reshape(-1), locals_.reshape(-1)]
        kernel = device.compile(SOURCE, *flat, subgroup_size=size)
        device.launch(kernel, *flat, groups=2, items=items)
        numbers = np.arange(items)
        assert (ids == numbers // size).all()
        assert (locals_ == numbers % size).all()


@pytest.mark.at_night
def test_matrices_where_sub_groups_go_not_in_lock_step(device):
    """As for a device that is no processor: its work-items wait for each other before a matrix is loaded or stored."""
    from pytl.backends.numba_dpex.backend import NO_LOCK_STEP
    from pytl.backends.registry import find_backend

    kernel = pytl.compile("""
    func @double(%A: memref<f32x32x16>, %n: index) attributes{subgroup_size=8} {
      parallel {
        %m = cooperative_matrix_load.n %A[%n, %n] : coopmatrix<f32x32x16,matrix_acc>
        %d = arith.add %m, %m : coopmatrix<f32x32x16,matrix_acc>
        cooperative_matrix_store %d, %A[%n, %n]
      }
    }""")["double"]
    backend = find_backend("sycl")
    queue = backend.queue_of([], {})
    usual = backend.complete_options({"strategy": "many-items"}, queue)
    lowered = kernel.launches.lowered(backend, {**usual, NO_LOCK_STEP: True})
    text = backend.emit(lowered, {})
    assert text.count("subgroup_barrier()") == 2 and "subgroup_fence" not in text
    assert text == kernel.emit("numba_dpex", strategy="many-items").replace("subgroup_fence", "subgroup_barrier")
    A = np.asfortranarray(np.arange(512, dtype=np.float32).reshape(32, 16))
    expected = 2 * A
    arguments = bound_to(kernel.launches.signature.parameters, [A, 0])
    backend.launch(lowered, arguments, 1, usual, queue)
    np.testing.assert_array_equal(A, expected)


def test_products_need_no_sub_groups_where_the_driver_makes_none(device, monkeypatch):
    from pytl.backends.numba_dpex import launch
    from pytl.process.settings import CACHE

    asked = []

    def has_none(queue, loaded, size):
        asked.append(size)
        return size is None

    monkeypatch.setattr(launch, "has_subgroups", has_none)
    (product,) = pytl.compile("""func @product(%a: memref<f32x9x5>, %b: memref<f32x5x3>, %c: memref<f32x9x3>) {
      gemm.n.n 1.0, %a, %b, 0.0, %c
    }""").values()
    a, b, c = (np.asfortranarray(np.arange(m * n, dtype=np.float32).reshape(m, n)) for m, n in ((9, 5), (5, 3), (9, 3)))
    with CACHE.scope(False):
        product[1, {"strategy": "many-items"}](a, b, c, backend="sycl")
    np.testing.assert_array_equal(c, a @ b)
    assert asked == [8, 8, None] or asked == [16, 16, None]
