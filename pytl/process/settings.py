"""Every environment variable of pytl: its name, its type, what it does. Nothing else reads the environment for pytl."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from ..diagnostics import PlatformError, Rule

T = TypeVar("T")

_overrides: ContextVar[tuple[tuple[str, Any], ...]] = ContextVar("pytl settings", default=())
"""What `scope` says in this thread or task: variables and values, at most one of each."""

BAD_SETTING = Rule("PYTL-3020", "an environment variable of pytl has a value that it admits", "Settings")


@dataclass
class Setting(Generic[T]):
    """One variable. `scope` overrides it for a `with` block, in the thread or task that runs it alone."""

    variable: str
    description: str
    read: Callable[[str], T]
    admits: str
    default: T
    key: Any = field(init=False)
    """The variable as `os.environ` itself stores it."""

    def __post_init__(self) -> None:
        self.key = getattr(os.environ, "encodekey", str)(self.variable)

    def get(self) -> T:
        """The override, else what the environment says, else the default."""
        for variable, value in _overrides.get():
            if variable == self.variable:
                return value
        text = os.environ.get(self.variable)
        if text is None or text == "":
            return self.default
        try:
            return self.read(text)
        except ValueError:
            raise PlatformError.single(
                BAD_SETTING, f"{self.variable} is {text!r}", help=f"it takes {self.admits}, or may be unset"
            ) from None

    @contextmanager
    def scope(self, value: T) -> Iterator[None]:
        """Use `value` inside the block."""
        others = tuple(entry for entry in _overrides.get() if entry[0] != self.variable)
        token = _overrides.set((*others, (self.variable, value)))
        try:
            yield
        finally:
            _overrides.reset(token)


def _flag(text: str) -> bool:
    known = {
        "1": True,
        "true": True,
        "yes": True,
        "on": True,
        "0": False,
        "false": False,
        "no": False,
        "off": False,
    }
    if text.lower() not in known:
        raise ValueError(text)
    return known[text.lower()]


def _checks(text: str) -> bool | str:
    return "device" if text.lower() == "device" else _flag(text)


def _one_of(words: tuple[str, ...]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text.lower() not in words:
            raise ValueError(text)
        return text.lower()

    return read


_UNITS = {"": 1, "b": 1} | {
    f"{letter}{i}{b}": (1024 if i else 1000) ** power
    for power, letter in enumerate("kmgt", 1)
    for i in ("", "i")
    for b in ("", "b")
}


def _size(text: str) -> int:
    """A number of bytes: `65536`, `512MB`, `1.5 GiB`."""
    match = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]{1,15})?) *([a-z]*)", text.strip().lower())
    if match is None or match[2] not in _UNITS:
        raise ValueError(text)
    return int(float(match[1]) * _UNITS[match[2]])


def _directory(text: str) -> Path:
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError as error:  # the home of a user that does not exist
        raise ValueError(text) from error


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < 1e9:
        raise ValueError(text)
    return seconds


BACKEND: Setting[str | None] = Setting(
    "PYTL_BACKEND", "the backend that launches where none is named", str, "a backend's name", None
)
DEVICE: Setting[str | None] = Setting(
    "PYTL_DEVICE",
    "the SYCL device of launches without device arrays",
    str,
    "a filter string of SYCL",
    None,
)
COPY_NUMPY: Setting[bool] = Setting(
    "PYTL_COPY_NUMPY",
    "copy NumPy arrays to the device and back even where the device reads the host's memory",
    _flag,
    "0 or 1",
    False,
)
CHECKS: Setting[bool | str] = Setting(
    "PYTL_CHECKS",
    "1: the reference backend reports undefined behaviour; `device`: compiled kernels test indices and sizes, too; "
    "0: neither",
    _checks,
    "0, 1 or device",
    True,
)
STRICT_VIEWS: Setting[bool] = Setting(
    "PYTL_STRICT_VIEWS",
    "1: the reference backend reports a view out of bounds where it is formed; 0: where what is outside is accessed",
    _flag,
    "0 or 1",
    False,
)
DEBUG_PRINT_WORDS = ("refuse", "ignore")
DEBUG_PRINT: Setting[str] = Setting(
    "PYTL_DEBUG_PRINT",
    "what backends other than `reference` do with kernels that print or call `pytl.debug`: `refuse` them, or `ignore` "
    "these calls",
    _one_of(DEBUG_PRINT_WORDS),
    f"one of {', '.join(DEBUG_PRINT_WORDS)}",
    "refuse",
)
SPECIALIZE_WORDS = ("auto", "always", "never")
SPECIALIZE_MOST = 8
"""Sizes that "auto" compiles a kernel for."""
SPECIALIZE: Setting[str] = Setting(
    "PYTL_SPECIALIZE",
    "when kernels are compiled for the sizes that they are launched with: `auto`, for sizes that come again, up to "
    f"{SPECIALIZE_MOST} of them; `always`, for all sizes at once; `never`",
    _one_of(SPECIALIZE_WORDS),
    f"one of {', '.join(SPECIALIZE_WORDS)}",
    "auto",
)
TRANSLATOR_WORDS = ("llvm-spirv", "llvmlite")
TRANSLATOR: Setting[str] = Setting(
    "PYTL_TRANSLATOR",
    "what makes SPIR-V of LLVM's code for pytl's own target of numba: `llvm-spirv`, where it is installed, or "
    "`llvmlite`",
    _one_of(TRANSLATOR_WORDS),
    f"one of {', '.join(TRANSLATOR_WORDS)}",
    "llvm-spirv",
)
ISAS = ("sse", "avx2", "avx512")
"""Instruction sets of x86, each with those before it."""
MAX_ISA: Setting[str | None] = Setting(
    "PYTL_MAX_ISA",
    "the newest instructions of x86 that code uses, as if the processor had no newer ones; it is read once",
    _one_of(ISAS),
    f"one of {', '.join(ISAS)}",
    None,
)
CACHE: Setting[bool] = Setting("PYTL_CACHE", "keep compiled kernels on disk", _flag, "0 or 1", True)
CACHE_MACHINE_CODE: Setting[bool] = Setting(
    "PYTL_CACHE_MACHINE_CODE",
    "keep on disk also the machine code that the driver of a processor makes of a kernel, so that later processes on "
    "the same kind of processor compile nothing",
    _flag,
    "0 or 1",
    True,
)
CACHE_DIR: Setting[Path | None] = Setting(
    "PYTL_CACHE_DIR",
    "where compiled kernels are kept; by default the platform's directory for caches of a user",
    _directory,
    "the path of a directory",
    None,
)
CACHE_SIZE: Setting[int] = Setting(
    "PYTL_CACHE_SIZE",
    "bytes that compiled kernels may take on disk; those that were not used for the longest time go first",
    _size,
    "a number of bytes, such as 512MB or 1.5GiB",
    512_000_000,
)
MLIR_TOOLS: Setting[Path | None] = Setting(
    "PYTL_MLIR_TOOLS",
    "where mlir-opt, mlir-translate and llc are, of one version of LLVM; by default they are looked for on the PATH, "
    "beside Python, and where Debian and Homebrew have LLVM",
    _directory,
    "the path of a directory",
    None,
)
CC: Setting[str | None] = Setting(
    "PYTL_CC", "what links kernels for the host: a C compiler, or ld.lld", str, "the name or path of a program", None
)
CROSS_CC: Setting[str | None] = Setting(
    "PYTL_CROSS_CC", "the C compiler for Arm that links what QEMU runs", str, "the name or path of a program", None
)
QEMU: Setting[str | None] = Setting(
    "PYTL_QEMU", "the qemu-aarch64 that runs kernels for Arm elsewhere", str, "the name or path of a program", None
)
COMPILE_SECONDS: Setting[float] = Setting(
    "PYTL_COMPILE_SECONDS",
    "how long the build of a kernel may take; a step that is one call into LLVM or the device's driver runs to its end",
    _seconds,
    "a number of seconds that is larger than 0",
    600.0,
)
PROGRESS: Setting[bool] = Setting(
    "PYTL_PROGRESS",
    "report builds that take more than a second, by a line where standard error is a terminal, and a bar in notebooks",
    _flag,
    "0 or 1",
    True,
)
TOOL_SECONDS: Setting[float] = Setting(
    "PYTL_TOOL_SECONDS",
    "how long a tool that compiles may take, and how long a launch under QEMU",
    _seconds,
    "a number of seconds that is larger than 0",
    600.0,
)


def unparsed_settings() -> tuple[Any, ...]:
    """A key of the settings of launches: they are unchanged as long as it is equal.

    Each launch asks, and most often the environment has none of them. `os.environ` takes a microsecond to encode a name
    and miss it, so this looks at what lies beneath where that is, as in CPython.
    """
    found = getattr(os.environ, "_data", os.environ)
    if found.keys().isdisjoint(_OF_LAUNCHES):
        return _overrides.get()
    return (_overrides.get(), *map(found.get, _OF_LAUNCHES))


_OF_LAUNCHES = tuple(setting.key for setting in (BACKEND, DEVICE, COPY_NUMPY, CHECKS, SPECIALIZE))


def all_settings() -> list[Setting[Any]]:
    """Every setting, for tools that list them."""
    return [value for value in globals().values() if isinstance(value, Setting)]
