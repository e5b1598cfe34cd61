"""Where the device has the work-items of a work-group in its sub-groups."""

import numpy as np
import pytest

SOURCE = """
def places(item, id_array, local_array):
    i = group_id() * local_count() + local_id()
    global_i32(id_array)[i] = subgroup_id()
    global_i32(local_array)[i] = subgroup_local_id()
"""


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
