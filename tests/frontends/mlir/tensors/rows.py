"""Programs on tensors, each with the operation that it shows and what it computes by NumPy."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

DTYPES: dict[str, Any] = {
    "f16": np.float16, "f32": np.float32, "f64": np.float64,
    "i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "index": np.int64,
    "complex<f32>": np.complex64, "complex<f64>": np.complex128,
}  # fmt: skip
RESULTS = ("r", "s", "t")
"""The names of what a program returns."""
_CONSTANTS = {
    **{f"c{n}": f"{n} : index" for n in range(10)},
    "zero": "0.0 : f32", "one": "1.0 : f32", "low": "0xFF800000 : f32", "high": "0x7F800000 : f32",
    "zero_i32": "0 : i32", "zero_f64": "0.0 : f64",
}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """A function `@f` with the types of its arguments and results. Its body gives %r, %s and %t."""

    operation: str
    about: str
    head: str
    results: str
    body: str
    expected: Callable[..., Any]
    """What it gives; or a dictionary of that and of the arguments that it writes, by their numbers."""
    shapes: dict[str, Any] = field(default_factory=dict)
    """Of arguments whose types have no sizes; or a function that makes the argument."""
    module: str = ""
    """What stands in front of the function."""
    tolerance: float = 2e-5

    @property
    def name(self) -> str:
        return f"{self.operation} {self.about}".strip()

    @cached_property
    def types(self) -> dict[str, str]:
        found = re.findall(r"%(\w+): ((?:[^<>,%]|<(?:[^<>]|<[^<>]*>)*>)+?)(?: \{[^}]*\})?(?:, (?=%)|$)", self.head)
        return dict(found)

    @cached_property
    def text(self) -> str:
        used = set(re.findall(r"%(\w+)", self.body + self.module)) - set(self.types)
        constants = "".join(f"  %{n} = arith.constant {v}\n" for n, v in _CONSTANTS.items() if n in used)
        count = len(re.findall(r"(?:tensor<(?:[^<>]|<[^<>]*>)*>|index|\w+)", self.results))
        names = ", ".join(f"%{name}" for name in RESULTS[:count])
        given = f" -> ({self.results})" if self.results else ""
        returned = f"{names} : {self.results}" if self.results else ""
        return f"{self.module}func.func @f({self.head}){given} {{\n{constants}{self.body}\n  return {returned}\n}}\n"

    def given(self, rng: np.random.Generator) -> list[Any]:
        return [self._argument(rng, name, type_) for name, type_ in self.types.items()]

    def _argument(self, rng: np.random.Generator, name: str, type_: str) -> Any:
        special = self.shapes.get(name)
        if special is not None and not isinstance(special, tuple):
            return special(rng) if callable(special) else special
        inner = re.fullmatch(r"(?:tensor|memref)<(.*)>", type_)
        if inner is None:
            return random(rng, (), type_).item()
        *sizes, element = inner[1].split(",")[0].split("x") if "index" not in inner[1] else _of_index(inner[1])
        if "complex" in inner[1]:
            sizes, element = (
                inner[1].partition("complex")[0].split("x")[:-1],
                "complex" + inner[1].partition("complex")[2],
            )
        return random(rng, special or tuple(map(int, sizes)), element)


def _of_index(inner: str) -> list[str]:
    return [*inner.removesuffix("index").split("x")[:-1], "index"]


def random(rng: np.random.Generator, shape: tuple[int, ...], element: str) -> Any:
    dtype = np.dtype(DTYPES[element])
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.kind == "i":
        return np.asarray(rng.integers(-5, 6, shape), dtype)
    if dtype.kind == "c":
        return np.asarray(rng.uniform(-1, 1, shape) + 1j * rng.uniform(-1, 1, shape), dtype)
    return np.asarray(rng.uniform(-1, 1, shape), dtype)


@dataclass
class Rows:
    """Collects rows."""

    rows: list[Row] = field(default_factory=list)

    def __call__(
        self,
        operation: str,
        about: str,
        head: str,
        results: str,
        body: str,
        expected: Callable[..., Any],
        module: str = "",
        tolerance: float = 2e-5,
        **shapes: Any,
    ) -> None:
        self.rows.append(Row(operation, about, head, results, body.strip("\n"), expected, shapes, module, tolerance))


def check(row: Row, backend: str, **options: Any) -> None:
    """Execute a row's program; what it returns is what NumPy computes, and its arguments are as they were."""
    import pytl

    arguments = row.given(np.random.default_rng(7))
    before = [np.copy(each) for each in arguments]
    expected = row.expected(*[np.copy(each) if isinstance(each, np.ndarray) else each for each in arguments])
    found = pytl.from_mlir(row.text)["f"][...](*arguments, backend=backend, **options)
    written = {}
    if isinstance(expected, dict):
        written = expected
        expected = written.pop(None, None)
    if expected is None:
        assert found is None
    else:
        assert_alike(found, expected, row.tolerance)
    for number, (old, new) in enumerate(zip(before, arguments)):
        np.testing.assert_allclose(new, written.get(number, old), rtol=row.tolerance, err_msg=f"argument {number}")


def assert_alike(found: Any, expected: Any, tolerance: float = 2e-5) -> None:
    if isinstance(expected, tuple):
        assert isinstance(found, tuple) and len(found) == len(expected)
    else:
        found, expected = (found,), (expected,)
    for mine, wanted in zip(found, expected):
        wanted = np.asarray(wanted)
        assert np.shape(mine) == wanted.shape
        if wanted.dtype.kind in "fc":
            np.testing.assert_allclose(mine, wanted, rtol=tolerance, atol=tolerance)
        else:
            np.testing.assert_array_equal(mine, wanted)
