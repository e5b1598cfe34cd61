"""typeguard: users' own functions annotated with pytl's types, and what a launch makes of typeguard's settings."""

from typing import Annotated, Any

import numpy as np
import pytest
import typeguard
from launch_kit import column_major, needs_sycl
from typeguard import TypeCheckError, check_type, typechecked

import pytl
from pytl import Group, Memref, align, axpby, bf16, bool_, c64, f32, i8, index, strides
from pytl.launch.arrays import typecheck

typecheck._register()  # as typeguard does by itself where pytl is installed


@typechecked
def host(alpha: f32, A: Memref[f32, 4, ...], G: Group[f32, 4, 4], n: i8 = 0) -> bool_:
    return bool(A.shape[1] > n)


def test_arguments_that_fit() -> None:
    items = [column_major(4, 4), column_major(4, 4)]
    assert host(1.0, column_major(4, 3), items)
    assert host(np.float32(2), column_major(4, 0), column_major(4, 4, 2), -128) is True


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            (1j, column_major(4, 3), []),
            'argument "alpha" (complex) is the complex number 1j, but the parameter is f32',
        ),
        (
            (1.0, np.ones((4, 3), np.float32), []),
            'argument "A" (numpy.ndarray) has the strides (3, 1) in elements, but memref<f32x4x?> needs (1, 4)',
        ),
        (
            (1.0, column_major(4, 3, dtype=np.float64), []),
            'argument "A" (numpy.ndarray) has the data type float64, but the elements are f32',
        ),
        (
            (1.0, column_major(3, 3).astype(int), []),
            'argument "A" (numpy.ndarray) has the data type int64, but the elements are f32; '
            "has the shape 3x3, but memref<f32x4x?> needs 4x?",
        ),
        (
            (1.0, column_major(4, 3), [column_major(4, 4), None]),
            'argument "G" (list) [1] is None, but memref<f32x4x4> is expected',
        ),
        ((1.0, column_major(4, 3), [], 200), 'argument "n" (int) is 200, but i8 holds -128 … 127'),
    ],
)
def test_arguments_that_do_not_fit(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(TypeCheckError) as caught:
        host(*arguments)
    assert str(caught.value) == message


def test_results() -> None:
    @typechecked
    def make(shape: tuple[int, int]) -> Memref[f32, ..., ...]:
        return np.zeros(shape, np.float32)

    with pytest.raises(TypeCheckError, match=r"^the return value \(numpy.ndarray\) has the strides"):
        make((3, 4))
    assert make((3, 1)).shape == (3, 1)


def test_types_within_types() -> None:
    x = column_major(4)
    assert check_type([x, x], list[Memref[f32, 4]])[1] is x
    assert check_type(None, Memref[f32, 4] | None) is None
    assert check_type({"x": x}, dict[str, Memref[f32, 4]])["x"] is x
    with pytest.raises(TypeCheckError, match="item 1 of list has the shape 5, but memref<f32x4> needs 4"):
        every = typeguard.CollectionCheckStrategy.ALL_ITEMS
        check_type([x, column_major(5)], list[Memref[f32, 4]], collection_check_strategy=every)
    with pytest.raises(TypeCheckError, match="did not match any element in the union"):
        check_type("text", Memref[f32, 4] | f32)
    assert check_type(1.5, Memref[f32, 4] | f32) == 1.5


def test_attributes_of_annotated() -> None:
    memory = np.zeros(64, np.float32)
    memory = memory[-memory.ctypes.data // 4 % 16 :]
    asserted = Annotated[Memref[f32, 4], "a remark of another library's", align(64)]
    check_type(memory[:4], asserted)
    with pytest.raises(TypeCheckError, match="but the parameter asserts 64"):
        check_type(memory[1:5], asserted)


@pytest.mark.parametrize(
    ("value", "annotation"),
    [
        (1, i8),
        (1, index),
        (1.5, bf16),
        (1j, c64),
        (True, bool_),
        (np.zeros(9, np.float32)[::3], Memref[f32, 3, strides(3)]),
    ],
    ids=str,
)
def test_every_kind_of_type(value: Any, annotation: Any) -> None:
    check_type(value, annotation)
    with pytest.raises(TypeCheckError):
        check_type("text", annotation)


def test_other_annotations_are_left_alone() -> None:
    class Known:
        pass

    for annotation in (int, str, list[int], Known, np.ndarray, Annotated[int, "remark"], None, "memref<f32x4>", 3):
        assert typecheck.lookup(annotation, (), ()) is None
    assert typecheck.lookup(Memref, (), ()) is None
    with pytest.raises(TypeCheckError, match="is not an instance of int"):
        check_type("text", int)


def test_one_registration() -> None:
    typecheck._register()
    assert typeguard.checker_lookup_functions.count(typecheck.lookup) == 1


@pytl.kernel
def double(x: Memref[f32, 4]):
    axpby(1.0, x, 1.0, x)


def test_a_launch_checks_where_typeguard_is_told_not_to() -> None:
    x = np.ones(4, np.float32)
    with typeguard.suppress_type_checks():
        double[1](x, backend="reference")
        with pytest.raises(pytl.LaunchError, match="PYTL-2003"):
            double[1](x.astype(np.float64), backend="reference")
    assert (x == 2.0).all()


def test_typechecked_code_that_launches() -> None:
    @typechecked
    def run(x: Memref[f32, 4]) -> None:
        double[1](x, backend="reference")

    x = np.ones(4, np.float32)
    run(x)
    assert (x == 2.0).all()
    with pytest.raises(TypeCheckError):
        run(np.ones(5, np.float32))


@needs_sycl
def test_device_arrays() -> None:
    from device_kit import dpt

    check_type(dpt.zeros(4, dtype="f4"), Memref[f32, 4])
    with pytest.raises(TypeCheckError, match="has the data type float64"):
        check_type(dpt.zeros(4, dtype="f8"), Memref[f32, 4])


def test_the_entry_point() -> None:
    tomllib = pytest.importorskip("tomllib")  # Python 3.11
    from importlib.metadata import EntryPoint
    from pathlib import Path

    project = tomllib.loads((Path(pytl.__file__).parents[1] / "pyproject.toml").read_text())["project"]
    ((name, value),) = project["entry-points"]["typeguard.checker_lookup"].items()
    assert EntryPoint(name, value, "typeguard.checker_lookup").load() is typecheck.lookup
