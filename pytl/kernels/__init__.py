"""What the user holds: kernels, launchers, bound launches, contractions, and kernels that were built ahead of time."""
