"""Events as dpctl's C API has them: references, each of which is deleted once; and the library that has the API."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytl.devices.bootstrap import interface_of

if TYPE_CHECKING:
    import dpctl


def wait_for(event: int) -> None:
    """Wait for an event; this consumes the reference."""
    wait, delete = wait_and_delete()
    wait(event)
    delete(event)


def copy_of(event: int) -> int:
    """Another reference to an event."""
    return interface().DPCTLEvent_Copy(event)


def python_event(event: int) -> dpctl.SyclEvent:
    """The event as dpctl's Python class. This consumes the reference."""
    import dpctl

    # SyclEvent copies what the capsule holds, which we therefore still have to delete.
    made = dpctl.SyclEvent(_capsule()(event, b"SyclEventRef", None))
    interface().DPCTLEvent_Delete(event)
    return made


@cache
def wait_and_delete() -> tuple[Callable[[int], None], Callable[[int], None]]:
    """The two steps of `wait_for`, for frequent callers."""
    return interface().DPCTLEvent_WaitAndThrow, interface().DPCTLEvent_Delete


@cache
def interface() -> ctypes.CDLL:
    """dpctl's library, which has its C API."""
    import dpctl

    library = ctypes.CDLL(str(interface_of(Path(dpctl.__file__).parent)))
    pointer = ctypes.c_void_p
    library.DPCTLQueue_SubmitNDRange.restype = pointer
    library.DPCTLEvent_Create.restype = pointer
    library.DPCTLEvent_Copy.restype = pointer
    library.DPCTLEvent_Copy.argtypes = (pointer,)
    for function in (library.DPCTLEvent_WaitAndThrow, library.DPCTLEvent_Delete):
        function.restype = None
        function.argtypes = (pointer,)
    return library


@cache
def _capsule() -> Callable[..., Any]:
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return new
