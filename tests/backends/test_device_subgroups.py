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


ROTATION = """
def rotate(item, out_array):
    shared = local_i32(local_memory(256), 0)
    lane = subgroup_local_id()
    neighbour = int_rem(int_add(lane, int32(1)), int32(16))
    shared[local_id()] = lane
    subgroup_fence()
    i = group_id() * local_count() + local_id()
    global_i32(out_array)[i] = shared[local_id() - cast_i64(lane) + cast_i64(neighbour)]
"""


def test_fences_become_barriers_where_work_items_do_not_go_in_lock_step(device):
    from dataclasses import replace

    from pytl.backends.numba_dpex import launch, spirv

    out = np.zeros(128, np.int32)
    kernel = device.compile(ROTATION, out, subgroup_size=16)
    waiting = replace(kernel, spirv=spirv.waiting_fences(kernel.spirv))

    def count(code: bytes, *opcodes: int) -> list[int]:
        words = np.frombuffer(code, np.uint32)[spirv.HEADER_WORDS :]
        found, place = [], 0
        while place < len(words):
            found.append(int(words[place] & 0xFFFF))
            place += int(words[place] >> 16)
        return [found.count(opcode) for opcode in opcodes]

    opcodes = (spirv.OP_MEMORY_BARRIER, spirv.OP_CONTROL_BARRIER)
    assert (count(kernel.spirv, *opcodes), count(waiting.spirv, *opcodes)) == ([1, 0], [0, 1])
    for loadable in (kernel, waiting):
        out[:] = 0
        memory = device.upload(out)
        launch.load(device.queue, loadable).submit(device.queue, [memory._pointer], groups=2, items=64).wait()
        assert (memory.copy_to_host().view(np.int32) == (np.arange(128) % 16 + 1) % 16).all()
