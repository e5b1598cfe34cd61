"""Machine code of kernels: read from the OpenCL driver of a processor, and given back to it in a later process.

Intel's OpenCL CPU driver compiles SPIR-V of several products in 0.5 to 1 s of processor time. It takes back the binary
that it made within 10 ms. dpctl has functions for SPIR-V and for OpenCL C only, the driver refuses a binary where it
takes SPIR-V, and SYCL's persistent cache (SYCL_CACHE_PERSISTENT) leaves programs out that are made from SPIR-V. This
module does with a binary what dpctl's library does with SPIR-V: it makes an OpenCL program, and from that a bundle of
kernels with the function of libsycl that `sycl::make_kernel_bundle` calls. dpctl's C API makes a `SyclProgram` of it.

An exception of C++ that left a function called by ctypes would end the process. What could raise one is therefore asked
of OpenCL first: the program is for one device, it is built and executable, and it has the kernel. The functions of
libsycl are found by their mangled names, which hold the types of their parameters. Where one of them is missing, there
is no machine code.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from ...devices import bootstrap
from .events import interface

MAKE_BUNDLE = "_ZN4sycl3_V16detail18make_kernel_bundleEmRKNS0_7contextEbNS0_12bundle_stateENS0_7backendE"
"""Takes a native handle, a context, whether the caller keeps the handle, a state, a backend; gives a shared_ptr."""
NATIVE_CONTEXT = "_ZNK4sycl3_V17context9getNativeEv"
NATIVE_DEVICE = "_ZNK4sycl3_V16device9getNativeEv"
NATIVE_KERNEL = "_ZNK4sycl3_V16kernel9getNativeEv"
NATIVE_QUEUE = "_ZNK4sycl3_V15queue9getNativeERi"
NEW = "_Znwm"
SYCL = (7, 9)
"""The numbers of libsycl in which these functions were tried. Between them, none of the types has changed."""
OPENCL, EXECUTABLE = 1, 2
"""Values of sycl::backend and sycl::bundle_state."""
BUNDLE_BYTES = 16
"""The size of a sycl::kernel_bundle, whose one member is a std::shared_ptr."""
MAKE_PROGRAM = b"struct PySyclProgramObject *(DPCTLSyclKernelBundleRef)"
"""The type of dpctl's `SyclProgram_Make`, which the capsule of a Cython module has for its name."""

KERNEL_REFERENCES, KERNEL_PROGRAM = 0x1192, 0x1194
PROGRAM_REFERENCES = 0x1160
KERNEL_HOLDERS = 3
"""References to a kernel: of libsycl, of dpctl, which has forgotten it, and of who asks."""
PROGRAM_HOLDERS = 2
"""References to a program that somebody releases: of the bundle, and of libsycl's kernel."""
PROGRAM_FORGOTTEN = {7: 1}
"""References to a kernel's program that libsycl takes and forgets, by its number. Of 9 not all are known."""
PROGRAM_DEVICE_COUNT, PROGRAM_BINARY_SIZES, PROGRAM_BINARIES = 0x1162, 0x1165, 0x1166
BUILD_STATUS, BINARY_TYPE, BINARY_IS_EXECUTABLE = 0x1181, 0x1184, 4

_pointer, _size, _int, _unsigned = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_uint
# What each function returns, and what it takes.
_OPENCL = {
    "clGetKernelInfo": (_int, _pointer, _unsigned, _size, _pointer, _pointer),
    "clGetProgramInfo": (_int, _pointer, _unsigned, _size, _pointer, _pointer),
    "clGetProgramBuildInfo": (_int, _pointer, _pointer, _unsigned, _size, _pointer, _pointer),
    "clCreateProgramWithBinary": (_pointer, _pointer, _unsigned, *[_pointer] * 5),
    "clBuildProgram": (_int, _pointer, _unsigned, _pointer, ctypes.c_char_p, _pointer, _pointer),
    "clCreateKernel": (_pointer, _pointer, ctypes.c_char_p, _pointer),
    "clReleaseKernel": (_int, _pointer),
    "clReleaseProgram": (_int, _pointer),
    "clReleaseContext": (_int, _pointer),
    "clReleaseDevice": (_int, _pointer),
    "clReleaseCommandQueue": (_int, _pointer),
    "clSetKernelExecInfo": (_int, _pointer, _unsigned, _size, _pointer),
    "clGetDeviceInfo": (_int, _pointer, _unsigned, _size, _pointer, _pointer),
    "clGetExtensionFunctionAddressForPlatform": (_pointer, _pointer, ctypes.c_char_p),
}
_SYCL = {
    NATIVE_CONTEXT: (_pointer, _pointer),
    NATIVE_DEVICE: (_pointer, _pointer),
    NATIVE_KERNEL: (_pointer, _pointer),
    NATIVE_QUEUE: (_pointer, _pointer, _pointer),
    MAKE_BUNDLE: (_pointer, _pointer, _pointer, _pointer, ctypes.c_bool, _int, _int),
    NEW: (_pointer, _size),
}
_DPCTL = {"DPCTLKernelBundle_Delete": (None, _pointer)}


@cache
def made_for() -> dict[str, Any] | None:
    """What decides the machine code beside the kernel, the device's name and the version of its driver.

    These are the processor, the driver's file and its settings. None where one is unknown, or where the driver is not
    Intel's for processors under Linux on x86-64.
    """
    driver, settings = _driver(), bootstrap.driver_settings()
    vendor, features = bootstrap.processor()
    if driver is None or settings is None or not features or functions_of_drivers() is None:
        return None
    status, configured = driver.stat(), driver.with_name("cl.cfg")
    return {
        "processor": [vendor, sorted(features)],
        "driver": [str(driver.name), status.st_size, status.st_mtime_ns],
        "settings": settings,
        "configuration": configured.read_text("utf-8", "replace") if configured.is_file() else "",
    }


def _driver() -> Path | None:
    """The file of the driver in this process."""
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        return None
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
            paths = {line.split(maxsplit=5)[5].rstrip("\n") for line in maps if "/libintelocl.so" in line}
    except OSError:
        return None
    return Path(paths.pop()) if len(paths) == 1 else None


def is_for(queue: Any) -> bool:
    """Whether machine code can be kept for a queue's device: a whole processor under OpenCL, alone in its context."""
    device = queue.sycl_device
    is_opencl = device.backend.name == "opencl"
    is_alone = is_opencl and device.parent_device is None and queue.sycl_context.device_count == 1
    return is_alone and device.is_cpu and made_for() is not None


def read(queue: Any, kernel: Any) -> bytes | None:
    """The machine code of a `dpctl.program.SyclKernel`; None where the driver does not give it, or not take it back."""
    functions = functions_of_drivers()
    if functions is None or not is_for(queue):
        return None
    with ExitStack() as owned:
        native = functions[NATIVE_KERNEL](kernel.addressof_ref())
        owned.callback(functions["clReleaseKernel"], native)
        program = asked(functions["clGetKernelInfo"], (native, KERNEL_PROGRAM), _pointer())
        if not program or asked(functions["clGetProgramInfo"], (program, PROGRAM_DEVICE_COUNT), _unsigned()) != 1:
            return None
        size = asked(functions["clGetProgramInfo"], (program, PROGRAM_BINARY_SIZES), _size())
        if not size:
            return None
        code = ctypes.create_string_buffer(size)
        if not asked(functions["clGetProgramInfo"], (program, PROGRAM_BINARIES), _pointer(ctypes.addressof(code))):
            return None
    return code.raw


def program_of(queue: Any, name: str, code: bytes) -> Any:
    """The `dpctl.program.SyclProgram` of machine code that `read` gave, with a kernel of this name.

    None where the driver refuses the code, or where it has no such kernel.
    """
    functions = functions_of_drivers()
    if functions is None or not is_for(queue):
        return None
    with _built(functions, queue, name, code) as program:
        if program is None:
            return None
        bundle = functions[NEW](BUNDLE_BYTES)
        # It keeps a reference of its own to the program, as what dpctl itself makes does.
        functions[MAKE_BUNDLE](bundle, program, queue.sycl_context.addressof_ref(), False, EXECUTABLE, OPENCL)
    program_object = _make_program()(bundle)  # has a copy of the bundle
    functions["DPCTLKernelBundle_Delete"](bundle)
    return program_object


def release_is_known() -> bool:
    """Whether it is known for this libsycl what it keeps."""
    return functions_of_drivers() is not None and _sycl()[0] in PROGRAM_FORGOTTEN


def release_leaked(queue: Any, kernel: Any, *, is_of_dpctl: bool) -> None:
    """Release what nobody else will of a new `dpctl.program.SyclKernel`, so that its code can be freed.

    dpctl makes an OpenCL kernel, and `create_program_from_spirv` an OpenCL program (`is_of_dpctl`). It forgets both
    once libsycl has references of its own. libsycl 7 keeps a second reference to the program of each such kernel. A
    program takes 0.4 MB or more. Where the counts of references are others than they were where this was tried, nothing
    is released.
    """
    functions = functions_of_drivers()
    if functions is None or not is_for(queue) or not release_is_known():
        return
    native = functions[NATIVE_KERNEL](kernel.addressof_ref())
    with ExitStack() as owned:
        owned.callback(functions["clReleaseKernel"], native)
        program = asked(functions["clGetKernelInfo"], (native, KERNEL_PROGRAM), _pointer())
        if asked(functions["clGetKernelInfo"], (native, KERNEL_REFERENCES), _unsigned()) != KERNEL_HOLDERS:
            return
        forgotten = PROGRAM_FORGOTTEN[_sycl()[0]] + is_of_dpctl
        count = asked(functions["clGetProgramInfo"], (program, PROGRAM_REFERENCES), _unsigned())
        if count != PROGRAM_HOLDERS + forgotten:
            return
        functions["clReleaseKernel"](native)
        for _ in range(forgotten):
            functions["clReleaseProgram"](program)


@contextmanager
def _built(functions: dict[str, Any], queue: Any, name: str, code: bytes) -> Iterator[int | None]:
    """An OpenCL program of machine code, which has everything that libsycl demands of it, or None."""
    with ExitStack() as owned:
        context = functions[NATIVE_CONTEXT](queue.sycl_context.addressof_ref())
        owned.callback(functions["clReleaseContext"], context)
        device = _pointer(functions[NATIVE_DEVICE](queue.sycl_device.addressof_ref()))
        owned.callback(functions["clReleaseDevice"], device)
        size, code_pointer = _size(len(code)), ctypes.c_char_p(code)
        status, error = _int(-1), _int(-1)
        references = [ctypes.byref(each) for each in (device, size, code_pointer, status, error)]
        program = functions["clCreateProgramWithBinary"](context, 1, *references)
        if not program:
            yield None
            return
        owned.callback(functions["clReleaseProgram"], program)
        is_loaded = not (status.value or error.value)
        is_built = is_loaded and not functions["clBuildProgram"](program, 1, references[0], *[None] * 3)
        yield program if is_built and _is_whole(functions, program, device, name) else None


def _is_whole(functions: dict[str, Any], program: int, device: Any, name: str) -> bool:
    ask = functions["clGetProgramBuildInfo"]
    is_executable = asked(ask, (program, device, BINARY_TYPE), _unsigned()) == BINARY_IS_EXECUTABLE
    if not is_executable or asked(ask, (program, device, BUILD_STATUS), _int(-1)) != 0:
        return False
    if asked(functions["clGetProgramInfo"], (program, PROGRAM_DEVICE_COUNT), _unsigned()) != 1:
        return False
    kernel = functions["clCreateKernel"](program, name.encode(), None)
    return bool(kernel) and not functions["clReleaseKernel"](kernel)


def asked(function: Any, arguments: tuple[Any, ...], answer: Any) -> Any:
    """The answer of one of OpenCL's functions that tell of an object; None where it is an error."""
    return None if function(*arguments, ctypes.sizeof(answer), ctypes.byref(answer), None) else answer.value


@cache
def _make_program() -> Any:
    """dpctl's own function that makes a SyclProgram."""
    import dpctl.program._program as program

    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = _pointer, (ctypes.py_object, ctypes.c_char_p)
    address = get(program.__pyx_capi__["SyclProgram_Make"], MAKE_PROGRAM)
    return ctypes.PYFUNCTYPE(ctypes.py_object, _pointer)(address)


@cache
def functions_of_drivers() -> dict[str, Any] | None:
    """The functions of OpenCL, SYCL and dpctl, from the libraries that dpctl has loaded; None where one is missing."""
    try:
        opencl, sycl = ctypes.CDLL("libOpenCL.so.1"), _sycl()[1]
        _make_program()
        return {**_declared(opencl, _OPENCL), **_declared(sycl, _SYCL), **_declared(interface(), _DPCTL)}
    except (OSError, AttributeError, ImportError, KeyError, ValueError):
        return None


@cache
def _sycl() -> tuple[int, ctypes.CDLL]:
    """The libsycl that dpctl has loaded, after its number: 7 is dpctl 0.17's, and 9 is 0.22's."""
    for number in SYCL:
        try:
            return number, ctypes.CDLL(f"libsycl.so.{number}", os.RTLD_NOLOAD)
        except OSError:
            pass
    raise OSError("no libsycl of a known number is loaded")


def _declared(library: ctypes.CDLL, signatures: dict[str, Any]) -> dict[str, Any]:
    functions = {}
    for name, (result, *arguments) in signatures.items():
        functions[name] = function = library[name]  # an object of our own, whose types nobody else declares
        function.restype, function.argtypes = result, arguments
    return functions
