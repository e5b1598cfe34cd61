"""The command line, tuning, and the pages that are generated."""
