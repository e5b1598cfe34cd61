"""Modules of MLIR on this machine's processor, made by MLIR's and LLVM's tools alone."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pytl.backends.mlir.toolchain import find_linker, find_toolchain

PASSES = (
    "func.func(convert-elementwise-to-linalg),one-shot-bufferize{bufferize-function-boundaries "
    "allow-return-allocs-from-loops function-boundary-type-conversion=identity-layout-map},"
    "convert-linalg-to-loops,lower-affine,convert-vector-to-scf{full-unroll=true},convert-scf-to-cf,"
    "lower-vector-multi-reduction,expand-strided-metadata,lower-affine,memref-expand,arith-expand,"
    "convert-vector-to-llvm,finalize-memref-to-llvm,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,"
    "convert-func-to-llvm,convert-cf-to-llvm,convert-index-to-llvm,convert-ub-to-llvm,reconcile-unrealized-casts"
)
_SEQUENCE = """
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %packs = transform.structured.match ops{["linalg.pack"]} in %module : (!transform.any_op) -> !transform.op<"linalg.pack">
    transform.structured.lower_pack %packs : (!transform.op<"linalg.pack">)
      -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)
    %unpacks = transform.structured.match ops{["linalg.unpack"]} in %module : (!transform.any_op) -> !transform.op<"linalg.unpack">
    transform.structured.lower_unpack %unpacks : (!transform.op<"linalg.unpack">) -> (!transform.op<"tensor.empty">,
      !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">, !transform.op<"tensor.extract_slice">)
    transform.yield
  }
"""
"""What makes other operations of packs, for which MLIR has no pass."""
_RUNTIME = "libmlir_c_runner_utils.so*"
"""It copies memrefs with strides."""
_NUMBERS = {np.float32: ctypes.c_float, np.float64: ctypes.c_double}


class Host:
    """A module that is compiled; its functions are called with arrays and numbers."""

    def __init__(self, text: str) -> None:
        tools: Any = find_toolchain()
        passes = PASSES.replace("lower-vector-multi-reduction,", "func.func(lower-vector-multi-reduction),")
        given = _without_packs(tools, text) if "linalg.pack" in text else text.encode()
        lowered = _run([tools.path("mlir-opt"), f"--pass-pipeline=builtin.module({passes})"], given)
        code = _run([tools.path("mlir-translate"), "--mlir-to-llvmir"], lowered)
        made = _run([tools.path("llc"), "-O1", "-filetype=obj", "-relocation-model=pic"], code)
        with tempfile.TemporaryDirectory() as directory:
            object_, library = Path(directory, "m.o"), Path(directory, "m.so")
            object_.write_bytes(made)
            subprocess.run([str(find_linker()), "-shared", "-o", str(library), str(object_), "-lm"], check=True)
            libraries = Path(tools.path("mlir-opt")).resolve().parents[1] / "lib"
            ctypes.CDLL(str(next(libraries.glob(_RUNTIME))), mode=ctypes.RTLD_GLOBAL)
            self._library = ctypes.CDLL(str(library))

    def call(self, name: str, arguments: Sequence[Any]) -> None:
        """Call a function: a memref is passed as two addresses, an offset, sizes and strides."""
        words: list[Any] = []
        for given in arguments:
            if not isinstance(given, np.ndarray):
                words.append(_NUMBERS[type(given)](given) if type(given) in _NUMBERS else ctypes.c_int64(given))
                continue
            address = ctypes.c_void_p(given.ctypes.data)
            steps = [step // given.itemsize for step in given.strides]
            words += [address, address, ctypes.c_int64(0), *map(ctypes.c_int64, (*given.shape, *steps))]
        function = self._library[name]
        function.restype = None
        function(*words)


def _without_packs(tools: Any, text: str) -> bytes:
    """The text in which a schedule has made other operations of the packs."""
    scheduled = f"module attributes {{transform.with_named_sequence}} {{{text}{_SEQUENCE}}}"
    made = _run([tools.path("mlir-opt"), "--transform-interpreter"], scheduled.encode())
    return made[: made.index(b"  transform.named_sequence")] + b"}"


def _run(command: Sequence[str], given: bytes) -> bytes:
    done = subprocess.run(command, input=given, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout
