"""The code blocks of the document on MLIR, each with what stands around it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

FILE = Path(__file__).parent / "frontends" / "mlir2018" / "document.txt"


@dataclass
class Part:
    """A part of a block: its text, what stands around it, and what is told of it."""

    block: str
    text: str
    key: str
    """The number of the block, and of the part in it."""
    form: str = "body"
    head: str = ""
    parameters: str = ""
    before: str = ""
    after: str = ""
    tail: str = ""
    notes: str = "0"
    errors: str = ""
    today: str = ""

    @property
    def module(self) -> str:
        """The part in a module of its own."""
        head, before, after, tail = (
            each.replace("|", "\n") for each in (self.head, self.before, self.after, self.tail)
        )
        if self.form == "body":
            body = "\n".join((f"func @f({self.parameters}) {{", before, self.text, after, "return", "}"))
            return f"{head}\n{body}\n{tail}"
        return f"{head}\n{self.text}\n{tail}"


def parts() -> list[Part]:
    found = []
    for block in FILE.read_text(encoding="utf-8").split("\n== ")[1:]:
        title, *texts = block.split("\n--\n")
        for text in texts:
            above, _, code = text.partition("\n\n") if not text.startswith("\n") else ("", "", text[1:])
            given = dict(line.split(": ", 1) for line in above.splitlines())
            assert set(given) <= {each.name for each in fields(Part)}
            found.append(Part(title, code, f"{title.partition(' ')[0]}-{texts.index(text)}", **given))
    return found
