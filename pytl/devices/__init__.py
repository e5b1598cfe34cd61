"""The SYCL run time, its devices, and the cache of what was compiled for them."""
