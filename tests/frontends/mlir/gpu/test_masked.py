"""Vectors and masks in kernels of gpu, beside NumPy: what the mask leaves out is neither read nor written.

Each program is executed once for all work-items, by each work-item on numbers of its own, and by each around barriers.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from frontends.mlir.gpu.programs import DTYPES
from sampling import at_night

import pytl

Row = dict[str, Any]
ELEMENTS = ("f32", "f16", "bf16", "f64", "i1", "i8", "i16", "i32", "i64")
ITEMS, LENGTH, SHORT = 16, 8, 124
"""Work-items, the elements of each, and how many elements memory has whose last ones a mask leaves out."""


@dataclass(frozen=True)
class Case:
    """Lines of a kernel, which give `%r`, or store to `%y`; and what they do for one row of elements."""

    name: str
    lines: str
    row: Callable[[Row], Any]
    """Gives the row of the result, as wider numbers, or changes `y`."""
    of_numbers: bool = True
    """Whether truth values are no elements of it."""


def _put(row: Row, places: Sequence[int], values: Any) -> None:
    for place, value, is_set in zip(places, values, row["k"]):
        if is_set:
            row["y"][place] = value


def _expanded(row: Row) -> Any:
    found = row["pad"].copy()
    found[row["k"]] = row["y"][row["at"] : row["at"] + row["k"].sum()]
    return found


def _compressed(row: Row) -> None:
    row["y"][row["at"] : row["at"] + row["k"].sum()] = row["x"][row["k"]]


def _sums(row: Row, axis: int | None, first: Any) -> Any:
    """Sums of the row's elements that are set, as (2, 4), from given numbers on."""
    x = np.where(row["k"], row["x"], 0).reshape(2, 4)
    return first + x.sum(axis)


def _read(row: Row) -> Any:
    read = [row["y"][at] if is_set else 0 for at, is_set in zip(row["along"], row["k"])]
    return np.array(read, np.float64)


def _gathered(row: Row, mask: Any) -> Any:
    return np.array([row["y"][at] if is_set else p for at, is_set, p in zip(row["i"], mask, row["pad"])])


def _scanned(row: Row, inclusive: bool) -> Any:
    x = row["x"].reshape(2, 4)
    sums = np.cumsum(x, 1)
    found = sums if inclusive else row["x"][:2, None] + sums - x
    return np.concatenate([found.ravel()[:6], found[:, 3]])


_READ = "vector.transfer_read %y[%b], %z : memref<124xT>, vector<8xT>"
_BY_TWO = "%x2 = vector.shape_cast %v : vector<8xT> to vector<2x4xT>\n"
_BY_TWO += "%k2 = vector.shape_cast %k : vector<8xi1> to vector<2x4xi1>\n"
_BY_TWO += (
    "%two = vector.extract_strided_slice %v {offsets = [0], sizes = [2], strides = [1]} : vector<8xT> to vector<2xT>\n"
)
_FOUR = (
    "%four = vector.extract_strided_slice %v {offsets = [4], sizes = [4], strides = [1]} : vector<8xT> to vector<4xT>\n"
)
_SCAN = """%s:2 = vector.scan <add>, %x2, %two {inclusive = INCLUSIVE, reduction_dim = 1} : vector<2x4xT>, vector<2xT>
%whole = vector.shape_cast %s#0 : vector<2x4xT> to vector<8xT>
%r = vector.insert_strided_slice %s#1, %whole {offsets = [6], strides = [1]} : vector<2xT> into vector<8xT>"""
_CONTRACT = """%s = vector.mask %k2 { vector.contract {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
  iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %x2, %four, %two
  : vector<2x4xT>, vector<4xT> into vector<2xT> } : vector<2x4xi1> -> vector<2xT>
%r = vector.insert_strided_slice %s, %pad {offsets = [0], strides = [1]} : vector<2xT> into vector<8xT>"""
CASES = [
    Case(
        "maskedload",
        "%r = vector.maskedload %y[%b], %k, %pad : memref<124xT>, vector<8xi1>, vector<8xT> into vector<8xT>",
        lambda row: np.where(row["k"], _read(row), row["pad"]),
        of_numbers=False,
    ),
    Case(
        "maskedstore",
        "vector.maskedstore %y[%b], %k, %v : memref<124xT>, vector<8xi1>, vector<8xT>",
        lambda row: _put(row, row["along"], row["x"]),
        of_numbers=False,
    ),
    Case(
        "gather",
        "%r = vector.gather %y[%c0] [%i], %k, %pad"
        " : memref<124xT>, vector<8xi32>, vector<8xi1>, vector<8xT> into vector<8xT>",
        lambda row: _gathered(row, row["k"]),
        of_numbers=False,
    ),
    Case(
        "scatter",
        "vector.scatter %y[%c0] [%i], %k, %v : memref<124xT>, vector<8xi32>, vector<8xi1>, vector<8xT>",
        lambda row: _put(row, row["i"], row["x"]),
        of_numbers=False,
    ),
    Case(
        "scatter to one place",
        """%same = arith.constant dense<[0, 1, 0, 1, 0, 1, 0, 1]> : vector<8xi32>
vector.scatter %y[%b] [%same], %k, %v : memref<124xT>, vector<8xi32>, vector<8xi1>, vector<8xT>""",
        lambda row: _put(row, [row["at"] + n % 2 for n in range(8)], row["x"]),
    ),
    Case(
        "expandload",
        "%r = vector.expandload %y[%b], %k, %pad : memref<124xT>, vector<8xi1>, vector<8xT> into vector<8xT>",
        _expanded,
        of_numbers=False,
    ),
    Case(
        "compressstore",
        "vector.compressstore %y[%b], %k, %v : memref<124xT>, vector<8xi1>, vector<8xT>",
        _compressed,
        of_numbers=False,
    ),
    Case(
        "transfer in a mask",
        f"%r = vector.mask %k {{ {_READ} }} : vector<8xi1> -> vector<8xT>\n"
        "vector.mask %k { vector.transfer_write %v, %y[%b] : vector<8xT>, memref<124xT> } : vector<8xi1>",
        lambda row: (_read(row), _put(row, row["along"], row["x"]))[0],
        of_numbers=False,
    ),
    Case(
        "transfer with a mask in a mask, and other lanes",
        f"""%most = vector.constant_mask [6] : vector<8xi1>
%r = vector.mask %k, %pad {{ {_READ.replace("%z", "%z, %most")} }} : vector<8xi1> -> vector<8xT>""",
        lambda row: np.where(row["k"], np.where(np.arange(8) < 6, _read(row), 0), row["pad"]),
    ),
    Case(
        "gather in a mask",
        """%most = vector.create_mask %c6 : vector<8xi1>
%r = vector.mask %most { vector.gather %y[%c0] [%i], %k, %pad
  : memref<124xT>, vector<8xi32>, vector<8xi1>, vector<8xT> into vector<8xT> } : vector<8xi1> -> vector<8xT>""",
        lambda row: _gathered(row, row["k"] & (np.arange(8) < 6)),
    ),
    Case(
        "reduction in a mask",
        """%s = vector.mask %k { vector.reduction <add>, %v : vector<8xT> into T } : vector<8xi1> -> T
%r = vector.broadcast %s : T to vector<8xT>""",
        lambda row: np.full(8, _sums(row, None, 0)),
    ),
    Case(
        "reduction of rows in a mask",
        _BY_TWO
        + """%s = vector.mask %k2 { vector.multi_reduction <add>, %x2, %two [1] : vector<2x4xT> to vector<2xT> }
  : vector<2x4xi1> -> vector<2xT>
%r = vector.insert_strided_slice %s, %pad {offsets = [0], strides = [1]} : vector<2xT> into vector<8xT>""",
        lambda row: np.concatenate([_sums(row, 1, row["x"][:2]), row["pad"][2:]]),
    ),
    Case(
        "outer product in a mask",
        _BY_TWO
        + _FOUR
        + """%sum = vector.mask %k2 { vector.outerproduct %two, %four, %x2 {kind = #vector.kind<add>}
  : vector<2xT>, vector<4xT> } : vector<2x4xi1> -> vector<2x4xT>
%r = vector.shape_cast %sum : vector<2x4xT> to vector<8xT>""",
        lambda row: row["x"] + np.where(row["k"], np.outer(row["x"][:2], row["x"][4:]).ravel(), 0),
    ),
    Case(
        "product in a mask",
        _BY_TWO + _FOUR + _CONTRACT,
        lambda row: np.concatenate(
            [_sums({**row, "x": row["x"] * np.tile(row["x"][4:], 2)}, 1, row["x"][:2]), row["pad"][2:]]
        ),
    ),
    Case("scan", _BY_TWO + _SCAN.replace("INCLUSIVE", "true"), lambda row: _scanned(row, True)),
    Case("scan from given numbers on", _BY_TWO + _SCAN.replace("INCLUSIVE", "false"), lambda row: _scanned(row, False)),
    Case(
        "every other element",
        """%even, %odd = vector.deinterleave %v : vector<8xT> -> vector<4xT>
%r = vector.interleave %odd, %even : vector<4xT> -> vector<8xT>""",
        lambda row: row["x"].reshape(4, 2)[:, ::-1].ravel(),
        of_numbers=False,
    ),
]
ROWS = [(case, element) for case in CASES for element in ELEMENTS if element != "i1" or not case.of_numbers]
FORMS = {
    # what all do alike: of a row of the mask that is partly set, wholly false, wholly true
    **{f"row {n}": f"%n = arith.constant {n} : index\n" for n in range(3)},
    "work-items": "%n = gpu.thread_id x\n",
    "barriers": "%n = gpu.thread_id x\n",
}
_PARAMETERS = "%x: memref<128xT>, %y: memref<124xT>, %o: memref<128xT>, %m: memref<128xi1>, %w: memref<128xi32>"


def _text(case: Case, element: str, form: str) -> str:
    three, zero = ("true", "false") if element == "i1" else ("3", "0") if element[0] == "i" else ("3.0", "0.0")
    barrier = "gpu.barrier\n" if form == "barriers" else ""
    store = "vector.store %r, %o[%b] : memref<128xT>, vector<8xT>\n" if "%r = " in case.lines else ""
    body = f"""{FORMS[form]}%c0 = arith.constant 0 : index
%c6 = arith.constant 6 : index
%c8 = arith.constant 8 : index
%b = arith.muli %n, %c8 : index
%z = arith.constant {zero}{"" if element == "i1" else " : T"}
%pad = arith.constant dense<{three}> : vector<8xT>
%v = vector.load %x[%b] : memref<128xT>, vector<8xT>
%k = vector.load %m[%b] : memref<128xi1>, vector<8xi1>
%i = vector.load %w[%b] : memref<128xi32>, vector<8xi32>
{barrier}{case.lines}
{barrier}{store}"""
    return f"""module attributes {{gpu.container_module}} {{
  gpu.module @kernels {{
    gpu.func @kernel({_PARAMETERS}) kernel {{
{body}      gpu.return
    }}
  }}
  func.func @run({_PARAMETERS}) {{
    %c1 = arith.constant 1 : index
    %c16 = arith.constant {ITEMS} : index
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1)
      args({_PARAMETERS.replace(": ", " : ")})
    return
  }}
}}
""".replace("xT", f"x{element}").replace(" T", f" {element}")


def _arguments(element: str) -> list[Any]:
    """Memory of small numbers, between other memory; masks; and places, which are anywhere where the mask is not set."""
    random = np.random.default_rng(5)
    low, high = (0, 2) if element == "i1" else (-3, 4)
    x, o = (random.integers(low, high, 128).astype(DTYPES[element]) for _ in range(2))
    y = random.integers(low, high, SHORT + 128).astype(DTYPES[element])[64 : 64 + SHORT]
    mask = random.integers(0, 2, 128).astype(bool)
    mask[8:16], mask[16:24], mask[SHORT:] = False, True, False
    places = random.permutation(SHORT)[np.arange(128) % SHORT].astype(np.int32)
    places[~mask] = random.integers(-(1 << 31), 1 << 31, int((~mask).sum()))
    return [x, y, o, mask, places]


def _expected(case: Case, arguments: list[Any], form: str) -> tuple[Any, Any]:
    x, y, o, mask, places = (each.copy() for each in arguments)
    x, pad = x.astype(np.float64), np.full(LENGTH, 3.0 if x.dtype != bool else 1.0)
    for n in [int(form[4:])] if form.startswith("row") else range(ITEMS):
        here = slice(n * LENGTH, (n + 1) * LENGTH)
        row = {"x": x[here], "y": y, "k": mask[here], "i": places[here], "at": here.start, "pad": pad}
        found = case.row({**row, "along": range(here.start, here.stop)})
        if found is not None:
            o[here] = found
    return y, o


@pytest.mark.at_most(20)
@pytest.mark.parametrize("backend", ["interpreter", "mlir", "reference", *at_night(["sycl"])])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("case", "element"), [pytest.param(*each, id=f"{each[0].name} {each[1]}") for each in ROWS])
def test_what_a_mask_leaves_out_is_not_touched(case: Case, element: str, form: str, backend: str) -> None:
    kernels = pytl.from_mlir(_text(case, element, form))
    given, arguments = _arguments(element), _arguments(element)
    if backend == "interpreter":
        kernels["run"](*arguments)
    else:
        kernels["kernel"].kernel[1](*(a.view(np.int8) if a.dtype == bool else a for a in arguments), backend=backend)
    y, o = _expected(case, given, form)
    np.testing.assert_array_equal(arguments[1], y)
    np.testing.assert_array_equal(arguments[2], o)
    np.testing.assert_array_equal(arguments[1].base, _around(given[1].base, y))


def _around(memory: np.ndarray, part: np.ndarray) -> np.ndarray:
    changed = memory.copy()
    changed[64 : 64 + SHORT] = part
    return changed


@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("element", ["f32", *at_night([each for each in ELEMENTS if each != "f32"])])
def test_mlir_opt_verifies_them(element: str) -> None:
    texts = [_text(case, of, "work-items") for case, of in ROWS if of == element]
    done = subprocess.run(
        ["mlir-opt-22", "--split-input-file"],
        input="\n// -----\n".join(texts),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
