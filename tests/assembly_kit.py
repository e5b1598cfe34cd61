"""The loops of Arm's assembly."""

from __future__ import annotations

import re


def loops(assembly: str, word: str) -> list[list[str]]:
    """The instructions of each loop without loops in it that has an instruction with such a name."""
    found = []
    blocks = re.split(r"^(\.LBB\w+):.*$", assembly, flags=re.M)
    for label, block in zip(blocks[1::2], blocks[2::2]):
        lines = [line.partition("//")[0].strip() for line in block.splitlines()]
        lines = [line for line in lines if line and not line.startswith(".")]
        branches = [
            n for n, line in enumerate(lines) if re.match(rf"(b\.\w+|cbn?z\s.*|tbn?z\s.*)\s*{re.escape(label)}$", line)
        ]
        if branches and any(line.split()[0] == word for line in lines[: branches[0]]):
            found.append(lines[: branches[0] + 1])
    return found
