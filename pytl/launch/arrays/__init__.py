"""The user's arrays, groups and numbers as memory, compared with the types of parameters."""
