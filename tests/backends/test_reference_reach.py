"""Views out of bounds may be formed, also views on them; what is outside may not be accessed by any instruction."""

from __future__ import annotations

import numpy as np
import pytest
from reference_kit import dense, failure, run

import pytl
from pytl.backends.reference.view_bounds import followed
from pytl.ir.registry import all_instructions

HEAD = "func @f(%n: index, %r: memref<f32x4x4>, %o: memref<f32x4>) attributes{subgroup_size=4, work_group_size=[4,1]} {"
START = """%z = constant 0 : index %m1 = constant -1 : index %c2 = constant 2 : index %c4 = constant 4 : index
 %one = constant 1.0 : f32 %zero = constant 0.0 : f32"""
VIEW = "%v = subview %r[%n:4, 1] : memref<f32x4>"
"""Its elements are %r[n…n+3, 1]."""


def text(body: str) -> str:
    return f"{HEAD} {START}\n{body}\n}}"


def numbered() -> np.ndarray:
    return dense(np.arange(16).reshape(4, 4))


@pytest.mark.parametrize(
    ("body", "n", "wanted"),
    [
        (f"{VIEW} %x = load %v[%z] : f32 store %x, %o[%z]", 3, 13),
        (f"{VIEW} %x = load %v[%c2] : f32 store %x, %o[%z]", -2, 1),
        (f"{VIEW} %w = subview %v[2:2] : memref<f32x2> %x = load %w[%z] : f32 store %x, %o[%z]", -2, 1),
        (f"{VIEW} %w = expand %v[0->2 x 2] : memref<f32x2x2> %x = load %w[%z,%z] : f32 store %x, %o[%z]", 3, 13),
        (f"{VIEW} %s = size %v[0] : index %y = cast %s : f32 store %y, %o[%z]", 9, 4),
        ("%v = subview %r[0:4, %n] : memref<f32x4>", 7, 0),
        (f"{VIEW} %w = subview %v[2:2] : memref<f32x2> %p = subview %o[0:2] : memref<f32x2>"
         " axpby.n %one, %w, %zero, %p", -2, 1),
    ],
)  # fmt: skip
def test_what_lies_in_the_tensor_is_accessed(body: str, n: int, wanted: float) -> None:
    o = dense(np.zeros(4))
    run(text(body), n, numbered(), o)
    assert o[0] == wanted


OUT = "%v is at 4 in mode 0 of %r, whose size is 4"
MATRIX = "coopmatrix<f32x4x1,matrix_acc>"
CASES = {
    "load": (f"{VIEW}\n%x = load %v[%c2] : f32", 2, f"load: element (2) of {OUT} (work-group 0)"),
    "store": (f"{VIEW}\nstore %one, %v[%z]", -1, "store: element (0) of %v is at -1 in mode 0 of %r, whose size is 4"),
    "atomic": (f"{VIEW}\nstore.atomic_add %one, %v[%c2]", 2, f"store: element (2) of {OUT} (work-group 0)"),
    "far": (f"{VIEW}\nstore %one, %v[%z]", 2**62, f"store: element (0) of %v is at {2**62} in mode 0 of %r, whose"),
    "index": (
        "%v = subview %r[:, %n] : memref<f32x4>\n%x = load %v[%z] : f32",
        4,
        "load: element (0) of %v is at 4 in mode 1 of %r, whose size is 4",
    ),
    "read as a whole": (f"{VIEW}\naxpby.n %one, %v, %one, %o", 1, f"axpby: element (3) of {OUT}"),
    "written as a whole": (f"{VIEW}\naxpby.n %one, %o, %zero, %v", 1, f"axpby: element (3) of {OUT}"),
    "factor": (
        "%v = subview %r[%n:4, :] : memref<f32x4x4>\ngemv.n %one, %v, %o, %zero, %o",
        -1,
        "gemv: element (0, 0) of %v is at -1 in mode 0 of %r, whose size is 4",
    ),
    "view on a view": (
        f"{VIEW} %w = subview %v[1:2] : memref<f32x2> %x = load %w[%z] : f32\n%y = load %w[1] : f32",
        2,
        "load: element (1) of %w is at 4 in mode 0 of %r, whose size is 4",
    ),
    "twice outside": (
        f"{VIEW} %m = arith.sub %n, %c4 : index %w = subview %v[%m:2] : memref<f32x2>\n%x = load %w[%z] : f32",
        3,
        "load: element (0) of %w is at -1 in mode 0 of %v, whose size is 4",
    ),
    "expanded": (
        f"{VIEW} %w = expand %v[0->2 x 2] : memref<f32x2x2> %x = load %w[1,0] : f32\n%y = load %w[0,1] : f32",
        2,
        "load: element (0, 1) of %w is at 4 in mode 0 of %r, whose size is 4",
    ),
    "fused": (
        "%v = subview %r[:, %n:2] : memref<f32x4x2> %w = fuse %v[0,1] : memref<f32x8>\n%y = load %w[5] : f32",
        3,
        "load: element (5) of %w is at 4 in mode 1 of %r, whose size is 4",
    ),
    "some lanes": (
        "foreach (%i) = (%z), (%c4) {\n%v = subview %r[%i:2, 0] : memref<f32x2> %x = load %v[1] : f32 }",
        0,
        "load: element (1) of %v is at 4 in mode 0 of %r, whose size is 4 (work-group 0, iteration (3))",
    ),
    "matrix": (
        "%v = subview %r[%n:4, :] : memref<f32x4x4> parallel {\n"
        f"%x = cooperative_matrix_load.n %v[%z,%z] : {MATRIX} }}",
        1,
        "cooperative_matrix_load: element (3, 0) of %v is at 4 in mode 0 of %r, whose size is 4 (work-group 0, work-it",
    ),
    "matrix, checked": (
        "%v = subview %r[%n:4, :] : memref<f32x4x4> parallel {\n"
        f"%x = constant 1.0 : {MATRIX} cooperative_matrix_store.both_checked %x, %v[%c2,%z] }}",
        1,
        "cooperative_matrix_store: element (3, 0) of %v is at 4 in mode 0 of %r, whose size is 4",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_lies_outside_is_not(case: str) -> None:
    body, n, message = CASES[case]
    before = numbered()
    found = failure(text(body), n, before, dense(np.ones(4)), code="PYTL-4002", line=4)
    assert found.startswith(message)
    np.testing.assert_array_equal(before, numbered())


def test_an_empty_view_is_an_error_by_itself() -> None:
    assert "is not positive" in failure(
        text("\n%v = subview %r[0:%n, 1] : memref<f32x?>"), 0, numbered(), dense(np.ones(4)), code="PYTL-4002", line=4
    )


def test_of_a_view_out_of_bounds_nothing_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    @pytl.kernel
    def show(r: pytl.Memref[pytl.f32, ...], n: pytl.Memref[pytl.index]):
        print(r[n[()] : n[()] + 2])

    show[1](np.arange(4, dtype=np.float32), np.array(3), backend="reference")
    assert capsys.readouterr().out == "[work-group 0] --\n"


def test_strict_views_are_an_option_and_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a launch does not know it before: what every work-group takes is looked at anyway (PYTL-2060)."""
    kernel = pytl.compile(
        text("%m = load %r[0,3] : f32 %k = cast %m : index %v = subview %r[%k:4, 1] : memref<f32x4>")
    )["f"]
    given = (3, numbered(), dense(np.ones(4)))
    kernel[1](*given, backend="reference")
    with pytest.raises(pytl.ExecutionError, match="slice 3:4 of mode 0 ends at 7"):
        kernel[1, {"strict_views": True}](*given, backend="reference")
    monkeypatch.setenv("PYTL_STRICT_VIEWS", "1")
    with pytest.raises(pytl.ExecutionError, match="slice 3:4 of mode 0 ends at 7"):
        kernel[1](*given, backend="reference")
    kernel[1, {"strict_views": False}](*given, backend="reference")


def test_parts_of_complex_numbers_are_followed() -> None:
    body = """func @f(%n: index, %c: memref<c32x4>, %o: memref<f32>) {
      %v = subview %c[%n:2] : memref<c32x2>
      %w = v04.expandc2r %v : memref<f32x2x2>
      %x = load %w[1,1] : f32 store %x, %o[] }"""
    c, o = dense(np.arange(4) + 2j, "c32"), np.zeros((), np.float32)
    run(body, 2, c, o)
    assert o == 2
    message = failure(body, 3, c, o, code="PYTL-4002", line=4)
    assert message == "load: element (1, 1) of %w is at 4 in mode 0 of %c, whose size is 4 (work-group 0)"


def test_elements_of_every_view_are_followed() -> None:
    views = [cls for cls in (*all_instructions(), *all_instructions("v04")) if cls.view_of is not None]
    assert [cls.mnemonic for cls in views if not followed(cls)] == []
