"""Components of small vectors, which lie side by side, in a foreach over the vectors."""

from __future__ import annotations

import pytest
from passes_kit import assert_meaning_kept, assert_printed_and_read, sycl_passes

from pytl.ir.values import Module
from pytl.passes.targets import vector


def text(count: int, points: int, order: str = "loads first", static: bool = True) -> str:
    """Each component of y becomes the sum of that of x and the next one."""
    extent = points if static else "?"
    loads = [f"%a{k} = load %x[%c{k}, %i, %g] : f32" for k in range(count)]
    sums = [f"%s{k} = arith.add %a{k}, %a{(k + 1) % count} : f32" for k in range(count)]
    stores = [f"store %s{k}, %y[%c{k}, %i, %g]" for k in range(count)]
    if order == "same memory":  # a store to x between its loads
        loads.insert(1, "store %a0, %x[%c1, %i, %g]")
    if order == "incomplete":
        del stores[-1], sums[-1]
    lines = [f"%c{k} = constant {k} : index" for k in range(count)]
    end = f"%end = constant {points} : index" if static else "%end = size %x[1] : index"
    body = "\n".join([*loads, *sums, *stores])
    type_ = f"memref<f32x{count}x{extent}x?>"
    return (
        f"func @f(%x: {type_}, %y: {type_}) {{\n%g = builtin.group_id : index\n%none = constant 0 : index\n"
        + "\n".join(lines)
        + f"\n{end}\nforeach (%i) = (%none), (%end) {{\n{body}\n}}\n}}"
    )


def vectorized(source: str) -> Module:
    module = assert_meaning_kept(source, *sycl_passes())
    assert_printed_and_read(module)
    return module


def strided(module: Module) -> list[int]:
    """How many loads and stores have lanes that are no neighbours in memory."""
    found = [op for op in module.functions[0].walk() if isinstance(op, (vector.Load, vector.Store)) and op.mode != 0]
    loads = sum(isinstance(op, vector.Load) for op in found)
    return [loads, len(found) - loads]


@pytest.mark.parametrize(("count", "points"), [(2, 16), (3, 21), (4, 16), (6, 5)])
def test_components_are_whole_vectors_of_memory(count: int, points: int) -> None:
    module = vectorized(text(count, points))
    assert strided(module) == [0, 0]
    assert sum(isinstance(op, vector.Shuffle) for op in module.functions[0].walk()) >= 2 * count


def test_points_whose_number_is_known_at_run_time() -> None:
    module = vectorized(text(4, 21, static=False))
    assert "vector.shuffle" in str(module)
    assert strided(module) == [0, 0]


@pytest.mark.parametrize(("order", "loads", "stores"), [("same memory", 12, 1), ("incomplete", 4, 3)])
def test_accesses_stay_apart(order: str, loads: int, stores: int) -> None:
    """Loads are not moved over a store to what they load, so that each of the other three has vectors of its own, and
    memory that is not stored stays as it is.
    """
    module = vectorized(text(4, 16, order))
    assert strided(module) == [0, stores]
    assert sum(isinstance(op, vector.Load) for op in module.functions[0].walk()) == loads


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3), (4, 2)])
def test_the_elements_of_small_matrices_are_components(rows: int, columns: int) -> None:
    """Each element of y becomes that of x in the opposite place."""
    places = [(i, j) for j in range(columns) for i in range(rows)]
    type_ = f"memref<f32x{rows}x{columns}x16x?>"
    lines = [f"%c{k} = constant {k} : index" for k in range(16 + 1)]
    loads = [f"%a{i}{j} = load %x[%c{i}, %c{j}, %i, %g] : f32" for i, j in places]
    stores = [f"store %a{rows - 1 - i}{columns - 1 - j}, %y[%c{i}, %c{j}, %i, %g]" for i, j in places]
    body = "\n".join([*loads, *stores])
    module = vectorized(
        f"func @f(%x: {type_}, %y: {type_}) {{\n%g = builtin.group_id : index\n"
        + "\n".join(lines)
        + f"\nforeach (%i) = (%c0), (%c16) {{\n{body}\n}}\n}}"
    )
    assert strided(module) == [0, 0]
    assert "vector.shuffle" in str(module)


def test_a_component_that_is_loaded_twice_is_loaded_once() -> None:
    body = text(3, 16).replace("%s1 =", "%again = load %x[%c1, %i, %g] : f32\n%s1 =").replace("add %a1,", "add %again,")
    assert strided(vectorized(body)) == [0, 0]
