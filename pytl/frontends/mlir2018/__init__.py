"""MLIR as its document of 2018 has it: text, tree, rules, and what it is called today."""
