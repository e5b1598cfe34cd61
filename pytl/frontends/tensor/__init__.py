"""The language of the manual, whose text `ir.text` reads and prints: the IR's own."""
