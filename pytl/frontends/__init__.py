"""What is read into the IR beside the language's own text."""
