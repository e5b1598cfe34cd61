"""The SYCL backend: Python source of a numba-dpex kernel, compiled to SPIR-V and launched through dpctl."""
