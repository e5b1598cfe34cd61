"""Data races between work-groups, and through memory that arguments share; the state that races are found with."""

from __future__ import annotations

from random import Random
from textwrap import indent

import numpy as np
import pytest
from races_kit import GROUPS, ITEMS, PREAMBLE, arguments, kernel, race
from reference_kit import DTYPES, failure, run

import pytl
from pytl.backends.reference import GroupView, MemrefView, execute
from pytl.backends.reference.shadow import CONFLICTING, Area, History, Scattered
from pytl.diagnostics import ExecutionError

# Work-groups.

OF_GROUPS = {
    "%x = load %r[%0] : i32": "read",
    "store %c, %r[%0]": "written",
    "store.atomic %c, %r[%0]": "updated atomically",
    "store.atomic_add %c, %r[%0]": "updated atomically",
    "axpby.n %c, %r, %c, %t": "read",
    "axpby.n %c, %t, %c, %r": "written",
    "axpby.n.atomic %c, %t, %c, %r": "updated atomically",
    "parallel { %x = load %r[%0] : i32 }": "read",
    "foreach (%i) = (%0), (%n) { store %c, %r[%i] }": "written",
    "parallel { store.atomic_add %c, %r[%0] }": "updated atomically",
}


@pytest.mark.parametrize("first", OF_GROUPS)
@pytest.mark.parametrize("second", OF_GROUPS)
def test_two_work_groups(first: str, second: str) -> None:
    """The first work-group does one thing, the others another."""
    text = f"""func @f(%r: memref<i32x16>) {{
      {indent(PREAMBLE, "  ")}
      %z = cmp.eq %g, %0 : bool
      if %z {{
        {first}
      }} else {{
        {second}
      }}
    }}"""
    before, now = OF_GROUPS[first], OF_GROUPS[second]
    if {before, now} in ({"read"}, {"updated atomically"}):
        run(text, np.zeros(16, np.int32), groups=2)
        return
    line, other, message = race(text, GROUPS, 2, np.zeros(16, np.int32))
    assert (line, other) == (14, 12)
    assert f"element (0) of %r is {now} here and {before} by work-group 0, in no order (work-group 1" in message
    run(text, np.zeros(16, np.int32), groups=1)


def test_barriers_do_not_order_work_groups() -> None:
    barriers = "barrier.global.local\nparallel { barrier.global.local }\n"
    text = kernel(f"{barriers}store %c, %r[%g]\n{barriers}%x = load %r[%0] : i32\n{barriers}")
    run(text, *arguments())
    line, other, message = race(text, GROUPS, 3)
    assert (line, other) == (6, 3)
    assert message == "load: element (0) of %r is read here and written by work-group 0, in no order (work-group 1)"


def test_a_reader_of_an_earlier_work_group_is_remembered() -> None:
    text = kernel(
        """\
        %2 = constant 2 : index
        %x = load %r[%0] : i32
        %y = load %r[%0] : i32
        %z = cmp.eq %g, %2 : bool
        if %z { store %c, %r[%0] }"""
    )
    line, other, message = race(text, GROUPS, 3)
    assert (line, other) == (5, 3)
    assert message.endswith("is written here and read by work-group 1, in no order (work-group 2)")


def test_work_groups_with_elements_of_their_own() -> None:
    text = kernel(
        """\
        %m = load %h[%g] : memref<i32x16>
        %v = subview %s[:, %g] : memref<i32x16>
        axpby.n %c, %t, %c, %v
        axpby.n %c, %v, %c, %m
        axpby.n %c, %r, %c, %v
        parallel {
          %l = builtin.subgroup_local_id : i32
          %i = cast %l : index
          %x = load %v[%i] : i32
          store %x, %s[%i, %g]
          store.atomic %x, %m[%i]
        }
        store %c, %t[%0]
        %y = load %t[%0] : i32"""
    )
    own = [np.zeros(16, np.int32), np.zeros((16, 5), np.int32, order="F"), [np.zeros(16, np.int32) for _ in range(5)]]
    run(text, *own, groups=5)
    message = race(text, GROUPS, 5)[2]
    assert "element (0) of %m is written here and written by work-group 0" in message


# Memory that arguments share.


def test_arguments_that_overlap() -> None:
    text = """func @f(%a: memref<i32x4>, %b: memref<i32x4>) {
      %0 = constant 0 : index
      %n = constant 4 : index
      foreach (%i) = (%0), (%n) {
        %x = load %a[%i] : i32
        store %x, %b[%i]
      }
    }"""
    f = pytl.compile(text)["f"]
    memory = np.zeros(9, np.int32)
    f[1](memory[:4], memory[:4], backend="reference")
    f[1](memory[:4], memory[4:8], backend="reference")
    with pytest.raises(ExecutionError) as caught:
        f[1](memory[:4], memory[2:6], backend="reference")
    assert "element (0) of %b is written here and read by iteration (2), in no order" in str(caught.value)
    with pytest.raises(ExecutionError) as caught:
        f[2](memory[:4], memory[4:8], backend="reference")
    assert caught.value.code == GROUPS


def test_arguments_that_interleave() -> None:
    text = """func @f(%a: memref<i32x4,strided<2>>, %b: memref<i32x4,strided<2>>) {
      %0 = constant 0 : index
      %n = constant 4 : index
      foreach (%i) = (%0), (%n) {
        %x = load %a[%0] : i32
        store %x, %b[%i]
      }
    }"""
    memory = np.zeros(9, np.int32)
    run(text, memory[0:8:2], memory[1:9:2])
    assert "read by" in race(text, ITEMS, 1, memory[0:8:2], memory[0:8:2])[2]


@pytest.mark.parametrize(("at", "element"), [(0, None), (6, "(1)"), (8, "(0)"), (22, "(0)"), (24, None)])
def test_arguments_of_different_types_that_overlap(at: int, element: str | None) -> None:
    """One work-group writes the bytes from 8 to 24 as i64, another reads four bytes as i16."""
    text = """func @f(%a: memref<i64x2>, %b: memref<i16x2>) {
      %0 = constant 0 : index
      %1 = constant 1 : index
      %v = constant 1 : i64
      %g = group_id : index
      %z = cmp.eq %g, %0 : bool
      if %z {
        store %v, %a[%1]
        store %v, %a[%0]
      } else {
        %x = load %b[%0] : i16
        %y = load %b[%1] : i16
      }
    }"""
    module = pytl.parse(text, "kernel.tl")
    pytl.verify(module)
    memory = np.zeros(32, np.uint8)
    longs, shorts = memory[8:24].view(np.int64), memory[at : at + 4].view(np.int16)
    given = [MemrefView(longs, 0, (2,), (1,)), MemrefView(shorts, 0, (2,), (1,))]
    if element is None:
        execute(module.functions[0], given, 2)
        return
    with pytest.raises(ExecutionError) as caught:
        execute(module.functions[0], given, 2)
    (found,) = caught.value.diagnostics
    assert found.message == (
        f"load: element {element} of %b is read here and written by work-group 0, in no order (work-group 1)"
    )
    assert found.labels[0].location.line == (8 if at > 16 else 9)


@pytest.mark.parametrize("type_", DTYPES)
def test_every_element_type(type_: str) -> None:
    text = f"""func @f(%a: memref<{type_}x8>, %r: memref<{type_}x8>) {{
      %0 = constant 0 : index
      %n = constant 8 : index
      foreach (%i) = (%0), (%n) {{ %x = load %a[%i] : {type_} store %x, %r[%i] }}
      foreach (%i) = (%0), (%n) {{ %x = load %a[%i] : {type_} store %x, %r[%0] }}
    }}"""
    failure(text, np.zeros(8, DTYPES[type_]), np.zeros(8, DTYPES[type_]), code=ITEMS, line=5)


def test_large_groups_and_empty_memory() -> None:
    text = """func @f(%h: group<memref<i32x?>x?>) {
      %g = group_id : index
      %0 = constant 0 : index
      %m = load %h[%g] : memref<i32x?>
      axpby.n %c, %m, %c, %m
    }""".replace("%g =", "%c = constant 2 : i32\n      %g =", 1)
    items = [np.ones(k % 3, np.int32) for k in range(50)]
    run(text, items, groups=50)
    assert all((item == 4).all() for item in items)
    run(text, [], groups=0)


def test_groups_of_memrefs_in_one_buffer() -> None:
    text = """func @f(%h: group<memref<i32x2>x?>) {
      %g = group_id : index
      %0 = constant 0 : index
      %c = constant 1 : i32
      %m = load %h[%g] : memref<i32x2>
      store %c, %m[%0]
    }"""
    module = pytl.parse(text, "kernel.tl")
    pytl.verify(module)
    buffer = np.zeros(6, np.int32)
    execute(module.functions[0], [GroupView.alike([(buffer, 0), (buffer, 1), (buffer, 2)], (2,), (1,))], 3)
    with pytest.raises(ExecutionError) as caught:
        execute(module.functions[0], [GroupView.alike([(buffer, 0), (buffer, 1), (buffer, 0)], (2,), (1,))], 3)
    assert caught.value.code == GROUPS


# The state that races are found with, against the plain definition.


def test_history_against_the_definition() -> None:
    """Random accesses: a race is found just where the list of all accesses so far has one."""
    function = pytl.parse("func @f(%r: memref<i32>) { %v = load %r[] : i32 store %v, %r[] }").functions[0]
    load, store = function.body.operations
    found = 0
    for seed in range(300):
        random = Random(seed)
        shared = seed % 2 == 0
        history = History(function, 3 if shared else 1)
        clock = history.clocks["global"]
        area = Area(4, clock)
        past: list[tuple[int, int, int, int, str]] = []
        epoch = group = 0
        history.begin_group()
        for _ in range(40):
            what = random.randrange(12)
            if what == 0 and shared:
                history.begin_group()
                group, epoch = group + 1, epoch + 1
            if what <= 3:
                history.begin_region(5, 0, str)
                epoch += 1
            if what == 4:
                history.fence("global")
                epoch += 1
            if clock.agents == 1:
                continue
            access = random.choice(["read", "read", "atomic", "write"])
            agents = np.array(random.sample(range(5), random.randrange(1, 4)))
            elements = np.array([random.randrange(4) for _ in agents])
            now = [(int(e), group, epoch, int(a), access) for e, a in zip(elements, agents, strict=True)]
            expected = any(_is_race(x, y) for k, x in enumerate(now) for y in [*past, *now[:k]])
            stamps = history.stamps(clock, agents, load if access == "read" else store)
            result = area.access(access, Scattered(elements), stamps, clock.epoch + history.agents * history.unit)
            assert (result is not None) == expected
            if result is not None:
                found += 1
                place = now[result.at]
                by = (result.stamp - clock.epoch) // history.unit
                assert any(
                    _is_race(place, y) and y[4] == result.other and (y[1] != group or y[3] == by) for y in [*past, *now]
                )
                break
            past += now
    assert found > 100


def _is_race(a: tuple[int, int, int, int, str], b: tuple[int, int, int, int, str]) -> bool:
    (place, group, epoch, agent, access), (other_place, other_group, other_epoch, other_agent, other) = a, b
    ordered = group == other_group and (epoch != other_epoch or agent == other_agent)
    return place == other_place and not ordered and other in CONFLICTING[access]  # type: ignore[index]
