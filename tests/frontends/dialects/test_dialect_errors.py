"""What is said of mistakes in texts of dialects and in templates, word for word, as tests/golden/dialects has it.

Among them are the mistakes that generators of such texts make.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import pytl
from pytl.diagnostics import LanguageError
from pytl.frontends.registry import find_frontend
from pytl.ir.verifier import find_problems

PARAMETERS = (
    "%x: f32, %n: index, %i: i32, %a: memref<f32x4>, %A: memref<f32x4x8>, %B: memref<f32x8x3>, %C: memref<f32x4x3>"
)
"""Of the functions whose body alone is given."""


@dataclass(frozen=True)
class Case:
    text: str
    dialect: str = "0.4"
    definitions: dict[str, Any] = field(default_factory=dict)


def in_03(text: str) -> Case:
    return Case(text, "0.3")


CASES = {
    # mistakes of generators
    "slice_of_what_is_left": Case("%v = subview %A[0:?,0:8] : memref<f32x?x8>"),
    "transposed_operand_sliced_as_if_not": Case(
        "%one = constant 1.0 : f32\n%v = subview %B[0:8,0:2] : memref<f32x8x2>\n"
        "%w = subview %C[0:4,0:2] : memref<f32x4x2>\ngemm.n.t %one, %A, %v, %one, %w"
    ),
    "transposed_operand_sliced_as_if_not_in_03": in_03(
        "%v = subview %B[0:8,0:2] : memref<f32x8x3>\n%w = subview %C[0:4,0:2] : memref<f32x4x3>\n"
        "gemm.n.t 1.0, %A, %v, 1.0, %w : f32, memref<f32x4x8>, memref<f32x8x2>, f32, memref<f32x4x2>"
    ),
    "immediate_loop_bounds": Case("for %k=0,9 {\n}"),
    "no_effect": Case("%t = alloca : memref<f32x4,local>\n%one = constant 1.0 : f32\naxpby %one, %a, %one, %t"),
    "no_effect_in_03": in_03(
        "%t = alloca -> memref<f32x4>\naxpby.n 1.0, %a, 0.0, %t : f32, memref<f32x4>, f32, memref<f32x4>"
    ),
    "slice_beyond_the_mode": Case("%v = subview %A[0:4,4:8] : memref<f32x4x8>"),
    "slice_beyond_the_mode_in_03": in_03("%v = subview %A[0:4,4:8] : memref<f32x4x8>"),
    "type_of_another_leading_dimension": in_03(
        "axpby.n 1.0, %a, 1.0, %a : f32, memref<f32x4,strided<2>>, f32, memref<f32x4>"
    ),
    # words of 0.4
    "old_words": Case("%r = arith.add %x, %x : f32\n%p = cmp.lt %x, %x : bool\n%e = math.exp %x : f32"),
    "words_that_are_not_whole": Case(
        "%r = num_groups : index\nparallel {\n    %s = num_subgroups : i32\n    %e = subgroup_id : i32\n"
        "    %t = subgroup_add %x : f32\n}"
    ),
    "old_modifiers": Case(
        "store.atomic %x, %a[%n]\nstore.atomic_add %x, %a[%n]\nparallel {\n"
        "    cooperative_matrix_store.n.atomic_add %x, %A[%n,%n]\n}"
    ),
    "words_of_passes": Case("cpu.kernel"),
    "names_of_other_letters": Case("%größe = size %d[0] : index"),
    "modifiers_in_the_old_order": Case("gemm.n.t.atomic %x, %A, %B, %x, %C"),
    "element_before_an_update_is_not_named": Case("parallel {\n    atomic_add %x, %a[%n] : f32\n}"),
    "annotated_loop": Case("for %k: index = %n,%n {\n}"),
    "attributes_without_their_word": Case("for %k=%n,%n {\n} {unroll=4}"),
    "unroll_of_words": Case('for %k=%n,%n {\n} attributes{unroll="much"}'),
    "bounds_of_two_types": Case("for %k=%n,%i {\n}"),
    "place_of_a_sub_group": Case("%e = subgroup_id.x : i32"),
    "lifetime_stop": Case("%t = alloca : memref<f32x4,local>\nlifetime_stop %t"),
    "alignment_of_no_power": Case("%t = alloca {alignment=96} : memref<f32x4,local>"),
    "words_of_04_in_the_manuals_language": Case(
        "%r = add %x, %x : f32\n%e = native_exp2 %x : f32\natomic_store %x, %a[%n]\n%s = subgroup_reduce_add %x : f32",
        "tensor",
    ),
    # 0.3
    "words_of_04_in_03": in_03("%r = max %x, %x : f32\n%e = exp %x : f32\nparallel {\n}"),
    "types_of_operands": in_03("%r = load %A[1,2] : memref<f32x4x9>\n%c = cast %x : f64 -> f32"),
    # templates
    "undefined": Case("$n = 4\n%r = constant $m : index"),
    "defined_twice": Case("$n = 4\nparallel {\n    $n = 5\n}"),
    "out_of_its_region": Case("parallel {\n    $n = 5\n}\n%r = constant $n : index"),
    "kind": Case("$ty = f32\n%r = constant $ty : $ty"),
    "type_of_a_constant": Case("$n = 4\n$ty = f32\n%r = constant $n : $ty"),
    "shape_of_a_template": Case(
        "$n = !calc(2 2 *)\n$m = !calc($n 5 +)\n%r = subview %A[0:$n,0:$m] : memref<f32x$n x$m>"
    ),
    "calculations": Case(
        "$a = !calc(1 0 /)\n$b = !calc(1 0 %)\n$c = !calc(1 2)\n$d = !calc()\n$e = !calc(+)\n$f = !calc(2 64 ^)\n"
        "$g = !calc(1 63 shl)\n$h = !calc(3 1.5 *)\n$i = !calc(1 -1 ^)\n$j = !calc(9223372036854775807 1 +)"
    ),
    "calculation_of_a_type": Case("$ty = f32\n$n = !calc($ty 1 +)"),
    "attributes": Case("$d = 4\nfor %k=%n,%n {\n} attributes $d"),
    "given_by_the_caller": Case("%r = constant $x : $ty", definitions={"ty": "i8", "x": 300}),
    "given_and_defined_in_a_region": Case("parallel {\n    $n = 5\n}", definitions={"n": 4}),
    "given_wrongly": Case("%r = constant $n : index", definitions={"n": "f33"}),
}


def said_of(case: Case) -> str:
    lines = "\n".join(f"    {line}" for line in case.text.split("\n"))
    frontend = find_frontend(case.dialect, "")
    try:
        given = {"definitions": case.definitions} if case.definitions else {}
        parsed = frontend.read(f"func @f({PARAMETERS}) {{\n{lines}\n}}\n", "kernel.tinytc", **given)
    except LanguageError as error:
        return str(error)
    found = parsed.diagnostics
    found.items += [] if found.errors else find_problems(parsed.module).items
    assert found.items
    return str(LanguageError(found.in_order()))


@pytest.mark.parametrize("name", CASES)
def test_what_is_said(name: str, golden) -> None:
    golden(f"dialects/{name}.txt", said_of(CASES[name]) + "\n")


UNSAID = {
    "0.4": """func @f(%a: memref<f32x8x8>, %n: index) attributes{subgroup_size=8, work_group_size=[16,2]} {
  %t = alloca : memref<f32x4,local>
  lifetime_stop %t
  parallel {
    %k = builtin.num_subgroups : i32
    %u = xetile.init_tile %a[%n, %n] : tile<f32x8x8>
  }
}""",
    "0.3": """func @f(%a: memref<f32x4>{alignment=16}, %c: c32, %n: index, %p: bool) attributes{"mine"=1} {
  %t = alloca{alignment=16} : memref<f32x4,local>
  %x = load %a[%n] : f32
  %e = math.exp %x : f32
  %s = for %i = %n, %n init(%y = %x) -> (f32) {
    yield (%y)
  }
  foreach (%i, %j) = (%n, %n), (%n, %n) {
    store.atomic_add %x, %a[%i]
  }
  parallel {
  }
}""",
}


@pytest.mark.parametrize("dialect", UNSAID)
def test_what_is_not_said_in_a_dialect(dialect: str, golden) -> None:
    with pytest.raises(pytl.LanguageError) as caught:
        find_frontend(dialect, "").write(pytl.parse(UNSAID[dialect], "kernel.tl"))
    golden(f"dialects/not_said_in_{dialect.replace('.', '')}.txt", f"{caught.value}\n")


def test_an_array_of_another_leading_dimension() -> None:
    """The fifth mistake of generators shows when the arguments are bound."""
    text = "func @f(%A: memref<f32x4x8,strided<1,8>>) {\n    %one = constant 1.0 : f32\n    axpby %one, %A, %one, %A\n}"
    kernel = pytl.compile(text, "kernel.tinytc")["f"]
    with pytest.raises(pytl.PytlError) as caught:
        kernel[1](np.zeros((4, 8), np.float32, order="F"), backend="reference")
    (found,) = caught.value.diagnostics
    assert found.code == "PYTL-2006"
    assert found.message == "A has the strides (1, 4) in elements, but memref<f32x4x8,strided<1,8>> needs (1, 8)"
    assert found.help == (
        "pass an array with these strides, or declare the parameter with the array's own: strides(…), "
        "... where they vary"
    )
    assert [label.text for label in found.labels] == ["A is memref<f32x4x8,strided<1,8>>"]
