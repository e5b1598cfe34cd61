"""canonicalize beyond arithmetic on constants: identities, control flow, dead code, and what `unsafe_fp_math` adds."""

from random import Random

import pytest
from generator import generate
from passes_kit import after, assert_meaning_kept, lines

from pytl.passes import Canonicalize

SAFE = Canonicalize()
UNSAFE = Canonicalize(unsafe_fp_math=True)


def simplified(body, type_="i32", step=SAFE):
    """The lines that a body on %x, %y, %z of a type comes to; %r is stored."""
    literals = {"i": ("0", "1", "-1"), "f": ("0.0", "1.0", "-1.0"), "b": ("0.0", "1.0", "-1.0")}
    zero, one, least = literals.get(type_[0], ("[0.0, 0.0]", "[1.0, 0.0]", "[-1.0, 0.0]"))
    text = f"""func @f(%x: {type_}, %y: {type_}, %n: index, %p: bool, %q: bool, %out: memref<{type_}>) {{
      %zero = constant {zero} : {type_}
      %one = constant {one} : {type_}
      %minus = constant {least} : {type_}
      {body}
      store %r, %out[]
    }}"""
    return lines(after(text, step))


@pytest.mark.parametrize(
    ("right", "result"),
    [
        ("arith.sub %x, %x", "0"),
        ("arith.xor %x, %x", "0"),
        ("arith.mul %x, %zero", "0"),
        ("arith.mul %zero, %x", "0"),
        ("arith.and %x, %zero", "0"),
        ("arith.or %x, %minus", "-1"),
        ("arith.and %x, %minus", "%x"),
        ("arith.and %x, %x", "%x"),
        ("arith.or %x, %x", "%x"),
        ("arith.min %x, %x", "%x"),
        ("arith.max %x, %x", "%x"),
        ("arith.xor %zero, %x", "%x"),
        ("arith.shl %zero, %x", "0"),
        ("arith.shr %zero, %x", "0"),
        ("arith.div %zero, %x", "0"),
        ("arith.rem %zero, %x", "0"),
        ("arith.rem %x, %one", "0"),
        ("arith.rem %x, %minus", "0"),
    ],
)
def test_identities_of_integers(right, result):
    found = simplified(f"%r = {right} : i32")
    if result.startswith("%"):
        assert found == [f"store {result}, %out[]"]
    else:
        name = {"0": "zero", "-1": "minus"}[result]
        assert found == [f"%{name} = constant {result} : i32", f"store %{name}, %out[]"]


@pytest.mark.parametrize(
    ("right", "result"),
    [
        ("arith.and %p, %true", "%p"),
        ("arith.and %true, %p", "%p"),
        ("arith.or %p, %false", "%p"),
        ("arith.xor %p, %false", "%p"),
        ("arith.and %p, %p", "%p"),
        ("arith.and %p, %false", None),
        ("arith.xor %p, %p", None),
    ],
)
def test_identities_of_booleans(right, result):
    body = f"""%true = constant true : bool %false = constant false : bool
      %c = {right} : bool
      %r = if %c -> (i32) {{ yield (%x) }} else {{ yield (%y) }}"""
    found = simplified(body)
    assert found[0] == f"%r = if {result} -> (i32) {{" if result else found == ["store %y, %out[]"]


@pytest.mark.parametrize("variant", ["neg", "not", "conj"])
def test_what_is_undone_is_not_done(variant):
    type_ = {"neg": "f32", "not": "i32", "conj": "c32"}[variant]
    found = simplified(f"%a = arith.{variant} %x : {type_} %r = arith.{variant} %a : {type_}", type_)
    assert found == ["store %x, %out[]"]


@pytest.mark.parametrize(
    ("steps", "result"),
    [
        (["add %x, %three", "add %a, %three"], ["%0 = constant 6 : i32", "%r = arith.add %x, %0 : i32"]),
        (["add %three, %x", "sub %a, %five"], ["%0 = constant -2 : i32", "%r = arith.add %x, %0 : i32"]),
        (["sub %x, %five", "add %a, %five"], []),
        (["mul %x, %three", "mul %five, %a"], ["%0 = constant 15 : i32", "%r = arith.mul %x, %0 : i32"]),
        (["mul %x, %large", "mul %a, %large"], ["%0 = constant 0 : i32"]),
    ],
)
def test_constants_are_grouped(steps, result):
    body = "%three = constant 3 : i32 %five = constant 5 : i32 %large = constant 65536 : i32\n"
    body += "\n".join(f"%{name} = arith.{step} : i32" for name, step in zip("ar", steps))
    found = simplified(body)
    stored = "r" if len(result) == 2 else "x" if not result else "zero"
    assert [line.split(" = ")[-1] for line in found[:-1]][:1] == [line.split(" = ")[-1] for line in result][:1]
    assert found[-1] == f"store %{stored}, %out[]"
    assert len(found) == len(result) + 1


@pytest.mark.parametrize("variant", ["eq", "ne", "gt", "ge", "lt", "le"])
def test_a_number_compared_with_itself(variant):
    body = f"%c = cmp.{variant} %x, %x : bool %r = if %c -> (i32) {{ yield (%x) }} else {{ yield (%y) }}"
    assert simplified(body) == [f"store {'%x' if variant in ('eq', 'ge', 'le') else '%y'}, %out[]"]
    assert len(simplified(body.replace("i32", "f32"), "f32")) > 1  # a nan differs from itself


def test_sums_and_products_are_the_same_either_way_round():
    body = """%a = arith.add %x, %y : f32 %b = arith.add %y, %x : f32 %c = arith.sub %x, %y : f32
      %d = arith.sub %y, %x : f32 %e = arith.mul %a, %b : f32 %g = arith.mul %c, %d : f32 %r = arith.add %e, %g : f32"""
    assert simplified(body, "f32")[:2] == ["%a = arith.add %x, %y : f32", "%c = arith.sub %x, %y : f32"]
    assert "%e = arith.mul %a, %a : f32" in simplified(body, "f32")


@pytest.mark.parametrize(
    ("type_", "right", "kept"),
    [
        ("f32", "arith.add %x, %zero", ["store %x, %out[]"]),
        ("f32", "arith.add %zero, %x", ["store %x, %out[]"]),
        ("f32", "arith.sub %x, %zero", ["store %x, %out[]"]),
        ("f32", "arith.sub %zero, %x", ["%r = arith.neg %x : f32", "store %r, %out[]"]),
        ("f32", "arith.mul %x, %zero", ["%zero = constant 0x0p+0 : f32", "store %zero, %out[]"]),
        ("f32", "arith.sub %x, %x", ["%zero = constant 0x0p+0 : f32", "store %zero, %out[]"]),
        ("f32", "arith.div %x, %minus", ["%minus = constant -0x1p+0 : f32", "%r = arith.mul %x, %minus : f32",
                                         "store %r, %out[]"]),
        ("c32", "arith.mul %x, %one", ["store %x, %out[]"]),
        ("c64", "arith.div %x, %one", ["store %x, %out[]"]),
        ("c32", "arith.add %x, %zero", ["store %x, %out[]"]),
    ],
)  # fmt: skip
def test_what_only_unsafe_fp_math_does(type_, right, kept):
    assert simplified(f"%r = {right} : {type_}", type_, UNSAFE) == kept
    assert simplified(f"%r = {right} : {type_}", type_) != kept


def test_unsafe_fp_math_groups_constants():
    body = """%c = constant 0.5 : f32 %d = constant 4.0 : f32
      %a = arith.add %x, %c : f32 %b = arith.sub %a, %d : f32 %e = arith.mul %b, %c : f32 %r = arith.div %e, %d : f32"""
    assert simplified(body, "f32", UNSAFE) == [
        "%0 = constant -0x1.cp+1 : f32",
        "%b = arith.add %x, %0 : f32",
        "%1 = constant 0x1p-3 : f32",
        "%r = arith.mul %b, %1 : f32",
        "store %r, %out[]",
    ]
    assert len(simplified(body, "f32")) == 7


@pytest.mark.parametrize(
    ("type_", "zero", "one"), [("f32", "0.0", "0x1p+0"), ("c64", "[0.0, -0.0]", "[0x1p+0,-0x0p+0]")]
)
def test_the_exponential_of_zero(type_, zero, one):
    body = f"%z = constant {zero} : {type_} %a = math.exp %z : {type_} %r = arith.sub %a, %x : {type_}"
    assert f"constant {one} : {type_}" in simplified(body, type_)[0]
    assert any("exp" in line for line in simplified(body.replace("0.0", "1.0"), type_))


def test_constant_matrices():
    text = """func @f(%out: memref<f16x8x8>, %n: index) {
      %a = constant 1.5 : coopmatrix<f32x8x8,matrix_acc>
      %b = constant 2.0 : coopmatrix<f32x8x8,matrix_acc>
      %c = arith.mul %a, %b : coopmatrix<f32x8x8,matrix_acc>
      %d = arith.neg %c : coopmatrix<f32x8x8,matrix_acc>
      %e = cast %d : coopmatrix<f16x8x8,matrix_acc>
      %two = constant 2.0 : f16
      parallel {
        %g = cooperative_matrix_scale %two, %e : coopmatrix<f16x8x8,matrix_acc>
        cooperative_matrix_store %g, %out[%n,%n]
      }
    }"""
    assert lines(after(text, Canonicalize())) == [
        "parallel {",
        "%g = constant -0x1.8p+2 : coopmatrix<f16x8x8,matrix_acc>",
        "cooperative_matrix_store %g, %out[%n, %n]",
        "}",
    ]


def test_unsafe_fp_math_on_matrices():
    acc = "coopmatrix<c32x8x8,matrix_acc>"
    text = f"""func @f(%a: memref<c32x8x8>, %n: index) {{
      %zero = constant [0.0, 0.0] : {acc}
      %two = constant [0.0, 2.0] : {acc}
      parallel {{
        %m = cooperative_matrix_load.n %a[%n, %n] : {acc}
        %s = arith.add %m, %zero : {acc}
        %t = arith.div %s, %two : {acc}
        cooperative_matrix_store %t, %a[%n, %n]
      }}
    }}"""
    assert lines(after(text, UNSAFE)) == [
        "parallel {",
        f"%m = cooperative_matrix_load.n %a[%n, %n] : {acc}",
        f"%0 = constant [0x0p+0,-0x1p-1] : {acc}",
        f"%t = arith.mul %m, %0 : {acc}",
        "cooperative_matrix_store %t, %a[%n, %n]",
        "}",
    ]
    assert len(lines(after(text, SAFE))) == 8


def test_a_matrix_times_one():
    text = """func @f(%a: memref<f32x8x8>, %n: index) {
      %one = constant 1.0 : f32
      parallel {
        %m = cooperative_matrix_load.n %a[%n,%n] : coopmatrix<f32x8x8,matrix_acc>
        %s = cooperative_matrix_scale %one, %m : coopmatrix<f32x8x8,matrix_acc>
        cooperative_matrix_store %s, %a[%n,%n]
      }
    }"""
    assert "scale" not in str(after(text, Canonicalize()))


def test_what_work_items_exchange_is_merged_in_one_region_only():
    text = """func @f(%out: memref<f32x?>, %x: f32, %p: bool, %n: index) {
      parallel {
        %a = subgroup_add.reduce %x : f32
        %b = subgroup_add.reduce %x : f32
        %e = math.exp %x : f32
        %s = arith.add %a, %b : f32
        store %s, %out[%n]
        if %p {
          %c = subgroup_add.reduce %x : f32
          %d = math.exp %x : f32
          %t = arith.mul %c, %d : f32
          %u = arith.sub %t, %e : f32
          store %u, %out[%n]
        }
      }
    }"""
    words = [line.split(" = ")[-1].split()[0] for line in lines(after(text, Canonicalize()))]
    assert (words.count("subgroup_add.reduce"), words.count("math.exp")) == (2, 1)


def test_a_value_of_a_branch_is_not_used_outside():
    text = """func @f(%out: memref<f32x?>, %x: f32, %p: bool, %n: index) {
      parallel {
        if %p {
          %a = math.exp %x : f32
          store %a, %out[%n]
        }
        %b = math.exp %x : f32
        store %b, %out[%n]
      }
    }"""
    assert len(lines(after(text, Canonicalize()))) == len(lines(after(text)))


def test_views_are_merged_and_their_sizes_known():
    text = """func @f(%a: memref<f32x16x?>, %x: f32, %n: index) {
      %e = expand %a[0 -> 4 x 4] : memref<f32x4x4x?,strided<1,4,16>>
      %g = expand %a[0 -> 4 x 4] : memref<f32x4x4x?,strided<1,4,16>>
      %u = fuse %e[0, 1] : memref<f32x16x?>
      %v = fuse %g[0, 1] : memref<f32x16x?>
      %s = subview %u[0:4, 1:%n] : memref<f32x4x?,strided<1,16>>
      %m = size %s[1] : index
      %w = subview %v[0:4, 1:%m] : memref<f32x4x?,strided<1,16>>
      %z = constant 0.0 : f32
      axpby.n %x, %s, %x, %w
    }"""
    assert lines(after(text, Canonicalize())) == [
        "%e = expand %a[0 -> 4 x 4] : memref<f32x4x4x?>",
        "%u = fuse %e[0, 1] : memref<f32x16x?>",
        "%s = subview %u[0:4, 1:%n] : memref<f32x4x?,strided<1,16>>",
        "axpby.n %x, %s, %x, %s",
    ]


CONTROL = {
    "a loop with one trip": (
        """%a = constant 3 : index %b = constant 5 : index %s = constant 2 : index
        %r = for %i = %a, %b, %s init(%c=%x) -> (i32) {
          %d = cast %i : i32 %e = arith.add %c, %d : i32
          yield (%e)
        }""",
        ["%d = constant 3 : i32", "%e = arith.add %x, %d : i32"],
    ),
    "branches that give the same": (
        "%r = if %p -> (i32) { yield (%x) } else { yield (%x) }",
        [],
    ),
    "a loop that only counts": ("for %i = %n, %n { %a = cast %i : i32 } %r = arith.add %x, %y : i32", None),
    "a branch without effect": ("if %p { %a = arith.neg %x : i32 } else { } %r = arith.add %x, %y : i32", None),
    "a parallel without effect": ("parallel { %a = builtin.subgroup_id : i32 } %r = arith.add %x, %y : i32", None),
    "a foreach without effect": ("foreach (%i) = (%n), (%n) { %a = cast %i : i32 } %r = arith.add %x, %y : i32", None),
    "a carried value that never changes": (
        """%r, %s = for %i = %n, %n init(%c=%x,%d=%y) -> (i32, i32) {
          %e = arith.add %c, %d : i32
          yield (%e, %d)
        }""",
        [
            "%r = for %i = %n, %n init(%c=%x) -> (i32) {",
            "%e = arith.add %c, %y : i32",
            "yield (%e)",
            "}",
        ],
    ),
    "a carried value that nothing uses": (
        """%r, %s = for %i = %n, %n init(%c=%x,%d=%y) -> (i32, i32) {
          %e = arith.add %c, %x : i32
          %g = arith.mul %c, %d : i32
          yield (%e, %g)
        }""",
        [
            "%r = for %i = %n, %n init(%c=%x) -> (i32) {",
            "%e = arith.add %c, %x : i32",
            "yield (%e)",
            "}",
        ],
    ),
    "a carried value that another one needs": (
        """%s, %r = for %i = %n, %n init(%c=%x,%d=%y) -> (i32, i32) {
          %e = arith.add %c, %x : i32
          yield (%e, %c)
        }""",
        [
            "%s, %r = for %i = %n, %n init(%c=%x, %d=%y) -> (i32, i32) {",
            "%e = arith.add %c, %x : i32",
            "yield (%e, %c)",
            "}",
        ],
    ),
    "a result of a branch that nothing uses": (
        """%s, %r = if %p -> (i32, i32) { %a = arith.neg %x : i32 yield (%a, %x) } else { yield (%x, %y) }""",
        ["%r = if %p -> (i32) {", "yield (%x)", "} else {", "yield (%y)", "}"],
    ),
    "branches that give the same constant": (
        """%a = if %p -> (i32) { %c = constant 5 : i32 yield (%c) } else { %d = constant 5 : i32 yield (%d) }
        %r = arith.add %a, %x : i32""",
        ["%a = constant 5 : i32", "%r = arith.add %a, %x : i32"],
    ),
    "a condition's opposite spelled out": (
        """%t = constant true : bool %u = constant false : bool
        %c = if %p -> (bool) { yield (%u) } else { yield (%t) }
        %r = if %c -> (i32) { yield (%x) } else { yield (%y) }""",
        ["%c = arith.not %p : bool", "%r = if %c -> (i32) {", "yield (%x)", "} else {", "yield (%y)", "}"],
    ),
    "a condition spelled out": (
        """%t = constant true : bool %u = constant false : bool
        %c = if %p -> (bool) { yield (%t) } else { yield (%u) }
        %r = if %c -> (i32) { yield (%x) } else { yield (%y) }""",
        ["%r = if %p -> (i32) {", "yield (%x)", "} else {", "yield (%y)", "}"],
    ),
}


@pytest.mark.parametrize("name", CONTROL)
def test_control_flow(name):
    body, wanted = CONTROL[name]
    if wanted is None:
        wanted = ["%r = arith.add %x, %y : i32"]
    stored = next((line.split(" = ")[0].split(", ")[-1] for line in reversed(wanted) if " = " in line), "%x")
    if name.startswith(("a carried", "a result", "a condition")):
        stored = "%r"
    assert simplified(body) == [*wanted, f"store {stored}, %out[]"]


@pytest.mark.parametrize(("type_", "zero", "minus"), [("f32", "0.0", "-0.0"), ("c64", "[0.0, 0.0]", "[0.0, -0.0]")])
def test_branches_that_give_zeros_of_different_signs_stay(type_, zero, minus):
    body = "%r = if %p -> ({}) {{ %c = constant {} : {} yield (%c) }} else {{ %d = constant {} : {} yield (%d) }}"
    assert f"%r = if %p -> ({type_}) {{" in simplified(body.format(type_, zero, type_, minus, type_), type_)
    assert not any("if" in line for line in simplified(body.format(type_, minus, type_, minus, type_), type_))


MEMORY = {
    "a store that nobody reads": ("store %x, %t[%n]", False),
    "an update that nobody reads": ("axpby.n %x, %a, %x, %t", False),
    "an addition that nobody reads": ("foreach (%i) = (%n), (%n) { store.atomic_add %x, %t[%i] }", False),
    "a store through a view": ("%v = subview %t[0:2] : memref<i32x2,local> store %x, %v[%n]", False),
    "a load that nobody uses": ("store %x, %t[%n] %l = load %t[%n] : i32", False),
    "a copy to what nobody reads": ("axpby.n %x, %a, %x, %t axpby.n %x, %t, %x, %u", False),
    "a load that is used": ("store %x, %t[%n] store %x, %a[%n] %l = load %t[%n] : i32 store %l, %a[%n]", True),
    "an update from it": ("axpby.n %x, %a, %x, %t axpby.n %x, %t, %x, %a", True),
    "a load through a view": (
        "%v = subview %t[0:2] : memref<i32x2,local> store %x, %t[%n] %l = load %v[%n] : i32 store %l, %a[%n]",
        True,
    ),
    "a load before the store, in a loop": (
        "for %i = %n, %n { if %p { %l = load %t[%i] : i32 store %l, %a[%i] } store %x, %t[%i] }",
        True,
    ),
    "a load that decides": (
        """store %x, %t[%n] store %x, %a[%n] %l = load %t[%n] : i32 %c = cmp.eq %l, %x : bool
        if %c { store %x, %a[%n] }""",
        True,
    ),
    "a load of a loop's end": (
        """%k = alloca : memref<indexx1,local> store %n, %k[%n] store %x, %t[%n] %l = load %k[%n] : index
        for %i = %n, %l { %m = load %t[%i] : i32 store %m, %a[%i] }""",
        True,
    ),
}


@pytest.mark.parametrize("name", MEMORY)
def test_writes_to_what_is_never_read(name):
    body, stays = MEMORY[name]
    text = f"""func @f(%a: memref<i32x4>, %x: i32, %n: index, %p: bool) {{
      %t = alloca : memref<i32x4,local>
      %u = alloca : memref<i32x4,local>
      {body}
      lifetime_stop %t
      lifetime_stop %u
    }}"""
    found = lines(after(text, Canonicalize()))
    assert ("%t = alloca : memref<i32x4,local>" in found) == stays
    assert ("lifetime_stop %t" in found) == stays
    assert "lifetime_stop %u" not in found
    assert stays or found == []


def test_nested_constants_are_resolved_in_one_run():
    text = "func @f(%out: memref<i32>, %x: i32) {\n%t = constant true : bool\n"
    text += "if %t {\n" * 30 + "store %x, %out[]\n" + "}" * 30 + "}"
    assert lines(after(text, Canonicalize())) == ["store %x, %out[]"]


@pytest.mark.at_most(4)
@pytest.mark.parametrize("seed", range(40))
def test_the_meaning_of_random_programs_is_kept(seed):
    text = generate(Random(seed), safe=True, size=20)
    changed = assert_meaning_kept(text, Canonicalize(), seed=seed)
    # a second time changes nothing
    assert str(after(str(changed), Canonicalize())) == str(changed)


@pytest.mark.at_most(8)
@pytest.mark.parametrize("seed", range(60))
def test_random_programs_stay_valid(seed):
    after(generate(Random(seed), size=25), Canonicalize(unsafe_fp_math=seed % 2 == 0))
