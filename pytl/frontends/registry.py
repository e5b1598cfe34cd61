"""Which languages there are: pytl's own, and those of installed packages; `python` is no language of texts.

A package offers one by an entry point of the group `pytl.frontends`, which names a subclass of
`pytl.frontends.base.Frontend`:

    [project.entry-points."pytl.frontends"]
    toy = "toy_package.frontend:ToyFrontend"
"""

from __future__ import annotations

import os.path
import re

from ..process.extensions import Registry
from .base import UNKNOWN_LANGUAGE, Frontend

DEFAULT = "tensor"
_REGISTRY: Registry[Frontend] = Registry(
    "language",
    Frontend,  # type: ignore[type-abstract]
    "pytl.frontends",
    {
        DEFAULT: "pytl.frontends.tensor.frontend:TensorFrontend",
        "0.3": "pytl.frontends.tensor.frontend:Dialect03Frontend",
        "0.4": "pytl.frontends.tensor.frontend:Dialect04Frontend",
        "yateto": "pytl.frontends.yateto.frontend:YatetoFrontend",
        "xetile": "pytl.frontends.xetile.frontend:XeTileFrontend",
        "mlir": "pytl.frontends.mlir.frontend:MlirFrontend",
        "mlir-2018": "pytl.frontends.mlir2018.frontend:Mlir2018Frontend",
    },
    UNKNOWN_LANGUAGE,
)


def frontend_names() -> list[str]:
    """The names of all languages, pytl's own first."""
    return _REGISTRY.names()


def import_frontends() -> None:
    """Import every front end of pytl's, so that its rules are registered."""
    for name in _REGISTRY.own:
        _REGISTRY.find(name)


_FIRST_LINE = re.compile(r"(?:;|//)[ \t]*language:[ \t]*([^\s]+)[ \t]*\r?(?:\n|$)")
"""The comment in which a text names its language."""


def find_frontend(language: str | None, name: str, text: str = "") -> Frontend:
    """The front end of a language; without one, of what the text's first line or the file's ending says; else of the
    tensor language.

    `name` is what diagnostics call the text.
    """
    if language is not None:
        return _REGISTRY.find(language if isinstance(language, str) else repr(language))
    said = _FIRST_LINE.match(text)
    if said:
        return _REGISTRY.find(said[1])
    default = _REGISTRY.find(DEFAULT)
    ending = os.path.splitext(name)[1]
    if not ending or ending in default.endings:
        return default
    return next((each for each in _REGISTRY.all_usable() if ending in each.endings), default)
