"""Executes printed text of xegpu on NumPy arrays: slowly, and exactly as the operations are defined."""

from .running import run

__all__ = ["run"]
