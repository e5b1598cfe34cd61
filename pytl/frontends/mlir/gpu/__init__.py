"""Kernels of gpu as functions on memrefs, which the front end reads as any other."""
