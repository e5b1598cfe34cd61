"""How much local memory a kernel may have where it is private memory."""

import numpy as np
import pytest
from launch_kit import needs_sycl
from local_memory_kit import filling

import pytl
from pytl.backends import rules
from pytl.backends.numba_dpex.limits import MAX_PRIVATE

pytestmark = needs_sycl


def test_a_work_item_may_have_more_than_the_device_has() -> None:
    x = np.arange(40, dtype=np.float32)
    filling(MAX_PRIVATE // 4)[40](x, backend="sycl")
    assert x.tolist() == [2.0 * k for k in range(40)]


def test_work_items_that_share_it_may_not() -> None:
    x = np.ones(4, np.float32)
    with pytest.raises(pytl.LaunchError) as caught:
        filling(2 * MAX_PRIVATE)[4, {"strategy": "many-items"}](x, backend="sycl")
    assert caught.value.code == rules.LOCAL_MEMORY.code and (x == 1).all()
