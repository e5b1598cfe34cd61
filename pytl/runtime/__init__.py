"""Launches: arguments, caches, devices and the SYCL run time."""
