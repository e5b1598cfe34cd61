"""The catalogue of rules: every diagnostic code, what it demands, and where the manual says so.

A rule is declared where it is checked (an instruction's rules stand beside the instruction), and registers itself
here, so that `pytl explain CODE` and the generated pages find all of them in one table.

Codes by family: 00xx text, 01xx types, attributes and functions, 02xx regions, names and yields, 03xx collective
instructions, 04xx mixed instructions, 05xx SPMD instructions, 06xx index notation, 07xx affine maps and sets, and
matrices since release 0.4, 10xx Python front end, 11xx calls outside of kernels, 20xx launch and arguments, 30xx
environment and backends, 31xx vector code, 40xx execution. 99xx is left to programs that declare rules of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]

_rules: dict[str, Rule] = {}


@dataclass(frozen=True)
class Rule:
    """One demand with a stable code. `section` names the chapter of the language manual, or the part of pytl."""

    code: str
    text: str
    section: str
    severity: Severity = "error"
    explanation: str = ""

    def __post_init__(self) -> None:
        known = _rules.setdefault(self.code, self)
        if known is not self:
            raise ValueError(f"diagnostic code {self.code} is taken by: {known.text}")


def find(code: str) -> Rule | None:
    """The rule with this code, written `PYTL-0312`, `pytl-0312` or `312`; None where no rule has it."""
    text = code.strip().upper().removeprefix("PYTL-")
    return _rules.get(f"PYTL-{text.zfill(4)}")


def all_rules() -> list[Rule]:
    """Every rule that is registered, by code."""
    return [_rules[code] for code in sorted(_rules)]
