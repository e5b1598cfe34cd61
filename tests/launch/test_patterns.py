"""Arguments of parameters with a pattern: what the reference backend looks at, and what samples are."""

import numpy as np
import pytest

import pytl
from pytl import Group, LaunchError, Memref, axpby, f32, group_id, offset, pattern

LOWER = pattern([[1, 0], [1, 1]])


@pytl.kernel
def add(A: Memref[f32, 2, 2, ..., LOWER], G: Group[f32, 2, 2, offset(...), LOWER], B: Memref[f32, 2, 2, ...]):
    g = group_id()
    axpby(1.0, A[:, :, g], 0.0, B[:, :, g])
    axpby(1.0, G[g], 1.0, B[:, :, g])


def lower(*shape: int) -> np.ndarray:
    array = np.ones((2, 2, *shape), np.float32, order="F")
    array[0, 1] = 0
    return array


def test_what_is_zero_outside_of_patterns_is_taken():
    b = np.zeros((2, 2, 3), np.float32, order="F")
    add[3](lower(3), pytl.pointers([lower(), lower(), lower()]), b, backend="reference")
    assert (b == 2 * lower(3)).all()


@pytest.mark.parametrize("position", [0, 1])
def test_what_is_not_is_named(position):
    a, items = lower(3), [lower(), lower(), lower()]
    if position:
        items[2][0, 1] = 5
    else:
        a[0, 1, 2] = 5
    arrays = (a, pytl.pointers(items))
    b = np.zeros((2, 2, 3), np.float32, order="F")
    with pytest.raises(LaunchError) as caught:
        add[3](*arrays, b, backend="reference")
    (found,) = caught.value.diagnostics
    name = ("A[0, 1, 2]", "G[2][0, 1]")[position]
    assert (found.code, found.message) == ("PYTL-2023", f"{name} is 5.0, but it is outside of the pattern")
    assert found.location.source.name == __file__
    add[3, {"checks": False}](*arrays, b, backend="reference")
    assert b[0, 1, 2] == 5


def test_random_arguments_are_zero_there():
    from pytl.tools.sample import random_arguments

    (a, g, _), _ = random_arguments(add, 3, 0, ["G.offset=1"], {})
    add[3](a, g, np.zeros((2, 2, 3), np.float32, order="F"), backend="reference")
    assert not a[0, 1].any() and a[1].all()
