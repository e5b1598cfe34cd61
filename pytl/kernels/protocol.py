"""What launchers know of the kernel that they launch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from ..launch.launches import Launches
from .constant_arrays import ConstantArrays


class LaunchedKernel(Protocol):
    """The part of `pytl.Kernel` that is launched."""

    @property
    def name(self) -> str: ...
    @property
    def launches(self) -> Launches: ...
    @property
    def is_called_plainly(self) -> bool: ...
    @property
    def constants(self) -> ConstantArrays | None: ...
    def current(self) -> LaunchedKernel: ...
    def called_with(
        self, positional: Sequence[Any], named: Mapping[str, Any], may_be_none: bool = False
    ) -> tuple[LaunchedKernel, Sequence[Any], Mapping[str, Any]]:
        """The kernel that is current for the constexpr values among these arguments, and the other arguments."""
        ...
