"""Machines that kernels are compiled for: which instructions have code there, and in which sizes; the dialects `cpu`
and `vector`.
"""
