"""MLIR's text, for front ends that read it and backends that write it."""
