"""`other.inline(…)`: the body of another kernel, in place of the call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

from ..ir.values import Function
from .scalars import fail_outside_kernel
from .traced import Described


@dataclass(frozen=True, eq=False)
class KernelBody(Described):
    """A kernel whose body another kernel takes: a Python function, or a function that was text."""

    name: str
    definition: FunctionType | Function
    attributes: Mapping[str, Any] = field(default_factory=dict)
    """Those of the kernel, such as subgroup_size."""
    constants: Mapping[str, Any] = field(default_factory=dict)
    """The values of constexpr parameters that have been given, which a call does not pass."""
    surroundings: Mapping[str, Any] = field(default_factory=dict)
    """Further names that annotations may use."""

    @property
    def description(self) -> str:
        return f"the body of the kernel {self.name}"

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        fail_outside_kernel(f"{self.name}.inline(…)")
