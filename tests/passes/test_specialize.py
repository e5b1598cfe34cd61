"""specialize: which sizes decide, what becomes static with them, and that it means what it meant."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from generator import SEEDS, generate
from hypothesis import given, settings
from hypothesis import strategies as st
from passes_kit import after, checked, lines
from properties.execution import data_for, differences, execute

import pytl
from pytl.ir.types import DYNAMIC, MemrefType
from pytl.ir.values import Function, Module
from pytl.launch.binding import bound_to
from pytl.launch.signature import parameters_of
from pytl.launch.variants import types_for
from pytl.ops import Update
from pytl.passes import find_pass
from pytl.passes.sizes import deciding_modes
from pytl.passes.specialize import specialized

GROUPS = 1
MATRICES = "%a: memref<f32x?x?>, %b: memref<f32x?x?>, %c: memref<f32x?x?>"
VECTORS = "%x: memref<f32x?>, %y: memref<f32x?>, %z: memref<f32x?>"
BATCH = "%g: group<memref<f32x?x?>x?>, %p: memref<f32x?x?x?>, %q: memref<f32x?x?x?,strided<1,?,?>>"


def function_of(parameters: str, body: str) -> str:
    head = "%i = builtin.group_id : index %s = constant 2.0 : f32 %t = constant -1.0 : f32 %0 = constant 0 : index"
    return f"func @f({parameters}) {{ {head}\n{body}\n}}"


def specialized_for(text: str, data: list[Any]) -> Function | None:
    """The function of a text for the sizes of arguments; None where it stays as it is."""
    function = checked(text).functions[0]
    arguments = bound_to(parameters_of(function), data)
    types = types_for(function, deciding_modes(function), arguments)
    if types is None:
        return None
    made = specialized(function, types)
    assert made is not None, "the sizes contradict each other"
    printed = str(made)
    assert str(pytl.parse(printed).functions[0]) == printed
    return made


def check(text: str, sizes: dict[str, int]) -> Function:
    """Specialize for random arrays of these sizes, and compare what is left in memory with what the text leaves."""
    data = data_for(checked(text).functions[0], 0, GROUPS, sizes)
    made = specialized_for(text, data)
    assert made is not None
    assert not differences(execute(Module([made]), data, GROUPS), execute(checked(text), data, GROUPS))
    return made


def is_static(made: Function) -> bool:
    """Whether nothing that collective instructions work on has a dynamic mode or stride."""
    values = [getattr(op, name) for op in made.walk() if isinstance(op, Update) for name in op.reads]
    return bool(values) and all(value.type.is_static for value in values)


# Every collective instruction, with every transpose.

COLLECTIVES = {
    **{f"axpby.{t}": (MATRICES, f"axpby.{t} %s, %a, %t, %b", {"": 3}) for t in "nt"},
    "axpby of vectors": (VECTORS, "axpby.n %s, %x, %t, %y", {"": 5}),
    **{
        f"gemm.{ta}.{tb}": (
            MATRICES,
            f"gemm.{ta}.{tb} %s, %a, %b, %t, %c",
            {"a.0": 2 if ta == "n" else 3, "a.1": 3 if ta == "n" else 2}
            | {"b.0": 3 if tb == "n" else 4, "b.1": 4 if tb == "n" else 3, "c.0": 2, "c.1": 4},
        )
        for ta in "nt"
        for tb in "nt"
    },
    "gemv.n": (f"{MATRICES}, {VECTORS}", "gemv.n %s, %a, %x, %t, %y", {"a.0": 2, "a.1": 3, "x": 3, "y": 2, "": 1}),
    "gemv.t": (f"{MATRICES}, {VECTORS}", "gemv.t %s, %a, %x, %t, %y", {"a.0": 3, "a.1": 2, "x": 3, "y": 2, "": 1}),
    "ger": (f"{MATRICES}, {VECTORS}", "ger %s, %x, %y, %t, %a", {"a.0": 2, "a.1": 3, "x": 2, "y": 3, "": 1}),
    "hadamard": (MATRICES, "hadamard %s, %a, %b, %t, %c", {"": 3}),
    "sum.n": (f"{MATRICES}, {VECTORS}", "sum.n %s, %a, %t, %x", {"a.0": 2, "a.1": 3, "x": 2, "": 1}),
    "sum.t": (f"{MATRICES}, {VECTORS}", "sum.t %s, %a, %t, %x", {"a.0": 3, "a.1": 2, "x": 2, "": 1}),
    "sum of a vector": ("%x: memref<f32x?>, %r: memref<f32>", "sum.n %s, %x, %t, %r", {"": 4}),
    "cumsum": (MATRICES, "cumsum %s, %a, 1, %t, %b", {"": 3}),
    "atomic": (MATRICES, "%one = constant 1.0 : f32 axpby.n.atomic %s, %a, %one, %b", {"": 3}),
}


@pytest.mark.parametrize(("parameters", "body", "sizes"), COLLECTIVES.values(), ids=COLLECTIVES)
def test_collective_instructions(parameters: str, body: str, sizes: dict[str, int]) -> None:
    assert is_static(check(function_of(parameters, body), sizes))


def test_every_collective_instruction_says_which_sizes_are_equal() -> None:
    """By its rules; without that, nothing would be said of dynamic operands beside static ones."""
    found = {}
    for parameters, body, _ in COLLECTIVES.values():
        for op in checked(function_of(parameters, body)).functions[0].walk():
            if isinstance(op, Update):
                found.setdefault(op.word, []).append(list(op.equal_modes()))
    assert found["gemm.n.t" if "gemm.n.t" in found else "gemm"][1] == [
        [("A", 1), ("B", 1)],
        [("C", 0), ("A", 0)],
        [("C", 1), ("B", 0)],
    ]
    assert found["axpby"][1] == [[("B", 0), ("A", 1)], [("B", 1), ("A", 0)]]
    assert found["hadamard"] == [[[("A", 0), ("B", 0), ("C", 0)], [("A", 1), ("B", 1), ("C", 1)]]]
    assert found["sum"][2] == []
    named = {cls.mnemonic for cls in Update.__subclasses__() if cls.mnemonic}
    assert named == set(found)


# Every view.

VIEWS = {
    "subview": (
        BATCH,
        """%m = size %p[0] : index %n = size %p[1] : index
        %v = subview %p[0:%m, 0:%n, %i] : memref<f32x?x?,strided<1,?>>
        %w = subview %q[0:%m, 0:%n, %i] : memref<f32x?x?,strided<1,?>> axpby.n %s, %v, %t, %w""",
        {"g": 1, "p.2": 2, "q.2": 2, "p.0": 3, "p.1": 4, "q.0": 3, "q.1": 4},
    ),
    "a part whose size is computed": (
        VECTORS,
        """%n = size %x[0] : index %two = constant 2 : index %h = arith.div %n, %two : index
        %v = subview %x[0:%h] : memref<f32x?> %w = subview %y[%h:%h] : memref<f32x?> axpby.n %s, %v, %t, %w""",
        {"": 6},
    ),
    "a part whose size is chosen": (
        VECTORS,
        """%n = size %x[0] : index %four = constant 4 : index %is = cmp.lt %n, %four : bool
        %h = if %is -> (index) { yield (%n) } else { yield (%four) }
        %v = subview %x[0:%h] : memref<f32x?> %w = subview %y[0:%h] : memref<f32x?> axpby.n %s, %v, %t, %w""",
        {"": 6},
    ),
    "load of a group": (
        BATCH,
        "%v = load %g[%i] : memref<f32x?x?> axpby.n %s, %v, %t, %v",
        {"g": 3, "": 2},
    ),
    "expand": (
        VECTORS,
        """%n = size %x[0] : index %two = constant 2 : index %h = arith.div %n, %two : index
        %v = expand %x[0 -> 2 x %h] : memref<f32x2x?> %w = expand %y[0 -> 2 x %h] : memref<f32x2x?>
        axpby.n %s, %v, %t, %w""",
        {"": 6},
    ),
    "fuse": (
        MATRICES,
        """%v = fuse %a[0, 1] : memref<f32x?> %w = fuse %b[0, 1] : memref<f32x?>
        %n = size %v[0] : index %u = subview %w[0:%n] : memref<f32x?> axpby.n %s, %v, %t, %u""",
        {"": 3},
    ),
    "views on views": (
        f"{BATCH}, {MATRICES}",
        """%m = size %p[0] : index %n = size %p[1] : index %k = size %p[2] : index
        %v = subview %p[0:%m, 0:%n, %0] : memref<f32x?x?,strided<1,?>>
        %f = fuse %a[0, 1] : memref<f32x?>
        %e = expand %f[0 -> %m x %n] : memref<f32x?x?>
        %h = subview %e[%0:%m, %0:%n] : memref<f32x?x?,strided<1,?>>
        axpby.n %s, %v, %t, %h""",
        {"g": 1, "p.0": 3, "p.1": 4, "": 1, "a.0": 4, "a.1": 3},
    ),
}


@pytest.mark.parametrize(("parameters", "body", "sizes"), VIEWS.values(), ids=VIEWS)
def test_views(parameters: str, body: str, sizes: dict[str, int]) -> None:
    assert is_static(check(function_of(parameters, body), sizes))


# What decides, and what does not.


def deciding(parameters: str, body: str) -> dict[str, list[int]]:
    found = deciding_modes(checked(function_of(parameters, body)).functions[0])
    return {parameter.name: sorted(modes) for parameter, modes in found.items()}


def test_the_mode_of_a_batch_does_not_decide() -> None:
    body = """%m = size %p[0] : index %n = size %p[1] : index
        %v = subview %p[0:%m, 0:%n, %i] : memref<f32x?x?,strided<1,?>>
        %w = load %g[%i] : memref<f32x?x?> axpby.n %s, %v, %t, %w"""
    assert deciding(BATCH, body) == {"g": [0, 1], "p": [0, 1]}
    made = check(function_of(BATCH, body), {"": 2, "p.0": 3, "p.1": 4, "g.0": 3, "g.1": 4})
    assert [str(p.type) for p in made.parameters[:2]] == ["group<memref<f32x3x4>x?>", "memref<f32x3x4x?>"]


def test_what_tiles_and_matrices_lie_in_decides() -> None:
    body = """parallel {
          %u = xetile.init_tile %a[%i, %i] : tile<f32x8x8> %m = xetile.load_tile %u : coopmatrix<f32x8x8,matrix_acc>
          cooperative_matrix_store.both_checked %m, %b[%i, %i]
        }"""
    assert deciding("%a: memref<f32x?x?>, %b: memref<f32x?x?>", body) == {"a": [0, 1], "b": [0, 1]}


def test_a_batch_that_is_walked_in_steps_does_not_decide() -> None:
    parameters = "%p: memref<f32x8x?>, %q: memref<f32x8x?>"
    body = """%n = size %p[1] : index %step = builtin.group_size : index
        for %k = %i, %n, %step {
          %v = subview %p[0:8, %k] : memref<f32x8> %w = subview %q[0:8, %k] : memref<f32x8> axpby.n %s, %v, %t, %w
        }"""
    assert deciding(parameters, body) == {"p": [], "q": []}
    data = data_for(checked(function_of(parameters, body)).functions[0], 0, 2, {"": 5})
    assert specialized_for(function_of(parameters, body), data) is None


def test_sizes_that_depend_on_more_than_sizes_do_not_decide() -> None:
    """The last block of rows may be shorter, and how long it is stays to be computed."""
    body = """%n = size %x[0] : index %four = constant 4 : index %b = arith.mul %i, %four : index
        %l = arith.sub %n, %b : index %h = arith.min %l, %four : index
        %v = subview %x[%b:%h] : memref<f32x?> %w = subview %y[%b:%h] : memref<f32x?> axpby.n %s, %v, %t, %w"""
    assert deciding(VECTORS, body) == {"x": [], "y": []}


def test_bounds_of_loops_decide() -> None:
    body = """%m = size %a[0] : index %n = size %a[1] : index %k = size %b[0] : index %j = size %c[0] : index
        foreach (%r, %c0) = (%0, %0), (%m, %n) { %v = load %a[%r, %c0] : f32 store %v, %b[%r, %c0] }
        for %l = %0, %k { store %s, %b[%l, %0] }
        %is = cmp.lt %i, %j : bool
        if %is { store %s, %b[%0, %0] }"""
    assert deciding(MATRICES, body) == {"a": [0, 1], "b": [0]}
    made = check(function_of(MATRICES, body), {"a.0": 2, "a.1": 3, "b.0": 4, "b.1": 3, "c": 2})
    # the stride of b follows from its first size, and a static second one would change nothing
    assert [str(p.type) for p in made.parameters] == ["memref<f32x2x3>", "memref<f32x4x?>", "memref<f32x?x?>"]


def test_strides_of_static_shapes_decide() -> None:
    parameters = "%a: memref<f32x3x2,strided<?,?>>, %b: memref<f32x3x2,strided<1,?>>"
    assert deciding(parameters, "axpby.n %s, %a, %t, %b") == {"a": [], "b": []}
    text = function_of(parameters, "axpby.n %s, %a, %t, %b")
    data = [np.zeros((4, 7), np.float32, order="F")[:3, :2], np.zeros((5, 2), np.float32, order="F")[:3]]
    made = specialized_for(text, data)
    assert made is not None
    assert [p.type.strides for p in made.parameters] == [(1, 4), (1, 5)]


def test_a_stride_behind_a_dynamic_mode_stays() -> None:
    """The mode in the middle counts the items, and the stride of the last one grows with it."""
    parameters = "%p: memref<f32x?x?x?>, %b: memref<f32x?x?>"
    body = """%m = size %p[0] : index %n = size %p[2] : index
        %v = subview %p[0:%m, %i, 0:%n] : memref<f32x?x?,strided<1,?>> axpby.n %s, %v, %t, %b"""
    made = check(function_of(parameters, body), {"p.0": 3, "p.1": 2, "p.2": 4, "b.0": 3, "b.1": 4})
    assert str(made.parameters[0].type) == "memref<f32x3x?x4>"


def test_long_and_empty_modes_stay() -> None:
    text = function_of(VECTORS, "axpby.n %s, %x, %t, %y")
    assert specialized_for(text, [np.zeros(n, np.float32) for n in (20_000, 20_000, 1)]) is None
    assert specialized_for(text, [np.zeros(n, np.float32) for n in (0, 0, 1)]) is None


def test_items_of_different_sizes_stay() -> None:
    text = function_of(BATCH, "%v = load %g[%i] : memref<f32x?x?> axpby.n %s, %v, %t, %v")
    batch = [np.zeros((1, 1, 2), np.float32, order="F")] * 2
    items = [np.zeros((2, n), np.float32, order="F") for n in (2, 3)]
    assert specialized_for(text, [items, *batch]) is None
    assert specialized_for(text, [items[:1] * 2, *batch]) is not None


# Operands beside static ones.


def test_a_size_that_is_passed_gets_the_one_that_it_must_be() -> None:
    """As the parameter's size is known, so is what the number must be."""
    body = "%v = subview %x[0:%n] : memref<f32x?> axpby.n %s, %v, %t, %y"
    text = function_of(f"%n: index, {VECTORS}", body)
    made = specialized_for(text, [3, *(np.zeros(n, np.float32) for n in (9, 3, 1))])
    assert made is not None
    assert lines(Module([made]))[-3:] == [
        "%v = subview %x[0:%n] : memref<f32x?>",
        "%0 = subview %v[0:3] : memref<f32x3>",
        "axpby.n %s, %0, %t, %y",
    ]


def test_sizes_that_contradict_each_other_are_left_to_the_function_for_all_sizes() -> None:
    function = checked(function_of(VECTORS, "axpby.n %s, %x, %t, %y")).functions[0]
    types = [MemrefType(p.type.element, (n,)) for p, n in zip(function.parameters, (3, 4, 5), strict=True)]
    assert specialized(function, types) is None
    assert function.parameters[0].type.shape == (DYNAMIC,)


def test_a_branch_for_other_sizes_goes() -> None:
    """In it, sizes that are known now contradict each other."""
    body = """%m = size %x[0] : index %n = size %y[0] : index %is = cmp.eq %m, %n : bool
        if %is { axpby.n %s, %x, %t, %y } else { axpby.n %s, %z, %t, %y }"""
    made = check(function_of(VECTORS, body), {"x": 3, "y": 4, "z": 4})
    assert [op.word for op in made.walk() if isinstance(op, Update)] == ["axpby"]
    assert [op.A.name for op in made.walk() if isinstance(op, Update)] == ["z"]


# The pass.


def test_the_pass() -> None:
    text = function_of(MATRICES, "gemm.n.n %s, %a, %b, %t, %c")
    step = find_pass("specialize{shapes=a:2x3+b:?x4,strides=a:1x5}")
    assert find_pass(str(step)) == step
    assert str(step) == "specialize{shapes=a:2x3+b:?x4,strides=a:1x5}"
    made = after(text, step)
    types = ["memref<f32x2x3,strided<1,5>>", "memref<f32x?x4>", "memref<f32x?x?>"]
    assert [str(p.type) for p in made.functions[0].parameters] == types
    assert is_static(made.functions[0]) is False
    gemm = next(op for op in made.functions[0].walk() if isinstance(op, Update))
    assert [v.type.shape for v in (gemm.A, gemm.B, gemm.C)] == [(2, 3), (3, 4), (2, 4)]
    assert str(after(text, find_pass("specialize"))) == str(checked(text))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("shapes=a:2", "2 has 1 modes, but a is memref<f32x?x?>"),
        ("shapes=q:2x2", "@f has no parameter q"),
        ("shapes=a:2xb", "`a:2xb` names no sizes"),
        ("shapes=a", "`a` names no sizes"),
        ("shapes=r:2", "r is f32, which has no shape"),
        ("shapes=s:2x2", "2x2 does not fit s, which is memref<f32x3x?>"),
        ("shapes=a:0x2", "@f is not valid with these sizes"),
        ("shapes=a:2x2+b:3x2", "@f is not valid with these sizes"),
    ],
)
def test_sizes_that_do_not_fit(options: str, message: str) -> None:
    parameters = "%a: memref<f32x?x?>, %b: memref<f32x?x?>, %r: f32, %s: memref<f32x3x?>"
    text = f"func @f({parameters}) {{ %1 = constant 1.0 : f32 axpby.n %1, %a, %1, %b }}"
    with pytest.raises(pytl.PytlError) as caught:
        after(text, find_pass(f"specialize{{{options}}}"))
    assert caught.value.code == "PYTL-3004"
    assert caught.value.diagnostics[0].message == message


# Random programs.


@pytest.mark.at_night
@settings(max_examples=150)
@given(SEEDS, st.integers(0, 14))
def test_random_programs_keep_their_meaning(seed: int, size: int) -> None:
    text = generate(Random(seed), safe=True, size=size)
    module = pytl.parse(text)
    data = data_for(module.functions[0], seed)
    made = specialized_for(text, data)
    if made is not None:
        assert not differences(execute(Module([made]), data), execute(module, data)), f"{text}\n{made}"
