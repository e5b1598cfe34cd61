"""What makes SPIR-V of generated source in this environment, and what is missing for it.

Nothing is imported here: looking for packages takes microseconds.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from ..process.records import dataclass
from ..process.settings import TRANSLATOR
from .versions import version_of


@dataclass(frozen=True)
class Compiler:
    """A way from generated source to SPIR-V."""

    name: str
    modules: Mapping[str, str]
    """The distributions that it needs, by the names of their modules."""

    minimum: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """The first releases that will do, of the distributions of which not any will."""

    def missing(self) -> list[str]:
        """The distributions that are not installed."""
        absent = [name for module, name in self.modules.items() if importlib.util.find_spec(module) is None]
        minimum = {} if absent else self.minimum
        older = {name: release for name, release in minimum.items() if _release_of(name) < release}
        return absent + [f"{name} {'.'.join(map(str, release))} or newer" for name, release in older.items()]

    def identity(self) -> dict[str, str]:
        """The maker and the versions of what it calls, which the cache keeps beside the code that it made."""
        return {"maker": self.name, **{name: version_of(name) for name in self.modules.values()}}


NEW_DPCTL, NEW_NUMBA = (0, 18), (0, 65)
"""The first release of dpctl that numba-dpex does not work with, and of numba that pytl's own target works with."""

NUMBA_DPEX = Compiler(
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


NUMBA = Compiler(
    "pytl's own target of numba",
    MappingProxyType({module: name for module, name in NUMBA_DPEX.modules.items() if module != "numba_dpex"}),
    minimum=MappingProxyType({"numba": NEW_NUMBA}),
)
"""For current numba and llvmlite, on which there is no numba-dpex."""

LLVMLITE = Compiler(
    "pytl's own target of numba, with llvmlite's SPIR-V",
    MappingProxyType({name: name for name in ("numba", "llvmlite")}),
    minimum=MappingProxyType({"numba": NEW_NUMBA, "llvmlite": (0, 50)}),
)
"""The same, with the SPIR-V of llvmlite's own LLVM: where there is no llvm-spirv, or by PYTL_TRANSLATOR."""


def _release_of(name: str) -> tuple[int, ...]:
    """The first two numbers of a distribution's version; none where it is not installed."""
    return tuple(int(part) for part in version_of(name).split(".")[:2] if part.isdigit())


def is_current() -> bool:
    """Whether the stack here is that of Python 3.12 and later, which `install.py --current` installs on older ones."""
    if sys.version_info >= (3, 12):
        return True
    is_newer = _release_of("dpctl") >= NEW_DPCTL or _release_of("numba") >= NEW_NUMBA
    return is_newer and importlib.util.find_spec("numba_dpex") is None


def required_compiler() -> Compiler:
    """The maker of this stack, installed or not."""
    return NUMBA if is_current() else NUMBA_DPEX


def installed_compiler() -> Compiler | None:
    """The maker that compiles kernels here: numba-dpex where it is installed, whose numba is too old for the others."""
    if importlib.util.find_spec("numba_dpex") is not None:
        compilers = [NUMBA_DPEX]
    else:
        compilers = [LLVMLITE] if TRANSLATOR.get() == "llvmlite" else [NUMBA, LLVMLITE]
    return next((compiler for compiler in compilers if not compiler.missing()), None)


def is_compatible(made_by: Mapping[str, str]) -> bool:
    """Whether kept code with this maker's identity does here, though this environment might compile it, too.

    Code of another maker does, and whatever there is where nothing compiles. Code of the maker that is installed must
    be of the same releases: who installs others wants theirs.
    """
    own = installed_compiler()
    return own is None or made_by.get("maker") != own.name or dict(made_by) == own.identity()


def can_launch() -> bool:
    """Whether the packages that launches on SYCL need are installed: its Python binding, and a maker."""
    return importlib.util.find_spec("dpctl") is not None and installed_compiler() is not None
