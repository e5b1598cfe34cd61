"""A row for each form of each instruction with each type of the manual, and what is proved of it."""
