"""Texts of the immediate language: every form is read, and becomes what it means."""

from __future__ import annotations

import numpy as np
import pytest
from differential.cases import NEEDS_SYCL
from yateto_kit import MENDED, SAMPLE, fortran, kernel_of, read, run_sample

import pytl
from pytl.frontends.registry import find_frontend


def test_the_sample_of_the_draft_has_one_wrong_type() -> None:
    with pytest.raises(pytl.LanguageError) as raised:
        pytl.parse(SAMPLE, "sample.yateto")
    (error,) = [each for each in raised.value.diagnostics if each.severity == "error"]
    assert error.code == "PYTL-1204"
    assert error.message == "%tmp0 is memref<f32x16x8>, but memref<f32x8x16> is written here"
    assert error.help == "write memref<f32x16x8>"
    assert str(error.location) == "sample.yateto:9:45"
    (label,) = error.labels
    assert (label.text, label.location.line) == ("%tmp0 is memref<f32x16x8>", 7)


def test_the_mended_sample_as_ir() -> None:
    assert (
        str(read(MENDED))
        == """func @fused_kernel(%A: group<memref<f32x16x8>x?>,
                   %B: memref<f32x8x8>,
                   %C: memref<f32x8x16>,
                   %D: memref<f32x16x16x?>) {
  %0 = builtin.group_id : index
  %1 = constant 0x1p+0 : f32
  %2 = constant 0x0p+0 : f32
  %3 = constant 0x1.4p+2 : f32
  %4 = load %A[%0] : memref<f32x16x8>
  %5 = subview %D[0:16, 0:16, %0] : memref<f32x16x16>
  %tmp0 = alloca : memref<f32x16x8,local>
  yateto.log {ik, kj to ij}, %1, %4, %B, %2, %tmp0
  yateto.log {ik, kj to ij}, %3, %tmp0, %C, %1, %5
}"""
    )


def test_the_mended_sample_computes_what_numpy_computes() -> None:
    run_sample("reference")


@pytest.mark.at_most(1)
@pytest.mark.parametrize(
    "backend", [pytest.param("sycl", marks=NEEDS_SYCL), pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))]
)
def test_the_mended_sample_on_backends_that_compile(backend: str) -> None:
    run_sample(backend)


def test_notes_are_errors_where_the_text_is_strict() -> None:
    frontend = find_frontend("yateto", "")
    assert [d.code for d in frontend.read(MENDED, "x").diagnostics.items] == ["PYTL-1212"] * 2
    assert not frontend.read(MENDED, "x").diagnostics.errors
    assert len(frontend.read(MENDED, "x", strict=True).diagnostics.errors) == 2


def test_scalars_comments_and_constants() -> None:
    module = read(
        """; a comment { } %x
define @0(%0: memref<f64>, %x_1: memref<f64x3>) { ; and another
  axpby {i to i} , -0x1.8p+1 , %x_1 , +.5e0, %x_1 : memref<f64x3,strided<1>>
      to memref < f64 x 3 >
  sum {i to _}, 5e-1, %x_1, 0xA.p0, %0 : memref<f64x3> to memref<f64,strided<>>
}
define @second() { barrier }"""
    )
    assert [function.name for function in module.functions] == ["0", "second"]
    first, second = module.functions
    literals = [op.literal for op in first.walk() if op.mnemonic == "constant"]
    assert literals == [-3.0, 0.5, 10.0]
    assert "barrier.global.local" in str(second)


@pytest.mark.parametrize("name", ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64"])
def test_every_element_type(name: str) -> None:
    text = f"""define @f(%A: group<memref<{name}x3x2>,pointers>, %B: memref<{name}x2x4>, %k: {name},
             %C: group<memref<{name}x3x4,strided<1,4>>,distance<16>>) {{
  %a = get_work_item %A : group<memref<{name}x3x2>,pointers>
  %c = get_work_item %C : group<memref<{name}x3x4,strided<1,4>>,distance<16>>
  log {{ik, kj to ij}}, 3.0, %a, %B, 2.0, %c : memref<{name}x3x2>, memref<{name}x2x4> to memref<{name}x3x4,strided<1,4>>
}}"""
    dtype = np.dtype({"i": "int", "u": "uint", "f": "float"}[name[0]] + name[1:])
    A = [fortran(3, 2, dtype=dtype, seed=n) for n in range(2)]
    B = fortran(2, 4, dtype=dtype)
    memory = fortran(32, dtype=dtype)
    C = np.lib.stride_tricks.as_strided(memory, (3, 4, 2), tuple(dtype.itemsize * s for s in (1, 4, 16)))
    three, two = dtype.type(3), dtype.type(2)
    wanted = two * C + three * np.stack([a @ B for a in A], axis=-1)
    kernel_of(text)[2](A, B, 1, C, backend="reference")
    np.testing.assert_array_equal(C, wanted)


def test_unsigned_arguments_are_those_of_numpy() -> None:
    text = """define @f(%T: memref<u8x4x300>, %k: u8, %x: memref<u8x4>) {
  %c = subview %T[:, u8 %k] : memref<u8x4x300> to memref<u8x4>
  axpby {i to i}, 255.0, %x, 0.0, %c : memref<u8x4> to memref<u8x4>
}"""
    kernel = kernel_of(text)
    T, x = np.zeros((4, 300), np.uint8, order="F"), np.array([1, 200, 3, 0], np.uint8)
    for k in (7, 250, np.uint8(255)):
        kernel[1](T, k, x, backend="reference")
        np.testing.assert_array_equal(T[:, int(k)], np.uint8(255) * x)
    for k, message in ((-1, "k is -1, but u8 holds 0 … 255"), (256, "k is 256, but u8 holds 0 … 255")):
        with pytest.raises(pytl.LaunchError, match=message):
            kernel[1](T, k, x, backend="reference")
    with pytest.raises(pytl.LaunchError, match="data type int8, but the elements are u8"):
        kernel[1](T, 1, x.view(np.int8), backend="reference")
    with pytest.raises(pytl.LaunchError, match="data type uint8, but the elements are i8"):
        kernel_of(text.replace("u8", "i8").replace("255.0", "-1.0"))[1](T, 1, x, backend="reference")


def test_unsigned_loops_count_to_the_end_of_their_type() -> None:
    text = """define @f(%T: memref<f64x256>) {
  for u8 %i = 0 to 255 {
    %c = subview %T[u8 %i] : memref<f64x256> to memref<f64>
    axpby {_ to _}, 1.0, %c, 1.0, %c : memref<f64> to memref<f64>
  }
}"""
    T = np.ones(256)
    kernel_of(text)[1](T, backend="reference")
    assert T.tolist() == [2.0] * 255 + [1.0]


def test_subviews_with_slices_and_indices() -> None:
    text = """define @f(%A: memref<f64x6x5x4>, %j: i64, %B: memref<f64x3x4>) {
  for i16 %k = 1 to 3 {
    %0 = subview %A[2:5, i64 %j, :] : memref<f64x6x5x4> to memref<f64x3x4,strided<1,30>>
    %1 = subview %0[1:, i16 %k] : memref<f64x3x4,strided<1,30>> to memref<f64x2>
    %2 = subview %B[:2, 3] : memref<f64x3x4> to memref<f64x2>
    axpby {i to i}, 1.0, %1, 1.0, %2 : memref<f64x2> to memref<f64x2>
  }
}"""
    A, B = fortran(6, 5, 4), fortran(3, 4)
    wanted = B.copy(order="F")
    for k in (1, 2):
        wanted[:2, 3] += A[2:5, 2, :][1:, k]
    kernel_of(text)[1](A, 2, B, backend="reference")
    np.testing.assert_array_equal(B, wanted)


LAYOUTS = ["f64x4x3", "f64x4x3,strided<1,8>", "f64x4,strided<3>", "f64x5", "f64", "f64x2x3x2,strided<2,6,18>"]


@pytest.mark.parametrize("type_", LAYOUTS)
@pytest.mark.parametrize("layout", ["pointers", "distance<80>"])
def test_items_with_an_offset_are_views_on_memory(type_: str, layout: str) -> None:
    group = f"group<memref<{type_}>,{layout}>"
    names = "ijk"[: type_.partition(",")[0].count("x")] or "_"
    text = f"""define @f(%G: {group}, %off: u16) {{
  %0 = get_work_item %G : {group}
  %1 = get_work_item %G, u16 %off : {group}
  axpby {{{names} to {names}}}, 1.0, %0, 2.0, %1 : memref<{type_}> to memref<{type_}>
}}"""
    memref = read(f"define @f(%x: memref<{type_}>) {{ }}").functions[0].parameters[0].type
    memory = [np.arange(80.0) + n for n in range(2)] if layout == "pointers" else np.arange(160.0)
    wanted = [m.copy() for m in memory] if layout == "pointers" else [memory.copy()]

    def view(flat: np.ndarray, begin: int) -> np.ndarray:
        strides = tuple(8 * stride for stride in memref.strides)
        return np.lib.stride_tricks.as_strided(flat[begin:], memref.shape, strides)

    for n in range(2):
        flat, first = (wanted[n], 0) if layout == "pointers" else (wanted[0], 80 * n)
        source, target = view(flat, first), view(flat, first + 37)
        target[...] = source + 2 * target
    kernel = kernel_of(text)
    kernel[2](memory, 37, backend="reference")
    for given, expected in zip(memory if layout == "pointers" else [memory], wanted):
        np.testing.assert_array_equal(given, expected)
    with pytest.raises(pytl.PytlError, match=r"PYTL-(4002|2)"):
        kernel[2](memory, 500, backend="reference")


def test_an_item_without_an_offset_takes_arrays_of_its_shape() -> None:
    text = MENDED.replace("%0 = get_work_item %A :", "%0 = get_work_item %A, i32 %off :")
    text = text.replace("%B: memref", "%off: i32, %B: memref", 1)
    types = [str(parameter.type) for parameter in read(text).functions[0].parameters]
    assert types == ["group<memref<f32x?>x?>", "i32", "memref<f32x8x8>", "memref<f32x8x16>", "memref<f32x16x16x?>"]
    # what one function takes with an offset says nothing of another one
    both = read(text + MENDED.replace("fused_kernel", "other_kernel"))
    assert str(both["other_kernel"].parameters[0].type) == "group<memref<f32x16x8>x?>"


def test_lifetime_and_barrier() -> None:
    text = str(read("define @f() { %t = alloca : memref<u8x4>  barrier  lifetime_stop %t }"))
    assert '%t = alloca {"unsigned"=true} : memref<i8x4,local>' in text
    assert text.endswith("  barrier.global.local\n  lifetime_stop %t\n}")


def test_alpha_and_beta_are_of_the_types_of_the_tensors() -> None:
    text = """define @f(%a: memref<i8x2>, %b: memref<f32x2>, %c: memref<f64x2>) {
  product {i, i to i}, 2.0, %a, %b, -1.5, %c : memref<i8x2>, memref<f32x2> to memref<f64x2>
}"""
    types = [str(op.result.type) for op in read(text).functions[0].walk() if op.mnemonic == "constant"]
    assert types == ["f32", "f64"]
    c = np.ones(2)
    kernel_of(text)[1](np.array([1, -2], np.int8), np.array([0.5, 3], np.float32), c, backend="reference")
    assert c.tolist() == [-0.5, -13.5]
