"""What a launch has to know of a generated kernel. The cache keeps it beside the code, as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Literal, get_args

from ...process.records import dataclass
from .launch import FORMS, Array, ParamKind, Scalar

BACKEND = "sycl"
"""The name of the backend."""
TRANSPOSES = 4
"""Work-items per compute unit, executed one after the other, for all units to end at about the same time."""

Kind = Literal["array", "scalar"]
Origin = Literal[
    "value", "data", "addresses", "count", "offset", "size", "stride", "first_group", "group_count", "share"
]


@dataclass(frozen=True)
class KernelParameter:
    """A parameter of generated source, and where a launch takes its argument from.

    `kind` is "array" or "scalar" of `element`. `source` says what of the function's parameter number `parameter` is
    passed: the number itself ("value"), memory ("data"), a group's "addresses", "count" or "offset", or the
    extent or stride of mode `mode` ("size", "stride"), which for a group is an array with an entry an item. Of no
    parameter of the function are the first work-group of a part ("first_group"), for a launch in parts, and how many
    work-groups the whole launch has ("group_count"), and how many of them a work-item executes ("share").
    """

    name: str
    kind: Kind
    element: str
    parameter: int
    source: Origin
    mode: int = 0


@dataclass(frozen=True)
class KernelInterface:
    """The entry point of a kernel, its parameters, and what it wants of a device."""

    entry: str
    parameters: tuple[KernelParameter, ...]
    items: int
    """Work-items per work-group of a launch."""
    local_bytes: int
    subgroup_size: int | None
    """The sub-group size that the kernel needs; None where any will do."""
    groups_per_item: int = 1
    """The most work-groups of the language that one work-item executes, where that is left to the launch."""
    together: int = 1
    """How many of these are interleaved."""
    is_private: bool = False
    """Whether the local memory of the language is private memory of one work-item."""

    def share(self, groups: int, units: int) -> int:
        """The work-groups per work-item for a launch, on a device with so many compute units.

        It is limited so that all units stay busy, several times over.
        """
        if self.groups_per_item == 1:
            return 1
        fair = -(-groups // (units * TRANSPOSES))
        return min(self.groups_per_item, max(-(-fair // self.together) * self.together, 1))

    @property
    def signature(self) -> tuple[ParamKind, ...]:
        """The kind of each parameter."""
        return tuple((Array if p.kind == "array" else Scalar)(p.element) for p in self.parameters)

    def to_json(self) -> dict[str, Any]:
        """The data for `from_json`; without the source, where the kernel comes from generated source."""
        written = {f.name: getattr(self, f.name) for f in fields(KernelInterface)}
        return {**written, "parameters": [dict(vars(parameter)) for parameter in self.parameters]}

    @classmethod
    def from_json(cls, read: Mapping[str, Any]) -> KernelInterface:
        """The interface that `to_json` wrote. Raises ValueError for other data."""
        try:
            parameters = tuple(KernelParameter(**parameter) for parameter in read["parameters"])
            interface = cls(**{**read, "parameters": parameters})
        except (KeyError, TypeError) as error:
            raise ValueError("not the interface of a kernel") from error
        numbers = [
            (interface.items, 0),
            (interface.local_bytes, 0),
            (interface.subgroup_size or 0, 0),
            (interface.groups_per_item, 1),
            (interface.together, 1),
            *((p.mode, 0) for p in parameters),
            *((p.parameter, -1) for p in parameters),  # -1 is no parameter of the function
        ]
        if not all(type(number) is int and number >= least for number, least in numbers):
            raise ValueError("the interface of a kernel has an invalid number")
        if not all(type(name) is str for name in (interface.entry, *(p.name for p in parameters))):
            raise ValueError("the interface of a kernel has an invalid name")
        for p in parameters:
            if (
                type(p.element) is not str
                or p.kind not in get_args(Kind)
                or p.source not in get_args(Origin)
                or p.element not in FORMS
            ):
                raise ValueError("the interface of a kernel has an invalid parameter")
        return interface
