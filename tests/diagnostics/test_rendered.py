"""The likely mistakes, word for word as a user reads them."""

import pytest

import pytl
from pytl.diagnostics import render_line

SIGNATURE = """func @kernel(%alpha: f32,
             %A: group<memref<f32x16x8>x?>,
             %B: memref<f32x8x4>,
             %D: memref<f32x16x4x?>,
             %i: i32) {
  %g = builtin.group_id : index
  %a = load %A[%g] : memref<f32x16x8>
  %d = subview %D[0:16, 0:4, %g] : memref<f32x16x4>
"""
MATRIX, FACTOR = "coopmatrix<f32x16x4,matrix_acc>", "coopmatrix<f32x16x4,matrix_a>"
IN_PARALLEL = f"parallel {{\n    %m = constant 1.0 : {MATRIX}\n    "
MISTAKES = {
    "misspelled name": "gemm.n.n %alhpa, %a, %B, %alpha, %d",
    "misspelled instruction": "gem.n.n %alpha, %a, %B, %alpha, %d",
    "missing transposes": "gemm %alpha, %a, %B, %alpha, %d",
    "wrong transpose": "gemm.n.t %alpha, %a, %B, %alpha, %d",
    "group instead of its item": "gemm.n.n %alpha, %A, %B, %alpha, %d",
    "forgotten name": "subview %d[0:8, 0] : memref<f32x8>",
    "integer for a float": "%one = constant 1 : f32",
    "mixed types": "%x = arith.add %alpha, %i : f32",
    "wrong index type": "%x = load %B[%i, %g] : f32",
    "too few indices": "%x = load %B[%g] : f32",
    "slice beyond its mode": "%s = subview %B[4:8, 0] : memref<f32x8>",
    "unknown size in a slice": "%s = subview %D[0:16, 0:4, 0:?] : memref<f32x16x4x?>",
    "strides of a view": "%s = subview %a[0:8, 0:8] : memref<f32x8x8>",
    "collective in parallel": "parallel {\n    gemm.n.n %alpha, %a, %B, %alpha, %d\n  }",
    "defined again": "%a = alloca : memref<f32x16x8,local>",
    "used behind its region": "if %p {\n  }",
    "loop bounds of another type": "for %k: i32 = %g, %g {\n  }",
    "missing else": "%p = cmp.lt %i, %i : bool\n  %r = if %p -> (f32) {\n    yield (%alpha)\n  }",
    "dynamic alloca": "%t = alloca : memref<f32x?,local>",
    "atomic factor": "gemm.n.n.atomic %alpha, %a, %B, %alpha, %d",
    "literal for infinity": "%x = constant infinity : f32",
    "order of fences": "barrier.local.global",
    "component beyond those of a work-item": f"{IN_PARALLEL}%r = v04.cooperative_matrix_extract %m[4] : f32\n  }}",
    "number of another type": f"{IN_PARALLEL}%r = v04.cooperative_matrix_insert %i, %m[0] : {MATRIX}\n  }}",
    "transposed store outside": f"{IN_PARALLEL}v04.cooperative_matrix_store.t %m, %d[%g, %g]\n  }}",
    "transposed store of the dialect": f"{IN_PARALLEL}cooperative_matrix_store.t %m, %d[%g, %g]\n  }}",
    "load that releases": f"{IN_PARALLEL}%r = v04.cooperative_matrix_atomic_load.release %d[%g, %g] : {MATRIX}\n  }}",
    "update of another use": f"{IN_PARALLEL}%r = v04.cooperative_matrix_atomic_add %m, %d[%g, %g] : {FACTOR}\n  }}",
    "barrier in tiles": "v04.foreach_tile (%x) = (%g), (%g) as (%s) <= (16) {\n    barrier.local\n  }",
    "names of tiles": "v04.foreach_tile (%x) = (%g), (%g) as (%s, %t) <= (16) {\n  }",
    "size of tiles": "v04.foreach_tile (%x) = (%g), (%g) as (%s) <= (0) {\n  }",
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake(name, golden):
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.verify(pytl.parse(f"{SIGNATURE}  {MISTAKES[name]}\n}}\n", "kernel.tl"))
    golden(f"mistakes/{name.replace(' ', '-')}.txt", str(caught.value).lstrip("\n") + "\n")


def test_a_missing_brace(golden):
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.parse(f"{SIGNATURE}  parallel {{\n}}\n\nfunc @next() {{\n}}\n", "kernel.tl")
    golden("mistakes/missing-brace.txt", str(caught.value).lstrip("\n") + "\n")


def test_several_mistakes_at_once(golden):
    text = SIGNATURE + "  %x = arith.add %alpha, %i : f32\n  store %alpha, %B[8, 0]\n  %y = constant 1 : f64\n}\n"
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.verify(pytl.parse(text, "kernel.tl"))
    golden("mistakes/several.txt", str(caught.value).lstrip("\n") + "\n")
    assert [render_line(d) for d in caught.value.diagnostics] == [
        "kernel.tl:9:8: error[PYTL-0401]: arith.add: the operands are f32 and i32",
        "kernel.tl:10:3: error[PYTL-0415]: store: index 8 is out of bounds in mode 0, whose size is 8",
        "kernel.tl:11:8: error[PYTL-0420]: constant: 1 is an integer constant, but the type is f64",
    ]


def test_strict_reading(golden):
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.parse(SIGNATURE + "  %s = subview %d[:, 0] : memref<f32x16>\n  %x = group_size : index\n}", strict=True)
    golden("mistakes/strict.txt", str(caught.value).lstrip("\n") + "\n")
