"""Sub-groups: what their work-items know and do together, the SYCL backend against the reference."""

from __future__ import annotations

import numpy as np
import pytest
from differential.cases import BOUNDS, EXACT, NEEDS_SYCL, Batch, Case, batches, each, uneven, zeros
from reference_kit import COMPLEX, DTYPES, FLOATS, INTEGERS, float_edges

import pytl

pytestmark = [NEEDS_SYCL, pytest.mark.at_most(3)]
ANY = [*INTEGERS, *FLOATS, *COMPLEX]
VARIANTS = ("reduce", "inclusive_scan", "exclusive_scan")
# sub-group size, work-group size
SHAPES = [(4, (8, 3)), (8, (8, 1)), (16, (16, 2)), (32, (32, 1))]
PLACE = """
    %id = builtin.subgroup_id : i32
    %local = builtin.subgroup_local_id : i32
    %size = builtin.subgroup_size : i32
    %start = arith.mul %id, %size : i32
    %item = arith.add %start, %local : i32
    %i = cast %item : index"""


def attributes(size: int, shape: tuple[int, int]) -> str:
    return f"subgroup_size={size}, work_group_size=[{shape[0]},{shape[1]}]"


def lines_of(results: list[str], type_: str) -> str:
    """The text that computes results from %x, each in a column of its own of %r."""
    return "\n".join(
        f"    %c{k} = constant {k} : index\n    %y{k} = {text} : {type_}\n    store %y{k}, %r[%i,%c{k}]"
        for k, text in enumerate(results)
    )


def spmd_case(name: str, type_: str, values: np.ndarray, results: list[str], bound=EXACT) -> Case:
    """Every work-item takes its own %x, and stores what it computes from that."""
    count = len(values)
    parameters = {
        "a": (f"memref<{type_}x{count}>", values),
        "r": (f"memref<{type_}x{count}x{len(results)}>", zeros(type_, count, len(results))),
    }
    return Case(
        name, parameters, f"parallel {{{PLACE}\n    %x = load %a[%i] : {type_}\n{lines_of(results, type_)}\n}}", bound
    )


def sum_case(type_: str, size: int, count: int) -> Case:
    """Sums of numbers with all their digits; in the last sub-group infinities meet."""
    values = uneven(np.random.default_rng(size), type_, count)
    if type_ not in INTEGERS:
        values[-2], values[-1] = np.inf, -np.inf
    return spmd_case(type_, type_, values, [f"subgroup_add.{v} %x" for v in VARIANTS], BOUNDS["sums"])


def edges(type_: str, size: int, count: int) -> np.ndarray:
    """Numbers with nans among them, behind a sub-group of nans alone; the extremes of integers."""
    rng = np.random.default_rng(size + 1)
    if type_ in INTEGERS:
        bounds = np.iinfo(DTYPES[type_])
        return np.where(rng.random(count) < 0.2, bounds.min, uneven(rng, type_, count)).astype(DTYPES[type_])
    values = rng.choice([*float_edges(type_).astype(np.float64), np.nan, np.nan, 2.5, -3.0], count)
    values[:size] = np.nan
    values[-size] = np.nan
    with np.errstate(over="ignore"):
        return values.astype(np.float32 if type_ != "f64" else np.float64).astype(DTYPES[type_])


def order_case(type_: str, size: int, count: int) -> Case:
    results = [f"subgroup_{operation}.{v} %x" for operation in ("max", "min") for v in VARIANTS]
    return spmd_case(type_, type_, edges(type_, size, count), results, BOUNDS["min, max"])


def broadcast_case(type_: str, size: int, count: int) -> Case:
    values = uneven(np.random.default_rng(size + 2), type_, count)
    lanes = (0, size - 1, size // 2)
    case = spmd_case(type_, type_, values, [f"subgroup_broadcast %x, %l{lane}" for lane in lanes])
    constants = "\n".join(f"%l{lane} = constant {lane} : i32" for lane in lanes)
    return Case(case.name, case.parameters, f"{constants}\n{case.body}")


def batches_of(name: str, types: list[str], case_of, shapes=SHAPES) -> list[Batch]:
    return [
        batch
        for size, shape in shapes
        for batch in batches(
            f"{name}, {size} of {shape[0]}x{shape[1]}",
            [case_of(type_, size, shape[0] * shape[1]) for type_ in types],
            size=len(types),
            attributes=attributes(size, shape),
        )
    ]


@pytest.mark.at_night
@each(batches_of("add", ANY, sum_case))
def test_sums(batch: Batch, case: Case) -> None:
    assert batch.differences(case, "many-items") == []


@pytest.mark.at_night
@each(batches_of("max and min", [*INTEGERS, *FLOATS], order_case))
def test_maximum_and_minimum(batch: Batch, case: Case) -> None:
    assert batch.differences(case, "many-items") == []


@pytest.mark.at_night
@each(batches_of("broadcast", ANY, broadcast_case, SHAPES[::2]))
def test_broadcasts(batch: Batch, case: Case) -> None:
    assert batch.differences(case, "many-items") == []


@pytest.mark.at_most(1)
@each(batches_of("of 64", ["i8", "c32"], sum_case, [(64, (64, 2))]))
def test_a_large_subgroup(batch: Batch, case: Case) -> None:
    assert batch.differences(case, "many-items") == []


# Control flow that is uniform by sub-group only.

BRANCHES = """
    %two = constant 2 : i32
    %zero = constant 0 : i32
    %rest = arith.rem %id, %two : i32
    %even = cmp.eq %rest, %zero : bool
    %y = if %even -> (f32) {
      %t = subgroup_add.inclusive_scan %x : f32
      yield (%t)
    } else {
      %t = subgroup_max.exclusive_scan %x : f32
      yield (%t)
    }
    %late = cmp.gt %local, %two : bool
    %z = if %late -> (f32) {
      yield (%y)
    } else {
      yield (%x)
    }
    %s = subgroup_min.reduce %z : f32"""
LOOPS = """
    %zero = constant 0 : i32
    %one = constant 1 : i32
    %two = constant 2 : i32
    %stop = arith.add %id, %two : i32
    %s = for %k:i32 = %zero, %stop init(%c = %x) -> (f32) {
      %b = subgroup_broadcast %c, %k : f32
      %d = arith.sub %c, %b : f32
      %inside = cmp.gt %k, %one : bool
      %e = if %inside -> (f32) {
        %m = subgroup_max.reduce %d : f32
        yield (%m)
      } else {
        %m = subgroup_add.exclusive_scan %d : f32
        yield (%m)
      }
      yield (%e)
    }"""
LANES = """
    %lane = arith.rem %id, %size : i32
    %s = subgroup_broadcast %x, %lane : f32"""
CROSSED = """
    %last = constant COUNT : index
    %mirror = arith.sub %last, %i : index
    store %x, %tmp[%i]
    barrier.local
    %other = load %tmp[%mirror] : f32
    %t = subgroup_add.inclusive_scan %other : f32
    barrier.local
    store %t, %tmp[%mirror]
    barrier.local
    %back = load %tmp[%i] : f32
    %s = subgroup_max.inclusive_scan %back : f32"""


def control_case(name: str, body: str, count: int) -> Case:
    """A piece of an SPMD region that makes %s of %x; sums are of small integers, and so exact."""
    values = np.random.default_rng(3).integers(-9, 9, count).astype(np.float32)
    parameters = {
        "a": (f"memref<f32x{count}>", values),
        "r": (f"memref<f32x{count}>", zeros("f32", count)),
    }
    text = (
        f"%tmp = alloca : memref<f32x{count},local>\n"
        f"parallel {{{PLACE}\n    %x = load %a[%i] : f32{body}\n    store %s, %r[%i]\n}}"
    )
    return Case(name, parameters, text.replace("COUNT", str(count - 1)), BOUNDS["min, max"])


CONTROL = [
    Batch(
        f"{size} of {shape[0]}x{shape[1]}",
        [
            control_case(name, body, shape[0] * shape[1])
            for name, body in (("branches", BRANCHES), ("loops", LOOPS), ("lanes", LANES), ("crossed", CROSSED))
        ],
        attributes=attributes(size, shape),
    )
    for size, shape in ((8, (16, 2)), (16, (48, 1)))
]


@pytest.mark.at_most(2)
@each(CONTROL)
def test_flow_that_is_uniform_by_subgroup(batch: Batch, case: Case) -> None:
    assert batch.differences(case, "many-items") == []


PLACES = """
parallel {PLACE
    %c0 = constant 0 : index
    %c1 = constant 1 : index
    store %id, %r[%i,%c0]
    store %local, %r[%i,%c1]
}
foreach (%p) = (%zero), (%n) {
    %id = builtin.subgroup_id : i32
    %local = builtin.subgroup_local_id : i32
    store.atomic_add %id, %f[%zero]
    store.atomic_add %local, %f[%one]
}"""


@pytest.mark.at_most(1)
@pytest.mark.parametrize("strategy", ["one-item", "many-items"])
def test_places(strategy: str) -> None:
    """Also where the strategy that is asked for has a single work-item, which has no place in a sub-group."""
    text = f"""
    func @f(%r: memref<i32x48x2>, %f: memref<i32x2>, %n: index) attributes{{{attributes(8, (24, 2))}}} {{
      %zero = constant 0 : index
      %one = constant 1 : index
      {PLACES.replace("PLACE", PLACE)}
    }}"""
    r, f = np.full((48, 2), -1, np.int32, order="F"), np.zeros(2, np.int32)
    pytl.compile(text)["f"][1, {"strategy": strategy}](r, f, 96, backend="sycl")
    assert r.tolist() == [[item // 8, item % 8] for item in range(48)]
    assert f.tolist() == [2 * sum(item // 8 for item in range(48)), 2 * sum(item % 8 for item in range(48))]


def test_a_default_size_that_the_device_lacks_is_an_error() -> None:
    text = """
    func @f(%a: memref<f32x3>) attributes{work_group_size=[3,1]} {
      parallel {
        %i = builtin.subgroup_id : i32
        %k = cast %i : index
        %x = load %a[%k] : f32
        %y = subgroup_add.reduce %x : f32
        store %y, %a[%k]
      }
    }"""
    with pytest.raises(pytl.LaunchError, match=r"@f has 3 rows, but .* has sub-groups of 4, 8, ") as caught:
        pytl.compile(text)["f"][1](np.zeros(3, np.float32), backend="sycl")
    (found,) = caught.value.diagnostics
    assert (found.code, found.location.line) == ("PYTL-2015", 2)
    assert found.help == "make the first mode of work_group_size a multiple of one of these"


@pytest.mark.parametrize("instruction", ["subgroup_add.reduce %x", "subgroup_broadcast %x, %zero"])
def test_operations_in_a_foreach_are_an_error(instruction: str) -> None:
    text = f"""func @f(%a: memref<f32x16>, %x: f32, %n: index) {{
  %zero = constant 0 : i32
  %first = constant 0 : index
  foreach (%i) = (%first), (%n) {{
    %y = {instruction} : f32
    store %y, %a[%i]
  }}
}}"""
    with pytest.raises(pytl.PytlError) as caught:
        pytl.compile(text)["f"].emit("numba_dpex")
    (found,) = caught.value.diagnostics
    assert (found.code, found.location.line) == ("PYTL-3018", 5)
    assert found.message == "the iterations of a foreach are dealt out to the work-items, so they form no sub-groups"
    assert found.help.startswith("use parallel, and find the work-item's place with builtin.subgroup_id")
