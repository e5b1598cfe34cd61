"""What the SYCL backend does not compile yet is said of all instructions at once, with what to do."""

import pytest

import pytl

TEXT = """func @f(%a: memref<f32x16x8>, %c: memref<f32x16>, %x: f32, %n: index) {
  parallel {
    %m = cooperative_matrix_load.n %a[%n, %n] : coopmatrix<f32x16x8,matrix_acc>
    cooperative_matrix_store %m, %a[%n, %n]
    cooperative_matrix_store %m, %a[%n, %n]
    %r = subgroup_add.reduce %x : f32
    store.atomic %r, %c[%n]
  }
}"""


def test_each_instruction_is_named_once():
    kernel = pytl.compile(TEXT)["f"]
    with pytest.raises(pytl.PytlError) as caught:
        kernel.emit("numba_dpex")
    found = [(d.code, d.message, d.location.line) for d in caught.value.diagnostics]
    assert found == [
        ("PYTL-3010", "numba_dpex does not compile cooperative_matrix_load yet", 3),
        ("PYTL-3010", "numba_dpex does not compile cooperative_matrix_store yet", 4),
        ("PYTL-3010", "numba_dpex does not compile subgroup_add.reduce yet", 6),
    ]
    assert 'launch with backend="reference"' in str(caught.value)
