"""The reference page of an instruction, made of its definition: `pytl ops gemm`."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

from ..ir.fields import Attributes, Flag, Modifier, Operand, Result, ResultList, Variant
from ..ir.operation import Item, Operation, Optional_, Part, Token
from ..ir.registry import all_instructions


def syntax(cls: type[Operation]) -> str:
    """The textual form: `gemm(.n|.t)(.n|.t)[.atomic] %alpha, %A, %B, %beta, %C`."""
    modifiers = "".join(part.grammar for part in cls.parts.values() if part.is_modifier)
    results = [part for part in cls.parts.values() if isinstance(part, Result)]
    head = "".join("[%result, … = ]" if isinstance(part, ResultList) else "%result = " for part in results)
    return f"{head}{cls.mnemonic}{modifiers}{_items(cls, cls.template)}"


def page(cls: type[Operation]) -> str:
    """Syntax, meaning, parts and rules of an instruction as text."""
    lines = [syntax(cls), "", inspect.cleandoc(cls.__doc__ or ""), ""]
    lines.append(f"A {cls.kind} instruction; manual: {cls.section}.")
    operands = [part for part in cls.parts.values() if isinstance(part, Operand)]
    if operands:
        lines += ["", "Operands"]
        lines += _table([(part.name, str(part.constraint), part.description) for part in operands])
    results = [part for part in cls.parts.values() if isinstance(part, Result)]
    if results:
        lines += ["", "Result" if not isinstance(results[0], ResultList) else "Results"]
        lines += _table([(str(part.constraint), part.description, "") for part in results])
    modifiers: list[tuple[str, str, str]] = []
    for part in cls.parts.values():
        if isinstance(part, Modifier):
            words = [(f".{word}", meaning, "") for word, meaning in part.words.items() if word]
            modifiers += [word for word in words if word not in modifiers]
        elif isinstance(part, Flag):
            modifiers.append((f".{part.word}", part.description, ""))
    if modifiers:
        lines += ["", "Variants" if any(isinstance(p, Variant) for p in cls.parts.values()) else "Modifiers"]
        lines += _table(modifiers)
    attributes = [item for p in cls.parts.values() if isinstance(p, Attributes) for item in p.known.items()]
    if attributes:
        lines += ["", "Attributes"]
        lines += _table([(name, kind, "") for name, kind in attributes])
    if cls.rules:
        lines += ["", "Rules"]
        lines += _table([(check.rule.code, check.rule.text, "") for check in cls.rules])
    return "\n".join(line.rstrip() for line in lines)


def overview() -> str:
    """One line an instruction: its syntax."""
    return "\n".join(syntax(cls) for cls in all_instructions())


def python_signature(cls: type[Operation]) -> inspect.Signature:
    """The parameters that building the instruction in Python takes: operands, then modifiers by keyword."""
    parameters = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        for name, part in cls.parts.items()
        if isinstance(part, Operand)
    ]
    parameters += [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=part.default if part.default is not None else inspect.Parameter.empty,
        )
        for name, part in cls.parts.items()
        if part.is_modifier
    ]
    return inspect.Signature(parameters)


def _items(cls: type[Operation], items: Sequence[Item]) -> str:
    text = ""
    for item in items:
        if isinstance(item, Token):
            text += item.spellings[0]
        elif isinstance(item, Part):
            text += cls.parts[item.name].grammar
        elif isinstance(item, Optional_):
            inner = _items(cls, item.items)
            lead = inner[: len(inner) - len(inner.lstrip())]
            text += f"{lead}[{inner.strip()}]"
    return text


def _table(rows: Sequence[tuple[str, str, str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    return [f"  {a:<{widths[0]}}  {b:<{widths[1]}}  {c}".rstrip() for a, b, c in rows]
