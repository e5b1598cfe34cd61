"""The OpenCL backend: the SYCL backend's SPIR-V, launched by pyopencl."""
