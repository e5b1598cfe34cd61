"""The pages under docs/ that are made of definitions: rules, instructions, types.

`python -m pytl.tools.docs` writes them.
"""
