"""Which sizes a kernel is specialized for, and when.

A kernel with dynamic sizes is compiled once for all of them, and again for sizes that it is launched with repeatedly:
loops of a known length are faster, short ones more than twice. The first launch of a kernel, where nothing is compiled
yet, compiles for its own sizes, since most kernels are launched with no others. The first launch with other sizes uses
the kernel for all sizes, for there may be no second; a second one compiles for them. The number of
these variants is bounded, so a program with ever new sizes compiles and keeps a bounded number of kernels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..backends.base import Argument, Backend, GroupArgument, Lowered, MemrefArgument
from ..diagnostics import PytlError
from ..ir.types import DYNAMIC, Type, item_type
from ..ir.values import Function, Value
from ..passes.inline_calls import inlined
from ..passes.sizes import deciding_modes
from ..passes.specialize import specialized, with_memref
from ..process import forks
from ..process.settings import SPECIALIZE, SPECIALIZE_MOST
from .lowering import lowered_by

LARGEST = 1 << 14
"""Longer modes stay dynamic: the gain at the ends of long loops is not measurable."""
MAX_SEEN = 4096
"""The largest number of sizes that are remembered until they recur."""


def known_sizes(lowered: Lowered) -> dict[str, str]:
    """The shapes of the parameters that a function was specialized for, by name."""
    pairs = zip(lowered.written.parameters, lowered.original.parameters)
    return {
        written.name or str(position): "x".join(map(str, item_type(known.type).shape))
        for position, (written, known) in enumerate(pairs)
        if written.type != known.type
    }


class SizeVariants:
    """The variants of one kernel for sizes. Safe for several threads."""

    def __init__(self) -> None:
        self._lock = forks.lock()
        self._deciding_modes: dict[Value, set[int]] | None = None
        self._started: set[Any] = set()
        self._seen: set[Any] = set()
        self._variants: dict[Any, Lowered | None] = {}
        """By backend, options and types; None where the kernel for all sizes has to serve."""

    def all_lowered(self) -> Iterator[tuple[str, Lowered]]:
        """The variants, each with its backend."""
        with self._lock:
            variants = list(self._variants.items())
        for (backend, *_), lowered in variants:
            if lowered is not None:
                yield backend, lowered

    def variant_for(
        self, backend: Backend, generic: Lowered, arguments: Sequence[Argument], queue: Any, specialize: str | None
    ) -> tuple[Lowered, bool]:
        """The variant to launch for these arguments, and whether later launches with the same layouts use it, too.

        `generic` serves all sizes. `specialize` is the option of the launch; without the option, the setting decides.
        """
        if not backend.compiles:
            return generic, True
        specialize = specialize or SPECIALIZE.get()
        if specialize == "never":
            return generic, True
        if self._deciding_modes is None:
            self._deciding_modes = deciding_modes(inlined(generic.original))
        types = types_for(generic.original, self._deciding_modes, arguments)
        if types is None:
            return generic, True
        key = (backend.name, tuple(sorted(generic.options.items())), types)
        with self._lock:
            if key not in self._variants:
                variant, settled = self._consider(backend, generic, key, queue, specialize)
                if variant is None:
                    return generic, settled
                self._variants[key] = variant
            variant = self._variants[key]
        if variant is None:
            return generic, True
        try:
            backend.prepare(variant, queue)
        except (
            PytlError
        ) as error:  # say, it needs memory for copies that unknown sizes rule out; if all do, `generic` tells
            if error.code == "PYTL-3091":  # the kernel for all sizes would take as long once more
                raise
            self._variants[key] = None
            return generic, True
        return variant, True

    def _consider(
        self, backend: Backend, generic: Lowered, key: Any, queue: Any, specialize: str
    ) -> tuple[Lowered | None, bool]:
        """A new variant, if the sizes have recurred; else, whether there will never be one."""
        is_first = False
        if specialize == "auto":
            if len(self._variants) >= SPECIALIZE_MOST:
                return None, True
            is_first = key[:2] not in self._started
            self._started.add(key[:2])
            if key not in self._seen:
                if len(self._seen) >= MAX_SEEN:
                    self._seen.clear()
                self._seen.add(key)
                if not is_first:
                    return None, False
        function = specialized(generic.original, key[-1])
        if function is None:
            self._variants[key] = None
            return None, True
        variant = lowered_by(backend, generic.options, function, generic.original)
        if is_first and backend.is_cached(generic, queue) and not backend.is_cached(variant, queue):
            return None, False
        return variant, True


def types_for(
    function: Function, deciding: Mapping[Value, set[int]], arguments: Sequence[Argument]
) -> tuple[Type, ...] | None:
    """The parameters' types with the specialized sizes; None if these are the declared types."""
    if not deciding:
        return None
    declared = tuple(parameter.type for parameter in function.parameters)
    types = tuple(
        _type_of(parameter, deciding[parameter], argument) if parameter in deciding else parameter.type
        for parameter, argument in zip(function.parameters, arguments)
    )
    return None if types == declared else types


def _type_of(parameter: Value, modes: set[int], argument: Argument) -> Type:
    """The type of a parameter with the sizes of an argument on these modes, and the strides that follow from no others.

    The stride of a mode after dynamic modes would differ from launch to launch, as their sizes do.
    """
    layout = _layout_of(argument)
    if layout is None or 0 in layout[0]:
        return parameter.type
    memref = item_type(parameter.type)
    shape = tuple(
        size if size == declared or (mode in modes and size <= LARGEST) else DYNAMIC
        for mode, (declared, size) in enumerate(zip(memref.shape, layout[0]))
    )
    first = shape.index(DYNAMIC) if DYNAMIC in shape else len(shape)
    strides = tuple(
        stride if stride == declared or mode <= first else DYNAMIC
        for mode, (declared, stride) in enumerate(zip(memref.strides, layout[1]))
    )
    return with_memref(parameter.type, replace(memref, shape=shape, strides=strides))


def _layout_of(argument: Argument) -> tuple[Sequence[int], Sequence[int]] | None:
    """Shape and strides of an array; of a group's items, if all have the same."""
    if isinstance(argument, MemrefArgument):
        return argument.shape, argument.strides
    assert isinstance(argument, GroupArgument)
    return (argument.shapes[0], argument.strides[0]) if len(argument.shapes) == 1 == len(argument.strides) else None
