"""Atomic accesses with scope and order: what they find, on every backend, and which races they leave."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from differential.cases import kind_of
from reference_kit import DTYPES
from sampling import crossed

import pytl
from pytl import Memref, atomic, f32, foreach, group_id, group_size, i32, index, parallel

STRATEGIES: list[Any] = [
    ("reference", ""),
    ("sycl", '"strategy"="many-items"'),
    ("sycl", ""),
    pytest.param(("mlir", ""), marks=pytest.mark.tools_of("mlir")),
]
ELEMENTS = [name for name in DTYPES if name != "index"]


COUNTED = """
func @f(%a: memref<{type}x4>, %seen: memref<{type}x64>, %one: {type}, %least: memref<{type}x4>)
    attributes{{subgroup_size=16, work_group_size=[32,2]{strategy}}} {{
  %0 = constant 0 : index
  %64 = constant 64 : index
  %4 = constant 4 : index
  foreach (%i) = (%0), (%64) {{
    %k = arith.rem %i, %4 : index
    %r = v04.atomic_add.device{order} %one, %a[%k] : {type}
    v04.atomic_store.device %r, %seen[%i]{extreme}
  }}
}}
"""
EXTREME = """
    %low = v04.atomic_min.device %r, %least[%k] : {type}
    %high = v04.atomic_max.device %low, %least[%k] : {type}"""


ORDERS = ("", ".acquire", ".release", ".acquire_release", ".sequentially_consistent")


@pytest.mark.at_most(2)
@pytest.mark.parametrize(("way", "element", "order"), crossed(STRATEGIES, ELEMENTS, ORDERS, kind_of=kind_of))
def test_each_finds_another_number(way: tuple[str, str], element: str, order: str) -> None:
    """No addition is lost, and each gives what it found: every number once."""
    backend, strategy = way
    strategy = f", {strategy}" if strategy else ""
    is_complex = element.startswith("c")
    extreme = "" if is_complex else EXTREME.format(type=element)
    text = COUNTED.format(type=element, order=order, strategy=strategy, extreme=extreme)
    kernel = pytl.compile(text)["f"]
    a, seen = np.zeros(4, DTYPES[element]), np.zeros(64, DTYPES[element])
    least = np.full(4, 9, DTYPES[element])
    kernel[1](a, seen, 1, least, backend=backend)
    np.testing.assert_array_equal(a.astype(np.complex128), 16)
    for column in range(4):
        found = np.sort(seen[column::4].astype(np.complex128).real)
        np.testing.assert_array_equal(found, np.arange(16))
    if not is_complex:  # at most the least number so far is written back
        assert set(least.astype(float)) <= {0.0, *map(float, range(10))}


@pytest.mark.at_most(1)
@pytest.mark.parametrize("attributes", ["", "subgroup_size=8, work_group_size=[32,2]"])
@pytest.mark.parametrize("way", STRATEGIES)
def test_work_items_of_a_parallel_region_take_turns(way: tuple[str, str], attributes: str) -> None:
    """Each work-item takes a place of its own; where nobody looks at what was found, all are counted, too."""
    backend, strategy = way
    items = 64 if attributes else 16
    given = ", ".join(filter(None, [attributes, strategy]))
    text = f"""
func @f(%count: memref<i32>, %places: memref<i32x{items}>, %total: memref<i32>, %x: i32)
    {f"attributes{{{given}}}" if given else ""} {{
  parallel {{
    %r = v04.atomic_add.work_group %x, %count[] : i32
    %at = cast %r : index
    store %r, %places[%at]
    %unused = v04.atomic_add.work_group.release %x, %total[] : i32
  }}
  %also = v04.atomic_add.device %x, %total[] : i32
}}"""
    count, places, total = np.zeros((), np.int32), np.full(items, -1, np.int32), np.zeros((), np.int32)
    pytl.compile(text)["f"][1](count, places, total, 1, backend=backend)
    assert count == items and total == 2 * items
    np.testing.assert_array_equal(places, np.arange(items))


def test_one_work_item_cannot_take_all_turns() -> None:
    text = """
func @f(%n: memref<i32>, %x: i32) attributes{"strategy"="one-item"} {
  parallel {
    %r = v04.atomic_add %x, %n[] : i32
    store.atomic %r, %n[]
  }
}"""
    with pytest.raises(pytl.LanguageError, match=r"v04\.atomic_add in line 4 gives each work-item another value"):
        pytl.compile(text)


# What is ordered.


@pytl.kernel
def last_adds(x: Memref[f32, 8, ...], parts: Memref[f32, ...], done: Memref[i32], result: Memref[f32]):
    g = group_id()
    for i in foreach(1):
        parts[g] = x[0, g]
        before = atomic.add(done[()], 1, scope="device", order="acquire_release")
        if before == i32(group_size()) - 1:
            s = f32(0.0)
            for k in range(group_size()):
                s += parts[k]
            result[()] = s


def launched(kernel: pytl.Kernel, groups: int = 5, backend: str = "reference") -> np.ndarray:
    x = np.asfortranarray(np.arange(8 * groups).reshape(8, groups), np.float32)
    parts, done, result = np.zeros(groups, np.float32), np.zeros((), np.int32), np.zeros((), np.float32)
    kernel[groups](x, parts, done, result, backend=backend)
    assert done == groups
    return result - x[0].sum()


@pytest.mark.at_most(1)
@pytest.mark.parametrize("way", STRATEGIES)
def test_the_last_work_group_sees_what_all_have_written(way: tuple[str, str]) -> None:
    assert launched(last_adds, 5, way[0]) == 0
    assert launched(last_adds, 1, way[0]) == 0


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (".device.acquire_release", ""),
        (".cross_device.sequentially_consistent", ""),
        (".device.acquire", "element (0) of %parts is read here and written by work-group 0, in no order"),
        (".device.release", "element (0) of %parts is read here and written by work-group 0, in no order"),
        (".device", "element (0) of %parts is read here and written by work-group 0, in no order"),
        (".acquire_release", "element () of %done is updated atomically for its work-group here"),
    ],
)
def test_what_does_not_synchronise_is_a_race(wrong: str, said: str) -> None:
    kernel = pytl.compile(str(last_adds).replace(".device.acquire_release", wrong))["last_adds"]
    if not said:
        assert launched(kernel) == 0
        return
    with pytest.raises(pytl.ExecutionError) as caught:
        launched(kernel)
    assert caught.value.code == "PYTL-4031"
    assert said in str(caught.value), str(caught.value)


def test_the_scope_is_told_where_it_is_too_narrow() -> None:
    kernel = pytl.compile(str(last_adds).replace(".device.acquire_release", ""))["last_adds"]
    with pytest.raises(pytl.ExecutionError) as caught:
        launched(kernel)
    assert "make them atomic for all work-groups: .device" in str(caught.value)


PASSED = """
func @f(%x: memref<f32x4>, %flag: memref<i32>, %o: memref<f32x4>)
    attributes{{subgroup_size=4, work_group_size=[4,1]}} {{
  %0 = constant 0 : index
  %1 = constant 1 : i32
  %two = constant 2.0 : f32
  parallel {{
    %l = builtin.subgroup_local_id : i32
    %i = cast %l : index
    %none = constant 0 : i32
    %first = cmp.eq %l, %none : bool
    if %first {{
      store %two, %x[%0]
      v04.atomic_store{stored} %1, %flag[]
    }}
    %f = v04.atomic_load{loaded} %flag[] : i32
    %is = cmp.eq %f, %1 : bool
    if %is {{
      %v = load %x[%0] : f32
      store %v, %o[%i]
    }}
  }}
}}"""


@pytest.mark.parametrize(
    ("stored", "loaded", "is_ordered"),
    [
        (".release", ".acquire", True),
        (".sequentially_consistent", ".sequentially_consistent", True),
        (".device.release", ".subgroup.acquire", True),
        (".release", "", False),
        ("", ".acquire", False),
        ("", "", False),
    ],
)
def test_a_flag_orders_what_was_written_before_it(stored: str, loaded: str, is_ordered: bool) -> None:
    kernel = pytl.compile(PASSED.format(stored=stored, loaded=loaded))["f"]
    x, flag, o = np.zeros(4, np.float32), np.zeros((), np.int32), np.zeros(4, np.float32)
    if is_ordered:
        kernel[1](x, flag, o, backend="reference")
        np.testing.assert_array_equal(o, 2)
    else:
        with pytest.raises(pytl.ExecutionError, match="PYTL-4030"):
            kernel[1](x, flag, o, backend="reference")


def test_a_plain_access_beside_an_atomic_one_is_a_race() -> None:
    text = """
func @f(%x: memref<f32>, %o: memref<f32x4>, %v: f32) {{
  %0 = constant 0 : index
  %4 = constant 4 : index
  foreach (%i) = (%0), (%4) {{
    {plain}
    {atomic}
    store %v, %o[%i]
  }}
}}"""
    read, write = "%p = load %x[] : f32", "store %v, %x[]"
    loads, updates = "%a = v04.atomic_load %x[] : f32", "%a = v04.atomic_max %v, %x[] : f32"

    def run(plain: str, atomically: str) -> None:
        kernel = pytl.compile(text.format(plain=plain, atomic=atomically))["f"]
        kernel[1](np.zeros((), np.float32), np.zeros(4, np.float32), 1.0, backend="reference")

    run(read, loads)  # two reads are none
    run(loads.replace("%a", "%b"), updates)
    for plain, atomically in ((read, updates), (write, loads), (write, updates)):
        with pytest.raises(pytl.ExecutionError, match="PYTL-4030"):
            run(plain, atomically)


# In Python.


def test_in_python() -> None:
    @pytl.kernel
    def f(a: Memref[i32, 4], o: Memref[i32, 16]):
        with parallel():
            atomic.add(a[0], 1)
            atomic.store(a[1], 2, order="release")
            found = atomic.add(a[2], 1)
            o[index(found)] = atomic.max(a[3], found, scope="subgroup", order="acquire")

    assert [line.strip() for line in str(f).splitlines() if "atomic" in line] == [
        "store.atomic_add %1, %a[%0]",
        "v04.atomic_store.device.release %3, %a[%2]",
        "%found = v04.atomic_add.device %5, %a[%4] : i32",
        "%7 = v04.atomic_max.subgroup.acquire %found, %a[%6] : i32",
    ]
    a, o = np.zeros(4, np.int32), np.full(16, -1, np.int32)
    f[1](a, o, backend="reference")
    np.testing.assert_array_equal(a, [16, 2, 16, 15])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('atomic.add(a[0], 1, scope="grid")', "scope of atomic.add is the Python string 'grid', not one of"),
        ('atomic.load(a[0], order="relax")', "order of atomic.load is the Python string 'relax', not one of"),
        ('atomic.load(a[0], order="release")', "v04.atomic_load: a load cannot release"),
        ('atomic.store(a[0], 1, order="acquire")', "v04.atomic_store: a store cannot acquire"),
        ("atomic.add(a[0], f32(1.0))", "the value is f32, but the elements are i32"),
        ("atomic.max(c[0], c32(1.0))", "v04.atomic_max: not defined on c32"),
        ("atomic.load(g[0])", "load the memref first: g[i][j]"),
    ],
)
def test_mistakes_in_python(call: str, message: str) -> None:
    from tracing_kit import functions

    source = (
        "def f(a: Memref[i32, 4], c: Memref[c32, 4], g: Group[i32, 4]):\n"
        f"    for i in foreach(4):\n        x = {call}\n        a[i] = 1\n"
    )
    with pytest.raises(pytl.TraceError) as caught:
        str(pytl.kernel(functions(source)["f"]))
    assert message in str(caught.value)


def test_xegpu_has_all_of_them() -> None:
    text = COUNTED.format(type="i32", order="", strategy="", extreme=EXTREME.format(type="i32"))
    printed = pytl.compile(text)["f"].emit("xegpu")
    for kind in ("addi", "mins", "maxs"):
        assert f"xegpu.atomic_rmw {kind} " in printed
