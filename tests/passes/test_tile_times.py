"""Times of products under register tiles: what is kept of them, and the constants that are fitted to them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from passes_kit import checked, sycl_passes

from pytl.devices.processors import Processor
from pytl.ir.types import f32, f64
from pytl.passes import Pipeline
from pytl.passes.targets import calibrated
from pytl.passes.targets.host import machine_for
from pytl.passes.targets.machine import MACHINES, X86, Machine
from pytl.passes.tile_times import (
    ENOUGH,
    FILE,
    FITTED,
    MOST_PRODUCTS,
    Timed,
    decoded,
    encoded,
    error,
    fitted,
    gain,
    learn,
    timed_in,
)
from pytl.passes.tiles import Product, fitting_tiles

XEON = Processor(X86, "GenuineIntel", "a Xeon", 6, 85, frozenset({"avx2", "avx512f"}))
AVX512 = MACHINES["avx512"]
SIZES = [(35, 9, 35), (64, 20, 8), (40, 40, 40), (23, 23, 23), (48, 30, 17), (56, 9, 56)]


def timed_by(machine: Machine, size: tuple[int, int, int], element: Any = f32) -> Timed:
    """A product whose times are what the model of a machine predicts."""
    product = Product.plain(element, size, machine.caches.line)
    cheap = sorted(fitting_tiles(AVX512, [product]), key=lambda tile: tile.cost)
    of_tiles = {(tile.vectors, tile.columns, tile.unroll): 1.0 for tile in [*cheap[:8], *cheap[-4:]]}
    timed = Timed(product, of_tiles)
    return replace(timed, seconds={tile: 1e-9 * timed.cost(machine, tile) for tile in of_tiles})


def crowded(size: tuple[int, int, int]) -> Timed:
    """A product on a processor that is slower with many sums, and that loads more slowly than the preset says."""
    slower = replace(AVX512, tiles=replace(AVX512.tiles, load=2.0, each_load=0.6))
    timed = timed_by(slower, size)
    return replace(
        timed, seconds={tile: s * (1.4 if tile[0] * tile[1] > 16 else 1) for tile, s in timed.seconds.items()}
    )


def test_constants_that_explain_the_times_are_found() -> None:
    timed = [crowded(size) for size in SIZES]
    found = replace(AVX512, tiles=fitted(AVX512, timed))
    assert error(found, timed) < 0.8 * error(AVX512, timed)
    assert gain(AVX512, found, timed) > 1.02
    assert found.tiles.max_sums == 16
    changed = {
        name for name, value in vars(found.tiles).items() if name != "measured" and value != vars(AVX512.tiles)[name]
    }
    assert changed and changed <= {*FITTED}


def test_times_that_the_model_predicts_change_nothing() -> None:
    timed = [timed_by(AVX512, size, element) for size in SIZES[:2] for element in (f32, f64)]
    assert fitted(AVX512, timed) == AVX512.tiles
    assert error(AVX512, timed) == pytest.approx(0, abs=1e-9) and gain(AVX512, AVX512, timed) == 1


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    tmp_path.chmod(0o700)
    monkeypatch.setenv("PYTL_CACHE_DIR", str(tmp_path))
    return tmp_path


def test_the_machine_is_fitted_to_what_tuning_finds(folder: Path) -> None:
    for size in SIZES[: ENOUGH - 1]:
        assert learn(crowded(size), XEON) is None
    assert [path.name for path in folder.iterdir()] == [FILE]
    found = learn(crowded(SIZES[ENOUGH - 1]), XEON)
    assert found is not None and found.name.startswith("avx512-")
    assert found.tiles.measured.script == "pytl.tune" and found.tiles.max_sums == 16
    assert calibrated.calibrated_machine(XEON, machine_for(XEON)) == found
    # what was found explains the same times, so that nothing changes again
    assert learn(crowded(SIZES[0]), XEON) is None
    assert calibrated.calibrated_machine(XEON, machine_for(XEON)) == found
    # another processor has times of its own
    assert learn(crowded(SIZES[0]), replace(XEON, model=1)) is None


def test_times_as_predicted_leave_the_preset(folder: Path) -> None:
    machine = machine_for(XEON)
    for size in SIZES:
        assert learn(timed_by(machine, size), XEON) is None
    assert calibrated.calibrated_machine(XEON, machine_for(XEON)) is None


def test_without_a_folder_nothing_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.chmod(0o777)  # others may write there
    for size in SIZES:
        assert learn(crowded(size), XEON) is None
    assert not [*folder.iterdir()]
    monkeypatch.setenv("PYTL_CACHE_DIR", "")
    assert learn(crowded(SIZES[0]), XEON) is None


def test_the_latest_products_are_kept(folder: Path) -> None:
    one = timed_by(AVX512, SIZES[0])
    one = replace(one, seconds=dict([*one.seconds.items()][:2]))
    many = [replace(one, interleave=1 + number % 4) for number in range(MOST_PRODUCTS)]
    (folder / FILE).write_bytes(encoded(many, XEON))
    last = timed_by(AVX512, (8, 8, 8), f64)
    learn(last, XEON)
    kept = decoded((folder / FILE).read_bytes(), XEON, AVX512)
    assert len(kept) == MOST_PRODUCTS
    assert [each.interleave for each in kept[:-1]] == [each.interleave for each in many[1:]]
    assert dict(kept[-1].seconds) == dict(last.seconds) and kept[-1].product.element == f64
    assert kept[-1].product.rows == 8 and kept[-1].product.is_line_aligned


# What anybody may have written.


def written(change: Any) -> bytes:
    values = json.loads(encoded([timed_by(AVX512, SIZES[0])], XEON))
    change(values, values["products"][0])
    return json.dumps(values).encode()


def put(place: int, value: Any) -> Any:
    def change(_: Mapping[str, Any], product: list[Any]) -> None:
        product[place] = value

    return change


DAMAGED = {
    "nothing": b"",
    "no JSON": b"{",
    "nested": b"[" * 100_000,
    "too large": b" " * (1 << 21),
    "no products": written(lambda values, _: values.update(products=7)),
    "many products": written(lambda values, one: values.update(products=[one] * 65)),
    "no product": written(lambda values, _: values.update(products=[1])),
    "a part less": written(lambda _, one: one.pop()),
    "no element": written(put(0, "f33")),
    "a list for an element": written(put(0, [])),
    "no rows": written(put(1, 0)),
    "many rows": written(put(1, 1 << 40)),
    "a text for columns": written(put(2, "9")),
    "a truth value for a number": written(put(3, True)),
    "a number for a truth value": written(put(4, 1)),
    "interleaved too often": written(put(5, 5)),
    "one tile": written(put(8, [[1, 1, 1, 0.5]])),
    "many tiles": written(put(8, [[1, 1, 1, 0.5]] * 33)),
    "a tile of two numbers": written(put(8, [[1, 1, 0.5]] * 2)),
    "no vectors": written(put(8, [[0, 1, 1, 0.5]] * 2)),
    "no time": written(put(8, [[1, 1, 1, 0.0]] * 2)),
    "not a number": written(put(8, [[1, 1, 1, float("nan")]] * 2)),
    "a long time": written(put(8, [[1, 1, 1, 1e300]] * 2)),
    "a whole number for a time": written(put(8, [[1, 1, 1, 1]] * 2)),
}


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED.keys())
def test_a_damaged_file_is_made_anew(folder: Path, content: bytes) -> None:
    with pytest.raises(ValueError):
        decoded(content, XEON, AVX512)
    (folder / FILE).write_bytes(content)
    timed = timed_by(AVX512, SIZES[0])
    assert learn(timed, XEON) is None
    (kept,) = decoded((folder / FILE).read_bytes(), XEON, AVX512)
    assert dict(kept.seconds) == dict(timed.seconds)


def test_times_of_other_processors_and_formats_are_left_out() -> None:
    content = encoded([timed_by(AVX512, SIZES[0])], XEON)
    assert decoded(content, replace(XEON, family=7), AVX512) == []
    assert decoded(content.replace(b'"format": 1', b'"format": 2'), XEON, AVX512) == []


# What tuning has measured.

PRODUCT = """func @f(%a: memref<f32x16x16x?>, %b: memref<f32x16x16>, %c: memref<f32x16x16x?>) {
  %one = constant 1.0 : f32
  %g = builtin.group_id : index
  %x = subview %a[0:16, 0:16, %g] : memref<f32x16x16>
  %y = subview %c[0:16, 0:16, %g] : memref<f32x16x16>
  gemm.n.n %one, %x, %b, %one, %y
}"""


def decided(text: str, machine: str = "avx512") -> Any:
    passes = sycl_passes(interleave=1, processor=machine)
    last = next(number for number, each in enumerate(passes) if each.name == "cpu-schedule")
    return Pipeline(passes[: last + 1]).run_on(checked(text).functions[0])


def test_what_is_taken_of_a_tuned_function() -> None:
    timed = timed_in(decided(PRODUCT), AVX512, {"auto": 1.0, "1x4u2": 1.5, "1x8u1+1x8u1": 1.25, "auto+1x2": 9.0})
    assert timed is not None
    assert (timed.product.rows, timed.product.columns, timed.product.depth) == (16, 16, 16)
    assert timed.interleave == 1 and timed.shared == (True, True)
    assert timed.seconds[1, 4, 2] == 1.5 and timed.seconds[1, 8, 1] == 1.25 and len(timed.seconds) == 3
    # where data from memory have another tile, nobody knows which one was timed
    zen4 = decided(PRODUCT, "zen4")
    of_both = timed_in(zen4, MACHINES["zen4"], {"auto": 1.0, "1x4u2": 1.5, "1x8u1+1x8u1": 1.25})
    assert of_both is not None and set(of_both.seconds) == {(1, 4, 2), (1, 8, 1)}


def test_nothing_is_taken_of_other_functions() -> None:
    two = PRODUCT.replace("%one, %y", "%one, %y\n  gemm.n.n %one, %b, %b, %one, %y")
    for text in (PRODUCT.replace("gemm.n.n %one, %x, %b, %one, %y", "axpby.n %one, %x, %one, %y"), two):
        assert timed_in(decided(text), AVX512, {"auto": 1.0, "1x4u2": 1.5}) is None
    whole = """func @f(%a: memref<f32x16x?>, %b: memref<f32x?x16>, %c: memref<f32x16x16>) {
      %one = constant 1.0 : f32
      gemm.n.n %one, %a, %b, %one, %c
    }"""
    assert timed_in(decided(whole), AVX512, {"auto": 1.0, "1x4u2": 1.5}) is None
