"""Pointers, arenas, barriers, atomics and launches of the device library."""

from __future__ import annotations

import concurrent.futures
import linecache

import numpy as np
import pytest
from ml_dtypes import bfloat16

pytestmark = pytest.mark.at_most(3)

DTYPES = {
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "f16": np.float16,
    "bf16": bfloat16,
}
DTYPES |= {"f32": np.float32, "f64": np.float64, "c32": np.complex64, "c64": np.complex128}

every_type = pytest.mark.parametrize("name", DTYPES)

SCALE = """
def scale(item, alpha, A_array):
    A = global_f32(A_array)
    g = group_id()
    for i in range(16):
        A[g * 16 + i] = float32(alpha * A[g * 16 + i])
"""


def one_of(name):
    """An expression and a NumPy value that is not the same in both parts where there are two."""
    if name in ("c32", "c64"):
        part = {"c32": "f32", "c64": "f64"}[name]
        return f"make_complex(cast_{part}(1), cast_{part}(-2))", DTYPES[name](1 - 2j)
    return f"cast_{name}(1)", DTYPES[name](1)


def test_example(device):
    A = np.arange(160, dtype=np.float32)
    device.run(SCALE, np.float32(2), A, groups=9)
    np.testing.assert_array_equal(A, np.where(np.arange(160) < 144, 2, 1) * np.arange(160))


@pytest.mark.parametrize("space", ["private", "local"])
def test_memory_begins_at_the_first_multiple(device, space):
    source = f"""
def places(item, A_array):
    A = global_f32(A_array)
    first = first_aligned({space}_memory(1280), 512)
    again = {space}_f32(first_aligned(first, 512), 0)
    next = {space}_f32(first_aligned(first + 4, 512), 0)
    floats = {space}_f32(first, 0)
    for k in range(192):
        floats[k] = float32(k)
    A[0] = again[0]
    A[1] = next[0]
"""
    A = np.full(2, -1, np.float32)
    device.run(source, A)
    assert A.tolist() == [0, 128]


@every_type
def test_pointers_into_every_address_space(device, name):
    source = f"""
def copy(item, A_array, B_array):
    A = global_{name}(A_array) + 4 * group_id()
    B = global_{name}(B_array)
    shared = local_{name}(local_memory(128), 64)
    mine = private_{name}(private_memory(192), 128)
    for i in range(4):
        mine[i] = A[i]
    for i in range(4):
        (shared + i)[0] = mine[3 - i]
    for i in range(4):
        B[4 * group_id() + i] = shared[0]
        shared = shared + 1
"""
    A = np.arange(-60, 60).astype(DTYPES[name])
    B = np.zeros_like(A)
    device.run(source, A, B, groups=30)
    np.testing.assert_array_equal(B.reshape(30, 4), A.reshape(30, 4)[:, ::-1])


@every_type
def test_groups_of_pointers(device, name):
    source = f"""
def gather(item, group_array, offset, B_array):
    g = group_id()
    A = group_{name}(group_array, g, offset)
    global_{name}(B_array)[g] = A[1]
    A[0] = A[1]
"""
    batches = [(np.arange(8) + 10 * k).astype(DTYPES[name]) for k in range(9)]
    memory = [device.upload(batch) for batch in batches]
    addresses = np.array([m._pointer for m in memory], np.int64)
    B = np.zeros(9, DTYPES[name])
    device.run(source, addresses, np.int64(3), B, groups=9)
    np.testing.assert_array_equal(B, [batch[4] for batch in batches])
    np.testing.assert_array_equal(memory[5].copy_to_host().view(DTYPES[name])[2:5], batches[5][[2, 4, 4]])


def test_local_memory_belongs_to_a_work_group(device):
    source = """
def scan(item, A_array, B_array):
    A = global_i64(A_array)
    B = global_i64(B_array)
    arena = local_memory(1024)
    front = local_i64(arena, 0)
    back = local_i64(arena, 512)
    other = local_i64(local_memory(512), 0)
    l = local_id()
    place = group_id() * local_count() + l
    front[l] = A[place]
    other[l] = group_id()
    step = 1
    while step < 64:
        barrier(False, True)
        value = front[l]
        if l >= step:
            value += front[l - step]
        barrier(False, True)
        back[l] = value
        barrier(False, True)
        front[l] = back[l]
        step *= 2
    barrier(False, True)
    B[place] = front[63 - l] + 1000000 * (other[63 - l] + group_count())
"""
    groups = 700
    A = np.random.default_rng(1).integers(0, 99, groups * 64)
    B = np.zeros_like(A)
    device.run(source, A, B, groups=groups, items=64)
    sums = A.reshape(groups, 64).cumsum(axis=1)[:, ::-1]
    np.testing.assert_array_equal(B.reshape(groups, 64), sums + 1000000 * (np.arange(groups)[:, None] + groups))


def test_a_barrier_fences_global_memory(device):
    source = """
def rotate(item, A_array):
    A = global_f32(A_array) + group_id() * local_count()
    l = local_id()
    for i in range(20):
        neighbour = A[(l + 1) & 63]
        barrier(True, False)
        A[l] = neighbour
        barrier(True, True)
"""
    A = np.arange(64 * 300, dtype=np.float32)
    expected = np.roll(A.reshape(300, 64), -20, axis=1)
    device.run(source, A, groups=300, items=64)
    np.testing.assert_array_equal(A.reshape(300, 64), expected)


def test_large_private_memory(device):
    source = """
def backwards(item, A_array):
    A = global_f64(A_array)
    mine = private_f64(private_memory(1048576), 0)
    place = group_id() * local_count() + local_id()
    for i in range(131072):
        mine[i] = float64(i + place)
    A[place] = mine[131071] - mine[0]
"""
    A = np.zeros(64)
    device.run(source, A, groups=16, items=4)
    np.testing.assert_array_equal(A, 131071)


@pytest.mark.at_most(1)
@every_type
def test_atomics_lose_no_update(device, name):
    # As many additions as leave every count exact in the type: bf16 counts to 256, f16 to 2048.
    groups, rounds, counters = {"bf16": (32, 8, 64), "f16": (100, 20, 64)}.get(name, (500, 20, 8))
    expression, one = one_of(name)
    source = f"""
def contend(item, totals_array, sums_array, stored_array):
    totals = global_{name}(totals_array)
    sums = global_{name}(sums_array)
    stored = global_{name}(stored_array)
    shared = local_{name}(local_memory(1024), 0)
    mine = private_{name}(private_memory(64), 0)
    one = {expression}
    l = local_id()
    g = group_id()
    shared[l] = cast_{name}(0)
    atomic_store(mine, 1, cast_{name}(0))
    barrier(False, True)
    for k in range({rounds}):
        atomic_add(totals, (l + k) & {counters - 1}, one)
        atomic_add(shared, (l * 3 + k) & 63, one)
        atomic_add(mine, 1, one)
    barrier(False, True)
    atomic_add(shared, 63 - l, mine[1])
    barrier(False, True)
    sums[g * 64 + l] = shared[l]
    atomic_store(stored, l * group_count() + g, cast_{name}(l))
"""
    # The last two are nobody's to touch, and in the narrow types share a word.
    totals = np.full(counters + 2, 5, DTYPES[name])
    totals[:counters] = 0
    sums = np.zeros(groups * 64, DTYPES[name])
    stored = np.zeros(groups * 64, DTYPES[name])
    device.run(source, totals, sums, stored, groups=groups, items=64)

    def times(count):
        return np.int64(count).astype(DTYPES[name]) if name[0] == "i" else DTYPES[name](one * DTYPES[name](count))

    np.testing.assert_array_equal(totals[:counters], times(groups * rounds * 64 // counters))
    np.testing.assert_array_equal(totals[counters:], 5)
    np.testing.assert_array_equal(sums, times(2 * rounds))
    np.testing.assert_array_equal(stored, np.repeat(np.arange(64).astype(DTYPES[name]), groups))


def test_scalars_of_every_type(device):
    values = {name: dtype(-3) for name, dtype in DTYPES.items()} | {
        "c32": np.complex64(1 - 2j),
        "c64": 3 + 4j,
    }
    values = {name: DTYPES[name](value) for name, value in values.items()}
    lines = [f"def spread(item, {', '.join(values)}, {', '.join(f'{name}_array' for name in values)}):"]
    lines += [f"    global_{name}({name}_array)[0] = {name}" for name in values]
    results = [np.zeros(1, dtype) for dtype in DTYPES.values()]
    device.run("\n".join(lines), *values.values(), *results)
    assert [result[0] for result in results] == list(values.values())


def test_slices_and_empty_arrays(device):
    from device_kit import dpt

    from pytl.backends.numba_dpex import launch

    A = dpt.asarray(np.arange(64, dtype=np.float32), sycl_queue=device.queue)
    part = A[16:32]
    loaded = launch.load(device.queue, device.compile(SCALE, np.float32(2), np.zeros(1, np.float32)))
    loaded.submit(device.queue, [3.0, part._pointer], groups=1, items=1).wait()
    expected = np.arange(64) * np.where((np.arange(64) >= 16) & (np.arange(64) < 32), 3, 1)
    np.testing.assert_array_equal(dpt.asnumpy(A), expected)
    empty = A[:0]
    loaded.submit(device.queue, [3.0, empty._pointer], groups=0, items=1).wait()
    np.testing.assert_array_equal(dpt.asnumpy(A), expected)

    unused = device.compile("def unused(item, n, A_array):\n    n + 1\n", np.int64(1), np.zeros(1, np.float32))
    launch.load(device.queue, unused).submit(device.queue, [1, 0], groups=2, items=2).wait()


def test_launches_wait_for_their_dependencies_and_come_from_any_thread(device):
    from pytl.backends.numba_dpex import launch

    loaded = launch.load(device.queue, device.compile(SCALE, np.float32(2), np.zeros(1, np.float32)))

    def double_ten_times(_):
        memory = device.upload(np.ones(16, np.float32))
        events = []
        for _ in range(10):
            events = [loaded.submit(device.queue, [2.0, memory._pointer], 1, 1, depends=events)]
        loaded.submit(device.queue, [1.0, memory._pointer], 0, 1, depends=events).wait()
        return memory.copy_to_host().view(np.float32)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for result in pool.map(double_ten_times, range(100)):
            np.testing.assert_array_equal(result, 1024)


def test_required_sizes_are_honoured(device):
    from dataclasses import replace

    from pytl.backends.numba_dpex import launch, spirv

    kernel = device.compile(SCALE, np.float32(2), np.zeros(1, np.float32))
    assert list(spirv.entry_points(kernel.spirv)) == ["scale"]
    memory = device.upload(np.ones(64, np.float32))
    arguments = [2.0, memory._pointer]
    for size in (8, 16, 32):
        fixed = replace(kernel, spirv=spirv.required_sizes(kernel.spirv, "scale", subgroup_size=size))
        assert launch.load(device.queue, fixed).sycl_kernel.compile_sub_group_size == size
    sized = spirv.required_sizes(kernel.spirv, "scale", subgroup_size=8, work_group_size=(4,))
    loaded = launch.load(device.queue, replace(kernel, spirv=sized))
    loaded.submit(device.queue, arguments, groups=1, items=4).wait()
    with pytest.raises(launch.LaunchError, match="scale with 1 work-groups of 8 work-items"):
        loaded.submit(device.queue, arguments, groups=1, items=8)


def test_too_much_local_memory_is_an_error(device):
    from pytl.backends.numba_dpex import launch

    size = device.queue.sycl_device.local_mem_size + 64
    source = f"""
def greedy(item, A_array):
    shared = local_f32(local_memory({size}), 0)
    shared[local_id()] = float32(1)
    barrier(False, True)
    global_f32(A_array)[local_id()] = shared[0]
"""
    with pytest.raises(launch.LaunchError):
        device.run(source, np.zeros(4, np.float32), items=4)


def test_a_kernel_without_arrays(device):
    device.run("def nothing(item, n):\n    n + group_id()\n", np.int64(3), groups=2)


def test_mixed_operands_are_refused_with_the_line(device):
    from numba.core.errors import TypingError

    with pytest.raises(TypingError, match=r"int_div takes operands of one type .* not int32, int64") as caught:
        device.run("def mixed(item, n):\n    int_div(n, int64(2))\n", np.int32(3))
    assert "pytl kernel mixed" in str(caught.value) and "int_div(n, int64(2))" in str(caught.value)


@pytest.mark.at_night
@pytest.mark.needs_numba_dpex
def test_a_defined_kernel_can_be_called_by_numba_dpex(device):
    import numba_dpex
    from device_kit import dpt

    from pytl.backends.numba_dpex import toolchain

    kernel = toolchain.define(SCALE, "scale")
    assert any("alpha * A" in line for line in linecache.getlines(kernel.py_func.__code__.co_filename))
    A = dpt.asarray(np.arange(64, dtype=np.float32))
    numba_dpex.call_kernel(kernel, numba_dpex.NdRange((4,), (1,)), np.float32(2), A)
    np.testing.assert_array_equal(dpt.asnumpy(A), 2 * np.arange(64))
