"""Writes multiply.spv and multiply.json, for main.c to launch by OpenCL's C API: `python make_kernel.py [FOLDER]`."""

import sys
from pathlib import Path

import pytl
from pytl import Memref, f32, gemm, group_id


@pytl.kernel
def multiply(alpha: f32, A: Memref[f32, 16, 8], B: Memref[f32, 8, 4, ...], C: Memref[f32, 16, 4, ...]):
    g = group_id()
    gemm(alpha, A, B[:, :, g], 0.0, C[:, :, g])


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    print(multiply.emit("spirv").write(folder / "multiply.spv"))
