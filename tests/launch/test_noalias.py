"""Parameters that share memory with no other: fewer barriers, and launches that refuse arrays that overlap."""

from __future__ import annotations

import numpy as np
import pytest

import pytl
from pytl import Memref, axpby, f32
from pytl.passes import Pipeline, find_pass


def barriers(text: str) -> int:
    return str(Pipeline([find_pass("insert-barrier")]).run(pytl.parse(text))).count("barrier")


BODY = """{
  %one = constant 1.0 : f32
  axpby.n %one, %x, %one, %y
  axpby.n %one, %z, %one, %w
}"""


@pytest.mark.parametrize(
    "said, of_function, wanted", [("", "", 1), ('{"noalias"=true}', "", 0), ("", ' attributes{"noalias"=true}', 0)]
)
def test_barriers_are_spared(said: str, of_function: str, wanted: int) -> None:
    """Without a promise, what the first instruction writes may be what the second reads or writes."""
    parameters = ", ".join(f"%{name}: memref<f32x8>{said}" for name in "xyzw")
    text = f"func @f({parameters}){of_function} {BODY}"
    assert barriers(text) == wanted
    # one memref's accesses wait for each other still
    assert barriers(text.replace("axpby.n %one, %z", "axpby.n %one, %y")) == 1


@pytl.kernel(noalias=True)
def both(x: Memref[f32, 4], y: Memref[f32, 4], z: Memref[f32, 4]):
    axpby(1.0, x, 1.0, y)
    axpby(1.0, x, 0.0, z)


def test_overlapping_arrays_are_refused_where_one_is_written() -> None:
    memory = np.arange(12, dtype=np.float32)
    x, y, z = memory[:4], memory[4:8].copy(), memory[8:].copy()
    both[1](x, y, z, backend="reference")
    np.testing.assert_array_equal(y, [4, 6, 8, 10])
    for arrays in ((memory[:4], memory[2:6], z), (x, y, memory[3:7]), (x, memory[6:10], memory[6:10])):
        with pytest.raises(pytl.LaunchError, match="PYTL-1270"):
            both[1](*arrays, backend="reference")


def test_arrays_that_are_only_read_may_overlap() -> None:
    @pytl.kernel(noalias=True)
    def sums(x: Memref[f32, 4], y: Memref[f32, 4], z: Memref[f32, 4]):
        axpby(1.0, x, 0.0, z)
        axpby(1.0, y, 1.0, z)

    memory, z = np.arange(6, dtype=np.float32), np.zeros(4, np.float32)
    sums[1](memory[:4], memory[2:], z, backend="reference")
    np.testing.assert_array_equal(z, [2, 4, 6, 8])


def test_the_promise_is_in_the_texts() -> None:
    assert '"noalias"=true' in str(both) and '"noalias"=true' in both.ir(dialect="0.4")
