"""What makes SPIR-V of generated source in this environment, and what is missing for it.

Nothing is imported here: looking for packages takes microseconds.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Maker:
    """A way from generated source to SPIR-V."""

    name: str
    modules: Mapping[str, str]
    """The distributions that it needs, by the names of their modules."""

    def missing(self) -> list[str]:
        """The distributions that are not installed."""
        return [name for module, name in self.modules.items() if importlib.util.find_spec(module) is None]


NUMBA_DPEX = Maker(
    "numba-dpex",
    MappingProxyType(
        {
            "numba_dpex": "numba-dpex",
            "numba": "numba",
            "llvmlite": "llvmlite",
            "dpcpp_llvm_spirv": "dpcpp-llvm-spirv",
        }
    ),
)


def can_launch() -> bool:
    """Whether the packages that launches on SYCL need are installed: its Python binding, and a maker."""
    return importlib.util.find_spec("dpctl") is not None and not NUMBA_DPEX.missing()
