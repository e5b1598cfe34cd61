"""Workloads as people write them: their data and results in `cases`, and a module for each who computes them."""
