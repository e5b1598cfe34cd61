"""cpu-tiles and the model behind it: how the result of a product is cut."""

import itertools
from dataclasses import replace

import pytest
from passes_kit import checked, stage, sycl_passes

import pytl
from pytl.ir.types import SCALAR_TYPES
from pytl.ir.values import Function
from pytl.ops import Gemm
from pytl.passes import Pipeline, find_pass
from pytl.passes.cpu_tiles import kernels_with_products, tilings, words_of
from pytl.passes.targets import cpu
from pytl.passes.targets.costs import RegisterTileCosts
from pytl.passes.targets.cpu_attributes import LANES, VECTORS
from pytl.passes.targets.machine import DEFAULT
from pytl.passes.targets.machine import MACHINES as BY_NAME
from pytl.passes.targets.tile_words import tile_of
from pytl.passes.tiles import (
    CACHE,
    MEMORY,
    PREFETCHED,
    Product,
    Tile,
    choose_tile,
    fitting_tiles,
    lanes_for,
    needs_all_rows,
    parts,
    products_of,
)


def product(m: object, n: object, k: object, element: str = "f32") -> str:
    one = "[1.0, 0.0]" if element.startswith("c") else "1" if element.startswith("i") else "1.0"
    return f"""func @f(%a: memref<{element}x{m}x{k}>, %b: memref<{element}x{k}x{n}>, %c: memref<{element}x{m}x{n}>) {{
      %one = constant {one} : {element}
      gemm.n.n %one, %a, %b, %one, %c
    }}"""


TWO = product(100, 100, 100).replace("\n    }", "\n      gemm.n.t %one, %a, %c, %one, %b\n    }")


@pytest.mark.at_night
def test_each_kernel_gets_the_tile_that_is_asked_for_it():
    shown = stage(TWO, "cpu-tiles", 1, tile="2x8u4+auto+1x1")
    assert shown.startswith(
        """%one = constant 0x1p+0 : f32
cpu.kernel {"accumulate"=[1], "lanes"=16, "vectors"=2, "columns"=8, unroll=4} {
  gemm.n.n %one, %a, %b, %one, %c
}
cpu.kernel {"accumulate"=[1], "lanes"=16, "vectors"="""
    )
    own = stage(TWO, "cpu-tiles", 1).splitlines()
    own[4] = 'cpu.kernel {"accumulate"=[1], "lanes"=16, "vectors"=2, "columns"=8, unroll=1} {'
    assert stage(TWO, "cpu-tiles", 1, tile="auto+2x8").splitlines() == own


@pytest.mark.at_most(1)
@pytest.mark.parametrize(("count", "are_outlined"), [(11, False), (12, True)])
def test_many_kernels_are_functions_of_their_own(count, are_outlined):
    products = [
        f"%c{k} = subview %c[0:4, 0:4, {k}] : memref<f32x4x4> gemm.n.n 1.0, %a, %a, 0.0, %c{k}" for k in range(count)
    ]
    text = f"func @f(%a: memref<f32x4x4>, %c: memref<f32x4x4x12>) {{ {' '.join(products)} }}"
    shown = stage(text, "cpu-tiles", 1, items=1)
    assert shown.count("cpu.kernel") == count and shown.count('"outlined"=true') == count * are_outlined


def test_a_foreach_has_lanes_and_no_tile():
    text = "func @f(%a: memref<f32x40>, %b: memref<f32x40>) { axpby.n 1.0, %a, 0.0, %b }"
    shown = stage(text, "cpu-tiles", 1, tile="2x8u4", items=1)
    assert 'cpu.kernel {"lanes"=16} {' in shown


def test_what_is_left_over_is_short():
    text = """func @f(%a: memref<f32x4x4>, %c: memref<f32x4x4x?>) {
      %one = constant 1.0 : f32
      %g = builtin.group_id : index
      %x = subview %c[0:4, 0:4, %g] : memref<f32x4x4>
      gemm.n.n %one, %a, %a, %one, %x
    }"""
    assert stage(text, "cpu-tiles", items=8, interleave=2, prefetch=0, tile="1x2u3") == (
        """%one = constant 0x1p+0 : f32
cpu.items {"items"=8} %g, %g_1 {
  %x = subview %c[0:4, 0:4, %g] : memref<f32x4x4>
  %x_1 = subview %c[0:4, 0:4, %g_1] : memref<f32x4x4>
  cpu.kernel {"accumulate"=[1], "interleave"=2, "lanes"=4, "vectors"=1, "columns"=2, unroll=3} {
    gemm.n.n %one, %a, %a, %one, %x
    gemm.n.n %one, %a, %a, %one, %x_1
  }
} remainder %g {
  %x = subview %c[0:4, 0:4, %g] : memref<f32x4x4>
  cpu.kernel {"accumulate"=[1], "lanes"=4, "vectors"=1, "columns"=4, unroll=1} {
    gemm.n.n %one, %a, %a, %one, %x
  }
}"""
    )


# The second product writes what the first one reads as a whole.
CHAIN = """func @f(%b: memref<f32x32x32>, %c: memref<f32x3x3>, %x: memref<f32x32x3>) {
  %t = alloca : memref<f32x32x3,local>
  gemm.n.n 1.0, %b, %x, 0.0, %t
  gemm.n.n 1.0, %t, %c, 1.0, %x
}"""


def kernels(text: str, **options: object) -> list[cpu.Kernel]:
    *deciding, _ = sycl_passes(**options)  # the last pass makes vector code of the kernels
    module = Pipeline(deciding).run(checked(text))
    return [op for op in module.functions[0].walk() if isinstance(op, cpu.Kernel)]


@pytest.mark.parametrize("options", [{}, {"tile": "1x4"}, {"items": 8, "interleave": 4}, {"items": 8, "interleave": 2}])
def test_a_tile_that_hands_on_registers_has_all_rows(options):
    own = CHAIN.replace("%x: memref<f32x32x3>", "%all: memref<f32x32x3x?>").replace(
        "  %t =", "  %g = builtin.group_id : index\n  %x = subview %all[0:32, 0:3, %g] : memref<f32x32x3>\n  %t ="
    )
    for text in (CHAIN, own):
        chains = [op for op in kernels(text, **options) if needs_all_rows(products_of(op, DEFAULT.caches.line))]
        assert chains
        assert all(op.attributes[VECTORS] * op.attributes[LANES] >= 32 for op in chains)


def test_sizes_that_are_known_at_run_time_only():
    shown = stage(product("?", "?", "?"), "cpu-tiles", 1)
    assert '"lanes"=16, "vectors"=3, "columns"=8, unroll=1} {' in shown
    shown = stage(product("?", "?", "?"), "cpu-tiles", 1, processor="avx2")
    assert '"lanes"=8, ' in shown


# Options.


@pytest.mark.parametrize(
    "text, found",
    [
        ("2x8u4", (2, 8, 4)),
        ("1x1", (1, 1, 1)),
        ("12x16u10", (12, 16, 10)),
        *(
            (text, None)
            for text in ("", "auto", "2x", "x8", "0x8", "2x0", "2x8u0", "2x8u", "2X8", " 2x8", "2x8u4u4", "100x1")
        ),
    ],
)
def test_texts_of_tiles(text, found):
    assert tile_of(text) == found


def test_options_of_the_pass():
    step = find_pass("cpu-tiles{machine=avx2,tiles=2x8u4+auto}")
    assert str(step) == "cpu-tiles{machine=avx2,tiles=2x8u4+auto}"
    with pytest.raises(pytl.PytlError) as error:
        find_pass("cpu-tiles{tiles=2x8u4+2y8}")
    assert str(error.value).splitlines()[1:] == [
        "error[PYTL-3001]: `2x8u4+2y8` is not a tiling",
        "   = rule: a pass is called by its name, and given the options that it has",
        "   = help: write 2x8u4, or auto",
    ]
    with pytest.raises(pytl.PytlError) as error:
        find_pass("cpu-items{together=4}")
    assert str(error.value).splitlines()[1:] == [
        "error[PYTL-3001]: `together=4` is not an option of cpu-items",
        "   = rule: a pass is called by its name, and given the options that it has",
        "   = help: its options are: machine (host or sse or avx2 or avx512 or zen4 or zen5 or amx or amxfp16 or "
        "neon or sve256 or sve512 or sme or sme2), items (int), interleave (int), prefetch (int), past-caches (int), "
        "begins-at (int)",
    ]


@pytest.mark.parametrize(
    "name, value, expected",
    [
        (
            "tile",
            "2x8u4+2y8",
            "'auto', or vectors x columns u steps of each vector kernel, joined by '+', such as '2x8u4+auto'",
        ),
        ("tile", 28, "'auto', or vectors x columns u steps of each vector kernel, joined by '+', such as '2x8u4+auto'"),
        (
            "items",
            0,
            "'auto', or work-groups that a work-item executes, on a processor: a number from 1 to 1024",
        ),
        ("interleave", 5, "'auto', or how many of these are interleaved: a number from 1 to 4"),
        ("interleave", True, "'auto', or how many of these are interleaved: a number from 1 to 4"),
        ("prefetch", -1, "'auto', or the distance of software prefetch in work-groups: a number from 0 to 64"),
    ],
)
def test_options_of_a_launch(name, value, expected):
    kernel = pytl.compile(CHAIN)["f"]
    with pytest.raises(pytl.PytlError) as error:
        kernel.ir("cpu-tiles", **{name: value})
    assert str(error.value).splitlines()[1:] == [
        f"error[PYTL-3012]: the option {name} is {value!r}",
        "   = rule: an option of a launch is one that the backend has",
        f"   = help: it takes {expected}",
    ]


# The model.

ELEMENTS = ("f16", "bf16", "f32", "f64", "c32", "c64", "i8", "i16", "i32", "i64")
MACHINES = tuple(BY_NAME[name] for name in ("avx512", "avx2", "sse"))
SIZES = (
    (1, 1, 1),
    (3, 5, 2),
    (16, 16, 16),
    (17, 31, 9),
    (100, 7, 300),
    (1000, 1000, 1000),
    ("?", "?", "?"),
    (9, "?", 4),
)


def test_registers_of_processors():
    assert [(machine.register_bytes, machine.registers) for machine in MACHINES] == [(64, 32), (32, 16), (16, 16)]


@pytest.mark.parametrize("element", ELEMENTS)
def test_lanes_fill_a_register_or_cover_the_rows(element):
    type_ = SCALAR_TYPES[element]
    size = max(type_.size, 4) if type_.is_floating else type_.size
    for machine, rows in itertools.product(MACHINES, (1, 2, 3, 4, 5, 8, 9, 16, 17, 100, "?")):
        rows = checked(product(rows, 1, 1)).functions[0].parameters[0].type.shape[0]
        lanes = lanes_for(machine, type_, rows)
        assert lanes & (lanes - 1) == 0 and 1 <= lanes <= 16
        assert lanes * size <= machine.register_bytes * (2 if type_.is_complex else 1)
        whole = lanes_for(machine, type_, 1000)
        # fewer than a register holds are enough for all rows
        assert lanes == whole or lanes >= rows


def test_vectors_are_halved_where_halves_take_half_the_time():
    zen4 = BY_NAME["zen4"]
    of_rows = {rows: lanes_for(zen4, SCALAR_TYPES["f32"], rows) for rows in (8, 9, 16, 20, 24, 25, 32, 35, 40, 56, "?")}
    expected = {8: 8, 9: 16, 16: 16, 20: 8, 24: 8, 25: 16, 32: 16, 35: 8, 40: 8, 56: 8, "?": 16}
    assert of_rows == expected
    assert [lanes_for(zen4, SCALAR_TYPES["f64"], rows) for rows in (8, 9, 12, 13)] == [8, 4, 4, 8]
    by_rows = {rows: choose_tile(zen4, model_of(rows, 12, 20)).cost for rows in (24, 32)}
    assert by_rows[24] < 0.85 * by_rows[32]  # three quarters, and what a tile takes to begin and to end
    assert lanes_for(DEFAULT, SCALAR_TYPES["f32"], 24) == 16


def test_a_machine_limits_the_sums_of_a_tile():
    few = replace(DEFAULT, tiles=replace(DEFAULT.tiles, max_sums=16, many_terms=1 << 20))
    for sizes, (copies, shared) in itertools.product(SIZES, INTERLEAVED):
        tile = choose_tile(few, model_of(*sizes) * copies, copies, shared)
        assert tile.vectors * tile.columns * copies <= 16
    assert choose_tile(DEFAULT, model_of(64, 64, 64)).vectors * choose_tile(DEFAULT, model_of(64, 64, 64)).columns > 16
    # sums of many terms seldom begin
    long = choose_tile(few, model_of(64, 64, 1 << 20))
    assert long.vectors * long.columns == 24


BATCH = """func @f(%a: memref<TxMxKx?>, %b: memref<TxKxN>, %c: memref<TxMxNx?>) {
  %one = constant 1.0 : T
  %g = builtin.group_id : index
  %x = subview %a[0:M, 0:K, %g] : memref<TxMxK>
  %y = subview %c[0:M, 0:N, %g] : memref<TxMxN>
  gemm.n.n %one, %x, %b, %one, %y
}"""


def batch(element: str, *sizes: int) -> str:
    """A product of each work-group's own matrices."""
    text = BATCH.replace("xM", f"x{sizes[0]}").replace("xN", f"x{sizes[1]}").replace("xK", f"x{sizes[2]}")
    text = text.replace("0:M", f"0:{sizes[0]}").replace("0:N", f"0:{sizes[1]}").replace("0:K", f"0:{sizes[2]}")
    return text.replace("memref<T", f"memref<{element}").replace(": T", f": {element}")


def decided(text: str, machine: str) -> Function:
    """A function whose tiles a machine has."""
    passes = sycl_passes(processor=machine)
    last = next(number for number, each in enumerate(passes) if each.name == "cpu-schedule")
    return Pipeline(passes[: last + 1]).run_on(checked(text).functions[0])


def tiles_of_regions(machine: str, element: str, *sizes: int) -> dict[str, tuple[int, int]]:
    """The vectors and columns of a product's tile in each region."""
    function = decided(batch(element, *sizes), machine)
    return {region: words_of(op)[:2] for op, region, _ in kernels_with_products(function)}


def test_tiles_depend_on_where_data_are():
    # two vectors of rows: in caches, numbers are operands of multiply-adds
    assert tiles_of_regions("zen4", "f64", 16, 16, 16) == {"body": (1, 16), "prefetching": (2, 8)}
    assert tiles_of_regions("zen4", "f32", 32, 32, 32) == {"body": (1, 16), "prefetching": (2, 8)}
    # taller tiles load as few numbers, and more often whole lines
    assert tiles_of_regions("zen4", "f32", 64, 64, 64) == {"body": (4, 4), "prefetching": (4, 4)}
    # the second-level cache is what limits it, as memory would
    assert tiles_of_regions("zen4", "f64", 62, 61, 4) == {"body": (2, 8), "prefetching": (2, 8)}
    # more lines of the result than a core can wait for
    assert tiles_of_regions("zen4", "f32", 16, 16, 16) == {"body": (1, 16), "prefetching": (1, 8)}
    # columns of less than a line follow each other in memory; there is no other code
    assert tiles_of_regions("zen4", "f32", 9, 16, 16) == {"body": (1, 16)}


@pytest.mark.parametrize("name", sorted({*BY_NAME} - {"zen4"}))
def test_other_machines_have_the_same_tiles_for_data_from_memory(name):
    for sizes, element in itertools.product(SIZES, ("f32", "f64")):
        plain = model_of(*sizes, element=element)
        of_sources = []
        for source in (CACHE, PREFETCHED, MEMORY):
            products = [replace(each, source=source) for each in plain]
            of_sources.append([*fitting_tiles(BY_NAME[name], products)])
        assert of_sources[0] == of_sources[1] == of_sources[2]


def test_tunings_change_the_tiles_of_both_regions():
    function = decided(batch("f64", 16, 16, 16), "zen4")
    found = tilings(function, BY_NAME["zen4"], 100)
    # each is that of one region and not of the other
    assert {"1x16u4+1x16u4", "2x8u2+2x8u2"} <= set(found)
    same = decided(batch("f32", 64, 64, 64), "zen4")
    (own,) = {words_of(op) for op, *_ in kernels_with_products(same)}
    assert not any(word.startswith("{}x{}u{}".format(*own)) for word in tilings(same, BY_NAME["zen4"], 100))


def model_of(*sizes: object, element: str = "f32") -> list[Product]:
    """What the model sees of a product."""
    ops = checked(product(*sizes, element)).functions[0].walk()
    return [Product.of(op, frozenset(), DEFAULT.caches.line) for op in ops if isinstance(op, Gemm)]


INTERLEAVED = ((1, (False, False)), (2, (False, True)), (4, (True, False)))


@pytest.mark.at_most(3)
@pytest.mark.parametrize("element", ELEMENTS)
def test_tiles_fit_the_registers_and_the_result(element):
    for sizes, machine, (copies, shared) in itertools.product(SIZES, MACHINES, INTERLEAVED):
        (found,) = model_of(*sizes, element=element)
        tile = choose_tile(machine, [found] * copies, copies, shared)
        assert tile is not None
        parts_of_a_sum = 2 if found.element.is_complex else 1
        operands = tile.columns * parts_of_a_sum if tile.by_vectors else copies * tile.vectors
        needed = copies * tile.vectors * tile.columns * parts_of_a_sum + operands
        assert needed < machine.registers or (tile.vectors, tile.columns) == (1, 1)
        assert 1 <= tile.vectors <= machine.tiles.max_vectors and tile.unroll >= 1
        assert 1 <= tile.columns <= machine.tiles.max_columns
        assert tile.cost > 0
        if isinstance(found.rows, int):
            # never a vector that no row is in, nor a column or a step that is not there
            assert (tile.vectors - 1) * tile.lanes < found.rows
            assert tile.columns <= found.columns if isinstance(found.columns, int) else True
            assert tile.unroll <= max(found.depth, 4)


def test_where_registers_are_few_numbers_are_in_them_and_vectors_come_one_after_the_other():
    few = BY_NAME["avx2"]
    tile = choose_tile(few, model_of(64, 64, 64))
    assert (tile.vectors, tile.columns, tile.by_vectors) == (4, 3, True)
    assert choose_tile(few, model_of(64, 64, 64), requested=(4, 3, 1)).by_vectors
    # three vectors and a number have room; so have four of a machine with more registers
    assert not choose_tile(few, model_of(24, 64, 64)).by_vectors
    assert not any(choose_tile(DEFAULT, model_of(*sizes)).by_vectors for sizes in SIZES)
    # a product that another instruction adds takes a register, and work-groups that are interleaved share numbers
    assert not choose_tile(few, model_of(64, 64, 64, element="i32")).by_vectors
    assert not choose_tile(few, model_of(64, 64, 64) * 2, 2, (False, True)).by_vectors


def test_a_wider_register_costs_no_more():
    """By the same constants."""
    for sizes in SIZES:
        products = model_of(*sizes)
        wide, narrow = (choose_tile(replace(machine, tiles=RegisterTileCosts()), products) for machine in MACHINES[:2])
        assert wide.cost <= narrow.cost


def test_shared_factors_cost_no_more():
    for sizes in SIZES:
        ways = itertools.product((True, False), repeat=2)
        costs = [choose_tile(MACHINES[0], model_of(*sizes) * 2, 2, shared).cost for shared in ways]
        assert costs[0] == min(costs) and costs[-1] == max(costs)


def test_rounds_of_several_steps_where_numbers_serve_many_vectors():
    def unroll(*sizes: object, copies: int = 1, element: str = "f32") -> int:
        found = choose_tile(MACHINES[0], model_of(*sizes, element=element) * copies, copies, (False, True))
        assert found is not None and found.vectors * found.columns * copies == 24
        return found.unroll

    assert unroll(64, 64, 64) == unroll(64, 64, 16) == unroll(16, 24, 16, copies=4) == 4
    assert unroll(64, 64, 64, element="i32") == 1  # products are in registers beside the sums
    assert unroll(64, 64, 15) == 1  # few rounds
    # columns that begin anywhere
    assert unroll(63, 64, 32) == 1
    assert unroll(63, 64, 33) == 2
    assert unroll(48, 64, 64) == 1  # three vectors, and eight numbers for them


def test_what_is_asked_for_is_taken():
    products = model_of(64, 64, 64)
    assert choose_tile(MACHINES[0], products, requested=(2, 3, 4)) == Tile(16, 2, 3, 4)
    (op,) = kernels(CHAIN, items=1)
    chain = products_of(op, DEFAULT.caches.line)
    assert choose_tile(MACHINES[0], chain, requested=(1, 3, 4)) == Tile(16, 2, 3, 4)


def test_what_has_to_be_held_and_has_no_room_has_no_tile():
    (op,) = kernels(CHAIN, items=1)
    products = products_of(op, DEFAULT.caches.line)
    assert choose_tile(MACHINES[0], products) is not None
    assert choose_tile(MACHINES[1], products) is None
    assert choose_tile(MACHINES[0], products * 4, 4) is None


def test_parts():
    for total, most in itertools.product(range(1, 40), range(1, 17)):
        found = [term for term, times in parts(total, most) for _ in range(times)]
        assert sum(found) == total and max(found) <= most and max(found) - min(found) <= 1
        assert len(found) == -(-total // most)


def test_the_model_looks_at_each_kind_of_tile_once():
    assert parts(10**12 + 1, 10) == [(10, 10**11 - 8), (9, 9)] and parts(12, 4) == [(4, 3)]
