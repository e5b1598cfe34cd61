"""XeGPU: kernels as MLIR's dialect of Intel GPUs, and what MLIR's pipeline makes of it."""
