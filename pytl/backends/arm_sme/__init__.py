"""Kernels for Arm's matrix extension: built for Arm, run on it or under QEMU."""
