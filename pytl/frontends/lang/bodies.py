"""What kernels call that others wrote: `other.inline(…)`, the body of a kernel, and functions of `@pytl.function`."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import field
from types import FunctionType, MethodType
from typing import Any

from ...diagnostics import LaunchError, call_site
from ...ir.values import Function
from ...process.records import dataclass
from .rules import LAUNCHED
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
    annotation_names: Mapping[str, Any] = field(default_factory=dict)
    """Further names that annotations may use."""

    @property
    def description(self) -> str:
        return f"the body of the kernel {self.name}"

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        fail_outside_kernel(f"{self.name}.inline(…)")


class CalledOnce(Described):
    """What `@pytl.function` makes: a Python function that kernels call, and that is compiled once for all calls.

    Outside of kernels it is the Python function itself.
    """

    def __init__(self, definition: FunctionType, annotation_names: Mapping[str, Any]) -> None:
        self.definition = definition
        self.annotation_names = dict(annotation_names)
        """Further names that annotations may use."""
        functools.update_wrapper(self, definition)

    @property
    def name(self) -> str:
        return self.definition.__name__

    @property
    def description(self) -> str:
        return f"the function {self.name}"

    def redefine(self, other: CalledOnce) -> None:
        """Become what another function is, as in a notebook whose module is loaded again."""
        self.__dict__.clear()
        self.__dict__.update(vars(other))

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.definition(*arguments, **named)

    def __getitem__(self, configuration: Any) -> Any:
        message = f"{self.name} is a function that kernels call"
        raise LaunchError.single(LAUNCHED, message, call_site(), "call it in a kernel, or write @pytl.kernel for it")

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<pytl.function {self.name}>"
