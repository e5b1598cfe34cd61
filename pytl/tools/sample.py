"""Random arguments for a kernel's signature, and checksums, for `pytl run` and `pytl tune`.

The same seed gives the same data on every backend. A checksum is the sum of an array's elements, exact for integers;
for floating numbers the sum of their absolute values, to five digits, which rounding does not change.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..backends import rules
from ..diagnostics import PytlError, Rule
from ..ir.patterns import PATTERN, outside
from ..ir.types import DYNAMIC, BoolType, Extent, GroupType, MemrefType, ScalarType, item_type
from ..ir.values import MODES, UNSIGNED
from ..launch.arrays.arguments import Pointers
from ..launch.arrays.arrays import dtype_names
from ..launch.arrays.layouts import packed_strides
from ..launch.configuration import check_groups

DIM = Rule("PYTL-3032", "every size and every scalar of the signature has a permitted value", "Command line")


def run_on_random_data(
    kernel: Any, groups: int | None, seed: int, backend: str | None, dims: Sequence[str], scalars: Mapping[str, str]
) -> None:
    """Launch a kernel once on random data; print the time and, as the last line, the checksum of every array."""
    launcher = kernel[... if groups is None else groups]  # which checks the number
    positional, arrays = random_arguments(kernel, groups, seed, dims, scalars)
    started = time.perf_counter()
    found = launcher(*positional, backend=backend)
    elapsed = time.perf_counter() - started
    number = "as many" if groups is None else int(check_groups(groups))
    print(f"@{kernel.name}: {number} work-groups in {elapsed:.3f} s, compilation included")
    results = found if isinstance(found, tuple) else (found,) if found is not None else ()
    names = ["result", *(f"result_{number}" for number in range(1, len(results)))]
    arrays |= {name: np.asarray(result) for name, result in zip(names, results)}
    sums = [f"{name}={checksum(array)}" for name, array in arrays.items()]
    print("checksum", *(sums or ["of no arrays"]))


def random_arguments(
    kernel: Any, groups: int | None, seed: int, dims: Sequence[str], scalars: Mapping[str, str]
) -> tuple[list[Any], dict[str, np.ndarray]]:
    """The arguments of a launch, and the arrays among them by their names."""
    sizes, groups = _read_dims(dims), None if groups is None else check_groups(groups)
    arguments = _Arguments(np.random.default_rng(seed), groups, sizes, scalars)
    values = {value.name or str(position): value.type for position, value in enumerate(kernel.called_parameters)}
    unknown = [name for name in scalars if name not in values or isinstance(values[name], (MemrefType, GroupType))]
    if unknown:
        known = [name for name, type_ in values.items() if not isinstance(type_, (MemrefType, GroupType))]
        raise PytlError.single(
            DIM,
            f"@{kernel.name} has no scalar {', '.join(unknown)}",
            help=f"--arg takes one of: {', '.join(known)}" if known else "leave --arg out",
        )
    open_sizes = [key for name, type_ in values.items() for key in _open_sizes(name, type_)]
    unknown = [key for key in sizes if key and key not in open_sizes]
    if unknown:
        raise PytlError.single(
            DIM,
            f"@{kernel.name} has no dynamic mode {', '.join(unknown)}",
            help=f"--dim takes one of: {', '.join(open_sizes)}" if open_sizes else "leave --dim out",
        )
    attributes = [value.attributes for value in kernel.called_parameters]
    positional = [arguments.make(name, type_, own) for (name, type_), own in zip(values.items(), attributes)]
    return positional, arguments.arrays


def _open_sizes(name: str, type_: Any) -> Iterator[str]:
    """The names that --dim accepts for a parameter: for all of its modes, for each mode, and for a group's offset."""
    memref = item_type(type_)
    modes = memref.shape if isinstance(memref, MemrefType) else ()
    dynamic = [f"{name}.{mode}" for mode, extent in enumerate(modes) if extent is DYNAMIC]
    if dynamic:
        yield name
    yield from dynamic
    if isinstance(type_, GroupType) and type_.offset is DYNAMIC:
        yield f"{name}.offset"


def checksum(array: np.ndarray) -> str:
    """A number that is equal in two runs if their arrays are equal up to rounding."""
    if array.dtype.kind in "iu":
        return str(int(array.astype(object).sum())) if array.size else "0"
    wide = np.abs(array.astype(np.complex128 if array.dtype.kind == "c" else np.float64))
    return f"{float(wide.sum()):.5g}"


class _Arguments:
    def __init__(
        self, random: np.random.Generator, groups: int | None, dims: Mapping[str, int], scalars: Mapping[str, str]
    ) -> None:
        self.random = random
        self.groups = groups
        self.dims = dims
        self.scalars = scalars
        self.arrays: dict[str, np.ndarray] = {}
        self.unsigned = False
        self.alignment = 1
        self.modes: Sequence[int] = range(32)
        """Of each mode of the memref that is made, which one of its array it is."""

    def make(self, name: str, type_: Any, attributes: Mapping[str, Any]) -> Any:
        self.unsigned = bool(attributes.get(UNSIGNED))
        self.alignment = attributes.get("alignment") or 1
        if isinstance(type_, MemrefType):
            modes = attributes.get(MODES)
            self.modes = range(type_.order) if modes is None else modes
            array = self._array(name, type_, type_.shape)
            _make_zero(array, attributes)
            self.arrays[name] = array if modes is None else array.transpose(np.argsort(modes))
            return self.arrays[name]
        self.modes = range(32)
        if isinstance(type_, GroupType):
            return self._group(name, type_, attributes)
        return self._scalar(name, type_)

    def _group(self, name: str, type_: GroupType, attributes: Mapping[str, Any]) -> Any:
        count = type_.count if isinstance(type_.count, int) else self._count(name)
        offset = type_.offset if isinstance(type_.offset, int) else self.dims.get(f"{name}.offset", 0)
        memref = type_.memref
        if not offset:
            shape = tuple(self._extent(name, m, n, last=False) for m, n in enumerate(memref.shape))
            known = MemrefType(memref.element, shape, memref.strides)
            whole = _behind(known, count, self.alignment)
            self.arrays[name] = self._array(name, whole, whole.shape)
            _make_zero(self.arrays[name], attributes)
            return Pointers(self.arrays[name]) if type_.offset is DYNAMIC else self.arrays[name]
        if not memref.is_static:
            raise PytlError.single(
                rules.GROUP,
                f"{memref} of {name} has dynamic modes, whose sizes are unknown in memory with an offset",
                help="give the memref static modes, or the group no offset",
            )
        flat = MemrefType(memref.element, (offset + memref.span, count))
        array = self.arrays[name] = self._array(name, flat, flat.shape)
        sizes: tuple[Any, ...] = (*memref.shape, count)
        strides: Any = [stride * array.itemsize for stride in (*memref.strides, offset + memref.span)]  # type: ignore[operator]
        _make_zero(np.lib.stride_tricks.as_strided(array[offset:], sizes, strides), attributes)
        return Pointers(self.arrays[name], offset)

    def _count(self, name: str) -> int:
        if self.groups is None:
            raise PytlError.single(
                DIM, f"nothing says how many items {name} has", help="give the number of work-groups: --groups N"
            )
        return self.groups

    def _extent(self, name: str, mode: int, extent: Extent, last: bool) -> int:
        if isinstance(extent, int):
            return extent
        for key in (f"{name}.{self.modes[mode]}", name, ""):
            if key in self.dims:
                return self.dims[key]
        if last and self.groups is not None:
            return self.groups
        raise PytlError.single(
            DIM,
            f"mode {self.modes[mode]} of {name} is dynamic",
            help=f"give it a size: --dim {name}.{self.modes[mode]}=16, or --dim 16",
        )

    def _array(self, name: str, type_: MemrefType, extents: Sequence[Extent]) -> np.ndarray:
        shape = tuple(self._extent(name, m, n, m == len(extents) - 1) for m, n in enumerate(extents))
        strides = packed_strides(shape, type_)
        span = 1 + sum((n - 1) * s for n, s in zip(shape, strides)) if 0 not in shape else 0
        try:
            memory = self._aligned(self._numbers(type_.element, span))
        except (MemoryError, ValueError, OverflowError):
            size = " x ".join(map(str, shape))
            raise PytlError.single(
                DIM,
                f"there is no memory for {name} of {size} elements",
                help="use fewer work-groups, or smaller sizes with --dim",
            ) from None
        item = memory.itemsize
        return np.lib.stride_tricks.as_strided(memory, shape, tuple(item * s for s in strides))

    def _aligned(self, memory: np.ndarray) -> np.ndarray:
        """The same numbers in memory that begins where the parameter says."""
        if memory.ctypes.data % self.alignment == 0:
            return memory
        room = np.empty(memory.nbytes + self.alignment, np.uint8)
        start = -room.ctypes.data % self.alignment
        moved = room[start : start + memory.nbytes].view(memory.dtype)
        moved[:] = memory
        return moved

    def _numbers(self, element: ScalarType, count: int) -> np.ndarray:
        name = dtype_names(element, self.unsigned)[0]
        if element.is_integer and self.unsigned:
            return self.random.integers(0, 17, count).astype(name)
        if element.is_integer:
            return self.random.integers(-8, 9, count).astype(name)
        numbers = self.random.uniform(-1, 1, count)
        if element.is_complex:
            numbers = numbers + 1j * self.random.uniform(-1, 1, count)
        if name == "bfloat16":
            import ml_dtypes

            return numbers.astype(ml_dtypes.bfloat16)
        return numbers.astype(name)

    def _scalar(self, name: str, type_: Any) -> Any:
        text = self.scalars.get(name)
        try:
            if isinstance(type_, BoolType):
                return bool(self.random.integers(2)) if text is None else _truth(text)
            if type_.is_integer:
                return int(self.random.integers(1, 5)) if text is None else int(text)
            if type_.is_complex:
                drawn = complex(self.random.uniform(-1, 1), self.random.uniform(-1, 1))
                return drawn if text is None else complex(text)
            return float(self.random.uniform(-1, 1)) if text is None else float(text)
        except ValueError:
            raise PytlError.single(DIM, f"{name} is {type_}, but {text!r} is given") from None


def _make_zero(array: np.ndarray, attributes: Mapping[str, Any]) -> None:
    """Let an array be zero outside of its parameter's pattern, if that has one."""
    if PATTERN in attributes:
        array[np.broadcast_to(outside(attributes[PATTERN], array.shape), array.shape)] = 0


def _behind(type_: MemrefType, count: int, alignment: int) -> MemrefType:
    """The items of a group, one behind the other in memory, each aligned."""
    shape = (*type_.shape, count)
    strides = packed_strides(type_.shape, type_)  # type: ignore[arg-type]
    step = max([n * s for n, s in zip(type_.shape, strides)], default=1)  # type: ignore[operator]
    unit = max(alignment // type_.element.size, 1)
    return MemrefType(type_.element, shape, (*strides, -(-step // unit) * unit))


def _truth(text: str) -> bool:
    words = {"1": True, "true": True, "0": False, "false": False}
    if text.lower() not in words:
        raise ValueError(text)
    return words[text.lower()]


def _read_dims(texts: Sequence[str]) -> dict[str, int]:
    dims: dict[str, int] = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        if not (number.isascii() and number.isdigit() and len(number) < 19):
            raise PytlError.single(DIM, f"--dim is {text!r}", help="write --dim 16, --dim A=16 or --dim A.0=16")
        dims[name] = int(number)
    return dims
