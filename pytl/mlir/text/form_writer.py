"""Writes operations by the texts of forms, which `custom.py` explains and reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from .tree import DYNAMIC, Operation, Raw
from .types import Type

SEGMENTS = "operandSegmentSizes"
FLAGS = ("fastmath", "overflow", "exact", "nneg", "rounding", "to_nearest_even", "downward", "upward", "toward_zero")

_NO_FLAGS = Raw("#arith.fastmath<none>")

Spans = Mapping[str, tuple[int, int]]
"""Where each group begins and ends among the operands."""
_Piece = Callable[[Operation, Spans, Any], str]
"""What one word of a form becomes, with the blank in front of it."""


_LEFT_OUT = ("{}", "<{}>", "~")
"""The words of attributes that an operation may have or not."""


class _FixedForm:
    """What is written of most operations, in one loop: each step has the text in front of it, and a place or a name."""

    def __init__(self, steps: Sequence[tuple[str, str, Any]], attributes: Sequence[str], end: str) -> None:
        self.steps = steps
        self.attributes = attributes
        self.end = end
        kinds = [kind for _, kind, _ in steps]
        count = kinds.count("one")
        in_order = [key for _, _, key in steps[:count]] == [*range(count)]
        self._typed: int | None = None
        """Of a form that writes all operands and then the type of one: which one."""
        if kinds == ["one"] * count + ["type"] and in_order:
            self._typed = steps[-1][2]
        self._template = "%s".join([*(before.replace("%", "%%") for before, _, _ in steps), end.replace("%", "%%")])

    def write(self, operation: Operation, printer: Any) -> str:
        operands, types, texts = operation.operands, operation.operand_types, printer.texts
        if self._typed is not None:
            type_ = types[self._typed]
            return self._template % (*operands, texts.get(id(type_)) or printer.type(type_))
        parts = []
        for before, kind, key in self.steps:
            if kind == "one":
                parts.append(before + operands[key])
            elif kind == "type":
                type_ = types[key]
                parts.append(before + (texts.get(id(type_)) or printer.type(type_)))
            elif kind == "result":
                parts.append(before + printer.type(operation.result_types[0]))
            elif kind == "word":
                parts.append(before + str(operation.attributes[key]))
            else:
                listed = ", ".join(operands[key])
                parts.append(before + listed if listed else before.rstrip(" "))
        return "".join(parts) + self.end


class FormWriter:
    """What a form writes behind an operation's name."""

    def __init__(self, text: str, order: Sequence[str], arranged: Sequence[str] = ()) -> None:
        words = text.split()
        self._order = tuple(order)
        self.groups: dict[str, str] = {}
        """`one`, `many` or `maybe`: how many operands each group has."""
        self.mixed: dict[str, str] = {}
        """The lists of numbers and operands, with the attributes that have the numbers."""
        self._own = {SEGMENTS}
        """Attributes that are spelled by other words than `{}`."""
        self._words: list[str] = []
        """Those that are bare words."""
        self._collect(words)
        if order or arranged:
            self.groups = {name: self.groups[name] for name in order or arranged}
        self._pieces = list(self._compiled(words, ""))
        self._straight = self._fixed_form(words)
        self._known: dict[Any, Spans] = {}

    def _collect(self, words: Sequence[str]) -> None:
        depth = 0
        for word in words:
            depth += (word == "[[") - (word == "]]")
            if word.startswith("$"):
                self.groups[word[1:].rstrip("*")] = "many" if word.endswith("*") else "maybe" if depth else "one"
            elif word.startswith("mixed:"):
                name, attribute = split_mixed(word)
                self.groups[name] = "many"
                self.mixed[name] = attribute
                self._own.add(attribute)
            elif word.startswith("=") and len(word) > 1:
                name, _, kind = word[1:].partition(":")
                self._own.add(name)
                self._words += [name] if kind in ("word", "<>") else []
            elif word == "~":
                self._own.update(FLAGS)

    def write(self, operation: Operation, printer: Any) -> str | None:
        """The operation's text behind its name; None where a word is a number, as in the generic form."""
        for name in self._words:
            if not isinstance(operation.attributes.get(name, ""), str):
                return None
        if self._straight is not None and len(operation.attributes) == len(self._straight.attributes):
            return self._straight.write(operation, printer)
        spans = self._spans(operation)
        return "".join([piece(operation, spans, printer) for piece in self._pieces])

    def _fixed_form(self, words: Sequence[str]) -> _FixedForm | None:
        """The form without `{}` and `~`, where each word has its place whatever the operation is."""
        kinds = list(self.groups.values())
        if self._order or self.mixed or "maybe" in kinds or kinds.count("many") > 1:
            return None
        # groups behind one of any size are counted from the end
        after = kinds.index("many") if "many" in kinds else len(kinds)
        positions = {
            name: position if position <= after else position - len(kinds) for position, name in enumerate(self.groups)
        }
        steps: list[tuple[str, str, Any]] = []
        attributes, blank, before = [], "", ""
        for at, word in enumerate(words):
            name = word[1:].rstrip("*")
            blank += _blank(before, word, words[at + 1 : at + 2]) if word not in _LEFT_OUT else ""
            if word.startswith("$"):
                many = slice(after, after + 1 - len(kinds) or None)
                steps.append((blank, "many", many) if word.endswith("*") else (blank, "one", positions[name]))
            elif word.startswith("=") and word.endswith(":word"):
                attributes.append(word[1:].partition(":")[0])
                steps.append((blank, "word", attributes[-1]))
            elif word.startswith("type("):
                group = word[5:-1].split(",")[0]
                steps.append((blank, "result", 0) if group == "result" else (blank, "type", positions[group]))
            elif word not in _LEFT_OUT and (word[0] in "=[" or word.endswith(")")) and len(word) > 1:
                return None
            else:
                blank += "" if word in _LEFT_OUT else word
                before = word
                continue
            blank, before = "", word
        return _FixedForm(steps, attributes, blank)

    def _spans(self, operation: Operation) -> Spans:
        key = operation.attributes[SEGMENTS] if self._order else len(operation.operands)
        spans = self._known.get(key)
        if spans is None:
            spans = self._known[key] = self._count_spans(key)
        return spans

    def _count_spans(self, key: Any) -> Spans:
        sizes = key
        if not self._order:
            rest = key - sum(kind == "one" for kind in self.groups.values())
            sizes = []
            for kind in self.groups.values():
                sizes.append(1 if kind == "one" else rest if kind == "many" else min(rest, 1))
                rest -= 0 if kind == "one" else sizes[-1]
        spans, begin = {}, 0
        for name, size in zip(self.groups, sizes):
            spans[name] = begin, begin + size
            begin += size
        return spans

    # Words.

    def _compiled(self, words: Sequence[str], before: str) -> Any:
        at = 0
        while at < len(words):
            word = words[at]
            if word == "[[":
                end = closing(words, at)
                inner = words[at + 1 : end]
                yield partial(_maybe, self._is_there(inner), list(self._compiled(inner, before)))
                at, before = end + 1, inner[-1]
                continue
            yield self._piece(word, _blank(before, word, words[at + 1 : at + 2]))
            at, before = at + 1, word

    def _is_there(self, words: Sequence[str]) -> Callable[[Operation, Spans], bool]:
        """Whether an operation has what may be left out: the first group, attribute or type that it names."""
        for word in words:
            if word.startswith(("$", "types(")):
                name = word[1:].rstrip("*") if word[0] == "$" else word[6:-1]
                return lambda operation, spans: spans[name][0] < spans[name][1]
            if word.startswith("mixed:") or (word.startswith("=") and len(word) > 1):
                attribute = split_mixed(word)[1] if word[0] == "m" else word[1:].partition(":")[0]
                return lambda operation, spans: attribute in operation.attributes
            if word == "type(result)":
                return lambda operation, spans: bool(operation.result_types)
        if len(words) == 1:
            return lambda operation, spans: words[0] in operation.attributes
        raise AssertionError("what may be left out has a group, an attribute or a type")

    def _piece(self, word: str, blank: str) -> _Piece:
        if word.startswith("$"):
            return partial(_many if word.endswith("*") else _one, word[1:].rstrip("*"), blank)
        if word.startswith("=") and len(word) > 1:
            return partial(_attribute, *word[1:].partition(":")[::2], blank)
        if word.startswith("mixed:"):
            return partial(_mixed, *split_mixed(word), blank)
        if word.endswith(")") and "(" in word:
            kind, groups = word[:-1].split("(")
            return partial(_TYPES[kind], groups.split(",")[0], blank)
        if word in ("{}", "<{}>"):
            return partial(_others, frozenset(self._own), word.partition("{}")[::2])
        if word == "~":
            return _flags
        return partial(_literal, blank + word)


def split_mixed(word: str) -> tuple[str, str]:
    """The group of a `mixed:` word, and the attribute that has its numbers."""
    name, _, attribute = word[len("mixed:") :].partition(":")
    return name, attribute or f"static_{name}"


def closing(words: Sequence[str], at: int) -> int:
    """The place of the `]]` that closes the `[[` at a place."""
    depth = 0
    for position in range(at, len(words)):
        depth += (words[position] == "[[") - (words[position] == "]]")
        if depth == 0:
            return position
    raise AssertionError("a form's brackets are closed")


def _blank(before: str, word: str, after: Sequence[str]) -> str:
    """The blank in front of a word of a form, by its neighbours; `before` is empty behind the operation's name."""
    is_word = before[:1].isalpha() and ":" not in before and "(" not in before
    if word in (",", ")", "]") or before in ("(", "["):
        return ""
    if word == "(":
        return " " if before in (":", "->", ",") else ""
    if word == ":":
        return "" if is_word and after and after[0].startswith("mixed:") else " "
    if word == "[" or word.startswith("mixed:") or word.endswith(":list"):
        # `[%byte][%sizes]` of memref.view, but `[%i, %j] [%numbers]` of vector.gather
        is_list_behind = before == "]" and after[0].endswith("*")
        return "" if before.startswith("$") or before == ")" or is_list_behind else " "
    return "" if word.endswith(":<>") and is_word else " "


def _literal(text: str, operation: Operation, spans: Spans, printer: Any) -> str:
    return text


def _one(group: str, blank: str, operation: Operation, spans: Spans, printer: Any) -> str:
    return blank + operation.operands[spans[group][0]]


def _many(group: str, blank: str, operation: Operation, spans: Spans, printer: Any) -> str:
    begin, end = spans[group]
    return blank + ", ".join(operation.operands[begin:end]) if begin < end else ""


def _maybe(
    is_there: Callable[[Operation, Spans], bool],
    pieces: Sequence[_Piece],
    operation: Operation,
    spans: Spans,
    printer: Any,
) -> str:
    return "".join([piece(operation, spans, printer) for piece in pieces]) if is_there(operation, spans) else ""


def _attribute(name: str, kind: str, blank: str, operation: Operation, spans: Spans, printer: Any) -> str:
    value = operation.attributes[name]
    if kind in ("word", "symbol"):
        text = str(value)
    elif kind == "<>":
        text = f"<{value}>"
    elif kind == "list":
        text = f"[{', '.join(map(str, value))}]"
    elif kind == "number":
        text = str(value)
    elif kind == "map":
        text = value.text("today").removeprefix("affine_map<").removesuffix(">")
    else:
        text = printer.attribute(value)
    return blank + text


def _mixed(group: str, attribute: str, blank: str, operation: Operation, spans: Spans, printer: Any) -> str:
    return f"{blank}[{mixed_text(operation.attributes[attribute], operation.operands[slice(*spans[group])])}]"


def mixed_text(numbers: Sequence[int], operands: Sequence[str]) -> str:
    """Numbers, with operands in the place of those that are not known."""
    rest = iter(operands)
    return ", ".join(next(rest) if number == DYNAMIC else str(number) for number in numbers)


def _type(group: str, blank: str, operation: Operation, spans: Spans, printer: Any) -> str:
    type_ = operation.result_types[0] if group == "result" else operation.operand_types[spans[group][0]]
    return blank + str(printer.type(type_))


def _types(group: str, blank: str, operation: Operation, spans: Spans, printer: Any) -> str:
    types: Sequence[Type] = operation.result_types
    if group != "result":
        types = operation.operand_types[slice(*spans[group])]
    return blank + ", ".join([printer.type(type_) for type_ in types])


def _function(group: str, blank: str, operation: Operation, spans: Spans, printer: Any) -> str:
    return blank + str(printer.function(operation.operand_types[slice(*spans[group])], operation.result_types))


_TYPES = {"type": _type, "types": _types, "function": _function}


def _others(own: frozenset[str], around: tuple[str, str], operation: Operation, spans: Spans, printer: Any) -> str:
    """The attributes that no other word spells, or nothing."""
    attributes = operation.attributes
    if not attributes or attributes.keys() <= own:
        return ""
    inner = printer.dictionary({name: value for name, value in attributes.items() if name not in own})
    return f" {around[0]}{inner}{around[1]}"


def _flags(operation: Operation, spans: Spans, printer: Any) -> str:
    if not operation.attributes:
        return ""
    return "".join(
        # `#arith.fastmath<fast>` of the generic form is `<fast>` here
        f" {name}{'' if value is True else value.text[value.text.index('<') :]}"
        for name, value in operation.attributes.items()
        if name in FLAGS and value != _NO_FLAGS
    )
