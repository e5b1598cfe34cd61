"""What is found out about a function without changing it: for passes, front ends, the run time and backends."""
