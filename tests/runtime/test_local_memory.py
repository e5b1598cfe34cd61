"""How much local memory a kernel may have where it is private memory."""

import numpy as np
import pytest
from launch_kit import needs_sycl

import pytl
from pytl.backends import rules
from pytl.backends.numba_dpex.limits import MOST_PRIVATE

pytestmark = needs_sycl


def filling(count: int) -> pytl.Kernel:
    """A kernel that writes all of its local memory, and reads its ends."""
    text = f"""
    func @fill(%x: memref<f32x?>) {{
      %t = alloca : memref<f32x{count},local>
      %z = constant 0 : index
      %n = constant {count} : index
      %last = constant {count - 1} : index
      %g = group_id : index
      %v = load %x[%g] : f32
      foreach (%i) = (%z), (%n) {{ store %v, %t[%i] }}
      %a = load %t[%z] : f32
      %b = load %t[%last] : f32
      %c = arith.add %a, %b : f32
      store %c, %x[%g]
    }}"""
    return pytl.compile(text)["fill"]


def test_a_work_item_may_have_more_than_the_device_has() -> None:
    x = np.arange(40, dtype=np.float32)
    filling(MOST_PRIVATE // 4)[40](x, backend="sycl")
    assert x.tolist() == [2.0 * k for k in range(40)]


def test_work_items_that_share_it_may_not() -> None:
    x = np.ones(4, np.float32)
    with pytest.raises(pytl.LaunchError) as caught:
        filling(2 * MOST_PRIVATE)[4, {"strategy": "many-items"}](x, backend="sycl")
    assert caught.value.code == rules.LOCAL_MEMORY.code and (x == 1).all()
