"""The tools that turn MLIR into machine code: which are installed, their versions, and how to install missing ones.

MLIR's text changes from release to release, so all tools have the same version. To find tools whose names contain their
version, as Debian's do, none is started.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ...diagnostics import PlatformError
from ...process.records import dataclass
from ...process.settings import CC, MLIR_TOOLS, Setting
from ..base import UNAVAILABLE
from .process import version_text

VERSIONS = (22, 21, 20, 19)
"""Versions of LLVM that understand the text, in the order in which they are tried."""
NEEDED = ("mlir-opt", "mlir-translate", "llc")
OPTIONAL = ("opt",)
"""Optional: LLVM's optimiser, which runs before code generation."""
COMPILERS = ("cc", "gcc", "clang", *(f"clang-{version}" for version in VERSIONS))
LINKERS = (*COMPILERS, "ld.lld", "lld")
_PACKAGES = {"mlir-opt": "mlir-{}-tools", "mlir-translate": "mlir-{}-tools", "llc": "llvm-{}"}
_USUAL = ("/usr/lib/llvm-{}/bin", "/opt/homebrew/opt/llvm@{}/bin", "/usr/local/opt/llvm@{}/bin")
_USUAL_UNVERSIONED = ("/opt/homebrew/opt/llvm/bin", "/usr/local/opt/llvm/bin")


@dataclass(frozen=True)
class Missing:
    """What is missing, as Debian packages and in words."""

    what: tuple[str, ...]
    packages: tuple[str, ...]

    def __add__(self, other: Missing) -> Missing:
        return Missing(self.what + other.what, tuple(dict.fromkeys(self.packages + other.packages)))

    def __bool__(self) -> bool:
        return bool(self.what)

    @property
    def reason(self) -> str:
        return f"{', '.join(self.what)} {'is' if len(self.what) == 1 else 'are'} not installed"

    @property
    def command(self) -> str:
        """The command that installs what is missing, on Debian and its relatives."""
        return f"sudo apt-get install -y --no-install-recommends {' '.join(self.packages)}"

    @property
    def advice(self) -> str:
        here = "brew install llvm" if sys.platform == "darwin" else f"on Debian and Ubuntu: {self.command}"
        if not any(package.startswith(("mlir", "llvm")) for package in self.packages):
            return here
        return f"{here}; with conda: conda install -c conda-forge mlir llvm-tools"


NOTHING = Missing((), ())
NO_COMPILER = Missing(("a C compiler",), ("gcc", "libc6-dev"))


@dataclass(frozen=True)
class Toolchain:
    """Tools of one version, by name, with their paths."""

    version: int
    paths: Mapping[str, str]

    def path(self, tool: str) -> str:
        return self.paths[tool]

    def has(self, tool: str) -> bool:
        return tool in self.paths

    @property
    def programs(self) -> Sequence[str]:
        return tuple(self.paths.values())

    @property
    def directory(self) -> str:
        return os.path.dirname(self.paths[NEEDED[0]])


def find_toolchain() -> Toolchain | Missing:
    """The tools on this machine, of the preferred version that is complete; else what is missing."""
    toolchain = _find(MLIR_TOOLS.get(), os.environ.get("PATH"))
    if isinstance(toolchain, Missing):
        _find.cache_clear()  # the tools may be installed meanwhile
    return toolchain


def find_linker() -> str | Missing:
    """The linker of shared libraries for the host: a C compiler, or lld."""
    return find_program(CC, LINKERS, NO_COMPILER)


def find_compiler() -> str | Missing:
    """The C compiler for the host, which links, too."""
    return find_program(CC, COMPILERS, NO_COMPILER)


def missing_of(*tools: object) -> Missing:
    """What is missing of what was looked for."""
    return sum((each for each in tools if isinstance(each, Missing)), NOTHING)


def require(*tools: object) -> None:
    """Raise PYTL-3013 for all that is missing of what was looked for."""
    missing = missing_of(*tools)
    if missing:
        raise PlatformError.single(UNAVAILABLE, missing.reason, help=missing.advice)


def find_program(setting: Setting[str | None], names: Iterable[str], missing: Missing) -> str | Missing:
    """The path of the program that a setting names, else of the first of these that is installed."""
    configured = setting.get()
    program = _find_program(configured, tuple(names), os.environ.get("PATH"))
    if program is not None:
        return program
    _find_program.cache_clear()
    if configured is None:
        return missing
    return Missing((f"{missing.what[0]} ({setting.variable} is {configured})",), missing.packages)


def identity(paths: Iterable[str]) -> list[list[object]]:
    """Identifies versions of programs without starting them: a part of a cache key."""
    entries: list[list[object]] = []
    for path in paths:
        status = os.stat(path)  # of the target of a symbolic link
        entries.append([path, status.st_size, status.st_mtime_ns])
    return entries


# Looking.


@functools.lru_cache(maxsize=32)
def _find_program(configured: str | None, names: Sequence[str], path: str | None) -> str | None:
    if configured is not None:
        return shutil.which(configured, path=path)
    folders = os.pathsep.join(_with_own(path))
    return next((program for name in names if (program := shutil.which(name, path=folders))), None)


@functools.lru_cache(maxsize=32)
def _find(directory: Path | None, path: str | None) -> Toolchain | Missing:
    best: dict[str, str] = {}
    best_version = VERSIONS[0]
    for version in VERSIONS:
        candidates = {name: _find_versioned(name, version, directory, path) for name in (*NEEDED, *OPTIONAL)}
        paths = {name: file for name, file in candidates.items() if file}
        if all(name in paths for name in NEEDED):
            return Toolchain(version, paths)
        if sum(name in paths for name in NEEDED) > sum(name in best for name in NEEDED):
            best, best_version = paths, version
    plain = {name: file for name in (*NEEDED, *OPTIONAL) if (file := _which(name, _folders(directory, path)))}
    if all(name in plain for name in NEEDED):
        alike = _of_one_version(plain)
        if all(name in alike for name in NEEDED):
            return Toolchain(version_of(plain[NEEDED[0]]) or 0, alike)
    return _missing(best, best_version, directory)


def _of_one_version(paths: Mapping[str, str]) -> dict[str, str]:
    """The tools with the first one's version, if that version reads the text. A tool that hangs delays no others."""
    alike: dict[str, str] = {}
    version = version_of(paths[NEEDED[0]])
    for name, path in paths.items():
        if version in VERSIONS and version_of(path) == version:
            alike[name] = path
        elif name in NEEDED:
            break
    return alike


def _missing(best: Mapping[str, str], version: int, directory: Path | None) -> Missing:
    absent = [name for name in NEEDED if name not in best]
    what = [f"{name} of LLVM {version}" for name in absent]
    if len(absent) == len(NEEDED):
        others = ", ".join(map(str, VERSIONS[1:]))
        what = [f"{name} of LLVM {version} (or {others})" if name == absent[-1] else name for name in absent]
    if directory is not None:
        what[-1] += f" ({MLIR_TOOLS.variable} is {directory})"
    packages = tuple(dict.fromkeys(_PACKAGES[name].format(version) for name in absent))
    return Missing(tuple(what), packages)


def _find_versioned(name: str, version: int, directory: Path | None, path: str | None) -> str | None:
    suffixed = _which(f"{name}-{version}", _folders(directory, path))
    if suffixed or directory is not None:
        return suffixed
    return _which(name, os.pathsep.join(folder.format(version) for folder in _USUAL))


def _folders(directory: Path | None, path: str | None) -> str:
    if directory is not None:
        return str(directory)
    return os.pathsep.join([*_with_own(path), *_USUAL_UNVERSIONED])


def _with_own(path: str | None) -> list[str]:
    """The search path: the programs beside this Python (those of a virtual environment) before the PATH."""
    folders, own = [path] if path else [], str(Path(sys.prefix, "bin"))
    return [own, *folders] if sys.prefix != sys.base_prefix else [*folders, own]


def _which(name: str, folders: str) -> str | None:
    return shutil.which(name, path=folders)


@functools.lru_cache(maxsize=32)
def version_of(path: str) -> int | None:
    """The version of LLVM that a tool reports; None where it reports none."""
    match = re.search(r"version (\d+)\.", version_text(path))
    return int(match[1]) if match else None
