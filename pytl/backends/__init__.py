"""Turning lowered functions into something that runs."""
