"""Control flow, SPMD regions and names: the SYCL backend against the reference."""

from __future__ import annotations

import numpy as np
import pytest
from differential.cases import NEEDS_SYCL, STRATEGIES, Batch, Case, batches, clone, each_way, literal, zeros
from reference_kit import BITS, COMPLEX, DTYPES, FLOATS, INTEGERS

import pytl
from pytl.ir.types import SCALAR_TYPES

pytestmark = [NEEDS_SYCL, pytest.mark.at_most(4)]

TYPES = list(SCALAR_TYPES)


def constant(name: str, value: object, type_: str) -> str:
    return f"%{name} = constant {literal(value, type_)} : {type_}\n"


def number(value: float, type_: str) -> complex | float | int:
    """A small number as one of the type."""
    if type_ in COMPLEX:
        return complex(value, -value)
    return float(value) if type_ in FLOATS else int(value)


def log(type_: str, size: int) -> tuple[str, np.ndarray]:
    """A parameter that takes what is written by position."""
    return f"memref<{type_}x{size}>", zeros(type_, size)


# For.


def loop_case(type_: str, number: int, dynamic: bool) -> Case:
    """Counts the trips and keeps the trip counts."""
    start, stop, step = ranges(type_)[number]
    bounds = {"start": start, "stop": stop} | ({} if step is None else {"step": step})
    parameters: dict = {"r": log(type_, 40)}
    lines = ""
    for name, value in bounds.items():
        if dynamic:
            parameters[name] = (type_, value)
        else:
            lines += constant(name, value, type_)
    body = f"""{lines}
      %zero = constant 0 : index
      %one = constant 1 : index
      %n = for %i: {type_} = {", ".join(f"%{name}" for name in bounds)} init(%k=%zero) -> (index) {{
        store %i, %r[%k]
        %l = arith.add %k, %one : index
        yield (%l)
      }}
      %m = cast %n : {type_}
      %last = constant 39 : index
      store %m, %r[%last]"""
    shown = f"{type_}-{start}-{stop}-{step or 'no step'}-{'dynamic' if dynamic else 'static'}"
    return Case(shown, parameters, body, axes=(type_, number, dynamic))


def ranges(type_: str) -> list[tuple[int, int, int | None]]:
    most = 2 ** (BITS[type_] - 1) - 1
    least = -most
    return [
        *((0, 7, None), (3, 20, 4), (-5, 6, 3), (5, 5, None), (7, 3, 2), (2, 3, 100), (-3, -1, None)),
        *((most - 5, most, 2), (least, least + 9, 4), (most - 1, most, most)),
    ]


LOOPS = [
    batch
    for type_ in INTEGERS
    for dynamic in (False, True)
    for batch in batches("for", [loop_case(type_, number, dynamic) for number in range(len(ranges(type_)))], 5)
]


@pytest.mark.at_most(1)
@each_way(LOOPS, STRATEGIES)
def test_for(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


def variable_case(type_: str) -> Case:
    """In a `foreach`, a loop of any integers gives its last variable, and computes with it, alone and with what differs
    between the points."""
    body = f"""
      %zero = constant 0 : index
      %size = constant 9 : index
      {constant("start", 2, type_)} {constant("stop", 7, type_)} {constant("step", 2, type_)}
      foreach (%p) = (%zero), (%size) {{
        %x = load %a[%p] : {type_}
        %u, %v, %w = for %k : {type_} = %start, %stop, %step init(%l=%stop, %s=%start, %t=%x)
            -> ({type_}, {type_}, {type_}) {{
          %m = arith.mul %s, %k : {type_}
          %n = arith.add %t, %k : {type_}
          yield (%k, %m, %n)
        }}
        %y = arith.add %u, %v : {type_}
        %z = arith.add %y, %w : {type_}
        store %z, %r[%p]
      }}"""
    return Case(type_, {"a": (f"memref<{type_}x9>", np.arange(9).astype(DTYPES[type_])), "r": log(type_, 9)}, body)


VARIABLES = [Batch("variables", [variable_case(type_) for type_ in INTEGERS])]


@each_way(VARIABLES, STRATEGIES)
def test_variables_of_loops_in_a_foreach(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


def carried_case(type_: str) -> Case:
    """Values carried in a collective and in an SPMD loop: sums, exchanged values, yields of constants, bools."""
    loop = f"""
      %a{{0}}, %b{{0}}, %c{{0}}, %d{{0}}, %e{{0}} = for %i{{0}} = %zero, %n
          init(%u{{0}}=%x, %v{{0}}=%y, %w{{0}}=%y, %f{{0}}=%true, %g{{0}}=%p)
          -> ({type_}, {type_}, {type_}, bool, bool) {{{{
        %s{{0}} = arith.add %u{{0}}, %v{{0}} : {type_}
        %o{{0}} = arith.xor %f{{0}}, %g{{0}} : bool
        yield (%v{{0}}, %s{{0}}, %three, %g{{0}}, %o{{0}})
      }}}}
      %h{{0}} = arith.and %d{{0}}, %e{{0}} : bool
      %k{{0}} = if %h{{0}} -> ({type_}) {{{{ yield (%a{{0}}) }}}} else {{{{ yield (%b{{0}}) }}}}
      %l{{0}} = if %d{{0}} -> ({type_}) {{{{ yield (%c{{0}}) }}}} else {{{{ yield (%three) }}}}
      store %a{{0}}, %r[%i{{1}}]
      store %b{{0}}, %r[%i{{2}}]
      store %c{{0}}, %r[%i{{3}}]
      store %k{{0}}, %r[%i{{4}}]
      store %l{{0}}, %r[%i{{5}}]"""
    places = "".join(constant(f"i{k}", k, "index") for k in range(10))
    body = f"""{places}
      {constant("x", number(1, type_), type_)}
      {constant("y", number(2, type_), type_)}
      {constant("three", number(3, type_), type_)}
      %true = constant true : bool
      %zero = constant 0 : index
      {loop.format("C", 0, 1, 2, 3, 4)}
      parallel {{ {loop.format("S", 5, 6, 7, 8, 9).replace("store", "store.atomic")} }}"""
    return Case(type_, {"n": ("index", 9), "p": ("bool", False), "r": log(type_, 10)}, body)


def untripped_case(type_: str) -> Case:
    """A loop without a trip gives the initial values; so does one around it."""
    body = f"""
      %zero = constant 0 : index
      %one = constant 1 : index
      {constant("y", number(5, type_), type_)}
      %a = for %i = %n, %n init(%u=%x) -> ({type_}) {{ yield (%y) }}
      %b = for %i = %zero, %one init(%u=%y) -> ({type_}) {{
        %c = for %j = %n, %zero init(%v=%u) -> ({type_}) {{ yield (%x) }}
        yield (%c)
      }}
      store %a, %r[%zero]
      store %b, %r[%one]"""
    return Case(f"{type_}-untripped", {"n": ("index", 3), "x": (type_, number(4, type_)), "r": log(type_, 2)}, body)


CARRIED = [Batch("carried", [carried_case(type_), untripped_case(type_)]) for type_ in TYPES]


@pytest.mark.at_most(1)
@each_way(CARRIED, STRATEGIES)
def test_carried_values(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


NESTED_LOOPS = Case(
    "nested",
    {"n": ("i16", 5), "r": ("memref<i64x2>", zeros("i64", 2)), "s": ("memref<i8x1>", zeros("i8", 1))},
    """
      %z = constant 0 : i16
      %z8 = constant 0 : i8
      %c100 = constant 100 : i8
      %z64 = constant 0 : i64
      %one64 = constant 1 : i64
      %i0 = constant 0 : index
      %i1 = constant 1 : index
      %s0, %t0, %w0 = for %i: i16 = %z, %n init(%a=%z64, %b=%one64, %c=%z8) -> (i64, i64, i8) {
        %d, %e, %f = for %j: i16 = %i, %n init(%g=%b, %h=%a, %k=%c) -> (i64, i64, i8) {
          %x = cast %j : i64
          %y = arith.add %g, %x : i64
          %small = cast %j : i8
          %over = arith.add %small, %c100 : i8
          %sum = arith.add %k, %over : i8
          %odd = arith.rem %small, %c100 : i8
          %is = cmp.gt %sum, %odd : bool
          %p, %q = if %is -> (i64, i64) { yield (%h, %y) } else {
            %neg = arith.neg %y : i64
            yield (%neg, %h)
          }
          yield (%p, %q, %sum)
        }
        yield (%e, %d, %f)
      }
      store %s0, %r[%i0]
      store %t0, %r[%i1]
      store %w0, %s[%i0]""",
)
FIBONACCI = Case(
    "fibonacci",
    {"r": log("i64", 2)},
    """
      %from = constant 2 : i32
      %to = constant 60 : i32
      %f0 = constant 0 : i64
      %f1 = constant 1 : i64
      %fn_1, %fn = for %n:i32=%from,%to init(%fn_2=%f0,%fn_1=%f1) -> (i64,i64) {
        %fn = arith.add %fn_2, %fn_1 : i64
        yield (%fn_1, %fn)
      }
      %i0 = constant 0 : index
      %i1 = constant 1 : index
      store %fn_1, %r[%i0]
      store %fn, %r[%i1]""",
)
ROTATION = Case(
    "rotation of four values",
    {"n": ("i32", 6), "r": log("f64", 4)},
    """
      %z = constant 0 : i32
      %a = constant 1.0 : f64
      %b = constant 2.0 : f64
      %c = constant 3.0 : f64
      %d = constant 4.0 : f64
      %e, %f, %g, %h = for %i: i32 = %z, %n init(%u=%a, %v=%b, %w=%c, %x=%d) -> (f64, f64, f64, f64) {
        yield (%v, %w, %x, %u)
      }
      %i0 = constant 0 : index
      %i1 = constant 1 : index
      %i2 = constant 2 : index
      %i3 = constant 3 : index
      store %e, %r[%i0]
      store %f, %r[%i1]
      store %g, %r[%i2]
      store %h, %r[%i3]""",
)
DEPTH = 14


def deep_case() -> Case:
    """Loops and branches within one another."""
    head = "".join(f"for %i{k} = %zero, %one {{ %c{k} = cmp.le %i{k}, %zero : bool if %c{k} {{\n" for k in range(DEPTH))
    body = f"""
      %zero = constant 0 : index
      %one = constant 1 : index
      {head} store %one, %r[%i0] {"} }" * DEPTH}"""
    return Case("deep", {"r": log("index", 1)}, body)


OTHER_LOOPS = [Batch("loops", [NESTED_LOOPS, FIBONACCI, ROTATION]), Batch("loops", [deep_case()])]


@pytest.mark.at_most(1)
@each_way(OTHER_LOOPS, STRATEGIES)
def test_other_loops(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


# If.


def if_case(type_: str) -> Case:
    """Yields of values and constants, in one branch and within another; in a collective and an SPMD region."""
    choice = f"""
        %c{{0}} = cmp.lt {{1}}, %three : bool
        %d{{0}} = cmp.eq {{1}}, %one : bool
        %a{{0}}, %b{{0}} = if %c{{0}} -> ({type_}, {type_}) {{{{
          %e{{0}}, %f{{0}} = if %d{{0}} -> ({type_}, bool) {{{{
            %g{{0}} = arith.sub %y, %x : {type_}
            yield (%g{{0}}, %true)
          }}}} else {{{{
            yield (%x, %c{{0}})
          }}}}
          %h{{0}} = if %f{{0}} -> ({type_}) {{{{ yield (%two) }}}} else {{{{ yield (%y) }}}}
          yield (%e{{0}}, %h{{0}})
        }}}} else {{{{
          yield (%y, %x)
        }}}}
        if %d{{0}} {{{{ store %two, %{{2}}[{{1}}, %none] }}}} else {{{{ store %b{{0}}, %{{2}}[{{1}}, %none] }}}}
        if %d{{0}} {{{{ }}}} else {{{{ }}}}
        if %d{{0}} {{{{ store %x, %{{2}}[{{1}}, %one] }}}}
        store %a{{0}}, %{{2}}[{{1}}, %two_index]"""
    body = f"""
      %none = constant 0 : index
      %one = constant 1 : index
      %two_index = constant 2 : index
      %three = constant 3 : index
      %true = constant true : bool
      {constant("two", number(2, type_), type_)}
      foreach (%i) = (%none), (%n) {{ {choice.format("S", "%i", "r")} }}
      for %k = %none, %n {{ {choice.format("C", "%k", "s")} }}"""
    outputs = {name: (f"memref<{type_}x5x3>", zeros(type_, 5, 3)) for name in "rs"}
    scalars = {"x": (type_, number(1, type_)), "y": (type_, number(7, type_)), "n": ("index", 5)}
    return Case(type_, {**scalars, **outputs}, body)


IFS = [Batch("if", [if_case(type_)]) for type_ in TYPES]


@pytest.mark.at_most(1)
@each_way(IFS, STRATEGIES)
def test_if(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


# Foreach, parallel, barrier.


def foreach_case(type_: str, number: int, dynamic: bool) -> Case:
    """Each point counts itself at its place."""
    bounds = foreach_bounds(type_)[number]
    order = len(bounds)
    parameters: dict = {}
    lines = ""
    for mode, pair in enumerate(bounds):
        for name, value in zip(("from", "to"), pair):
            if dynamic:
                parameters[f"{name}{mode}"] = (type_, value)
            else:
                lines += constant(f"{name}{mode}", value, type_)
    shape = [12] * order
    parameters["r"] = (f"memref<i32{'x12' * order}>", zeros("i32", *shape))
    names = [f"%i{mode}" for mode in range(order)]
    casts = "".join(
        f"%m{mode} = arith.sub %i{mode}, %from{mode} : {type_} %j{mode} = cast %m{mode} : index\n"
        for mode in range(order)
    )
    start, stop = (", ".join(f"%{name}{mode}" for mode in range(order)) for name in ("from", "to"))
    body = f"""{lines}
      %one = constant 1 : i32
      foreach ({", ".join(names)}): {type_} = ({start}), ({stop}) {{
        {casts}
        store.atomic_add %one, %r[{", ".join(f"%j{mode}" for mode in range(order))}]
      }}"""
    shown = "x".join(f"({a},{b})" for a, b in bounds)
    axes = (type_, number, dynamic)
    return Case(f"{type_}-{shown}-{'dynamic' if dynamic else 'static'}", parameters, body, axes=axes)


def foreach_bounds(type_: str) -> list[list[tuple[int, int]]]:
    most = 2 ** (BITS[type_] - 1) - 1
    return [
        *([(0, 7)], [(3, 11)], [(5, 5)], [(5, 2)], [(-4, 3)], [(most - 6, most)], [(-most, -most + 9)]),
        *([(0, 5), (0, 3)], [(2, 9), (-3, 4)], [(0, 0), (0, 4)], [(0, -2), (0, -3)], [(4, 1), (3, 1)]),
        *([(0, 2), (1, 5), (0, 3)], [(1, 4), (-2, 3), (5, 7)], [(0, 3), (2, 2), (0, 3)], [(3, 0), (2, 0), (0, 3)]),
    ]


FOREACH = [
    batch
    for type_ in INTEGERS
    for dynamic in (False, True)
    for batch in batches("foreach", [foreach_case(type_, k, dynamic) for k in range(len(foreach_bounds(type_)))], 5)
]


@pytest.mark.at_most(1)
@each_way(FOREACH, STRATEGIES)
def test_foreach(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


PARALLEL = Case(
    "parallel, barrier, local memory",
    {"a": ("memref<f32x37>", np.arange(37, dtype=np.float32)), "r": ("memref<f32x37x3x?>", zeros("f32", 37, 3, 5))},
    """
      %t = alloca : memref<f32x37,local>
      %zero = constant 0 : index
      %one = constant 1 : index
      %two = constant 2 : index
      %last = constant 36 : index
      %g = group_id : index
      %n = constant 37 : index
      foreach (%i) = (%zero), (%n) {
        %x = load %a[%i] : f32
        store %x, %t[%i]
      }
      foreach (%i) = (%zero), (%n) {
        %j = arith.sub %last, %i : index
        %x = load %t[%j] : f32
        store %x, %r[%i, %zero, %g]
      }
      parallel {
        %x = load %t[%last] : f32
        barrier.local
        store.atomic %x, %t[%zero]
        barrier.global.local
        %y = load %t[%zero] : f32
        store.atomic %y, %r[%zero, %one, %g]
        for %i = %zero, %n {
          store.atomic %y, %r[%i, %two, %g]
          barrier.global
        }
        barrier
      }""",
)
SUMS = Case(
    "allocas of a loop, sums over the work-items",
    {"n": ("index", 4), "r": log("i64", 8)},
    """
      %zero = constant 0 : index
      %eight = constant 8 : index
      %one = constant 1 : i64
      %none = constant 0 : i64
      for %k = %zero, %n {
        %t = alloca : memref<i64x8,local>
        foreach (%i) = (%zero), (%eight) { %v = cast %i : i64 store %v, %t[%i] }
        parallel { store.atomic_add %one, %t[%k] }
        store.atomic_add %one, %t[%zero]
        foreach (%i) = (%zero), (%eight) {
          %v = load %t[%i] : i64
          store.atomic_add %v, %r[%i]
        }
        %u = alloca : memref<i64x1,local>
        parallel { store.atomic %none, %u[%zero] }
        parallel { store.atomic_add %one, %u[%zero] }
        %s = load %u[%zero] : i64
        foreach (%i) = (%zero), (%eight) { store.atomic_add %s, %r[%i] }
      }""",
)
BUILTINS = Case(
    "group_id, group_size, num_subgroups, subgroup_size",
    {
        "r": ("memref<indexx5x2>", zeros("index", 5, 2)),
        "s": ("memref<indexx2>", zeros("index", 2)),
        "q": ("memref<i32x5x2>", zeros("i32", 5, 2)),
    },
    """
      %zero = constant 0 : index
      %one = constant 1 : index
      %g = builtin.group_id : index
      %n = builtin.group_size : index
      store %g, %r[%g, %zero]
      %count = builtin.num_subgroups : i32
      store %count, %q[%g, %zero]
      parallel {
        %size = builtin.subgroup_size : i32
        store.atomic %size, %q[%g, %one]
        %h = builtin.group_id : index
        %m = builtin.group_size : index
        store.atomic %m, %r[%h, %one]
        store.atomic %m, %s[%one]
      }
      foreach (%i) = (%zero), (%n) { store.atomic_add %i, %s[%zero] }""",
)
GROUP_ATTRIBUTES = {
    "": "",
    "subgroup_size=16": "subgroup_size=16",
    "work_group_size=[32,2]": "work_group_size=[32,2]",
    "subgroup_size=8,work_group_size=[8,3]": "subgroup_size=8, work_group_size=[8,3]",
}
ALONE = "work_group_size=[1,1]"
"""One work-item, which is a sub-group that no device has."""
REGIONS = [
    Batch(name or "default", [PARALLEL, SUMS, BUILTINS], groups=5, attributes=attributes)
    for name, attributes in GROUP_ATTRIBUTES.items()
]


@pytest.mark.at_most(1)
@each_way(REGIONS, STRATEGIES)
def test_regions(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


@each_way([Batch(ALONE, [PARALLEL, SUMS, BUILTINS], groups=5, attributes=ALONE)], ["one-item"])
def test_regions_of_one_work_item(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


@NEEDS_SYCL
def test_a_sub_group_of_one_is_refused_where_its_work_items_exchange_numbers() -> None:
    text = f"""func @f(%r: memref<i32x1>) attributes{{{ALONE}}} {{ parallel {{
      %one = constant 1 : i32
      %sum = subgroup_add.reduce %one : i32
      %zero = constant 0 : index
      store.atomic %sum, %r[%zero]
    }} }}"""
    kernel = pytl.compile(text)["f"]
    for way in STRATEGIES:
        with pytest.raises(pytl.LaunchError, match=r"PYTL-2015.*has 1 rows"):
            kernel[1, {"strategy": way}](np.zeros(1, np.int32))


# What a kernel may be called, and how little may be in it.

EMPTY = {
    "no instruction": "",
    "constant": "%x = constant 1.0 : f32",
    "parallel": "parallel { }",
    "parallel with a barrier": "parallel { barrier.global.local }",
    "barrier": "barrier",
    "foreach": "%z = constant 0 : index foreach (%i, %j) = (%z, %z), (%z, %z) { }",
    "for": "%z = constant 0 : index %o = constant 3 : index for %i = %z, %o { }",
    "if": "%c = constant true : bool if %c { } else { }",
    "if of a parameter": "if %flag { } else { }",
    "alloca": "%t = alloca : memref<f64x3,local>",
    "alloca and its end": "%t = alloca : memref<f64x3,local> lifetime_stop %t",
    "subview": "%v = subview %a[0:2] : memref<f32x2>",
    "unused load": "%z = constant 0 : index %x = load %a[%z] : f32",
}
EMPTY_BATCHES = [
    Batch("empty", [Case(name, {"flag": ("bool", True), "a": ("memref<f32x4>", np.ones(4, np.float32))}, body)])
    for name, body in EMPTY.items()
]


@each_way(EMPTY_BATCHES, STRATEGIES)
def test_empty(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


def launch(text: str, name: str, way: str, *arguments: object) -> list:
    """The arguments after a run of a function of a text on both backends, those of sycl last."""
    kernel = pytl.compile(text)[name]
    results = []
    for backend, options in (("reference", {}), ("sycl", {"strategy": way})):
        given = [clone(argument) for argument in arguments]
        kernel[1, options](*given, backend=backend)
        results.append(given)
    return results


@pytest.mark.parametrize("way", STRATEGIES)
def test_no_parameters(way: str) -> None:
    expected, actual = launch("func @f() { }", "f", way)
    assert actual == expected == []


@pytest.mark.at_most(1)
@pytest.mark.parametrize("way", STRATEGIES)
@pytest.mark.parametrize("name", ["f", "12", "lambda", "item", "range", "stack", "match", "int", "group_id", "A_array"])
def test_names_of_functions(name: str, way: str) -> None:
    text = f"func @{name}(%A: memref<f32x2>) {{ %0 = constant 2.0 : f32 axpby.n %0, %A, %0, %A }}"
    expected, actual = launch(text, name, way, np.ones(2, np.float32))
    np.testing.assert_array_equal(actual[0], expected[0])


NAMES = [
    "item",
    "lambda",
    "range",
    "fma",
    "stack",
    "None",
    "A",
    "A_array",
    "A_stride0",
    "sum",
    "point",
    "0",
    "17",
    "p0",
]


@pytest.mark.at_night
@pytest.mark.parametrize("way", STRATEGIES)
def test_names_of_parameters(way: str) -> None:
    parameters = ", ".join(f"%{name}: memref<f32x?x?,strided<?,?>>" for name in NAMES)
    body = "\n".join(
        f"foreach (%i{n}, %max{n}) = (%zero, %zero), (%two, %two) {{"
        f" %x{n} = load %{name}[%i{n}, %max{n}] : f32 store.atomic_add %x{n}, %{NAMES[n - 1]}[%max{n}, %i{n}] }}"
        for n, name in enumerate(NAMES)
    )
    text = f"func @f({parameters}) {{ %zero = constant 0 : index %two = constant 2 : index {body} }}"
    arrays = [np.full((2, 2), n, np.float32, order="F") for n in range(len(NAMES))]
    expected, actual = launch(text, "f", way, *arrays)
    for a, b in zip(actual, expected, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.at_most(2)
@pytest.mark.parametrize("way", STRATEGIES)
@pytest.mark.parametrize("type_", TYPES)
def test_unused_parameters(type_: str, way: str) -> None:
    parameters = f"%0: {type_}, %a: memref<{type_}x?>, %b: group<memref<{type_}x?>x?>, %1: bool, %r: memref<i8x1>"
    text = f"""func @f({parameters}) {{
      %z = constant 0 : index %x = constant 5 : i8 store %x, %r[%z] }}"""
    array = np.zeros(3, DTYPES[type_])
    given = (number(1, type_), array, [array, array[:2]], True, np.zeros(1, np.int8))
    expected, actual = launch(text, "f", way, *given)
    assert actual[4][0] == expected[4][0] == 5
