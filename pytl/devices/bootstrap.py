"""Makes the SYCL run time that pip installed work in this process.

The wheels of dpctl and dpnp that numba-dpex needs do not say where their libraries are, and the OpenCL
loader does not know of Intel's CPU device. `load_sycl` loads the libraries by their full paths and names
the device, so that a program needs no environment variables. Where the system's loader finds everything by
itself (conda, an installed oneAPI, a user's LD_LIBRARY_PATH) it leaves the libraries alone.
"""

from __future__ import annotations

import contextlib
import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import IO

from ..process import forks
from ..process.interrupts import interrupts_deferred
from ..process.settings import MAX_ISA
from .compilers import is_current
from .processors import excluded

COMPILER = "numba-dpex==0.23.0"
PINS = (
    "numba==0.59.1",
    "dpcpp-llvm-spirv==2024.2.*",
    "dpctl==0.17.0",
    "numpy<2",
    "dpcpp-cpp-rt==2024.2.*",
)
CURRENT_PINS = (
    "numba==0.68.1",
    "dpcpp-llvm-spirv==2024.2.*",
    "dpctl==0.22.1",
    "intel-opencl-rt==2026.2.*",
)
"""For Python 3.12 to 3.14, and for older ones by choice: kernels are compiled by pytl's own target of numba."""

# In the order of their dependencies: libraries of dpctl (libsycl 7 for dpctl 0.17, 9 for 0.22), then those of dpnp.
LIBRARIES = (
    *("libintlc.so.5", "libirng.so", "libimf.so", "libsvml.so"),
    *("libtbb.so.12", "libOpenCL.so.1", "libsycl.so.7", "libsycl.so.9"),
)
DPNP_LIBRARIES = (
    *("libmkl_core.so.2", "libmkl_tbb_thread.so.2", "libmkl_intel_ilp64.so.2"),
    *(f"libmkl_sycl_{part}.so.4" for part in ("blas", "lapack", "dft", "rng", "stats", "vm")),
)

# The distributions whose records name these libraries.
DISTRIBUTIONS = (
    "intel-cmplr-lib-rt",
    "intel-sycl-rt",
    "intel-opencl-rt",
    "tbb",
    "mkl",
    "onemkl-sycl-blas",
    "dpcpp-cpp-rt",
)

OPENCL_DEVICE = "libintelocl.so"

# Architectures of the CPU device, with the flags of /proc/cpuinfo that each requires; the first that fits is used.
_ICELAKE = (
    "avx512f avx512cd avx512bw avx512dq avx512vl avx512ifma avx512vbmi avx512_vbmi2"
    " avx512_vnni avx512_bitalg avx512_vpopcntdq gfni vaes vpclmulqdq sha_ni fma bmi2 clwb rdpid"
)
_SAPPHIRERAPIDS = f"{_ICELAKE} avx512_bf16 avx512_fp16 avx_vnni amx_tile amx_bf16 amx_int8"
ARCHITECTURES = {
    "graniterapids": f"{_SAPPHIRERAPIDS} amx_fp16",
    "sapphirerapids": _SAPPHIRERAPIDS,
    "icelake-server": _ICELAKE,
    "skx": "avx512f avx512cd avx512bw avx512dq avx512vl fma bmi2 adx clwb clflushopt",
    "core-avx2": "avx2 fma bmi1 bmi2 f16c movbe abm",
    "corei7": "sse4_2 popcnt",
}


TILED = ("graniterapids", "sapphirerapids")
SETTINGS = "CL_CONFIG_"
TARGET_ARCHITECTURE = f"{SETTINGS}CPU_TARGET_ARCH"
OPENCL_DEVICES = "OCL_ICD_FILENAMES"
SELECTORS = (OPENCL_DEVICES, "OCL_ICD_VENDORS", "ONEAPI_DEVICE_SELECTOR", "SYCL_DEVICE_FILTER", "SYCL_DEVICE_ALLOWLIST")
"""Variables that choose among devices."""


class SyclUnavailable(Exception):
    """No usable SYCL run time is here: `reason` says why, `advice` how to get one."""

    def __init__(self, reason: str, advice: str) -> None:
        super().__init__(f"{reason}\n{advice}")
        self.reason = reason
        self.advice = advice


_lock = forks.lock()
_prepared = False
_architecture_named = False
_driver_architecture: str | None = None
_driver_settings: dict[str, str] | None = None
_loaded = False
_directories: list[Path] = []
"""The directories of the libraries that the system's loader does not find."""


def load_sycl() -> None:
    """Make `import dpctl` and `import numba_dpex` work in this process, or raise SyclUnavailable."""
    global _loaded
    if _loaded:
        return
    if importlib.util.find_spec("dpctl") is None:
        raise SyclUnavailable("dpctl, the Python binding of SYCL, is not installed.", installation_advice())
    with interrupts_deferred():
        prepare()
        try:
            import dpctl
        except ImportError as error:
            raise SyclUnavailable(f"dpctl does not load: {error}", installation_advice()) from error
        devices = initialize_devices(dpctl)
    if devices == 0:
        raise SyclUnavailable("The SYCL run time finds no device, not even the CPU.", _advice_without_device())
    _loaded = True


def prepare() -> None:
    """Load the libraries that dpctl needs, if they are installed, and name the CPU device.

    Imports nothing: it runs while dpctl is being imported, and another thread may be doing the same.
    """
    global _prepared, _architecture_named, _driver_architecture, _driver_settings
    with _lock:
        if _prepared:
            return
        _prepared = True
        package = None if "dpctl" in sys.modules else importlib.machinery.PathFinder.find_spec("dpctl")
        _architecture_named = _name_architecture()
        now = {name: value for name, value in os.environ.items() if name.startswith(SETTINGS)}
        if "dpctl" not in sys.modules:  # else the driver may have begun before
            _driver_architecture = os.environ.get(TARGET_ARCHITECTURE)
            _driver_settings = now
        elif now == _settings_at_start():
            _driver_settings = now
        if os.name == "posix" and package is not None and package.origin is not None:
            _load_libraries(interface_of(Path(package.origin).parent))


def interface_of(dpctl: Path) -> Path:
    """dpctl's library in its directory: libDPCTLSyclInterface.so.0, and from dpctl 0.22 on without the number."""
    numbered, plain = (dpctl / f"libDPCTLSyclInterface.so{end}" for end in (".0", ""))
    return numbered if numbered.exists() else plain


def prepare_dpnp() -> None:
    """Load the further libraries of dpnp. They take longer to load than dpctl's, and most processes don't need them."""
    global _directories
    prepare()
    with _lock:
        paths = [path for name in DPNP_LIBRARIES if (path := _find(name, _directories)) is not None]
        if paths and not _load_together(paths):
            _load(DPNP_LIBRARIES, _directories)
        _directories = []


def driver_architecture() -> str | None:
    """The processor that the CPU device's driver is set to compile for; None where unset or uncertain."""
    return _driver_architecture


def driver_vector_bytes() -> int:
    """Bytes of the vector registers of `driver_architecture`, which the device reports as those of the processor."""
    flags = ARCHITECTURES.get(_driver_architecture or "", "avx512f").split()
    return 64 if "avx512f" in flags else 32 if "avx2" in flags else 16


def driver_settings() -> dict[str, str] | None:
    """The environment variables at the start of the CPU device's driver; None where they are not known."""
    return _driver_settings


def _settings_at_start() -> dict[str, str] | None:
    """The driver's settings in the environment at the start of the process; None where the system does not give it."""
    try:
        pairs = (os.fsdecode(pair).partition("=") for pair in Path("/proc/self/environ").read_bytes().split(b"\0"))
    except OSError:
        return None
    return {name: value for name, _, value in pairs if name.startswith(SETTINGS)}


def initialize_devices(dpctl: ModuleType) -> int:
    """Start the SYCL run time, which looks for devices then; returns how many it finds."""
    with _lock, processor_warnings_suppressed():
        return dpctl.get_num_devices()


def processor_warnings_suppressed() -> contextlib.AbstractContextManager[None]:
    """Let the driver look for the CPU device, and not say that it does not know a processor that pytl named to it."""
    return without_warnings(b"Unknown host CPU") if _architecture_named else contextlib.nullcontext()


def installation_advice() -> str:
    """How to get the packages that compile and launch kernels on SYCL, or what to use instead."""
    import platform

    wheels_exist = platform.machine().lower() in ("x86_64", "amd64") and sys.platform in ("linux", "win32")
    if not wheels_exist:
        platform_name = f"{sys.platform} on {platform.machine()}"
        return f"There are no wheels of the SYCL stack for {platform_name}: use another backend."
    if (3, 10) <= sys.version_info[:2] <= (3, 14) and is_current():
        pins = " ".join(f"'{pin}'" for pin in CURRENT_PINS)
        return f"Install the versions that work together, not with --target: pip install {pins}"
    if not (3, 10) <= sys.version_info[:2] <= (3, 11):
        version = ".".join(map(str, sys.version_info[:2]))
        return f"There are no wheels of the SYCL stack for Python {version}: use 3.10 to 3.14, or another backend."
    pins = " ".join(f"'{pin}'" for pin in PINS)
    # pip's --target leaves out what a wheel installs beside the packages, and so all of these libraries.
    # numba-dpex asks for dpnp, which kernels do without, and for its newest release, which does not fit the others.
    commands = f"pip install {pins} && pip install --no-deps {COMPILER}"
    return f"Install the versions that work together, not with --target: {commands}"


def _advice_without_device() -> str:
    """What to do where the run time loads, but finds no device: variables may hide it, or its package is missing."""
    hiding = [name for name in (TARGET_ARCHITECTURE, *SELECTORS) if name in os.environ]
    if _architecture_named:
        hiding.remove(TARGET_ARCHITECTURE)  # pytl's own setting
    if OPENCL_DEVICE in os.environ.get(OPENCL_DEVICES, OPENCL_DEVICE):
        hiding = [name for name in hiding if name != OPENCL_DEVICES]
    if not hiding:
        return installation_advice()
    shown = ", ".join(f"{name}={os.environ[name]!r}" for name in hiding)
    advice = f"Unset the variables of the environment that may hide it: {shown}."
    return f"{advice} Where none hides it: {installation_advice()}"


def _load_libraries(interface: Path) -> None:
    """Load dpctl's own library, after its dependencies if the system's loader does not find them."""
    global _directories
    own = Path(sys.prefix) / "lib"
    is_pips = interface.is_relative_to(sys.prefix) and not (Path(sys.prefix) / "conda-meta").exists()
    if is_pips and (own / OPENCL_DEVICE).exists():
        recorded = [own]  # pip has put all of them here; reading its records takes longer than loading the libraries
    else:
        recorded = list(dict.fromkeys(directory for name in DISTRIBUTIONS for directory in _recorded_directories(name)))
    if _dlopen(interface):
        # The loader may be set up without the device. Only pip's device is named here: the one that conda
        # installs under sys.prefix is known to its OpenCL loader, which would list it twice.
        _name_opencl_device(recorded)
        return
    _directories = [*recorded, own]
    _name_opencl_device(_directories)
    _load(LIBRARIES, _directories)
    _dlopen(interface)


def _load(names: Iterable[str], directories: Iterable[Path]) -> None:
    for name in names:
        path = _find(name, directories)
        # A library that is missing here may be the system's; if it is not, the error of the import names it.
        if path is not None:
            _dlopen(path)


def _load_together(paths: Sequence[Path]) -> bool:
    """Load libraries for each other and for what asks for them by name, not for the whole process."""
    from .library_group import group_of  # for those who import dpnp

    try:
        with group_of(paths) as group:
            return _dlopen(group, for_all=False)
    except (AttributeError, OSError):  # without memfd_create, or where it is forbidden
        return False


def _recorded_directories(distribution: str) -> Iterable[Path]:
    """The directory of a distribution's libraries; it differs with `--user` and virtual environments."""
    import importlib.metadata  # its import takes as long as all of pytl, which imports this module at once

    try:
        files = importlib.metadata.files(distribution) or []
    except importlib.metadata.PackageNotFoundError:
        return []
    return dict.fromkeys(Path(os.path.normpath(file.locate())).parent for file in files if ".so" in file.name)


def _find(name: str, directories: Iterable[Path]) -> Path | None:
    return next((directory / name for directory in directories if (directory / name).exists()), None)


def _dlopen(path: Path, for_all: bool = True) -> bool:
    """Load a library, for the whole process or for what needs it, with lazy binding of its functions.

    Not ctypes.CDLL, which always binds at once: the MKL libraries need each other in a circle and do not
    survive that.
    """
    import ctypes  # not at `import pytl`

    libc = ctypes.CDLL(None)
    libc.dlopen.restype = ctypes.c_void_p
    libc.dlopen.argtypes = (ctypes.c_char_p, ctypes.c_int)
    flags = os.RTLD_LAZY | (os.RTLD_GLOBAL if for_all else os.RTLD_LOCAL)
    return libc.dlopen(os.fsencode(path), flags) is not None


def _name_opencl_device(directories: Iterable[Path]) -> None:
    device = _find(OPENCL_DEVICE, directories)
    if device is not None:
        os.environ.setdefault(OPENCL_DEVICES, str(device))


def _name_architecture() -> bool:
    """Name this processor's architecture to the CPU device, where the device would not recognise it; whether it is.

    It knows processors by their models, and an AMD processor newer than the driver is unknown to it: that
    one gets SSE code with fused multiply-adds done in software, at a hundredth of the speed of the AVX-512
    code that it could run. One with tile registers is named, too: whether they can be used must be certain.
    """
    architecture = _architecture(_cpuinfo())
    if TARGET_ARCHITECTURE in os.environ:
        return os.environ[TARGET_ARCHITECTURE] == architecture  # by the process that began this one
    if architecture is None:
        return False
    os.environ[TARGET_ARCHITECTURE] = architecture
    return True


def _cpuinfo() -> str:
    try:
        return Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def processor(cpuinfo: str | None = None) -> tuple[str, frozenset[str]]:
    """The processor's vendor and flags that PYTL_MAX_ISA admits; Intel and no flags where they are not known."""
    text = _cpuinfo() if cpuinfo is None else cpuinfo
    fields = (line.partition(":") for line in text.split("\n\n", 1)[0].splitlines())
    values = {key.strip(): value.strip() for key, _, value in fields}
    flags = frozenset(values.get("flags", "").split())
    return values.get("vendor_id", "GenuineIntel"), flags - excluded(flags)


def _architecture(cpuinfo: str) -> str | None:
    """The best of ARCHITECTURES for a processor.

    For Intel only those with tiles: the driver finds the rest itself where nothing limits what code uses.
    """
    vendor, has = processor(cpuinfo)
    candidates = TILED if vendor == "GenuineIntel" and MAX_ISA.get() is None else ARCHITECTURES
    return next((name for name in candidates if has.issuperset(ARCHITECTURES[name].split())), None)


@contextlib.contextmanager
def compiling() -> Iterator[None]:
    """A block in which the driver compiles. Its remarks on loops that are not vectorised are dropped."""
    with _lock, without_warnings(b"loop not vectorized", b"loop not unrolled", b"loop not interleaved"):
        yield


@contextlib.contextmanager
def without_warnings(*dropped: bytes) -> Iterator[None]:
    """Drop lines with these words from the driver's output, such as remarks on the processor setting.

    The driver writes to file descriptor 2 and has no setting against it. Everything else written there
    meanwhile, by any thread, follows afterwards.
    """
    try:
        stderr = os.dup(2)
    except OSError:  # closed, as in a daemon
        yield
        return
    with _temporary_file() as written:
        os.dup2(written.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)
            written.seek(0)
            shown = [line for line in written if not any(words in line for words in dropped)]
            if shown:
                os.write(2, b"".join(shown))


def _temporary_file() -> IO[bytes]:
    """A file without a name: in memory where the system has such, since the module `tempfile` takes 10 ms to import."""
    with contextlib.suppress(AttributeError, OSError):
        return open(os.memfd_create("pytl"), "w+b")
    import tempfile

    return tempfile.TemporaryFile()
