"""Named sizes: their values at launch, and the check that they are the same wherever the name occurs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..backends import rules
from ..backends.base import Argument, GroupArgument, MemrefArgument
from ..diagnostics import Diagnostics, LaunchError, Location
from ..frontends.lang.sizes import Size
from ..process.records import dataclass


@dataclass(frozen=True)
class SizeUse:
    """A place in a kernel's parameters with a named size."""

    position: int
    """Of the parameter, among those of the IR."""
    parameter: str
    mode: int | None
    """None for the number of memrefs of a group."""
    size: Size

    @property
    def description(self) -> str:
        what = "the number of memrefs" if self.mode is None else f"mode {self.mode}"
        return f"{what} of {self.parameter}"


def check(uses: Sequence[SizeUse], arguments: Sequence[Argument], locate: Any) -> None:
    """Raise a LaunchError for each named size that differs between two places. `locate` finds the launch."""
    problems = Diagnostics()
    known: dict[str, tuple[int, str]] = {}
    location: Location | None = None
    for use in sorted(uses, key=lambda use: not use.size.is_name):  # expressions need the names' values
        for actual, of_item in _extents(arguments[use.position], use.mode):
            if use.size.is_name and use.size.text not in known:
                known[use.size.text] = actual, f"{use.description}{of_item}"
            expected = use.size.value({name: number for name, (number, _) in known.items()})
            if expected == actual:
                continue
            location = location or locate()
            problems.report(rules.NAMED_SIZE, *_violation_message(use, of_item, actual, expected, known, location))
            break
    if problems.items:
        raise LaunchError(problems.items)


def _violation_message(
    use: SizeUse,
    of_item: str,
    actual: int,
    expected: int | None,
    known: Mapping[str, tuple[int, str]],
    location: Location | None,
) -> tuple[str, Location | None, str]:
    known_sizes = ", ".join(
        f"{name} is {known[name][0]} by {known[name][1]}" for name in use.size.names if name in known
    )
    has = "is" if use.mode is None else "has size"
    message = f"{use.description}{of_item} {has} {actual}"
    if use.size.is_name:
        return f"{message}, but {known_sizes}", location, "pass arrays whose sizes agree"
    value = expected if expected is not None else "no number"
    return f"{message}, but {use.size} is {value}, for {known_sizes}", location, "pass arrays whose sizes agree"


def _extents(argument: Argument, mode: int | None) -> Iterator[tuple[int, str]]:
    """The size of a mode, with the item of a group that has it."""
    if isinstance(argument, MemrefArgument) and mode is not None:
        yield argument.shape[mode], ""
    elif isinstance(argument, GroupArgument):
        if mode is None:
            yield argument.count, ""
        else:
            different = dict.fromkeys(shape[mode] for shape in argument.shapes)
            for extent in different:
                item = next(k for k, shape in enumerate(argument.shapes) if shape[mode] == extent)
                yield extent, f" in item {item}" if len(different) > 1 else ""


def inferred(uses: Sequence[SizeUse], arguments: Mapping[str, Any], names: Sequence[str]) -> dict[str, int]:
    """The values of constexpr parameters that are sizes of arrays, as far as the arrays of a launch determine them."""
    sizes: dict[str, int] = {}
    for use in uses:
        if use.size.text not in names or use.size.text in sizes or use.parameter not in arguments:
            continue
        extent = _extent_of(arguments[use.parameter], use.mode)
        if extent is not None:
            sizes[use.size.text] = extent
    return sizes


def _extent_of(array: Any, mode: int | None) -> int | None:
    """The size of a mode of an array, or of the first array of a list; binding checks all of them."""
    if isinstance(array, (list, tuple)):
        if mode is None:
            return len(array)
        array = array[0] if array else None
    shape = getattr(array, "shape", None)
    if not isinstance(shape, tuple) or not shape:
        return None
    extent = shape[-1] if mode is None else shape[mode] if mode < len(shape) else None
    return extent if type(extent) is int else None
