"""The samples of the language manual, as printed there, are read, and printed in the canonical form."""

import pytest

import pytl
from pytl.ir.text import parse_text

SAMPLE = """
    func @fused_kernel(%alpha: f32,
                         %A: group<memref<f32x16x8>x?>,
                         %B: memref<f32x8x8>,
                         %C: memref<f32x8x16>,
                         %D: memref<f32x16x16x?>) {
      %0 = group_id : index
      %1 = load %A[%0]        : memref<f32x16x8>
      %2 = subview %D[:,:,%0] : memref<f32x16x16>
      %tmp0 = alloca : memref<f32x16x8>
      %zero = constant 0.0 : f32
      %one = constant 1.0 : f32
      gemm.n.t %one, %1, %B, %zero, %tmp0
      gemm.n.n %alpha, %tmp0, %C, %one, %2
    }
"""

CANONICAL = """func @fused_kernel(%alpha: f32,
                   %A: group<memref<f32x16x8>x?>,
                   %B: memref<f32x8x8>,
                   %C: memref<f32x8x16>,
                   %D: memref<f32x16x16x?>) {
  %0 = builtin.group_id : index
  %1 = load %A[%0] : memref<f32x16x8>
  %2 = subview %D[0:16, 0:16, %0] : memref<f32x16x16>
  %tmp0 = alloca : memref<f32x16x8,local>
  %zero = constant 0x0p+0 : f32
  %one = constant 0x1p+0 : f32
  gemm.n.t %one, %1, %B, %zero, %tmp0
  gemm.n.n %alpha, %tmp0, %C, %one, %2
}"""


def test_sample_kernel():
    module = pytl.parse(SAMPLE)
    pytl.verify(module)
    assert str(module) == CANONICAL
    assert str(pytl.parse(CANONICAL, strict=True)) == CANONICAL


def notes(text):
    parsed = parse_text(text)
    assert parsed.diagnostics.errors == []
    return [(d.code, d.location.line, d.location.column, d.message) for d in parsed.diagnostics.in_order()]


def test_notes_of_the_sample_kernel():
    assert notes(SAMPLE) == [
        ("PYTL-0022", 7, 12, "`group_id` is read as builtin.group_id"),
        ("PYTL-0021", 9, 23, "`:` is read as 0:size"),
        ("PYTL-0021", 9, 25, "`:` is read as 0:size"),
        ("PYTL-0024", 10, 24, "the type is read as memref<f32x16x8,local>"),
    ]


def test_strict_reading_makes_errors_of_the_notes():
    parsed = parse_text(SAMPLE, strict=True)
    assert [d.code for d in parsed.diagnostics.errors] == ["PYTL-0022", "PYTL-0021", "PYTL-0021", "PYTL-0024"]
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.parse(SAMPLE, strict=True)
    assert caught.value.code == "PYTL-0022"


FIBONACCI = """
func @fibonacci() {
    %from = constant 2 -> i32
    %to = constant 6 -> i32
    %f0 = constant 0 -> i64
    %f1 = constant 1 -> i64
    %fn_1, %fn = for %n:i32=%from,%to init(%fn_2=%f0,%fn_1=%f1) -> (i64,i64) {
        %fn = arith.add %fn_2, %fn_1 : i64
        yield (%fn_1, %fn)
    }
    ; %fn_1 contains the fourth Fibonacci number and %fn the fifth Fibonacci number
}
"""


def test_fibonacci():
    module = pytl.parse(FIBONACCI)
    pytl.verify(module)
    assert str(module) == (
        "func @fibonacci() {\n"
        "  %from = constant 2 : i32\n"
        "  %to = constant 6 : i32\n"
        "  %f0 = constant 0 : i64\n"
        "  %f1 = constant 1 : i64\n"
        "  %fn_1, %fn = for %n: i32 = %from, %to init(%fn_2=%f0, %fn_1=%f1) -> (i64, i64) {\n"
        "    %fn = arith.add %fn_2, %fn_1 : i64\n"
        "    yield (%fn_1, %fn)\n"
        "  }\n"
        "}"
    )
    assert notes(FIBONACCI) == [
        ("PYTL-0025", 3, 24, "`->` is read as `:`"),
        ("PYTL-0025", 4, 22, "`->` is read as `:`"),
        ("PYTL-0025", 5, 22, "`->` is read as `:`"),
        ("PYTL-0025", 6, 22, "`->` is read as `:`"),
    ]


def test_if():
    text = """
    func @f(%0: i32) {
       %1 = cmp.lt %0, 16 : i32
       %x = if %1 -> (i32) {
           yield (%0)
       } else {
           %c16 = constant 16 : i32
           yield (%c16)
       }
    }
    """
    module = pytl.parse(text)
    pytl.verify(module)
    assert str(module) == (
        "func @f(%0: i32) {\n"
        "  %1 = constant 16 : i32\n"
        "  %2 = cmp.lt %0, %1 : bool\n"
        "  %x = if %2 -> (i32) {\n"
        "    yield (%0)\n"
        "  } else {\n"
        "    %c16 = constant 16 : i32\n"
        "    yield (%c16)\n"
        "  }\n"
        "}"
    )
    assert notes(text) == [
        ("PYTL-0023", 3, 13, "the annotation i32 is read as bool"),
        ("PYTL-0020", 3, 24, "a literal is read as constant … : i32"),
    ]


VIEWS = [
    ("memref<f32>", "load %0[] : f32", None),
    ("memref<f32x10x?>", "load %0[5, %1] : f32", "load %0[%2, %1] : f32"),
    ("group<memref<f32x42>x?>", "load %0[%1] : memref<f32x42>", None),
    ("group<memref<f32x42>x?, offset: ?>", "load %0[%1] : memref<f32x42>", None),
    ("memref<f32x32x16>", "subview %0[4:8,8:4]  : memref<f32x8x4,strided<1,32>>", None),
    ("memref<f32x32x16>", "subview %0[4:8,8:4]  : memref<f32x8x4,strided<1,?>>", None),
    ("memref<f32x16x8>", "subview %0[2:4, %1]   : memref<f32x4>", None),
    ("memref<f32x16x8>", "subview %0[2:4, %1:0] : memref<f32x4>", None),
    ("memref<f64x16x8>", "subview %0[2:4, %1:1] : memref<f64x4x1,strided<1,16>>", None),
    ("memref<f32x16>", "subview %0[%1:4]            : memref<f32x4>", None),
    ("memref<f32x16>", "subview %0[%1:%1]           : memref<f32x?>", None),
    ("memref<f32x16x42x13>", "subview %0[2:4, %1:%1, 6:7] : memref<f32x4x?x7,strided<1,16,672>>", None),
    ("memref<f32x16x42x13,strided<1,?,?>>", "subview %0[2:4, %1:%1, 6:7] : memref<f32x4x?x7,strided<1,?,?>>", None),
    (
        "memref<f32x32x16x8>",
        "expand %0[1 -> 2x8]      : memref<f32x32x2x8x8>",
        "expand %0[1 -> 2 x 8] : memref<f32x32x2x8x8>",
    ),
    (
        "memref<f32x32x16x8>",
        "expand %0[1 -> 2x2x2x2]  : memref<f32x32x2x2x2x2x8>",
        "expand %0[1 -> 2 x 2 x 2 x 2] : memref<f32x32x2x2x2x2x8>",
    ),
    ("memref<f32x32x?>", "expand %0[1 -> %1 x 2]      : memref<f32x32x?x2>", None),
    ("memref<f32x32x?>", "expand %0[1 -> 2 x %1]      : memref<f32x32x2x?>", None),
    ("memref<f32x32x16>", "expand %0[1 -> %1 x 2]      : memref<f32x32x?x2>", None),
    ("memref<f32x32x16>", "expand %0[1 -> %1 x %1 x 2] : memref<f32x32x?x?x2>", None),
    ("memref<f32x32x16>", "expand %0[1 -> %1 x 2 x %1] : memref<f32x32x?x2x?>", None),
    ("memref<f32x32x?>", "expand %0[1 -> %1 x %1]     : memref<f32x32x?x?>", None),
    ("memref<f32x32x16>", "expand %0[1 -> %1 x %1]     : memref<f32x32x?x?>", None),
    (
        "memref<f32x32x7,strided<2,64>>",
        "expand %0[0->4 x 8]  : memref<f32x4x8x7,strided<2,8,64>>",
        "expand %0[0 -> 4 x 8] : memref<f32x4x8x7,strided<2,8,64>>",
    ),
    (
        "memref<f32x32x7,strided<2,64>>",
        "expand %0[0->4 x 8]  : memref<f32x4x8x7,strided<2,?,?>>",
        "expand %0[0 -> 4 x 8] : memref<f32x4x8x7,strided<2,?,?>>",
    ),
    (
        "memref<f32x?x7,strided<2,?>>",
        "expand %0[0->%1 x 4] : memref<f32x?x4x7,strided<2,?,?>>",
        "expand %0[0 -> %1 x 4] : memref<f32x?x4x7,strided<2,?,?>>",
    ),
    (
        "memref<f32x?x7,strided<2,?>>",
        "expand %0[0->4 x %1] : memref<f32x4x?x7,strided<2,8,?>>",
        "expand %0[0 -> 4 x %1] : memref<f32x4x?x7,strided<2,8,?>>",
    ),
    (
        "memref<f32x?x7,strided<2,?>>",
        "expand %0[0->4 x %1] : memref<f32x4x?x7,strided<2,?,?>>",
        "expand %0[0 -> 4 x %1] : memref<f32x4x?x7,strided<2,?,?>>",
    ),
    (
        "memref<f32x32x16x8x4x42>",
        "fuse %0[1,3] : memref<f32x32x512x42>",
        "fuse %0[1, 3] : memref<f32x32x512x42>",
    ),
    (
        "memref<f32x32x16x2x2,strided<1,48,768,1536>>",
        "fuse %0[1,2] : memref<f32x32x32x2,strided<1,48,1536>>",
        "fuse %0[1, 2] : memref<f32x32x32x2,strided<1,48,1536>>",
    ),
    (
        "memref<f32x32x16x2x2,strided<1,48,768,1536>>",
        "fuse %0[1,2] : memref<f32x32x32x2,strided<1,?,?>>",
        "fuse %0[1, 2] : memref<f32x32x32x2,strided<1,?,?>>",
    ),
    (
        "memref<f32x8x?x32,strided<1,?,?>>",
        "fuse %0[0,1] : memref<f32x?x32,strided<1,?>>",
        "fuse %0[0, 1] : memref<f32x?x32>",
    ),
    # what the manual calls undefined where the dynamic stride is not 8; its own result names one stride too many
    ("memref<f32x8x16,strided<1,?>>", "fuse %0[0,1] : memref<f32x128>", "fuse %0[0, 1] : memref<f32x128>"),
]


@pytest.mark.parametrize(("type_", "written", "printed"), VIEWS)
def test_examples_of_load_and_views(type_, written, printed):
    module = pytl.parse(f"func @f(%0: {type_}, %1: index) {{ %x = {written} }}")
    pytl.verify(module)
    *_, last, _ = str(module).splitlines()
    canonical = printed or " ".join(written.replace("8,8:4", "8, 8:4").split())
    assert last.strip() == f"%x = {canonical}"


def test_a_whole_dynamic_mode_asks_for_its_size():
    module = pytl.parse("func @f(%A: memref<f32x4x?>) { %v = subview %A[:,:] : memref<f32x4x?> }")
    pytl.verify(module)
    assert str(module) == (
        "func @f(%A: memref<f32x4x?>) {\n  %0 = size %A[1] : index\n  %v = subview %A[0:4, 0:%0] : memref<f32x4x?>\n}"
    )


def findings(text):
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.verify(pytl.parse(text))
    return [(d.code, d.message) for d in caught.value.diagnostics]


def test_the_illegal_example_of_fuse():
    text = "func @f(%0: memref<f32x8x16,strided<1,10>>) { %x = fuse %0[0,1] : memref<f32x128> }"
    assert findings(text) == [("PYTL-0481", "fuse: the stride of mode 1 is 10, but mode 0 ends after 8 elements")]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        # the stride 16 of a mode behind 32 elements cannot be
        ("%x = fuse %0[1,3] : memref<f32x32x?x42,strided<1,32,?>>", "PYTL-0100"),
        ("%x = fuse %1[0,1] : memref<f32x128,strided<1,?>>", "PYTL-0001"),
        ("%x = subview %1[2:4, 0:7] : memref<f32x4x7,strided<1,8>", "PYTL-0001"),
    ],
)
def test_examples_that_are_slips_of_the_manual(text, code):
    parameters = "%0: memref<f32x32x16x?x4x42,strided<1,16,?,?,?>>, %1: memref<f32x8x16,strided<1,?>>"
    assert code in [entry[0] for entry in findings(f"func @f({parameters}) {{ {text}\n}}")]


def test_the_product_of_the_manual_has_two_names():
    text = "func @f(%a: memref<f32x4>,\n        %x: f32) {{\n  {} %x, %a, %a, %x, %a\n}}"
    assert str(pytl.parse(text.format("hadamard_product.atomic"), strict=True)) == text.format("hadamard.atomic")


@pytest.mark.parametrize(
    ("spelling", "code"),
    [
        ("%r = arith.add %x, 1.0 : f32", "PYTL-0020"),
        ("%r = load %A[0] : f32", "PYTL-0020"),
        ("%r = subview %A[:] : memref<f32x4>", "PYTL-0021"),
        ("%r = group_size : index", "PYTL-0022"),
        ("%r = cmp.lt %x, %x : f32", "PYTL-0023"),
        ("%r = alloca : memref<f32x4>", "PYTL-0024"),
        ("%r = constant 1.0 -> f32", "PYTL-0025"),
    ],
)
def test_spellings_that_are_read_are_errors_of_strict_reading(spelling, code):
    text = f"func @f(%A: memref<f32x4>, %x: f32, %n: index) {{ {spelling} }}"
    assert [entry[0] for entry in notes(text)] == [code]
    assert [d.code for d in parse_text(text, strict=True).diagnostics.errors] == [code]
    assert parse_text(str(pytl.parse(text)), strict=True).diagnostics.items == []
