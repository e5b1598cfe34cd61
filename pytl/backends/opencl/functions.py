"""OpenCL's own functions by ctypes, where pyopencl has none that takes addresses, or one that takes longer."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

SUBGROUP_SIZES = 0x4108
"""CL_DEVICE_SUB_GROUP_SIZES_INTEL"""
LARGEST_SUBGROUP = 0x2033
"""CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE"""
SVM_POINTERS, ALL_HOST_MEMORY = 0x11B6, 0x11B7
"""CL_KERNEL_EXEC_INFO_SVM_PTRS, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM"""

_FUNCTIONS = (
    *("clGetDeviceInfo", "clGetKernelSubGroupInfo", "clSetKernelArg", "clSetKernelArgSVMPointer"),
    *(
        "clBuildProgram",
        "clSetKernelExecInfo",
        "clEnqueueNDRangeKernel",
        "clEnqueueSVMMemcpy",
        "clWaitForEvents",
        "clReleaseEvent",
    ),
)


class Refused(RuntimeError):
    """A function of OpenCL that returned an error."""


class Api:
    """The functions, each of which raises `Refused` where OpenCL returns an error."""

    def __init__(self, library: ctypes.CDLL) -> None:
        for name in _FUNCTIONS:
            function = getattr(library, name)
            function.restype = ctypes.c_int
            setattr(self, name, _checked(name, function))
        self.clSVMAlloc = library.clSVMAlloc
        self.clSVMAlloc.restype = ctypes.c_void_p
        self.clSVMFree = library.clSVMFree
        self.clSVMFree.restype = None

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


def _checked(name: str, function: Any) -> Any:
    def call(*arguments: Any) -> None:
        code = function(*arguments)
        if code:
            raise Refused(f"{name} of the OpenCL driver returns {code}.")

    return call


@cache
def api() -> Api:
    """The functions of the loader that pyopencl is linked with."""
    import pyopencl

    # looks in the libraries that this one needs, too
    return Api(ctypes.CDLL(pyopencl._cl.__file__))
