"""Every refusal of a launch, word for word: code, place, rule and fix. The texts are in tests/golden/errors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import pytest
from device_kit import as_of_dpctl
from launch_kit import HEAD, Program, needs_sycl, program

import pytl
from pytl import Group, Memref, align, axpby, f32, group_id
from pytl.backends import rules as launch_rules
from pytl.devices.usm import shown_library
from pytl.diagnostics import Rule

__all__ = ["program"]  # a fixture

# name: what comes before the launch, and the launch
CASES: dict[str, tuple[str, str]] = {
    # PYTL-2001
    "missing": ("", "add[1](1.0, A)"),
    "missing_two": ("", "add[1](B=B)"),
    "too_many": ("", "add[1](1.0, A, B, B)"),
    "unknown_name": ("", "add[1](1.0, A, B, beta=2.0)"),
    "passed_twice": ("", "add[1](1.0, A, B, A=A)"),
    # PYTL-2060, PYTL-2061, PYTL-2062
    "work_groups_beyond": (
        "@pytl.kernel\ndef grouped(G: Group[f32, 4], D: Memref[f32, 4, ...]):\n    g = group_id()\n"
        "    axpby(1.0, G[g], 1.0, D[:, g])",
        "grouped[9]([B[:, 0], B[:, 1]], A)",
    ),
    "sizes_differ": (
        "@pytl.kernel\ndef multiply(P: Memref[f32, 4, ...], Q: Memref[f32, ..., 8], R: Memref[f32, 4, 8]):\n"
        "    gemm(1.0, P, Q, 0.0, R)",
        "multiply[1](A, np.ones((5, 8), np.float32, order='F'), B)",
    ),
    # PYTL-2023
    "outside_of_a_pattern": (
        "from pytl import pattern\n\n@pytl.kernel\n"
        "def lower(Z: Memref[f32, 2, 2, pattern([[1, 0], [1, 1]])], Y: Memref[f32, 2, 2]):\n    axpby(1.0, Z, 0.0, Y)",
        "lower[1](np.ones((2, 2), np.float32, order='F'), np.ones((2, 2), np.float32, order='F'), backend='reference')",
    ),
    # PYTL-2063, PYTL-2064
    "bound_pickled": ("import pickle", "pickle.dumps(add[1].bind(1.0, A, B))"),
    "group_of_two_types": ("", "pytl.group([A, A.astype(np.float64)])"),
    # PYTL-2080
    "named_sizes_differ": (
        "@pytl.kernel\ndef both(P: Memref[f32, 'n', 'm'], Q: Memref[f32, 'm', 'n + m']):\n    axpby(1.0, P, 1.0, P)",
        "both[1](A, B)",
    ),
    "work_groups_untold": ("", "add[...](1.0, A, B)"),
    # PYTL-2050, PYTL-3050
    "tune_without_groups": ("", "pytl.tune(add, (1.0, A, B))"),
    "tune_one_argument": ("", "pytl.tune(add[1], A)"),
    "tune_in_no_time": ("", "pytl.tune(add[1], (1.0, A, B), budget=0)"),
    "tune_too_few": ("", "pytl.tune(add[1], (1.0, A))"),
    "tune_nothing_to_choose": ("", "pytl.tune(add[1], (1.0, A, B))"),
    # PYTL-2002
    "none": ("", "add[1](1.0, A, None)"),
    "list": ("", "add[1](1.0, [[1.0] * 8] * 4, B)"),
    "masked": ("A = np.ma.masked_array(A, A > 0)", "add[1](1.0, A, B)"),
    "array_for_number": ("", "add[1](A, A, B)"),
    "number_for_array": ("", "add[1](1.0, 1.0, B)"),
    "text_for_number": ("", 'add[1]("1.0", A, B)'),
    "bool_for_number": ("", "add[1](True, A, B)"),
    "no_group": (
        "@pytl.kernel\ndef grouped(G: Group[f32, 4, 4]):\n    axpby(1.0, G[group_id()], 0.0, G[group_id()])",
        "grouped[3](5)",
    ),
    "group_of_nothing": (
        "@pytl.kernel\ndef grouped(G: Group[f32, 4, 4]):\n    axpby(1.0, G[group_id()], 0.0, G[group_id()])",
        "grouped[3]([A[:, :4], None, A[:, 4:]])",
    ),
    "group_of_a_thousand_mistakes": (
        "@pytl.kernel\ndef grouped(G: Group[f32, 4, 4]):\n    axpby(1.0, G[group_id()], 0.0, G[group_id()])",
        "grouped[3]([A] * 1000)",
    ),
    # PYTL-2003
    "dtype": ("A = A.astype(np.float64)", "add[1](1.0, A, B)"),
    "dtype_integer": ("A = A.astype(np.int32)", "add[1](1.0, A, B)"),
    "dtype_big_endian": ('A = A.astype(">f4")', "add[1](1.0, A, B)"),
    "dtype_object": ("A = A.astype(object)", "add[1](1.0, A, B)"),
    "dtype_record": ('A = np.zeros((4, 8), [("x", "f4"), ("y", "f4")], order="F")', "add[1](1.0, A, B)"),
    "dtype_bf16": (
        "from pytl import bf16\n@pytl.kernel\ndef half(x: Memref[bf16, 8]):\n    axpby(1.0, x, 0.0, x)",
        "half[1](np.zeros(8, np.float16))",
    ),
    # PYTL-2004
    "order": ("", "add[1](1.0, A[0], B)"),
    "group_order": (
        "@pytl.kernel\ndef grouped(G: Group[f32, 4, 4]):\n    axpby(1.0, G[group_id()], 0.0, G[group_id()])",
        "grouped[3](A)",
    ),
    # PYTL-2005
    "shape": ("", "add[1](1.0, A[:, :4], B)"),
    "shape_batch_first": (
        "@pytl.kernel\ndef grouped(G: Group[f32, 4, 8]):\n    axpby(1.0, G[group_id()], 0.0, G[group_id()])\n"
        "G = np.zeros((3, 4, 8), np.float32)",
        "grouped[3](G)",
    ),
    "shape_of_the_transpose": (
        "@pytl.kernel\ndef batch(G: Memref[f32, 4, 8, ...]):\n    axpby(1.0, G[:, :, 0], 0.0, G[:, :, group_id()])\n"
        "G = np.zeros((3, 8, 4), np.float32)",
        "batch[3](G)",
    ),
    # PYTL-2006
    "c_order": ("A = np.ones((4, 8), np.float32)", "add[1](1.0, A, B)"),
    "stepped": ('A = np.ones((8, 8), np.float32, order="F")[::2]', "add[1](1.0, A, B)"),
    "reversed": ("", "add[1](1.0, A[::-1], B)"),
    "broadcast": ("", "add[1](1.0, np.broadcast_to(np.float32(1), (4, 8)), B)"),
    "between_records": (
        'A = np.zeros((4, 8), [("x", "f4"), ("y", "i2")], order="F")["x"]',
        "add[1](1.0, A, B)",
    ),
    "declared_strides": (
        "from pytl import strides\n@pytl.kernel\ndef wide(x: Memref[f32, 4, 4, strides(1, ...)]):\n"
        "    axpby(1.0, x, 0.0, x)",
        "wide[1](A[:, :4].T)",
    ),
    "group_c_order": (
        "@pytl.kernel\ndef grouped(G: Group[f32, 4, 8]):\n    axpby(1.0, G[group_id()], 0.0, G[group_id()])\n"
        "G = np.zeros((4, 8, 3), np.float32)",
        "grouped[3](G)",
    ),
    "group_backwards": (
        "@pytl.kernel\ndef grouped(G: Group[f32, 4, 8]):\n    axpby(1.0, G[group_id()], 0.0, G[group_id()])\n"
        'G = np.zeros((4, 8, 3), np.float32, order="F")',
        "grouped[3](G[:, :, ::-1])",
    ),
    # PYTL-2007
    "read_only": ("B.flags.writeable = False", "add[1](1.0, A, B)"),
    # PYTL-2030
    "aliasing": ('C = np.ones((4, 9), np.float32, order="F")', "add[1](1.0, C[:, :8], C[:, 1:])"),
    # PYTL-1270
    "noalias": (
        "x = np.ones(9, np.float32)\n"
        "@pytl.kernel(noalias=True)\ndef copy(a: Memref[f32, 8], b: Memref[f32, 8]):\n    b[0] = a[0]",
        "copy[1](x[:8], x[1:])",
    ),
    # PYTL-2009
    "f32_range": ("", "add[1](1e39, A, B)"),
    "f32_integer_range": ("", "add[1](10**400, A, B)"),
    "f32_complex": ("", "add[1](1 + 2j, A, B)"),
    "i8_range": (
        "from pytl import i8\n@pytl.kernel\ndef count(n: i8, x: Memref[i8, 4]):\n    x[0] = n",
        "count[1](128, np.zeros(4, np.int8))",
    ),
    "i64_range": (
        "from pytl import i64\n@pytl.kernel\ndef count(n: i64, x: Memref[i64, 4]):\n    x[0] = n",
        "count[1](10**5000, np.zeros(4, np.int64))",
    ),
    "i8_float": (
        "from pytl import i8\n@pytl.kernel\ndef count(n: i8, x: Memref[i8, 4]):\n    x[0] = n",
        "count[1](2.0, np.zeros(4, np.int8))",
    ),
    # PYTL-2010
    "misaligned": (
        "A = np.frombuffer(bytearray(129), np.float32, 32, 1).reshape(4, 8, order='F')",
        "add[1](1.0, A, B)",
    ),
    # PYTL-2011
    "divisible": (
        "from typing import Annotated\nfrom pytl import shape_gcd\n@pytl.kernel\n"
        "def some(x: Annotated[Memref[f32, ...], shape_gcd(4)]):\n    axpby(1.0, x, 0.0, x)",
        "some[1](np.zeros(6, np.float32))",
    ),
    "divisible_stride": (
        "from typing import Annotated\nfrom pytl import stride_gcd, strides\n@pytl.kernel\n"
        "def some(x: Annotated[Memref[f32, 4, 4, strides(1, ...)], stride_gcd(1, 8)]):\n    axpby(1.0, x, 0.0, x)",
        "some[1](A[:, :4])",
    ),
    # PYTL-2012
    "group_count": (
        "@pytl.kernel\ndef grouped(G: Group[Memref[f32, 4, 4], 3]):\n    axpby(1.0, G[group_id()], 0.0, G[group_id()])",
        "grouped[2]([A[:, :4], A[:, 4:]])",
    ),
    "group_offset_missing": (
        "from pytl import offset\n@pytl.kernel\ndef grouped(G: Group[f32, 4, 4, offset(...)]):\n"
        "    axpby(1.0, G[group_id()], 0.0, G[group_id()])",
        "grouped[2]([A[:, :4], A[:, 4:]])",
    ),
    "group_offset_twice": (
        "from pytl import offset\n@pytl.kernel\ndef grouped(G: Group[f32, 4, 4, offset(4)]):\n"
        "    axpby(1.0, G[group_id()], 0.0, G[group_id()])",
        "grouped[1](pytl.pointers([np.zeros(20, np.float32)], offset=5))",
    ),
    "group_offset_negative": (
        "from pytl import offset\n@pytl.kernel\ndef grouped(G: Group[f32, 4, 4, offset(...)]):\n"
        "    axpby(1.0, G[group_id()], 0.0, G[group_id()])",
        "grouped[1](pytl.pointers([np.zeros(20, np.float32)], offset=-1))",
    ),
    "group_offset_too_far": (
        "from pytl import offset\n@pytl.kernel\ndef grouped(G: Group[f32, 4, 4, offset(4)]):\n"
        "    axpby(1.0, G[group_id()], 0.0, G[group_id()])",
        "grouped[1]([np.zeros(19, np.float32)])",
    ),
    "group_offset_into_a_matrix": (
        "from pytl import offset\n@pytl.kernel\ndef grouped(G: Group[f32, 4, 4, offset(4)]):\n"
        "    axpby(1.0, G[group_id()], 0.0, G[group_id()])",
        "grouped[1]([A])",
    ),
    # PYTL-2016
    "groups_negative": ("", "add[-1]"),
    "groups_float": ("", "add[2.0]"),
    "groups_array": ("", "add[np.array([2])]"),
    "groups_bool": ("", "add[np.True_]"),
    "groups_and_more": ("", "add[1, 2, 3, 4]"),
    "options_no_mapping": ("", 'add[1, "one-item"]'),
    "no_groups": ("", "add(1.0, A, B)"),
    # PYTL-0698
    "absent": (
        "from pytl import associated\n@pytl.kernel\ndef maybe(x: Memref[f32, 4], y: Memref[f32, 4]):\n"
        "    if associated(x):\n        axpby(1.0, y, 0.0, x)\n    axpby(1.0, x, 0.0, y)",
        "maybe[1](None, A)",
    ),
    # PYTL-2017
    "submit_reference": ("", 'add[1].submit(1.0, A, B, backend="reference")'),
    "submit_queue": ("", 'add[1].submit(1.0, A, B, queue="cpu")'),
    "submit_depends": ("", "add[1].submit(1.0, A, B, depends=A)"),
    # PYTL-2020
    "constexpr_missing": (
        "from pytl import constexpr\n@pytl.kernel\ndef fixed(n: constexpr, x: Memref[f32, 8]):\n    x[n] = 1.0",
        "fixed[1](x=np.zeros(8, np.float32))",
    ),
    "constexpr_unknown": ("", "add.specialize(n=3)"),
    # more than one at a time
    "several": ("", "add[1](1j, A.astype(np.float64), B[:, :4])"),
    # PYTL-30xx
    "backend": ("", 'add[1](1.0, A, B, backend="cuda")'),
    "option": ("", 'add[1, {"colour": "red"}](1.0, A, B, backend="reference")'),
    "option_value": ("", 'add[1, {"checks": []}](1.0, A, B, backend="reference")'),
    # PYTL-10xx and text: what the kernel itself does wrong
    "undefined_name": (
        "@pytl.kernel\ndef wrong(x: Memref[f32, 8]):\n    axpby(alfa, x, 0.0, y)",
        "wrong[1](np.zeros(8, np.float32))",
    ),
    "statement": (
        "@pytl.kernel\ndef wrong(x: Memref[f32, 8]):\n    while True:\n        x[0] = 1.0",
        "wrong[1](np.zeros(8, np.float32))",
    ),
    "text": (
        'text = """func @f(%a: memref<f32x8>) {\n    %0 = constant 1.0 : f32\n    axpby.n %0, %a %0, %a\n}"""',
        'pytl.compile(text, "scale.tl")',
    ),
    # PYTL-2040
    "elsewhere": (
        "class Tensor:\n    def __dlpack__(self):\n        return None\n"
        "    def __dlpack_device__(self):\n        return 2, 0",
        "add[1](1.0, A, Tensor())",
    ),
    "not_exported": (
        "class Tensor:\n    def __dlpack__(self):\n        raise BufferError('it requires a gradient')\n"
        "    def __dlpack_device__(self):\n        return 1, 0",
        "add[1](1.0, A, Tensor())",
    ),
}
ARRAYS_OF_DPCTL: dict[str, tuple[str, str]] = {
    "device_c_order": (
        "from device_kit import dpt\nA1, B1 = dpt.asarray(A, order='C'), dpt.asarray(B, order='F')",
        "add[1](1.0, A1, B1)",
    ),
    "device_dtype": (
        "from device_kit import dpt\nA1, B1 = dpt.asarray(A, dtype='f8'), dpt.asarray(B, order='F')",
        "add[1](1.0, A1, B1)",
    ),
    "submit_queue_is_an_array": (
        "import dpctl; from device_kit import dpt\nA1, B1 = dpt.asarray(A, order='F'), dpt.asarray(B, order='F')",
        "add[1].submit(1.0, A1, B1, queue=A1)",
    ),
}
"""Messages that name dpctl's arrays."""
SYCL_CASES: dict[str, tuple[str, str]] = {
    "dpex_numpy": ("", "add.dpex(1, 1.0, A, B)"),
    "submit_numpy": ("", "add[1].submit(1.0, A, B)"),
    "queues": (
        "import dpctl; from device_kit import dpt\none, two = dpctl.SyclQueue(), dpctl.SyclQueue()\n"
        "A1, B2 = dpt.asarray(A, order='F', sycl_queue=one), dpt.asarray(B, order='F', sycl_queue=two)",
        "add[1](1.0, A1, B2)",
    ),
    "queue_of_other_data": (
        "import dpctl; from device_kit import dpt\none, two = dpctl.SyclQueue(), dpctl.SyclQueue()\n"
        "A1, B1 = dpt.asarray(A, order='F', sycl_queue=one), dpt.asarray(B, order='F', sycl_queue=one)",
        "add[1].submit(1.0, A1, B1, queue=two)",
    ),
    "device_read_only": (
        "from device_kit import dpt\nA1, B1 = dpt.asarray(A, order='F'), dpt.asarray(B, order='F')\n"
        "B1.flags.writable = False",
        "add[1](1.0, A1, B1)",
    ),
    "overlap": (
        'import os\nos.environ["PYTL_COPY_NUMPY"] = "1"\nC = np.ones((4, 9), np.float32, order="F")\n'
        "@pytl.kernel\ndef copy(A: Memref[f32, 4, 8], B: Memref[f32, 4, 8]):\n    B[0, 0] = A[0, 0]",
        "copy[1](C[:, :8], C[:, 1:])",
    ),
    "device": ('import os\nos.environ["PYTL_DEVICE"] = "cuda:7"', "add[1](1.0, A, B)"),
    "setting": ('import os\nos.environ["PYTL_COPY_NUMPY"] = "maybe"', "add[1](1.0, A, B)"),
    "device_of_option": ("", 'add[1, {"device": "level_zero:gpu:3"}](1.0, A, B)'),
    "device_is_no_filter": ("import dpctl", 'add[1, {"device": dpctl.SyclDevice()}](1.0, A, B)'),
    "device_of_other_data": (
        "import dpctl; from device_kit import dpt\n"
        "part = dpctl.SyclDevice('cpu').create_sub_devices(partition=1)[0]\nqueue = dpctl.SyclQueue(part)\n"
        "A1, B1 = dpt.asarray(A, order='F', sycl_queue=queue), dpt.asarray(B, order='F', sycl_queue=queue)",
        'add[1, {"device": "cpu"}](1.0, A1, B1)',
    ),
    "submit_depends_on_a_queue": (
        "import dpctl; from device_kit import dpt\nA1, B1 = dpt.asarray(A, order='F'), dpt.asarray(B, order='F')",
        "add[1].submit(1.0, A1, B1, depends=[A1.sycl_queue])",
    ),
    "timing_of_nothing": ("", "pytl.timing(None)"),
    "timing_without_times": (
        "import dpctl; from device_kit import dpt\nA1, B1 = dpt.asarray(A, order='F'), dpt.asarray(B, order='F')\n"
        "event = add[0].submit(1.0, A1, B1)",
        "pytl.timing(event)",
    ),
    "work_group_rows": (
        "from pytl import parallel, subgroup\n@pytl.kernel(work_group_size=(6, 1))\ndef odd(x: Memref[f32, 8]):\n"
        "    with parallel():\n        x[0] = f32(subgroup.local_id())",
        "odd[1](np.zeros(8, np.float32))",
    ),
    "strategy": (
        '@pytl.kernel(strategy="fast")\ndef fast(x: Memref[f32, 8]):\n    axpby(1.0, x, 1.0, x)',
        "fast[1](np.zeros(8, np.float32))",
    ),
    "strategy_of_sub_groups": (
        "from pytl import subgroup, parallel\n"
        '@pytl.kernel(strategy="one-item")\ndef places(x: Memref[pytl.i32, 8]):\n'
        "    with parallel():\n        x[0] = subgroup.local_id()",
        "places[1](np.zeros(8, np.int32))",
    ),
    "local_memory": (
        "@pytl.kernel\ndef large(x: Memref[f32, 512, 256]):\n    t = alloca(f32, 512, 256)\n"
        "    axpby(1.0, x, 0.0, t)\n    axpby(1.0, t, 0.0, x)\n"
        "X = np.ones((512, 256), np.float32, order='F')",
        "large[1](X)",
    ),
    "work_group": (
        "@pytl.kernel(work_group_size=(16384, 4))\ndef large(x: Memref[f32, 8]):\n    axpby(1.0, x, 1.0, x)",
        "large[1](np.zeros(8, np.float32))",
    ),
    "sub_group": (
        "@pytl.kernel(subgroup_size=7)\ndef odd(x: Memref[f32, 8]):\n    axpby(1.0, x, 1.0, x)",
        "odd[1](np.zeros(8, np.float32))",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_refused(name: str, program: Program, golden, monkeypatch) -> None:
    monkeypatch.setenv("PYTL_BACKEND", "reference")
    error = program.error(*CASES[name])
    golden(f"errors/{name}.txt", f"{type(error).__name__}: {error}\n")


NEEDING = [
    pytest.param("dpex_nothing", marks=pytest.mark.needs_numba_dpex),
    *(pytest.param(name, marks=pytest.mark.needs_tensors) for name in ARRAYS_OF_DPCTL),
]


@needs_sycl
@pytest.mark.parametrize("name", [*SYCL_CASES, *NEEDING])
def test_refused_by_the_device(name: str, program: Program, golden, monkeypatch) -> None:
    import dpctl

    from pytl.devices.sycl_devices import usable_devices

    for variable in ("PYTL_COPY_NUMPY", "PYTL_DEVICE"):
        monkeypatch.setenv(variable, "")  # which undoes what the program sets
    error = program.error(*{"dpex_nothing": ("", "add.dpex(0)"), **ARRAYS_OF_DPCTL, **SYCL_CASES}[name])
    device = dpctl.SyclQueue().sycl_device
    text = str(error).replace(device.name.strip(), "DEVICE")
    for number, word in (
        (str(device.local_mem_size), "LIMIT"),
        ("131072", "LIMIT"),  # of private memory
        (str(device.max_work_group_size), "LIMIT"),
        (", ".join(map(str, device.sub_group_sizes)), "SIZES"),
        (device.filter_string, "DEVICES"),
        (", ".join(d.filter_string for d in usable_devices()), "DEVICES"),
    ):
        text = f"{text}\n".replace(f" {number}\n", f" {word}\n").removesuffix("\n")
    golden(f"errors/{name}.txt", f"{type(error).__name__}: {as_of_dpctl(text)}\n")


@pytest.mark.additions
def test_a_golden_text_for_every_code() -> None:
    """Those that need a device that there isn't are tested below."""
    golden_texts = "".join(file.read_text() for file in (Path(__file__).parents[1] / "golden/errors").glob("*.txt"))
    codes = {rule.code for rule in vars(launch_rules).values() if isinstance(rule, Rule)}
    untold = {code for code in codes if f"error[{code}]" not in golden_texts}
    assert untold == {launch_rules.ASPECT.code, launch_rules.REFUSED.code}


@pytest.mark.parametrize("name", CASES)
def test_every_refusal_names_a_fix(name: str) -> None:
    text = (Path(__file__).parents[1] / f"golden/errors/{name}.txt").read_text()
    if name not in ("text", "undefined_name"):  # what is expected there is in the message
        assert text.count("= help: ") == text.count("error[") > 0
    assert text.count(" --> ") == text.count("error[")


def test_asserted_alignment(monkeypatch) -> None:
    @pytl.kernel
    def aligned(x: Annotated[Memref[f32, 4], align(64)], G: Annotated[Group[f32, 4], align(64)]):
        axpby(1.0, x, 1.0, G[group_id()])

    memory = np.zeros(256, np.float32)
    memory = memory[-memory.ctypes.data // 4 % 16 :][:128]
    assert memory.ctypes.data % 64 == 0
    good = np.lib.stride_tricks.as_strided(memory[64:], (4, 2), (4, 64))
    tight = np.lib.stride_tricks.as_strided(memory[64:], (4, 2), (4, 32))
    with pytl.use("reference"):
        aligned[2](memory[:4], good)
        with pytest.raises(pytl.LaunchError) as caught:
            aligned[2](memory[4:8], tight)
        with pytest.raises(pytl.LaunchError) as listed:
            aligned[2](memory[:4], [good[:, 0], memory[8:12]])
    assert [(d.code, d.message, d.help) for d in caught.value.diagnostics] == [
        (
            "PYTL-2010",
            "the memory of x begins at a multiple of 16 bytes, but the parameter asserts 64",
            f"allocate it with this alignment, as {shown_library()} does for 64 bytes, or assert less",
        ),
        (
            "PYTL-2010",
            "the items of G are 32 bytes apart, but the parameter asserts an alignment of 64",
            "leave space between the items, or assert less",
        ),
    ]
    assert [d.message for d in listed.value.diagnostics] == [
        "the memory of G[1] begins at a multiple of 32 bytes, but the parameter asserts 64"
    ]


class _SmallDevice:
    """A device without f64, with little of everything."""

    name = " Small "
    has_aspect_fp64 = False


@pytest.mark.parametrize(("parameter", "words"), [("x: memref<f64x4>", "f64"), ("x: group<memref<c64x4>x?>", "c64")])
def test_a_device_without_f64(parameter: str, words: str) -> None:
    from pytl.backends.numba_dpex.limits import check_aspects

    module = pytl.parse(f"func @f(%{parameter}) {{}}\nfunc @g(%x: memref<f32x4>, %b: bool) {{}}")
    with pytest.raises(pytl.LaunchError) as caught:
        check_aspects(module.functions[0], _SmallDevice)
    (found,) = caught.value.diagnostics
    assert (found.code, found.message, found.help) == (
        "PYTL-2018",
        f"@f computes with {words}, but Small has no f64",
        "use f32 or c32, or another device",
    )
    check_aspects(module.functions[1], _SmallDevice)


@needs_sycl
@pytest.mark.parametrize("groups", [2**63, 2**64, 2**64 + 1])
def test_more_work_groups_than_can_be_counted(groups: int) -> None:
    kernel = pytl.compile("func @f(%n: i32) {}")["f"]
    with pytest.raises(pytl.LaunchError, match=f"PYTL-2019.*SYCL does not count {groups} work-groups of 1 work-items"):
        kernel[groups](3, backend="sycl")


@needs_sycl
def test_what_the_run_time_refuses(monkeypatch) -> None:
    kernel = pytl.compile("func @f(%a: memref<f32x4>) { %0 = constant 2.0 : f32  axpby.n %0, %a, %0, %a }")["f"]
    x = np.ones(4, np.float32)
    kernel[1](x, backend="sycl")
    from pytl.backends.numba_dpex import launch

    def refuse(*arguments: object, **named: object) -> object:
        raise launch.LaunchError("The SYCL run time refused to launch f with 1 work-groups of 1 work-items.")

    monkeypatch.setattr(launch.PreparedLaunch, "submit", refuse)
    before = x.copy()
    with pytest.raises(pytl.LaunchError) as caught:
        kernel[1](x, backend="sycl")
    assert caught.value.code == "PYTL-2019"
    assert caught.value.diagnostics[0].message.startswith("The SYCL run time refused to launch f")
    np.testing.assert_array_equal(x, before)


@pytest.mark.at_most(1)
@pytest.mark.parametrize(
    ("prepare", "call"), [CASES["missing"], CASES["c_order"], CASES["text"], CASES["backend"], CASES["statement"]]
)
def test_a_script_shows_its_own_lines_only(prepare: str, call: str, program: Program) -> None:
    shown = program.stderr(prepare, call)
    lines = f"{HEAD}\n{prepare}\n{call}".splitlines()
    assert shown.startswith("Traceback (most recent call last):\n")
    frames = [line for line in shown.splitlines() if line.lstrip().startswith("File ")]
    assert frames == [f'  File "{program.file}", line {len(lines)}, in <module>']
    assert "\npytl." in shown and "\nerror[PYTL-" in shown
