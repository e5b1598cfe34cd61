"""Rows of the instructions on tiles: xetile.init_tile to xetile.update_tile_offset."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .rows import ELEMENTS, PAIRS, Data, Row, lines, parallel, wide, with_parallel

CHAPTER = "Tiles"
BEGIN = "%0 = constant 0 : index"
LAYOUT = "layout<sg_layout=[1,1],sg_data=[4,2],lane_layout=[2,1],lane_data=[1,1]>"


def rows() -> Iterator[Row]:
    yield from _inits()
    yield from _loads()
    yield from _stores()
    yield from _prefetches()
    yield from _moved()
    yield from _products()


def matrix(element: str, rows: int = 4, columns: int = 3) -> str:
    return f"coopmatrix<{element}x{rows}x{columns},matrix_acc>"


def tile(element: str, rows: int = 4, columns: int = 3, layout: str = "") -> str:
    return f"tile<{element}x{rows}x{columns}{',' + layout if layout else ''}>"


def block_of(array: np.ndarray, row: int, column: int, shape: tuple[int, int] = (4, 3), padding: int = 0) -> np.ndarray:
    """A tile of an array at a position that may be outside of it."""
    padded = np.full((array.shape[0] + 16, array.shape[1] + 16), padding, array.dtype)
    padded[8 : 8 + array.shape[0], 8 : 8 + array.shape[1]] = array
    return padded[8 + row : 8 + row + shape[0], 8 + column : 8 + column + shape[1]]


def _row(form: str, types: str, parameters: dict[str, str], before: str, line: str, after: str, call: str, **more):
    text = parallel(lines(BEGIN, *before.splitlines(), line, *after.splitlines()))
    return Row(CHAPTER, form, types, parameters, text, with_parallel(call), line=line, **more)


def _inits() -> Iterator[Row]:
    for element in ELEMENTS:
        for what, size in (("static", "5x6"), ("dynamic", "?x?")):
            yield _row(
                f"xetile.init_tile of a {what} memref",
                element,
                {"a": f"memref<{element}x{size}>", "o": f"memref<{element}x4x3>", "x": "index", "y": "index"},
                "",
                f"%t = xetile.init_tile %a[%x, %y] : {tile(element)}",
                f"%u = xetile.init_tile %o[%0, %0] : {tile(element)}\n"
                f"%m = xetile.load_tile %t : {matrix(element)}\nxetile.store_tile %m, %u",
                "t = tile.init(a, (x, y), shape=(4, 3))\ntile.store(tile.load(t), tile.init(o, (0, 0), shape=(4, 3)))",
                expected=lambda data: {"o": block_of(wide(data["a"]), -1, 4)},
                dims={"a": 6} if what == "dynamic" else {},
                given={"x": -1, "y": 4},
            )
    yield _row(
        "xetile.init_tile with a layout",
        "f32",
        {"a": "memref<f32x8x4>", "o": "memref<f32x8x4>"},
        "",
        f"%t = xetile.init_tile %a[%0, %0] : {tile('f32', 8, 4, LAYOUT)}",
        f"%u = xetile.init_tile %o[%0, %0] : {tile('f32', 8, 4)}\n"
        f"%m = xetile.load_tile %t : {matrix('f32', 8, 4)}\nxetile.store_tile %m, %u",
        "t = tile.init(a, (0, 0), shape=(8, 4), sg_layout=(1, 1), sg_data=(4, 2), "
        "lane_layout=(2, 1), lane_data=(1, 1))\n"
        "tile.store(tile.load(t), tile.init(o, (0, 0), shape=(8, 4)))",
        expected=lambda data: {"o": wide(data["a"])},
    )
    for what, sg_layout, sg_data in (
        ("blocks", (2, 2), (4, 2)),
        ("several blocks", (2, 2), (2, 2)),
        ("shared blocks", (4, 1), (4, 4)),
    ):
        layout = f"layout<sg_layout=[{sg_layout[0]},{sg_layout[1]}],sg_data=[{sg_data[0]},{sg_data[1]}]>"
        yield _row(
            f"xetile.init_tile with {what} of four sub-groups",
            "f32",
            {"a": "memref<f32x8x4>", "o": "memref<f32x7x4>"},
            "",
            f"%t = xetile.init_tile %a[%0, %0] : {tile('f32', 8, 4, layout)}",
            f"%u = xetile.init_tile %o[%0, %0] : {tile('f32', 8, 4, layout)}\n"
            f"%m = xetile.load_tile %t : {matrix('f32', 8, 4)}\nxetile.store_tile %m, %u",
            f"t = tile.init(a, (0, 0), shape=(8, 4), sg_layout={sg_layout}, sg_data={sg_data})\n"
            f"tile.store(tile.load(t), tile.init(o, (0, 0), shape=(8, 4), sg_layout={sg_layout}, sg_data={sg_data}))",
            expected=lambda data: {"o": wide(data["a"])[:7]},
            attributes="{subgroup_size=16, work_group_size=[16,4]}",
            decorator="(subgroup_size=16, work_group_size=(16, 4))",
        )


def _loads() -> Iterator[Row]:
    for element in ELEMENTS:
        for turn in ("n", "t"):
            for padding in ("", " padding(%p)"):
                shape = (3, 4) if turn == "t" else (4, 3)
                word = "xetile.load_tile" + (".t" if turn == "t" else "")

                def expected(data: Data, turn: str = turn, padding: str = padding) -> Data:
                    a = wide(data["a"])
                    if not padding:
                        block = block_of(a, 3, -2)
                    else:
                        is_inside = block_of(np.ones(a.shape, bool), 3, -2)
                        block = np.where(is_inside, block_of(a, 3, -2), wide(data["p"]))
                    return {"o": block.T if turn == "t" else block}

                yield _row(
                    f"{word}{' padding' if padding else ''}",
                    element,
                    {
                        "a": f"memref<{element}x5x6>",
                        "o": f"memref<{element}x{shape[0]}x{shape[1]}>",
                        "x": "index",
                        "y": "index",
                        **({"p": element} if padding else {}),
                    },
                    f"%t = xetile.init_tile %a[%x, %y] : {tile(element)}",
                    f"%m = {word} %t{padding} : {matrix(element, *shape)}",
                    f"%u = xetile.init_tile %o[%0, %0] : {tile(element, *shape)}\nxetile.store_tile %m, %u",
                    "t = tile.init(a, (x, y), shape=(4, 3))\n"
                    f"m = tile.load(t{', transpose=True' if turn == 't' else ''}{', padding=p' if padding else ''})\n"
                    f"tile.store(m, tile.init(o, (0, 0), shape={shape}))",
                    expected=expected,
                    given={"x": 3, "y": -2},
                )


def _stores() -> Iterator[Row]:
    for element in ELEMENTS:

        def expected(data: Data) -> Data:
            out = wide(data["o"]).copy()
            out[2:, :2] = wide(data["a"])[:3, 1:]
            return {"o": out}

        yield _row(
            "xetile.store_tile",
            element,
            {"a": f"memref<{element}x4x3>", "o": f"memref<{element}x5x6>", "x": "index", "y": "index"},
            f"%t = xetile.init_tile %a[%0, %0] : {tile(element)}\n"
            f"%m = xetile.load_tile %t : {matrix(element)}\n%u = xetile.init_tile %o[%x, %y] : {tile(element)}",
            "xetile.store_tile %m, %u",
            "",
            "m = tile.load(tile.init(a, (0, 0), shape=(4, 3)))\ntile.store(m, tile.init(o, (x, y), shape=(4, 3)))",
            expected=expected,
            given={"x": 2, "y": -1},
        )


def _prefetches() -> Iterator[Row]:
    for element in ELEMENTS:
        yield _row(
            "xetile.prefetch_tile",
            element,
            {"a": f"memref<{element}x4x3>", "o": f"memref<{element}x4x3>"},
            f"%t = xetile.init_tile %a[%0, %0] : {tile(element)}",
            "xetile.prefetch_tile %t",
            f"%u = xetile.init_tile %o[%0, %0] : {tile(element)}\n"
            f"%m = xetile.load_tile %t : {matrix(element)}\nxetile.store_tile %m, %u",
            "t = tile.init(a, (0, 0), shape=(4, 3))\ntile.prefetch(t)\n"
            "tile.store(tile.load(t), tile.init(o, (0, 0), shape=(4, 3)))",
            expected=lambda data: {"o": wide(data["a"])},
        )


def _moved() -> Iterator[Row]:
    for element in ELEMENTS:
        yield _row(
            "xetile.update_tile_offset",
            element,
            {"a": f"memref<{element}x5x6>", "o": f"memref<{element}x4x3>", "x": "index", "y": "index"},
            f"%t = xetile.init_tile %a[%0, %0] : {tile(element)}",
            f"%v = xetile.update_tile_offset %t, %x, %y : {tile(element)}",
            f"%u = xetile.init_tile %o[%0, %0] : {tile(element)}\n"
            f"%m = xetile.load_tile %v : {matrix(element)}\nxetile.store_tile %m, %u",
            "v = tile.update_offset(tile.init(a, (0, 0), shape=(4, 3)), x, y)\n"
            "tile.store(tile.load(v), tile.init(o, (0, 0), shape=(4, 3)))",
            expected=lambda data: {"o": block_of(wide(data["a"]), 2, 5)},
            given={"x": 2, "y": 5},
        )


def _products() -> Iterator[Row]:
    for a, c in [*((e, e) for e in ELEMENTS), *PAIRS]:
        for adds in (True, False):
            if not adds and a != c:
                continue
            result = matrix(c, 4, 3)
            loads = [
                f"%{n}t = xetile.init_tile %m{n}[%0, %0] : {tile(e, *s)}\n%{n} = xetile.load_tile %{n}t : "
                f"{matrix(e, *s)}"
                for n, e, s in (("x", a, (4, 5)), ("y", a, (5, 3)), ("z", c, (4, 3)))
            ]
            yield _row(
                f"xetile.tile_mma{'' if adds else ' without C'}",
                f"{a}, {a}, {c}" if adds else a,
                {"mx": f"memref<{a}x4x5>", "my": f"memref<{a}x5x3>", "mz": f"memref<{c}x4x3>"},
                "\n".join(loads if adds else loads[:2]),
                f"%r = xetile.tile_mma %x, %y{', %z' if adds else ''} : {result}",
                f"%u = xetile.init_tile %mz[%0, %0] : {tile(c)}\nxetile.store_tile %r, %u",
                "x = tile.load(tile.init(mx, (0, 0), shape=(4, 5)))\n"
                "y = tile.load(tile.init(my, (0, 0), shape=(5, 3)))\n"
                + ("z = tile.load(tile.init(mz, (0, 0), shape=(4, 3)))\n" if adds else "")
                + f"tile.store(tile.mma(x, y{', z' if adds else ''}), tile.init(mz, (0, 0), shape=(4, 3)))",
                expected=lambda data, adds=adds: {
                    "mz": wide(data["mx"]) @ wide(data["my"]) + (wide(data["mz"]) if adds else 0)
                },
            )
