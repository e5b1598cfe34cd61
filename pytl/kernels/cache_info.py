"""The result of `k.cache_info()`: the variants of a kernel, with the origin and the number of uses of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..backends.base import Variant
from ..diagnostics.html import table, text
from ..diagnostics.words import counted
from ..process.records import dataclass


@dataclass(frozen=True)
class KernelVariant:
    """A kernel with values for its constexpr parameters and sizes, compiled with options of a backend for a device.

    `sizes` has the shape of each array of the specialization, as `16x8x?`; it is empty where the variant takes all
    sizes.
    """

    constexprs: Mapping[str, Any]
    sizes: Mapping[str, str]
    backend: str
    options: Mapping[str, Any]
    built: Variant
    is_tuned: bool = False
    """Whether `pytl.tune` chose the options."""

    def __str__(self) -> str:
        built = self.built
        chosen = [f"{name}={value}" for name, value in {**self.constexprs, **self.sizes, **self.options}.items()]
        origin = f"built in {built.seconds:.2f} s"
        if built.origin == "disk":
            what = "machine code from disk" if built.is_machine_code else "from disk"
            origin = f"{what} in {built.seconds:.2f} s (built in {built.build_seconds:.2f} s)"
        elif built.origin == "shared":
            origin = f"that of an equal kernel (built in {built.build_seconds:.2f} s)"
        used = f"{built.size} bytes, {counted(built.hits, 'memory hit')}"
        return f"{', '.join([*chosen, built.device])}: {'tuned, ' if self.is_tuned else ''}{origin}, {used}"


@dataclass(frozen=True)
class CacheInfo:
    """The variants of a kernel, its specializations included, and the number of its launch plans.

    A launch plan is what was decided for arguments of some data types, shapes and strides. Sizes that are dynamic in
    the kernel's signature make new plans, and a new variant where the kernel is specialized for them.
    """

    kernel: str
    variants: tuple[KernelVariant, ...]
    plans: int

    @property
    def builds(self) -> int:
        """The number of variants that were compiled for this kernel."""
        return sum(variant.built.origin == "built" for variant in self.variants)

    @property
    def disk_hits(self) -> int:
        """The number of variants that were found on disk."""
        return sum(variant.built.origin == "disk" for variant in self.variants)

    @property
    def memory_hits(self) -> int:
        """The number of launches that found their variant in memory."""
        return sum(variant.built.hits for variant in self.variants)

    def __str__(self) -> str:
        counts = (
            counted(self.builds, "build"),
            counted(self.disk_hits, "disk hit"),
            counted(self.memory_hits, "memory hit"),
            counted(self.plans, "launch plan"),
        )
        return "\n  ".join([f"{self.kernel}: {', '.join(counts)}", *map(str, self.variants)])

    def _repr_html_(self) -> str:
        head = text(str(self).split("\n")[0])
        return (
            f"<div>{head}{table(_HEAD, [_row(variant) for variant in self.variants])}</div>" if self.variants else head
        )


_HEAD = ("backend", "device", "values, sizes and options", "tuned", "origin", "seconds", "bytes", "memory hits")


def _row(variant: KernelVariant) -> tuple[object, ...]:
    built = variant.built
    chosen = {**variant.constexprs, **variant.sizes, **variant.options}
    shown = ", ".join(f"{name}={value}" for name, value in chosen.items())
    tuned = "yes" if variant.is_tuned else ""
    origin = f"{built.origin}, machine code" if built.is_machine_code else built.origin
    return variant.backend, built.device, shown, tuned, origin, f"{built.seconds:.2f}", built.size, built.hits
