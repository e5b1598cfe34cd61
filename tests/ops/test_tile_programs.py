"""Random programs on tiles: what they store is what NumPy computes, on every backend of this machine."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from differential.cases import NEEDS_SYCL
from reference_kit import DTYPES
from sampling import at_night

import pytl

pytestmark = pytest.mark.at_most(4)

OPERATIONS = {"add": np.add, "sub": np.subtract, "mul": np.multiply}
INTERPRETED = {"interpreted": True, "blocks": "preferred"}
"""Of the backend xegpu: the text that is printed is executed."""
BACKENDS = [
    pytest.param("reference"),
    pytest.param("sycl", marks=NEEDS_SYCL),
    pytest.param("mlir", marks=pytest.mark.tools_of("mlir")),
    pytest.param("xegpu", marks=pytest.mark.tools_of("mlir")),
]


class Program:
    """A text and what it computes, drawn together."""

    elements = ("f64", "i64", "i32")
    sizes = (1, 2, 3, 4, 5, 8)
    """Of matrices; those of arrays are up to `extent`."""
    extent = 12
    most = 10**4
    """The largest number of a factor."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.element = self.rng.choice(self.elements)
        self.lines: list[str] = []
        self.count = 0
        self.constants: dict[int, str] = {}
        self.arrays: dict[str, np.ndarray] = {}
        self.types: dict[str, str] = {}
        self.outputs: dict[str, np.ndarray] = {}
        self.matrices: list[tuple[str, np.ndarray]] = []
        for name in "ab":
            self.array(name, (self.rng.randint(1, self.extent), self.rng.randint(1, self.extent)))
        for _ in range(self.rng.randint(3, 9)):
            self.rng.choice([self.load, self.load, self.compute, self.product, self.loop])()
        for name, value in self.rng.sample(self.matrices, min(3, len(self.matrices))):
            self.store(name, value)

    def array(self, name: str, shape: tuple[int, int]) -> None:
        numbers = np.random.default_rng(self.rng.randrange(2**32)).integers(-2, 3, shape)
        self.arrays[name] = np.asfortranarray(numbers.astype(DTYPES[self.element]))
        sizes = [str(size) if self.rng.random() < 0.5 else "?" for size in shape]
        self.types[name] = f"memref<{self.element}x{'x'.join(sizes)}>"

    def fresh(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def index(self, number: int) -> str:
        return self.constants.setdefault(number, f"%i{len(self.constants)}")

    def write(self, line: str) -> None:
        self.lines.append(line)

    def type_of(self, shape: tuple[int, int]) -> str:
        return f"coopmatrix<{self.element}x{shape[0]}x{shape[1]},matrix_acc>"

    def place(self, name: str) -> tuple[int, int]:
        rows, columns = self.arrays[name].shape
        return self.rng.randint(-4, rows + 2), self.rng.randint(-4, columns + 2)

    def tile(self, name: str, at: tuple[int, int], shape: tuple[int, int]) -> str:
        tile = self.fresh()
        x, y = map(self.index, at)
        self.write(f"{tile} = xetile.init_tile %{name}[{x}, {y}] : tile<{self.element}x{shape[0]}x{shape[1]}>")
        if self.rng.random() < 0.5:
            return tile
        moved, (dx, dy) = self.fresh(), (self.rng.randint(-2, 2), self.rng.randint(-2, 2))
        self.lines[-1] = (
            f"{tile} = xetile.init_tile %{name}[{self.index(at[0] - dx)}, {self.index(at[1] - dy)}] : "
            f"tile<{self.element}x{shape[0]}x{shape[1]}>"
        )
        type_ = f"tile<{self.element}x{shape[0]}x{shape[1]}>"
        self.write(f"{moved} = xetile.update_tile_offset {tile}, {self.index(dx)}, {self.index(dy)} : {type_}")
        return moved

    def block(self, name: str, at: tuple[int, int], shape: tuple[int, int], padding: int = 0) -> np.ndarray:
        array, (x, y) = self.arrays[name], at
        result = np.full(shape, padding, array.dtype)
        for i, j in np.ndindex(*shape):
            if 0 <= x + i < array.shape[0] and 0 <= y + j < array.shape[1]:
                result[i, j] = array[x + i, y + j]
        return result

    def keep(self, line: str, value: np.ndarray) -> None:
        name = self.fresh()
        self.write(f"{name} = {line} : {self.type_of(value.shape)}")
        self.matrices.append((name, value))

    def load(self, shape: tuple[int, int] | None = None) -> None:
        name = self.rng.choice("ab")
        shape = shape or (self.rng.choice(self.sizes), self.rng.choice(self.sizes))
        turned, padding = self.rng.random() < 0.4, self.rng.choice([None, None, 3])
        inner = shape[::-1] if turned else shape
        at = self.place(name)
        tile = self.tile(name, at, inner)
        given = "" if padding is None else f" padding({'3' if self.element[0] == 'i' else '3.0'})"
        found = self.block(name, at, inner, padding or 0)
        self.keep(f"xetile.load_tile{'.t' if turned else ''} {tile}{given}", found.T if turned else found)

    def compute(self) -> None:
        if not self.matrices:
            self.load()
        name, value = self.rng.choice(self.matrices)
        same = [(other, b) for other, b in self.matrices if b.shape == value.shape]
        other, b = self.rng.choice(same)
        word = self.rng.choice(["add", "sub"])
        self.keep(f"arith.{word} {name}, {other}", OPERATIONS[word](value, b))

    def product(self) -> None:
        if not self.matrices:
            self.load()
        left, a = self.rng.choice(self.matrices)
        self.load((a.shape[1], self.rng.choice(self.sizes)))
        right, b = self.matrices[-1]
        if np.abs(a).max(initial=0) > self.most:
            return
        if self.rng.random() < 0.5:
            self.keep(f"xetile.tile_mma {left}, {right}", a @ b)
            return
        self.load((a.shape[0], b.shape[1]))
        summand, c = self.matrices[-1]
        self.keep(f"xetile.tile_mma {left}, {right}, {summand}", a @ b + c)

    def loop(self) -> None:
        """A tile and a sum are carried; the tile moves by a step of its own."""
        name, shape = self.rng.choice("ab"), (self.rng.choice(self.sizes), self.rng.choice(self.sizes))
        at, (dx, dy), turns = (
            self.place(name),
            (self.rng.randint(-1, 3), self.rng.randint(-1, 3)),
            self.rng.randint(0, 4),
        )
        tile = self.tile(name, at, shape)
        self.load(shape)
        first, total = self.matrices[-1]
        t, s, m, u, v, w, i = (self.fresh() for _ in range(7))
        of_tile, of_sum = f"tile<{self.element}x{shape[0]}x{shape[1]}>", self.type_of(shape)
        carried = f"init({t}={tile}, {s}={first}) -> ({of_tile}, {of_sum})"
        self.write(f"{w}, {v} = for {i} = {self.index(0)}, {self.index(turns)} {carried} {{")
        self.write(f"  {m} = xetile.load_tile {t} : {of_sum}")
        self.write(f"  {m}s = arith.add {m}, {s} : {of_sum}")
        self.write(f"  {u} = xetile.update_tile_offset {t}, {self.index(dx)}, {self.index(dy)} : {of_tile}")
        self.write(f"  yield ({u}, {m}s)\n}}")
        for turn in range(turns):
            total = total + self.block(name, (at[0] + turn * dx, at[1] + turn * dy), shape)
        self.matrices.append((v, total))
        last = (at[0] + turns * dx, at[1] + turns * dy)
        self.keep(f"xetile.load_tile {w}", self.block(name, last, shape))

    def store(self, name: str, value: np.ndarray) -> None:
        out = f"o{len(self.outputs)}"
        self.array(out, (self.rng.randint(1, self.extent - 3), self.rng.randint(1, self.extent - 3)))
        expected, (x, y) = self.arrays[out].copy(), self.place(out)
        tile = self.tile(out, (x, y), value.shape)
        self.write(f"xetile.store_tile {name}, {tile}")
        for i, j in np.ndindex(*value.shape):
            if 0 <= x + i < expected.shape[0] and 0 <= y + j < expected.shape[1]:
                expected[x + i, y + j] = value[i, j]
        self.outputs[out] = expected

    @property
    def text(self) -> str:
        constants = "".join(f"  {name} = constant {number} : index\n" for number, name in self.constants.items())
        parameters = ", ".join(f"%{name}: {type_}" for name, type_ in self.types.items())
        body = "\n".join(self.lines).replace("\n", "\n    ")
        return f"func @f({parameters}) {{\n{constants}  parallel {{\n    {body}\n  }}\n}}"


class BlockProgram(Program):
    """A program whose matrices are made of the matrix unit's blocks, on elements that it multiplies.

    Its numbers are so small that f16 and bf16 hold them.
    """

    elements = ("f16", "bf16")
    sizes = (16, 16, 32)
    extent = 40
    most = 2

    def array(self, name: str, shape: tuple[int, int]) -> None:
        super().array(name, shape)
        array = self.arrays[name]
        array *= np.random.default_rng(len(self.arrays)).random(array.shape) < 0.05

    def keep(self, line: str, value: np.ndarray) -> None:
        if np.abs(value.astype(np.float64)).max(initial=0) <= 128:
            super().keep(line, value)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("seed", [*range(30), *at_night(range(30, 500))])
def test_a_program_computes_what_numpy_does(seed: int, backend: str) -> None:
    check(Program(seed), backend, {**INTERPRETED, "matrices": "lanes"} if backend == "xegpu" else {})


@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("seed", [5, *at_night([*range(5), *range(6, 60)])])
def test_blocks_of_the_matrix_unit_compute_what_numpy_does(seed: int) -> None:
    check(BlockProgram(seed), "xegpu", INTERPRETED)


def check(program: Program, backend: str, options: dict[str, Any]) -> None:
    kernel = pytl.compile(program.text)["f"]
    assert str(pytl.parse(str(kernel))) == str(kernel)
    given: list[Any] = [array.copy(order="F") for array in program.arrays.values()]
    kernel[1, options](*given, backend=backend)
    for name, array in zip(program.arrays, given):
        wanted = program.outputs.get(name, program.arrays[name])
        np.testing.assert_array_equal(array, wanted, err_msg=f"{name} of\n{program.text}")
