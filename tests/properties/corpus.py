"""Texts of each language that pytl reads, from the tests: what a mutation begins with."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from random import Random

from dialects_kit import restricted_to
from generator import generate

import pytl
from pytl.frontends.registry import find_frontend

TESTS = Path(__file__).parent.parent
FOLDERS = {
    "tensor": ("frontends/dialects",),
    "0.3": ("frontends/dialects",),
    "0.4": ("frontends/dialects",),
    "yateto": ("frontends/yateto",),
    "xetile": ("frontends/xetile",),
    "mlir": ("frontends/mlir", "mlir/text", "mlir/affine"),
    "mlir-2018": ("frontends/mlir2018", "mlir/affine"),
}
"""Where the texts of a language stand; one without an entry has no corpus, and the test that uses it fails by name."""
_LIKE_A_TEXT = re.compile(r"\bfunc\b|\bkernel\b|%\w+\s*=|affine_map<|memref<")
_SHORTEST = 40
_GENERATED = 30


@cache
def texts_of(language: str) -> tuple[str, ...]:
    """The texts of the tests of a language: strings of their modules, and blocks of the texts beside them."""
    found: dict[str, None] = {}
    for folder in FOLDERS[language]:
        assert (TESTS / folder).is_dir(), f"{language} has no texts in tests/{folder}"
        for path in sorted((TESTS / folder).rglob("*")):
            if path.suffix == ".py":
                found |= dict.fromkeys(_strings(path.read_text(encoding="utf-8")))
            elif path.suffix in (".txt", ".tinytc"):
                found |= dict.fromkeys(re.split(r"\n(?:==.*|--|)\n", path.read_text(encoding="utf-8")))
    kept = [text for text in found if len(text) >= _SHORTEST and _LIKE_A_TEXT.search(text)]
    return (*kept, *_generated(language))


def _strings(module: str) -> list[str]:
    return [
        node.value for node in ast.walk(ast.parse(module)) if isinstance(node, ast.Constant) and type(node.value) is str
    ]


def _generated(language: str) -> list[str]:
    """Random programs of the tensor language, in the dialect."""
    if language not in ("tensor", "0.3", "0.4"):
        return []
    elements = {"elements": ("i8", "i16", "i32", "i64", "index", "f32", "f64")} if language == "0.3" else {}
    found = []
    for seed in range(_GENERATED):
        text = generate(Random(seed), bool(seed % 2), seed % 12, **elements)
        if language != "tensor":
            frontend = find_frontend(language, "")
            text = frontend.write(restricted_to(pytl.parse(text), frontend.table()))
        found.append(text)
    return found
