"""The LLVM code of vector kernels, as text and executed on the host."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pytl.backends.numba_dpex.emit import OneItem, emit
from pytl.backends.numba_dpex.vector import VectorKernel
from pytl.ir.text import parse_text
from pytl.ir.types import MemrefType
from pytl.ir.values import Function, Module
from pytl.ir.verifier import find_problems
from pytl.passes import Pipeline, find_pass


def internal(text: str) -> Function:
    """The only function of a text, which may have instructions that passes write."""
    parsed = parse_text(text, internal=True)
    assert not parsed.diagnostics.errors, parsed.diagnostics.errors
    assert not find_problems(parsed.module).errors, find_problems(parsed.module).errors
    (function,) = parsed.module.functions
    return function


def scheduled(function: Function) -> Function:
    """A function whose kernels have tiles, with what the pass cpu-schedule decides."""
    (after,) = Pipeline([find_pass("cpu-schedule")]).run(Module([function])).functions
    return after


def vector_kernels(function: Function) -> Mapping[str, VectorKernel]:
    """The kernels of a function, as the compiler gets them."""
    find_pass("vectorize").run(function)
    return emit(function, OneItem(1, 1), "test").kernels


def llvm_of(kernels: Mapping[str, VectorKernel]) -> str:
    """The LLVM code of kernels, each a function of its own, before the compiler optimizes it."""
    from llvmlite import ir

    from pytl.backends.numba_dpex.device.elements import ELEMENTS, I64
    from pytl.backends.numba_dpex.vector import kernel as vector

    module = ir.Module()
    for name, found in kernels.items():
        types = []
        for argument in found.arguments:
            type_ = argument.value.type
            is_pointer = argument.kind == "pointer" and isinstance(type_, MemrefType)
            types.append(ELEMENTS[type_.element.name].storage.as_pointer(1) if is_pointer else I64)
        function = ir.Function(module, ir.FunctionType(ir.VoidType(), types), name)
        builder = ir.IRBuilder(function.append_basic_block())
        vector.write(vector._context(found, builder, function.args), found.operation)
        builder.ret_void()
    return str(module)


_PREFETCH = re.compile(r'"?llvm\.prefetch\.p1i8"?')


def prefetched(function: Function, arrays: Sequence[np.ndarray]) -> list[tuple[int, int]]:
    """What a function's only kernel prefetches when it is executed: addresses with their levels, in order.

    Its parameters are memrefs of static shape. The code is that of `llvm_of`, in which a function that takes notes
    stands for LLVM's prefetch.
    """
    from llvmlite import binding

    ((name, kernel),) = vector_kernels(function).items()
    found: list[tuple[int, int]] = []
    note = ctypes.CFUNCTYPE(None, ctypes.c_void_p, *(ctypes.c_int32,) * 3)(
        lambda address, is_write, level, is_data: found.append((address, level))
    )
    text = _PREFETCH.sub("pytl_prefetched", llvm_of({name: kernel}))
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    module = binding.parse_assembly(text)
    binding.add_symbol("pytl_prefetched", ctypes.cast(note, ctypes.c_void_p).value)
    engine = binding.create_mcjit_compiler(module, binding.Target.from_default_triple().create_target_machine())
    engine.finalize_object()
    places: dict[Any, int] = {
        parameter: array.ctypes.data for parameter, array in zip(function.parameters, arrays, strict=True)
    }
    given = [places[argument.value] for argument in kernel.arguments]
    ctypes.CFUNCTYPE(None, *(ctypes.c_void_p,) * len(given))(engine.get_function_address(name))(*given)
    return found
